"""Fits the value of a game between two rounds to the results of games of a trained policy.

    python -m recipes.rounds.fit_round_values runs/round_values.npz

`legate` plays all seats, on several tables, with some rounds planned at random (`recipes.rounds.explored_games`); a
position is used if no later plan is random. The network (`romans_agents.romans_go_home.rounds.compiled.values`) learns
the players' shares of the win by cross entropy. The program prints the cross entropy of the fit and of the heuristic
value, on a tenth of the games that is kept for testing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from recipes.rounds.explored_games import ExploredGames, fit_options, played_parts
from recipes.rounds.kernels import heuristic_values, value_inputs
from romans_agents import BatchAgent, make
from romans_agents.romans_go_home.rounds.compiled.values import HIDDEN, NUM_INPUTS
from romans_env import Table
from romans_env.core.files import atomic_write
from romans_env.romans_go_home.state import States

EPOCHS, MINIBATCH, LEARNING_RATE = 8, 2048, 1e-2
TEST_ONE_IN = 10
_LEAST_SHARE = 1e-4
"""Smaller shares by the heuristic value are raised to this one."""


class Examples(NamedTuple):
    """Positions between two rounds, from games on one table.

    Attributes:
        inputs: the network's inputs for every player: float32, shape ``(n, players, NUM_INPUTS)``.
        shares: the players' shares of the win at the end, which sum to 1: float32, shape ``(n, players)``.
        heuristic: the shares by the heuristic value: float32, shape ``(n, players)``.
    """

    inputs: npt.NDArray[np.float32]
    shares: npt.NDArray[np.float32]
    heuristic: npt.NDArray[np.float32]


def play_examples(agent: BatchAgent, table: Table, num_games: int, seed: int) -> Examples:
    """Play games to their ends, and return their positions between rounds.

    Args:
        agent: the agent on all seats.
        table: the setup of the games.
        num_games: the number of games.
        seed: the random seed, except for the agent's.
    """
    games = ExploredGames(agent, table, num_games, seed)
    kept = [(games.states[:0].copy(), np.zeros(0, dtype=np.int64))]
    for _ in games.play():
        begun = games.begun[(games.rounds_of(games.begun) > 0) & games.is_settled(games.begun)]
        kept.append((games.states[begun].copy(), begun))
    states, numbers = (np.concatenate(column) for column in zip(*kept, strict=True))
    inputs = np.empty((len(states), table.num_players, NUM_INPUTS), dtype=np.float32)
    value_inputs(states, inputs)
    return Examples(inputs, _shares(games.returns()[numbers]), _heuristic_shares(states, table.num_players))


def together(parts: Sequence[Examples]) -> Examples:
    """Concatenate examples."""
    return Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def num_players(examples: Examples) -> int:
    return examples.shares.shape[1]


def _shares(returns: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Convert returns (RULES 7.4), shape ``(n, players)``, into shares of the win, of the same shape."""
    players = returns.shape[1]
    return np.asarray(((players - 1) * returns + 1) / players, dtype=np.float32)


def _heuristic_shares(states: States, players: int) -> npt.NDArray[np.float32]:
    returns = np.empty((players, len(states)))
    for player in range(players):
        heuristic_values(states, player, returns[player])
    return _shares(returns.T.astype(np.float32))


class Net(nn.Module):
    """The network to fit."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(NUM_INPUTS, HIDDEN), nn.Linear(HIDDEN, 1, bias=False)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Compute log-shares of the win, shape ``(n, players)``, from inputs, shape ``(n, players, NUM_INPUTS)``."""
        numbers: torch.Tensor = self.last(functional.relu(self.first(inputs)))[..., 0]
        return functional.log_softmax(numbers, dim=1)

    def save(self, path: Path) -> None:
        """Write the file that `romans_agents.romans_go_home.rounds.round_networks` reads."""
        weights = (self.first.weight.T, self.first.bias, self.last.weight[0])
        first, bias, last = (weight.detach().numpy() for weight in weights)
        with atomic_write(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, first=first, bias=bias, last=last)


def fit(net: Net, examples: list[Examples], epochs: int) -> None:
    """Train the network on the examples of several tables, in random order."""
    columns = [(torch.from_numpy(one.inputs), torch.from_numpy(one.shares)) for one in examples]
    optimizer = torch.optim.Adam(net.parameters())
    steps = epochs * sum(-(-len(shares) // MINIBATCH) for _, shares in columns)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=max(2, steps))
    for _ in range(epochs):
        parts = [(k, rows) for k, (_, shares) in enumerate(columns) for rows in _minibatches(len(shares))]
        for number in torch.randperm(len(parts)).tolist():
            k, rows = parts[number]
            inputs, shares = (column[rows] for column in columns[k])
            loss = -(shares * net(inputs)).sum(dim=1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()


def _minibatches(count: int) -> tuple[torch.Tensor, ...]:
    return torch.randperm(count).split(MINIBATCH)


@torch.no_grad()
def cross_entropies(net: Net, examples: Examples) -> tuple[float, float]:
    """Return the mean cross entropy, in nats, of the fit and of the heuristic value."""
    logs = net(torch.from_numpy(examples.inputs)).numpy(), np.log(np.maximum(examples.heuristic, _LEAST_SHARE))
    fitted, heuristic = (-float((examples.shares * one).sum(axis=1).mean()) for one in logs)
    return fitted, heuristic


@click.command()
@fit_options
def main(to: Path, agent: str, games: int, threads: int, seed: int) -> None:
    """Fit the network that evaluates the ends of rounds in searches, and write it to the file TO."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    player = make(agent)
    if not isinstance(player, BatchAgent):
        raise click.UsageError(f"{agent} is not a policy: only those choose for many games at once")
    player.seed(seed)
    learned, tested = list[Examples](), dict[str, list[Examples]]()
    for table, found in played_parts(play_examples, player, games, seed):
        last = max(1, len(found.shares) // TEST_ONE_IN)
        learned.append(Examples(*(column[:-last] for column in found)))
        tested.setdefault(table, []).append(Examples(*(column[-last:] for column in found)))
    net = Net()
    fit(net, [together(list(parts)) for _, parts in groupby(sorted(learned, key=num_players), num_players)], EPOCHS)
    for name, parts in tested.items():
        fitted, heuristic = cross_entropies(net, together(parts))
        click.echo(f"{name}: cross entropy {fitted:.4f}, of the heuristic {heuristic:.4f}")
    net.save(to)
    click.echo(f"written: {to}")


if __name__ == "__main__":
    main()
