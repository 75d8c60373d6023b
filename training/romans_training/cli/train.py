"""``romans train``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import cloup

from romans_training.cli.learner_options import (
    allowed_files,
    chosen_settings,
    new_end,
    panel,
    resume_command,
    run_options,
)
from romans_training.cli.options import extra_click_options, game_option, table_option
from romans_training.cli.running import run_to_end
from romans_training.config import TrainConfig
from romans_training.run_folder import RunFolder

_DEFAULTS = TrainConfig()


@cloup.command(name="train")
@panel("Run", _DEFAULTS, *run_options("runs/train", names_agents=True))
@panel("Game", _DEFAULTS, game_option, table_option, *extra_click_options)
@panel("Opponents", _DEFAULTS)
@panel("Self-play", _DEFAULTS)
@panel("Learner", _DEFAULTS)
@panel("Optimiser", _DEFAULTS)
@panel("Evaluation", _DEFAULTS)
@click.pass_context
def command(ctx: click.Context, /, folder: Path, resume: bool, **options: Any) -> None:
    """Train a policy with PPO, against a pool of opponents or, with --self-play, itself and a league.

    The run folder holds the settings, where the run comes from, checkpoints, metrics and evaluations (as tables and for
    TensorBoard), a summary to look at, and policy.npz, which plays with numpy alone: romans evaluate FOLDER/policy.npz.
    Ctrl-C saves a checkpoint and stops; --resume continues.
    """
    run, config, end = RunFolder(folder), None, {}
    if resume:
        end = new_end(ctx)
        run.load_config()
    else:
        config = TrainConfig(**chosen_settings(ctx))
    again = resume_command("romans", "train", "--folder", str(folder), config=config or run.load_config())
    run_to_end(ctx, run, config, end, again, allowed_files(ctx))
    click.echo(f"summary: {run.summary}", err=True)
    click.echo(f"trained: {run.policy}")
