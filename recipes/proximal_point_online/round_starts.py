"""Starts of rounds between two players, from games of a policy against several rivals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from romans_agents import Agent, PolicyAgent
from romans_agents.batches.self_play_batch import SelfPlayBatch
from romans_agents.loops.codes import LEARNER
from romans_agents.romans_go_home.rounds.attack import determinized
from romans_agents.romans_go_home.rounds.payoffs import public_start
from romans_env import RomansGoHome
from romans_env.romans_go_home.state import States

SELF_PLAY = 0.5
"""The share of games in which the policy plays both seats; in the others, a rival plays one."""


def round_starts(
    policy: PolicyAgent, rivals: Sequence[Agent], rules: RomansGoHome, num_games: int, seed: int
) -> States:
    """Play games of a policy, and return the starts of all their rounds with the common knowledge only.

    Args:
        policy: the policy; it plays both seats of half of the games, and one seat of the others.
        rivals: the agents on the other seats, equally often; if there are none, the policy plays all seats.
        rules: the game, with a setup for two players.
        num_games: the number of games.
        seed: the random seed of the games; the policy has its own.

    Returns:
        Full records, shape ``(n,)``, in which everything that is not common knowledge (`public_start`) is sampled anew;
        the rounds that a game does not reach are missing.
    """
    rng, games = np.random.default_rng(seed), np.arange(num_games)
    batch = SelfPlayBatch(num_games, rules, rivals, int(rng.integers(2**31)))
    line_ups = np.full((num_games, 2), LEARNER)
    if rivals:
        against = np.flatnonzero(rng.random(num_games) >= SELF_PLAY)
        line_ups[against, rng.integers(2, size=len(against))] = rng.integers(len(rivals), size=len(against))
    batch.start(games, line_ups)
    last_rounds, found = np.full(num_games, -1), []
    while len((pending := batch.pending()).games):
        rounds = batch.states["round_index"][pending.games].astype(np.int64)
        begun = pending.games[rounds > last_rounds[pending.games]]
        found += [public_start(batch.states[game : game + 1]) for game in begun]
        last_rounds[pending.games] = rounds
        batch.step(pending.games, policy.act_batch(pending.observations, pending.masks))
    return np.concatenate([_sampled(start, rng) for start in found])


def _sampled(start: States, rng: np.random.Generator) -> States:
    for seat in range(2):
        start = determinized(start, seat, 1, rng)
    return start
