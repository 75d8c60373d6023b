"""The parts of MaskablePPO that are ours compute what sb3-contrib's own do."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from romans_env.envs.sb3 import RomansVecEnv
from romans_training.learn.masked_ppo import ILLEGAL_LOGIT, MaskedPolicy, MaskedRolloutBuffer, drawn
from romans_training.learn.torch_networks import policy_arguments


@pytest.fixture(scope="module")
def decisions():
    """Observations and masks from the middle of games."""
    env = RomansVecEnv(64, opponents=["random"], seed=1)
    observations, rng = env.reset(), np.random.default_rng(1)
    for _ in range(20):
        actions = [rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()]
        observations = env.step(np.array(actions))[0]
    return env, observations, env.action_masks()


@pytest.fixture
def policies(decisions):
    env = decisions[0]
    made = [
        kind(env.observation_space, env.action_space, lambda _: 1e-3, **policy_arguments((32, 32)))
        for kind in (MaskedPolicy, MaskableActorCriticPolicy)
    ]
    made[0].load_state_dict(made[1].state_dict())
    return made


@pytest.mark.parametrize(("bfloat16", "error"), [(False, 1e-4), (True, 0.1)])
def test_evaluations_and_their_gradients_are_those_of_sb3_contrib(decisions, policies, bfloat16, error):
    _, observations, masks = decisions
    policies[0].in_bfloat16 = bfloat16
    actions = torch.as_tensor(np.argmax(masks, axis=1))
    results, gradients = [], []
    for policy in policies:
        values, log_probabilities, entropy = policy.evaluate_actions(torch.as_tensor(observations), actions, masks)
        (values.sum() + (log_probabilities * torch.arange(64)).sum() + 3 * entropy.sum()).backward()
        results.append([part.flatten().detach().numpy() for part in (values, log_probabilities, entropy)])
        gradients.append([parameter.grad.numpy() for parameter in policy.parameters()])
    for ours, theirs in zip(results[0] + gradients[0], results[1] + gradients[1], strict=True):
        assert ours.dtype == np.float32 and np.linalg.norm(ours - theirs) <= error * np.linalg.norm(theirs)
    assert bfloat16 != np.allclose(results[0][0], results[1][0], rtol=1e-5)
    likeliest = [one(torch.as_tensor(observations), deterministic=True, action_masks=masks)[0] for one in policies]
    assert bfloat16 or torch.equal(*likeliest)


def test_actions_are_drawn_at_their_probabilities(decisions, policies):
    _, observations, masks = decisions
    torch.manual_seed(1)
    row = torch.as_tensor(np.repeat(observations[:1], 20_000, axis=0))
    with torch.no_grad():
        actions, _, log_probabilities = policies[0](row, action_masks=np.repeat(masks[:1], 20_000, axis=0))
        expected = policies[1].get_distribution(row[:1], masks[:1]).distribution.probs[0].numpy()
    np.testing.assert_allclose(np.bincount(actions, minlength=56) / 20_000, expected, atol=0.02)
    np.testing.assert_allclose(log_probabilities.exp(), expected[actions], rtol=1e-4)
    assert masks[0][actions].all()


@pytest.mark.parametrize("uniform", [0.0, 1 - 2**-24])
def test_what_is_drawn_is_legal_whatever_the_chance(uniform, monkeypatch):
    monkeypatch.setattr(torch.Tensor, "uniform_", lambda self, generator: self.fill_(uniform))
    assert drawn(torch.tensor([[ILLEGAL_LOGIT, 3.0, ILLEGAL_LOGIT]])).item() == 1


def test_minibatches_are_those_of_sb3_contrib(decisions):
    env = decisions[0]
    batches = []
    for kind in (MaskedRolloutBuffer, MaskableRolloutBuffer):
        rng = np.random.default_rng(3)
        buffer = kind(4, env.observation_space, env.action_space, "cpu", n_envs=64)
        for _ in range(4):
            seen, actions = rng.integers(0, 3, (64, *env.observation_space.shape)), rng.integers(0, 56, (64, 1))
            columns = rng.normal(size=64), rng.integers(0, 2, 64), *torch.as_tensor(rng.normal(size=(2, 64)))
            buffer.add(seen, actions, *columns, action_masks=rng.integers(0, 2, (64, 56)).astype(bool))
        buffer.compute_returns_and_advantage(torch.zeros(64), np.zeros(64))
        np.random.seed(5)  # noqa: NPY002
        batches.append([batch for _ in range(2) for batch in buffer.get(100)])
    assert [len(batch.actions) for batch in batches[0]] == [100, 100, 56] * 2
    for ours, theirs in zip(*batches, strict=True):
        normalized = (theirs.advantages - theirs.advantages.mean()) / (theirs.advantages.std() + 1e-8)
        expected = theirs._replace(advantages=normalized)  # as MaskablePPO's own update begins
        for name, column in ours._asdict().items():
            assert torch.equal(column.float(), getattr(expected, name).float()), name
