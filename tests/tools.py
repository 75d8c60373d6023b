"""What tests of every game need: games played at random, and determinizations."""

import hashlib
import json
import lzma
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from romans_env import Game, View
from romans_env.core.chance import start_game
from romans_env.engine.random_stream import streams_from_seeds

_Staged = TypeVar("_Staged", bound="Staged")


def state_bytes(game: Game) -> bytes:
    """The whole state of a game."""
    return game.states.tobytes()


def kept(game: Game) -> tuple[bytes, dict[str, Any]]:
    """All that a game is: its state and its record."""
    return state_bytes(game), game.record()


def play(game: Game, *players: Any) -> Game:
    """Play a game to its end, an agent on each seat, from views; an illegal action would raise."""
    while not game.is_over:
        seat = game.seat_to_act
        game.act(players[seat % len(players)].act(game.view(seat)))
    return game


@cache
def _recorded(name: str) -> list[str]:
    with lzma.open(Path(__file__).parent / name / "conformance" / "games.jsonl.xz", "rt", encoding="utf-8") as lines:
        return list(lines)


def recorded_games(name: str, part: int, parts: int) -> list[dict[str, Any]]:
    """Every ``parts``-th game that an independent implementation of the rules recorded, from a part on."""
    return list(map(json.loads, _recorded(name)[part::parts]))


def fill(counts: Any, names: Sequence[str], given: str | Iterable[str]) -> Counter[str]:
    """Write cards, such as ``"ore ore grain"``, into an array of counts; the cards, counted."""
    cards = Counter(given.split() if isinstance(given, str) else given)
    assert set(cards) <= set(names), given
    for kind, name in enumerate(names):
        counts[kind] = cards[name]
    return cards


def digest_of(data: Any) -> str:
    """The digest by which recorded games name positions, and a board."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def play_in_lockstep(env: Any, game: Mapping[str, Any], deal: Any) -> None:
    """Play a recorded game; at every decision all that was recorded is the same."""
    env.reset(options={"deal": deal})
    for number, step in enumerate(game["steps"]):
        where = f"decision {number}"
        assert env.agent_selection == step["agent"], where
        position = env.position()
        assert position["decision"]["kind"] == step["kind"], where
        if "position" in step:
            assert position == step["position"], where
        else:
            assert digest_of(position) == step["digest"], where
        assert sorted(map(env.action_name, env.legal_actions())) == step["legal"], where
        for agent, view in step.get("views", {}).items():
            assert env.position(agent) == view, where
        env.step(env.action_id(step["action"]))
    check_end(env, game["end"], deal)


def check_end(env: Any, end: Mapping[str, Any], deal: Any) -> None:
    """Hold the end of a game against that of a recorded one; no chance outcome was left, and none was drawn."""
    assert all(env.terminations.values())
    assert env.position() == end["position"]
    assert env.winners() == end["winners"] and env.returns() == end["returns"]
    assert {agent: info["points"] for agent, info in env.infos.items()} == end["points"]
    assert all(env.position(agent) == view for agent, view in end["views"].items())
    assert env.deal() == deal


def act_each(game: Game, entries: Iterable[str]) -> Game:
    """The game, with the actions of a record, such as ``player_0 discard:axx``."""
    for entry in entries:
        player, action = entry.split()
        assert game.agent_to_act == player
        game.act(action)
    return game


class Lcg:
    """Choices that depend on no library: the 64-bit linear congruential generator of Knuth's MMIX.

    ``x <- 6364136223846793005 x + 1442695040888963407 (mod 2**64)``, started from the seed and stepped once before the
    first choice. A choice among n is the upper 32 bits times n, divided by 2**32.
    """

    def __init__(self, seed: int):
        self.x = seed
        self._step()

    def _step(self) -> None:
        self.x = (6364136223846793005 * self.x + 1442695040888963407) % 2**64

    def below(self, n: int) -> int:
        """A number in [0, n)."""
        self._step()
        return ((self.x >> 32) * n) >> 32

    def pick(self, items: Sequence[Any]) -> Any:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Any]) -> list[Any]:
        """The items in another order (Fisher and Yates)."""
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


def decisions(game: Game, seed: int = 0) -> Iterator[Game]:
    """Play a game at random to its end; yields it at every decision, before the action."""
    lcg = Lcg(seed)
    while not game.is_over:
        yield game
        game.act(lcg.pick(game.legal_actions()))


def played(game: Game, seed: int = 0, stop_after: int | None = None) -> Game:
    """The same game, played at random to its end or for a number of decisions."""
    for number, _ in enumerate(decisions(game, seed)):
        if number == stop_after:
            break
    return game


def positions(game: Game, seed: int = 0, every: int = 1) -> Iterator[Game]:
    """Play a game at random to its end; yields it at every n-th decision, before the action, and at its end."""
    for number, _ in enumerate(decisions(game, seed)):
        if number % every == 0:
            yield game
    yield game


def legal_names(game: Game) -> list[str]:
    """Names of the legal actions, sorted."""
    return sorted(map(game.action_name, game.legal_actions()))


def check_choice(game: Game, position: Mapping[str, Any], fewest: int = 2) -> None:
    """Who is asked can choose, and only he has a mask; all ways to ask what is legal agree."""
    legal = game.legal_actions()
    assert (position["decision"] is None) == game.is_over == (game.agent_to_act is None)
    assert len(legal) >= fewest or (game.is_over and legal == [])
    assert legal == sorted(set(legal))
    asked = range(-2, game.rules.num_actions + 9)
    assert [action for action in asked if game.rules.is_legal(game.states, 0, action)] == legal
    for player in game.players:
        assert game.action_mask(player).nonzero()[0].tolist() == (legal if player == game.agent_to_act else [])


def check_returns(game: Game) -> None:
    """Returns are in range and sum to zero among players; nobody has won while the game runs."""
    returns, winners = game.returns(), game.winners()
    assert list(returns) == list(game.players) and all(-1 <= value <= 1 for value in returns.values())
    assert game.is_over == bool(winners) and (game.is_over or not any(returns.values()))
    assert len(returns) == 1 or (sum(returns.values()) == pytest.approx(0, abs=1e-12) and set(winners) <= set(returns))
    for player, value in returns.items() if game.is_over else ():
        assert (player in winners) == (value >= 0 and value == max(returns.values()))


class Reading:
    """An observation, read by the names of its slices."""

    def __init__(self, observation: Any, slices: Mapping[str, slice]):
        self._observation, self._slices = observation, slices

    def __call__(self, name: str) -> list[int]:
        """The entries of a slice."""
        return self._observation[self._slices[name]].tolist()

    def hot(self, name: str) -> int | None:
        """The index of a one-hot slice; None where all is zero."""
        values = self(name)
        assert sum(values) in (0, 1)
        return values.index(1) if any(values) else None

    def rows(self, name: str, width: int) -> list[list[int]]:
        """A slice as rows of so many entries."""
        values = self(name)
        return [values[k : k + width] for k in range(0, len(values), width)]


class Staged:
    """A game that begins at a given position, as tests of rules ask it.

    Attributes:
        game: the game.
        me: the player of the turn at the start.
    """

    game: Game
    me: str

    def play(self: _Staged, *actions: str) -> _Staged:
        """Play actions, one after the other."""
        for action in actions:
            self.game.act(action)
        return self

    def chosen_by(self, agent: Any) -> str:
        """The name of the action that an agent chooses."""
        return self.game.action_name(agent.act(self.game.view(self.game.seat_to_act)))

    def events(self, *actions: str) -> list[Any]:
        """Play actions; their events, which a game that begins in the middle does not keep."""
        found: list[Any] = []
        for action in actions:
            rules, chance = self.game.rules, self.game.chance
            before, used, prescribed = self.game.states.copy(), chance.used, chance.prescribed
            self.game.act(action)
            found += rules.events(before, 0, rules.action_id(action), prescribed[used : self.game.chance.used])
        return found

    @property
    def outcomes_used(self) -> int:
        return self.game.chance.used

    @property
    def position(self) -> dict[str, Any]:
        return self.game.position()

    @property
    def decision(self) -> dict[str, Any] | None:
        return self.position["decision"]

    @property
    def mine(self) -> dict[str, Any]:
        """What the player of the turn at the start has."""
        return self.position["players"][self.me]

    @property
    def legal(self) -> list[str]:
        """Names of the legal actions, sorted."""
        return legal_names(self.game)

    def legal_of(self, *kinds: str) -> list[str]:
        """Those of some kinds of action."""
        return [name for name in self.legal if name.split(":")[0] in kinds]


def samples(view: View, number: int, seed: int = 1) -> Iterator[Game]:
    """Determinizations of a view."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        yield view.sample_game(rng)


def assert_distributed(found: Counter[Any], weights: Mapping[Any, float]) -> None:
    """Pearson's chi-square test: outcomes occur in proportion to their weights, and no others occur."""
    assert set(found) <= set(weights), set(found) - set(weights)
    total, weight = found.total(), sum(weights.values())
    expected = {outcome: total * share / weight for outcome, share in weights.items()}
    assert min(expected.values()) > 5, "too few samples for the test"
    chi_square = sum((found[outcome] - mean) ** 2 / mean for outcome, mean in expected.items())
    freedom = len(weights) - 1
    assert chi_square < freedom + 5 * math.sqrt(2 * freedom), (chi_square, freedom)


def dealt(rules: Any, seeds: Sequence[int]) -> Any:
    """Records of games with the chance of these seeds, each at its first decision."""
    states, words = rules.new_states(len(seeds)), streams_from_seeds(seeds)
    for i in range(len(seeds)):
        start_game(rules, states, i, words, i)
    return states
