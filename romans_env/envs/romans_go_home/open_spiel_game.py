"""A table as an OpenSpiel game, so that OpenSpiel's algorithms (CFR, best responses, exploitability) run on it.

Importing this module registers the game with OpenSpiel::

    import pyspiel
    import romans_env.envs.romans_go_home.open_spiel_game

    game = pyspiel.load_game("python_romans_go_home")  # the small table

The engine plays; this is an API over it. Chance is the deal (RULES 2.3), drawn at the root: round by round the wall
(orders of the forts that give the same wall are one chance outcome), then each clan's cards (equal cards are not
distinguished). Decisions are sequential, with the action ids of the other environments; a seat that plans later does
not see what was planned (RULES 3.2). Utilities are the returns (RULES 7.4).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "OpenSpiel is not installed; install it with: pip install 'romans-env[openspiel]'", name="pyspiel"
    ) from error

from romans_env.engine.bits import bits_as_list
from romans_env.errors import IllegalActionError
from romans_env.game import View
from romans_env.protocol import States
from romans_env.render.romans_go_home.text import position_lines
from romans_env.romans_go_home import RomansGoHome, Table, kernels
from romans_env.romans_go_home.actions import ACTION_NAMES, CHARM, KIND_OF_PHASE, NUM_ACTIONS, lowest
from romans_env.romans_go_home.cards import FORTS, NUM_WARRIORS, WARRIORS
from romans_env.romans_go_home.state import PHASE_TURN_END
from romans_env.romans_go_home.table import SMALL_TABLE

if TYPE_CHECKING:
    from romans_agents import Agent

NAME = "python_romans_go_home"
MOST_DRAWS = 10_000
"""Ways to draw at one chance node beyond which a table is refused."""
MOST_REMEMBERED = 50_000
"""Places of a tree that a game remembers, as algorithms walk it again and again; a kilobyte and a half each."""


def parameters_of(table: Table) -> dict[str, Any]:
    """A table as OpenSpiel's parameters: integers, and strings with ``+`` between names."""
    return {
        "num_players": table.num_players,
        "num_neutrals": table.num_neutrals,
        "variant": table.variant,
        "fort_deck": "+".join(table.fort_deck),
        "warriors": "+".join(table.warriors),
        "line_size": table.line_size,
        "num_rounds": table.num_rounds,
    }


def table_of_parameters(parameters: dict[str, Any]) -> Table:
    """The table of OpenSpiel's parameters; what is left out is as on the small table.

    Raises:
        ValueError: for a table the rules do not have, saying what is wrong.
    """
    settings = {**parameters_of(SMALL_TABLE), **parameters}
    for name in ("fort_deck", "warriors"):
        settings[name] = [part for part in settings[name].split("+") if part]
    return Table(**settings)


def open_spiel_game(table: Table = SMALL_TABLE) -> RomansGoHomeGame:
    """A table as an OpenSpiel game.

    Raises:
        ValueError: a table whose chance nodes would have too many outcomes, as that of the full game.
    """
    return pyspiel.load_game(NAME, parameters_of(table))


class Outcome(NamedTuple):
    """A chance outcome of the deal.

    Attributes:
        names: the forts of a wall, slot 1 first, or a clan's cards.
        probability: how likely it is.
    """

    names: tuple[str, ...]
    probability: float


class _Chance:
    """The chance outcomes of the deals at a table."""

    def __init__(self, rules: RomansGoHome):
        self._rules, self._table = rules, rules.setup
        table = self._table
        num_lines = math.perm(len(table.warriors), table.line_size) if table.num_neutrals else 0
        num_walls = sum(1 for _ in islice(_draws(table.fort_deck, table.line_size), MOST_DRAWS + 1))
        if max(num_lines, num_walls) > MOST_DRAWS:
            raise ValueError(
                f"the table {table} is too large for OpenSpiel: chance would have more than {MOST_DRAWS} ways to draw "
                "at a node; a small table has fewer warriors, slots and forts (docs/small_table.md)"
            )
        self._cards_of_player = _outcomes(Counter(combinations(table.warriors, table.hand_size)))
        self._cards_of_neutral: list[Outcome] = []
        if table.num_neutrals:
            self._cards_of_neutral = _outcomes(Counter(permutations(table.warriors, table.line_size)))
        self._walls: dict[tuple[str, ...], list[Outcome]] = {}

    @property
    def most_outcomes(self) -> int:
        """Outcomes of the node that has the most: no later wall can be laid in more ways than the first one."""
        walls = self.walls(self._table.fort_deck)
        return max(map(len, (walls, self._cards_of_player, self._cards_of_neutral)))

    def outcomes(self, dealt: Sequence[Outcome]) -> list[Outcome]:
        """What can come next, after what was dealt: of every round the wall, then each clan's cards in seat order."""
        table = self._table
        round_index, place = divmod(len(dealt), 1 + table.num_clans)
        if place == 0:
            left = Counter(table.fort_deck)
            for earlier in range(round_index):
                left -= Counter(dealt[earlier * (1 + table.num_clans)].names)
            return self.walls(tuple(left.elements()))
        return self._cards_of_player if place <= table.num_players else self._cards_of_neutral

    def walls(self, forts: tuple[str, ...]) -> list[Outcome]:
        """The walls of a round for which these forts are left.

        A wall drawn in its final order is laid just so, and stands for all orders that give it.
        """
        if forts not in self._walls:
            ways: Counter[tuple[str, ...]] = Counter()
            states = self._rules.new_states(1)
            for drawn, number in _draws(forts, self._table.line_size):
                states["fort_order"][0, : len(drawn)] = [FORTS.index(name) for name in drawn]
                kernels.lay_wall_only(states, 0)
                wall = states["wall"][0, : len(drawn)]
                ways[tuple(FORTS[fort] for fort in wall)] += number
            self._walls[forts] = _outcomes(ways)
        return self._walls[forts]

    def start(self, dealt: Sequence[Outcome]) -> States:
        """The game of a deal, at its first decision."""
        width = 1 + self._table.num_clans
        rounds = [dealt[k * width : (k + 1) * width] for k in range(self._table.num_rounds)]
        deal = {
            "forts": [name for wall, *_ in rounds for name in wall.names],
            "rounds": [
                {clan: list(cards.names) for clan, cards in zip(self._table.clans, of_clans, strict=True)}
                for _, *of_clans in rounds
            ],
        }
        states = self._rules.new_states(1)
        self._rules.start_from_deal(states, 0, deal)
        return states


def _outcomes(ways: Counter[tuple[str, ...]]) -> list[Outcome]:
    total = sum(ways.values())
    return [Outcome(names, number / total) for names, number in sorted(ways.items())]


def _draws(names: Sequence[str], size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every way to draw so many of the names, in order, with the number of ways to do it with the physical cards."""
    if size == 0:
        yield (), 1
        return
    for name, copies in sorted(Counter(names).items()):
        rest = list(names)
        rest.remove(name)
        for others, number in _draws(rest, size - 1):
            yield (name, *others), copies * number


class _Decision(NamedTuple):
    """A decision that was made; round and turn count from 1, turn 0 is the planning."""

    round: int
    turn: int
    seat: int
    action: int


_Lines = tuple[tuple[int, ...], ...]
"""What every clan has revealed in a round, slot by slot."""


class _Moment:
    """A place in the tree. It never changes, so that clones share it.

    Attributes:
        dealt: what chance has dealt.
        outcomes: the chance outcomes that can come next.
        states: the game's record, shape (1,), once all is dealt; None before.
        seat: the seat that decides; -1 at the end, None while chance deals.
        known: for every seat, the decisions it knows of: public ones and its own.
        past: what was revealed in the rounds that are over.
        children: the moments after it that the game remembers, by action.
        strings: the information states of the seats that were asked for.
    """

    __slots__ = ("children", "dealt", "known", "outcomes", "past", "seat", "states", "strings")

    def __init__(
        self,
        dealt: tuple[Outcome, ...],
        outcomes: Sequence[Outcome] = (),
        states: States | None = None,
        known: tuple[tuple[_Decision, ...], ...] = (),
        past: tuple[_Lines, ...] = (),
    ):
        self.dealt, self.outcomes, self.states, self.known, self.past = dealt, outcomes, states, known, past
        self.seat = None if states is None else int(states["seat"][0])
        self.children: dict[int, _Moment] = {}
        self.strings: dict[int, str] = {}

    def __deepcopy__(self, memo: Any) -> _Moment:
        return self


_DEFAULTS = parameters_of(SMALL_TABLE)


def _game_type(num_players: int) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Romans Go Home!",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        # A solo game has no other player to lose what is won.
        utility=pyspiel.GameType.Utility.ZERO_SUM if num_players > 1 else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


class RomansGoHomeGame(pyspiel.Game):
    """Romans Go Home! at a table, for OpenSpiel.

    Args:
        params: the settings of the table (`parameters_of`); those left out are the small table's.

    Raises:
        ValueError: for a table the rules do not have, or one too large.
    """

    def __init__(self, params: dict[str, Any] | None = None):
        self.table = table = table_of_parameters(params or {})
        self.rules = RomansGoHome(table)
        self._chance = _Chance(self.rules)
        self._num_remembered = 0
        self.root = self._dealt(())
        # In a round a seat chooses at most line_size times while it plans, as often again for Zvord, and once a turn
        # for another warrior that it revealed and for a fort.
        most_decisions = 4 * table.line_size * table.num_players * table.num_rounds
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=self._chance.most_outcomes,
            num_players=table.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if table.num_players > 1 else None,
            max_game_length=most_decisions,
        )
        super().__init__(_game_type(table.num_players), info, params or {})

    def new_initial_state(self) -> RomansGoHomeState:
        """The root: nothing is dealt."""
        return RomansGoHomeState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What makes the tensors and strings."""
        return _Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def after(self, moment: _Moment, action: int) -> _Moment:
        """The moment after a decision, or after what chance dealt."""
        if action in moment.children:
            return moment.children[action]
        if moment.states is None:
            child = self._dealt((*moment.dealt, moment.outcomes[action]))
        else:
            child = self._played(moment, action)
        if self._num_remembered < MOST_REMEMBERED:
            self._num_remembered += 1
            moment.children[action] = child
        return child

    def _dealt(self, dealt: tuple[Outcome, ...]) -> _Moment:
        """The moment when so much is dealt; what can come in one way only is dealt with it."""
        table = self.table
        while len(dealt) < table.num_rounds * (1 + table.num_clans):
            outcomes = self._chance.outcomes(dealt)
            if len(outcomes) > 1:
                return _Moment(dealt, outcomes)
            dealt = (*dealt, outcomes[0])
        return _Moment(dealt, states=self._chance.start(dealt), known=((),) * table.num_players)

    def _played(self, moment: _Moment, action: int) -> _Moment:
        """The moment after a decision."""
        assert moment.states is not None and moment.seat is not None
        before, states = moment.states[0], moment.states.copy()
        if self.rules.act(states, 0, action) < -1:
            name, kind = self.table.players[moment.seat], self.rules.decision_kind(states, 0)
            raise IllegalActionError(f"{ACTION_NAMES[action]} is not legal: {name} must decide {kind!r}")
        decision = _Decision(int(before["round_index"]) + 1, int(before["turn"]), moment.seat, action)
        is_secret = action < CHARM  # discards, plans and new orders (RULES 3.1, 4.13)
        known = tuple(
            (*decisions, decision) if seat == moment.seat or not is_secret else decisions
            for seat, decisions in enumerate(moment.known)
        )
        past = moment.past
        if states["round_index"][0] != before["round_index"]:
            past = (*past, self._lines(_end_of_round(moment.states, action)))
        return _Moment(moment.dealt, states=states, known=known, past=past)

    def revealed(self, moment: _Moment) -> tuple[_Lines, ...]:
        """What every clan has revealed, round by round."""
        assert moment.states is not None
        return (*moment.past, self._lines(moment.states))

    def _lines(self, states: States) -> _Lines:
        turn = int(states["turn"][0])
        return tuple(map(tuple, states["line"][0, : self.table.num_clans, :turn].tolist()))


def _end_of_round(states: States, action: int) -> States:
    """The record when the round in which an action is played is over, its lines all revealed."""
    states = states.copy()
    kernels.act_only(states, 0, action)
    while states["phase"][0] != PHASE_TURN_END or states["turn"][0] < states["line_size"][0]:
        forced = int(kernels.next_phase(states, 0))
        if forced:
            kernels.act_only(states, 0, lowest(forced))
    return states


class RomansGoHomeState(pyspiel.State):
    """A place in the tree of a `RomansGoHomeGame`."""

    def __init__(self, game: RomansGoHomeGame):
        super().__init__(game)
        self.moment = game.root

    def current_player(self) -> int:
        """The seat that decides, or chance, or the end."""
        seat = self.moment.seat
        if seat is None:
            return int(pyspiel.PlayerId.CHANCE)
        return seat if seat >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        states = self.moment.states
        return bits_as_list(int(states["legal"][0])) if states is not None and player == self.moment.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Numbers of what can be dealt, with their probabilities."""
        return [(number, outcome.probability) for number, outcome in enumerate(self.moment.outcomes)]

    def _apply_action(self, action: int) -> None:
        self.moment = self.get_game().after(self.moment, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return ACTION_NAMES[action]
        clans = self.get_game().table.clans
        place = len(self.moment.dealt) % (1 + len(clans))
        return " ".join(["wall" if place == 0 else clans[place - 1], *self.moment.outcomes[action].names])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.moment.seat == -1

    def returns(self) -> list[float]:
        """The return of every player (RULES 7.4); zeros while the game runs."""
        rules = self.get_game().rules
        if not self.is_terminal():
            return [0.0] * rules.num_players
        return [rules.game_return(self.moment.states, 0, seat) for seat in range(rules.num_players)]

    def view(self, player: int) -> View:
        """What a seat may know now, as agents get it; ValueError while chance deals."""
        if self.moment.states is None:
            raise ValueError("the cards are not dealt yet: there is nothing to see")
        rules = self.get_game().rules
        return View(rules, rules.redacted_for(self.moment.states, 0, player), player)

    def __str__(self) -> str:
        if self.moment.states is None:
            return " | ".join(" ".join(outcome.names) for outcome in self.moment.dealt) or "nothing is dealt"
        return "\n".join(position_lines(self.get_game().rules.position(self.moment.states, 0)))


class _Observer:
    """Tensors and strings of what a seat may know (OpenSpiel's ``PyObserver``), made from the seat's private view.

    Without perfect recall, the tensor is the observation of docs/encoding.md and the string is the position as text.
    With it, there are also the warriors that every clan has revealed in the rounds so far, by slot one-hot, and the
    decisions that the seat knows of, in order: one-hot who decided, then what. The string says the same.
    """

    def __init__(self, game: RomansGoHomeGame, iig_obs_type: Any, params: Any):
        if params:
            raise ValueError(f"the observer has no parameters, not {params}")
        if iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not iig_obs_type.public_info:
            raise ValueError("the observer shows what one seat may know: what is public and what is its own")
        self._game, self._recalls = game, iig_obs_type.perfect_recall
        table = game.table
        shapes: dict[str, tuple[int, ...]] = {"observation": (game.rules.observation_size,)}
        if self._recalls:
            shapes["revealed"] = (table.num_rounds, table.num_clans, table.line_size, NUM_WARRIORS)
            shapes["decisions"] = (game.max_game_length(), table.num_players + NUM_ACTIONS)
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(map(math.prod, shapes.values())), dtype=np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        start = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[start : start + math.prod(shape)].reshape(shape)
            start += math.prod(shape)

    def set_from(self, state: RomansGoHomeState, player: int) -> None:
        """Fill the tensor with what a seat may know; zeros while chance deals."""
        self.tensor.fill(0)
        if state.moment.states is None:
            return
        self.dict["observation"][:] = state.view(player).observation
        if self._recalls:
            for round_index, lines in enumerate(self._game.revealed(state.moment)):
                for seat, line in enumerate(lines):
                    for slot, warrior in enumerate(line):
                        self.dict["revealed"][round_index, seat, slot, warrior] = 1
            for row, decision in zip(self.dict["decisions"], state.moment.known[player], strict=False):
                row[decision.seat] = row[self._game.table.num_players + decision.action] = 1

    def string_from(self, state: RomansGoHomeState, player: int) -> str:
        """What a seat may know, as text."""
        moment = state.moment
        if moment.states is None:
            return f"{self._game.table.players[player]} | the cards are not dealt yet"
        if not self._recalls:
            return "\n".join(position_lines(state.view(player).position()))
        if player not in moment.strings:
            moment.strings[player] = self._recalled(moment, state.view(player).states, player)
        return moment.strings[player]

    def _recalled(self, moment: _Moment, hidden: States, player: int) -> str:
        """All that a seat has observed from the start on; ``hidden`` is the record of its private view."""
        table = self._game.table
        num_rounds = int(hidden["round_index"][0]) + 1
        drawn = hidden["dealt"][0, :num_rounds, player, : table.hand_size].tolist()
        forts = hidden["fort_order"][0, : num_rounds * table.line_size].tolist()
        parts = [
            table.players[player],
            "drew " + ", ".join(_names(WARRIORS, cards) for cards in drawn),
            "walls " + _names(FORTS, forts),
        ]
        for lines in self._game.revealed(moment):
            parts.append("revealed " + ", ".join(_names(WARRIORS, line) or "-" for line in lines))
        decisions = [f"{at.round}.{at.turn}.{at.seat}.{ACTION_NAMES[at.action]}" for at in moment.known[player]]
        parts.append(" ".join(["decided", *decisions]))
        kind = KIND_OF_PHASE.get(int(hidden["phase"][0]))
        parts.append(f"{table.players[int(hidden['seat'][0])]} decides {kind}" if kind else "the game is over")
        return " | ".join(parts)


def _names(kinds: Sequence[str], cards: Sequence[int]) -> str:
    return " ".join(kinds[card] for card in cards)


def tabular_policy(game: RomansGoHomeGame, agent: Agent) -> Any:
    """An agent as an OpenSpiel ``TabularPolicy`` for every seat, asked once at every information state.

    An agent with chance of its own that overrides ``action_probabilities`` (`random` and sampling policies do) is
    recorded with them; for any other one the action it takes is certain.

    Args:
        game: the game, small enough for every state to be visited.
        agent: the agent.

    Raises:
        IllegalActionError: the agent chooses what is not legal.
    """
    from open_spiel.python import policy

    table = policy.TabularPolicy(game)
    for row, mask, state in zip(table.action_probability_array, table.legal_actions_mask, table.states, strict=True):
        row[:] = agent.action_probabilities(state.view(state.current_player()))
        if row[mask == 0].any():
            choices = ", ".join(ACTION_NAMES[action] for action in row.nonzero()[0])
            raise IllegalActionError(f"agent {agent.name!r} chooses {choices}, which is not legal, at: {state}")
    return table


pyspiel.register_game(_game_type(SMALL_TABLE.num_players), RomansGoHomeGame)
