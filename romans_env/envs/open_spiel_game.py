"""Games as OpenSpiel games, so that OpenSpiel's algorithms (CFR, best responses, exploitability) run on them.

::

    game = open_spiel_game(setup)  # or rules

Importing this module registers the games of the library with OpenSpiel under their names, prefixed with ``python_``::

    game = pyspiel.load_game("python_romans_go_home")

The game's own rules are played. Each chance event is an explicit chance node, with probabilities in proportion to the
weights of its outcomes. An event with too many outcomes to list, such as a whole deal, is split into several chance
nodes by the game's `romans_env.envs.open_spiel_parts.OpenSpielPart`. Decisions are sequential, with the action ids of
the other environments. Utilities are the returns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "OpenSpiel is not installed; install it with: pip install 'romans-env[openspiel]'", name="pyspiel"
    ) from error

from romans_env.core import games
from romans_env.core.game import Game, View
from romans_env.core.parts import AgentLike
from romans_env.core.protocol import CHANCE, GAME_OVER, ILLEGAL, Outcome, Rules, Setup, States
from romans_env.envs.open_spiel_parts import Memory, OpenSpielPart
from romans_env.errors import IllegalActionError

MOST_OUTCOMES = 10_000
"""The largest number of outcomes of a chance node; games with more are refused."""
MOST_ENTRIES = 4_000_000
"""The largest size of an information-state tensor; a game with a larger one has only the string."""
MOST_REMEMBERED = 50_000
"""The number of tree nodes that a game caches, 1.5 KB each: algorithms traverse the tree repeatedly."""
_MOST_PLAYERS = 10


def open_spiel_game(game: Setup | Rules) -> OpenSpielGame:
    """Return a game as an OpenSpiel game.

    Args:
        game: the game, as a setup or as rules.

    Raises:
        ValueError: if the game is too large for OpenSpiel: a chance node would have too many outcomes.
    """
    setup = games.rules_of(game).setup
    return pyspiel.load_game(_registered(setup.game), _part_of(setup.game).parameters_of(setup))


def _part_of(game: str) -> OpenSpielPart:
    return cast(OpenSpielPart, games.spec_of(game).part("open_spiel"))


def _registered(game: str) -> str:
    """Register a game with OpenSpiel if necessary, and return its name there."""
    name = f"python_{game.replace('-', '_')}"
    if name not in pyspiel.registered_names():
        # A class, not a function: OpenSpiel releases it after the interpreter has shut down, and the destruction of any
        # other object would crash the process then.
        pyspiel.register_game(_game_type(game), type("OpenSpielGame", (OpenSpielGame,), {"name": game}))
    return name


def _game_type(game: str, num_players: int = 2, has_tensor: bool = True) -> Any:
    return pyspiel.GameType(
        short_name=f"python_{game.replace('-', '_')}",
        long_name=games.spec_of(game).title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        # With a single player, nobody loses what is won.
        utility=pyspiel.GameType.Utility.ZERO_SUM if num_players > 1 else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=_MOST_PLAYERS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=has_tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(_part_of(game).parameters),
    )


def _loaded(game: str, text: str) -> OpenSpielGame:
    _registered(game)
    return pyspiel.load_game(text)


class _Moment:
    """A node of the game tree. It is immutable, so clones of a state share it.

    Attributes:
        states: the game's record, shape ``(1,)``.
        outcomes: at a chance node, the outcomes with their probabilities; otherwise empty.
        seat: the seat to act, CHANCE or GAME_OVER.
        memory: what the seats remember, for information states with perfect recall.
        children: the cached children, by action.
        strings: the cached information-state strings, by seat.
    """

    __slots__ = ("children", "memory", "outcomes", "seat", "states", "strings")

    def __init__(self, states: States, seat: int, outcomes: Sequence[tuple[Outcome, float]], memory: Memory):
        self.states, self.seat, self.outcomes, self.memory = states, seat, outcomes, memory
        self.children: dict[int, _Moment] = {}
        self.strings: dict[int, str] = {}

    def __deepcopy__(self, memo: Any) -> _Moment:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the children, as pickle would recurse through the rest of the tree.
        return _Moment, (self.states, self.seat, self.outcomes, self.memory)


class OpenSpielGame(pyspiel.Game):
    """A game with a setup as an OpenSpiel game; registering a game creates a subclass for it.

    Args:
        params: OpenSpiel's parameters; missing ones have their defaults.

    Attributes:
        rules: the game with its setup.

    Raises:
        ValueError: if the parameters are not a valid setup, or the game is too large.
    """

    name: str
    """Name of the game in this library, set by the subclass."""

    def __init__(self, params: dict[str, Any] | None = None):
        game = self.name
        part = _part_of(game)
        self.rules = rules = games.rules_of(part.setup_of(game, params or {}))
        self._chance, self.recall = part.chance(rules), part.recall(rules)
        self._num_remembered = 0
        states = rules.new_states(1)
        seat = self._chance.begin(states, 0)
        self.root = self._moment(states, seat, self.recall.begin(states))
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=getattr(self._chance, "most_outcomes", MOST_OUTCOMES),
            num_players=rules.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if rules.num_players > 1 else None,
            max_game_length=rules.max_decisions,
        )
        has_tensor = sum(map(math.prod, self.recall.shapes.values())) <= MOST_ENTRIES
        super().__init__(_game_type(game, rules.num_players, has_tensor), info, params or {})

    def new_initial_state(self) -> OpenSpielState:
        """Return the root state, before anything is dealt."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Return an observer, which computes the tensors and strings of states.

        Args:
            iig_obs_type: OpenSpiel's ``IIGObservationType``; by default without perfect recall.
            params: must be empty.

        Raises:
            ValueError: if there are parameters, or the type is not the public and the player's own information.
        """
        return _Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.name, str(self))

    def after(self, moment: _Moment, action: int) -> _Moment:
        """Return the child of a node: the node after an action, or after the chance outcome with number ``action``."""
        if action in moment.children:
            return moment.children[action]
        child = self._played(moment, action)
        if self._num_remembered < MOST_REMEMBERED:
            self._num_remembered += 1
            moment.children[action] = child
        return child

    def _played(self, moment: _Moment, action: int) -> _Moment:
        """Play an action or a chance outcome, and return the node after it."""
        before, states = moment.states, moment.states.copy()
        if moment.seat == CHANCE:
            seat = self._chance.act_chance(states, 0, moment.outcomes[action][0])
            memory = self.recall.after(moment.memory, before, None, states)
        else:
            seat = self.rules.act(states, 0, action)
            if seat == ILLEGAL:
                name, kind = self.rules.players[moment.seat], self.rules.decision_kind(states, 0)
                raise IllegalActionError(f"{self.rules.action_name(action)} is not legal: {name} must decide {kind!r}")
            memory = self.recall.after(moment.memory, before, action, states)
        return self._moment(states, seat, memory)

    def _moment(self, states: States, seat: int, memory: Memory) -> _Moment:
        outcomes: Sequence[tuple[Outcome, float]] = ()
        if seat == CHANCE:
            try:
                found = self._chance.chance_outcomes(states, 0)
            except NotImplementedError as error:
                raise ValueError(f"{error}: give the game's open_spiel part `chance`") from None
            if len(found) > MOST_OUTCOMES:
                raise ValueError(f"a chance event has {len(found)} outcomes: too many for OpenSpiel")
            total = sum(weight for _, weight in found)
            outcomes = [(outcome, weight / total) for outcome, weight in found]
        return _Moment(states, seat, outcomes, memory)


class OpenSpielState(pyspiel.State):
    """A state of an `OpenSpielGame`: a node of its tree."""

    def __init__(self, game: OpenSpielGame):
        super().__init__(game)
        self.moment = game.root

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's ``PlayerId.CHANCE`` or ``PlayerId.TERMINAL``."""
        seat = self.moment.seat
        if seat == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if seat == GAME_OVER else seat

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.moment.seat:
            return []
        return self.get_game().rules.legal_actions(self.moment.states, 0)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of the possible outcomes with their probabilities."""
        return [(number, probability) for number, (_, probability) in enumerate(self.moment.outcomes)]

    def _apply_action(self, action: int) -> None:
        self.moment = self.get_game().after(self.moment, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(self.moment.outcomes[action][0])
        return self.get_game().rules.action_name(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.moment.seat == GAME_OVER

    def returns(self) -> list[float]:
        """Return the return of every player; zeros while the game runs."""
        rules = self.get_game().rules
        if not self.is_terminal():
            return [0.0] * rules.num_players
        return [rules.game_return(self.moment.states, 0, seat) for seat in range(rules.num_players)]

    def view(self, player: int) -> View:
        """Return the private view of a seat, as agents receive it; raise ValueError at a chance node."""
        if self.moment.seat == CHANCE:
            raise ValueError("at a chance node there is no view")
        rules = self.get_game().rules
        return View(rules, rules.redacted_for(self.moment.states, 0, player), player)

    def __str__(self) -> str:
        if self.moment.seat == CHANCE:
            return f"a chance event after: {self.history_str() or 'nothing'}"
        return _position_text(self.get_game().rules, self.moment.states, None)


def _position_text(rules: Rules, states: States, viewer: str | None) -> str:
    renderer = games.spec_of(rules.name).part("renderer")
    return "\n".join(renderer.position_lines(Game.of_states(rules, states), viewer))


class _Observer:
    """The tensors and strings of a seat's information, computed from its private view (OpenSpiel's ``PyObserver``).

    Without perfect recall, the tensor is the observation of the other environments, and the string is the position as
    text. With perfect recall, the game's `romans_env.envs.open_spiel_parts.Recall` computes the string and further
    parts of the tensor, a float32 vector. At a chance node the tensor is all zeros.
    """

    def __init__(self, game: OpenSpielGame, iig_obs_type: Any, params: Any):
        if params:
            raise ValueError(f"the observer has no parameters, not {params}")
        if iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not iig_obs_type.public_info:
            raise ValueError("the observer shows what one seat may know: what is public and what is its own")
        self._game, self._recalls = game, iig_obs_type.perfect_recall
        shapes = {"observation": (game.rules.observation_size,), **(game.recall.shapes if self._recalls else {})}
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(map(math.prod, shapes.values())), dtype=np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        start = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[start : start + math.prod(shape)].reshape(shape)
            start += math.prod(shape)

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a seat may know into the tensor; zeros at a chance node."""
        self.tensor.fill(0)
        moment = state.moment
        if moment.seat == CHANCE:
            return
        view = state.view(player)
        self.dict["observation"][:] = view.observation
        if self._recalls:
            self._game.recall.write(moment.memory, view.states, player, self.dict)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what a seat may know, as text."""
        moment = state.moment
        if moment.seat == CHANCE:
            return f"{self._game.rules.players[player]} | a chance event comes next"
        view = state.view(player)
        if not self._recalls:
            return _position_text(view.rules, view.states, view.agent)
        if player not in moment.strings:
            moment.strings[player] = self._game.recall.string(moment.memory, view.states, player)
        return moment.strings[player]


def tabular_policy(game: OpenSpielGame, agent: AgentLike) -> Any:
    """Convert an agent to an OpenSpiel ``TabularPolicy`` for all seats.

    The agent is asked once at each information state. Its action has probability 1 there, unless it is stochastic and
    overrides ``action_probabilities``, as `random` and sampling policies do.

    Args:
        game: the game, small enough for all states to be visited.
        agent: the agent.

    Raises:
        IllegalActionError: if the agent chooses an illegal action.
    """
    return policy_of(game, lambda state: agent.action_probabilities(state.view(state.current_player())))


def policy_of(game: OpenSpielGame, probabilities: Callable[[Any], npt.NDArray[np.float64]]) -> Any:
    """Return an OpenSpiel ``TabularPolicy`` for all seats.

    Args:
        game: the game, small enough for all states to be visited.
        probabilities: called with each state at which a seat decides; it returns the probability of each action,
            float64, shape ``(num_actions,)``.
    """
    from open_spiel.python import policy

    table = policy.TabularPolicy(game)
    for row, state in zip(table.action_probability_array, table.states, strict=True):
        row[:] = probabilities(state)
    return table


for _game in games.names():
    _registered(_game)
