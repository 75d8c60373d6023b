"""`check_game`: checks everything that the library relies on, in games of random play."""

from __future__ import annotations

import contextlib
import inspect
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from romans_env.core import games, registration
from romans_env.core.game import Game
from romans_env.core.games import GameSpec
from romans_env.core.protocol import CHANCE, Rules, States
from romans_env.errors import error_line_with_place
from romans_env.testing.checks import chance, copies, decisions, determinized_deals, interfaces, members, scores, views
from romans_env.testing.finding import Finding
from romans_env.testing.moment import Moment, played

AT_POSITIONS: dict[str, Callable[[Moment], Iterable[str]]] = {
    "legal actions": decisions.legal_actions,
    "illegal actions": decisions.illegal_actions,
    "points": scores.points,
    "returns": scores.returns,
    "observations": views.observations,
    "views": views.views,
    "leaks": views.leaks,
}
"""Checks of a position, run in many positions of each game."""
AT_SOME_POSITIONS: dict[str, Callable[[Moment], Iterable[str]]] = {
    "end": decisions.end,
    "determinizations": views.determinizations,
    "copies": copies.copies,
    "records": copies.records,
}
"""Checks that play on from a position, and so are run in few of them."""
BEFORE_PLAY: dict[str, Callable[[Rules, int], Iterable[str]]] = {"chance events": chance.chance_events}
OF_GAMES: dict[str, Callable[[Rules, int], Iterable[str]]] = {
    "states": chance.states,
    "seeds": chance.seeds,
    "deals": chance.deals,
    "fair determinizations": determinized_deals.fair_determinizations,
}
OF_RULES: dict[str, Callable[[Rules, GameSpec], Iterable[str]]] = {
    "setup": copies.setup,
    "action names": decisions.action_names,
}
INTERFACES: dict[str, Callable[[Rules, GameSpec], Iterable[str]]] = {
    "compiled steps": interfaces.compiled_steps,
    "pettingzoo": interfaces.pettingzoo,
    "gymnasium": interfaces.gymnasium,
}
CHECKS = (
    "members",
    *OF_RULES,
    *BEFORE_PLAY,
    "play",
    *AT_POSITIONS,
    *AT_SOME_POSITIONS,
    "hidden information",
    *OF_GAMES,
    *INTERFACES,
)
"""The names of the checks."""

POSITIONS, FEW = 40, 4
"""Approximate number of positions of a game for `AT_POSITIONS` and for `AT_SOME_POSITIONS`."""
FIRST = 2
"""Number of games checked however long they take; their seeds are also used for the checks of chance."""


def check_game(
    spec: GameSpec,
    setups: Sequence[dict[str, Any]] = ({},),
    seeds: Iterable[int] = range(20),
    seconds: float = 10.0,
    on_check: Callable[[str], object] = lambda name: None,
    hidden: set[str] | None = None,
) -> list[Finding]:
    """Check everything that the library relies on in a game; return at most one finding per check.

    Games are played at random. The rules may have a method ``scrambled(states, seat, rng)``, which returns a record
    that the seat cannot tell from ``states``. It is used to look for leaks in addition to `Rules.determinize`, which
    may leave out some of what can be hidden.

    Args:
        spec: the game; it may be unregistered.
        setups: the settings of each setup to check.
        seeds: the seeds of the games.
        seconds: time limit in seconds. Two games are always played; later ones start only within the limit.
        on_check: called with the name of each check before it begins, for each setup.
        hidden: a set; the name of every record field that hides something from some seat is added to it.

    Returns:
        The findings, in the order of `CHECKS`; an empty list for a game without faults.

    Raises:
        ValueError: if another game has the same name.
    """
    found: dict[str, Finding] = {}
    seen = views.Hidden()
    file = str(inspect.getsourcefile(spec.part("rules")))
    with _known(spec):
        for setup in setups:
            _check_setup(_Findings(found, setup, file), spec, list(seeds), seconds, on_check, seen)
    if hidden is not None:
        hidden |= seen.fields
    return sorted(found.values(), key=lambda finding: CHECKS.index(finding.check))


@contextlib.contextmanager
def _known(spec: GameSpec) -> Iterator[None]:
    """Register a game for the duration of the block, because records and environments refer to it by name."""
    if spec.name in games.names():
        registration.register(spec)
        yield
        return
    games.register(spec)
    try:
        yield
    finally:
        games.unregister(spec.name)


class _Findings:
    """The findings of a setup; only the first one of each check is kept."""

    def __init__(self, found: dict[str, Finding], setup: dict[str, Any], file: str):
        self._found, self.setup, self._file = found, setup, file

    def has(self, check: str) -> bool:
        return check in self._found

    def note(self, check: str, message: str, seed: int | None = None, game: Game | None = None) -> None:
        if check in self._found:
            return
        record = decision = None
        if game is not None:
            decision = sum(seat != CHANCE for seat, _ in game.history)
            with contextlib.suppress(Exception):
                record = game.record()
        self._found[check] = Finding(check, message, self.setup, seed, decision, record)

    def line_of(self, error: Exception) -> str:
        """Return an error in one line, with its place in the file of the rules."""
        return error_line_with_place(error, self._file)

    def run(
        self,
        check: str,
        faults: Callable[..., Iterable[str]],
        *arguments: Any,
        seed: int | None = None,
        game: Any = None,
    ) -> None:
        """Run a check and note its first fault; an exception of the game is a fault, too."""
        if check in self._found:
            return
        try:
            for message in faults(*arguments):
                self.note(check, message, seed, game)
                return
        except Exception as error:
            self.note(check, f"it raises {self.line_of(error)}", seed, game)


def _check_setup(
    found: _Findings,
    spec: GameSpec,
    seeds: list[int],
    seconds: float,
    on_check: Callable[[str], object],
    hidden: views.Hidden,
) -> None:
    on_check("members")
    found.run("members", members.of_class, spec.part("rules"))
    if found.has("members"):
        return
    try:
        rules = spec.make_rules(**found.setup)
    except Exception as error:
        found.note("setup", f"from_settings raises {found.line_of(error)}")
        return
    found.run("members", members.of_object, rules)
    if found.has("members"):
        return
    for name, check_rules in OF_RULES.items():
        on_check(name)
        found.run(name, check_rules, rules, spec)
    _check_seeds(found, rules, seeds, BEFORE_PLAY, on_check)
    if found.has("chance events"):
        return
    on_check("positions")
    _check_positions(found, spec, rules, seeds, seconds, hidden)
    if _ends_badly(found):
        return
    _check_seeds(found, rules, seeds, OF_GAMES, on_check)
    for name, check_interface in INTERFACES.items():
        on_check(name)
        found.run(name, check_interface, rules, spec)


def _check_seeds(
    found: _Findings,
    rules: Rules,
    seeds: list[int],
    checks: dict[str, Callable[[Rules, int], Iterable[str]]],
    on_check: Callable[[str], object],
) -> None:
    for seed in seeds[:FIRST]:
        for name, check in checks.items():
            on_check(name)
            found.run(name, check, rules, seed, seed=seed)


def _check_positions(
    found: _Findings, spec: GameSpec, rules: Rules, seeds: list[int], seconds: float, hidden: views.Hidden
) -> None:
    """Play games at random and check their positions; after all games, check how some go on from there."""
    begin, played_seeds = time.perf_counter(), list[int]()
    for seed in seeds:
        if len(played_seeds) >= FIRST and time.perf_counter() - begin > seconds:
            break
        played_seeds.append(seed)
        for moment in _moments(found, spec, rules, seed, _length_of(rules, seed), POSITIONS):
            _look(found, moment, AT_POSITIONS, seed)
    if _ends_badly(found):
        return
    for seed in played_seeds[:FIRST]:
        for moment in _moments(found, spec, rules, seed, _length_of(rules, seed), FEW):
            _look(found, moment, AT_SOME_POSITIONS, seed)
            found.run("determinizations", hidden.look, moment, seed=seed)
    found.run("hidden information", hidden.faults, rules.players)


def _ends_badly(found: _Findings) -> bool:
    """Return whether games cannot be played on from their positions: other checks would repeat that fault."""
    return found.has("play") or found.has("legal actions")


def _moments(found: _Findings, spec: GameSpec, rules: Rules, seed: int, length: int, count: int) -> Iterator[Moment]:
    """Play a game and yield some of its positions, including the last one."""
    game = None
    try:
        game = Game(rules, seed=seed)
        for number, _ in enumerate(played(game, seed)):
            if number % max(1, length // count) == 0 or number == length:
                yield Moment(spec, game, random.Random(seed + number), np.random.default_rng([seed, number]))
    except Exception as error:
        found.note("play", f"a game cannot be played: {found.line_of(error)}", seed, game)
        return
    if not game.is_over and game.legal_actions():
        found.note("end", f"the game does not end within max_decisions, {rules.max_decisions:,}", seed, game)


def _length_of(rules: Rules, seed: int) -> int:
    """Return the number of decisions of a game, as far as it can be played."""
    length = -1
    with contextlib.suppress(Exception):
        for _ in played(Game(rules, seed=seed), seed):
            length += 1
    return length


def _look(found: _Findings, moment: Moment, checks: dict[str, Callable[[Moment], Iterable[str]]], seed: int) -> None:
    for name, check in checks.items():
        before = moment.states
        found.run(name, _and_changes_nothing, check, moment, before, seed=seed, game=moment.game)
        moment.game.states[...] = before


def _and_changes_nothing(check: Callable[[Moment], Iterable[str]], moment: Moment, before: States) -> Iterator[str]:
    """Yield the faults of a check, preceded by one if it changed the game's record, which may be their cause."""
    faults = list(check(moment))
    if moment.game.states.tobytes() != before.tobytes():
        yield "a query changes the record of the game"
    yield from faults
