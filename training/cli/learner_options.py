"""Options of the commands that train a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from training.config import TrainConfig

_Function = Callable[..., Any]
_Decorator = Callable[[_Function], _Function]

ENDS = ("steps", "minutes")
"""The settings that say when a run ends; a resumed run may be given a new one."""


class _SizesType(click.ParamType[tuple[int, ...]]):
    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(part) for part in value.split(","))
        except ValueError:
            self.fail(f"sizes are whole numbers with commas between, such as 128,128, not {value!r}", param, ctx)


def folder_options(default: str) -> _Decorator:
    """``--folder`` and ``--resume``."""
    path = click.Path(path_type=Path)
    return _all(
        click.option("--folder", type=path, default=Path(default), show_default=True, help="Of the run."),
        click.option("--resume", is_flag=True, help="Go on with the run in the folder; other settings are its own."),
    )


def end_options(steps: int | None, minutes: float | None) -> _Decorator:
    """``--steps`` and ``--minutes``, with their defaults; one of them counts."""
    return _all(
        click.option(
            "--steps",
            type=click.IntRange(min=1),
            default=steps,
            show_default=True,
            help="Decisions of the learner in all; with --resume, a new end.",
        ),
        click.option(
            "--minutes",
            type=click.FloatRange(min=0, min_open=True),
            default=minutes,
            show_default=True,
            help="Of training, instead of --steps; with --resume, a new end.",
        ),
    )


def learner_options(defaults: TrainConfig) -> _Decorator:
    """The settings of the learner, under the names they have in `TrainConfig`."""

    def number(flag: str, help_text: str, minimum: int = 1) -> _Decorator:
        return _option(defaults, flag, click.IntRange(min=minimum), help_text)

    def fraction(flag: str, help_text: str) -> _Decorator:
        return _option(defaults, flag, click.FLOAT, help_text)

    return _all(
        number("--seed", "Decides everything, save how far --minutes go.", minimum=0),
        number("--num-envs", "Games at once."),
        number("--rollout-length", "Decisions in each game between updates."),
        number("--minibatch-size", "Decisions in a step of the optimiser."),
        number("--epochs", "Passes over every rollout."),
        fraction("--learning-rate", "At the start; it falls to a tenth."),
        fraction("--gamma", "Discount a decision."),
        fraction("--gae-lambda", "Of the advantage estimate."),
        fraction("--entropy", "Weight of the entropy bonus."),
        click.option(
            "--hidden-layers",
            type=_SizesType(),
            default=",".join(map(str, defaults.hidden_layers)),
            show_default=True,
            help="Of the policy and of the value network.",
        ),
        number("--threads", "Of the network's arithmetic; no more than there are idle cores."),
        number("--evaluate-every", "Decisions between evaluations."),
        number("--evaluation-deals", "Duplicate deals an evaluation."),
        number("--checkpoint-every", "Decisions between checkpoints."),
    )


def given_options(ctx: click.Context) -> set[str]:
    """The names of the options on the command line.

    Raises:
        click.UsageError: two ends.
    """
    given = {name for name in ctx.params if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE}
    if given.issuperset(ENDS):
        raise click.UsageError("a run ends after --steps or after --minutes: give one of them")
    return given


def refuse_changes(given: Iterable[str], allowed: Iterable[str]) -> None:
    """UsageError for options that a resumed run cannot be given."""
    changed = sorted(set(given) - {"folder", "resume", *ENDS, *allowed})
    if changed:
        flags = ", ".join("--table" if name == "size" else f"--{name.replace('_', '-')}" for name in changed)
        raise click.UsageError(f"a resumed run keeps its settings; leave out {flags}")


def _option(defaults: TrainConfig, flag: str, kind: click.ParamType[Any], help_text: str) -> _Decorator:
    default = getattr(defaults, flag.strip("-").replace("-", "_"))
    return click.option(flag, type=kind, default=default, show_default=True, help=help_text)


def _all(*options: _Decorator) -> _Decorator:
    def decorate(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate
