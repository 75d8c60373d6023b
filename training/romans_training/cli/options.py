"""Options that several commands share."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import click

from romans_env.core.games import DEFAULT_GAME, names, spec_of
from romans_env.core.protocol import Setup
from romans_env.core.python_files import parts_of
from romans_env.core.registration import load
from romans_training.cli.setup_options import SetupNames, SetupOptions

_Function = Callable[..., Any]
PATH = click.Path(path_type=Path)


def setup_options(game: str) -> SetupOptions:
    """Return the command-line options that a game offers for its setup."""
    found: SetupOptions = spec_of(game).part("command_line")
    return found


_GAMES = tuple(dict.fromkeys((DEFAULT_GAME, *names())))
SINGLE_SETTINGS = tuple(dict.fromkeys(name for game in _GAMES for name in setup_options(game).options))
"""Setup settings with an option of their own, of all games: click needs the options before the game is known."""


def is_given(ctx: click.Context, name: str) -> bool:
    """Return whether an option was given on the command line."""
    return ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


def flags_given(ctx: click.Context, names: Collection[str]) -> str:
    """Return the options among these parameters that the command line gives, separated by commas; "" if none."""
    return ", ".join(sorted(one.opts[0] for one in ctx.command.params if one.name in names and is_given(ctx, one.name)))


class GameType(click.ParamType[str]):
    """The name of a game, or the file that defines it: ``my_game.py:SPEC``."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return (load(value) if parts_of(value) else spec_of(value)).name
        except ValueError as error:
            self.fail(str(error), param, ctx)


class TableType(click.ParamType[str]):
    """The name of one of the game's setups, such as ``2+1``."""

    name = setup_options(DEFAULT_GAME).names.metavar  # type: ignore[union-attr]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = _names_of(ctx)
        if value not in known.names:
            self.fail(f"there is no table {value!r}; there are {', '.join(known.names)}", param, ctx)
        return str(value)


class TablesType(click.ParamType[tuple[str, ...]]):
    """Names of setups with weights, such as ``2+0=3,4+0``, or ``all``; converted to strings for `TrainConfig`."""

    name = "tables"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if value == "all":
            return tuple(_names_of(ctx).every)
        return tuple(part.strip() for part in value.split(",") if part.strip())


class _SettingType(click.ParamType[Any]):
    """The value of a setup setting, converted by the type that the game declares for it.

    Args:
        setting: name of the setting.
    """

    name = "value"

    def __init__(self, setting: str):
        self._setting = setting

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        options = setup_options(_game_of(ctx)).options
        if self._setting not in options:
            self.fail(f"{_game_of(ctx)} has no --{_dashed(self._setting)}: leave it out", param, ctx)
        return options[self._setting].type.convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        options = next(own for own in map(setup_options, _GAMES) if self._setting in own.options)
        type_ = options.options[self._setting].type
        return type_.get_metavar(param, ctx) or type_.name.upper()


class _PairType(click.ParamType[tuple[str, Any]]):
    """``NAME=VALUE``: a setting and its value, parsed as JSON where possible and kept as a string otherwise."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        name, equals, text = value.partition("=")
        if not equals:
            self.fail(f"{value!r} is not NAME=VALUE, such as num_players=2", param, ctx)
        try:
            return name, json.loads(text)
        except ValueError:
            return name, text


class SpecsType(click.ParamType[tuple[str, ...]]):
    """Agent specs separated by commas; converted to a tuple."""

    name = "agents"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        specs = value if isinstance(value, tuple) else split_specs(value)
        if not specs:
            self.fail("name at least one agent", param, ctx)
        return specs


def split_specs(value: str) -> tuple[str, ...]:
    """Split ``a,b:x=1,y=2,c`` into ``a``, ``b:x=1,y=2`` and ``c``: ``option=value`` belongs to the spec before it."""
    specs: list[str] = []
    for part in (part.strip() for part in value.split(",")):
        key, equals, _ = part.partition("=")
        if specs and ":" in specs[-1] and equals and key.isidentifier():
            specs[-1] += f",{part}"
        elif part:
            specs.append(part)
    return tuple(specs)


def number_option(
    name: str, help_text: str, default: int | None = None, least: int = 1
) -> Callable[[_Function], _Function]:
    """Return an option for an integer of at least ``least``; the help shows its default."""
    return click.option(name, type=click.IntRange(min=least), default=default, help=help_text)


def deals_option(default: int, help_text: str) -> Callable[[_Function], _Function]:
    """Return the option ``--deals``, at least 2, because a confidence interval needs two deals."""
    return number_option("--deals", help_text, default, least=2)


def file_option(name: str, help_text: str, variable: str | None = None) -> Callable[[_Function], _Function]:
    """Return an option for a file, not a folder; ``variable`` names the parameter if it differs from the option."""
    names = (name,) if variable is None else (name, variable)
    return click.option(*names, type=click.Path(path_type=Path, dir_okay=False), help=help_text)


def json_option(what: str) -> Callable[[_Function], _Function]:
    """Return the option ``--json``, a file to which the command also writes its result."""
    return click.option("--json", "json_file", type=PATH, help=f"Also write the {what} to this file, as JSON.")


def variance_reduction_option(function: _Function) -> _Function:
    """Add the option ``--variance-reduction``."""
    return click.option(
        "--variance-reduction",
        type=click.Choice(("none", "aivat")),
        default="none",
        help="Also estimate the results with control variates for chance and known policies (AIVAT): narrower "
        "intervals from the same games, which take longer to play.",
    )(function)


def one_for_each(specs: tuple[str, ...], seats: int, option: str) -> tuple[str, ...]:
    """Return one agent spec per seat, repeating a single one; raise BadParameter if the numbers do not match."""
    if seats and len(specs) not in (1, seats):
        raise click.BadParameter(
            f"{len(specs)} agents for {seats} seats; name one agent, or one for each seat", param_hint=option
        )
    return (specs * seats)[:seats]


def _names_of(ctx: click.Context | None) -> SetupNames:
    names = setup_options(_game_of(ctx)).names
    if names is None:
        raise click.UsageError(f"{_game_of(ctx)} has no named setups: leave out --table and --tables")
    return names


def _game_of(ctx: click.Context | None) -> str:
    return DEFAULT_GAME if ctx is None else ctx.params.get("game", DEFAULT_GAME)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _help_of(setting: str | None) -> str:
    """Return the help text of a setting's option (None: of ``--table``), joined over the games that have it."""
    texts = []
    for game in _GAMES:
        own = setup_options(game)
        option = own.names if setting is None else own.options.get(setting)
        texts += [f"{spec_of(game).title}: {option.help_text}"] if option else []
    return "  ".join(texts)


seed_option = number_option("--seed", "Seed of the deals and of all other randomness.", 0, least=0)
# A setup can be read only once the game is known, so --game is read first wherever it stands on the command line.
game_option = click.option(
    "--game",
    type=GameType(),
    default=DEFAULT_GAME,
    is_eager=True,
    help="The game: a name; openspiel:NAME for one of OpenSpiel; or FILE.py:SPEC for one of your own.",
)


class OwnGameType(GameType):
    """The file that defines a game, for commands that read the game's name from their input files."""

    name = "file.py:spec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not parts_of(value):
            self.fail(
                f"{value!r} is not FILE.py:SPEC; leave --game out for other games, which the files name", param, ctx
            )
        return super().convert(value, param, ctx)


own_game_option = click.option(
    "--game",
    type=OwnGameType(),
    is_eager=True,
    expose_value=False,
    help="FILE.py:SPEC of the game, needed only for a game of your own; the files name any other.",
)
"""For commands that read the game's name from their input files."""
TABLE_HELP = _help_of(None)
table_option = click.option("--table", "size", type=TableType(), help=f"Setup of the game.  {TABLE_HELP}")
extra_click_options: list[Callable[[_Function], _Function]] = [
    *(click.option(f"--{_dashed(name)}", type=_SettingType(name), help=_help_of(name)) for name in SINGLE_SETTINGS),
    click.option(
        "--setup",
        "settings",
        type=_PairType(),
        multiple=True,
        help="A setting of the game's setup, such as num_players=2; may be repeated.",
    ),
]


def extra_options(function: _Function) -> _Function:
    """Add the options for the settings of a setup: one for each of `SINGLE_SETTINGS`, and ``--setup``."""
    for option in reversed(extra_click_options):
        function = option(function)
    return function


def chosen_setup(ctx: click.Context, table: str | None, setup: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a setup: those of ``setup``, overridden by the command line.

    Args:
        ctx: context of a command that has this module's options.
        table: value of ``--table``.
        setup: settings from a file.

    Raises:
        ValueError: if settings from the file are invalid.
    """
    known = setup_options(ctx.params["game"]).names
    named = dict(setup) if table is None or known is None else known.settings(table, setup)
    single = {name: ctx.params[name] for name in SINGLE_SETTINGS if ctx.params[name] is not None}
    return {**named, **single, **dict(ctx.params["settings"])}


def setup_of(ctx: click.Context, table: str | None) -> Setup:
    """Return the setup that the command line describes.

    Args:
        ctx: context of a command that has this module's options.
        table: value of ``--table``.

    Raises:
        click.UsageError: if the game lacks a setting, or the settings contradict each other.
    """
    try:
        return spec_of(ctx.params["game"]).make_setup(**chosen_setup(ctx, table, {}))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
