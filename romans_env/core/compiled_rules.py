"""The rules of a game that is compiled: what `romans_env.core.protocol.Rules` asks, from the game's step functions."""

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
    """To be inherited by the rules of a compiled game.

    Stateless: every method works on ``states[i]``, an array of records that the caller owns.

    Args:
        setup: the fixed settings; None for the defaults.

    Attributes:
        spec: the game's.
        step: its module of step functions.
        setup_class: called with settings; ``from_json`` of it reads what ``as_json`` gives.
        outcomes: the names of the outcomes of each kind of chance event, by their numbers; none of a die.
        compiled: the compiled functions for one game.
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
        """Return the rules with the setup of a record."""
        return cls(cls.setup_class.from_json(settings))

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> Any:
        """Return the rules with these settings; raise ValueError for a setting that does not exist."""
        check_settings(settings, cls.spec.setting_names())
        given = {} if num_players is None else {"num_players": num_players}
        return cls(cls.setup_class(**given, **settings))

    # -- chance

    def begin(self, states: States, i: int) -> int:
        """See `Rules.begin`."""
        self.compiled.begin(states, i)
        return CHANCE

    def start(self, states: States, i: int, streams: Streams, words: npt.NDArray[np.int64]) -> int:
        """See `Rules.start`."""
        self.compiled.start(states, i, streams, words)
        return self.seat_to_act(states, i)

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        """See `Rules.chance_outcomes`."""
        event = int(self.compiled.event_of(states, i))
        if event == DIE:
            return _FACES
        if event == DRAWN:
            return super().chance_outcomes(states, i)
        copies = np.empty(len(self.outcomes[event]), dtype=np.int64)
        self.compiled.write_copies(states, i, copies)
        return [(name, count) for name, count in zip(self.outcomes[event], copies.tolist(), strict=True) if count]

    def chance_key(self, states: States, i: int) -> int:
        """See `Rules.chance_key`."""
        return int(self.compiled.event_key(states, i))

    def draw_outcome(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> Outcome:
        """See `Rules.draw_outcome`."""
        event = int(self.compiled.event_of(states, i))
        if event == DRAWN:
            return written(self.play_chance(copied(states[i : i + 1]), 0, words.copy(), k)[0])
        number = int(self.compiled.draw_outcome(states, i, words, k))
        return number if event == DIE else self.outcomes[event][number]

    def play_chance(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> tuple[Outcome, int]:
        """See `Rules.play_chance`."""
        event, number, seat = self.compiled.play_chance(states, i, words, k)
        if event == DRAWN:
            return self.drawn_outcome(states, i), int(seat)
        return int(number) if event == DIE else self.outcomes[int(event)][int(number)], int(seat)

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        """See `Rules.act_chance`."""
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
        """Return what a kind of chance event that is no die draws, for messages."""
        return "the card drawn"

    def drawn_outcome(self, states: States, i: int) -> Outcome:
        """Return the outcome of an event that is DRAWN, from the record that holds it, or a function that does."""
        raise NotImplementedError(f"{self.name} has no event that is drawn")

    def write_outcome(self, states: States, i: int, outcome: Outcome) -> None:
        """Put the outcome of an event into a record; raise ValueError if impossible, changing nothing."""
        raise NotImplementedError(f"{self.name} has no event that is drawn")

    # -- playing

    def act(self, states: States, i: int, action: int) -> int:
        """See `Rules.act`."""
        return int(self.compiled.act(states, i, action))

    def seat_to_act(self, states: States, i: int) -> int:
        """See `Rules.seat_to_act`."""
        return int(self.compiled.current_player(states, i))

    def legal_actions(self, states: States, i: int) -> list[int]:
        """See `Rules.legal_actions`."""
        out = np.empty(self.num_actions, dtype=np.int64)
        legal: list[int] = out[: self.compiled.legal_actions(states, i, out)].tolist()
        return legal

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """See `Rules.is_legal`."""
        return 0 <= action < self.num_actions and bool(self.compiled.is_legal(states, i, action))

    # -- looking

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> None:
        """See `Rules.observe`."""
        self.compiled.observe(states, i, seat, observation, mask)

    def observe_everything(self, states: States, i: int, out: npt.NDArray[Any], row: int) -> None:
        """See `Rules.observe_everything`."""
        self.compiled.observe_everything(states, i, out, row)

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        """See `Rules.redacted_for`."""
        private = copied(states[i : i + 1])
        self.compiled.redact(private, 0, seat)
        return private

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        """See `Rules.determinize`."""
        pair = private.repeat(2)
        self.compiled.determinize(pair, 0, 1, seat, rng.integers(0, 2**32, size=(1, WORDS), dtype=np.int64))
        return pair[1:]

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        """See `Rules.points`."""
        return int(states["points"][i, seat])

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        """See `Rules.points_of`."""
        return states["points"][:, : self.num_players].astype(np.int64)

    def winners(self, states: States, i: int) -> list[str]:
        """See `Rules.winners`."""
        return [name for seat, name in enumerate(self.seats) if self.compiled.is_winner(states, i, seat)]

    def game_return(self, states: States, i: int, seat: int) -> float:
        """See `Rules.game_return`."""
        return float(self.compiled.game_return(states, i, seat))

    # -- compiling

    def warm_up(self) -> None:
        """See `Rules.warm_up`."""
        if type(self) in _WARM:
            return
        _WARM.add(type(self))
        states, words = self.new_states(1), np.zeros((1, WORDS), dtype=np.int64)
        start_game(self, states, 0, words, 0)
        seen = np.zeros(self.observation_size, dtype=self.observation_low.dtype)
        self.observe(states, 0, 0, seen, np.zeros(self.num_actions, dtype=np.int8))
        self.act(states, 0, self.legal_actions(states, 0)[0])
