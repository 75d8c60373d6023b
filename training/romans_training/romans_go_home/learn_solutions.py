"""Teaches a policy the mixed plans of solved rounds, and writes a policy file.

    python -m romans_training.romans_go_home.learn_solutions legate-2 runs/rounds runs/solved/policy.npz

`solve_rounds` writes the rounds. The policy's decisions learn the solutions' plans by cross entropy; all decisions of
other kinds, and those at other tables, are held to what they were by a KL divergence. One file of twelve is kept to
test it: printed is the cross entropy of a planning decision there, in nats, in the first, second and third round. The
running average of the weights is written after every epoch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from romans_agents import Policy, PolicyAgent
from romans_agents.romans_go_home.rounds.beliefs import possible_hands
from romans_agents.romans_go_home.rounds.drawn_plans import decisions_of
from romans_env import Table
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE
from romans_training.romans_go_home.explored_games import ExploredGames
from romans_training.romans_go_home.policy_argument import PolicyArgument
from romans_training.romans_go_home.policy_network import PolicyNetwork, divergence_of
from romans_training.romans_go_home.solve_rounds import TABLE, SolvedRounds, load_rounds

TEST_ONE_IN = 12
HELD_GAMES = {Table(2, 0): 3000, Table(4, 0): 1500, Table(3, 0): 1500, Table(2, 1): 1500}
"""Games whose decisions are held; at 2+0 those of the attack."""
MAX_GRADIENT = 1.0
NUM_ROUNDS = 3


@dataclass(frozen=True)
class Settings:
    """How a policy learns.

    Attributes:
        epochs: over all decisions.
        learning_rate: at first; it falls to 0 as a cosine.
        minibatch: planning decisions of a step.
        held_minibatch: other decisions of a step.
        held: weight of the KL divergence of these from the first policy's.
        average: steps that the running average of the weights reaches back.
        threads: of the arithmetic.
        seed: of all chance.
    """

    epochs: int = 4
    learning_rate: float = 5e-4
    minibatch: int = 8192
    held_minibatch: int = 2048
    held: float = 0.3
    average: int = 100
    threads: int = 2
    seed: int = 1


class Examples(NamedTuple):
    """Decisions that lead to the plans of solutions, n in all.

    Attributes:
        observations: int8, shape (n, observation size).
        masks: bits, as of ``numpy.packbits``, uint8.
        actions: int64, shape (n,).
        weights: the probability of the plan, the hand with it, as a multiple of the mean of a file: float32, shape
            (n,).
        rounds: the number of the round in its game, from 0 on: int8, shape (n,).
    """

    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float32]
    rounds: npt.NDArray[np.int8]


def examples_of(solved: SolvedRounds) -> Examples:
    """The decisions that lead to the plans of solved rounds."""
    _, chances = possible_hands(TABLE)
    first, parts = 0, list[Examples]()
    for k, seat in np.ndindex(*solved.rows.shape):
        root, plans = solved.roots[k : k + 1], slice(first, first + int(solved.rows[k, seat]))
        found = decisions_of(root, seat, solved.plans[plans], TABLE)
        weights = (solved.weights[plans] * chances[solved.types[plans]])[found.plans]
        rounds = np.full(len(found.plans), root["round_index"][0], dtype=np.int8)
        masks = np.packbits(found.masks, axis=1)
        parts.append(Examples(found.observations, masks, found.actions, weights.astype(np.float32), rounds))
        first = plans.stop
    examples = together(parts)
    return examples._replace(weights=examples.weights / examples.weights.mean())


def together(parts: Sequence[Examples]) -> Examples:
    """The examples of several parts."""
    return Examples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class SolutionLearner:
    """Learns the plans of solved rounds.

    Args:
        agent: with the policy at the start; it plays the games of decisions that are held.
        examples: to learn from.
        settings: how.
        held_games: by table, games whose decisions are held.
    """

    def __init__(
        self,
        agent: PolicyAgent,
        examples: Examples,
        settings: Settings,
        held_games: dict[Table, int] = HELD_GAMES,
    ):
        self._examples, self._settings, self._first = examples, settings, agent.policy
        self._net, self._first_net, self._mean = (PolicyNetwork(agent.policy) for _ in range(3))
        self._optimizer = torch.optim.Adam(self._net.parameters(), settings.learning_rate)
        self._rng = np.random.default_rng(settings.seed)
        found = [_held_decisions(agent, table, count, settings.seed) for table, count in held_games.items()]
        self._held = [np.concatenate(column) for column in zip(*found, strict=True)]
        self._steps = 0

    @property
    def policy(self) -> Policy:
        """What has been learned: the running average."""
        return self._mean.policy(self._first, {"solved_rounds": asdict(self._settings)})

    def learn_epoch(self) -> float:
        """Learn from every example once; the divergence of held decisions, in nats, as a mean."""
        order, size = self._rng.permutation(len(self._examples.actions)), self._settings.minibatch
        batches = [np.sort(order[k : k + size]) for k in range(0, max(len(order) - size, 0) + 1, size)]
        return float(np.mean([self._step(rows, len(batches)) for rows in batches]))

    def cross_entropy(self, examples: Examples) -> npt.NDArray[np.float64]:
        """Of what has been learned, by number of the round: nats of a decision, float64, shape (rounds,)."""
        sums, weights = np.zeros(NUM_ROUNDS), np.zeros(NUM_ROUNDS)
        for first in range(0, len(examples.actions), self._settings.minibatch):
            rows = slice(first, first + self._settings.minibatch)
            with torch.no_grad():
                logs = self._mean(torch.from_numpy(examples.observations[rows]), _masks(examples.masks[rows])).numpy()
            actions, weight = examples.actions[rows], examples.weights[rows]
            chosen = -logs[np.arange(len(logs)), actions] * weight
            sums += np.bincount(examples.rounds[rows], chosen, NUM_ROUNDS)
            weights += np.bincount(examples.rounds[rows], weight, NUM_ROUNDS)
        return np.asarray(sums / np.maximum(weights, 1e-9))

    def _step(self, rows: npt.NDArray[np.int64], steps_an_epoch: int) -> float:
        settings, examples = self._settings, self._examples
        held_rows = np.sort(self._rng.integers(len(self._held[0]), size=settings.held_minibatch))
        held_observations, held_masks = torch.from_numpy(self._held[0][held_rows]), _masks(self._held[1][held_rows])
        with torch.no_grad():
            held = self._first_net(held_observations, held_masks)
        logs = self._net(
            torch.cat([torch.from_numpy(examples.observations[rows]), held_observations]),
            torch.cat([_masks(examples.masks[rows]), held_masks]),
        )
        planned, others = logs.split([len(rows), settings.held_minibatch])
        chosen = planned.gather(1, torch.from_numpy(examples.actions[rows])[:, None])[:, 0]
        divergence = divergence_of(held, others)
        loss = settings.held * divergence - (chosen * torch.from_numpy(examples.weights[rows])).mean()
        progress = self._steps / (steps_an_epoch * settings.epochs)
        for group in self._optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1 + np.cos(np.pi * progress)) / 2
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._net.parameters(), MAX_GRADIENT)
        self._optimizer.step()
        self._steps += 1
        self._mean.approach(self._net, max(1 / settings.average, 1 / self._steps))
        return divergence.item()


def _masks(bits: npt.NDArray[np.uint8]) -> torch.Tensor:
    return torch.from_numpy(np.unpackbits(bits, axis=1, count=NUM_ACTIONS))


def _held_decisions(
    agent: PolicyAgent, table: Table, num_games: int, seed: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint8]]:
    """Observations and masks, as bits, of the decisions that are to stay."""
    games = ExploredGames(agent, table, num_games, seed)
    observations, masks = list[npt.NDArray[np.int8]](), list[npt.NDArray[np.uint8]]()
    for pending in games.play():
        planning = np.isin(games.states["phase"][pending.games], (PHASE_DISCARD, PHASE_PLACE))
        kept = ~planning if table == TABLE else np.full(len(planning), True)
        observations.append(pending.observations[kept])
        masks.append(np.packbits(pending.masks[kept], axis=1))
    return np.concatenate(observations), np.concatenate(masks)


@click.command()
@click.argument("agent", type=PolicyArgument())
@click.argument("rounds", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.argument("to", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--epochs", type=click.IntRange(min=1), default=Settings.epochs, show_default=True)
@click.option("--learning-rate", type=click.FloatRange(min=0), default=Settings.learning_rate, show_default=True)
@click.option("--threads", type=click.IntRange(min=1), default=Settings.threads, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=Settings.seed, show_default=True)
def main(agent: PolicyAgent, rounds: Path, to: Path, **options: float) -> None:
    """Teach the policy AGENT the solutions in the folder ROUNDS, and write it as TO."""
    files = sorted(rounds.glob("rounds-*.npz"))
    if len(files) < 2:
        raise click.UsageError(
            f"{rounds} has {len(files)} files of solved rounds, and two are needed: see solve_rounds"
        )
    settings = Settings(**options)  # type: ignore[arg-type]
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    agent.seed(settings.seed)
    try:
        test, examples = (
            together([examples_of(load_rounds(path)) for path in some])
            for some in (files[::TEST_ONE_IN], [path for k, path in enumerate(files) if k % TEST_ONE_IN])
        )
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    learner = SolutionLearner(agent, examples, settings)
    click.echo(f"{len(examples.actions):,} decisions; cross entropy at first {_figures(learner.cross_entropy(test))}")
    for epoch in range(1, settings.epochs + 1):
        divergence = learner.learn_epoch()
        figures = _figures(learner.cross_entropy(test))
        click.echo(f"epoch {epoch}: cross entropy {figures}, divergence of held decisions {divergence:.4f}")
        learner.policy.save(to)
    click.echo(f"written: {to}")


def _figures(by_round: npt.NDArray[np.float64]) -> str:
    return " ".join(f"{figure:.4f}" for figure in by_round)


if __name__ == "__main__":
    main()
