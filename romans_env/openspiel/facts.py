"""The properties of an OpenSpiel game, and OpenSpiel's game object."""

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
"""The largest number of characters of a game's text."""
SECONDS, BUSY = 30, 5
"""The CPU seconds that OpenSpiel may take to create a game and play a few, and the factor for wall-clock time."""


class OpenSpielGameError(UserError, ValueError):
    """A text names no OpenSpiel game, or one that cannot be played here."""


@dataclass(frozen=True)
class Facts:
    """The properties of an OpenSpiel game that the library needs.

    Attributes:
        text: the game as OpenSpiel writes it, without parameters that have their default values.
        title: OpenSpiel's long name.
        is_in_python: whether the game is one of OpenSpiel's Python games, which have to be imported first.
        is_simultaneous: whether seats decide at the same time; here they decide one after the other.
        hidden: what may be hidden from a seat: ``"nothing"``, ``"choices"`` (only the simultaneous choices of others)
            or ``"something"``.
        pays_as_it_goes: whether returns are also paid before the end of a game.
        is_constant_sum: whether the returns of all players have the same sum in every game.
        num_players: number of players.
        num_actions: size of the action space.
        max_decisions: an upper bound on the decisions in a game.
        max_history: an upper bound on the decisions and chance events in a game.
        longest: the length of the longest history that was seen.
        most_decisions: the largest number of decisions in a game that was seen.
        tensor: the tensor that is observed, ``"information_state"`` or ``"observation"``.
        observation_size: the length of this tensor.
        string: the string that describes a seat's knowledge, ``"information_state"`` or ``"observation"``; None if
            there is none.
        utilities: the smallest and the largest return.
        utility_sum: the sum of the returns of all players; None if it is not constant.
        names: the names of the actions; None if an action has different names in different states.
        cannot_sample: why determinizations cannot be sampled; empty if ``resample_from_infostate`` samples them.
        points_per_return: the number of points for a return of 1; larger than 1 if returns are not whole numbers.
        largest_seen: the entries of observations whose absolute value exceeded 1, each with the largest one seen.
        num_places: the number of histories if the whole tree fits into a table; otherwise 0.
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
    """Return the properties of a game.

    Args:
        text: the game as OpenSpiel writes it, such as ``kuhn_poker(players=3)``; untrusted.

    Raises:
        OpenSpielGameError: if there is no such game, or it cannot be played here; the message is one line.
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
    """Load OpenSpiel's game; a simultaneous game is converted to a turn-based one."""
    import pyspiel

    if _is_ours(facts.text):
        import romans_env.envs.open_spiel_game  # noqa: F401
    elif facts.is_in_python:
        import open_spiel.python.games  # noqa: F401
    game = pyspiel.load_game(facts.text)
    return pyspiel.convert_to_turn_based(game) if facts.is_simultaneous else game


def _is_ours(text: str) -> bool:
    """Return whether a text names a game that this library itself has registered with OpenSpiel."""
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
