"""``romans train``."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click
import cloup

from romans_training.cli import learner_options as learner
from romans_training.cli.options import extra_click_options, game_option, table_option
from romans_training.cli.running import run_to_end
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder
from romans_training.worker_processes import place_by_torchrun

_DEFAULTS = TrainConfig()


@cloup.command(name="train")
@learner.settings_group("Run", _DEFAULTS, *learner.run_options("runs/train"))
@learner.settings_group("Game", _DEFAULTS, game_option, table_option, *extra_click_options)
@learner.settings_group("Opponents", _DEFAULTS)
@learner.settings_group("Self-play", _DEFAULTS)
@learner.settings_group("Learner", _DEFAULTS)
@learner.settings_group("Optimiser", _DEFAULTS)
@learner.settings_group("Evaluation", _DEFAULTS)
@click.pass_context
def command(ctx: click.Context, /, folder: Path, resume: bool, **options: Any) -> None:
    """Train a policy with PPO, against a pool of opponents or, with --self-play, against itself and a league.

    The run folder holds the settings and their origin, checkpoints, metrics and evaluations (as tables and for
    TensorBoard), a summary page, and policy.npz, which plays with numpy alone: romans evaluate FOLDER/policy.npz.
    Ctrl-C saves a checkpoint and stops; --resume continues.
    """
    run, config, end, place = RunFolder(folder), None, {}, place_by_torchrun()
    if resume:
        end = learner.new_end(ctx)
        run.load_config()
    else:
        started = {} if place is None else {"processes": place.size}
        config = TrainConfig(**started | learner.chosen_settings(ctx))
        if place is not None and place.may_restart and place.rank == 0 and run.config.exists():
            saved = run.load_config()
            if saved == dataclasses.replace(config, bfloat16=saved.bfloat16):
                config = None  # torchrun has restarted this run; the other processes learn it from this one
    again = learner.resume_command("romans", "train", "--folder", str(folder), config=config or run.load_config())
    run_to_end(ctx, run, config, end, again, learner.allowed_files(ctx))
    if place is None or place.rank == 0:
        click.echo(f"summary: {run.summary}", err=True)
        click.echo(f"trained: {run.policy}")
