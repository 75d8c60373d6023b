"""Queries OpenSpiel about a game, in a separate process, because OpenSpiel may abort, hang or use up the memory.

This file is run as a script, so it imports nothing from the package.
"""

from __future__ import annotations

import json
import math
import random
import re
import sys
import time
from typing import Any

FILE_WORDS = ("file", "path", "root", "folder")
"""Words in the names of parameters that make OpenSpiel read a file."""
MOST_PLAYERS, MOST_ACTIONS, MOST_ENTRIES, MOST_HISTORY = 10, 100_000, 20_000, 50_000
MOST_MEMORY = 4 << 30
"""The memory limit of the process in bytes, on systems that can limit it."""
LARGEST_POINTS, FINEST = 32_767, 1000
"""The largest number of points, and the largest number of points for a return of 1."""
MOST_PLACES, MOST_SEEN = 100_000, 8_000_000
"""The largest number of histories, and of observation entries, of a game whose tree is put into a table."""
MOST_IN_PYTHON = 5_000
"""The largest number of histories for a game that is written in Python, likewise."""
STEPS, GAMES = 1500, 25
"""The number of moves after which, and the number of games in which, random play looks for names and returns."""

SLOW = 0.5
"""The time limit in seconds for sampling one determinization, which every private view needs."""
NO_SAMPLES = "the game has no resample_from_infostate"


class Refused(Exception):
    """The game cannot be played here; the message says why."""


def facts_of(text: str, may_sample: bool = True, asks_game: bool = True) -> dict[str, Any]:
    """Return the properties of a game as plain JSON: the attributes of `romans_env.openspiel.facts.Facts`.

    Args:
        text: the game as OpenSpiel writes it, such as ``kuhn_poker(players=3)``.
        may_sample: whether to try to sample determinizations, which makes OpenSpiel print a line if it cannot.
        asks_game: whether to ask the game for the names of actions that random play has not seen, which makes some
            games end the process.

    Raises:
        Refused: if there is no such game, or it cannot be played here.
    """
    import pyspiel

    text, game = _loaded(pyspiel, text)
    kind, dynamics = game.get_type(), pyspiel.GameType.Dynamics
    if kind.dynamics == dynamics.MEAN_FIELD:
        raise Refused("it is a mean-field game, whose chance depends on how a whole population plays")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise Refused("it draws its chance itself (SAMPLED_STOCHASTIC), so that no game of it can be played again")
    is_simultaneous = kind.dynamics == dynamics.SIMULTANEOUS
    information = kind.information
    hidden = "nothing" if information == pyspiel.GameType.Information.PERFECT_INFORMATION else "something"
    if is_simultaneous:
        game = pyspiel.convert_to_turn_based(game)
        is_known = information != pyspiel.GameType.Information.IMPERFECT_INFORMATION
        hidden = "choices" if is_known else "something"
    if information == pyspiel.GameType.Information.ONE_SHOT and not is_simultaneous:
        hidden = "something"
    found = _sizes(pyspiel, game)
    found |= _seen_in_play(game, may_sample and hidden == "something", asks_game, found["tensor"])
    is_in_python = "open_spiel.python.games" in sys.modules
    most = min(MOST_PLACES, MOST_SEEN // (found["num_players"] * found["observation_size"]))
    most = min(most, MOST_IN_PYTHON if is_in_python else most)
    # Games of this library are probed in the user's own process, which has no time limit, and so are not counted.
    found["num_places"] = _num_places(game, most) if may_sample else 0
    zero_sum = (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM)
    return {
        **found,
        "text": text,
        "title": kind.long_name,
        "is_in_python": is_in_python,
        "is_simultaneous": is_simultaneous,
        "hidden": hidden,
        "pays_as_it_goes": kind.reward_model == pyspiel.GameType.RewardModel.REWARDS,
        "is_constant_sum": kind.utility in zero_sum,
    }


def _loaded(pyspiel: Any, text: str) -> tuple[str, Any]:
    """Load a game; return its canonical text, with the parameters that differ from the defaults, and the game."""
    try:
        parameters = pyspiel.game_parameters_from_string(text)
        if pyspiel.game_parameters_from_string(_text_of(pyspiel, parameters, whole=True)) != parameters:
            raise Refused("a game is written as NAME or NAME(key=value,...)")
        text = _text_of(pyspiel, parameters)
        try:
            return text, pyspiel.load_game(text)
        except Exception:  # a parameter is mandatory, although its value is the default
            text = _text_of(pyspiel, parameters, whole=True)
            return text, pyspiel.load_game(text)
    except Refused:
        raise
    except Exception as error:
        # The message begins with the line of OpenSpiel's source code.
        why = re.sub(r"^/\S+:\d+ ", "", str(error).strip()) or type(error).__name__
        raise Refused("; ".join(why.splitlines())) from None


def _text_of(pyspiel: Any, parameters: dict[str, Any], whole: bool = False) -> str:
    """Return the text of a game with sorted parameters; ``whole`` includes those with default values."""
    given = dict(parameters)
    name = given.pop("name", "")
    if name not in pyspiel.registered_names():
        import open_spiel.python.games  # noqa: F401
    if name not in pyspiel.registered_names():
        raise Refused(f"OpenSpiel has no game {name!r}{_nearest(name, pyspiel.registered_names())}")
    known = {kind.short_name: kind for kind in pyspiel.registered_games()}[name].parameter_specification
    parts = []
    for key, value in sorted(given.items()):
        if key not in known:
            there_are = ", ".join(sorted(known)) or "none"
            raise Refused(f"{name} has no parameter {key!r}{_nearest(key, known)}; there are {there_are}")
        if any(word in key.lower() for word in FILE_WORDS):
            raise Refused(f"its parameter {key!r} names a file, which is not read")
        if isinstance(value, dict):
            inner = _text_of(pyspiel, value, whole)
            parts.append(f"{key}={inner if inner.endswith(')') else inner + '()'}")
        elif whole or value != known[key] or type(value) is not type(known[key]):
            parts.append(f"{key}={value}")
    if any(word in key.lower() and key not in given for word in FILE_WORDS for key in known) and name in _READERS:
        raise Refused("it reads a file")
    return f"{name}({','.join(parts)})" if parts else name


_READERS = ("efg_game", "nfg_game", "crossword")
"""Games that are read from a file, whether their parameters name it or not."""


def _nearest(name: str, known: Any) -> str:
    import difflib

    found = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {found[0]!r}?)" if found else ""


def _sizes(pyspiel: Any, game: Any) -> dict[str, Any]:
    """Return the sizes of a game; raise Refused if it is too large."""
    kind = game.get_type()
    found = {
        "num_players": game.num_players(),
        "num_actions": game.num_distinct_actions(),
        "max_decisions": game.max_game_length(),
    }
    chance = 0
    if kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC:
        try:
            chance = game.max_chance_nodes_in_history()
        except Exception:  # not all games implement it
            chance = found["max_decisions"]
    found["max_history"] = found["max_decisions"] + chance
    limits = {"num_players": MOST_PLAYERS, "num_actions": MOST_ACTIONS, "max_history": MOST_HISTORY}
    words = {"num_players": "players", "num_actions": "actions", "max_history": "moves in a game"}
    for name, most in limits.items():
        if not 0 < found[name] <= most:
            raise Refused(f"it has {found[name]:,} {words[name]}, and the library takes from 1 to {most:,}")
    sizes = {}
    if kind.provides_information_state_tensor:
        sizes["information_state"] = game.information_state_tensor_size()
    if kind.provides_observation_tensor:
        sizes["observation"] = game.observation_tensor_size()
    if not sizes:
        raise Refused("it has no tensor, of information states or of observations, that could be observed")
    fitting = {name: size for name, size in sizes.items() if 0 < size <= MOST_ENTRIES}
    if not fitting:
        raise Refused(f"its tensors have {min(sizes.values()):,} numbers, and the library takes up to {MOST_ENTRIES:,}")
    tensor, size = next(iter(fitting.items()))
    texts = {
        "information_state": kind.provides_information_state_string,
        "observation": kind.provides_observation_string,
    }
    found |= {"tensor": tensor, "observation_size": size, "string": next((one for one in texts if texts[one]), None)}
    low, high = game.min_utility(), game.max_utility()
    if not (math.isfinite(low) and math.isfinite(high)):
        raise Refused("its returns have no bounds")
    return {**found, "utilities": [low, high], "utility_sum": game.utility_sum()}


def _seen_in_play(game: Any, is_sampled: bool, asks_game: bool, tensor: str) -> dict[str, Any]:
    """Play random games; return what they show: names of actions, the unit of returns, whether views can be sampled."""
    largest: dict[int, float] = {}
    chosen, steps, num_samples = random.Random(1), 0, 0
    texts: dict[int, dict[int, str]] = {}
    is_named, cannot_sample, longest, wholes, decisions = True, "" if is_sampled else NO_SAMPLES, 0, True, 0
    for _ in range(GAMES):
        state, length, num_decisions = game.new_initial_state(), 0, 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                action = chosen.choices(outcomes, weights)[0]
            else:
                player, legal = state.current_player(), state.legal_actions()
                if not legal:
                    raise Refused("a seat must decide and has no legal action")
                if max(legal) >= game.num_distinct_actions():
                    raise Refused(f"it has {game.num_distinct_actions()} actions, and {max(legal)} is legal")
                num_decisions += 1
                action = chosen.choice(legal)
                for one in legal if len(legal) <= 100 else [action]:
                    known = texts.setdefault(one, {}).setdefault(player, state.action_to_string(player, one))
                    is_named = is_named and known == state.action_to_string(player, one)
                for entry, value in enumerate(getattr(state, f"{tensor}_tensor")(player)):
                    if abs(value) > largest.get(entry, 1.0):
                        largest[entry] = abs(value)
                if not cannot_sample and num_samples < 6:
                    cannot_sample, num_samples = _why_no_sample(game, state, player), num_samples + 1
            state.apply_action(action)
            steps, length = steps + 1, length + 1
            if length > 2 * MOST_HISTORY:
                raise Refused("a game of it does not come to its end")
        longest, decisions = max(longest, length), max(decisions, num_decisions)
        wholes = wholes and all(float(one).is_integer() for one in state.returns())
        if steps > STEPS:
            break
    low, high = game.min_utility(), game.max_utility()
    unit = 1 if wholes else FINEST
    while unit > 1 and unit * max(abs(low), abs(high)) > LARGEST_POINTS:
        unit //= 10
    return {
        "names": _names(game, texts, asks_game) if is_named else None,
        "cannot_sample": cannot_sample,
        "points_per_return": unit,
        "largest_seen": sorted(largest.items()),
        "longest": longest,
        "most_decisions": decisions,
    }


def _num_places(game: Any, most: int) -> int:
    """Return the number of histories of a game; 0 if there are more than ``most``, or if one has no decision at all."""
    if _estimated_places(game) > 20 * most:
        return 0
    stack, found = [(game.new_initial_state(), False)], 0
    while stack:
        state, had_choice = stack.pop()
        found += 1
        if found > most or (state.is_terminal() and not had_choice):
            return 0
        if not state.is_terminal():
            moves = state.legal_actions()
            is_choice = len(moves) > 1 and not state.is_chance_node()
            stack += [(state.child(move), had_choice or is_choice) for move in moves]
    return found


def _estimated_places(game: Any) -> float:
    """Return an unbiased estimate of the number of terminal histories of a game.

    It is the mean, over random games, of the product of the numbers of moves at each state (Knuth, Estimating the
    efficiency of backtrack programs, 1975).
    """
    chosen, total = random.Random(2), 0.0
    for _ in range(GAMES):
        state, product = game.new_initial_state(), 1.0
        while not state.is_terminal() and product < 1e12:
            moves = state.legal_actions()
            product *= len(moves)
            state.apply_action(chosen.choice(moves))
        total += product
    return total / GAMES


def _why_no_sample(game: Any, state: Any, player: int) -> str:
    """Return why determinizations for a player cannot be sampled; empty if they can."""
    begin = time.perf_counter()
    try:
        sample = state.resample_from_infostate(player, random.Random(1).random)
    except Exception as error:
        why = "; ".join(str(error).split("\n"))
        return NO_SAMPLES if "not implemented" in why else f"its resample_from_infostate fails: {why}"
    if time.perf_counter() - begin > SLOW:
        return f"its resample_from_infostate takes longer than {SLOW} s"
    again = game.new_initial_state()
    for action in sample.history():
        again.apply_action(action)
    # Some games rearrange the cards of the copy, but leave it the history of the original.
    if str(again) != str(sample):
        return "its resample_from_infostate gives states to which their own histories do not lead"
    return ""


def _names(game: Any, texts: dict[int, dict[int, str]], asks_game: bool) -> list[str] | None:
    """Return a name for each action, from its names for the players; None if two actions would have the same name."""
    names = []
    for action in range(game.num_distinct_actions()):
        found = dict(texts.get(action, {}))
        for player in range(game.num_players() if asks_game else 0):
            if player not in found:
                text = game.action_to_string(player, action)
                if not text.startswith("Action(id="):  # OpenSpiel's default for games without names
                    found[player] = text
        different = dict.fromkeys(" ".join(found[player].split()).replace(" ", "_") for player in sorted(found))
        names.append("/".join(different) or str(action))
    is_plain = all(name.isprintable() and len(name) <= 80 for name in names)
    return names if is_plain and len(set(names)) == len(names) else None


def _limit(seconds: int) -> None:
    """Limit the memory and the CPU seconds of this process, if the system supports it."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    for kind, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main() -> None:
    """Print the properties of a game; arguments: ``sys.path`` as JSON, the game, its CPU seconds and ``asks_game``."""
    sys.path[:] = json.loads(sys.argv[1])
    _limit(int(sys.argv[3]))
    try:
        answer = facts_of(sys.argv[2], asks_game=sys.argv[4] == "True")
    except Refused as error:
        answer = {"refused": str(error)}
    print("\n" + json.dumps(answer))


if __name__ == "__main__":
    main()
