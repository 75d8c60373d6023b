"""What follows from the other members of `romans_env.core.protocol.Rules`, so that a game need not write it.

A compiled game overrides what can be faster.
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
    _Offered = Rules  # a checker says what a game lacks, and an editor finds it from `Rules`
else:
    _Offered = object


T = TypeVar("T")


def scale_of_bounds(low: npt.NDArray[Any], high: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return what scales entries with these bounds into [-1, 1]: float32; entries that are 0 or 1 stay as they are."""
    largest = np.maximum(np.abs(low), np.abs(high)).astype(np.float32)
    return np.asarray(1.0 / np.maximum(largest, 1.0), dtype=np.float32)


class _Derived(Generic[T]):
    """A value that follows from others of the object; what the object or a subclass gives takes its place."""

    def __init__(self, compute: Callable[[Any], T]):
        self._compute, self.__doc__ = compute, compute.__doc__

    def __get__(self, rules: Any, owner: type) -> T:
        return cast(T, self) if rules is None else self._compute(rules)


def derived(compute: Callable[[Any], T]) -> T:
    """Return an attribute of rules whose value is computed where neither a subclass nor an object has one."""
    return cast(T, _Derived(compute))


class BaseRules(_Offered):
    """To be inherited by a game's rules."""

    name: str
    action_names: Sequence[str]
    hidden_decisions: Mapping[str, int] = MappingProxyType({})

    @derived
    def num_actions(self) -> int:
        """Size of the flat action space."""
        return len(self.action_names)

    @derived
    def max_decisions(self) -> int:
        """See `Rules.max_decisions`."""
        return 10_000

    def warm_up(self) -> None:
        """Do nothing: no code of the game is compiled."""

    @derived
    def observation_size(self) -> int:
        """Entries of an observation."""
        return int(self.observation_low.size)

    @derived
    def observation_scale(self) -> npt.NDArray[np.float32]:
        """See `Rules.observation_scale`."""
        return scale_of_bounds(self.observation_low, self.observation_high)

    @derived
    def players(self) -> tuple[str, ...]:
        """``player_0``, ``player_1`` and so on."""
        return tuple(f"player_{seat}" for seat in range(self.num_players))

    @derived
    def seats(self) -> tuple[str, ...]:
        """The players: no seat plays by rule."""
        return self.players

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {name: action for action, name in enumerate(self.action_names)}

    def action_name(self, action: int) -> str:
        """Return the name of an action id; raise ValueError outside the space."""
        if not 0 <= action < len(self.action_names):
            raise ValueError(f"there is no action {shortened(action)}; the ids run from 0 to {self.num_actions - 1}")
        return self.action_names[action]

    def action_id(self, name: str) -> int:
        """Return the id of an action name; raise ValueError for an unknown one."""
        if name not in self._ids:
            raise ValueError(f"there is no action {shortened(name)}; names look like {self.action_names[0]!r}")
        return self._ids[name]

    def has_chance_to_come(self, states: States, i: int) -> bool:
        """See `Rules.has_chance_to_come`."""
        return True

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        """See `Rules.chance_outcomes`."""
        raise NotImplementedError(f"the chance events of {self.name} are drawn, not listed")

    def start(self, states: States, i: int, streams: Streams, words: npt.NDArray[np.int64]) -> int:
        """See `Rules.start`."""
        words[i] = [next_word(streams, i) for _ in range(WORDS)]
        return start_game(cast(Rules, self), states, i, words, i)

    def draw_outcome(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> Outcome:
        """Return the outcome of the chance event that comes next, from its key and ``words[k]`` alone.

        A game that draws in compiled code gives the same outcome.
        """
        outcomes = self.chance_outcomes(states, i)
        weights = np.array([weight for _, weight in outcomes], dtype=np.int64)
        return outcomes[int(draw_weighted(words, k, self.chance_key(states, i), weights))][0]

    def play_chance(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> tuple[Outcome, int]:
        """See `Rules.play_chance`."""
        outcome = self.draw_outcome(states, i, words, k)
        return outcome, self.act_chance(states, i, outcome)

    def outcomes_of(self, deal: Any) -> Sequence[Outcome]:
        """See `Rules.outcomes_of`."""
        if not isinstance(deal, dict) or set(deal) != {"outcomes"} or not isinstance(deal["outcomes"], (list, tuple)):
            raise ValueError("a deal is an object with the key 'outcomes', the list of what chance answers")
        return tuple(deal["outcomes"])

    def deal_of(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """See `Rules.deal_of`."""
        return {"outcomes": list(outcomes)}

    def is_over(self, states: States, i: int) -> bool:
        """Return whether the game has ended."""
        return self.seat_to_act(states, i) == GAME_OVER

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        """See `Rules.seats_to_act`."""
        return np.array([self.seat_to_act(states, i) for i in range(len(states))], dtype=np.int64)

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """See `Rules.is_legal`."""
        return action in self.legal_actions(states, i)

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        """See `Rules.points_of`."""
        seats = range(self.num_players)
        found = [[self.points(states, i, seat) for seat in seats] for i in range(len(states))]
        return np.array(found, dtype=np.int64).reshape(len(states), self.num_players)

    def winners(self, states: States, i: int) -> list[str]:
        """Return the players with the most points."""
        points = [self.points(states, i, seat) for seat in range(self.num_players)]
        return [player for player, own in zip(self.players, points, strict=True) if own == max(points)]

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return (n s - 1) / (n - 1) for n players and a share s of the win."""
        winners, players = self.winners(states, i), self.num_players
        share = (self.players[seat] in winners) / len(winners)
        return (players * share - 1) / (players - 1)

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Any]:
        """See `Rules.events`."""
        return []

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Any]:
        """See `Rules.opening_events`."""
        return []
