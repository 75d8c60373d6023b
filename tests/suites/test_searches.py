"""What the searches of every game sample: each determinization has chance of its own, the same for all its actions."""

from itertools import groupby

import numpy as np
import pytest

from romans_agents import Policy
from romans_agents.loops import policy_loops, search_loops, uniform_evaluator
from romans_agents.loops.compiled_networks import networks_of
from romans_agents.loops.tree import Tree, hash_of
from romans_agents.searches.search import scratch_for, search_loops_of, streams_for
from romans_env.compiling.templates import bound
from romans_env.core.python_step import PythonStep
from romans_env.engine.random_stream import WORDS, next_word
from tests.harness import ROMANS_GO_HOME, each_game, each_setup
from tests.tools import decisions

pytestmark = [pytest.mark.usefixtures("toy"), pytest.mark.slow]

SAMPLES = 4


class Step(PythonStep):
    """Notes whose nodes are looked for, the states of the stream that hidden cards are drawn from, and chance.

    A record is redacted for the player that decides in it: a node of the tree is what that player knows.
    """

    def __init__(self, rules):
        super().__init__(rules)
        self.movers, self.starts, self.words = [], [], []

    def redact(self, states, i, seat):
        assert seat == self.seat_to_act(states, i)
        self.movers.append(int(seat))
        super().redact(states, i, seat)

    def determinize(self, states, view, target, viewer, streams, row):
        self.starts.append(streams[row].tolist())
        super().determinize(states, view, target, viewer, streams, row)

    def act(self, states, i, action, words):
        self.words.append(words[i].tolist())
        super().act(states, i, action, words)


class Noted:
    """An evaluator by which every player has the return of its seat, and which notes the chance that is to come."""

    def __init__(self):
        self.words, self.streams, self.starts = [], [], []

    def priors(self, states, i, actions, count, priors):
        priors[:count] = 1.0 / count

    def arrange_hidden(self, states, i, seat, streams):
        self.starts.append(streams[0].tolist())
        next_word(streams, 0)

    def evaluate(self, states, i, streams, words, returns):
        self.words.append(words[i].tolist())
        self.streams.append(streams[0].tolist())
        streams[:] += 1  # as rollouts, which draw from it
        returns[:] = np.arange(1, 1 + len(returns))


def before_another(game, **setup):
    """What a player may know at a decision that another player's follows."""
    for one in decisions(game.new_game(2, **setup), 2):
        view, after = one.view(one.seat_to_act), one.clone()
        if after.act(view.legal_actions()[0]) not in (view.seat, -1):
            break
    return view


def search_of(view):
    """Step functions, an evaluator, the search's loops over them, and what they take."""
    step, evaluator = Step(view.rules), Noted()
    return step, evaluator, bound(search_loops, game=step, evaluator=evaluator), scratch_for(view.states)


def words_from(start):
    """The chance words that are drawn from a state of a stream."""
    stream = np.array([start])
    return [int(next_word(stream, 0)) for _ in range(WORDS)]


def assert_drawn_anew(step, evaluator, chance):
    """Hidden cards, their arrangement and chance have numbers of their own, in every sample.

    Args:
        step: has noted where the hidden cards were drawn.
        evaluator: has noted where their arrangement was drawn; None: there is none.
        chance: the chance words of every sample.
    """
    starts = step.starts + (evaluator.starts if evaluator else [])
    assert len({*map(str, starts)}) == len(starts) and len({*map(str, chance)}) == len(chance) == len(step.starts)
    assert not {*map(str, chance)} & {str(words_from(start)) for start in starts}


@each_game
def test_actions_are_compared_under_the_same_chance_and_samples_are_not(game):
    view = before_another(game)
    step, evaluator, loops, (records, _, words) = search_of(view)
    actions = np.array(view.legal_actions()[:3])
    sums = np.zeros(len(actions))
    loops.compare(records, view.seat, actions, sums, SAMPLES, streams_for(view, 1, 2), words)
    assert sums.tolist() == [SAMPLES * (1 + view.seat)] * len(actions)
    for noted in (evaluator.words, evaluator.streams):
        by_sample = [noted[k : k + len(actions)] for k in range(0, len(noted), len(actions))]
        assert all(one == sample[0] for sample in by_sample for one in sample)
        assert len({str(sample[0]) for sample in by_sample}) == SAMPLES
    assert any(evaluator.words[0])
    assert_drawn_anew(step, evaluator, evaluator.words[:: len(actions)])


@each_game
def test_rollouts_of_a_policy_have_the_same_chance_for_all_actions_and_samples_have_not(game):
    view = before_another(game)
    step, size = Step(view.rules), view.observation.size
    records, _, words = scratch_for(view.states)
    actions, sums = np.array(view.legal_actions()[:3]), np.zeros(3)
    hidden = (np.zeros((1, size), dtype=np.float32), np.zeros(1))
    pi, vf = ([hidden, (np.zeros((width, 1)), np.zeros(width))] for width in (game.num_actions, 1))
    policy = Policy(pi, vf, np.ones(size, dtype=np.float32), {"activation": "tanh"})
    bound(policy_loops, game=step).evaluate_actions(
        records,
        view.seat,
        actions,
        sums[: len(actions)],
        SAMPLES,
        1,
        streams_for(view, 1, 1),
        words,
        np.empty_like(view.observation[None]),
        np.empty(game.num_actions, dtype=np.int64),
        networks_of(policy),
    )
    assert len({*map(str, step.words)}) == SAMPLES
    by_sample = [list(same) for _, same in groupby(step.words)]
    assert len(by_sample) == SAMPLES and min(map(len, by_sample)) >= len(actions)
    assert_drawn_anew(step, None, [sample[0] for sample in by_sample])


@each_game
def test_iterations_have_chance_of_their_own_and_a_node_the_returns_of_its_player(game):
    view = before_another(game)
    step, evaluator, loops, (records, hashed, words) = search_of(view)
    tree, iterations = Tree.new(1024, 2**16), 3 * len(view.legal_actions())
    loops.iterate(records, hashed, view.seat, tree, game.num_actions, 1.0, iterations, streams_for(view, 1, 1), words)
    assert len(evaluator.words) == len(set(map(str, evaluator.words))) == iterations
    assert_drawn_anew(step, evaluator, evaluator.words)
    visits, totals = np.zeros(game.num_actions, dtype=np.int64), np.zeros(game.num_actions)
    loops.root_counts(hashed, tree, visits, totals)
    assert visits.sum() == iterations and np.array_equal(totals, visits * (1 + view.seat))
    tried = tree.visits > 0
    assert len(set((tree.totals[tried] / tree.visits[tried]).tolist())) > 1


@each_setup
def test_an_iteration_adds_a_node_for_each_player_that_decides(game, setup):
    view = before_another(game, **setup)
    step, _, loops, (records, hashed, words) = search_of(view)
    tree, streams, nodes = Tree.new(1024, 2**16), streams_for(view, 1, 1), []
    for _ in range(20):
        del step.movers[:]
        loops.iterate(records, hashed, view.seat, tree, game.num_actions, 1.0, 1, streams, words)
        nodes.append(np.count_nonzero(tree.keys))
        added, players = np.diff([0, *nodes])[-1], set(step.movers)
        assert added <= len(players)
        # No node is there at first: every player adds one at its first decision, up to the second one of somebody.
        assert len(nodes) > 1 or added == len(step.movers) == len(players) >= min(2, view.rules.num_players)


@each_game
def test_rollouts_give_every_player_its_return(game):
    states, words = game.new_game(3, **game.short).states.copy(), np.ones((1, 4), dtype=np.int64)
    rules = game.rules(**game.short)
    returns = np.zeros(rules.num_players)
    bound(uniform_evaluator, game=PythonStep(rules)).evaluate(
        states, 0, np.ones((1, 4), dtype=np.int64), words, returns
    )
    assert returns.tolist() == [rules.game_return(states, 0, seat) for seat in range(rules.num_players)]
    assert len(set(returns.tolist())) > 1


@each_game
def test_what_a_search_draws_follows_from_all_that_is_seen(game):
    hashed = scratch_for(before_another(game).states)[1]
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
