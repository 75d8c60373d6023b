"""``romans train``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import cloup

from romans_training.cli.learner_options import (
    ENDS,
    allowed_files,
    chosen_settings,
    evaluation_options,
    game_options,
    given_options,
    learner_options,
    opponent_options,
    refuse_changes,
    resume_command,
    run_options,
    self_play_options,
)
from romans_training.cli.running import run_to_end
from romans_training.config import TrainConfig
from romans_training.run_folder import RunFolder

_DEFAULTS = TrainConfig()


@cloup.command(name="train")
@run_options("runs/train", _DEFAULTS, _DEFAULTS.steps, names_agents=True)
@game_options(_DEFAULTS)
@opponent_options(_DEFAULTS)
@self_play_options(_DEFAULTS)
@learner_options(_DEFAULTS)
@evaluation_options(_DEFAULTS, fixed_opponents=True)
@click.pass_context
def command(ctx: click.Context, /, folder: Path, resume: bool, **options: Any) -> None:
    """Train a policy with PPO, against a mix of opponents or, with --self-play, itself and a league.

    The run folder holds the settings, where the run comes from, checkpoints, metrics and evaluations (as tables and for
    TensorBoard), a summary to look at, and policy.npz, which plays with numpy alone: romans evaluate FOLDER/policy.npz.
    Ctrl-C saves a checkpoint and stops; --resume goes on.
    """
    run, config, new_end = RunFolder(folder), None, {}
    if resume:
        refuse_changes(ctx, allowed=())
        run.load_config()
        new_end = {name: options[name] for name in ENDS if name in given_options(ctx)}
    else:
        config = TrainConfig(**chosen_settings(ctx))
    again = resume_command("romans", "train", "--folder", str(folder), config=config or run.load_config())
    run_to_end(ctx, run, config, new_end, again, allowed_files(ctx))
    click.echo(f"summary: {run.summary}", err=True)
    click.echo(f"trained: {run.policy}")
