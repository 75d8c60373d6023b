"""What is known of a game of OpenSpiel, and OpenSpiel's game itself."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from romans_env.core import games
from romans_env.errors import UserError, in_one_line, is_control_character, shortened
from romans_env.openspiel import probe

FAMILY = "openspiel"
LONGEST = 400
"""Characters of a game's text."""
SECONDS, BUSY = 30, 5
"""How long OpenSpiel may take to make a game, and to play some: seconds of the processor, and as many times longer on a
busy machine."""


class OpenSpielGameError(UserError, ValueError):
    """A text that names no game of OpenSpiel, or one that cannot be played here."""


@dataclass(frozen=True)
class Facts:
    """What the library has to know of a game.

    Attributes:
        text: the game as OpenSpiel writes it, without the parameters that are as by default.
        title: OpenSpiel's long name.
        is_in_python: whether OpenSpiel knows it once its games in Python are imported.
        is_simultaneous: whether seats decide at the same time; they are asked one after the other then.
        hidden: what may be hidden from a seat: ``"nothing"``; ``"choices"``, those of others at the same time alone; or
            ``"something"``.
        pays_as_it_goes: whether returns come before the end, too.
        is_constant_sum: whether the returns of all players have the same sum in every game.
        num_players: how many play.
        num_actions: size of the action space.
        max_decisions: a bound of the decisions of a game.
        max_history: a bound of its decisions and chance events.
        longest: the longest history that was seen.
        most_decisions: the most decisions of a game that were seen.
        tensor: what is observed, ``"information_state"`` or ``"observation"``.
        observation_size: its length.
        string: what OpenSpiel says of a seat's knowledge in words, as for ``tensor``; None: nothing.
        utilities: the lowest and the highest return.
        utility_sum: the sum of the returns of all players, where it is constant.
        names: the names of the actions; None: the game has no fixed ones.
        cannot_sample: why what a seat does not know cannot be sampled; "" where ``resample_from_infostate`` does it.
        points_per_return: how many points a return of 1 is: more than 1 where returns are no whole numbers.
        largest_seen: entries of observations whose absolute value was more than 1, with the largest that was seen.
        num_places: how many histories the game has, where these are few enough for a table; 0 otherwise.
    """

    text: str
    title: str
    is_in_python: bool
    is_simultaneous: bool
    hidden: str
    pays_as_it_goes: bool
    is_constant_sum: bool
    num_players: int
    num_actions: int
    max_decisions: int
    max_history: int
    longest: int
    most_decisions: int
    tensor: str
    observation_size: int
    string: str | None
    utilities: tuple[float, float]
    utility_sum: float | None
    names: tuple[str, ...] | None
    cannot_sample: str
    points_per_return: int
    largest_seen: tuple[tuple[int, float], ...]
    num_places: int

    @property
    def name(self) -> str:
        """The name of the game in this library."""
        return f"{FAMILY}:{self.text}"


def facts_of(text: str) -> Facts:
    """Return what is known of a game.

    Raises:
        OpenSpielGameError: no such game, or one that cannot be played here, in one line.
    """
    if find_spec("pyspiel") is None:
        raise OpenSpielGameError("OpenSpiel is not installed; install it with: pip install 'romans-env[openspiel]'")
    if not text or len(text) > LONGEST or any(map(is_control_character, text)):
        raise OpenSpielGameError(
            f"a game of OpenSpiel is named as in {FAMILY}:kuhn_poker(players=3), in up to {LONGEST} characters, "
            f"not {shortened(text)}"
        )
    answer = _answer_here(text) if _is_ours(text) else _answer_of_a_process(text)
    if "refused" in answer:
        raise OpenSpielGameError(f"{FAMILY}:{text} cannot be played: {in_one_line(answer['refused'], 300)}")
    known = {field.name: answer[field.name] for field in fields(Facts)}
    for key in ("utilities", "names", "largest_seen"):
        known[key] = None if known[key] is None else tuple(known[key])
    known["largest_seen"] = tuple(map(tuple, known["largest_seen"]))
    return Facts(**known)


def game_of(facts: Facts) -> Any:
    """Return OpenSpiel's game, in its turn-based form."""
    import pyspiel

    if _is_ours(facts.text):
        import romans_env.envs.open_spiel_game  # noqa: F401
    elif facts.is_in_python:
        import open_spiel.python.games  # noqa: F401
    game = pyspiel.load_game(facts.text)
    return pyspiel.convert_to_turn_based(game) if facts.is_simultaneous else game


def _is_ours(text: str) -> bool:
    """Return whether a text names a game of this library, as the package exports it to OpenSpiel."""
    own = {f"python_{name.replace('-', '_')}" for name in games.names()}
    return text.partition("(")[0].strip() in own


def _answer_here(text: str) -> dict[str, Any]:
    import romans_env.envs.open_spiel_game  # noqa: F401

    try:
        return probe.facts_of(text, may_sample=False)
    except probe.Refused as error:
        return {"refused": str(error)}


def _answer_of_a_process(text: str, asks_game: bool = True) -> dict[str, Any]:
    source = Path(probe.__file__).read_text(encoding="utf-8")
    command = [sys.executable, "-c", source, json.dumps(sys.path), text, str(SECONDS), str(asks_game)]
    too_long = {"refused": f"it takes longer than {SECONDS} seconds to make, or to play a few games of"}
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=BUSY * SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return too_long
    if hasattr(signal, "SIGXCPU") and done.returncode == -signal.SIGXCPU:
        return too_long
    try:
        answer: dict[str, Any] = json.loads(done.stdout.decode(errors="replace").splitlines()[-1])
    except (ValueError, IndexError):
        if asks_game:
            return _answer_of_a_process(text, asks_game=False)
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        why = f": {lines[-1]}" if lines else ""
        return {"refused": f"OpenSpiel stopped the process that made it{why}"}
    return answer
