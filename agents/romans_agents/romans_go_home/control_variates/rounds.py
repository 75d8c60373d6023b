"""The control variates of Romans Go Home!, round by round.

In a round, chance draws the wall, every player's hand and every neutral's line (RULES 2.1, 2.2), and the players lay
plans that are hidden from each other (RULES 3.2). So, given the public state before the round, the hands and plans of
the seats are independent of each other. The value of a round is the value of the public state at its end, after a
playout of the attack. There are two kinds of variates:

- *plans*: the mean value over rounds with newly drawn hands and plans, minus the value of the round with the actual
  plans, which are another sample of the same distribution. A seat whose policy is not known keeps its plan; as the plan
  was made for the wall, the wall is then kept, too.
- *attack*: for every decision of a player whose action probabilities are known, the mean value over its actions, minus
  the value of the action that it chose.

Their expectation is zero however inaccurate the values are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.batches.game_arrays import Integers, code_of
from romans_agents.loops.codes import RANDOM
from romans_agents.romans_go_home.control_variates.compiled import playouts
from romans_agents.romans_go_home.control_variates.plan_draws import Draw, Plans, draw_of, stated_policy
from romans_agents.romans_go_home.control_variates.round_values import FEATURES, features_of
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.plan_distributions import Floats
from romans_agents.romans_go_home.styles import GREEDY
from romans_env import RomansGoHome
from romans_env.romans_go_home.actions import DISCARD, NUM_ACTIONS, PLACE
from romans_env.romans_go_home.material import HAND_SIZE, MAX_CLANS, NONE, NUM_FORTS, NUM_WARRIORS
from romans_env.romans_go_home.playback import lay_wall
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

WALLS = 12
"""Number of rounds drawn if the policies of all seats are known (each round then has a new wall), or those of none."""
PLANS_A_WALL = 2
"""Plans of each seat for each of these rounds, in all combinations."""
PLANS_ALONE = {1: 48, 2: 12, 3: 6}
"""Plans of each known seat if some seats are unknown and the wall is kept, by the number of known seats."""
RANDOM_PLAYOUTS = 8
"""Number of playouts of an attack in which `random` takes part; otherwise there is one."""
_ROUNDS_AT_ONCE, _CHOICES_AT_ONCE = 256, 4096


class RoundVariates:
    """Follows games while they are played, and computes their control variates.

    Args:
        rules: the game with its setup.
        players: the agent on each seat of every game.
        seed: the seed of the draws.
        words: not used, because all chance of this game is in the deal.

    Attributes:
        names: the names of the variates.
    """

    def __init__(
        self,
        rules: RomansGoHome,
        players: Sequence[Sequence[Agent]],
        seed: int | np.random.SeedSequence,
        words: Integers | None = None,
    ):
        table = rules.setup
        self._rules, self._players, self._rng = rules, players, np.random.default_rng(seed)
        shape = (table.num_rounds, len(players), rules.num_players)
        self._size = table.line_size
        rounds = range(1, table.num_rounds + 1)
        self.names = tuple(f"{kind} {k}: {name}" for kind in ("plans", "attack") for k in rounds for name in FEATURES)
        self._starts = np.zeros(shape, dtype=rules.new_states(1).dtype)
        self._plans = np.full((*shape, HAND_SIZE), NONE, dtype=np.int8)
        agents = {id(agent): agent for seats in players for agent in seats}
        self._draws = {key: draw_of(agent, rules) for key, agent in agents.items()}
        self._policies = {key: stated_policy(agent, rules) for key, agent in agents.items()}
        # In playouts of the attack, `greedy` replaces agents that are not compiled.
        self._codes = {key: code_of(rules, agent) or GREEDY for key, agent in agents.items()}
        nothing = np.zeros(0, dtype=np.int64)
        self._choices: list[tuple[Integers, States, Integers]]
        self._choices = [(nothing, self._starts[0, :0, 0], nothing)]

    def see(self, states: States, indices: Integers, actions: Integers) -> None:
        """Record actions that are about to be played in some games.

        Args:
            states: records of all games, shape ``(games,)``.
            indices: indices of the games, int64, shape ``(k,)``.
            actions: a legal action in each of them, int64, shape ``(k,)``.
        """
        part = states[indices]
        rounds, seats = part["round_index"].astype(np.int64), part["seat"].astype(np.int64)
        aside = part["phase"] == PHASE_DISCARD
        where = rounds[aside], indices[aside], seats[aside]
        self._starts[where] = part[aside]
        self._plans[(*where, self._size)] = actions[aside] - DISCARD
        placed = part["phase"] == PHASE_PLACE
        where = rounds[placed], indices[placed], seats[placed]
        self._plans[(*where, part["slot"][placed])] = actions[placed] - PLACE
        attacks = ~aside & ~placed
        attacks[attacks] = [
            self._policies[id(self._players[i][seat])] is not None
            for i, seat in zip(indices[attacks].tolist(), seats[attacks].tolist(), strict=True)
        ]
        self._choices.append((indices[attacks], part[attacks], actions[attacks]))

    def values(self) -> Floats:
        """Compute the variates of the games: float64, shape ``(games, players, variates)``.

        The variates of plans are zero for a round whose planning was not completed.
        """
        num_rounds, num_games, num_players = self._starts.shape
        of_plans = np.zeros((num_games, num_players, num_rounds, len(FEATURES)))
        of_attacks = np.zeros_like(of_plans)
        indices, states, actions = (np.concatenate(column) for column in zip(*self._choices, strict=True))
        line_ups: dict[tuple[int, ...], list[int]] = {}
        for i, seats in enumerate(self._players):
            line_ups.setdefault(tuple(id(agent) for agent in seats), []).append(i)
        for agents, numbers in line_ups.items():
            games = np.array(numbers)
            for k in range(num_rounds):
                begun = games[(self._plans[k, games, :, self._size] != NONE).all(axis=1)]
                for part in _parts(begun, _ROUNDS_AT_ONCE):
                    plans, is_whole = whole_plans(self._starts[k, part], self._plans[k, part])
                    if is_whole.any():
                        starts = self._starts[k, part[is_whole]]
                        of_plans[part[is_whole], :, k] = self._of_rounds(starts, plans[is_whole], agents)
            for part in _parts(np.flatnonzero(np.isin(indices, games)), _CHOICES_AT_ONCE):
                found = self._of_choices(states[part], actions[part], agents)
                rounds = states["round_index"][part].astype(np.int64)
                np.add.at(of_attacks.swapaxes(1, 2), (indices[part], rounds), found)
        return np.concatenate([of_plans, of_attacks], axis=2).reshape(num_games, num_players, -1)

    def _of_choices(self, states: States, actions: Integers, agents: tuple[int, ...]) -> Floats:
        """Return the variates of decisions in attacks, in games of one line-up: float64, shape (n, players, features).

        Args:
            states: records in which an agent with known action probabilities is to act: shape (n,).
            actions: the actions that were chosen: int64, shape (n,).
            agents: the line-up.
        """
        found = np.zeros((len(states), len(agents), len(FEATURES)))
        chances = np.zeros((len(states), NUM_ACTIONS))
        for seat, agent in enumerate(agents):
            policy, own = self._policies[agent], states["seat"] == seat
            if policy is not None:
                chances[own] = policy.probabilities(states[own])
        rows, choices = np.nonzero(chances)
        ends = self._ends_of_attacks(states[rows], choices, agents)
        np.add.at(found, rows, chances[rows, choices][:, None, None] * ends)
        return found - self._ends_of_attacks(states, actions, agents)

    def _ends_of_attacks(self, states: States, actions: Integers, agents: tuple[int, ...]) -> Floats:
        """Return the features of the ends of attacks after these actions, as `_ends` does."""
        after = states.copy()
        record_loops.act_each(after, actions)
        return self._ends(after, np.zeros((0, len(agents), HAND_SIZE), dtype=np.int8), agents, self._playouts(agents))

    def _playouts(self, agents: tuple[int, ...]) -> int:
        return RANDOM_PLAYOUTS if RANDOM in [self._codes[agent] for agent in agents] else 1

    def _of_rounds(self, starts: States, laid: Plans, agents: tuple[int, ...]) -> Floats:
        """Return the variates of rounds of one line-up: float64, shape (n, players, features).

        Args:
            starts: the record in which each player is about to plan: shape (n, players).
            laid: the plans of all players: int8, shape (n, players, 7).
            agents: the line-up.
        """
        draws = {seat: draw for seat, agent in enumerate(agents) if (draw := self._draws[agent]) is not None}
        if not draws and not self._rules.setup.num_neutrals:
            return np.zeros((len(starts), len(agents), len(FEATURES)))
        all_known = len(draws) == len(agents)
        walls, count = (1, PLANS_ALONE[len(draws)]) if 0 < len(draws) < len(agents) else (WALLS, PLANS_A_WALL)
        anew = np.repeat(starts, walls, axis=0)
        if all_known:
            self._draw_walls(anew)
        meetings = np.array(list(product(range(count), repeat=len(draws))), dtype=np.int64)
        plans = np.repeat(np.repeat(laid, walls, axis=0)[:, None], len(meetings), axis=1)
        for k, (seat, draw) in enumerate(draws.items()):
            drawn = self._plans_anew(np.repeat(anew[:, seat], count), seat, draw).reshape(len(anew), count, HAND_SIZE)
            plans[:, :, seat] = drawn[:, meetings[:, k]]
        roots = np.repeat(anew[:, 0], len(meetings))
        self._draw_neutral_lines(roots)
        ends = self._ends(roots, plans.reshape(-1, *laid.shape[1:]), agents)
        means = ends.reshape(len(starts), -1, *ends.shape[1:]).mean(axis=1)
        return np.asarray(means - self._ends(starts[:, 0], laid, agents, self._playouts(agents)))

    def _draw_walls(self, starts: States) -> None:
        """Draw a new wall for each row of records, the same for all its seats: shape (n, players), changed in place."""
        first = int(starts["round_index"].flat[0]) * self._size
        last = self._rules.setup.num_rounds * self._size
        forts = starts["fort_order"][:, 0, first:last]
        forts = np.take_along_axis(forts, self._rng.random(forts.shape).argsort(axis=1), axis=1)
        states = starts[:, 0].copy()
        states["fort_order"][:, first:last] = forts
        states["to_come"] = (forts[:, :, None] == np.arange(NUM_FORTS)).sum(axis=1)
        for i in range(len(states)):
            lay_wall(states, i)
        for name in ("fort_order", "to_come", "wall"):
            starts[name] = states[name][:, None]

    def _plans_anew(self, states: States, seat: int, draw: Draw) -> Plans:
        """Draw new hands for a seat, and a plan for each: int8, shape (n, 7)."""
        hands = self._cards((len(states),), self._rules.setup.hand_size)
        rows, rounds = np.arange(len(states)), states["round_index"].astype(np.int64)
        states["dealt"][rows, rounds, seat, : hands.shape[1]] = hands
        states["hand"][:, seat] = (hands[:, :, None] == np.arange(NUM_WARRIORS)).sum(axis=1)
        states["legal"] = ((states["hand"][:, seat] > 0) << (DISCARD + np.arange(NUM_WARRIORS))).sum(axis=1)
        return draw(states, self._rng)

    def _draw_neutral_lines(self, states: States) -> None:
        players, clans = self._rules.num_players, self._rules.setup.num_clans
        if clans > players:
            states["line"][:, players:clans, : self._size] = self._cards((len(states), clans - players), self._size)

    def _cards(self, shape: tuple[int, ...], size: int) -> Integers:
        """Draw hands of ``size`` cards, each from a complete clan: int64, shape (*shape, size)."""
        clan = np.repeat(np.arange(NUM_WARRIORS), self._rules.setup.warrior_counts())
        return clan[self._rng.random((*shape, len(clan))).argsort(axis=-1)[..., :size]]

    def _ends(self, states: States, plans: Plans, agents: tuple[int, ...], playouts_each: int = 1) -> Floats:
        """Play rounds to their ends, and return the mean features of the final states over the playouts of each.

        Args:
            states: records at the start of a round if plans are given, otherwise in the attack: shape (n,).
            plans: the plans of all players, laid first: int8, shape (n, players, 7); with 0 rows, none are laid.
            agents: the line-up.
            playouts_each: the number of playouts of each round.

        Returns:
            Features: float64, shape (n, players, features).
        """
        ends = np.repeat(states, playouts_each)
        returns = np.empty((len(ends), MAX_CLANS))
        codes = np.array([self._codes[agent] for agent in agents], dtype=np.int64)
        stream = self._rng.integers(0, 2**32, size=(1, 4), dtype=np.int64)
        playouts.play_out_rounds(ends, np.repeat(plans, playouts_each, axis=0), codes, stream, returns)
        features = features_of(ends, returns[:, : len(agents)])
        return np.asarray(features.reshape(len(states), playouts_each, *features.shape[1:]).mean(axis=1))


def _parts(numbers: Integers, size: int) -> list[Integers]:
    """Split numbers into parts of at most ``size``."""
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]


def whole_plans(starts: States, plans: Plans) -> tuple[Plans, npt.NDArray[np.bool_]]:
    """Complete plans with the cards that the rules laid because only one kind of warrior was left.

    Args:
        starts: the record in which each player is about to plan: shape ``(n, players)``.
        plans: plans, NONE where the player made no decision: int8, shape ``(n, players, 7)``.

    Returns:
        The completed plans, int8, shape ``(n, players, 7)``, and whether all plans of a round are complete, bool, shape
        ``(n,)``: False if the game ended during planning.
    """
    plans, is_whole = plans.copy(), np.ones(len(plans), dtype=bool)
    size = int(starts["line_size"].flat[0])
    for i, seat in np.argwhere((plans[:, :, : size + 1] == NONE).any(axis=2)).tolist():
        plan = plans[i, seat]
        left = starts[i, seat]["hand"][seat].copy()
        np.subtract.at(left, plan[plan != NONE], 1)
        line = plan[:size]
        line[line == NONE] = np.repeat(np.arange(NUM_WARRIORS), left)
        is_whole[i] &= np.count_nonzero(left) == 1
    return plans, is_whole
