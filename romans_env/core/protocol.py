"""What the layers above ask of a game, so that they need not know its cards.

A game is registered by a `romans_env.core.games.GameSpec`. docs/project/adding_a_game.md says in steps how to write
one.
"""

# pyright: reportReturnType=false
# The methods of a protocol are their docstrings.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

GAME_OVER, CHANCE, ILLEGAL = -1, -2, -3
"""In place of a seat: the game is over; a chance event comes next; the action was not legal, and nothing changed."""

States = npt.NDArray[Any]
"""An array of state records, shape (n,)."""
Outcome = Any
"""What chance answered, as plain JSON: an integer for a die, a name for a card."""


class Setup(Protocol):
    """A game's fixed settings, such as the number of players. ``str`` of it is the name that tables show."""

    game: ClassVar[str]
    """Name of the game."""

    @property
    def num_players(self) -> int:
        """How many players there are."""

    @property
    def num_seats(self) -> int:
        """Players, and seats that play by rule."""

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON, which the rules' ``from_json`` reads."""


class Rules(Protocol):
    """A game with a setup. Stateless: every method works on ``states[i]``, of records that the caller owns.

    Every decision has at least two legal actions: a decision with a single one is made by the rules. Returns are in
    [-1, 1] and sum to zero where two players or more play.
    """

    name: str
    """Name of the game; a record's format is ``name/1``."""
    observation_low: npt.NDArray[Any]
    """Lower bounds of an observation, shape (observation_size,); its dtype is that of observations."""
    observation_high: npt.NDArray[Any]

    num_actions: int
    """Size of the flat action space."""

    observation_size: int
    """How many numbers an observation has."""

    observation_scale: npt.NDArray[np.float32]
    """What a network multiplies the entries of an observation by: float32, shape (observation_size,)."""

    hidden_decisions: Mapping[str, int]
    """The kinds of decision of which others do not see how many there are (RULES 4.14).

    With each the most that a seat may be asked in a row, itself included, before others see something.
    """

    global_state_low: npt.NDArray[Any]
    global_state_high: npt.NDArray[Any]
    setup: Any
    """The fixed settings, a `Setup`."""
    num_players: int

    max_decisions: int
    """An upper bound of the number of decisions of a game; where chance has none, one that no game comes near."""

    players: tuple[str, ...]
    """Names of the seats that act, in order."""

    seats: tuple[str, ...]
    """Names of all seats: players, then those that play by rule."""

    action_names: Sequence[str]
    """The name of every action, by id."""

    def __init__(self, setup: Any, /): ...

    @classmethod
    def from_settings(cls, num_players: int | None = None, **settings: Any) -> Any:
        """Return the rules with settings of the setup; raise ValueError for one that does not exist."""

    @classmethod
    def from_json(cls, settings: Any, /) -> Any:
        """Return the rules with the setup of a record; raise ValueError if it is none."""

    def new_states(self, num_games: int) -> States:
        """Return records of games that have not begun."""

    def warm_up(self) -> None:
        """Compile, or load from the disk, what every single game needs, so that no wait comes in the middle of one."""

    # -- chance

    def begin(self, states: States, i: int) -> int:
        """Begin the game; return who comes next, as of `act`."""

    def start(self, states: States, i: int, streams: npt.NDArray[np.int64], words: npt.NDArray[np.int64]) -> int:
        """Start game i with chance from ``streams[i]``, which moves on; return the seat that decides first.

        ``words[i]`` get the game's chance words, where chance may come after the start.
        """

    def has_chance_to_come(self, states: States, i: int) -> bool:
        """Return whether a chance event may still come; True as well where that is not known."""

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        """Return the outcomes of the chance event that comes next, with integer weights of at least 1.

        Raise NotImplementedError for an event that is drawn, not listed, as it has too many: a whole deal.
        """

    def chance_key(self, states: States, i: int) -> int:
        """Return the key of the next chance event: at least 0, below 2**62, and no other event of the game has it."""

    def draw_outcome(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> Outcome:
        """Return the outcome of the next chance event, drawn with its key from ``words[k]`` (see `chance`)."""

    def play_chance(self, states: States, i: int, words: npt.NDArray[np.int64], k: int) -> tuple[Outcome, int]:
        """Draw the outcome of the next chance event and play it; return it, or a function for it, and who comes next.

        An event that is not listed may be drawn from ``words[k]`` as a random stream, which moves on.
        """

    def outcomes_of(self, deal: Any) -> Sequence[Outcome]:
        """Return the outcomes of a deal given as plain JSON; raise ValueError for one that does not have the form."""

    def deal_of(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """Return the deal as plain JSON of a game with these outcomes so far; raise ValueError if no game has them."""

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        """Play an outcome; return who comes next, as of `act`. Raise ValueError, changing nothing, if impossible."""

    # -- playing

    def act(self, states: States, i: int, action: int) -> int:
        """Play an action; return the seat that must decide next, or GAME_OVER, CHANCE or ILLEGAL."""

    def seat_to_act(self, states: States, i: int) -> int:
        """Return the deciding seat, GAME_OVER or CHANCE."""

    def seats_to_act(self, states: States) -> npt.NDArray[np.int64]:
        """Return `seat_to_act` of every game: int64, shape (n,)."""

    def end_early(self, states: States, i: int) -> None:
        """End the game where it stands: for a game that is decided otherwise, such as by a fault."""

    def legal_actions(self, states: States, i: int) -> list[int]:
        """Return the ids of the legal actions of the deciding seat, ascending; none without one."""

    def is_legal(self, states: States, i: int, action: int) -> bool:
        """Return whether an action id, however far off, is legal now."""

    def decision_kind(self, states: States, i: int) -> str | None:
        """Return the kind of the decision to be made, as in `decision_kinds`; None where nobody decides."""

    def action_name(self, action: int) -> str:
        """Return the name of an action, given by its id."""

    def action_id(self, name: str) -> int:
        """Return the id of an action, given by its name; ValueError: there is none."""

    # -- what a seat may know

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> None:
        """Write what a seat may know, and its legal actions (none while it is not to act), into two vectors.

        The mask may be shorter than the action space: that much is written.
        """

    def observe_everything(self, states: States, i: int, out: npt.NDArray[Any], row: int) -> None:
        """Write the full state into ``out[row]``."""

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        """Return the private view of a seat, shape (1,): a record in which all that it may not know is overwritten."""

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        """Return a complete record, uniform among those that a private view allows, shape (1,).

        Raise `romans_env.errors.CannotSampleError`, in a sentence, in a game that does not say how: no search plays it.
        """

    def position(self, states: States, i: int) -> dict[str, Any]:
        """Return the position as JSON: everything, or of a private view what its seat knows."""

    def events(self, states: States, i: int, action: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Any]:
        """Return the events of an action, and of the outcomes of chance events after it, up to the next decision.

        A game without a renderer of its own gives what `romans_env.core.event.Event.of` takes.
        """

    def opening_events(self, states: States, i: int, outcomes: Sequence[Outcome] = ()) -> Sequence[Any]:
        """Return the events before the first action, to the record after `begin`, with outcomes of chance events."""

    # -- the score

    def points(self, states: States, i: int, seat: int) -> int:
        """Return the points of a seat."""

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        """Return the points of every player of every game: int64, shape (n, num_players)."""

    def winners(self, states: States, i: int) -> list[str]:
        """Return the players who have won, of a game that is over."""

    def game_return(self, states: States, i: int, seat: int) -> float:
        """Return what a seat has in the end, -1.0 to 1.0; 0.0 before."""


def methods_lacking(rules: Any) -> list[str]:
    """Return the names of the methods of `Rules` that a class has not."""
    return [name for name in vars(Rules) if not name.startswith("_") and not hasattr(rules, name)]
