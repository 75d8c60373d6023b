"""`romans_env.core.protocol.Rules` for compiled games, made of the game's step functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.compiling.templates import bound
from romans_env.core.base_rules import BaseRules
from romans_env.core.chance import number_of, start_game, written
from romans_env.core.games import GameSpec
from romans_env.core.protocol import CHANCE, Outcome, States
from romans_env.core.state_records import copied
from romans_env.core.unknown_settings import check_settings
from romans_env.engine import one_game
from romans_env.engine.chance import DIE, DRAWN, NUM_FACES
from romans_env.engine.random_stream import WORDS, Streams
from romans_env.engine.step_functions import StepFunctions
from romans_env.errors import shortened

_FACES = tuple((face, 1) for face in range(1, NUM_FACES + 1))
_WARM: set[type] = set()


class CompiledRules(BaseRules):
    """The base class of the rules of a compiled game.

    Like all rules they are stateless: every method works on game ``i`` of ``states``, records of shape ``(n,)`` that
    the caller owns.

    Args:
        setup: the fixed settings; None for the defaults.

    Attributes:
        spec: the game's spec.
        step: its module of step functions.
        setup_class: the class of its setup, called with settings; ``setup_class.from_json`` reads what the setup's
            ``as_json`` returns.
        outcomes: the names of the outcomes of each kind of chance event, indexed by kind and number; empty for dice.
        compiled: `romans_env.engine.one_game`, compiled for the game.
    """

    spec: GameSpec
    step: StepFunctions
    setup_class: Any
    outcomes: Sequence[Sequence[str]] = ()
    compiled = one_game

    def __init_subclass__(cls) -> None:
        cls.name, cls.compiled = cls.spec.name, bound(one_game, game=cls.step)

    def __init__(self, setup: Any = None):
        self.setup = self.setup_class() if setup is None else setup
        self.num_players = self.setup.num_players

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and other.setup == self.setup

    def __hash__(self) -> int:
        return hash(self.setup)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.setup!r})"

    @classmethod
    def from_json(cls, settings: Any) -> Any:
        """Return the rules with a setup read from a record, which is untrusted.

        Raises:
            ValueError: if it is not a valid setup.
        """
        return cls(cls.setup_class.from_json(settings))

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> Any:
        """Return the rules with a setup of these settings.

        Raises:
            ValueError: if a setting does not exist or has an invalid value.
        """
        check_settings(settings, cls.spec.setting_names())
        given = {} if num_players is None else {"num_players": num_players}
        return cls(cls.setup_class(**given, **settings))

    # -- chance

    def begin(self, states: States, i: int) -> int:
        """Set up game i of ``states``, shape ``(n,)``; return CHANCE, as a compiled game begins with a chance event."""
        self.compiled.begin(states, i)
        return CHANCE

    def start(self, states: States, i: int, streams: Streams, words: npt.NDArray[np.int64]) -> int:
        self.compiled.start(states, i, streams, words)
        return self.seat_to_act(states, i)

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        """Return the possible outcomes of the next chance event in game i of ``states``, shape ``(n,)``, with weights.

        Raises:
            NotImplementedError: if the event is DRAWN.
        """
        event = int(self.compiled.event_of(states, i))
        if event == DIE:
            return _FACES
        if event == DRAWN:
            return super().chance_outcomes(states, i)
        copies = np.empty(len(self.outcomes[event]), dtype=np.int64)
        self.compiled.write_copies(states, i, copies)
        return [(name, count) for name, count in zip(self.outcomes[event], copies.tolist(), strict=True) if count]

    def chance_key(self, states: States, i: int) -> int:
        """Return the key of the next chance event in game i of ``states``, shape ``(n,)``.

        It is an integer in [0, 2**62), unique within the game.
        """
        return int(self.compiled.event_key(states, i))

    def draw_outcome(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> Outcome:
        event = int(self.compiled.event_of(states, i))
        if event == DRAWN:
            return written(self.play_chance(copied(states[i : i + 1]), 0, words.copy(), k)[0])
        number = int(self.compiled.draw_outcome(states, i, words, k))
        return number if event == DIE else self.outcomes[event][number]

    def play_chance(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> tuple[Outcome, int]:
        event, number, seat = self.compiled.play_chance(states, i, words, k)
        if event == DRAWN:
            return self.drawn_outcome(states, i), int(seat)
        return int(number) if event == DIE else self.outcomes[int(event)][int(number)], int(seat)

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        """Play an outcome of the next chance event in game i of ``states``, shape ``(n,)``.

        Returns:
            The next seat, CHANCE or GAME_OVER.

        Raises:
            ValueError: if the outcome is impossible; nothing is changed.
        """
        event = int(self.compiled.event_of(states, i))
        if event == DRAWN:
            number: int | None = 0
            if self.seat_to_act(states, i) == CHANCE:
                self.write_outcome(states, i, outcome)
        else:
            number = number_of(self.outcomes[event], outcome)
        seat = one_game.IMPOSSIBLE if number is None else self.compiled.act_chance(states, i, event, number)
        if seat == one_game.IMPOSSIBLE:
            raise ValueError(self._why_impossible(states, i, event, outcome))
        return int(seat)

    def _why_impossible(self, states: States, i: int, event: int, outcome: Outcome) -> str:
        if self.seat_to_act(states, i) != CHANCE:
            return f"no chance event comes next, so none with the outcome {shortened(outcome)}"
        if event == DIE:
            return f"a die shows an integer from 1 to {NUM_FACES}, not {shortened(outcome)}"
        possible = ", ".join(name for name, _ in self.chance_outcomes(states, i))
        return f"{self.name_of_event(event)} is one of {possible}, not {shortened(outcome)}"

    def name_of_event(self, event: int) -> str:
        """Return the name of what a kind of chance event draws, for messages; it is not called for dice."""
        return "the card drawn"

    def drawn_outcome(self, states: States, i: int) -> Outcome:
        """Read the outcome of a DRAWN event that was just played in game i of ``states``, shape ``(n,)``.

        Returns:
            The outcome, or a function without arguments that returns it.
        """
        raise NotImplementedError(f"{self.name} has no event that is drawn")

    def write_outcome(self, states: States, i: int, outcome: Outcome) -> None:
        """Write the outcome of the next chance event, a DRAWN one, into game i of ``states``, shape ``(n,)``.

        Raises:
            ValueError: if the outcome is impossible; nothing is changed.
        """
        raise NotImplementedError(f"{self.name} has no event that is drawn")

    # -- playing

    def act(self, states: States, i: int, action: int) -> int:
        """Play an action in game i of ``states``, shape ``(n,)``.

        Returns:
            The next seat to act, CHANCE or GAME_OVER; ILLEGAL if the action is not legal, and nothing changes.
        """
        return int(self.compiled.act(states, i, action))

    def seat_to_act(self, states: States, i: int) -> int:
        """Return the seat to act in game i of ``states``, shape ``(n,)``; CHANCE or GAME_OVER if there is none."""
        return int(self.compiled.current_player(states, i))

    def legal_actions(self, states: States, i: int) -> list[int]:
        """Return the ids of the legal actions in game i of ``states``, shape ``(n,)``, ascending.

        There are none at a chance event or at the end.
        """
        out = np.empty(self.num_actions, dtype=np.int64)
        legal: list[int] = out[: self.compiled.legal_actions(states, i, out)].tolist()
        return legal

    def is_legal(self, states: States, i: int, action: int) -> bool:
        return 0 <= action < self.num_actions and bool(self.compiled.is_legal(states, i, action))

    # -- looking

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> None:
        """Write the observation and the action mask of a seat into two arrays.

        Args:
            states: records, shape ``(n,)``: games, or private views of the seat.
            i: index of the game.
            seat: the seat that observes.
            observation: written; dtype and shape ``(observation_size,)`` of ``observation_low``.
            mask: written; int8, shape ``(num_actions,)``, 1 for legal actions, all zeros if the seat is not to act. A
                shorter array receives the first entries alone, an empty one nothing.
        """
        self.compiled.observe(states, i, seat, observation, mask)

    def observe_everything(self, states: States, i: int, out: npt.NDArray[Any], row: int) -> None:
        """Write the full state into ``out[row]``.

        ``out`` has shape ``(rows, global_state_size)`` and the game's dtype: int8, int16 or float32.
        """
        self.compiled.observe_everything(states, i, out, row)

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        """Return the private view of a seat: a new record, shape ``(1,)``, without anything that it may not know."""
        private = copied(states[i : i + 1])
        self.compiled.redact(private, 0, seat)
        return private

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        """Sample a full state, uniform among those that agree with the private view of a seat, shape ``(1,)``.

        Returns:
            A new record, shape ``(1,)``.
        """
        pair = private.repeat(2)
        self.compiled.determinize(pair, 0, 1, seat, rng.integers(0, 2**32, size=(1, WORDS), dtype=np.int64))
        return pair[1:]

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        """Return the current points of a seat in game i of ``states``, shape ``(n,)``."""
        return int(states["points"][i, seat])

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        return states["points"][:, : self.num_players].astype(np.int64)

    def winners(self, states: States, i: int) -> list[str]:
        """Return the names of the seats that have won game i of ``states``, shape ``(n,)``, which must be over."""
        return [name for seat, name in enumerate(self.seats) if self.compiled.is_winner(states, i, seat)]

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return the return of a player, in [-1, 1], in game i of ``states``, shape ``(n,)``, which must be over."""
        return float(self.compiled.game_return(states, i, seat))

    # -- compiling

    def warm_up(self) -> None:
        """Compile everything that a single game needs, or load it from disk, so that no game pauses to compile."""
        if type(self) in _WARM:
            return
        _WARM.add(type(self))
        states, words = self.new_states(1), np.zeros((1, WORDS), dtype=np.int64)
        start_game(self, states, 0, words, 0)
        seen = np.zeros(self.observation_size, dtype=self.observation_low.dtype)
        self.observe(states, 0, 0, seen, np.zeros(self.num_actions, dtype=np.int8))
        self.act(states, 0, self.legal_actions(states, 0)[0])
