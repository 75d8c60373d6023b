"""Distils the attack of a trained policy into a network that is small enough for rollouts.

    python -m recipes.rounds.distil_attack runs/attack_policy.npz

`legate` plays all seats, on several tables, with some rounds planned at random (`recipes.rounds.explored_games`). The
network learns its action probabilities in the phases of `romans_go_home.rounds.compiled.attack`, by cross entropy. The
program prints how often both have the same most likely action, on a tenth of the decisions that is kept for testing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from recipes.rounds.explored_games import ExploredGames, fit_options, played_parts
from romans_agents import PolicyAgent, make
from romans_agents.romans_go_home.rounds.compiled.attack import FIRST, NETWORK_PHASES, SECOND
from romans_env import Table
from romans_env.core.files import atomic_write
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.observation import OBSERVATION_SIZE

EPOCHS, MINIBATCH, LEARNING_RATE = 8, 2048, 3e-3
BETWEEN_TWO = 5
"""Factor by which more games are played on 2+0: they are short, and most searches are between two players."""
TEST_ONE_IN = 10


class Decisions(NamedTuple):
    """Decisions of the policy.

    Attributes:
        observations: int8, shape ``(n, observation_size)``.
        masks: int8, shape ``(n, num_actions)``.
        probabilities: the policy's probabilities: float32, shape ``(n, num_actions)``.
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    probabilities: npt.NDArray[np.float32]

    def rows(self, rows: slice) -> Decisions:
        """Return a part of the decisions."""
        return Decisions(self.observations[rows], self.masks[rows], self.probabilities[rows])


def play_decisions(agent: PolicyAgent, table: Table, num_games: int, seed: int) -> Decisions:
    """Return the policy's decisions in the phases of the network, from games with some random plans.

    Args:
        agent: the policy, which plays all seats.
        table: the setup of the games.
        num_games: the number of games; `BETWEEN_TWO` times as many on 2+0.
        seed: the random seed, except for the agent's.
    """
    found = []
    for again in range(BETWEEN_TWO if table.num_players == table.num_clans == 2 else 1):
        games = ExploredGames(agent, table, num_games, seed + again)
        for pending in games.play():
            rows = np.isin(games.states["phase"][pending.games], NETWORK_PHASES)
            observations, masks = pending.observations[rows], pending.masks[rows]
            found.append(Decisions(observations, masks, agent.policy.probabilities(observations, masks)))
    return together(found)


def together(parts: Sequence[Decisions]) -> Decisions:
    """Concatenate decisions."""
    return Decisions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class Net(nn.Module):
    """The network to fit, with two hidden layers and relu.

    Args:
        scale: factors for the entries of an observation: float32, shape ``(observation_size,)``.
    """

    def __init__(self, scale: npt.NDArray[np.float32]):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(scale.copy()))
        self.first, self.second = nn.Linear(OBSERVATION_SIZE, FIRST), nn.Linear(FIRST, SECOND)
        self.last = nn.Linear(SECOND, NUM_ACTIONS)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Compute the log-probabilities of the actions: float32, shape ``(n, num_actions)``."""
        first = functional.relu(self.first(observations.float() * self.scale))
        logits = self.last(functional.relu(self.second(first)))
        return functional.log_softmax(logits.masked_fill(masks == 0, -1e9), dim=1)

    def save(self, path: Path) -> None:
        """Write the file that `romans_agents.romans_go_home.rounds.round_networks` reads, the weights in float16."""
        arrays = {
            "first": self.first.weight.T * self.scale[:, None],
            "first_bias": self.first.bias,
            "second": self.second.weight.T,
            "second_bias": self.second.bias,
            "last": self.last.weight.T,
            "last_bias": self.last.bias,
        }
        halves: dict[str, Any] = {name: array.detach().numpy().astype(np.float16) for name, array in arrays.items()}
        with atomic_write(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **halves)


def fit(net: Net, decisions: Decisions, epochs: int) -> None:
    """Train the network on the decisions."""
    columns = [torch.from_numpy(column) for column in decisions]
    count = len(columns[0])
    optimizer = torch.optim.Adam(net.parameters())
    steps = max(2, epochs * -(-count // MINIBATCH))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps)
    for _ in range(epochs):
        for rows in torch.randperm(count).split(MINIBATCH):
            observations, masks, probabilities = (column[rows] for column in columns)
            loss = -(probabilities * net(observations, masks)).sum(dim=1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()


@torch.no_grad()
def agreement(net: Net, decisions: Decisions) -> float:
    """Return how often the network and the policy have the same most likely action, from 0 to 1."""
    found = net(torch.from_numpy(decisions.observations), torch.from_numpy(decisions.masks)).numpy()
    return float((found.argmax(axis=1) == decisions.probabilities.argmax(axis=1)).mean())


@click.command()
@fit_options
def main(to: Path, agent: str, games: int, threads: int, seed: int) -> None:
    """Fit the network that chooses in the attack of rollouts, and write it to the file TO."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    player = make(agent)
    if not isinstance(player, PolicyAgent):
        raise click.UsageError(f"{agent} is not a policy, so it has no probabilities to learn")
    player.seed(seed)
    learned, tested = list[Decisions](), dict[str, list[Decisions]]()
    for table, found in played_parts(play_decisions, player, games, seed):
        last = max(1, len(found.masks) // TEST_ONE_IN)
        learned.append(found.rows(slice(-last)))
        tested.setdefault(table, []).append(found.rows(slice(-last, None)))
    net = Net(player.policy.scale)
    fit(net, together(learned), EPOCHS)
    for name, parts in tested.items():
        decisions = together(parts)
        click.echo(f"{name}: agrees at {100 * agreement(net, decisions):.1f} % of {len(decisions.masks):,} decisions")
    net.save(to)
    click.echo(f"written: {to}")


if __name__ == "__main__":
    main()
