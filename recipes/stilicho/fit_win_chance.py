"""Fits the win probability of `romans_agents.struggle.win_chance` to the results of games of `trader`.

    python -m recipes.stilicho.fit_win_chance runs/win_chance.npz

`trader` plays all seats, with one random action in thirty so that positions differ. At the start of some turns, every
seat's observation is kept, and later its share of the win. A logistic regression on these shares fits the slope and
offset for the log-odds by the heuristic value, and the network that is added to them, by AdamW (Loshchilov and Hutter
2019). Every round plays new games, which test the fit before it is trained on them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from recipes.stilicho.teacher import choose_each, write_inputs
from romans_agents.batches.self_play_batch import SelfPlayBatch
from romans_agents.loops.codes import LEARNER
from romans_agents.struggle.styles import STYLES, TRADER
from romans_env.core.files import atomic_write
from romans_env.struggle import StruggleForRome, StruggleSetup

SETUPS = (
    *[StruggleSetup()] * 5,
    StruggleSetup(num_players=3),
    StruggleSetup(player_trade=False),
    StruggleSetup(num_players=3, player_trade=False),
)
"""The setups of successive rounds."""
RANDOM_ACTIONS = 0.03
"""The share of random actions."""
MINIBATCH = 2048
LEARNING_RATE, LAST_LEARNING_RATE = 1e-3, 5e-5
LINE_LEARNING_RATE = 3e-3
WEIGHT_DECAY = 1e-3
_TESTED_AT_ONCE = 8192
_REPORT_EVERY = 8


class Examples(NamedTuple):
    """Positions from some games, each seen by one seat.

    Attributes:
        observations: int16, shape ``(n, observation_size)``.
        log_odds: the log-odds of a win by the heuristic value: float32, shape ``(n,)``.
        shares: the seat's share of the win at the end, from 0 to 1: float32, shape ``(n,)``.
    """

    observations: npt.NDArray[np.int16]
    log_odds: npt.NDArray[np.float32]
    shares: npt.NDArray[np.float32]


class Erring:
    """`trader` on all seats, with some random actions; positions of all turns may be kept."""

    def are_kept(self, games: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return whether the current position of each game may be kept: bool, shape ``(n,)``."""
        return np.ones(games.size, dtype=np.bool_)

    def choose(
        self, batch: SelfPlayBatch, games: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Choose an action in each of some games: int64, shape ``(n,)``."""
        actions = np.empty(games.size, dtype=np.int64)
        choose_each(batch.states, games, np.repeat(STYLES[[TRADER]], games.size, axis=0), actions)
        erring = np.flatnonzero(rng.random(games.size) < RANDOM_ACTIONS)
        if erring.size:
            masks = batch.observed(games[erring])[1].view(np.bool_)
            actions[erring] = np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1)
        return actions


def play_examples(setup: StruggleSetup, num_games: int, kept: float, seed: int, play: Erring | None = None) -> Examples:
    """Play games to their ends, and return a sample of their positions.

    Args:
        setup: the setup of the games.
        num_games: the number of games.
        kept: the share of turns that are kept.
        seed: the random seed.
        play: chooses the actions; None for `Erring`.
    """
    rng, rules, play = np.random.default_rng(seed), StruggleForRome(setup), play or Erring()
    players = rules.num_players
    batch = SelfPlayBatch(num_games, rules, [], int(rng.integers(2**31)))
    batch.start(np.arange(num_games), np.full((num_games, players), LEARNER))
    turns = np.full((num_games, 3), -1)
    columns: list[tuple[npt.NDArray[np.int16], npt.NDArray[np.float64], npt.NDArray[np.int64]]] = []
    while (games := np.flatnonzero(rules.seats_to_act(batch.states) >= 0)).size:
        now = np.stack([batch.states[name][games] for name in ("round_number", "phase", "active")], axis=1)
        begins = (now != turns[games]).any(axis=1)
        turns[games] = now
        of_interest = games[begins & play.are_kept(games) & (rng.random(games.size) < kept)]
        size = players * of_interest.size
        observations, log_odds = np.empty((size, rules.observation_size), dtype=np.int16), np.empty(size)
        write_inputs(batch.states, of_interest, STYLES[TRADER], observations, log_odds)
        columns.append((observations, log_odds, of_interest))
        batch.step(games, play.choose(batch, games, rng))
    observations, log_odds, kept_games = (np.concatenate(column) for column in zip(*columns, strict=True))
    returns = batch.returns(np.arange(num_games))
    shares = ((players - 1) * returns + 1) / players
    return Examples(observations, log_odds.astype(np.float32), shares[kept_games].ravel())


class Fit(nn.Module):
    """The network that computes the log-odds of a win.

    Args:
        scale: factors for the entries of an observation: float32, shape ``(observation_size,)``.
        hidden: the size of both hidden layers.
    """

    def __init__(self, scale: npt.NDArray[np.float32], hidden: int):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(scale.copy()))
        self.line = nn.Parameter(torch.tensor([1.0, 0.0]))
        self.first, self.second = nn.Linear(scale.size, hidden), nn.Linear(hidden, hidden)
        self.last = nn.Linear(hidden, 1)
        # The fit starts with the heuristic value alone.
        for parameter in self.last.parameters():
            nn.init.zeros_(parameter)

    def forward(self, observations: torch.Tensor, log_odds: torch.Tensor) -> torch.Tensor:
        """Compute the log-odds of a win: float32, shape ``(n,)``.

        Args:
            observations: int16, shape ``(n, observation_size)``.
            log_odds: the log-odds by the heuristic value: float32, shape ``(n,)``.
        """
        hidden = functional.relu(self.first(observations.float() * self.scale))
        hidden = functional.relu(self.second(hidden))
        result: torch.Tensor = self.line[0] * log_odds + self.line[1] + self.last(hidden)[:, 0]
        return result

    def save(self, path: Path) -> None:
        """Write the file that `romans_agents.struggle.win_chance.load_win_chance` reads, the weights in float16."""
        arrays: dict[str, Any] = {"line": self.line.detach().numpy().astype(np.float64), "scale": self.scale.numpy()}
        for k, layer in enumerate((self.first, self.second, self.last)):
            arrays[f"{k}_weight"] = layer.weight.detach().numpy().astype(np.float16)
            arrays[f"{k}_bias"] = layer.bias.detach().numpy().astype(np.float16)
        with atomic_write(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **arrays)


def learn(fit: Fit, optimizer: torch.optim.Optimizer, examples: Examples) -> None:
    """Train for one pass over the examples."""
    columns = [torch.from_numpy(column) for column in examples]
    for rows in torch.randperm(len(columns[0])).split(MINIBATCH):
        observations, log_odds, shares = (column[rows] for column in columns)
        loss = functional.binary_cross_entropy_with_logits(fit(observations, log_odds), shares)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def cross_entropy(fit: Fit, examples: Examples) -> tuple[float, float]:
    """Return the mean cross entropy, in nats, of the heuristic value alone and of the fit."""
    observations, log_odds, shares = (torch.from_numpy(column) for column in examples)
    parts = zip(observations.split(_TESTED_AT_ONCE), log_odds.split(_TESTED_AT_ONCE), strict=True)
    found = torch.cat([fit(*part) for part in parts])
    losses = [functional.binary_cross_entropy_with_logits(one, shares).item() for one in (log_odds, found)]
    return losses[0], losses[1]


def report(number: int, num_games: int, losses: Sequence[tuple[float, float]]) -> None:
    alone, fitted = np.mean(losses, axis=0)
    click.echo(f"{number * num_games:,} games: cross entropy {fitted:.4f}, of value alone {alone:.4f}")


@click.command()
@click.argument("to", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--minutes", type=click.FloatRange(min=0.0), default=30.0, show_default=True, help="Minutes of training.")
@click.option("--games", type=click.IntRange(min=1), default=512, show_default=True, help="Games per round.")
@click.option(
    "--kept",
    type=click.FloatRange(0.0, 1.0, min_open=True),
    default=0.2,
    show_default=True,
    help="Share of turns kept.",
)
@click.option("--hidden", type=click.IntRange(min=1), default=192, show_default=True, help="Size of hidden layers.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads of torch.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed.")
def main(to: Path, minutes: float, games: int, kept: float, hidden: int, threads: int, seed: int) -> None:
    """Fit the network with which `stilicho` evaluates rollouts, and write it to the file TO."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    fit = Fit(StruggleForRome(SETUPS[0]).observation_scale, hidden)
    of_network = [*fit.first.parameters(), *fit.second.parameters(), *fit.last.parameters()]
    groups: list[dict[str, Any]] = [{"params": of_network}, {"params": [fit.line], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)
    start, number, losses = time.perf_counter(), 0, list[tuple[float, float]]()
    while (done := (time.perf_counter() - start) / max(60.0 * minutes, 1e-9)) < 1.0 or not number:
        left = 1.0 - min(1.0, done)
        rates = (LAST_LEARNING_RATE + left * (LEARNING_RATE - LAST_LEARNING_RATE), left * LINE_LEARNING_RATE)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        word = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
        examples = play_examples(SETUPS[number % len(SETUPS)], games, kept, word)
        losses.append(cross_entropy(fit, examples))
        learn(fit, optimizer, examples)
        number += 1
        if number % _REPORT_EVERY == 0:
            report(number, games, losses[-_REPORT_EVERY:])
            fit.save(to)
    report(number, games, losses[-_REPORT_EVERY:])
    fit.save(to)
    click.echo(f"written: {to}")


if __name__ == "__main__":
    main()
