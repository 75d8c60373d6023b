"""Values of all actions of planning decisions, and how logits move by them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra: pip install '.[train]'")

import torch

from romans_env import Table
from romans_env.romans_go_home.actions import DISCARD, PLACE
from romans_training.romans_go_home.action_values import COMPLETIONS, tried_plans, values_of
from romans_training.romans_go_home.plan_updates import Reinforce, ReplicatorDynamics
from tests.policies import even_agent
from tests.romans_go_home.stages import new_game

TABLE = Table(2, 0)


def tried_at(root, seat=1, count=40, seed=1):
    return tried_plans(even_agent().policy.probabilities, root, seat, count, TABLE, np.random.default_rng(seed))


def round_start(seed=4):
    return new_game((2, 0), seed=seed).states.copy()


def laid_before(tried):
    """How many warriors are set aside or laid before each decision."""
    times = np.zeros(tried.masks.shape, dtype=int)
    np.add.at(times, (tried.decisions, tried.actions), 1)
    choices = tried.masks.sum(axis=1)
    return times, choices


@pytest.mark.parametrize("seat", [0, 1])
def test_every_legal_action_is_completed_and_no_other(seat):
    tried = tried_at(np.concatenate([round_start(1), round_start(2)]), seat)
    times, choices = laid_before(tried)
    assert ((times > 0) == (tried.masks == 1)).all()
    assert (choices >= 2).all()
    assert set(times[times > 0]) == set(COMPLETIONS)
    assert np.bincount(tried.games).min() > 35


def test_a_plan_goes_on_with_the_action_that_it_tries():
    tried = tried_at(round_start())
    setting_aside = tried.actions < PLACE
    assert setting_aside.any() and not setting_aside.all()
    assert (tried.plans[setting_aside, 6] == tried.actions[setting_aside] - DISCARD).all()
    for plan, action in zip(tried.plans[~setting_aside], tried.actions[~setting_aside], strict=True):
        assert action - PLACE in plan[:6]
    # All plans of a decision share the warriors before it; two completions are of three warriors left, one of two.
    times, _ = laid_before(tried)
    for decision in np.flatnonzero(tried.masks[:, PLACE:].any(axis=1)):
        plans = tried.plans[tried.decisions == decision]
        assert len(np.unique(plans[:, 6])) == 1
        laid = {2: 3, 1: 4}.get(int(times[decision].max()), 0)
        assert len(np.unique(plans[:, :laid], axis=0)) == 1


def test_decisions_are_reached_that_the_policy_would_not_reach():
    """A policy that is certain of everything reaches one decision of each depth for a hand."""

    def certain(observations, masks):
        return np.eye(masks.shape[1])[masks.argmax(axis=1)]

    tried = tried_plans(certain, round_start(), 0, 400, TABLE, np.random.default_rng(1))
    first = tried.plans[tried.actions >= PLACE]
    assert len(np.unique(first[:, 6])) > 3
    assert (tried.probabilities.max(axis=1) == 1.0).all()


def test_what_the_other_holds_changes_nothing():
    root = round_start()
    other, twin = round_start(9), root.copy()
    twin["hand"][0, 0], twin["dealt"][0, :, 0] = other["hand"][0, 0], other["dealt"][0, :, 0]
    assert twin.tobytes() != root.tobytes()
    one, two = (tried_at(states, seat=1) for states in (root, twin))
    assert np.array_equal(one.plans, two.plans)
    assert np.array_equal(one.observations, two.observations)


def test_a_value_is_the_mean_of_the_plans_with_the_action():
    tried = tried_at(round_start(), count=3)
    payoffs = np.random.default_rng(2).random(len(tried.plans))
    values = values_of(tried, payoffs)
    assert (values[tried.masks == 0] == 0).all()
    decision, action = tried.decisions[0], tried.actions[0]
    rows = (tried.decisions == decision) & (tried.actions == action)
    assert values[decision, action] == pytest.approx(payoffs[rows].mean())


def tensors(advantages, probabilities):
    values = torch.tensor([advantages]).float()
    masks = torch.tensor([[1] * len(advantages)], dtype=torch.int8)
    return values, torch.tensor([probabilities]).log(), masks


def test_replicator_dynamics_raises_a_good_action_that_is_hardly_drawn():
    values, logs, masks = tensors([0.3, 0.0, 0.0], [0.001, 0.5, 0.499])
    moved = ReplicatorDynamics(1).weights(values, logs, masks, entropy=0.0)
    assert moved[0].tolist() == pytest.approx([0.2, -0.1, -0.1])


def test_replicator_dynamics_rests_at_the_softmax_of_the_values():
    """Where the logarithm of a probability is its value divided by the entropy's weight, and a constant."""
    values = [0.05, -0.02, 0.01]
    probabilities = torch.tensor(values).div(0.02).softmax(dim=0).tolist()
    moved = ReplicatorDynamics(1).weights(*tensors(values, probabilities), entropy=0.02)
    assert moved[0].tolist() == pytest.approx([0.0] * 3, abs=1e-6)


def test_replicator_dynamics_leaves_illegal_and_very_unlikely_actions_where_they_are():
    values, logs, masks = tensors([-0.5, 0.1, 0.2, 0.0], [1e-6, 0.6, 0.4, 1e-9])
    masks[0, 3] = 0
    moved = ReplicatorDynamics(1).weights(values, logs, masks, entropy=0.0)[0]
    assert moved[0] == 0 and moved[3] == 0 and moved[2] > moved[1] > 0


def test_the_bonus_of_reinforce_has_the_gradient_of_the_entropy():
    logits = torch.tensor([[0.3, -1.0, 2.0]], requires_grad=True)
    logs = logits.log_softmax(dim=1)
    (-(logs.exp() * logs).sum()).backward()
    expected, logits.grad = logits.grad.clone(), None
    weights = Reinforce(1).weights(torch.zeros(1, 3), logs.detach(), torch.ones(1, 3, dtype=torch.int8), entropy=1.0)
    (weights * logits.log_softmax(dim=1)).sum().backward()
    assert logits.grad[0].tolist() == pytest.approx(expected[0].tolist(), abs=1e-6)
