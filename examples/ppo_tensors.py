"""Masked PPO on one page, with tensors: observations, masks and actions stay on the device of the network.

The games are divided into two halves: threads step one half while the device decides for the other. With
``--device cpu`` it is plain PPO; on a GPU use many games (docs/research/on_a_gpu.md). The policy file that it writes
can be used as an agent spec:

    pip install "romans-env[train]"
    python examples/ppo_tensors.py --steps 1000000 --folder runs/tensors
    python examples/ppo_tensors.py --opponents greedy,legate-1
    python examples/ppo_tensors.py --game roma --device cuda --num-envs 16384 --minibatch 65536 --threads 14
"""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import torch
from torch import nn
from torch.nn.functional import log_softmax

from romans_agents.policies.policy import Policy
from romans_env.core.games import spec_of
from romans_training import TensorVectorEnv
from romans_training.cli.options import SpecsType
from romans_training.learn.torch_networks import layers_of


class ActorCritic(nn.Module):
    """A network that computes a policy over the legal actions, and a value, from the scaled observation."""

    def __init__(self, scale: torch.Tensor, num_actions: int):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", scale)
        self.actor, self.critic = self.network(num_actions, 0.01), self.network(1, 1.0)

    def network(self, outputs: int, last_gain: float) -> nn.Sequential:
        """Create linear layers with tanh between them and orthogonal initial weights."""
        layers = [nn.Linear(*sizes) for sizes in pairwise([len(self.scale), 128, 128, outputs])]
        for layer in layers:
            nn.init.orthogonal_(layer.weight, last_gain if layer is layers[-1] else 2**0.5)
            nn.init.zeros_(layer.bias)
        return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Compute log-probabilities of the actions, and values."""
        inputs = seen * self.scale
        return log_softmax(self.actor(inputs).masked_fill(~legal, -1e8), dim=1), self.critic(inputs)[:, 0]

    def save(self, folder: Path, game: str) -> None:
        """Write ``policy.npz`` into the folder."""
        meta = {"game": game, "activation": "tanh", "trained_with": "examples/ppo_tensors.py"}
        policy = Policy(layers_of(self.actor), layers_of(self.critic), self.scale.cpu().numpy(), meta)
        policy.save(folder / "policy.npz")
        print(f"written: {folder / 'policy.npz'}")


def learn(agent: ActorCritic, optimizer: Any, columns: Any, epochs: int, minibatch: int, entropy: float) -> None:
    """Train by PPO for some passes over a batch of decisions, in minibatches."""
    for _ in range(epochs):
        for rows in torch.randperm(len(columns[0]), device=columns[0].device).split(minibatch):
            seen, legal, chosen, old, advantage, target = (column[rows] for column in columns)
            log_probs, value = agent(seen, legal)
            ratio = (log_probs.gather(1, chosen[:, None])[:, 0] - old).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            uncertainty = -(log_probs.exp() * log_probs).sum(dim=1).mean()
            loss = 0.5 * (value - target).square().mean() - gain - entropy * uncertainty
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


@click.command()
@click.option("--game", default="romans-go-home", show_default=True, help="Name of the game.")
@click.option("--opponents", type=SpecsType(), help="Agent specs, sampled for every game.  [default: the game's pool]")
@click.option("--device", default="cpu", show_default=True, help="Device of the network: cpu, cuda, cuda:1.")
@click.option("--threads", default=1, show_default=True, help="Threads that step the games.")
@click.option("--steps", default=1_000_000, show_default=True, help="Decisions of the learner.")
@click.option("--num-envs", default=256, show_default=True, help="Games played at once, an even number.")
@click.option("--num-steps", default=32, show_default=True, help="Decisions of each game between updates.")
@click.option("--epochs", default=4, show_default=True, help="Passes over each batch.")
@click.option("--minibatch", default=2048, show_default=True, help="Decisions per minibatch.")
@click.option("--learning-rate", default=1e-3, show_default=True, help="Initial learning rate; decreases to 0.")
@click.option("--entropy", default=0.01, show_default=True, help="Weight of the entropy bonus.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("runs/tensors"), show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(
    game: str,
    opponents: tuple[str, ...] | None,
    device: str,
    threads: int,
    steps: int,
    num_envs: int,
    num_steps: int,
    epochs: int,
    minibatch: int,
    learning_rate: float,
    entropy: float,
    folder: Path,
    seed: int,
) -> None:
    """Train a policy against opponents, and print its share of wins during training."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # of a processor's network: for one this small a second thread mostly waits
    torch.set_float32_matmul_precision("high")
    rules = spec_of(game).make_rules()
    pool: dict[str, Any] = {}
    if opponents is not None:
        pool = {"opponents": opponents, "mix_opponents": True, "num_players": rules.num_players}
    halves = [TensorVectorEnv(num_envs // 2, device=device, threads=threads, game=game, **pool) for _ in range(2)]
    size, num_actions, shape = rules.observation_size, rules.num_actions, (num_steps, num_envs)
    agent = ActorCritic(torch.from_numpy(rules.observation_scale.copy()), num_actions).to(device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=learning_rate, eps=1e-5)
    given = [half.reset(seed=seed + k * half.num_envs) for k, half in enumerate(halves)]
    now = [(observations, info["action_mask"]) for observations, info in given]
    observations = torch.zeros((*shape, size), dtype=now[0][0].dtype, device=device)
    masks = torch.zeros((*shape, num_actions), dtype=torch.bool, device=device)
    actions = torch.zeros(shape, dtype=torch.int64, device=device)
    logs, rewards, ends, values = (torch.zeros(shape, device=device) for _ in range(4))
    columns = slice(0, num_envs // 2), slice(num_envs // 2, num_envs)

    started, num_updates = time.monotonic(), max(1, steps // (num_steps * num_envs))
    for update in range(num_updates):
        optimizer.param_groups[0]["lr"] = learning_rate * (1 - update / num_updates)

        # -- play: only recv waits for the device, because it needs the actions
        games = wins = 0
        with torch.no_grad():
            for t in range(num_steps + 1):
                for k, (half, own) in enumerate(zip(halves, columns, strict=True)):
                    if t:
                        seen, rewards[t - 1, own], ends[t - 1, own], _, info = half.recv()
                        now[k] = seen, info["action_mask"]
                        if "final_info" in info:
                            games += int(info["_final_info"].sum())
                            wins += int(info["final_info"]["won"].sum())
                    if t < num_steps:
                        observations[t, own], masks[t, own] = now[k]
                        log_probs, values[t, own] = agent(*now[k])
                        # The minimum of exponential variables with the probabilities as rates is a sample from them.
                        chosen = (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(dim=1)
                        half.send(chosen)
                        actions[t, own], logs[t, own] = chosen, log_probs.gather(1, chosen[:, None])[:, 0]

            # -- advantages; the discount is 1, because an episode ends with its reward
            next_value, advantages = torch.cat([agent(*one)[1] for one in now]), torch.zeros_like(values)
            advantage = torch.zeros_like(next_value)
            for t in reversed(range(num_steps)):
                expected = (1.0 - ends[t]) * (next_value + 0.95 * advantage)
                advantage = advantages[t] = rewards[t] + expected - values[t]
                next_value = values[t]

        kept = (observations, masks, actions, logs, advantages, advantages + values)
        learn(agent, optimizer, [one.flatten(0, 1) for one in kept], epochs, minibatch, entropy)
        decisions, seconds = (update + 1) * num_steps * num_envs, time.monotonic() - started
        print(f"{decisions:,} decisions, {seconds:.0f} s: wins {wins / max(1, games):.1%} while exploring", flush=True)
    agent.save(folder, game)


if __name__ == "__main__":
    main()
