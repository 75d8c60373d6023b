"""Masked PPO in one file, in the style of CleanRL, against scripted opponents on the 2+0 table: torch and nothing else.

It is to be read from top to bottom, and changed. The policy is saved as a file that every agent spec takes:

    pip install "romans-env[train]"
    python examples/cleanrl_ppo.py --steps 1000000 --folder runs/cleanrl
    romans evaluate runs/cleanrl/policy.npz --against random,greedy

docs/other_stacks.md says what that reached.
"""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import click
import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import romans_env  # noqa: F401  (registers the environments)
from romans_agents.policy import Policy


def network(sizes: list[int], last_gain: float) -> nn.Sequential:
    """Linear layers with tanh between them, with orthogonal weights."""
    layers: list[nn.Module] = []
    for k, (inputs, outputs) in enumerate(pairwise(sizes), 1):
        is_last = k == len(sizes) - 1
        layer = nn.Linear(inputs, outputs)
        nn.init.orthogonal_(layer.weight, last_gain if is_last else 2**0.5)
        nn.init.zeros_(layer.bias)
        layers += [layer] if is_last else [layer, nn.Tanh()]
    return nn.Sequential(*layers)


class ActorCritic(nn.Module):
    """A policy over the legal actions, and a value, of the scaled observation."""

    def __init__(self, envs: gymnasium.vector.VectorEnv):
        super().__init__()
        space, actions = envs.single_observation_space, envs.single_action_space
        assert isinstance(space, gymnasium.spaces.Box) and isinstance(actions, gymnasium.spaces.Discrete)
        largest = np.maximum(np.abs(space.low), np.abs(space.high))
        self.scale = torch.as_tensor(1.0 / np.maximum(largest, 1), dtype=torch.float32)
        self.actor = network([space.shape[0], 128, 128, int(actions.n)], 0.01)
        self.critic = network([space.shape[0], 128, 128, 1], 1.0)

    def policy(self, observations: torch.Tensor, masks: torch.Tensor) -> Categorical:
        """The distribution of actions; an illegal one has probability 0."""
        return Categorical(logits=self.actor(observations * self.scale).masked_fill(~masks, -1e8))

    def value(self, observations: torch.Tensor) -> torch.Tensor:
        """The return to come: shape (n,)."""
        values: torch.Tensor = self.critic(observations * self.scale).squeeze(-1)
        return values

    def save(self, folder: Path) -> None:
        """Write ``policy.npz`` into the folder."""
        pi, vf = (
            [
                (layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy())
                for layer in net
                if isinstance(layer, nn.Linear)
            ]
            for net in (self.actor, self.critic)
        )
        meta = {"game": "romans-go-home", "activation": "tanh", "trained_with": "examples/cleanrl_ppo.py"}
        Policy(pi, vf, self.scale.numpy(), meta).save(folder / "policy.npz")


@click.command()
@click.option("--steps", default=1_000_000, show_default=True, help="Decisions of the learner.")
@click.option("--num-envs", default=256, show_default=True, help="Games played at once.")
@click.option("--num-steps", default=32, show_default=True, help="Decisions of each game between updates.")
@click.option("--epochs", default=4, show_default=True, help="Passes over each batch.")
@click.option("--minibatch", default=2048, show_default=True, help="Decisions of a minibatch.")
@click.option("--learning-rate", default=1e-3, show_default=True, help="It falls linearly to 0.")
@click.option("--gae-lambda", default=0.95, show_default=True, help="Of generalised advantage estimation.")
@click.option("--clip", default=0.2, show_default=True, help="Range of the probability ratio.")
@click.option("--entropy", default=0.01, show_default=True, help="Weight of the entropy.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("runs/cleanrl"), show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(
    steps: int,
    num_envs: int,
    num_steps: int,
    epochs: int,
    minibatch: int,
    learning_rate: float,
    gae_lambda: float,
    clip: float,
    entropy: float,
    folder: Path,
    seed: int,
) -> None:
    """Train a policy, and print the share of games that it wins while it explores."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # for networks this small a second thread mostly waits
    # The default, same-step autoreset: every row of a batch is a decision, and its mask that of this decision.
    envs = gymnasium.make_vec(
        "RomansGoHome-v0", num_envs, opponents=["greedy", "random"], mix_opponents=True, num_players=2
    )
    agent = ActorCritic(envs)
    observation, info = envs.reset(seed=seed)
    optimizer = torch.optim.Adam(agent.parameters(), lr=learning_rate, eps=1e-5)
    shape, num_actions = (num_steps, num_envs), len(info["action_mask"][0])
    observations = torch.zeros((*shape, agent.scale.numel()))
    masks = torch.zeros((*shape, num_actions), dtype=torch.bool)
    actions = torch.zeros(shape, dtype=torch.int64)
    log_probs, rewards, ends, values = (torch.zeros(shape) for _ in range(4))

    started, num_updates = time.monotonic(), max(1, steps // (num_steps * num_envs))
    for update in range(num_updates):
        optimizer.param_groups[0]["lr"] = learning_rate * (1 - update / num_updates)

        # -- play
        games = wins = 0
        with torch.no_grad():
            for t in range(num_steps):
                observations[t] = torch.as_tensor(observation, dtype=torch.float32)
                masks[t] = torch.as_tensor(info["action_mask"], dtype=torch.bool)
                policy = agent.policy(observations[t], masks[t])
                actions[t] = policy.sample()
                log_probs[t], values[t] = policy.log_prob(actions[t]), agent.value(observations[t])
                observation, reward, ended, _, info = envs.step(actions[t].numpy())
                rewards[t], ends[t] = torch.as_tensor(reward), torch.as_tensor(ended)
                if ended.any():
                    games, wins = games + int(ended.sum()), wins + int(info["final_info"]["won"].sum())

            # -- advantages; the discount is 1, because an episode is short and its reward at the end
            advantages, next_advantage = torch.zeros(shape), torch.zeros(num_envs)
            next_value = agent.value(torch.as_tensor(observation, dtype=torch.float32))
            for t in reversed(range(num_steps)):
                goes_on = 1.0 - ends[t]
                error = rewards[t] + goes_on * next_value - values[t]
                next_advantage = advantages[t] = error + gae_lambda * goes_on * next_advantage
                next_value = values[t]
            targets = (advantages + values).flatten()

        # -- learn
        flat = [tensor.flatten(0, 1) for tensor in (observations, masks, actions, log_probs, advantages)]
        for _ in range(epochs):
            for rows in torch.randperm(num_steps * num_envs).split(minibatch):
                seen, legal, chosen, old, advantage = (tensor[rows] for tensor in flat)
                policy = agent.policy(seen, legal)
                ratio = (policy.log_prob(chosen) - old).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                gain = torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()
                value_loss = (agent.value(seen) - targets[rows]).square().mean()
                loss = 0.5 * value_loss - gain - entropy * policy.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()

        decisions, seconds = (update + 1) * num_steps * num_envs, time.monotonic() - started
        print(f"{decisions:,} decisions, {seconds:.0f} s: wins {wins / max(1, games):.1%} while exploring", flush=True)
    agent.save(folder)
    print(f"written: {folder / 'policy.npz'}")


if __name__ == "__main__":
    main()
