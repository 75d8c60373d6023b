"""What a response to a mixture of lines wins by its decisions in the attack, beyond the best plans."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_agents.romans_go_home.rounds.lookahead import Positions, best_values
from romans_agents.romans_go_home.rounds.plan_regret import likely, line_values
from romans_agents.romans_go_home.rounds.rival import RolloutPlayer
from romans_agents.romans_go_home.rounds.round_game import PlanSpace
from romans_agents.romans_go_home.rounds.round_matrix import Floats, Lines
from romans_env import Table
from romans_env.romans_go_home.material import HAND_SIZE, NUM_WARRIORS
from romans_env.romans_go_home.state import States

SEARCHED = 4
"""Lines of each hand, the best by their value as plans, that are searched with the decisions of the attack."""
MOST_POSITIONS = 4_000_000


def attack_gain(
    root: States,
    table: Table,
    space: PlanSpace,
    seat: int,
    rival: Floats,
    rng: np.random.Generator,
    num_lines: int = SEARCHED,
) -> float:
    """What a response wins by its decisions in the attack, as a return, beyond its best plans: a lower bound.

    Of every hand the lines of the highest value are searched, with all decisions of the attack.

    Args:
        root: a game at the start of a round, shape (1,).
        table: of the game.
        space: its plans.
        seat: of the response.
        rival: probabilities of the rival's lines; its attack is that of rollouts.
        rng: of the search, where there are too many positions.
        num_lines: how many lines of a hand are searched.
    """
    values, (numbers, weights) = line_values(root, space, seat, rival), likely(rival)
    best, player = space.best(values), RolloutPlayer()
    others = whole_plans(space.lines[numbers], table)
    found = np.empty(len(best))
    for hand in range(len(found)):
        rows = space.rows[space.side.types == hand]
        own = whole_plans(space.lines[rows[np.argsort(-values[rows], kind="stable")[:num_lines]]], table)
        both = np.zeros((len(own) * len(others), 2, HAND_SIZE), dtype=np.int8)
        both[:, seat] = np.repeat(own, len(others), axis=0)
        both[:, 1 - seat] = np.tile(others, (len(own), 1))
        states = np.repeat(root, len(both))
        kernels.begin_attacks(states, both)
        nodes = np.repeat(np.arange(len(own)), len(others))
        positions = Positions(states, np.tile(weights, len(own)), nodes)
        found[hand] = best_values(positions, len(own), seat, player, MOST_POSITIONS, rng).max()
    return float(space.side.chances @ np.maximum(found - best, 0.0))


def whole_plans(lines: Lines, table: Table) -> npt.NDArray[np.int8]:
    """Plans that lay lines, with the weakest warrior left set aside, as `matrix_of` has it: int8, shape (n, 7)."""
    laid = (lines[:, :, None] == np.arange(NUM_WARRIORS)).sum(axis=1)
    plans = np.zeros((len(lines), HAND_SIZE), dtype=np.int8)
    plans[:, : table.line_size] = lines
    plans[:, table.line_size] = (table.warrior_counts() > laid).argmax(axis=1)
    return plans
