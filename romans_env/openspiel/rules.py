"""The rules of OpenSpiel games, played with OpenSpiel's states."""

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
    """The setup of an OpenSpiel game, whose parameters are part of its name.

    Attributes:
        game: the name of the game.
        num_players: number of players.
        returns: the return of a game: ``"win"``, the share of the win, which the players with the most points divide;
            or ``"points"``, OpenSpiel's return scaled into [-1, 1].
    """

    game: str
    num_players: int
    returns: str = "win"

    @property
    def num_seats(self) -> int:
        """Number of seats, which are the players."""
        return self.num_players

    def as_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON, which `OpenSpielRules.from_json` reads."""
        return {"num_players": self.num_players, "returns": self.returns}

    def __str__(self) -> str:
        players = "1 player" if self.num_players == 1 else f"{self.num_players} players"
        return players if self.returns == "win" else f"{players}, returns are points"


class OpenSpielRules(BaseRules):
    """The rules of an OpenSpiel game.

    A record holds the history: all actions and chance outcomes, including forced ones, which are played at once.
    OpenSpiel's states are cached separately (`romans_env.openspiel.places`).

    - *Points* are OpenSpiel's returns. If these are not whole numbers, a point is a thousandth of a return (a hundredth
      or a tenth in games with large returns), and points are rounded.
    - The *return* is in [-1, 1]. With ``returns="win"`` it is the share of the win, as in the other games of the
      library; the players with the most points win. With ``returns="points"`` it is OpenSpiel's return minus the mean
      over the players, divided by the largest possible absolute value: the scale of exploitability. This requires a
      constant sum of returns. A game for one player always returns the latter, and the player wins if it is positive.
    - *Outcomes* of chance events have OpenSpiel's numbers, and integer weights in proportion to its probabilities.
    - *Actions* have OpenSpiel's ids. Their names are OpenSpiel's texts if, in some random games, the text of an action
      was the same in all states; if players have different texts, they are joined with slashes. Otherwise the names are
      the ids, and the position lists the text of each choice.
    - *Observations* are the information-state tensor or, if there is none, the observation tensor: float32, shape
      ``(observation_size,)``. As OpenSpiel gives no bounds, entries are clipped to [-1e6, 1e6]. Most entries are 0 or
      1; the others are scaled for networks by the largest values that were seen in some random games.

    Args:
        setup: the setup; None for the default one.
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
        """Return a setup of the game.

        Args:
            num_players: the number of players of the game, or None.
            returns: the return of a game, ``"win"`` or ``"points"``.

        Raises:
            ValueError: if the game has another number of players, or cannot have these returns.
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
        """Return the rules with a setup of these settings; arguments and errors as for `setup_of`."""
        check_settings(settings, names_of_settings(cls.setup_of))
        return cls(cls.setup_of(num_players, **settings))

    @classmethod
    def from_json(cls, settings: Any, /) -> OpenSpielRules:
        """Return the rules with a setup read from a record, which is untrusted.

        Raises:
            ValueError: if it is not a valid setup.
        """
        if not isinstance(settings, dict) or not set(settings) <= {"num_players", "returns"}:
            raise ValueError(f"the setup of {cls.facts.name} is an object with the keys 'num_players' and 'returns'")
        return cls.from_settings(**settings)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rules_again, (self.name, self.setup.as_json())

    def new_states(self, num_games: int) -> States:
        """Return records of games that have not begun: shape ``(num_games,)``."""
        return np.zeros(num_games, dtype=self._dtype)

    def _place(self, states: States, i: int) -> Place:
        return self._places.at(states["history"][i, : states["length"][i]].tobytes())

    def _go(self, states: States, i: int, place: Place) -> int:
        """Write a place into a record; return the next seat, CHANCE or GAME_OVER."""
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
        """The cached places of the game."""
        return self._places

    def place_of(self, states: States, i: int) -> Place:
        """Return the place of game i of ``states``, shape ``(n,)``, which must not be a private view."""
        return self._place(states, i)

    def record_at(self, place: Place) -> States:
        """Return the record of a place, shape ``(1,)``."""
        states = self.new_states(1)
        self._go(states, 0, place)
        return states

    def private_at(self, place: Place, seat: int) -> States:
        """Return the private view of a seat at a place, shape ``(1,)``."""
        return self.redacted_for(self.record_at(place), 0, seat)

    def observed(self, place: Place, seat: int) -> bytes:
        """Return the observation of a seat at a place, as the bytes of its float32 array."""
        return self._views.tensor(place, seat).tobytes()

    # -- chance

    def begin(self, states: States, i: int) -> int:
        """Begin game i of ``states``, shape ``(n,)``; return the next seat, CHANCE or GAME_OVER."""
        states[i] = np.zeros((), dtype=self._dtype)
        return self._go(states, i, self._places.root)

    def has_chance_to_come(self, states: States, i: int) -> bool:
        """Return whether the game has chance events at all; ``states`` are records, shape ``(n,)``."""
        return self.facts.max_history > self.facts.max_decisions

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        """Return the outcomes of the next chance event in game i of ``states``, shape ``(n,)``, with weights."""
        return list(self._place(states, i).outcomes)

    def chance_key(self, states: States, i: int) -> int:
        """Return the number of chance events so far in game i of ``states``, shape ``(n,)``.

        As a key it gives both seatings of a duplicate deal the same draws.
        """
        return self._place(states, i).num_chance

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        """Play an outcome of the next chance event in game i of ``states``, shape ``(n,)``.

        Returns:
            The next seat, CHANCE or GAME_OVER.

        Raises:
            ValueError: if the outcome is impossible; nothing is changed.
        """
        place = self._place(states, i)
        if type(outcome) is not int or outcome not in [number for number, _ in place.outcomes]:
            raise ValueError(f"there is no chance outcome {shortened(outcome)} here")
        return self._go(states, i, self._places.after(place, outcome))

    def start(self, states: States, i: int, streams: npt.NDArray[np.int64], words: npt.NDArray[np.int64]) -> int:
        """Begin the game and play to the first decision; return the seat to act.

        Arguments as for `BaseRules.start`: records, shape ``(n,)``; random streams and chance words, int64, shape
        ``(n, 4)``.

        Raises:
            OpenSpielGameError: if the game is over before anyone decides.
        """
        seat = super().start(states, i, streams, words)
        if seat == GAME_OVER:
            raise OpenSpielGameError(
                f"a game of {self.name} was over before anybody had a choice: such games are not played many at once"
            )
        return seat

    # -- playing

    def act(self, states: States, i: int, action: int) -> int:
        """Play an action in game i of ``states``, shape ``(n,)``.

        Returns:
            The next seat to act, CHANCE or GAME_OVER; ILLEGAL if the action is not legal, and nothing changes.
        """
        if states["to_act"][i] < 0 or states["viewer"][i]:
            return ILLEGAL
        place = self._place(states, i)
        if action not in place.legal:
            return ILLEGAL
        return self._go(states, i, self._places.after(place, int(action)))

    def seat_to_act(self, states: States, i: int) -> int:
        """Return the seat to act in game i of ``states``, shape ``(n,)``; CHANCE or GAME_OVER if there is none."""
        return int(states["to_act"][i])

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        return states["to_act"].astype(np.int64)

    def end_early(self, states: States, i: int) -> None:
        """End game i of ``states``, shape ``(n,)``, in its position, as after a fault or a time limit."""
        states["to_act"][i] = GAME_OVER

    def legal_actions(self, states: States, i: int) -> list[int]:
        """Return the ids of the legal actions in game i of ``states``, shape ``(n,)``, ascending.

        There are none at a chance event or at the end.
        """
        if states["to_act"][i] < 0:
            return []
        if states["viewer"][i]:
            return [int(action) for action in states["legal"][i].nonzero()[0]]
        return list(self._place(states, i).legal)

    def decision_kind(self, states: States, i: int) -> str | None:
        """Return ``"move"`` at each decision of game i of ``states``, shape ``(n,)``; otherwise None."""
        return "move" if states["to_act"][i] >= 0 else None

    # -- what a seat may know

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> None:
        """Write the observation and the action mask of a seat into two arrays.

        Args:
            states: records, shape ``(n,)``: games, or private views of the seat.
            i: index of the game.
            seat: the seat that observes.
            observation: written; float32, shape ``(observation_size,)``.
            mask: written; int8, shape ``(num_actions,)``, 1 for legal actions, all zeros if the seat is not to act. A
                shorter array receives the first entries alone, an empty one nothing.
        """
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
        """Write the observations of all seats, one after the other, into ``out[row]``.

        ``out`` is float32, shape ``(rows, num_players * observation_size)``.
        """
        place = self._place(states, i)
        out[row] = np.concatenate([self._views.tensor(place, seat) for seat in range(self.num_players)])

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        """Return the private view of a seat, a new record, shape ``(1,)``; once a game is over, nothing is hidden."""
        state = states[i : i + 1]
        if self.facts.hidden == "nothing" or state["to_act"][0] == GAME_OVER or state["viewer"][0]:
            return copied(state)
        return self._views.private(self._place(states, i), seat, state)

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        """Sample a full state that agrees with a private view.

        If only the simultaneous choices of others are hidden, their legal choices are equally likely. Other games use
        OpenSpiel's ``resample_from_infostate``, with a distribution that depends on the game.

        Args:
            private: the private view, shape ``(1,)``.
            seat: the seat whose view it is.
            rng: the generator to sample with.

        Returns:
            A new record, shape ``(1,)``.

        Raises:
            romans_env.errors.CannotSampleError: if the game has no way to sample.
        """
        if not private["viewer"][0]:
            return copied(private)
        states = self.new_states(1)
        self._go(states, 0, self._views.sample(private, seat, rng))
        return states

    def position(self, states: States, i: int) -> dict[str, Any]:
        """Return the position of game i of ``states``, shape ``(n,)``, as plain JSON.

        It is the full state or, if the record is a private view, what its seat knows, with None for unknown things.
        """
        viewer = int(states["viewer"][i])
        if viewer:
            return views.position_of(states[i : i + 1])
        return self._whole_position(states, i)

    def _whole_position(self, states: States, i: int) -> dict[str, Any]:
        """Return the full state as a position."""
        place = self._place(states, i)
        legal = place.legal if states["to_act"][i] >= 0 else []
        return self._views.position(place, str(place.state), legal)

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        """Return the current points of a seat in game i of ``states``, shape ``(n,)``."""
        return int(self.points_of(states[i : i + 1])[0, seat])

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        return states["points"].astype(np.int64)

    def winners(self, states: States, i: int) -> list[str]:
        """Return the players with the most points in game i of ``states``, shape ``(n,)``, which must be over.

        In a game for one player, it is the player if its points are positive, and nobody otherwise.
        """
        wins = self._winning(self.points_of(states[i : i + 1]))[0]
        return [player for player, has_won in zip(self.players, wins, strict=True) if has_won]

    def _winning(self, points: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return which players win with points of shape ``(games, players)``: bool, of the same shape."""
        won: npt.NDArray[np.bool_] = (
            points > 0 if self.num_players == 1 else points == points.max(axis=1, keepdims=True)
        )
        return won

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return the return of a player in game i of ``states``, shape ``(n,)``, as the class describes it.

        It is in [-1, 1], and 0 while the game runs.
        """
        if states["to_act"][i] != GAME_OVER:
            return 0.0
        return float(self._returns(self.points_of(states[i : i + 1]))[0, seat])

    def _returns(self, points: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the returns of games that end with points of shape ``(games, players)``: float64, the same shape."""
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
    """Return the class of the rules of an OpenSpiel game, a subclass of ``base``."""
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
