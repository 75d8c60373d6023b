"""Fits the network of `odoacer`, which corrects the scores of `trader`, to rollouts.

    python -m recipes.odoacer.fit_corrections recipes/odoacer/odoacer.npz

`trader` plays all seats, one action in ten drawn by its score. In a part of the positions the actions that it scores
highest are played on twice, as `stilicho` does with ten times as many rollouts, and the network learns by how much they
differ, by least squares (expert iteration, Anthony et al. 2017).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from recipes.odoacer.agent import FARTHEST, NUM_ROWS, UNIT
from recipes.odoacer.rate import rate_each
from recipes.stilicho.teacher import choose_each
from romans_agents.loops.codes import LEARNER
from romans_agents.self_play_batch import SelfPlayBatch
from romans_agents.struggle.rollouts import NUM_RECORDS
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.trained.stilicho import packaged
from romans_env.engine.random_stream import WORDS, streams_from_seeds
from romans_env.files import atomic_write
from romans_env.struggle import StruggleForRome

MOST, MOST_CHANGES = 6, 128
"""Candidates of a position, and entries of the observations that an action changes."""
KEPT, ERRING, TURNS, SAMPLES, GAMES_AT_ONCE = 0.35, 0.1, 8, 2, 128
HIDDEN, MINIBATCH, LEARNING_RATE, WEIGHT_DECAY, LARGEST_DIFFERENCE = (128, 64), 1024, 1e-3, 0.02, 0.15


class Examples(NamedTuple):
    """Rated positions, n in all, as `rate.rate_each` writes them: candidates are the best first, up to MOST.

    Attributes:
        before: observations: int8, shape (n, observation size).
        actions, scores, counts: the candidates, their scores, and how many there are.
        places, changes: entries of the observations of this round and the next that differ from the one before.
        chances: mean chances to win: float32, shape (n, MOST).
    """

    before: Any
    actions: Any
    scores: Any
    counts: Any
    places: Any
    changes: Any
    chances: Any


def rated(batch: SelfPlayBatch, games: npt.NDArray[np.int64], samples: int, streams: Any) -> Examples:
    """Rate the candidates of some games; without samples they are only scored."""
    n, size = len(games), batch.rules.observation_size
    kinds = (np.int8, np.int64, np.float64, np.int64, np.int16, np.int8, np.float32)
    shapes = ((size,), (MOST,), (MOST,), (), (MOST, MOST_CHANGES), (MOST, MOST_CHANGES), (MOST,))
    out = Examples(*(np.zeros((n, *shape), kind) for shape, kind in zip(shapes, kinds, strict=True)))
    words, seen = np.zeros((NUM_RECORDS, WORDS), np.int64), np.zeros((NUM_ROWS, size), np.int16)
    scratch = streams, words, seen, batch.states[:1].repeat(NUM_RECORDS)
    rate_each(batch.states, games, STYLES[TRADER], packaged(), samples, TURNS, *scratch, out)
    return out


def play_examples(num_games: int, seed: int) -> Examples:
    """Play games to their ends, and rate a part of the decisions."""
    rng, rules = np.random.default_rng(seed), StruggleForRome()
    streams = streams_from_seeds([np.random.SeedSequence([seed, 1])])
    batch = SelfPlayBatch(num_games, rules, [], int(rng.integers(2**31)))
    batch.start(np.arange(num_games), np.full((num_games, rules.num_players), LEARNER))
    weights, parts = np.repeat(STYLES[[TRADER]], num_games, axis=0), list[Examples]()
    while (games := np.flatnonzero(rules.seats_to_act(batch.states) >= 0)).size:
        actions = np.empty(games.size, dtype=np.int64)
        choose_each(batch.states, games, weights[: games.size], actions)
        parts.append(rated(batch, games[rng.random(games.size) < KEPT], SAMPLES, streams))
        erring = np.flatnonzero(rng.random(games.size) < ERRING)
        some = rated(batch, games[erring], 0, streams)
        # The highest of scores with Gumbel noise is drawn from their softmax.
        noisy = some.scores / 2.0 + rng.gumbel(size=some.scores.shape)
        drawn = np.where(np.arange(MOST) < some.counts[:, None], noisy, -np.inf).argmax(axis=1)
        actions[erring] = some.actions[np.arange(erring.size), drawn]
        batch.step(games, actions)
    return joined(parts)


def joined(parts: list[Examples]) -> Examples:
    return Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class Corrections(nn.Module):
    """What each action is worth beside the others, in chances to win: shape (n, MOST)."""

    def __init__(self, scale: npt.NDArray[Any], num_actions: int):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(scale.astype(np.float32)))
        self.first = nn.Parameter(0.05 * torch.randn(scale.size, HIDDEN[0]))
        self.more = nn.Parameter(torch.zeros(2 * scale.size, HIDDEN[0]))
        self.action, self.gap = nn.Embedding(num_actions, HIDDEN[0]), nn.Linear(3, HIDDEN[0])
        nn.init.normal_(self.action.weight, std=0.05)
        self.second, self.last = nn.Linear(*HIDDEN), nn.Linear(HIDDEN[1], 1)
        nn.init.zeros_(self.last.weight)
        self.slope = nn.Parameter(torch.tensor(1.0 / 150.0))

    def forward(self, some: Examples) -> torch.Tensor:
        """Of a minibatch, its arrays as tensors."""
        table = (self.first.repeat(2, 1) + self.more) * self.scale.repeat(2)[:, None]
        places, changes = some.places.long().flatten(0, 1), some.changes.flatten(0, 1).float()
        moved = functional.embedding_bag(places, table, mode="sum", per_sample_weights=changes)
        gap = (some.scores - some.scores[:, :1]).float().clamp(min=-FARTHEST, max=0.0)
        hidden = ((some.before.float() * self.scale) @ self.first)[:, None] + moved.unflatten(0, gap.shape)
        hidden = hidden + self.action(some.actions) + self.gap(torch.stack([gap, (gap == 0.0).float(), gap.exp()], -1))
        out: torch.Tensor = self.last(functional.relu(self.second(functional.relu(hidden))))[..., 0]
        return out + self.slope * gap

    def save(self, path: Path) -> None:
        """Write what `OdoacerAgent` reads, in the form of `win_chance.load_win_chance`, the weights in float16."""
        size, ends = self.scale.numel(), (self.first.repeat(2, 1) + self.more).detach()
        matrix, scale = torch.zeros(NUM_ROWS * size, HIDDEN[0]), torch.ones(NUM_ROWS * size)
        # The network adds changes; the agent has observations.
        matrix[: 3 * size] = torch.cat([self.first.detach() - ends[:size], ends[:size] - ends[size:], ends[size:]])
        scale[: 3 * size] = self.scale.repeat(3)
        matrix[3 * size : 3 * size + self.action.num_embeddings] = self.action.weight.detach()
        matrix[-3:], scale[-3:] = self.gap.weight.detach().T, 1.0 / UNIT
        layers = [(matrix.T, self.gap.bias), *((layer.weight, layer.bias) for layer in (self.second, self.last))]
        arrays: dict[str, Any] = {"line": np.array([self.slope.item(), 0.0]), "scale": scale.numpy()}
        for k, pair in enumerate(layers):
            for name, tensor in zip(("weight", "bias"), pair, strict=True):
                arrays[f"{k}_{name}"] = tensor.detach().numpy().astype(np.float16)
        with atomic_write(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **arrays)


def minibatch(examples: Examples, rows: npt.NDArray[np.int64]) -> tuple[Examples, torch.Tensor]:
    """Some rows as tensors, and which of their candidates there are."""
    some = Examples(*(torch.from_numpy(column[rows]) for column in examples))
    return some, torch.arange(MOST) < some.counts[:, None]


def learn(fit: Corrections, examples: Examples, epochs: int, rng: np.random.Generator) -> None:
    """Some passes over the examples, with a falling learning rate."""
    size = max(1, len(examples.counts) // MINIBATCH)
    parts = [part for _ in range(epochs) for part in np.array_split(rng.permutation(len(examples.counts)), size)]
    optimizer = torch.optim.AdamW(fit.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, len(parts))
    for part in parts:
        some, valid = minibatch(examples, part)
        found, wanted = (x - (x * valid).sum(1, keepdim=True) / some.counts[:, None] for x in (fit(some), some.chances))
        errors = found - wanted.clamp(-LARGEST_DIFFERENCE, LARGEST_DIFFERENCE)
        loss = (errors**2 * valid).sum() / valid.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


@torch.no_grad()
def gain(fit: Corrections, examples: Examples) -> float:
    """The mean chance to win that the network's choice adds to that of `trader`."""
    gains = []
    for rows in np.array_split(np.arange(len(examples.counts)), max(1, len(examples.counts) // MINIBATCH)):
        some, valid = minibatch(examples, rows)
        chosen = fit(some).masked_fill(~valid, -torch.inf).argmax(1, keepdim=True)
        gains.append(some.chances.gather(1, chosen)[:, 0] - some.chances[:, 0])
    return torch.cat(gains).mean().item()


@click.command()
@click.argument("to", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--games", type=click.IntRange(min=1), default=4700, show_default=True, help="Games to learn from.")
@click.option("--epochs", type=click.IntRange(min=1), default=4, show_default=True, help="Passes over them.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of all chance.")
def main(to: Path, games: int, epochs: int, seed: int) -> None:
    """Write the network that `odoacer` plays with."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    size, rules = min(games, GAMES_AT_ONCE), StruggleForRome()
    tested, *parts = (play_examples(size, 1000 * seed + k) for k in range(1 - (-games // size)))
    fit, examples = Corrections(rules.observation_scale, rules.num_actions), joined(parts)
    learn(fit, examples, epochs, np.random.default_rng(seed))
    fit.save(to)
    click.echo(f"{len(examples.counts):,} positions: its choices add {gain(fit, tested):.5f} to the chance to win")
    click.echo(f"written: {to}")


if __name__ == "__main__":
    main()
