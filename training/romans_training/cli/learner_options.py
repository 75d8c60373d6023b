"""Options of the commands that train a policy, in groups."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from cloup import option_group

from romans_agents.permission import Files
from romans_env.envs.rewards import REWARDS
from romans_training.cli.options import (
    EXTRAS,
    TablesType,
    TextsType,
    chosen_extras,
    default_setup_options,
    extra_click_options,
    game_option,
    setup_options,
    table_option,
)
from romans_training.config import TrainConfig, read_settings

_Function = Callable[..., Any]
_Decorator = Callable[[_Function], _Function]

ENDS = ("steps", "minutes")
"""The settings that say when a run ends; a resumed run may be given a new one."""
_NAMES = {field.name for field in dataclasses.fields(TrainConfig)}


class _SizesType(click.ParamType[tuple[int, ...]]):
    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(part) for part in value.split(","))
        except ValueError:
            self.fail(f"sizes are whole numbers with commas between, such as 128,128, not {value!r}", param, ctx)


def run_options(folder: str, defaults: TrainConfig, steps: int | None, names_agents: bool) -> _Decorator:
    """Where a run lies, where its settings come from, when it ends.

    Args:
        folder: the default.
        defaults: of the command.
        steps: the default that is shown; None where the default is an end in minutes.
        names_agents: whether the settings say who is played against, and so may name code.
    """
    path = click.Path(path_type=Path)
    permission = click.option(
        "--allow-code",
        is_flag=True,
        help="Let the settings of --config and --resume name agents in Python files (my_bot.py:MyBot), which run with "
        "your rights.",
    )
    return option_group(
        "Run",
        click.option("--folder", type=path, default=Path(folder), show_default=True, help="Of the run."),
        click.option("--resume", is_flag=True, help="Go on with the run in the folder; other settings are its own."),
        click.option(
            "--config",
            "config_file",
            type=path,
            help="A file of settings, such as config.json of another run, or a .toml; options override it.",
        ),
        *([permission] if names_agents else []),
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
            default=defaults.minutes,
            show_default=True,
            help="Of training, instead of --steps; with --resume, a new end.",
        ),
        _number(defaults, "--seed", "Decides everything, save how far --minutes go.", minimum=0),
        _number(defaults, "--threads", "Of the network's arithmetic; no more than there are idle cores."),
        _number(defaults, "--checkpoint-every", "Decisions between checkpoints."),
    )


def game_options(defaults: TrainConfig) -> _Decorator:
    """The game, its setup, and the reward."""
    return option_group(
        "Game",
        game_option,
        table_option,
        *extra_click_options,
        click.option(
            "--reward", type=click.Choice(REWARDS), default=defaults.reward, show_default=True, help="What is paid."
        ),
    )


def opponent_options(defaults: TrainConfig) -> _Decorator:
    """Whom the learner plays against."""
    return option_group(
        "Opponents",
        click.option(
            "--opponents",
            type=TextsType(),
            default=",".join(defaults.pool),
            show_default=True,
            help="The mix: each opponent of each game is drawn from it. Name one twice to meet it twice as often.",
        ),
    )


def learner_options(defaults: TrainConfig) -> _Decorator:
    """The settings of the learner and of its optimiser, under the names they have in `TrainConfig`."""
    return _all(
        option_group(
            "Learner",
            _number(defaults, "--num-envs", "Games at once."),
            _number(defaults, "--rollout-length", "Decisions in each game between updates."),
            _fraction(defaults, "--gamma", "Discount a decision."),
            _fraction(defaults, "--gae-lambda", "Of the advantage estimate."),
            click.option(
                "--hidden-layers",
                type=_SizesType(),
                default=",".join(map(str, defaults.hidden_layers)),
                show_default=True,
                help="Of the policy and of the value network.",
            ),
            click.option(
                "--start-from",
                metavar="AGENT",
                help="Begin with the network of a policy file, or legate.",
            ),
        ),
        option_group(
            "Optimiser",
            _number(defaults, "--minibatch-size", "Decisions in a step of the optimiser."),
            _number(defaults, "--epochs", "Passes over every rollout."),
            _fraction(defaults, "--learning-rate", "At the start; it falls to a tenth."),
            _fraction(defaults, "--entropy", "Weight of the entropy bonus."),
        ),
    )


def self_play_options(defaults: TrainConfig) -> _Decorator:
    """Whether the learner plays against itself, and what keeps that from going round in circles."""
    share = click.FloatRange(min=0)
    decisions = click.IntRange(min=1)
    tables = default_setup_options()
    return option_group(
        "Self-play",
        click.option(
            "--self-play",
            type=click.FloatRange(0, 1),
            default=defaults.self_play,
            show_default=True,
            help="Part of the games with the learner on every seat; in the others it meets the league: --opponents, "
            "its past, exploiters, the harder the oftener. 0: --opponents alone, by MaskablePPO.",
        ),
        click.option(
            "--tables",
            type=TablesType(),
            help=f"Several tables with their weights, such as {tables.default}=3,{tables.every[-1]}, or all; "
            "evaluations are at --table.",
        ),
        click.option("--snapshot-every", type=decisions, help="Decisions after which a copy joins the league."),
        click.option("--exploiter-every", type=decisions, help="Decisions after which a response to it joins, too."),
        _number(defaults, "--exploiter-steps", "Decisions such a response is trained for."),
        click.option(
            "--final-entropy", type=share, help="What --entropy falls to, in a straight line.  [default: it stays]"
        ),
        click.option(
            "--magnet",
            type=share,
            default=defaults.magnet,
            show_default=True,
            help="Weight of the KL pull to the policy's running average.",
        ),
        _number(defaults, "--magnet-decisions", "Decisions that average reaches back."),
        click.option("--bfloat16", is_flag=True, help="Half the precision: twice as fast on processors that know it."),
    )


def evaluation_options(defaults: TrainConfig, fixed_opponents: bool) -> _Decorator:
    """How the policy is measured on the way.

    Args:
        defaults: of the command.
        fixed_opponents: whether they can be chosen, and policies be kept or not.
    """
    chosen = (
        click.option(
            "--evaluate-against",
            type=TextsType(),
            help="Fixed opponents of the learning curve, whatever is trained against.  [default: those of the mix]",
        ),
        click.option(
            "--keep-policies/--no-keep-policies",
            default=defaults.keep_policies,
            help="Keep the policy of every evaluation in FOLDER/policies.",
        ),
    )
    return option_group(
        "Evaluation",
        _number(defaults, "--evaluate-every", "Decisions between evaluations."),
        _number(defaults, "--evaluation-deals", "Duplicate deals an evaluation."),
        *(chosen if fixed_opponents else ()),
    )


def chosen_settings(ctx: click.Context) -> dict[str, Any]:
    """The settings that differ from the command's defaults: those of the file, and over them those of the command line.

    ``--table`` takes the place of the table of the file, its fort deck and its variant apart; in the place of a small
    table, of its deck, too.

    Raises:
        ConfigError: a settings file that cannot be read, or settings that there are not.
    """
    given = given_options(ctx)
    file: Path | None = ctx.params["config_file"]
    settings = read_settings(file) if file else {}
    options = {name: ctx.params[name] for name in given if name in _NAMES}
    for source in (settings, options):
        if "steps" in source and "minutes" not in source:
            source["minutes"] = None
    options |= _chosen_setup(ctx, given, settings)
    return settings | options


def _chosen_setup(ctx: click.Context, given: set[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the setup on the command line, over those of a file."""
    of_setup = [name for name in ("size", *EXTRAS) if name in given]
    if not of_setup:
        return {}
    game = ctx.params["game"]
    if "game" not in given and settings.get("game", game) != game:
        raise click.UsageError(f"the settings are of another game than {game}: give --game, too, with --table")
    options, chosen = setup_options(game), {name: value for name, value in chosen_extras(ctx).items() if name in given}
    if options is not None and "size" in given:
        chosen |= options.replaced(settings) | ctx.params["size"]
    beside = {name: value for name, value in chosen.items() if name in _NAMES}
    within = {name: value for name, value in chosen.items() if name not in _NAMES}
    return {**beside, "setup": {**(settings.get("setup") or {}), **within}} if within else beside


def given_options(ctx: click.Context) -> set[str]:
    """The names of the options on the command line.

    Raises:
        click.UsageError: two ends.
    """
    given = {name for name in ctx.params if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE}
    if given.issuperset(ENDS):
        raise click.UsageError("a run ends after --steps or after --minutes: give one of them")
    return given


def allowed_files(ctx: click.Context) -> Files:
    """What the agent specs of a run may load: code only where the specs were typed, or where it is allowed."""
    is_typed = not ctx.params["resume"] and ctx.params["config_file"] is None
    return "code" if is_typed or ctx.params["allow_code"] else "policies"


def resume_command(*words: str, config: TrainConfig) -> str:
    """The command that goes on with a run, for the terminal."""
    specs = (*config.pool, *config.fixed_opponents)
    permission = ["--allow-code"] if any(".py:" in spec for spec in specs) else []
    return shlex.join([*words, "--resume", *permission])


def refuse_changes(ctx: click.Context, allowed: Iterable[str]) -> None:
    """UsageError for options that a resumed run cannot be given."""
    changed = given_options(ctx) - {"folder", "resume", "allow_code", *ENDS, *allowed}
    if changed:
        flags = ", ".join(sorted(param.opts[0] for param in ctx.command.params if param.name in changed))
        raise click.UsageError(f"a resumed run keeps its settings; leave out {flags}")


def _number(defaults: TrainConfig, flag: str, help_text: str, minimum: int = 1) -> _Decorator:
    return _option(defaults, flag, click.IntRange(min=minimum), help_text)


def _fraction(defaults: TrainConfig, flag: str, help_text: str) -> _Decorator:
    return _option(defaults, flag, click.FLOAT, help_text)


def _option(defaults: TrainConfig, flag: str, kind: click.ParamType[Any], help_text: str) -> _Decorator:
    default = getattr(defaults, flag.strip("-").replace("-", "_"))
    return click.option(flag, type=kind, default=default, show_default=True, help=help_text)


def _all(*options: _Decorator) -> _Decorator:
    def decorate(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate
