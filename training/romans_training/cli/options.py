"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import click

from romans_env.games import DEFAULT_GAME, names, spec_of
from romans_env.protocol import Setup
from romans_training.cli.setup_options import ExtraOption, SetupOptions

_Function = Callable[..., Any]


def setup_options(game: str) -> SetupOptions | None:
    """A game's options for its setup; None where it has none."""
    return cast("SetupOptions | None", spec_of(game).part("command_line"))


def default_setup_options() -> SetupOptions:
    """Those of the default game, which the help shows."""
    options = setup_options(DEFAULT_GAME)
    assert options is not None
    return options


def is_given(ctx: click.Context, name: str) -> bool:
    """Whether an option stands on the command line."""
    return ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


class GameType(click.ParamType[str]):
    """The name of a game."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return spec_of(value).name
        except ValueError as error:
            self.fail(str(error), param, ctx)


class TableType(click.ParamType[dict[str, Any]]):
    """A name of the game's for a setup, such as ``2+1``; gives its settings, without those of the other options."""

    name = default_setup_options().metavar

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        game, chosen = _game_and_choice(param, ctx)
        options = setup_options(game)
        if not chosen:
            return {} if options is None else options.settings(options.default)
        if options is None:
            self.fail(f"{game} has one setup alone, without a name: leave it out", param, ctx)
        if value not in options.names:
            self.fail(f"there is no table {value!r}; there are {', '.join(options.names)}", param, ctx)
        return options.settings(value)


class TablesType(click.ParamType[tuple[str, ...]]):
    """Tables with weights, ``2+0=3,4+0``, or ``all``; gives a tuple of texts as `TrainConfig` has them."""

    name = "tables"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        if value == "all":
            game, _ = _game_and_choice(param, ctx)
            options = setup_options(game)
            if options is None:
                self.fail(f"{game} has one setup alone, without a name: leave it out", param, ctx)
            return tuple(options.every)
        return tuple(part.strip() for part in value.split(",") if part.strip())


def _game_and_choice(param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, bool]:
    """The game of a command line, and whether the option was given: the default that click has is of another game."""
    if ctx is None or param is None or param.name is None:
        return DEFAULT_GAME, True
    return ctx.params.get("game", DEFAULT_GAME), is_given(ctx, param.name)


class TextsType(click.ParamType[tuple[str, ...]]):
    """Agent specs separated by commas; gives a tuple of texts."""

    name = "agents"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        texts = value if isinstance(value, tuple) else split_texts(value)
        if not texts:
            self.fail("name at least one agent", param, ctx)
        return texts


def split_texts(value: str) -> tuple[str, ...]:
    """Split ``a,b:x=1,y=2,c`` into ``a``, ``b:x=1,y=2`` and ``c``: ``option=value`` belongs to the one before."""
    texts: list[str] = []
    for part in (part.strip() for part in value.split(",")):
        key, equals, _ = part.partition("=")
        if texts and ":" in texts[-1] and equals and key.isidentifier():
            texts[-1] += f",{part}"
        elif part:
            texts.append(part)
    return tuple(texts)


# The table can be read only once the game is known, so the game comes first whatever the order on the command line.
game_option = click.option(
    "--game", type=GameType(), default=DEFAULT_GAME, show_default=True, is_eager=True, help="What is played."
)


def _table_option() -> Callable[[_Function], _Function]:
    options = default_setup_options()
    return click.option(
        "--table", "size", type=TableType(), default=options.default, show_default=True, help=options.help_text
    )


table_option = _table_option()


def _every_extra() -> dict[str, ExtraOption]:
    """The extra options of all games by name; a name that several games have is that of the default game, or the first.

    Click needs the options before it reads which game is played.
    """
    found: dict[str, ExtraOption] = {}
    for game in dict.fromkeys((DEFAULT_GAME, *names())):
        options = setup_options(game)
        found = {**(options.extras if options else {}), **found}
    return found


EXTRAS = _every_extra()
extra_click_options: list[Callable[[_Function], _Function]] = [
    click.option(
        f"--{name.replace('_', '-')}",
        type=click.Choice(extra.choices),
        default=extra.default,
        show_default=True,
        help=extra.help_text,
    )
    for name, extra in EXTRAS.items()
]


def extra_options(function: _Function) -> _Function:
    """Add the options that games have beside ``--table``."""
    for option in reversed(extra_click_options):
        function = option(function)
    return function


def setup_of(ctx: click.Context, size: dict[str, Any]) -> Setup:
    """The setup of a command line.

    Args:
        ctx: of the command, with the options of this module.
        size: what ``--table`` gave.

    Raises:
        click.UsageError: options that the game does not have, or that do not fit together.
    """
    game = ctx.params["game"]
    try:
        return spec_of(game).make_setup(**size, **chosen_extras(ctx))
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def chosen_extras(ctx: click.Context) -> dict[str, str]:
    """The game's options beside ``--table``; UsageError for those of another game on the command line."""
    game = ctx.params["game"]
    options = setup_options(game)
    own = {} if options is None else options.extras
    for name in EXTRAS:
        if name not in own and is_given(ctx, name):
            raise click.UsageError(f"{game} has no --{name.replace('_', '-')}: leave it out")
    return {name: ctx.params[name] for name in own}
