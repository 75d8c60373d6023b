"""Registers games of the library, of installed packages and of files, also with Gymnasium and PettingZoo.

An installed package declares its games as entry points of the group ``romans_env.games``. The environment variable
``ROMANS_ENV_GAMES`` lists games in files, ``my_game.py:SPEC``, separated by commas; `load` adds to it, so that child
processes know them, too. Like ``PYTHONPATH``, it makes Python run the code that it names.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import gymnasium
import pettingzoo
from gymnasium.envs.registration import parse_env_id

from romans_env.core import games, python_files
from romans_env.core.games import GameSpec, names, spec_of
from romans_env.core.protocol import methods_lacking
from romans_env.errors import UserError, error_line, error_line_with_place, shortened

ENTRY_POINTS = "romans_env.games"
OWN_GAMES = "ROMANS_ENV_GAMES"
ANY_GAME = "AnyGame-v0"
"""The id of the environments that play any game; the name of the game is their argument ``game``."""
_FILES: dict[str, str] = {}
"""For each game that was loaded from a file, by name, the text ``my_game.py:SPEC`` with the absolute path."""


class UnknownGameError(UserError, ValueError):
    """A text names no game in a file, or a game cannot be registered under its name."""


def register(spec: GameSpec) -> None:
    """Register a game, so that all functions, Gymnasium and PettingZoo know it by its name.

    If a game of the same name is registered whose rules come from the same module, as after a reload, it is replaced.

    Raises:
        UnknownGameError: if another game has the same name, or the name or the ``env_id`` is malformed.
    """
    # The name becomes part of file names.
    if not isinstance(spec.name, str) or not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", spec.name):
        raise UnknownGameError(f"a game has a name such as dice-race, not {shortened(spec.name)}")
    if spec.env_id is not None:
        try:
            parse_env_id(spec.env_id)
        except (gymnasium.error.Error, TypeError):
            raise UnknownGameError(f"an env_id is one such as DiceRace-v0, not {shortened(spec.env_id)}") from None
    if spec.name in names() and _place_of_rules(spec_of(spec.name)) != _place_of_rules(spec):
        raise UnknownGameError(f"there is a game {spec.name!r} already: give this one another name")
    games.register(spec)
    _register_environments(spec)


def _place_of_rules(spec: GameSpec) -> str:
    """Return the module and the name of a game's rules class: ``"module:name"``."""
    rules: Any = spec.rules
    return rules if isinstance(rules, str) else f"{rules.__module__}:{getattr(rules, '__qualname__', rules)}"


def load(text: str) -> GameSpec:
    """Run a Python file and register the game in it, in this process and in its future child processes.

    Args:
        text: the file and the name of the `GameSpec` in it, such as ``my_game.py:SPEC``.

    Raises:
        UnknownGameError: if the text names no game of the file, the rules lack methods, or another game has the name.
        romans_env.core.python_files.PythonFileError: if the file cannot be read or run.
    """
    parts = python_files.parts_of(text)
    if parts is None or parts.options:
        raise UnknownGameError(f"a game in a file is named as in my_game.py:SPEC, not {text!r}")
    file, name = parts.file, parts.name
    module = python_files.module_of(file, "the game's file")
    spec = getattr(module, name, None) if name else None
    if not isinstance(spec, GameSpec):
        there = [key for key, value in vars(module).items() if isinstance(value, GameSpec)]
        choice = f"it has {', '.join(there)}" if there else "it has no romans_env.GameSpec"
        raise UnknownGameError(f"say which game of {file} is meant, as in {file}:SPEC; {choice}")
    if lacking := methods_lacking(spec.part("rules")):
        raise UnknownGameError(f"{text}: the rules have no {', '.join(lacking)}")
    whole = f"{python_files.path_of(file)}:{name}"
    if "," in whole:
        raise UnknownGameError(f"{whole} has a comma, which separates files in {OWN_GAMES}: rename its folder")
    if _FILES.get(spec.name) == whole:  # loaded again, perhaps because its file has changed
        games.register(spec)
    register(spec)
    _FILES[spec.name] = whole
    known = list(filter(None, os.environ.get(OWN_GAMES, "").split(",")))
    os.environ[OWN_GAMES] = ",".join(dict.fromkeys([*known, whole]))
    return spec


def file_of(game: str) -> str | None:
    """Return the text ``my_game.py:SPEC`` of a game that was loaded from a file; None for other games."""
    return _FILES.get(game)


def option_of(game: str) -> list[str]:
    """Return the command-line arguments that select a game: ``["--game", its name or file]``."""
    return ["--game", file_of(game) or game]


def fault_of_a_game(error: BaseException) -> str | None:
    """Return a one-line message for an error in the code of a user's game, with the line of code that raised it.

    Returns None if neither the code of such a game nor library code that was playing one is in the traceback.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    files = {frame.f_code.co_filename for frame, _ in frames}
    played = {name for frame, _ in frames for name in _games_in(frame.f_locals)}
    for game in names():
        module = _place_of_rules(spec_of(game)).partition(":")[0]
        if module.partition(".")[0] == __name__.partition(".")[0]:
            continue
        own = file_of(game)
        file = getattr(sys.modules.get(module), "__file__", None) if own is None else own.rpartition(":")[0]
        is_there = file is not None and any(Path(one).is_relative_to(Path(file).parent) for one in files)
        if file is not None and (is_there or game in played):
            place = error_line_with_place(error, file)
            return f"the game {game} failed: {place}; romans check-game {own or game} says what is wrong with it"
    return None


def _games_in(variables: dict[str, Any]) -> Iterator[str]:
    """Yield the names of the games whose rules are among a function's local variables or belong to its ``self``."""
    for one in (variables.get("rules"), variables.get("game"), variables.get("self")):
        for rules in (one, getattr(one, "rules", None)):
            if hasattr(rules, "new_states"):
                yield str(getattr(rules, "name", ""))


def register_all() -> None:
    """Register the games of the library, of installed packages and of ``ROMANS_ENV_GAMES``.

    If a game cannot be loaded, a warning says why. A package that is importing this one is not ready yet: its game is
    registered under the name of the entry point and loaded on first use, and its environments are registered when the
    package calls `register`.
    """
    _register_ids(ANY_GAME, {})
    for name in names():
        _register_environments(spec_of(name))
    for point in entry_points(group=ENTRY_POINTS):
        module = sys.modules.get(point.module)
        if module is not None and getattr(module.__spec__, "_initializing", False):
            games.register_later(point.name, point.value)
            continue
        try:
            register(point.load())
        except Exception as error:
            warnings.warn(f"the game {point.name} ({point.value}) cannot be loaded: {error_line(error)}", stacklevel=2)
    for text in filter(None, os.environ.get(OWN_GAMES, "").split(",")):
        try:
            load(text)
        except Exception as error:
            why = error if isinstance(error, UserError) else error_line(error)
            warnings.warn(f"{OWN_GAMES}: {why}", stacklevel=2)


def _register_environments(spec: GameSpec) -> None:
    """Register a game's environments with Gymnasium and PettingZoo by id, and with PettingZoo by module name, too.

    Entry points are strings, so that nothing is imported before an environment is created.
    """
    if spec.env_id is None:
        return
    if spec.env_module is not None:
        for name in (spec.env_id, spec.env_module.rpartition(".")[2]):
            _register_with_pettingzoo(name, f"{spec.env_module}:env", {})
    _register_ids(spec.env_id, {"game": spec.name})


def _register_ids(env_id: str, settings: dict[str, str]) -> None:
    """Register the environments of every game under an id, unless it is taken, with ``settings`` as defaults."""
    if env_id not in gymnasium.registry:
        gymnasium.register(
            env_id,
            entry_point="romans_env.envs.single:SingleSeatEnv",
            vector_entry_point="romans_env.envs.vector:GameVectorEnv",
            kwargs=settings,
        )
    _register_with_pettingzoo(env_id, "romans_env.envs.aec:env_of", settings)


def _register_with_pettingzoo(name: str, entry_point: str, settings: dict[str, str]) -> None:
    """Register an AEC environment and its parallel version under the same name, unless the name is taken."""
    if pettingzoo.EnvSpec(name).id not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, entry_point=entry_point, kwargs=settings)
        pettingzoo.register("parallel", name, entry_point="romans_env.envs.aec:parallel_env_of", kwargs={"aec": name})
