"""The game-neutral searches in a game whose chance is the deal; tests/suites and tests/toy play them in others."""

import numpy as np
import pytest

from romans_agents.flat_mc import FlatMCAgent
from romans_agents.loops.tree import Tree
from romans_agents.mo_ismcts import MOISMCTSAgent
from romans_agents.search import scratch_for, search_loops_of, streams_for
from romans_env import Game, RomansGoHome, Table

RULES = RomansGoHome(Table())


@pytest.mark.parametrize(("make", "table"), [(FlatMCAgent, (3, 1)), (MOISMCTSAgent, (1, 1))])
def test_a_choice_is_a_function_of_seed_and_view(make, table):
    game = Game(RomansGoHome(Table(*table)), seed=3)
    while not game.is_over:
        view = game.view(game.seat_to_act)
        before = view.states.tobytes()
        action = make(iterations=8, seed=5).act(view)
        assert action in view.legal_actions()
        assert action == make(iterations=8, seed=5).act(view)
        assert view.states.tobytes() == before
        game.act(action)


def test_a_full_tree_grows_no_further():
    view = Game(RULES, seed=2).view(0)
    records, hashed, words = scratch_for(view.states)
    tree = Tree.new(4, 24)
    search_loops_of(RULES).iterate(
        records, hashed, 0, tree, RULES.num_actions, 1.0, 200, streams_for(view, 7, 1), words
    )
    assert tree.used[0] <= 24
    assert np.count_nonzero(tree.keys) <= 4
    assert tree.visits.sum() >= 200
