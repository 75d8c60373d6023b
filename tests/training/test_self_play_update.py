"""The update of self-play is that of PPO: against stable-baselines3's, a page of plain torch, and known optima."""

import copy
import dataclasses

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger

from romans_env.core.games import spec_of
from romans_training.learn.config import TrainConfig
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.self_play.rollout import Rollout
from romans_training.learn.torch_networks import policy_arguments
from tests.training.rollouts import expected_advantages, random_rollout

RATE, ENTROPY, SEED = 3e-3, 0.2, 7
CONFIG = TrainConfig(
    setup={"num_players": 4},
    self_play=1.0,
    hidden_layers=(16, 8),
    minibatch_size=64,
    epochs=3,
    gamma=0.9,
    gae_lambda=0.7,
)
RULES = CONFIG.rules
SIZE, NUM_ACTIONS = RULES.observation_size, RULES.num_actions


def network(policy):
    """A policy of sb3-contrib, as it is, with the weights of the learner's."""
    space = spaces.Box(RULES.observation_low, RULES.observation_high, dtype=np.int8)
    arguments = policy_arguments(CONFIG.hidden_layers, RULES.observation_scale)
    made = MaskableActorCriticPolicy(space, spaces.Discrete(NUM_ACTIONS), lambda _: RATE, **arguments)
    made.load_state_dict(policy.state_dict())
    return made


def learner_and_columns(config, num_seats):
    """A learner and a rollout by an earlier policy of it; and its columns by the definition, which it has not seen.

    Of the probability ratios, many are beyond both bounds of PPO, with advantages of both signs.
    """
    torch.manual_seed(num_seats)
    rng, learner = np.random.default_rng(num_seats), Learner(RULES, config)
    with torch.no_grad():
        for name, weights in learner.magnet.named_parameters():
            weights += 0.3 * torch.randn_like(weights) * ("action_net" in name)
    others = 3 * SIZE if config.full_state_critic else 0
    made = {"like": SIZE, "num_actions": NUM_ACTIONS, "others": others, "num_games": 10, "num_seats": num_seats}
    rollout, stories = random_rollout(rng, lambda seen, masks, of: learner.decide(seen, masks, None, of), **made)
    rollout.log_probabilities += torch.from_numpy(rng.normal(0, 0.4, len(rollout.actions)).astype(np.float32))
    found = expected_advantages(stories, config.gamma, config.gae_lambda)
    rows = torch.tensor(sorted(found))
    names = ("observations", "masks", "actions", "log_probabilities", "values", *(["others"] if others else []))
    columns = {name: getattr(rollout, name)[rows] for name in names}
    columns["advantages"] = torch.tensor([found[row] for row in rows.tolist()], dtype=torch.float32)
    columns["returns"] = columns["values"] + columns["advantages"]
    return learner, rollout, columns


def minibatches(columns, size):
    """Those of an epoch in an order drawn by torch: a last one of less than half the size is left out."""
    order = torch.randperm(len(columns["actions"]))
    for first in range(0, len(order), size):
        rows = order[first : first + size]
        if 2 * len(rows) >= size:
            yield {name: column[rows] for name, column in columns.items()}


def beyond_the_bounds(batch, policy):
    """The ratios of a batch, and how many of each kind are beyond a bound: above or below, and the advantage's sign."""
    _, logs, _ = policy.evaluate_actions(batch["observations"], batch["actions"], batch["masks"])
    ratio, advantage = (logs - batch["log_probabilities"]).exp().detach(), batch["advantages"]
    above, gains = advantage > advantage.mean(), (ratio > 1.2, ratio < 0.8)
    return [int((beyond & sign).sum()) for beyond in gains for sign in (above, ~above)]


def loss_of(batch, policy, magnet, critic, config):
    """PPO's loss (Schulman et al. 2017, equations 7 and 9), with a KL divergence to the magnet."""
    values, logs, entropies = policy.evaluate_actions(batch["observations"], batch["actions"], batch["masks"])
    ratio, advantages = (logs - batch["log_probabilities"]).exp(), batch["advantages"]
    advantages = (advantages - advantages.mean()) / advantages.std()
    # Nothing is gained by a likelier action than 1.2 times, nor by one of less than 0.8: beyond, there is no gradient.
    bounded = torch.where(advantages > 0, ratio.clamp(max=1.2), ratio.clamp(min=0.8))
    loss = -(bounded * advantages).mean() + 0.5 * ((values[:, 0] - batch["returns"]) ** 2).mean()
    loss -= ENTROPY * entropies.mean()
    if critic is not None:
        loss += 0.5 * ((critic(batch["observations"], batch["others"]) - batch["returns"]) ** 2).mean()
    mine, its = (one.get_distribution(batch["observations"], batch["masks"]).distribution for one in (policy, magnet))
    return loss + config.magnet * torch.distributions.kl_divergence(mine, its).mean()


def learn_by_the_reference(learner, columns, config):
    """The update of a copy of the learner in plain torch: its networks, and the norms before they were clipped."""
    policy, magnet, critic = network(learner.policy), network(learner.magnet), copy.deepcopy(learner.critic)
    parts = [policy] if critic is None else [policy, critic]
    magnet.requires_grad_(False)
    optimizer = torch.optim.Adam([one for part in parts for one in part.parameters()], lr=RATE, eps=1e-5)
    norms, began = [], copy.deepcopy(policy)
    torch.manual_seed(SEED)
    for _ in range(config.epochs):
        for batch in minibatches(columns, config.minibatch_size):
            optimizer.zero_grad()
            loss_of(batch, policy, magnet, critic, config).backward()
            norms += [float(torch.nn.utils.clip_grad_norm_(part.parameters(), 0.5)) for part in parts]
            optimizer.step()
    assert len(norms) >= 6 and max(norms) > 0.5
    assert not all(map(torch.equal, began.parameters(), policy.parameters()))
    kept = np.exp(-len(columns["actions"]) / config.magnet_horizon)
    with torch.no_grad():
        for its, mine in zip(magnet.parameters(), policy.parameters(), strict=True):
            its.copy_(kept * its + (1 - kept) * mine)
    return [*parts, magnet]


def assert_same(ours, theirs):
    """Weights and the gradients of the last minibatch are equal."""
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=2e-6)
        if one.grad is not None or other.grad is not None:
            torch.testing.assert_close(one.grad, other.grad, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("num_seats", [2, 3, 4])
@pytest.mark.parametrize(
    "changes",
    [{}, {"magnet": 0.5, "magnet_horizon": 300}, {"full_state_critic": True}, {"minibatch_size": 300, "epochs": 6}],
    ids=str,
)
def test_the_update_equals_a_short_reference_in_torch(changes, num_seats):
    config = dataclasses.replace(CONFIG, **changes)
    learner, rollout, columns = learner_and_columns(config, num_seats)
    assert min(beyond_the_bounds(columns, learner.policy)) > 10
    expected = learn_by_the_reference(learner, columns, config)
    torch.manual_seed(SEED)
    learner.learn([rollout], RATE, ENTROPY)
    ours = [learner.policy, *([] if learner.critic is None else [learner.critic]), learner.magnet]
    for one, other in zip(ours, expected, strict=True):
        assert_same(one, other)


class Buffer:
    """Hands columns to stable-baselines3 in the minibatches that the learner takes."""

    def __init__(self, columns):
        self._columns = columns
        self.values, self.returns = columns["values"].numpy(), columns["returns"].numpy()

    def get(self, size):
        names = ("observations", "actions", "values", "log_probabilities", "advantages", "returns", "masks")
        for batch in minibatches(self._columns, size):
            yield MaskableRolloutBufferSamples(*(batch[name] for name in names))


def test_the_update_and_its_figures_are_those_of_maskable_ppo():
    learner, rollout, columns = learner_and_columns(CONFIG, num_seats=3)
    model = MaskablePPO(
        MaskableActorCriticPolicy,
        gymnasium.make(spec_of(CONFIG.game).env_id, opponents=["random"]),
        learning_rate=RATE,
        ent_coef=ENTROPY,
        n_steps=CONFIG.minibatch_size,
        batch_size=CONFIG.minibatch_size,
        n_epochs=CONFIG.epochs,
        policy_kwargs=policy_arguments(CONFIG.hidden_layers, RULES.observation_scale),
        device="cpu",
    )
    model.policy.load_state_dict(learner.policy.state_dict())
    model.rollout_buffer = Buffer(columns)
    model.set_logger(Logger(folder=None, output_formats=[]))
    torch.manual_seed(SEED)
    model.train()
    torch.manual_seed(SEED)
    figures = learner.learn([rollout], RATE, ENTROPY)
    assert_same(learner.policy, model.policy)
    logged = {name.partition("/")[2]: float(value) for name, value in model.logger.name_to_value.items()}
    same = ("value_loss", "clip_fraction", "explained_variance")
    expected = {name: logged[name] for name in same} | {
        "policy_loss": logged["policy_gradient_loss"],
        "entropy": -logged["entropy_loss"],
    }
    assert {name: figures[name] for name in expected} == pytest.approx(expected, rel=1e-3)


ARMS, WORTH = [5, 17, 40], np.array([1.0, 0.25, -1.0])
"""The legal actions of a bandit, and the returns they bring."""


def optimum(entropy, magnet, rho):
    """The probabilities at which no update is expected to change anything.

    With normalised advantages A, and the KL divergence to rho, they are in proportion to
    rho ** (magnet / weight) * exp(A / weight), where weight = entropy + magnet (Sokota et al. 2023).
    """
    found, weight = np.ones(len(ARMS)) / len(ARMS), entropy + magnet
    for _ in range(500):
        mean = found @ WORTH
        advantages = (WORTH - mean) / np.sqrt(found @ (WORTH - mean) ** 2)
        logs = (advantages + magnet * np.log(rho)) / weight
        found = 0.8 * found + 0.2 * np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum()
    return found


def bandit_rollout(learner, rng, num_seats, size):
    """One decision in each game, whose seat has what its action is worth; the others share the opposite."""
    observations = np.zeros((size, SIZE), dtype=np.int8)
    masks = np.zeros((size, NUM_ACTIONS), dtype=bool)
    masks[:, ARMS] = True
    decided, seats = learner.decide(observations, masks), rng.integers(num_seats, size=size).astype(np.int8)
    own = WORTH[np.searchsorted(ARMS, decided[0])].astype(np.float32)
    rewards = np.repeat(-own[:, None] / max(1, num_seats - 1), num_seats, axis=1)
    rewards[np.arange(size), seats] = own
    rollout = Rollout(1, size, num_seats, RULES.observation_low, NUM_ACTIONS)
    rollout.add_turn(np.arange(size), seats, decided, observations, masks, rewards, np.ones(size, dtype=bool))
    return rollout


STANDS_STILL, FOLLOWS = 10**12, 500


@pytest.mark.parametrize(
    ("num_seats", "entropy", "magnet", "horizon"),
    [
        (2, 2.0, 0.0, STANDS_STILL),
        (3, 2.0, 2.0, STANDS_STILL),
        (4, 0.0, 3.0, STANDS_STILL),
        (3, 0.0, 0.0, FOLLOWS),
        (4, 0.0, 1.0, FOLLOWS),
    ],
)
def test_the_probabilities_of_a_bandit_approach_the_optimum(num_seats, entropy, magnet, horizon):
    torch.manual_seed(num_seats)
    settings = {"magnet": magnet, "magnet_horizon": horizon, "hidden_layers": (4,), "minibatch_size": 256, "epochs": 1}
    learner, rng = Learner(RULES, dataclasses.replace(CONFIG, **settings)), np.random.default_rng(num_seats)
    with torch.no_grad():
        learner.magnet.action_net.bias[ARMS] += torch.tensor([0.0, 1.0, 0.5])
    rollout = bandit_rollout(learner, rng, num_seats, 1)

    def probabilities(policy):
        with torch.no_grad():
            return policy.get_distribution(rollout.observations, rollout.masks).distribution.probs[0, ARMS].numpy()

    rho = probabilities(learner.magnet)
    for update in range(60):
        learner.learn([bandit_rollout(learner, rng, num_seats, 512)], 0.03 if update < 40 else 0.003, entropy)
    expected = [1.0, 0.0, 0.0] if horizon == FOLLOWS else optimum(entropy, magnet, rho)
    np.testing.assert_allclose(probabilities(learner.policy), expected, atol=0.05)
