"""The game-neutral searches in a game whose chance is the deal; tests/suites and tests/toy play them in others."""

import numpy as np

from romans_agents.loops.tree import Tree
from romans_agents.search import scratch_for, search_loops_of, streams_for
from romans_env import Game, RomansGoHome, Table

RULES = RomansGoHome(Table())


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
