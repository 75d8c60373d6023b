"""One game in progress (`Game`), and what one seat may know of it (`View`)."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.chance import MOST_CHANCE_EVENTS, ChanceSource, endless_chance, written
from romans_env.core.games import imported, spec_of
from romans_env.core.protocol import CHANCE, GAME_OVER, ILLEGAL, Rules, States
from romans_env.core.records import Record
from romans_env.core.state_records import copied, with_attributes
from romans_env.engine.random_stream import streams_from_seeds
from romans_env.errors import GameOverError, IllegalActionError, shortened

_NO_PAST = "a determinization has no record: how its hidden cards came to be where they are is unknown"


class Game:
    """A game in progress.

    Copies (``clone``, ``copy.deepcopy``, ``pickle``) continue from the current position, independently.

    Different games, a copy and its original included, may be played in different threads. Threads that share one game
    need a lock: without it calls still return and the state stays valid, but the seat to act and the record may be
    wrong.

    Args:
        rules: the game with its setup; for Romans Go Home!, ``RomansGoHome(Table(num_players=3))``.
        seed: an integer >= 0 or a SeedSequence that determines all chance; None for fresh chance.
        deal: a deal as plain JSON. Its outcomes are used first, then the chance of the seed.

    Raises:
        TypeError: if ``rules`` are not the rules of a game.
        ValueError: if the deal does not fit the setup, or the seed is invalid.
    """

    chance: ChanceSource
    """Supplies the outcomes of the chance events to come."""

    def __init__(self, rules: Rules, seed: int | np.random.SeedSequence | None = None, deal: Any = None):
        if not hasattr(rules, "new_states"):
            raise TypeError(
                f"rules are a game with its setup, such as RomansGoHome(Table(num_players=2)), not {shortened(rules)}"
            )
        self.rules = rules
        self.agents: Mapping[str, str | None] | None = None
        """The name of the agent of each player, for the record; None if unknown."""
        self._replays = False
        self.reset(seed, deal)

    @classmethod
    def of_states(cls, rules: Rules, states: States, chance: ChanceSource | None = None) -> Game:
        """Return a game that continues from a record; it has no history, so no deal, actions or record.

        Args:
            rules: the game with its setup.
            states: the record, shape ``(1,)``; it is not copied.
            chance: the source of the chance events to come; None for fresh chance.
        """
        game = cls.__new__(cls)
        game.rules, game.agents, game._replays = rules, None, False
        game.states, game._history, game._told = with_attributes(states), None, None
        game.chance = ChanceSource() if chance is None else chance
        game._seat_to_act = rules.seat_to_act(states, 0)
        return game

    @classmethod
    def of_deal(cls, rules: Rules, deal: Any) -> Game:
        """Return a game whose chance comes from a deal alone, as when a record is replayed.

        Raises:
            ValueError: if the deal does not fit the setup or lacks an outcome; `act` raises it, too, once the deal
                lacks one.
        """
        game = cls.__new__(cls)
        game.rules, game.agents, game._replays = rules, None, True
        game.reset(deal=deal)
        return game

    def play_on(self, seed: int | None = None) -> None:
        """Draw chance from a seed from now on, so that a replayed game that is not over can be continued.

        Args:
            seed: determines the chance to come; None for fresh chance.
        """
        self._replays = False
        self.chance = ChanceSource(None if seed is None else streams_from_seeds([seed]))

    def reset(self, seed: int | np.random.SeedSequence | None = None, deal: Any = None) -> None:
        """Start a new game with the same rules.

        Args:
            seed: an integer >= 0 or a SeedSequence that determines all chance; None for fresh chance.
            deal: a deal as plain JSON. Its outcomes are used first, then the chance of the seed.

        Raises:
            TypeError: if the seed is not an integer; nothing is changed.
            ValueError: if the seed is negative or the deal does not fit the setup; nothing is changed.
        """
        rules, states = self.rules, self.rules.new_states(1)
        rules.warm_up()
        history: list[tuple[int, Any]] = []
        words = None if seed is None else streams_from_seeds([seed])
        chance = ChanceSource(words, () if deal is None else rules.outcomes_of(deal), is_whole=self._replays)
        seat = self._settled(states, rules.begin(states, 0), chance, history)
        self.states: States = states
        """The game's state as a record, shape ``(1,)``; read-only."""
        self._history: list[tuple[int, Any]] | None = history
        """Pairs of a seat and an action id, or of CHANCE and an outcome for `romans_env.core.chance.written`."""
        self._told: tuple[States, list[list[Any]], int] | None = None
        """A cache of the events: the record after some entry of the history, the events up to it, and its index.
        Viewers ask for the events after every action, and replaying the whole game each time would take quadratic
        time."""
        self.chance = chance
        # A copy of a field of the record: it is read at every step, and reading a record takes longer than an action.
        self._seat_to_act: int = seat

    def __repr__(self) -> str:
        now = f"{self.agent_to_act} to {self.rules.decision_kind(self.states, 0)}"
        return f"<Game {self.rules.setup}, {'over' if self.is_over else now}>"

    # -- playing

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, in seat order."""
        return self.rules.players

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._seat_to_act < 0

    @property
    def seat_to_act(self) -> int | None:
        """The seat to act; None once the game is over (where `act` returns -1)."""
        return self._seat_to_act if self._seat_to_act >= 0 else None

    @property
    def agent_to_act(self) -> str | None:
        """The name of the player to act; None once the game is over."""
        return self.players[self._seat_to_act] if self._seat_to_act >= 0 else None

    def legal_actions(self) -> list[int]:
        """Return the ids of the legal actions, ascending: at least two, or none once the game is over."""
        return self.rules.legal_actions(self.states, 0)

    def act(self, action: int | str) -> int:
        """Play an action of the seat to act.

        Args:
            action: an action id or name.

        Returns:
            The next seat to act; -1 (`romans_env.core.protocol.GAME_OVER`) if the game is over. For speed it is the
            integer that the rules return, while `seat_to_act` is None then.

        Raises:
            IllegalActionError: if the action is not legal; the message lists the legal ones, and nothing is changed.
            GameOverError: if the game is over.
            ValueError: if an outcome of the prescribed deal is impossible; nothing is changed.
        """
        seat = self._seat_to_act
        if seat < 0:
            raise GameOverError("the game is over; call reset() to start another")
        number = action if type(action) is int and 0 <= action < self.rules.num_actions else self._as_id(action)
        chance = self.chance
        before = copied(self.states) if chance.is_prescribed else None
        next_seat = self.rules.act(self.states, 0, number)
        if next_seat < GAME_OVER:
            if next_seat == ILLEGAL:
                raise IllegalActionError(self.why_illegal(number))
            return self._act_and_settle(seat, number, before)
        self._seat_to_act = next_seat
        if self._history is not None:
            self._history.append((seat, number))
        return next_seat

    def _act_and_settle(self, seat: int, number: int, before: States | None) -> int:
        """Play the chance events after an action; if a prescribed outcome is impossible, restore ``before``."""
        chance, history = self.chance.copy(), [(seat, number)]
        try:
            next_seat = self._settled(self.states, CHANCE, chance, history)
        except ValueError:
            assert before is not None
            self.states[...] = before
            raise
        self.chance, self._seat_to_act = chance, next_seat
        if self._history is not None:
            self._history += history
        return next_seat

    def _settled(self, states: States, seat: int, chance: ChanceSource, history: list[tuple[int, Any]]) -> int:
        for _ in range(MOST_CHANCE_EVENTS + 1):
            if seat != CHANCE:
                return seat
            outcome, seat = chance.answer(self.rules, states)
            history.append((CHANCE, outcome))
        raise endless_chance(self.rules)

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
        """Return a one-line message that names an illegal action, the decision and the legal actions.

        Raises:
            RuntimeError: if no action is legal although the game is not over, which is a bug in the rules.
        """
        legal = ", ".join(self.action_name(number) for number in self.legal_actions())
        kind = self.rules.decision_kind(self.states, 0)
        name = self.action_name(action) if action in range(self.rules.num_actions) else f"action {shortened(action)}"
        # If another thread has ended the game meanwhile, there is no decision either, and it is no bug.
        if not legal and kind is not None:
            raise RuntimeError(f"no action is legal, and the game goes on: {self.agent_to_act} must decide {kind!r}")
        return f"{name} is not legal: {self.agent_to_act} must decide {kind!r}; legal are {legal}"

    def action_name(self, action: int) -> str:
        """Return the name of an action id, such as ``place:axx`` in Romans Go Home!; raise ValueError if unknown."""
        return self.rules.action_name(action)

    def action_id(self, name: str) -> int:
        """Return the id of an action name; raise ValueError if unknown."""
        return self.rules.action_id(name)

    # -- looking

    def view(self, agent: str | int) -> View:
        """Return the private view of a player, given by name or seat: what it may know now."""
        seat = self._seat_of(agent)
        return View(self.rules, self.rules.redacted_for(self.states, 0, seat), seat)

    def position(self, agent: str | int | None = None) -> dict[str, Any]:
        """Return the position as plain JSON.

        Args:
            agent: the name or seat of a player, to get what it may know, with None for unknown things; by default the
                full state.
        """
        if agent is None:
            return self.rules.position(self.states, 0)
        return self.view(agent).position()

    def observation(self, agent: str | int) -> npt.NDArray[Any]:
        """Return the observation of a player, given by name or seat.

        Its shape is ``(observation_size,)``, its dtype the game's: int8, int16 or float32. ``rules.observation_low``
        and ``rules.observation_high`` are its bounds.
        """
        return self.observation_and_mask(self._seat_of(agent))[0]

    def action_mask(self, agent: str | int) -> npt.NDArray[np.int8]:
        """Return the action mask of a player: int8, shape ``(num_actions,)``, 1 for legal actions.

        All entries are 0 if the player is not to act.
        """
        return self.observation_and_mask(self._seat_of(agent))[1]

    def observation_and_mask(self, seat: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        """Return the observation and the action mask of a seat.

        Returns:
            A new array as from `observation`, shape ``(observation_size,)``, and one as from `action_mask`, int8, shape
            ``(num_actions,)``.
        """
        observation = np.empty(self.rules.observation_size, dtype=self.rules.observation_low.dtype)
        mask = np.empty(self.rules.num_actions, dtype=np.int8)
        self.rules.observe(self.states, 0, seat, observation, mask)
        return observation, mask

    def global_state(self) -> npt.NDArray[Any]:
        """Return the full state, hidden cards included, as a vector, for centralised critics.

        Its shape is ``(global_state_size,)``, its dtype the game's: int8, int16 or float32. ``rules.global_state_low``
        and ``rules.global_state_high`` are its bounds.
        """
        low = self.rules.global_state_low
        out = np.empty((1, low.size), dtype=low.dtype)
        self.rules.observe_everything(self.states, 0, out, 0)
        return out[0]

    def events(self) -> list[Any]:
        """Return all events of the game so far, in order; an empty list for a determinization, which has no history."""
        if self._history is None:
            return []
        return [event for happened in self.events_by_action() for event in happened]

    def events_by_action(self) -> Iterator[list[Any]]:
        """Iterate over the events in groups: first the events before any action, then the events of each action.

        Raises:
            ValueError: if the game is a determinization, which has no history.
        """
        if self._history is None:
            raise ValueError(_NO_PAST)
        rules = self.rules
        parts: list[tuple[Any, list[Any]]] = []
        if self._told is None:
            states, groups, known = rules.new_states(1), [], 0
            rules.begin(states, 0)
            parts.append((None, []))
        else:
            # Copies, because threads of a server may call this at the same time.
            states, groups, known = self._told[0].copy(), self._told[1].copy(), self._told[2]
        # The outcomes after an action, up to the next one, belong to it.
        for seat, entry in self._history[known:]:
            if seat == CHANCE:
                parts[-1][1].append(written(entry))
            else:
                parts.append((entry, []))
        for played, outcomes in parts:
            if played is None:
                groups.append(list(rules.opening_events(states, 0, outcomes)))
            else:
                groups.append(list(rules.events(states, 0, played, outcomes)))
                rules.act(states, 0, played)
            for outcome in outcomes:
                rules.act_chance(states, 0, outcome)
        self._told = states, groups, len(self._history)
        return iter(groups)

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
        """Return the current points of every seat by name, including seats that play by fixed rules."""
        return {name: self.rules.points(self.states, 0, seat) for seat, name in enumerate(self.rules.seats)}

    def winners(self) -> list[str]:
        """Return the names of the winners; empty while the game runs."""
        return self.rules.winners(self.states, 0) if self.is_over else []

    def returns(self) -> dict[str, float]:
        """Return the return of every player by name, in [-1, 1]; 0 for each while the game runs."""
        over = self.is_over
        return {
            player: self.rules.game_return(self.states, 0, seat) if over else 0.0
            for seat, player in enumerate(self.players)
        }

    # -- keeping

    def deal(self) -> dict[str, Any]:
        """Return the deal, the outcomes of all chance events so far, as plain JSON.

        Raises:
            ValueError: if the game is a determinization, which has no history.
        """
        return self.rules.deal_of(self.outcomes)

    @property
    def outcomes(self) -> list[Any]:
        """The outcomes of all chance events so far, in order.

        Raises:
            ValueError: if the game is a determinization, which has no history.
        """
        return [played for seat, played in self.history if seat == CHANCE]

    @property
    def history(self) -> list[tuple[int, Any]]:
        """All actions and chance events in order, as pairs ``(seat, action id)`` or ``(CHANCE, outcome)``.

        Raises:
            ValueError: if the game is a determinization, which has no history.
        """
        if self._history is None:
            raise ValueError(_NO_PAST)
        return [(seat, written(played) if seat == CHANCE else played) for seat, played in self._history]

    @property
    def actions(self) -> list[tuple[str, str]]:
        """All actions in order, as pairs ``(player, action name)``.

        Raises:
            ValueError: if the game is a determinization, which has no history.
        """
        if self._history is None:
            raise ValueError(_NO_PAST)
        return [(self.players[seat], self.action_name(played)) for seat, played in self._history if seat != CHANCE]

    def record(self) -> Record:
        """Return the whole game as JSON: setup, deal, agents, actions and, once it is over, the result.

        Raises:
            ValueError: if the game is a determinization, which has no history.
        """
        return Record(
            {
                "format": spec_of(self.rules.name).record_format,
                "table": self.rules.setup.as_json(),
                "deal": self.deal(),
                "agents": None if self.agents is None else dict(self.agents),
                "actions": [f"{player} {action}" for player, action in self.actions],
                "result": self.result(),
            }
        )

    def result(self) -> dict[str, Any] | None:
        """Return the result as in a record, ``{"winners": [...], "points": {...}}``; None while the game runs."""
        return {"winners": self.winners(), "points": self.points()} if self.is_over else None

    @staticmethod
    def replay(record: Any) -> Game:
        """Return the game of a record, at the position where the record ends (`romans_env.replay`)."""
        replayed: Game = imported("romans_env.core.record_playback:replay")(record)
        return replayed

    def clone(self) -> Game:
        """Return an independent copy of the game in progress."""
        game = Game.of_states(self.rules, copied(self.states), self.chance.copy())
        game.agents = None if self.agents is None else dict(self.agents)
        game._history = None if self._history is None else list(self._history)
        game._told = self._told
        return game


class View:
    """The private view of one player, from which an agent chooses its action.

    It is built from a record in which everything else is overwritten, so the full state cannot be recovered from it.

    Attributes:
        seat: the player's seat, counted from 0.
        rules: the game with its setup.
        states: the private view as a record, shape ``(1,)``, for compiled agents.
    """

    def __init__(self, rules: Rules, private: States, seat: int):
        self.rules, self.states, self.seat = rules, with_attributes(private), seat
        self._observation: npt.NDArray[Any] | None = None

    @property
    def agent(self) -> str:
        """The player's name."""
        return self.rules.players[self.seat]

    @property
    def observation(self) -> npt.NDArray[Any]:
        """The player's observation: int8, int16 or float32, as the game has it, shape ``(observation_size,)``.

        The game's encoding page documents its entries.
        """
        if self._observation is None:
            self._observation = np.empty(self.rules.observation_size, dtype=self.rules.observation_low.dtype)
            self.rules.observe(self.states, 0, self.seat, self._observation, np.empty(0, dtype=np.int8))
        return self._observation

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """The action mask: int8, shape ``(num_actions,)``, 1 for legal actions; zeros if the player is not to act."""
        mask = np.zeros(self.rules.num_actions, dtype=np.int8)
        mask[self.legal_actions()] = 1
        return mask

    def legal_actions(self) -> list[int]:
        """Return the ids of the legal actions, ascending; empty if the player is not to act."""
        if self.rules.seat_to_act(self.states, 0) != self.seat:
            return []
        return self.rules.legal_actions(self.states, 0)

    def action_name(self, action: int) -> str:
        """Return the name of an action id."""
        return self.rules.action_name(action)

    def action_id(self, name: str) -> int:
        """Return the id of an action name."""
        return self.rules.action_id(name)

    def position(self) -> dict[str, Any]:
        """Return what the player may know as plain JSON, with None for unknown things."""
        return self.rules.position(self.states, 0)

    def _repr_svg_(self) -> str:
        return _pictured(Game.of_states(self.rules, self.states), self.agent)

    def sample_game(self, rng: np.random.Generator) -> Game:
        """Sample a determinization: a complete game that agrees with what the player knows.

        Searches over information sets sample such games (Cowling, Powley and Whitehouse 2012). All arrangements of the
        physical cards that the player cannot see are equally likely, except that the seat to act must have a choice;
        that earlier decisions were or were not offered is not used as knowledge. The game has no history, hence no
        record, and its own chance to come.

        Args:
            rng: the generator that determines the arrangement and the chance to come.

        Raises:
            romans_env.errors.CannotSampleError: if the game has no way to sample.
        """
        states = self.rules.determinize(self.states, self.seat, rng)
        chance = ChanceSource.of_generator(rng) if self.rules.has_chance_to_come(states, 0) else None
        return Game.of_states(self.rules, states, chance)


def _pictured(game: Game, viewer: str | None) -> str:
    svg: str = spec_of(game.rules.name).part("renderer").picture(game, viewer).svg
    return svg
