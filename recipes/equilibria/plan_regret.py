"""The regret of an agent's plans on the table 2+0: how much more the best plans win in a round.

Given the play in the attack and the value of the end of a round, it is exact except for the least likely lines.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

import numpy as np

from recipes.equilibria.round_game import PlanSpace
from recipes.equilibria.round_matrix import Floats, matrix_of, weighted_rows
from romans_agents.romans_go_home.rounds.beliefs import plans_of
from romans_agents.romans_go_home.rounds.opponent_model import OpponentModel
from romans_agents.specs.registry import make
from romans_env import Game, RomansGoHome
from romans_env.romans_go_home.state import States
from romans_training.measure.intervals import Estimate, mean_of_clusters

MOST_PARTIAL_PLANS = 10**6
"""So many that all of a policy's are followed."""
DROPPED = 1e-4
"""The probability of the lines, the least likely of a seat, that are left out: a return is off by twice as much at
most."""


def plan_regret(rival: OpponentModel, root: States, rng: np.random.Generator) -> float:
    """What the best plans win more than an agent's against them, as a return, in the mean of both seats.

    Args:
        rival: the agent.
        root: a game at the start of a round, shape (1,); what hands it has changes nothing.
        rng: of an agent whose plans are sampled.

    Raises:
        ValueError: another table than that of two players without neutral clans.
    """
    table = rival.rules.setup
    if not table.num_players == table.num_clans == 2:
        raise ValueError("plans are measured between two players without neutral clans, at the table 2+0")
    space, regret = PlanSpace(table), 0.0
    mixes = [space.weights_of(plans_of(rival, root, seat, rng, MOST_PARTIAL_PLANS)) for seat in range(2)]
    for seat in range(2):
        values = line_values(root, space, seat, mixes[1 - seat])
        regret += float(space.side.chances @ space.best(values) - values @ mixes[seat]) / 2
    return regret


def line_values(root: States, space: PlanSpace, seat: int, rival: Floats) -> Floats:
    """The return of a seat with every line, float64, shape (n,), against probabilities of the rival's lines."""
    order = np.argsort(-rival, kind="stable")
    likely = np.sort(order[: int((np.cumsum(rival[order]) < 1.0 - DROPPED).sum()) + 1])
    laid, weights = space.lines[likely], rival[likely] / rival[likely].sum()
    if seat == 0:
        return weighted_rows(np.ascontiguousarray(matrix_of(root, space.lines, laid).T), weights)
    return -weighted_rows(matrix_of(root, laid, space.lines), weights)


def round_regrets(
    spec: str, rules: RomansGoHome, num_games: int, on_progress: Callable[[int, int], object]
) -> tuple[list[Estimate], Estimate]:
    """Return the regret of an agent's plans, by number of the round and for all rounds of a game.

    Args:
        spec: of the agent.
        rules: of the games.
        num_games: how many, at least 2; which they are is fixed (`round_starts`).
        on_progress: called with the number of finished rounds and that of all.

    Raises:
        ValueError: as for `plan_regret`.
    """
    rival, rng = OpponentModel(make(spec, game=rules.name), rules), np.random.default_rng(0)
    starts = [round_starts(rules, seed) for seed in range(num_games)]
    regrets: list[list[float]] = [[] for _ in starts]
    for found, roots in zip(regrets, starts, strict=True):
        for root in roots:
            found.append(plan_regret(rival, root, rng))
            on_progress(sum(map(len, regrets)), sum(map(len, starts)))
    rounds = [[one for one in column if one is not None] for column in zip_longest(*regrets)]
    by_number = [mean_of_clusters(np.array(column)[:, None]) for column in rounds if len(column) > 1]
    return by_number, mean_of_clusters(np.array([[sum(game)] for game in regrets]))


def round_starts(rules: RomansGoHome, seed: int) -> list[States]:
    """The starts of the rounds of a game between `greedy` players: games of shape (1,)."""
    game, player = Game(rules, seed=seed), make("greedy", game=rules.name)
    starts: list[States] = []
    while (seat := game.seat_to_act) is not None:
        if len(starts) == game.states[0]["round_index"]:
            starts.append(game.states.copy())
        game.act(player.act(game.view(seat)))
    return starts
