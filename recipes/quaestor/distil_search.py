"""Trains a policy of Roma on the searched decisions of `recipes.quaestor.searched_games`.

    python -m recipes.quaestor.distil_search runs/first.npz runs/searched-1/*.npz
    python -m recipes.quaestor.distil_search runs/second.npz runs/searched-2/*.npz runs/searched-1/*.npz \\
        --policy runs/first.npz

The networks start from those of a policy, usually the one that was searched. The policy network maximises the mean
return of the rollouts under its own probabilities, minus a KL penalty towards the searched policy with its floor. The
best policy for this objective is the improved policy of the search. The objective is linear in the returns, so that
their noise averages out over decisions; a cross entropy to improved policies of noisy returns made play worse. The
value network learns the mean of the game's outcome and the policy's mean return in the rollouts.

The first file is kept for tests: the program prints, before and after, what the network's likeliest candidates gain
over the searched policy's in the mean return of the rollouts. These rollouts were not learned from, so the estimate is
not biased.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from recipes.quaestor.searched_games import FLOOR, Searched, improved, load
from romans_agents import Policy, policy_of
from romans_env.roma.actions import NUM_ACTIONS
from romans_training.learn.torch_networks import layers_of, sequential_of

MINIBATCH, TESTED_AT_ONCE = 1024, 8192
WEIGHT, TEMPERATURE = 60.0, 2.0
"""The weight of the returns in the improved policy, and the factor by which logits are divided during training. The
policy is so sure of most decisions that the gradients of its other actions vanish; the temperature brings them back."""
VALUE_RATE = 0.3
"""The learning rate of the value network, relative to the policy network's."""
OF_POLICY, OF_VALUE, OF_MASS = 30.0, 0.2, 0.02
"""The weights of the parts of the loss. The last part keeps the probability of actions that were not searched low."""


class Batch(NamedTuple):
    """Searched decisions as tensors; `Searched` describes the fields, but ``is_legal`` is bool and not packed."""

    observations: torch.Tensor
    is_legal: torch.Tensor
    candidates: torch.Tensor
    logs: torch.Tensor
    means: torch.Tensor
    outcomes: torch.Tensor

    @property
    def is_candidate(self) -> torch.Tensor:
        """False for the empty places: bool, shape ``(n, CANDIDATES)``."""
        return self.candidates >= 0


class Networks(nn.Module):
    """The policy network and the value network of a policy, to be trained.

    Args:
        policy: a policy with the activation relu.
    """

    def __init__(self, policy: Policy):
        super().__init__()
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(policy.scale.astype(np.float32)))
        self.pi, self.vf = sequential_of(policy.pi), sequential_of(policy.vf)
        self._divide(TEMPERATURE)

    def logs(self, batch: Batch) -> torch.Tensor:
        """Compute the log-probabilities of the candidates at the temperature: float32, shape ``(n, CANDIDATES)``.

        The probabilities of all legal actions sum to 1; empty places have the log-probability -1e9.
        """
        logits = self.pi(batch.observations.float() * self.scale).masked_fill(~batch.is_legal, -1e9)
        logs = functional.log_softmax(logits, dim=1).gather(1, batch.candidates.clamp(min=0))
        return logs.masked_fill(~batch.is_candidate, -1e9)

    def values(self, batch: Batch) -> torch.Tensor:
        """Compute the expected returns: float32, shape ``(n,)``."""
        return torch.as_tensor(self.vf(batch.observations.float() * self.scale)[:, 0])

    def policy(self, like: Policy) -> Policy:
        """Return the networks as a policy, at temperature 1 and with the notes of another policy."""
        self._divide(1.0 / TEMPERATURE)
        policy = Policy(layers_of(self.pi), layers_of(self.vf), like.scale, dict(like.meta))
        self._divide(TEMPERATURE)
        return policy

    def _divide(self, factor: float) -> None:
        for parameter in self.pi[-1].parameters():
            parameter.data /= factor


class Report(NamedTuple):
    """Results on decisions that were not learned from.

    Attributes:
        loss: the mean loss of the policy network, in returns per decision.
        gain: the return per decision that the likeliest candidates gain over the searched policy's.
        half_width: half of the 95 % interval of the gain, clustered by game.
        error: the mean squared error of the values, as predictions of the outcomes.
        changed: the share of decisions with another likeliest candidate.
    """

    loss: float
    gain: float
    half_width: float
    error: float
    changed: float

    def __str__(self) -> str:
        gain = f"{self.gain:+.5f} ({self.half_width:.5f}) with {100 * self.changed:.1f} % changed"
        return f"loss {self.loss:.5f}, gain {gain}, error of the values {self.error:.4f}"


def batch_of(searched: Searched, rows: npt.NDArray[np.int64] | slice) -> Batch:
    """Return some decisions as tensors."""
    is_legal = np.unpackbits(searched.masks[rows], axis=1, count=NUM_ACTIONS).astype(bool)
    candidates = searched.candidates[rows].astype(np.int64)
    columns = searched.observations[rows], is_legal, candidates, searched.logs[rows], searched.means[rows]
    return Batch(*(torch.from_numpy(column) for column in (*columns, searched.outcomes[rows])))


def losses_of(networks: Networks, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute the mean losses of the policy network and of the value network.

    The loss of the policy is ``sum(pi * (log(pi / prior) / w - Q))`` over the candidates, with the policy, the prior
    and the weight ``w`` of the returns Q all at the temperature.
    """
    is_candidate, means = batch.is_candidate, batch.means.mean(dim=1)
    logs = networks.logs(batch)
    mass = logs.logsumexp(dim=1, keepdim=True)
    logs = (logs - mass).masked_fill(~is_candidate, 0.0)
    prior = torch.maximum(batch.logs, batch.logs[:, :1] + math.log(FLOOR)) / TEMPERATURE
    prior = prior.masked_fill(~is_candidate, -1e9).log_softmax(dim=1).masked_fill(~is_candidate, 0.0)
    shares, weight = logs.exp() * is_candidate, WEIGHT / TEMPERATURE
    of_policy = (shares * ((logs - prior) / weight - (means - means[:, :1]))).sum(dim=1).mean()
    values = 0.5 * batch.outcomes + 0.5 * (shares.detach() * means).sum(dim=1)
    return of_policy - OF_MASS / weight * mass.mean(), functional.mse_loss(networks.values(batch), values)


@torch.no_grad()
def report_of(networks: Networks, searched: Searched) -> Report:
    """Measure the networks on searched decisions that were not learned from."""
    losses, gains, errors = list[float](), list[npt.NDArray[np.float32]](), list[float]()
    for start in range(0, len(searched.outcomes), TESTED_AT_ONCE):
        batch = batch_of(searched, slice(start, start + TESTED_AT_ONCE))
        losses.append(float(losses_of(networks, batch)[0]) * len(batch.outcomes))
        means, chosen = batch.means.mean(dim=1), networks.logs(batch).argmax(dim=1)
        gains.append((means.gather(1, chosen[:, None])[:, 0] - means[:, 0]).numpy())
        errors.append(float(((networks.values(batch) - batch.outcomes) ** 2).sum()))
    gain, count = np.concatenate(gains).astype(np.float64), len(searched.outcomes)
    by_game = np.bincount(searched.games, weights=gain - gain.mean())
    half_width = 1.96 * math.sqrt((by_game**2).sum()) / count
    return Report(sum(losses) / count, float(gain.mean()), half_width, sum(errors) / count, float((gain != 0).mean()))


def search_gain(searched: Searched) -> float:
    """Return the gain of the search itself per decision: half of the rollouts choose, and the others judge."""
    is_candidate, gains = searched.candidates >= 0, list[float]()
    for half in (0, 1):
        chosen = improved(searched.logs, searched.means[:, half], is_candidate, WEIGHT).argmax(axis=1)
        judged = searched.means[:, 1 - half]
        gains.append(float((judged[np.arange(len(chosen)), chosen] - judged[:, 0]).mean()))
    return sum(gains) / 2


def fit(networks: Networks, searched: Searched, epochs: int, rate: float, rng: np.random.Generator) -> None:
    """Train the networks on searched decisions, with a learning rate that falls to 0."""
    count = len(searched.outcomes)
    batches = -(-count // MINIBATCH)
    parts = (networks.pi, rate), (networks.vf, VALUE_RATE * rate)
    optimizer = torch.optim.Adam([{"params": part.parameters(), "lr": own} for part, own in parts])
    steps = max(1, epochs * batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0 - step / steps)
    for _ in range(epochs):
        for rows in np.array_split(rng.permutation(count), batches):
            of_policy, of_value = losses_of(networks, batch_of(searched, rows))
            optimizer.zero_grad()
            (OF_POLICY * of_policy + OF_VALUE * of_value).backward()
            optimizer.step()
            schedule.step()


def together(parts: Sequence[Searched]) -> Searched:
    """Concatenate decisions; games of different parts get different numbers."""
    ends = np.cumsum([0, *(part.games.max() + 1 for part in parts)])
    games = np.concatenate([part.games + end for part, end in zip(parts, ends[:-1], strict=True)])
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Searched(*columns)._replace(games=games.astype(np.int32))


@click.command()
@click.argument("to", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--policy", default="quaestor", show_default=True, help="The policy to start from.")
@click.option("--tests", type=click.IntRange(min=1), default=1, show_default=True, help="Number of files for tests.")
@click.option("--epochs", type=click.IntRange(min=0), default=1, show_default=True, help="Passes over the decisions.")
@click.option("--rate", type=click.FloatRange(min=0), default=1e-3, show_default=True, help="First learning rate.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads of torch.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
def main(
    to: Path, files: tuple[Path, ...], policy: str, tests: int, epochs: int, rate: float, threads: int, seed: int
) -> None:
    """Train on the searched decisions in FILES, and write the policy to the file TO."""
    if tests >= len(files):
        raise click.UsageError("there must be more files than --tests, because none of these is learned from")
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    searched = policy_of(policy, game="roma")
    networks, held_out = Networks(searched), together([load(path) for path in files[:tests]])
    learned = together([load(path) for path in files[tests:]])
    click.echo(f"{len(learned.outcomes):,} decisions, {len(held_out.outcomes):,} for tests")
    click.echo(f"the search gains {search_gain(held_out):+.5f} with half of the rollouts")
    click.echo(f"before: {report_of(networks, held_out)}")
    fit(networks, learned, epochs, rate, np.random.default_rng(seed))
    click.echo(f"after: {report_of(networks, held_out)}")
    networks.policy(searched).save(to)
    click.echo(f"written: {to}")


if __name__ == "__main__":
    main()
