"""Players for tests, and games between them."""

import hashlib

from romans_agents import RandomAgent
from romans_agents.batches.arena import Arena
from romans_agents.romans_go_home.rounds.responder import ResponseBudget
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import RomansGoHome, Table
from tests.envs.playing import Chooser
from tests.romans_go_home.stages import COVERING, new_game
from tests.tools import dealt, play, state_bytes

LITTLE = ResponseBudget(first_samples=4, second_plans=20, second_samples=8, last_plans=4, samples=20, most=4000)
"""What a best responder computes in a test."""


def arena(table, players, seeds):
    """Games of the deals of ``seeds``, played to their ends: ``players`` has the agents of every game."""
    rules = RomansGoHome(Table(*table))
    states = dealt(rules, seeds)
    for _ in Arena(rules, states, players, seeds).play():
        pass
    assert all(rules.is_over(states, i) for i in range(len(seeds)))
    return rules, states


def greedy_digest():
    """A digest of games that `greedy` plays."""
    digest = hashlib.sha256()
    for table in COVERING[::2]:
        digest.update(state_bytes(play(new_game(table, seed=7), GreedyAgent(), Chooser())))
        digest.update(arena(table, [([GreedyAgent(), RandomAgent()] * 2)[: table[0]]], [8])[1].tobytes())
    return digest.hexdigest()
