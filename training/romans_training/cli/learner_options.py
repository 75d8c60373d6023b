"""Options of the commands that train: one for every setting of `TrainConfig`, in groups."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import NoneType
from typing import Any

import click
from cloup import option_group

from romans_agents.permission import FileNotAllowedError, Files, names_code
from romans_env.core.registration import file_of, option_of
from romans_training.cli.options import (
    PATH,
    SINGLE_SETTINGS,
    SpecsType,
    TablesType,
    chosen_setup,
    flags_given,
    is_given,
)
from romans_training.learn.config import TrainConfig, read_settings
from romans_training.settings import ConfigError, docs_of, kinds_of

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

ENDS = ("steps", "minutes")
"""The settings that say when a run ends; a resumed run may change them."""
_FIELDS = {field.name: field for field in dataclasses.fields(TrainConfig)}
_DOCS = docs_of(TrainConfig)
_KINDS = {name: next(kind for kind in kinds if kind is not NoneType) for name, kinds in kinds_of(TrainConfig).items()}


class _SizesType(click.ParamType[tuple[int, ...]]):
    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(part) for part in value.split(","))
        except ValueError:
            self.fail(f"sizes are whole numbers separated by commas, such as 128,128, not {value!r}", param, ctx)


_TYPES: dict[Any, click.ParamType[Any]] = {
    str: click.STRING,
    float: click.FLOAT,
    tuple[str, ...]: SpecsType(),
    tuple[int, ...]: _SizesType(),
    _KINDS["setups"]: TablesType(),
}


def settings_group(title: str, defaults: TrainConfig, *others: _Decorator, without: Iterable[str] = ()) -> _Decorator:
    """Return a group of options: ``others``, then one for every setting that `TrainConfig` declares in the group.

    Args:
        title: title of the group.
        defaults: the command's defaults.
        others: options to list first.
        without: settings that the command does not offer.
    """
    names = [name for name, field in _FIELDS.items() if field.metadata.get("group") == title and name not in without]
    # A command whose runs end after some minutes has no default number of steps.
    shown = {name: None if name == "steps" and defaults.minutes else getattr(defaults, name) for name in names}
    return option_group(title, *others, *(_option(name, default) for name, default in shown.items()))


def _option(name: str, default: Any) -> _Decorator:
    kind, about, help_text = _KINDS[name], _FIELDS[name].metadata, _DOCS[name]
    flags = about["flags"] or [f"--{name.replace('_', '-')}"]
    if kind is bool:
        return click.option(f"{flags[0]}/--no-{flags[0][2:]}", default=default, show_default=False, help=help_text)
    if about["choices"]:
        type_: click.ParamType[Any] = click.Choice(about["choices"])
    elif kind is int:
        type_ = click.IntRange(min=about["bounds"][0])
    else:
        type_ = _TYPES[kind]
    shown = ",".join(map(str, default)) if isinstance(default, tuple) else default
    if default is not None:
        # The docstring's default describes None, but this command has a value.
        help_text = re.sub(r" \[default: .*\]$", "", help_text)
    return click.option(*flags, name, type=type_, default=shown, help=help_text)


def run_options(folder: str) -> list[_Decorator]:
    """Return the options for a run's folder, by default ``folder``, and for the source of its settings."""
    return [
        click.option("--folder", type=PATH, default=Path(folder), help="Folder of the training run."),
        click.option(
            "--resume", is_flag=True, help="Continue the run in the folder with the settings it was started with."
        ),
        click.option(
            "--config",
            "config_file",
            type=PATH,
            help="Settings file: config.json of another run, or a .toml file. Options on the command line override it.",
        ),
        click.option(
            "--allow-code",
            is_flag=True,
            help="Let the settings of --config or --resume name agents and rewards in Python files (my_bot.py:MyBot), "
            "which run with your rights.",
        ),
    ]


def chosen_settings(ctx: click.Context) -> dict[str, Any]:
    """Return the settings that were chosen: those of the settings file, overridden by the command line.

    ``--table`` replaces the file's setup, except for settings that a table's name leaves open.

    Raises:
        ConfigError: if the settings file cannot be read or has invalid settings.
    """
    given = given_options(ctx)
    file: Path | None = ctx.params["config_file"]
    settings = read_settings(file) if file else {}
    options = {name: ctx.params[name] for name in given if name in _FIELDS}
    for source in (settings, options):
        if "steps" in source and "minutes" not in source:
            source["minutes"] = None
    game = settings.get("game", ctx.params["game"])
    if game != ctx.params["game"] and "game" not in given:
        if given & {"size", "settings", *SINGLE_SETTINGS}:
            raise click.UsageError(f"the settings file is for {game}: with options for the setup, add --game {game}")
        return settings | options
    setup = settings.get("setup", {}) if game == ctx.params["game"] else {}
    if not isinstance(setup, dict):
        return settings | options
    try:
        return settings | options | {"setup": chosen_setup(ctx, ctx.params["size"], setup)}
    except (TypeError, ValueError) as error:
        raise ConfigError(str(error)) from None


def given_options(ctx: click.Context) -> set[str]:
    """Return the names of the parameters that the command line gives.

    Raises:
        click.UsageError: if both ``--steps`` and ``--minutes`` are given.
    """
    given = {name for name in ctx.params if is_given(ctx, name)}
    if given.issuperset(ENDS):
        raise click.UsageError("a run ends after --steps or after --minutes: give one of them")
    return given


def allowed_files(ctx: click.Context) -> Files:
    """Return which files a run's agent specs may load: code only from the command line, or with ``--allow-code``."""
    is_typed = not ctx.params["resume"] and ctx.params["config_file"] is None
    return "code" if is_typed or ctx.params["allow_code"] else "policies"


@contextlib.contextmanager
def naming_permission() -> Iterator[None]:
    """Raise ConfigError, which names ``--allow-code``, when settings from a file name code without permission."""
    try:
        yield
    except FileNotAllowedError as error:
        raise ConfigError(f"{error}. Give --allow-code if you trust the settings that name it") from None


def resume_command(*words: str, config: TrainConfig) -> str:
    """Return the command line that continues a run."""
    specs = (*config.pool, *config.fixed_opponents, config.reward)
    permission = ["--allow-code"] if any(map(names_code, specs)) else []
    game = option_of(config.game) if file_of(config.game) else []
    return shlex.join([*words, *game, "--resume", *permission])


def new_end(ctx: click.Context, allowed: Iterable[str] = ()) -> dict[str, Any]:
    """Return the new end of a resumed run, if one is given; raise UsageError for options that cannot change."""
    # A game that a file defines is known only while the command line names the file.
    game = {"game"} if file_of(ctx.params["game"]) else set()
    if flags := flags_given(ctx, given_options(ctx) - {"folder", "resume", "allow_code", *game, *ENDS, *allowed}):
        raise click.UsageError(f"a resumed run keeps its settings; leave out {flags}")
    return {name: ctx.params[name] for name in ENDS if name in given_options(ctx)}
