"""The compiled networks of the policy of Roma in the package, and the search of one's own turn on top of it."""

import numpy as np
import pytest

import romans_agents
from romans_agents.loops.compiled_networks import last_hidden, likeliest, networks_of, output, value_of
from tests.roma.stages import new_game, played


def test_the_compiled_networks_are_those_of_the_policy():
    policy = romans_agents.make("quaestor", game="roma").policy
    networks = networks_of(policy)
    for seed in range(5):
        game = played(new_game(seed), seed, 30)
        view = game.view(game.seat_to_act)
        x, at = last_hidden(view.observation, networks.scale, networks.pi, networks.is_tanh)
        logits = policy.logits(view.observation[None])[0]
        found = [output(x, at, networks.pi, k) for k in range(len(logits))]
        assert np.allclose(found, logits, rtol=1e-3, atol=1e-3)
        value = np.clip(policy.values(view.observation[None])[0], -1.0, 1.0)
        assert value_of(view.observation, networks) == pytest.approx(value, abs=1e-3)
        legal = np.array(view.legal_actions(), dtype=np.int64)
        assert likeliest(view.observation, networks, legal, len(legal)) == legal[logits[legal].argmax()]


def sums_of(agent, view, actions, count):
    """Sums of what rollouts of actions are worth."""
    sums = np.zeros(len(actions))
    agent.rollouts(view, actions)(sums, count)
    return sums


def test_without_weight_of_the_value_policy_rollouts_play_the_policy():
    policy = romans_agents.make("quaestor", game="roma")
    rollouts = romans_agents.make("policy-rollouts:iterations=12,value_weight=0", game="roma")
    wide = romans_agents.make("policy-rollouts:candidates=301,prior_floor=0.5", game="roma")
    for seed in range(8):
        game = played(new_game(seed), seed, 3 * seed)
        view = game.view(game.seat_to_act)
        assert rollouts.act(view) == policy.act(view)
        actions, scores = wide.candidates(view)
        assert set(actions) == set(view.legal_actions()) and actions[0] == policy.act(view)
        assert scores[0] == scores.max() <= scores.min() + np.log(2.0) + 1e-6


def test_the_value_decides_where_its_weight_is_large():
    game = played(new_game(2), 2, 20)
    view = game.view(game.seat_to_act)
    heavy = romans_agents.make("policy-rollouts:iterations=60,value_weight=1e9,seed=1", game="roma")
    compared, _ = heavy.candidates(view)
    assert heavy.act(view) == compared[sums_of(heavy, view, compared, 60 // len(compared)).argmax()]


def test_a_rollout_is_worth_the_mean_over_its_changes_and_at_last_the_end_of_the_game():
    game, agent, totals = played(new_game(5), 5, 12), romans_agents.make("policy-rollouts:seed=1", game="roma"), []
    view = game.view(game.seat_to_act)
    for agent.turns in range(1, 40):
        totals.append(agent.turns * sums_of(agent, view, np.array(view.legal_actions()[:3]), 1))
    said = np.diff(totals, axis=0)
    assert (np.abs(said) <= 1.0 + 1e-6).all() and np.unique(said[:4]).size > 6
    assert set(np.abs(said[-1]).round(6)) <= {0.0, 1.0} and (said[-1] == said[-2]).all()
