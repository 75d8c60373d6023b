"""The rules of Tollgate; the class `Tollgate` states them in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from romans_env.core.base_rules import BaseRules
from romans_env.core.event import Event
from romans_env.core.protocol import CHANCE, GAME_OVER, ILLEGAL

CARDS, HAND, TOLLS, MOST = 12, 3, 3, 4

# One game: whatever is not in here does not exist. 0 is no card.
STATE = np.dtype(
    [
        ("hand", "i1", (MOST, HAND)),  # the cards of every player, the largest first; UNKNOWN in a private view
        ("table", "i1", (MOST,)),  # what was played for this toll
        ("played", "i1", (CARDS,)),  # 1 for each card that was played
        ("points", "i1", (MOST,)),
        ("toll", "i1"),  # how many tolls were taken
        ("dealt", "i1"),
        ("over", "i1"),
    ]
)
UNKNOWN = -1


@dataclass(frozen=True)
class TollgateSetup:
    """The setup of Tollgate: the number of players."""

    game: ClassVar[str] = "tollgate"
    num_players: int = 2

    @property
    def num_seats(self) -> int:
        return self.num_players

    def as_json(self) -> dict[str, Any]:
        return {"num_players": self.num_players}

    def __str__(self) -> str:
        return f"{self.num_players} players"


class Tollgate(BaseRules):
    """Players compete for three tolls with hidden cards.

    1. There are twelve cards, 1 to 12. Each of the two to four players is dealt
       three, hidden from the others.
    2. There are three tolls, worth 1, 2 and 3 points. For each toll, every player
       in turn plays a card face up, and the highest card takes the points.
       Player 0 begins at the first toll, the next player at the second, and so on.
    3. At the last toll, all players play their last card, without a decision.
    4. The player with the most points wins; players with equal points share the win.
    """

    name = TollgateSetup.game
    action_names = tuple(f"play:{card}" for card in range(1, CARDS + 1))
    observation_low = np.zeros(2 * CARDS + 2 * MOST + 1, dtype=np.int8)
    observation_high = np.array([1] * (2 * CARDS) + [CARDS] * MOST + [6] * MOST + [TOLLS], dtype=np.int8)
    global_state_low = np.zeros(MOST * HAND + CARDS + 2 * MOST + 1, dtype=np.int8)
    global_state_high = np.array(
        [CARDS] * (MOST * HAND) + [1] * CARDS + [CARDS] * MOST + [6] * MOST + [TOLLS], dtype=np.int8
    )

    def __init__(self, setup: TollgateSetup | None = None):
        self.setup = setup or TollgateSetup()
        self.num_players = self.setup.num_players
        self.max_decisions = self.num_players * TOLLS

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> Tollgate:
        if num_players not in (None, 2, 3, 4):
            raise ValueError(f"2 to 4 play Tollgate, not {num_players!r}")
        return cls(TollgateSetup(num_players or 2))

    @classmethod
    def from_json(cls, setup: Any) -> Tollgate:
        if not isinstance(setup, dict) or set(setup) != {"num_players"} or type(setup["num_players"]) is not int:
            raise ValueError("the setup of Tollgate is an object with the key 'num_players'")
        return cls.from_settings(**setup)

    def new_states(self, num_games: int) -> Any:
        return np.zeros(num_games, dtype=STATE)

    # -- chance: the deal, a card at a time

    def begin(self, states: Any, i: int) -> int:
        states[i] = np.zeros((), dtype=STATE)
        return CHANCE

    def chance_outcomes(self, states: Any, i: int) -> list[tuple[int, int]]:
        return [(card, 1) for card in range(1, CARDS + 1) if card not in states["hand"][i]]

    def chance_key(self, states: Any, i: int) -> int:
        return int(states["dealt"][i])

    def act_chance(self, states: Any, i: int, outcome: Any) -> int:
        if type(outcome) is not int or not 1 <= outcome <= CARDS or outcome in states["hand"][i]:
            raise ValueError(f"card {outcome!r} cannot be dealt")
        seat, place = divmod(int(states["dealt"][i]), HAND)
        states["hand"][i, seat, place] = outcome
        states["hand"][i, seat] = sorted(states["hand"][i, seat], reverse=True)
        states["dealt"][i] += 1
        return self.seat_to_act(states, i)

    # -- playing

    def _turn(self, state: Any) -> Iterator[int]:
        """Yield the seats in the order in which they play for the toll."""
        for k in range(self.num_players):
            yield (int(state["toll"]) + k) % self.num_players

    def seat_to_act(self, states: Any, i: int) -> int:
        state = states[i]
        if state["over"]:
            return GAME_OVER
        if state["dealt"] < HAND * self.num_players:
            return CHANCE
        return next(seat for seat in self._turn(state) if not state["table"][seat])

    def legal_actions(self, states: Any, i: int) -> list[int]:
        seat = self.seat_to_act(states, i)
        return sorted(int(card) - 1 for card in states["hand"][i, seat] if card > 0) if seat >= 0 else []

    def decision_kind(self, states: Any, i: int) -> str | None:
        return "play" if self.seat_to_act(states, i) >= 0 else None

    def act(self, states: Any, i: int, action: int) -> int:
        if action not in self.legal_actions(states, i):
            return ILLEGAL
        for seat, card in self._plays(states, i, action):
            self._play(states[i], seat, card)
        return self.seat_to_act(states, i)

    def _plays(self, states: Any, i: int, action: int) -> Iterator[tuple[int, int]]:
        """Yield the seats and the cards of an action; each is to be played before the next."""
        yield self.seat_to_act(states, i), action + 1
        if states["toll"][i] == TOLLS - 1:  # rule 3
            for seat in self._turn(states[i].copy()):
                yield seat, int(states["hand"][i, seat].max())

    def _play(self, state: Any, seat: int, card: int) -> None:
        state["hand"][seat] = [*sorted((one for one in state["hand"][seat] if one != card), reverse=True), 0]
        state["table"][seat] = card
        state["played"][card - 1] = 1
        if (state["table"][: self.num_players] > 0).all():
            state["toll"] += 1
            state["points"][state["table"].argmax()] += state["toll"]
            state["table"] = 0
            state["over"] = state["toll"] == TOLLS

    def end_early(self, states: Any, i: int) -> None:
        states["over"][i] = 1

    def points(self, states: Any, i: int, seat: int) -> int:
        return int(states["points"][i, seat])

    # -- what happened, for those who watch

    def opening_events(self, states: Any, i: int, outcomes: Any = ()) -> list[Event]:
        hands = [sorted(outcomes[HAND * seat : HAND * (seat + 1)], reverse=True) for seat in range(self.num_players)]
        dealt = zip(self.players, hands, strict=True)
        return [Event("is dealt", {"player": player, "cards": hand}, secret="cards") for player, hand in dealt]

    def events(self, states: Any, i: int, action: int, outcomes: Any = ()) -> list[Event]:
        after, told = states[i : i + 1].copy(), []
        for seat, card in self._plays(after, 0, action):
            before = after["points"][0].copy()
            self._play(after[0], seat, card)
            told.append(Event("plays", {"player": self.players[seat], "card": card}))
            taken = after["points"][0] - before
            if taken.any():
                told.append(Event("takes", {"player": self.players[taken.argmax()], "points": int(taken.max())}))
        return told

    # -- what a seat may know

    def redacted_for(self, states: Any, i: int, seat: int) -> Any:
        private = states[i : i + 1].copy()
        hands = private["hand"][0]
        others = np.arange(MOST) != seat
        hands[others] = np.where(hands[others] != 0, UNKNOWN, 0)
        return private

    def determinize(self, private: Any, seat: int, rng: np.random.Generator) -> Any:
        states = private.copy()
        state = states[0]
        own = set(state["hand"][seat].tolist())
        unseen = [card for card in range(1, CARDS + 1) if not state["played"][card - 1] and card not in own]
        drawn = iter(rng.permutation(unseen).tolist())
        for other in range(self.num_players):
            if other != seat:
                cards = [next(drawn) for card in state["hand"][other] if card != 0]
                state["hand"][other] = sorted(cards, reverse=True) + [0] * (HAND - len(cards))
        return states

    def observe(self, states: Any, i: int, seat: int, observation: Any, mask: Any) -> None:
        state = states[i]
        order = [(seat + k) % self.num_players for k in range(self.num_players)]
        observation[:] = 0
        observation[[card - 1 for card in state["hand"][seat] if card > 0]] = 1
        observation[CARDS : 2 * CARDS] = state["played"]
        rest = observation[2 * CARDS :]
        rest[: self.num_players] = state["table"][order]
        rest[MOST : MOST + self.num_players] = state["points"][order]
        rest[-1] = state["toll"]
        mask[:] = 0
        if self.seat_to_act(states, i) == seat:
            mask[[action for action in self.legal_actions(states, i) if action < mask.size]] = 1

    def observe_everything(self, states: Any, i: int, out: Any, row: int) -> None:
        state = states[i]
        parts = [state[name].ravel() for name in ("hand", "played", "table", "points")]
        out[row] = np.concatenate([*parts, [state["toll"]]])

    def position(self, states: Any, i: int) -> dict[str, Any]:
        state = states[i]
        names = {f"{player}'s hand": state["hand"][seat] for seat, player in enumerate(self.players)}
        return {
            "toll": int(state["toll"]) + 1,
            **{name: [int(card) if card > 0 else None for card in hand if card] for name, hand in names.items()},
            "table": state["table"][: self.num_players].tolist(),
            "points": state["points"][: self.num_players].tolist(),
        }
