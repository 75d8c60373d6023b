"""Defaults for members of `romans_env.core.protocol.Rules` that follow from the other members.

Games override a default if they have a faster way or other rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt

from romans_env.core.chance import start_game
from romans_env.core.protocol import GAME_OVER, Outcome, Rules, States
from romans_env.engine.chance import draw_weighted
from romans_env.engine.random_stream import WORDS, Streams, next_word
from romans_env.errors import shortened

if TYPE_CHECKING:
    _Offered = Rules  # so that type checkers report missing members, and editors find them
else:
    _Offered = object


T = TypeVar("T")


def scale_of_bounds(low: npt.NDArray[Any], high: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return factors that scale entries with these bounds into [-1, 1]; entries within [-1, 1] have the factor 1.

    Args:
        low: lower bounds, shape ``(size,)``.
        high: upper bounds, of the same shape.

    Returns:
        Factors, float32, shape ``(size,)``.
    """
    largest = np.maximum(np.abs(low), np.abs(high)).astype(np.float32)
    return np.asarray(1.0 / np.maximum(largest, 1.0), dtype=np.float32)


class _Derived(Generic[T]):
    """An attribute computed from others of the object; an attribute of the object or of a subclass overrides it."""

    def __init__(self, compute: Callable[[Any], T]):
        self._compute, self.__doc__ = compute, compute.__doc__

    def __get__(self, rules: Any, owner: type) -> T:
        return cast(T, self) if rules is None else self._compute(rules)


def derived(compute: Callable[[Any], T]) -> T:
    """Return an attribute of rules whose value is computed unless a subclass or the object sets it."""
    return cast(T, _Derived(compute))


class BaseRules(_Offered):
    """The base class of a game's rules; each default says what it assumes."""

    name: str
    action_names: Sequence[str]
    hidden_decisions: Mapping[str, int] = MappingProxyType({})

    @derived
    def num_actions(self) -> int:
        """Size of the flat action space."""
        return len(self.action_names)

    @derived
    def max_decisions(self) -> int:
        """A bound on the decisions in a game."""
        return 10_000

    def warm_up(self) -> None:
        """Do nothing: the game has no compiled code."""

    @derived
    def observation_size(self) -> int:
        """Number of entries of an observation."""
        return int(self.observation_low.size)

    @derived
    def observation_scale(self) -> npt.NDArray[np.float32]:
        """Factors that scale an observation into [-1, 1] by its bounds: float32, shape ``(observation_size,)``."""
        return scale_of_bounds(self.observation_low, self.observation_high)

    @derived
    def players(self) -> tuple[str, ...]:
        """``player_0``, ``player_1`` and so on."""
        return tuple(f"player_{seat}" for seat in range(self.num_players))

    @derived
    def seats(self) -> tuple[str, ...]:
        """The players alone: no seat plays by fixed rules."""
        return self.players

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {name: action for action, name in enumerate(self.action_names)}

    def action_name(self, action: int) -> str:
        """Return the name of an action id; raise ValueError for an id outside the action space."""
        if not 0 <= action < len(self.action_names):
            raise ValueError(f"there is no action {shortened(action)}; the ids run from 0 to {self.num_actions - 1}")
        return self.action_names[action]

    def action_id(self, name: str) -> int:
        """Return the id of an action name; raise ValueError for an unknown one."""
        if name not in self._ids:
            raise ValueError(f"there is no action {shortened(name)}; names look like {self.action_names[0]!r}")
        return self._ids[name]

    def has_chance_to_come(self, states: States, i: int) -> bool:
        """Return True: a chance event may still occur at any time."""
        return True

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        """Raise NotImplementedError: chance events have too many outcomes to list."""
        raise NotImplementedError(f"the chance events of {self.name} are drawn, not listed")

    def start(self, states: States, i: int, streams: Streams, words: npt.NDArray[np.int64]) -> int:
        """Begin the game with new chance words and play to the first decision.

        Args:
            states: records, shape ``(n,)``.
            i: index of the game.
            streams: random streams, int64, shape ``(n, 4)``; the words are drawn from ``streams[i]``, which advances.
            words: chance words, int64, shape ``(n, 4)``; ``words[i]`` is written.

        Returns:
            The seat to act.
        """
        words[i] = [next_word(streams, i) for _ in range(WORDS)]
        return start_game(cast(Rules, self), states, i, words, i)

    def draw_outcome(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> Outcome:
        """Draw the outcome of the next chance event, by its weights, from its key and ``words[k]`` alone.

        Compiled code draws the same outcome from the same words, which are int64, shape ``(rows, 4)``.
        """
        outcomes = self.chance_outcomes(states, i)
        weights = np.array([weight for _, weight in outcomes], dtype=np.int64)
        return outcomes[int(draw_weighted(words, k, self.chance_key(states, i), weights))][0]

    def play_chance(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> tuple[Outcome, int]:
        """Draw the outcome of the next chance event with ``words[k]`` and play it.

        Args:
            states: records, shape ``(n,)``.
            i: index of the game.
            words: chance words, int64, shape ``(rows, 4)``.
            k: the row of the game's words.

        Returns:
            The outcome, and the next seat, CHANCE or GAME_OVER.
        """
        outcome = self.draw_outcome(states, i, words, k)
        return outcome, self.act_chance(states, i, outcome)

    def outcomes_of(self, deal: Any) -> Sequence[Outcome]:
        """Return the outcomes of a deal of the form ``{"outcomes": [...]}``; raise ValueError for any other."""
        if not isinstance(deal, dict) or set(deal) != {"outcomes"} or not isinstance(deal["outcomes"], (list, tuple)):
            raise ValueError("a deal is an object with the key 'outcomes', the list of the outcomes of chance events")
        return tuple(deal["outcomes"])

    def deal_of(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """Return the deal of a game with these outcomes so far: ``{"outcomes": [...]}``."""
        return {"outcomes": list(outcomes)}

    def is_over(self, states: States, i: int) -> bool:
        """Return whether game i of ``states``, shape ``(n,)``, has ended."""
        return self.seat_to_act(states, i) == GAME_OVER

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        """Return the seat to act, GAME_OVER or CHANCE for each game: int64, shape ``(n,)``."""
        return np.array([self.seat_to_act(states, i) for i in range(len(states))], dtype=np.int64)

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """Return whether any integer is a legal action in game i of ``states``, shape ``(n,)``."""
        return action in self.legal_actions(states, i)

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        """Return the current points of each player of each game: int64, shape ``(n, num_players)``."""
        seats = range(self.num_players)
        found = [[self.points(states, i, seat) for seat in seats] for i in range(len(states))]
        return np.array(found, dtype=np.int64).reshape(len(states), self.num_players)

    def winners(self, states: States, i: int) -> list[str]:
        """Return the players with the most points in game i of ``states``, shape ``(n,)``."""
        points = [self.points(states, i, seat) for seat in range(self.num_players)]
        return [player for player, own in zip(self.players, points, strict=True) if own == max(points)]

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return (n s - 1) / (n - 1), for n players and a share s of the win: 1 / k for each of k winners, else 0."""
        winners, players = self.winners(states, i), self.num_players
        share = (self.players[seat] in winners) / len(winners)
        return (players * share - 1) / (players - 1)

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Any]:
        """Return no events."""
        return []

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Any]:
        """Return no events."""
        return []
