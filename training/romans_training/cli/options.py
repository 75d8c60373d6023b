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
    """Return a game's options for its setup."""
    found: SetupOptions = spec_of(game).part("command_line")
    return found


_GAMES = tuple(dict.fromkeys((DEFAULT_GAME, *names())))
SINGLE_SETTINGS = tuple(dict.fromkeys(name for game in _GAMES for name in setup_options(game).options))
"""Settings of setups with an option of their own, of all games: click needs the options before it reads the game."""


def is_given(ctx: click.Context, name: str) -> bool:
    """Return whether an option was given on the command line."""
    return ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


def flags_given(ctx: click.Context, names: Collection[str]) -> str:
    """Return the options of these parameters that were given on the command line, with commas between; or ""."""
    return ", ".join(sorted(one.opts[0] for one in ctx.command.params if one.name in names and is_given(ctx, one.name)))


class GameType(click.ParamType[str]):
    """The name of a game, or the file of one: ``my_game.py:SPEC``."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See click's ``ParamType.convert``."""
        try:
            return (load(value) if parts_of(value) else spec_of(value)).name
        except ValueError as error:
            self.fail(str(error), param, ctx)


class TableType(click.ParamType[str]):
    """A name of one of the game's setups, such as ``2+1``."""

    name = setup_options(DEFAULT_GAME).names.metavar  # type: ignore[union-attr]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See click's ``ParamType.convert``."""
        known = _names_of(ctx)
        if value not in known.names:
            self.fail(f"there is no table {value!r}; there are {', '.join(known.names)}", param, ctx)
        return str(value)


class TablesType(click.ParamType[tuple[str, ...]]):
    """Names of setups with weights, ``2+0=3,4+0``, or ``all``; gives a tuple of texts as `TrainConfig` has them."""

    name = "tables"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """See click's ``ParamType.convert``."""
        if value == "all":
            return tuple(_names_of(ctx).every)
        return tuple(part.strip() for part in value.split(",") if part.strip())


class _SettingType(click.ParamType[Any]):
    """The value of a setting of the setup, of the type that the game gives it.

    Args:
        setting: its name.
    """

    name = "value"

    def __init__(self, setting: str):
        self._setting = setting

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See click's ``ParamType.convert``."""
        options = setup_options(_game_of(ctx)).options
        if self._setting not in options:
            self.fail(f"{_game_of(ctx)} has no --{_dashed(self._setting)}: leave it out", param, ctx)
        return options[self._setting].type.convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """See click's ``ParamType.get_metavar``."""
        options = next(own for own in map(setup_options, _GAMES) if self._setting in own.options)
        type_ = options.options[self._setting].type
        return type_.get_metavar(param, ctx) or type_.name.upper()


class _PairType(click.ParamType[tuple[str, Any]]):
    """``NAME=VALUE``: a setting and its value, which is JSON, or a text."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        """See click's ``ParamType.convert``."""
        name, equals, text = value.partition("=")
        if not equals:
            self.fail(f"{value!r} is no NAME=VALUE, such as num_players=2", param, ctx)
        try:
            return name, json.loads(text)
        except ValueError:
            return name, text


class SpecsType(click.ParamType[tuple[str, ...]]):
    """Agent specs separated by commas; gives a tuple of them."""

    name = "agents"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """See click's ``ParamType.convert``."""
        specs = value if isinstance(value, tuple) else split_specs(value)
        if not specs:
            self.fail("name at least one agent", param, ctx)
        return specs


def split_specs(value: str) -> tuple[str, ...]:
    """Split ``a,b:x=1,y=2,c`` into ``a``, ``b:x=1,y=2`` and ``c``: ``option=value`` belongs to the one before."""
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
    """Return an option for an integer, ``least`` or more; its default is shown."""
    return click.option(name, type=click.IntRange(min=least), default=default, help=help_text)


def deals_option(default: int, help_text: str) -> Callable[[_Function], _Function]:
    """Return the option ``--deals``, at least 2: an interval needs them."""
    return number_option("--deals", help_text, default, least=2)


def file_option(name: str, help_text: str, variable: str | None = None) -> Callable[[_Function], _Function]:
    """Return an option for a file, no folder; ``variable`` is the parameter's name if it is not the option's."""
    names = (name,) if variable is None else (name, variable)
    return click.option(*names, type=click.Path(path_type=Path, dir_okay=False), help=help_text)


def json_option(what: str) -> Callable[[_Function], _Function]:
    """Return the option ``--json``, for a file to which the command's output is written."""
    return click.option("--json", "json_file", type=PATH, help=f"Write the {what} to this file, too.")


def variance_reduction_option(function: _Function) -> _Function:
    """Add the option ``--variance-reduction``."""
    return click.option(
        "--variance-reduction",
        type=click.Choice(("none", "aivat")),
        default="none",
        help="Estimate the results once more with control variates over chance and known policies (AIVAT): narrower "
        "intervals from the same games, which take longer.",
    )(function)


def one_for_each(specs: tuple[str, ...], seats: int, option: str) -> tuple[str, ...]:
    """Return an agent spec for every seat, a single one for all of them; raise BadParameter for another number."""
    if seats and len(specs) not in (1, seats):
        raise click.BadParameter(f"{len(specs)} agents for {seats} seats; name one, or one for each", param_hint=option)
    return (specs * seats)[:seats]


def _names_of(ctx: click.Context | None) -> SetupNames:
    names = setup_options(_game_of(ctx)).names
    if names is None:
        raise click.UsageError(f"{_game_of(ctx)} has no names for its setups: leave out --table and --tables")
    return names


def _game_of(ctx: click.Context | None) -> str:
    return DEFAULT_GAME if ctx is None else ctx.params.get("game", DEFAULT_GAME)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _help_of(setting: str | None) -> str:
    """Return the help of the option of a setting, or of ``--table``: what it is in every game that has it."""
    texts = []
    for game in _GAMES:
        own = setup_options(game)
        option = own.names if setting is None else own.options.get(setting)
        texts += [f"{spec_of(game).title}: {option.help_text}"] if option else []
    return "  ".join(texts)


seed_option = number_option("--seed", "Seed of the deals and of all chance.", 0, least=0)
# A setup can be read only once the game is known, so the game comes first whatever the order on the command line.
game_option = click.option(
    "--game",
    type=GameType(),
    default=DEFAULT_GAME,
    is_eager=True,
    help="Name of the game; FAMILY:GAME, one of a family; or FILE.py:SPEC, one of your own.",
)


class OwnGameType(GameType):
    """The file of a game, where the name of one is read from elsewhere."""

    name = "file.py:spec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See click's ``ParamType.convert``."""
        if not parts_of(value):
            self.fail(f"{value!r} is no FILE.py:SPEC; which game it is, is read from the files", param, ctx)
        return super().convert(value, param, ctx)


own_game_option = click.option(
    "--game",
    type=OwnGameType(),
    is_eager=True,
    expose_value=False,
    help="FILE.py:SPEC of a game of your own, if it is one.",
)
"""Of commands that read from a file which game it is."""
TABLE_HELP = _help_of(None)
table_option = click.option("--table", "size", type=TableType(), help=f"Setup of the game.  {TABLE_HELP}")
extra_click_options: list[Callable[[_Function], _Function]] = [
    *(click.option(f"--{_dashed(name)}", type=_SettingType(name), help=_help_of(name)) for name in SINGLE_SETTINGS),
    click.option(
        "--setup",
        "settings",
        type=_PairType(),
        multiple=True,
        help="Name and value of a setting of the game's setup, such as num_players=2; may be repeated.",
    ),
]


def extra_options(function: _Function) -> _Function:
    """Add the options for single settings of the setup."""
    for option in reversed(extra_click_options):
        function = option(function)
    return function


def chosen_setup(ctx: click.Context, table: str | None, setup: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the setup on the command line, over those of ``setup``.

    Args:
        ctx: the context of a command with the options of this module.
        table: the value of ``--table``.
        setup: the settings of a file.

    Raises:
        ValueError: settings of the file that are wrong.
    """
    known = setup_options(ctx.params["game"]).names
    named = dict(setup) if table is None or known is None else known.settings(table, setup)
    single = {name: ctx.params[name] for name in SINGLE_SETTINGS if ctx.params[name] is not None}
    return {**named, **single, **dict(ctx.params["settings"])}


def setup_of(ctx: click.Context, table: str | None) -> Setup:
    """Return the setup of a command line.

    Args:
        ctx: the context of the command, with the options of this module.
        table: the value of ``--table``.

    Raises:
        click.UsageError: settings that the game does not have, or that do not fit each other.
    """
    try:
        return spec_of(ctx.params["game"]).make_setup(**chosen_setup(ctx, table, {}))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
