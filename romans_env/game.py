"""One game in a person's hands: `Game`, and `View`, what one seat may know of it."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env import records
from romans_env.errors import GameOverError, IllegalActionError, shortened
from romans_env.protocol import Rules, States


class Game:
    """A game in progress. Copies (``clone``, ``copy.deepcopy``, ``pickle``) carry it on from where it stands.

    Separate games may be played in separate threads, a copy beside its original included. Threads that share one game
    need a lock of their own: without one no call hangs and the cards stay as the rules have them, but the seat to act
    and the record may miss or mix what was played at the same moment.

    Args:
        rules: the game and its table, for instance ``RomansGoHome(Table(num_players=3))``.
        seed: an integer >= 0 that decides the deal; None for a fresh one.
        deal: a deal as plain JSON, played as it is.

    Raises:
        TypeError: rules that are none.
        ValueError: a deal that does not fit the table, a seed that is none, or a deal and a seed together.
    """

    def __init__(self, rules: Rules, seed: int | None = None, deal: Any = None):
        if not hasattr(rules, "new_states"):
            raise TypeError(
                f"rules is a game at a table, such as RomansGoHome(Table(num_players=2)), not {shortened(rules)}"
            )
        self.rules = rules
        self.agents: Mapping[str, str | None] | None = None
        """Who plays, by player, for the record; None when nobody said."""
        self.reset(seed, deal)

    @classmethod
    def of_states(cls, rules: Rules, states: States) -> Game:
        """A game without a past, which goes on with the one record of ``states``, shape (1,)."""
        game = cls.__new__(cls)
        game.rules, game.agents = rules, None
        game._states, game._history = states, None
        game._seat_to_act = rules.seat_to_act(states, 0)
        return game

    def reset(self, seed: int | None = None, deal: Any = None) -> None:
        """Start again, with a deal from a seed (None: a fresh one) or a given deal."""
        states = self.rules.new_states(1)
        if deal is not None:
            if seed is not None:
                raise ValueError("give a seed or a deal, not both")
            self.rules.start_from_deal(states, 0, deal)
        else:
            self.rules.deal_from_seed(states, 0, secrets.randbits(63) if seed is None else seed)
        self._states: States = states
        self._history: list[tuple[int, int]] | None = []
        # Reading a field of a record takes longer than playing an action: this one is read at every step.
        self._seat_to_act: int = self.rules.seat_to_act(states, 0)

    def __repr__(self) -> str:
        now = f"{self.agent_to_act} to {self.rules.decision_kind(self._states, 0)}"
        return f"<Game {self.rules.table}, {'over' if self.is_over else now}>"

    # -- playing

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the seats that act."""
        return self.rules.players

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._seat_to_act < 0

    @property
    def seat_to_act(self) -> int | None:
        """The seat that must decide; None at the end."""
        return self._seat_to_act if self._seat_to_act >= 0 else None

    @property
    def agent_to_act(self) -> str | None:
        """The player that must decide; None at the end."""
        return self.players[self._seat_to_act] if self._seat_to_act >= 0 else None

    def legal_actions(self) -> list[int]:
        """Ids of the legal actions, ascending; never exactly one, and none at the end (RULES 4.14)."""
        return bits_as_list(self.rules.legal_set(self._states, 0))

    def act(self, action: int | str) -> int:
        """Play an action of the seat that must decide.

        Args:
            action: an action id or name.

        Returns:
            The seat that must decide next; -1 at the end.

        Raises:
            IllegalActionError: naming the action, the decision and what would be legal; nothing is changed.
            GameOverError: after the end.
        """
        seat = self._seat_to_act
        if seat < 0:
            raise GameOverError("the game is over; call reset() to start another")
        number = action if type(action) is int and 0 <= action < self.rules.num_actions else self._as_id(action)
        next_seat = self.rules.act(self._states, 0, number)
        if next_seat < -1:
            raise IllegalActionError(self.why_illegal(number))
        self._seat_to_act = next_seat
        if self._history is not None:
            self._history.append((seat, number))
        return next_seat

    def _as_id(self, action: int | str) -> int:
        if isinstance(action, str):
            try:
                return self.rules.action_id(action)
            except ValueError as error:
                raise IllegalActionError(str(error)) from None
        try:
            if isinstance(action, (bool, np.bool_)):
                raise TypeError
            number = operator.index(action)
        except TypeError:
            raise IllegalActionError(f"an action is an id or a name, not {shortened(action)}") from None
        if not 0 <= number < self.rules.num_actions:
            raise IllegalActionError(
                f"there is no action {shortened(number)}; the ids run from 0 to {self.rules.num_actions - 1}"
            )
        return number

    def why_illegal(self, action: int) -> str:
        """One line that names an illegal action, the decision, and what would be legal."""
        legal = ", ".join(self.action_name(number) for number in self.legal_actions())
        kind = self.rules.decision_kind(self._states, 0)
        name = self.action_name(action) if 0 <= action < self.rules.num_actions else f"action {action}"
        return f"{name} is not legal: {self.agent_to_act} must decide {kind!r}; legal are {legal}"

    def action_name(self, action: int) -> str:
        """The name of an action id, such as ``place:axx``; ValueError outside the space."""
        return self.rules.action_name(action)

    def action_id(self, name: str) -> int:
        """The id of an action name; ValueError for an unknown one."""
        return self.rules.action_id(name)

    # -- looking

    def view(self, agent: str | int) -> View:
        """What a player (a name or a seat) may know now."""
        seat = self._seat_of(agent)
        return View(self.rules, self.rules.hidden_from(self._states, 0, seat), seat)

    def position(self, agent: str | int | None = None) -> dict[str, Any]:
        """The whole truth as plain data, or what one player may know, unknown things being None."""
        if agent is None:
            return self.rules.position(self._states, 0)
        return self.view(agent).position()

    def observation(self, agent: str | int) -> npt.NDArray[np.int8]:
        """A player's observation: int8, shape ``rules.observation_low.shape``."""
        return self.observation_and_mask(self._seat_of(agent))[0]

    def action_mask(self, agent: str | int) -> npt.NDArray[np.int8]:
        """1 for each legal action of a player: int8, shape (num_actions,); zeros when it is not to act."""
        return self.observation_and_mask(self._seat_of(agent))[1]

    def observation_and_mask(self, seat: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """`observation` and `action_mask` of a seat, in new arrays."""
        observation = np.empty(self.rules.observation_size, dtype=np.int8)
        mask = np.empty(self.rules.num_actions, dtype=np.int8)
        self.rules.observe(self._states, 0, seat, observation, mask)
        return observation, mask

    def global_state(self) -> npt.NDArray[np.int8]:
        """Everything on the table, face-down cards included: int8, shape ``rules.global_state_low.shape``."""
        out = np.empty((1, self.rules.global_state_low.size), dtype=np.int8)
        self.rules.observe_everything(self._states, 0, out, 0)
        return out[0]

    def events(self) -> list[Any]:
        """Everything that happened, in order, from the start (for a re-dealt game: nothing)."""
        if self._history is None:
            return []
        states = self._opening_states()
        told = list(self.rules.opening_events(states, 0))
        for _, action in self._history:
            told += self.rules.events(states, 0, action)
            self.rules.act(states, 0, action)
        return told

    def _opening_states(self) -> States:
        states = self.rules.new_states(1)
        self.rules.start_from_deal(states, 0, self.deal())
        return states

    def _seat_of(self, agent: str | int) -> int:
        if isinstance(agent, str):
            if agent in self.players:
                return self.players.index(agent)
        elif isinstance(agent, (int, np.integer)) and 0 <= agent < len(self.players):
            return int(agent)
        raise ValueError(f"there is no player {shortened(agent)}; the players are {', '.join(self.players)}")

    def _repr_svg_(self) -> str:
        return _pictured(self, None)

    # -- the score

    def points(self) -> dict[str, int]:
        """Points of every clan now."""
        return {clan: self.rules.points(self._states, 0, seat) for seat, clan in enumerate(self.rules.clans)}

    def winners(self) -> list[str]:
        """Names of the winners; empty while the game runs."""
        return self.rules.winners(self._states, 0) if self.is_over else []

    def returns(self) -> dict[str, float]:
        """The return of every player, in [-1, 1]; 0 for everyone while the game runs."""
        over = self.is_over
        return {
            player: self.rules.game_return(self._states, 0, seat) if over else 0.0
            for seat, player in enumerate(self.players)
        }

    # -- keeping

    def deal(self) -> dict[str, Any]:
        """The deal as plain JSON."""
        return self.rules.deal_as_json(self._states, 0)

    @property
    def actions(self) -> list[tuple[str, str]]:
        """The actions so far as (player, action name); ValueError for a re-dealt game, which has no past."""
        if self._history is None:
            raise ValueError("a re-dealt game has no record: how the hidden cards came to lie so is not known")
        return [(self.players[seat], self.action_name(action)) for seat, action in self._history]

    def record(self) -> records.Record:
        """The whole game as JSON: table, deal, agents, actions and, once over, the result."""
        return records.record_of(self)

    @staticmethod
    def replay(record: Any) -> Game:
        """The game of a record; see `romans_env.replay`."""
        return records.replay(record)

    def clone(self) -> Game:
        """An independent copy of the game in progress."""
        game = Game.of_states(self.rules, self._states.copy())
        game.agents = None if self.agents is None else dict(self.agents)
        game._history = None if self._history is None else list(self._history)
        return game


class View:
    """What one player may know, as an object an agent works with.

    It is built from a record in which everything else is overwritten: there is no way from a view to the hidden truth.

    Attributes:
        seat: the player's seat, from 0.
        rules: the game and its table.
        states: the hidden record, shape (1,), for compiled agents.
    """

    def __init__(self, rules: Rules, hidden: States, seat: int):
        self.rules, self.states, self.seat = rules, hidden, seat
        self._observation: npt.NDArray[np.int8] | None = None

    @property
    def agent(self) -> str:
        """The player's name."""
        return self.rules.players[self.seat]

    @property
    def observation(self) -> npt.NDArray[np.int8]:
        """The player's observation: int8, as documented in the observation layout."""
        if self._observation is None:
            self._observation = np.empty(self.rules.observation_size, dtype=np.int8)
            self.rules.observe(self.states, 0, self.seat, self._observation, np.empty(0, dtype=np.int8))
        return self._observation

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 for each legal action: int8, shape (num_actions,); zeros when the player is not to act."""
        return bits_as_mask(self.rules.legal_set(self.states, 0), self.rules.num_actions)

    def legal_actions(self) -> list[int]:
        """Ids of the legal actions, ascending; empty when the player is not to act."""
        return bits_as_list(self.rules.legal_set(self.states, 0))

    def action_name(self, action: int) -> str:
        """The name of an action id."""
        return self.rules.action_name(action)

    def action_id(self, name: str) -> int:
        """The id of an action name."""
        return self.rules.action_id(name)

    def position(self) -> dict[str, Any]:
        """What the player may know as plain data; unknown things are None."""
        return self.rules.position(self.states, 0)

    def _repr_svg_(self) -> str:
        return _pictured(Game.of_states(self.rules, self.states), self.agent)

    def sample_game(self, rng: np.random.Generator) -> Game:
        """A complete game, uniformly sampled among those consistent with what the player knows.

        Every arrangement of the physical cards that it cannot see (the others' hands, lines and set-aside warriors, the
        forts and cards to come) is equally likely; not those that would leave the seat that must decide now without a
        choice. Whether a seat was asked earlier is not taken as knowledge. The game has no past, so no record.
        """
        return Game.of_states(self.rules, self.rules.redeal(self.states, self.seat, rng))


def _pictured(game: Game, viewer: str | None) -> str:
    # Imported here: a notebook that shows a game asks the floor above.
    from romans_env.render import renderer_of

    return renderer_of(game.rules).picture(game, viewer).svg


def bits_as_list(bits: int) -> list[int]:
    """The positions of the set bits, ascending."""
    positions = []
    while bits:
        low = bits & -bits
        positions.append(low.bit_length() - 1)
        bits ^= low
    return positions


def bits_as_mask(bits: int, size: int) -> npt.NDArray[np.int8]:
    """The lowest ``size`` bits as an int8 array of zeros and ones."""
    packed: npt.NDArray[np.uint8] = np.frombuffer(bits.to_bytes(8, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").view(np.int8)


__all__: Sequence[str] = ["Game", "View"]
