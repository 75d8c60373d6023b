"""``romans train``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from romans_env.envs.rewards import REWARDS
from training.cli.learner_options import (
    ENDS,
    end_options,
    folder_options,
    given_options,
    learner_options,
    refuse_changes,
)
from training.cli.options import TableType, TextsType, variant_option
from training.cli.running import run_to_end
from training.config import TrainConfig
from training.run_folder import RunFolder

_DEFAULTS = TrainConfig()


@click.command(name="train")
@folder_options("runs/train")
@click.option("--table", "size", type=TableType(), default="2+0", show_default=True, help="Players+neutrals, or small.")
@variant_option
@click.option(
    "--opponents",
    type=TextsType(),
    default=",".join(_DEFAULTS.opponents),
    show_default=True,
    help="The mix: each opponent of each game is drawn from it. Name one twice to meet it twice as often.",
)
@click.option("--reward", type=click.Choice(REWARDS), default=_DEFAULTS.reward, show_default=True, help="What is paid.")
@end_options(_DEFAULTS.steps, _DEFAULTS.minutes)
@learner_options(_DEFAULTS)
@click.option("--keep-policies", is_flag=True, help="Keep the policy of every evaluation in FOLDER/policies.")
@click.pass_context
def command(ctx: click.Context, /, folder: Path, resume: bool, size: dict[str, Any], **settings: Any) -> None:
    """Train a policy with MaskablePPO against a mix of opponents.

    The run folder holds the settings, checkpoints, TensorBoard's files, a table of evaluations, and policy.npz, which
    plays with numpy alone: romans evaluate FOLDER/policy.npz. Ctrl-C saves a checkpoint and stops; --resume goes on.
    """
    given = given_options(ctx)
    run, config, new_end = RunFolder(folder), None, {}
    if resume:
        refuse_changes(given, allowed=())
        run.load_config()
        new_end = {name: settings[name] for name in ENDS if name in given}
    else:
        config = TrainConfig(**size, **settings)
    run_to_end(ctx, run, config, new_end, again=shlex.join(["romans", "train", "--folder", str(folder), "--resume"]))
    click.echo(f"trained: {run.policy}")
