"""The rules of a game of OpenSpiel, over OpenSpiel's states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from romans_env.core.base_rules import BaseRules
from romans_env.core.protocol import GAME_OVER, ILLEGAL, Outcome, States
from romans_env.core.state_records import copied
from romans_env.core.unknown_settings import check_settings, names_of_settings
from romans_env.errors import shortened
from romans_env.openspiel import views
from romans_env.openspiel.facts import Facts, OpenSpielGameError, game_of
from romans_env.openspiel.places import Place, Places

RETURNS = ("win", "points")


@dataclass(frozen=True)
class OpenSpielSetup:
    """A game of OpenSpiel; its parameters are part of its name.

    Attributes:
        game: the name.
        num_players: how many play.
        returns: what the return of a game is: ``"win"``, the share of the win, which those with the most points have;
            or ``"points"``, OpenSpiel's return, divided by the largest one there is.
    """

    game: str
    num_players: int
    returns: str = "win"

    @property
    def num_seats(self) -> int:
        """See `romans_env.core.protocol.Setup.num_seats`."""
        return self.num_players

    def as_json(self) -> dict[str, Any]:
        """See `romans_env.core.protocol.Setup.as_json`."""
        return {"num_players": self.num_players, "returns": self.returns}

    def __str__(self) -> str:
        players = "1 player" if self.num_players == 1 else f"{self.num_players} players"
        return players if self.returns == "win" else f"{players}, returns are points"


class OpenSpielRules(BaseRules):
    """A game of OpenSpiel.

    A record holds the history: every action and every outcome of chance, those without a choice included, which are
    played at once. OpenSpiel's state of it is kept beside the records (`romans_env.openspiel.places`).

    - *Points* are OpenSpiel's returns; of a game whose returns are no whole numbers, thousandths of them, or hundredths
      or tenths where these would be too many, rounded.
    - The *return*, in [-1, 1], is the share of the win, as in the other games of the library, with the setting
      ``returns="win"``; the most points win. With ``returns="points"`` it is OpenSpiel's return itself, less the mean
      of all players, divided by the largest there is: what exploitability is measured in. The sum of all players'
      returns has to be constant for it. Of a game for one player it is this in both cases, and the player wins with
      more than 0.
    - *Outcomes* of chance are OpenSpiel's numbers of them, with its probabilities as weights.
    - *Actions* have OpenSpiel's ids. Their names are its texts where each action has one text, the same in every state
      that was seen in some games at random (a text for each player, where these differ, with a slash between); the ids
      otherwise, and the position says which choice has which text.
    - *Observations* are the information-state tensor, or the observation tensor where there is none. OpenSpiel does not
      say what bounds they have: they are a million, and numbers beyond them are cut. Most numbers are 0 or 1; networks
      scale others by the largest that were seen in some games at random.

    Args:
        setup: the setup; None: the one by default.
    """

    facts: ClassVar[Facts]
    name: str
    setup: OpenSpielSetup

    def __init__(self, setup: OpenSpielSetup | None = None):
        facts = self.facts
        self.setup = setup or OpenSpielSetup(facts.name, facts.num_players)
        self.num_players = facts.num_players
        self.max_decisions = max(facts.max_decisions, 2 * facts.most_decisions)
        self.action_names = facts.names or tuple(map(str, range(facts.num_actions)))
        self._dtype = views.record_dtype(facts)
        self._places = Places(game_of(facts))
        self._views = views.Views(facts, self._places)
        low, high = facts.utilities
        self._middle = (facts.utility_sum or 0.0) / facts.num_players if facts.is_constant_sum else 0.0
        self._largest = max(abs(low - self._middle), abs(high - self._middle)) or 1.0

    @classmethod
    def setup_of(cls, num_players: int | None = None, returns: str = "win") -> OpenSpielSetup:
        """Return a setup.

        Args:
            num_players: that of the game, or None.
            returns: what the return of a game is, ``"win"`` or ``"points"``.

        Raises:
            ValueError: another number of players, or returns that the game cannot have.
        """
        facts = cls.facts
        if num_players not in (None, facts.num_players):
            raise ValueError(
                f"{facts.name} has {facts.num_players} players, not {shortened(num_players)}: where OpenSpiel has a "
                f"parameter for them it is part of the name, as in openspiel:kuhn_poker(players=3)"
            )
        if returns not in RETURNS:
            raise ValueError(f"returns is one of {', '.join(RETURNS)}, not {shortened(returns)}")
        if returns == "points" and facts.num_players > 1 and not facts.is_constant_sum:
            raise ValueError(f"{facts.name} is not zero-sum: its returns cannot be its points")
        return OpenSpielSetup(facts.name, facts.num_players, returns)

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> OpenSpielRules:
        """Return the rules; settings and errors are those of `setup_of`."""
        check_settings(settings, names_of_settings(cls.setup_of))
        return cls(cls.setup_of(num_players, **settings))

    @classmethod
    def from_json(cls, settings: Any, /) -> OpenSpielRules:
        """See `romans_env.core.protocol.Rules.from_json`."""
        if not isinstance(settings, dict) or not set(settings) <= {"num_players", "returns"}:
            raise ValueError(f"the setup of {cls.facts.name} is an object with the keys 'num_players' and 'returns'")
        return cls.from_settings(**settings)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules_again, (self.name, self.setup.as_json())

    def new_states(self, num_games: int) -> States:
        """See `romans_env.core.protocol.Rules.new_states`."""
        return np.zeros(num_games, dtype=self._dtype)

    def _place(self, states: States, i: int) -> Place:
        return self._places.at(states["history"][i, : states["length"][i]].tobytes())

    def _go(self, states: States, i: int, place: Place) -> int:
        """Write a place into a record; return who comes next."""
        views.write_place(states[i : i + 1], place, self._points_at(place))
        return place.seat

    def _points_at(self, place: Place) -> list[int]:
        facts = self.facts
        if place.seat != GAME_OVER and not facts.pays_as_it_goes:
            return [0] * facts.num_players
        return [round(one * facts.points_per_return) for one in place.state.returns()]

    # -- for searches over OpenSpiel's states

    @property
    def places(self) -> Places:
        """The places of the game."""
        return self._places

    def place_of(self, states: States, i: int) -> Place:
        """Return the place of a record that is no private view."""
        return self._place(states, i)

    def record_at(self, place: Place) -> States:
        """Return the record of a place, shape (1,)."""
        states = self.new_states(1)
        self._go(states, 0, place)
        return states

    def private_at(self, place: Place, seat: int) -> States:
        """Return the private view that a seat has of a place, shape (1,)."""
        return self.redacted_for(self.record_at(place), 0, seat)

    def observed(self, place: Place, seat: int) -> bytes:
        """Return what a seat observes at a place, as bytes."""
        return self._views.tensor(place, seat).tobytes()

    # -- chance

    def begin(self, states: States, i: int) -> int:
        """See `romans_env.core.protocol.Rules.begin`."""
        states[i] = np.zeros((), dtype=self._dtype)
        return self._go(states, i, self._places.root)

    def has_chance_to_come(self, states: States, i: int) -> bool:
        """See `romans_env.core.protocol.Rules.has_chance_to_come`."""
        return self.facts.max_history > self.facts.max_decisions

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        """See `romans_env.core.protocol.Rules.chance_outcomes`."""
        return list(self._place(states, i).outcomes)

    def chance_key(self, states: States, i: int) -> int:
        """Return how many chance events there were: both seatings of a duplicate deal meet the same draws."""
        return self._place(states, i).num_chance

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        """See `romans_env.core.protocol.Rules.act_chance`."""
        place = self._place(states, i)
        if type(outcome) is not int or outcome not in [number for number, _ in place.outcomes]:
            raise ValueError(f"chance cannot answer {shortened(outcome)} here")
        return self._go(states, i, self._places.after(place, outcome))

    def start(self, states: States, i: int, streams: npt.NDArray[np.int64], words: npt.NDArray[np.int64]) -> int:
        """See `romans_env.core.protocol.Rules.start`; OpenSpielGameError for a game over before anybody decides."""
        seat = super().start(states, i, streams, words)
        if seat == GAME_OVER:
            raise OpenSpielGameError(
                f"a game of {self.name} was over before anybody had a choice: such games are not played many at once"
            )
        return seat

    # -- playing

    def act(self, states: States, i: int, action: int) -> int:
        """See `romans_env.core.protocol.Rules.act`."""
        if states["to_act"][i] < 0 or states["viewer"][i]:
            return ILLEGAL
        place = self._place(states, i)
        if action not in place.legal:
            return ILLEGAL
        return self._go(states, i, self._places.after(place, int(action)))

    def seat_to_act(self, states: States, i: int) -> int:
        """See `romans_env.core.protocol.Rules.seat_to_act`."""
        return int(states["to_act"][i])

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        """See `romans_env.core.protocol.Rules.seats_to_act`."""
        return states["to_act"].astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        """See `romans_env.core.protocol.Rules.end_early`."""
        states["to_act"][i] = GAME_OVER

    def legal_actions(self, states: States, i: int) -> list[int]:
        """See `romans_env.core.protocol.Rules.legal_actions`."""
        if states["to_act"][i] < 0:
            return []
        if states["viewer"][i]:
            return [int(action) for action in states["legal"][i].nonzero()[0]]
        return list(self._place(states, i).legal)

    def decision_kind(self, states: States, i: int) -> str | None:
        """See `romans_env.core.protocol.Rules.decision_kind`."""
        return "move" if states["to_act"][i] >= 0 else None

    # -- what a seat may know

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> None:
        """See `romans_env.core.protocol.Rules.observe`."""
        viewer = int(states["viewer"][i])
        if viewer:
            observation[:] = states["seen"][i] if viewer == seat + 1 else 0
        else:
            observation[:] = self._views.tensor(self._place(states, i), seat)
        self._write_mask(states, i, seat, mask)

    def _write_mask(self, states: States, i: int, seat: int, mask: npt.NDArray[np.int8]) -> None:
        mask[:] = 0
        if mask.size and states["to_act"][i] == seat:
            legal = self.legal_actions(states, i)
            mask[legal if mask.size >= self.num_actions else [one for one in legal if one < mask.size]] = 1

    def observe_everything(self, states: States, i: int, out: npt.NDArray[Any], row: int) -> None:
        """Write what the seats observe, one after the other."""
        place = self._place(states, i)
        out[row] = np.concatenate([self._views.tensor(place, seat) for seat in range(self.num_players)])

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        """See `romans_env.core.protocol.Rules.redacted_for`; of a game that is over everything is known."""
        state = states[i : i + 1]
        if self.facts.hidden == "nothing" or state["to_act"][0] == GAME_OVER or state["viewer"][0]:
            return copied(state)
        return self._views.private(self._place(states, i), seat, state)

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        """Return a complete record that agrees with a private view, as the game samples it, shape (1,).

        Where the choices of others at the same time alone are hidden, each of these that is legal is equally likely.
        Other games sample by OpenSpiel's ``resample_from_infostate``; what its distribution is, is theirs to say.

        Raises:
            romans_env.errors.CannotSampleError: the game does not say how.
        """
        if not private["viewer"][0]:
            return copied(private)
        states = self.new_states(1)
        self._go(states, 0, self._views.sample(private, seat, rng))
        return states

    def position(self, states: States, i: int) -> dict[str, Any]:
        """See `romans_env.core.protocol.Rules.position`."""
        viewer = int(states["viewer"][i])
        if viewer:
            return views.position_of(states[i : i + 1])
        return self._whole_position(states, i)

    def _whole_position(self, states: States, i: int) -> dict[str, Any]:
        """Return the position of the game with all that is hidden."""
        place = self._place(states, i)
        legal = place.legal if states["to_act"][i] >= 0 else []
        return self._views.position(place, str(place.state), legal)

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        """See `romans_env.core.protocol.Rules.points`."""
        return int(self.points_of(states[i : i + 1])[0, seat])

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        """See `romans_env.core.protocol.Rules.points_of`."""
        return states["points"].astype(np.int64)

    def winners(self, states: States, i: int) -> list[str]:
        """Return the players with the most points; the only one of a game if it has more than 0."""
        wins = self._winning(self.points_of(states[i : i + 1]))[0]
        return [player for player, has_won in zip(self.players, wins, strict=True) if has_won]

    def _winning(self, points: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return who wins with points, shape (games, players), of the same shape."""
        won: npt.NDArray[np.bool_] = (
            points > 0 if self.num_players == 1 else points == points.max(axis=1, keepdims=True)
        )
        return won

    def game_return(self, states: States, i: int, seat: int) -> float:
        """See `romans_env.core.protocol.Rules.game_return`; the class says what it is."""
        if states["to_act"][i] != GAME_OVER:
            return 0.0
        return float(self._returns(self.points_of(states[i : i + 1]))[0, seat])

    def _returns(self, points: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return what games with points return, shape (games, players), of the same shape."""
        if self.num_players > 1 and self.setup.returns == "win":
            won = self._winning(points)
            shares = won / won.sum(axis=1, keepdims=True)
            return (self.num_players * shares - 1) / (self.num_players - 1)
        own = points / self.facts.points_per_return
        return np.clip((own - self._middle) / self._largest, -1.0, 1.0)


def _rules_again(name: str, settings: dict[str, Any]) -> Any:
    from romans_env.core.games import spec_of

    return spec_of(name).part("rules").from_json(settings)


def rules_class(facts: Facts, base: type[Any] = OpenSpielRules) -> type[OpenSpielRules]:
    """Return the rules of a game of OpenSpiel: a subclass of ``base``, of which the library makes objects."""
    bound = np.full(facts.observation_size, views.LARGEST, dtype=np.float32)
    everything = np.tile(bound, facts.num_players)
    scale = np.ones(facts.observation_size, dtype=np.float32)
    for entry, value in facts.largest_seen:
        scale[entry] = 1 / value
    members = {
        "__module__": OpenSpielRules.__module__,
        "__doc__": f"{facts.title}, as OpenSpiel plays it.",
        "name": facts.name,
        "facts": facts,
        "observation_low": -bound,
        "observation_high": bound,
        "observation_scale": scale,
        "global_state_low": -everything,
        "global_state_high": everything,
    }
    return cast("type[OpenSpielRules]", type("OpenSpielGame", (base,), members))
