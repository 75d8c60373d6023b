"""What the searches of every game sample: each determinization has chance of its own, the same for all its actions."""

import numpy as np
import pytest

from romans_agents.loops import search_loops, uniform_guide
from romans_agents.loops.tree import Tree, hash_of
from romans_agents.search import scratch_for, search_loops_of, streams_for
from romans_env.compiling.templates import bound
from romans_env.python_step import PythonStep
from tests.harness import ROMANS_GO_HOME, each_game
from tests.tools import decisions

pytestmark = [pytest.mark.usefixtures("toy"), pytest.mark.slow]

SAMPLES = 4


class Step(PythonStep):
    """A record is redacted for the player that decides in it: a node of the tree is what that player knows."""

    def redact(self, states, i, seat):
        assert seat == self.seat_to_act(states, i)
        super().redact(states, i, seat)


class Noted:
    """A guide by which every player has the return of its seat, and which notes the chance that is to come."""

    def __init__(self):
        self.words, self.streams = [], []

    def priors(self, states, i, actions, count, priors):
        priors[:count] = 1.0 / count

    def arrange_hidden(self, states, i, seat, streams):
        pass

    def evaluate(self, states, i, streams, words, returns):
        self.words.append(words[i].tolist())
        self.streams.append(streams[0].tolist())
        streams[:] += 1  # as rollouts, which draw from it
        returns[:] = np.arange(1, 1 + len(returns))


def search_of(game):
    """A decision that another player's follows, its guide and loops, and what they take."""
    for one in decisions(game.new_game(2), 2):
        view, after = one.view(one.seat_to_act), one.clone()
        if after.act(view.legal_actions()[0]) not in (view.seat, -1):
            break
    guide = Noted()
    return view, guide, bound(search_loops, game=Step(view.rules), guide=guide), scratch_for(view.states)


@each_game
def test_actions_are_compared_under_the_same_chance_and_samples_are_not(game):
    view, guide, loops, (records, _, words) = search_of(game)
    actions = np.array(view.legal_actions()[:3])
    sums = np.zeros(len(actions))
    loops.compare(records, view.seat, actions, sums, SAMPLES, streams_for(view, 1, 2), words)
    assert sums.tolist() == [SAMPLES * (1 + view.seat)] * len(actions)
    for noted in (guide.words, guide.streams):
        by_sample = [noted[k : k + len(actions)] for k in range(0, len(noted), len(actions))]
        assert all(one == sample[0] for sample in by_sample for one in sample)
        assert len({str(sample[0]) for sample in by_sample}) == SAMPLES
    assert any(guide.words[0])


@each_game
def test_iterations_have_chance_of_their_own_and_a_node_the_returns_of_its_player(game):
    view, guide, loops, (records, hashed, words) = search_of(game)
    tree, iterations = Tree.new(1024, 2**16), 3 * len(view.legal_actions())
    loops.iterate(records, hashed, view.seat, tree, game.num_actions, 1.0, iterations, streams_for(view, 1, 1), words)
    assert len(guide.words) == len(set(map(str, guide.words))) == iterations
    visits, totals = np.zeros(game.num_actions, dtype=np.int64), np.zeros(game.num_actions)
    loops.root_counts(hashed, tree, visits, totals)
    assert visits.sum() == iterations and np.array_equal(totals, visits * (1 + view.seat))
    tried = tree.visits > 0
    assert len(set((tree.totals[tried] / tree.visits[tried]).tolist())) > 1


@each_game
def test_rollouts_give_every_player_its_return(game):
    states, words = game.new_game(3, **game.short).states.copy(), np.ones((1, 4), dtype=np.int64)
    rules = game.rules(**game.short)
    returns = np.zeros(rules.num_players)
    bound(uniform_guide, game=PythonStep(rules)).evaluate(states, 0, np.ones((1, 4), dtype=np.int64), words, returns)
    assert returns.tolist() == [rules.game_return(states, 0, seat) for seat in range(rules.num_players)]
    assert len(set(returns.tolist())) > 1


@each_game
def test_what_a_search_draws_follows_from_all_that_is_seen(game):
    hashed = search_of(game)[3][1]
    found, streams = set(), set()
    for word in range(hashed.shape[1]):
        hashed[0, word] ^= 1
        found.add(int(hash_of(hashed, 0)))
        hashed[0, word] ^= 1
    assert len({*found, int(hash_of(hashed, 0))}) == hashed.shape[1] + 1
    for seat in range(2):
        streams.add(str(streams_for(game.new_game(2).view(seat), 1, 1).tolist()))
    assert len(streams) == 2


def test_a_full_tree_grows_no_further():
    view, tree = ROMANS_GO_HOME.new_game(2).view(0), Tree.new(4, 24)
    records, hashed, words = scratch_for(view.states)
    loops, streams = search_loops_of(view.rules), streams_for(view, 7, 1)
    loops.iterate(records, hashed, 0, tree, view.rules.num_actions, 1.0, 200, streams, words)
    assert tree.used[0] <= 24 and np.count_nonzero(tree.keys) <= 4
    assert tree.visits.sum() >= 200
