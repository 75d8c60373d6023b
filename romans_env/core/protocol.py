"""The interface of a game's rules, through which environments, agents and training play every game.

A game is registered with a `romans_env.core.games.GameSpec`. docs/project/adding_a_game.md is a guide to writing a
game.
"""

# pyright: reportReturnType=false
# The methods of a protocol have docstrings for bodies.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

GAME_OVER, CHANCE, ILLEGAL = -1, -2, -3
"""Returned in place of a seat: the game is over; a chance event is next; the action was illegal and changed nothing."""

States = npt.NDArray[Any]
"""An array of state records, one for each game: a structured dtype of the game, shape ``(n,)``."""
Outcome = Any
"""The outcome of a chance event as plain JSON: an integer for a die, a name for a card."""


class Setup(Protocol):
    """A game's fixed settings, such as the number of players. Its ``str`` is its name in tables of results."""

    game: ClassVar[str]
    """Name of the game."""

    @property
    def num_players(self) -> int:
        """Number of players."""

    @property
    def num_seats(self) -> int:
        """Number of seats: the players, and the seats that play by fixed rules, such as neutral clans."""

    def as_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON, which `Rules.from_json` reads."""


class Rules(Protocol):
    """A game with a setup.

    Rules are stateless: every method works on game ``i`` of ``states``, an array of records, shape ``(n,)``, that the
    caller owns. Random streams and chance words are int64, shape ``(rows, 4)``, each word in [0, 2**32).

    Every decision has at least two legal actions: the rules play a forced action themselves. Returns are in [-1, 1]
    and sum to zero in games of two or more players.
    """

    name: str
    """Name of the game; a record's format is ``name/1``."""
    observation_low: npt.NDArray[Any]
    """Lower bound of each entry of an observation: shape ``(observation_size,)``, in the dtype of observations."""
    observation_high: npt.NDArray[Any]
    """Upper bound of each entry of an observation: dtype and shape as `observation_low`."""

    num_actions: int
    """Size of the flat action space."""

    observation_size: int
    """Number of entries of an observation."""

    observation_scale: npt.NDArray[np.float32]
    """Factors that scale an observation for a network: float32, shape ``(observation_size,)``."""

    hidden_decisions: Mapping[str, int]
    """Kinds of decision that other seats cannot count (RULES 4.14).

    Each is mapped to the largest number of such decisions that a seat makes in a row before others see a result.
    """

    global_state_low: npt.NDArray[Any]
    """Lower bound of each entry of the full state: shape ``(global_state_size,)``, in the dtype of global states."""
    global_state_high: npt.NDArray[Any]
    """Upper bound of each entry of the full state: dtype and shape as `global_state_low`."""
    setup: Any
    """The fixed settings, a `Setup`."""
    num_players: int
    """Number of players."""

    max_decisions: int
    """An upper bound on the decisions in a game; if chance makes games unbounded, a number that no game approaches."""

    players: tuple[str, ...]
    """Names of the players' seats, in order."""

    seats: tuple[str, ...]
    """Names of all seats: the players, then the seats that play by fixed rules."""

    action_names: Sequence[str]
    """The name of every action, indexed by id."""

    def __init__(self, setup: Any, /): ...

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> Any:
        """Return the rules with a setup of these settings.

        Raises:
            ValueError: if a setting does not exist or has an invalid value.
        """

    @classmethod
    def from_json(cls, settings: Any, /) -> Any:
        """Return the rules with a setup read from a record.

        Args:
            settings: what `Setup.as_json` returned; untrusted.

        Raises:
            ValueError: if it is not a valid setup.
        """

    def new_states(self, num_games: int) -> States:
        """Return records of games that have not begun: shape ``(num_games,)``."""

    def warm_up(self) -> None:
        """Compile everything that a single game needs, or load it from disk, so that no game pauses to compile."""

    # -- chance

    def begin(self, states: States, i: int) -> int:
        """Begin game i of ``states``, shape ``(n,)``; return the next seat, CHANCE or GAME_OVER."""

    def start(self, states: States, i: int, streams: npt.NDArray[np.int64], words: npt.NDArray[np.int64]) -> int:
        """Begin the game and play to the first decision.

        Args:
            states: records, shape ``(n,)``.
            i: index of the game.
            streams: random streams, int64, shape ``(n, 4)``; ``streams[i]`` supplies the chance and advances.
            words: chance words, int64, shape ``(n, 4)``; ``words[i]`` is written if chance events may follow the start.

        Returns:
            The seat to act.
        """

    def has_chance_to_come(self, states: States, i: int) -> bool:
        """Return whether a chance event may still occur in game i of ``states``, shape ``(n,)``; True if unknown."""

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        """Return the possible outcomes of the next chance event in game i of ``states``, shape ``(n,)``.

        Each has a weight, an integer of at least 1.

        Raises:
            NotImplementedError: if there are too many outcomes to list, as for a whole deal.
        """

    def chance_key(self, states: States, i: int) -> int:
        """Return the key of the next chance event in game i of ``states``, shape ``(n,)``.

        It is an integer in [0, 2**62), unique within the game.
        """

    def draw_outcome(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> Outcome:
        """Draw the outcome of the next chance event without playing it.

        The outcome depends on the event's key and on ``words[k]`` alone (`romans_env.engine.chance`); ``words`` are
        int64, shape ``(rows, 4)``.
        """

    def play_chance(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> tuple[Outcome, int]:
        """Draw the outcome of the next chance event and play it.

        Args:
            states: records, shape ``(n,)``.
            i: index of the game.
            words: chance words, int64, shape ``(rows, 4)``.
            k: the row of the game's words. An event whose outcomes are not listed may use it as a random stream,
                which advances.

        Returns:
            The outcome, or a function without arguments that returns it, and the next seat, CHANCE or GAME_OVER.
        """

    def outcomes_of(self, deal: Any) -> Sequence[Outcome]:
        """Return the outcomes of a deal, which is plain JSON and untrusted.

        Raises:
            ValueError: if the deal is malformed.
        """

    def deal_of(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """Return the deal, as plain JSON, of a game with these outcomes so far.

        Raises:
            ValueError: if no game has these outcomes.
        """

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        """Play an outcome of the next chance event in game i of ``states``, shape ``(n,)``.

        Returns:
            The next seat, CHANCE or GAME_OVER.

        Raises:
            ValueError: if the outcome is impossible; nothing is changed.
        """

    # -- playing

    def act(self, states: States, i: int, action: int) -> int:
        """Play an action in game i of ``states``, shape ``(n,)``.

        Returns:
            The next seat to act, CHANCE or GAME_OVER; ILLEGAL if the action is not legal, and nothing changes.
        """

    def seat_to_act(self, states: States, i: int) -> int:
        """Return the seat to act in game i of ``states``, shape ``(n,)``; CHANCE or GAME_OVER if there is none."""

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        """Return `seat_to_act` for each game: int64, shape ``(n,)``."""

    def end_early(self, states: States, i: int) -> None:
        """End game i of ``states``, shape ``(n,)``, in its position, as after a fault or a time limit."""

    def legal_actions(self, states: States, i: int) -> list[int]:
        """Return the ids of the legal actions in game i of ``states``, shape ``(n,)``, ascending.

        There are none at a chance event or at the end.
        """

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """Return whether an integer, in the action space or not, is legal in game i of ``states``, shape ``(n,)``."""

    def decision_kind(self, states: States, i: int) -> str | None:
        """Return the kind of the decision in game i of ``states``, shape ``(n,)``, such as ``"discard"``, or None."""

    def action_name(self, action: int) -> str:
        """Return the name of an action id.

        Raises:
            ValueError: if there is no such action.
        """

    def action_id(self, name: str) -> int:
        """Return the id of an action name.

        Raises:
            ValueError: if there is no such action.
        """

    # -- what a seat may know

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> None:
        """Write the observation and the action mask of a seat into two arrays.

        Args:
            states: records, shape ``(n,)``: games, or private views of the seat.
            i: index of the game.
            seat: the seat that observes.
            observation: written; dtype and shape ``(observation_size,)`` of `observation_low`.
            mask: written; int8, shape ``(num_actions,)``, 1 for legal actions, all zeros if the seat is not to act. A
                shorter array receives the first entries alone, an empty one nothing.
        """

    def observe_everything(self, states: States, i: int, out: npt.NDArray[Any], row: int) -> None:
        """Write the full state into ``out[row]``.

        ``out`` has shape ``(rows, global_state_size)`` and the game's dtype: int8, int16 or float32.
        """

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        """Return the private view of a seat: a new record, shape ``(1,)``, without anything that it may not know."""

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        """Sample a determinization: a full state, uniform among those that agree with a private view.

        Args:
            private: the private view, shape ``(1,)``.
            seat: the seat whose view it is.
            rng: the generator to sample with.

        Returns:
            A new record, shape ``(1,)``.

        Raises:
            romans_env.errors.CannotSampleError: if the game has no way to sample; searches cannot play it then.
        """

    def position(self, states: States, i: int) -> dict[str, Any]:
        """Return the position of game i of ``states``, shape ``(n,)``, as plain JSON.

        It is the full state or, if the record is a private view, what its seat knows, with None for unknown things.
        """

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Any]:
        """Return the events that an action causes, up to the next decision; the record is not changed.

        A game without its own renderer returns values that `romans_env.core.event.Event.of` accepts.

        Args:
            states: records, shape ``(n,)``.
            i: index of the game, which is at the decision.
            action: the action.
            outcomes: the outcomes of the chance events that follow it.
        """

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Any]:
        """Return the events before the first action.

        Args:
            states: records, shape ``(n,)``.
            i: index of the game, right after `begin`.
            outcomes: the outcomes of the chance events before the first action.
        """

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        """Return the current points of a seat in game i of ``states``, shape ``(n,)``."""

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        """Return the current points of each player of each game: int64, shape ``(n, num_players)``."""

    def winners(self, states: States, i: int) -> list[str]:
        """Return the names of the seats that have won game i of ``states``, shape ``(n,)``, which must be over."""

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return the return of a player, in [-1, 1], in game i of ``states``, shape ``(n,)``, which must be over."""


def methods_lacking(rules: Any) -> list[str]:
    """Return the names of the methods of `Rules` that a class lacks."""
    return [name for name in vars(Rules) if not name.startswith("_") and not hasattr(rules, name)]
