"""``romans train``."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from romans_env.envs.rewards import REWARDS
from training.cli.options import TableType, TextsType, variant_option
from training.config import TrainConfig
from training.openmp import spin_briefly
from training.run_folder import RunFolder

_DEFAULTS = TrainConfig()


_F = TypeVar("_F", bound=Callable[..., Any])


def _number(flag: str, help_text: str, minimum: int = 1) -> Callable[[_F], _F]:
    name = flag.strip("-").replace("-", "_")
    kind = click.IntRange(min=minimum)
    return click.option(flag, type=kind, default=getattr(_DEFAULTS, name), show_default=True, help=help_text)


def _fraction(flag: str, help_text: str) -> Callable[[_F], _F]:
    name = flag.strip("-").replace("-", "_")
    return click.option(flag, type=float, default=getattr(_DEFAULTS, name), show_default=True, help=help_text)


class _SizesType(click.ParamType[tuple[int, ...]]):
    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(part) for part in value.split(","))
        except ValueError:
            self.fail(f"sizes are whole numbers with commas between, such as 128,128, not {value!r}", param, ctx)


@click.command(name="train")
@click.option(
    "--folder", type=click.Path(path_type=Path), default=Path("runs/train"), show_default=True, help="Of the run."
)
@click.option("--resume", is_flag=True, help="Go on with the run in the folder; other settings are the run's own.")
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
@_number("--steps", "Decisions of the learner in all; with --resume, a new end.")
@_number("--seed", "Decides everything.", minimum=0)
@_number("--num-envs", "Games at once.")
@_number("--rollout-length", "Decisions in each game between updates.")
@_number("--minibatch-size", "Decisions in a step of the optimiser.")
@_number("--epochs", "Passes over every rollout.")
@_fraction("--learning-rate", "At the start; it falls to a tenth.")
@_fraction("--gamma", "Discount a decision.")
@_fraction("--gae-lambda", "Of the advantage estimate.")
@_fraction("--entropy", "Weight of the entropy bonus.")
@click.option(
    "--hidden-layers",
    type=_SizesType(),
    default=",".join(map(str, _DEFAULTS.hidden_layers)),
    show_default=True,
    help="Of the policy and of the value network.",
)
@_number("--threads", "Of the network's arithmetic; no more than there are idle cores.")
@_number("--evaluate-every", "Decisions between evaluations.")
@_number("--evaluation-deals", "Duplicate deals an evaluation.")
@_number("--checkpoint-every", "Decisions between checkpoints.")
@click.pass_context
def command(ctx: click.Context, /, folder: Path, resume: bool, size: dict[str, Any], **settings: Any) -> None:
    """Train a policy with MaskablePPO against a mix of opponents.

    The run folder holds the settings, checkpoints, TensorBoard's files, a table of evaluations, and policy.npz, which
    plays with numpy alone: romans evaluate FOLDER/policy.npz. Ctrl-C saves a checkpoint and stops; --resume goes on.
    """
    given = {name for name in ctx.params if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE}
    run = RunFolder(folder)
    if resume:
        _refuse_changes(given)
        config = run.load_config()
        target = settings["steps"] if "steps" in given else None
    else:
        config, target = TrainConfig(**size, **settings), None
    spin_briefly()
    # Imported here: torch takes seconds, and mistakes should be told before.
    from training import trainer

    err = Console(stderr=True, soft_wrap=True, highlight=False)
    if resume and not run.checkpoint.exists():
        err.print(f"{folder} was stopped before its first checkpoint: it begins again")
    with _Bar(target or config.steps, err) as bar, _stop_signals(err) as stop:
        try:
            if resume:
                trainer.resume(run, target, bar, stop.is_set)
            else:
                trainer.train(config, run, bar, stop.is_set)
        except (KeyboardInterrupt, trainer.TrainingStopped):
            bar.stop()
            err.print(f"stopped; go on with: romans train --folder {folder} --resume")
            ctx.exit(130)
    if resume and not bar.was_called:
        err.print(f"the run in {folder} has come to its end already; --steps with a larger number goes on")
    click.echo(f"trained: {run.policy}")


def _refuse_changes(given: set[str]) -> None:
    changed = sorted(given - {"folder", "resume", "steps"})
    if changed:
        flags = ", ".join("--table" if name == "size" else f"--{name.replace('_', '-')}" for name in changed)
        raise click.UsageError(f"a resumed run keeps its settings; leave out {flags}")


@contextlib.contextmanager
def _stop_signals(console: Console) -> Iterator[threading.Event]:
    """An event that Ctrl-C or SIGTERM sets; a second one interrupts at once."""
    stop = threading.Event()

    def on_signal(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        console.print("stopping after this rollout; once more stops at once, at the last checkpoint")

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Bar:
    """The progress bar of a run; called with every `trainer.Progress`."""

    def __init__(self, total: int, console: Console):
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(),
            TextColumn("{task.completed:,} of {task.total:,} decisions, {task.fields[rate]:,.0f}/s"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._progress.add_task("training", total=total, rate=0.0)
        self._total = total
        self._told: Any = None
        self.was_called = False

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.stop()

    def stop(self) -> None:
        if self.was_called:
            self._progress.stop()

    def __call__(self, now: Any) -> None:
        # Not shown before there is something to show, so that errors of the start stand alone.
        self._progress.start()
        self.was_called = True
        self._progress.update(self._task, completed=min(now.steps, self._total), rate=now.steps_per_second)
        if now.evaluations and now.evaluations is not self._told:
            self._told = now.evaluations
            rates = ", ".join(
                f"{100 * result.win_rate.mean:.1f} % against {'+'.join(result.opponents) or 'neutrals'}"
                for result in now.evaluations
            )
            self._progress.console.print(f"after {now.steps:,} decisions it wins {rates}")
