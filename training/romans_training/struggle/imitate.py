"""Trains a network to choose as a scripted agent of Struggle for Rome does: a start for self-play.

    python -m romans_training.struggle.imitate runs/imitation.npz

Behaviour cloning (Pomerleau 1989): in games among the scripted agents, with some actions at random, the network learns
the teacher's action at every decision, whoever made it, and what is to come of the reward. `romans train --start-from`
goes on from the policy file.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

import romans_agents
from romans_agents import Policy
from romans_agents.loops.codes import LEARNER
from romans_agents.self_play_batch import SelfPlayBatch
from romans_agents.struggle.scripted import ScriptedAgent
from romans_agents.struggle.styles import STYLES
from romans_env.envs.rewards import REWARDS
from romans_env.struggle import StruggleForRome, StruggleSetup
from romans_training.bfloat16 import has_bfloat16
from romans_training.config import TrainConfig
from romans_training.networks import exported_network
from romans_training.self_play.learner import Learner
from romans_training.struggle.teacher import choose_each

PLAYERS = ("chieftain", "plunderer", "trader")
"""Who plays: each seat of each game one of them, with equal chance."""
TEACHERS = (*PLAYERS, "kingdom-builder")
RANDOM_ACTIONS = 0.05
"""The part of the actions that are drawn at random: the network must know what to do after mistakes, too."""
SHARPNESS = 1.5
"""What the logits are multiplied by in the end: self-play draws its actions, and a cloned policy is less sure than its
teacher wherever it cannot tell two actions apart."""
MINIBATCH = 1024
LEARNING_RATE, LAST_LEARNING_RATE = 1e-3, 1e-4


class Lessons(NamedTuple):
    """The decisions of some whole games, n of them.

    Attributes:
        observations: shape (n, observation size).
        masks: bool, shape (n, number of actions).
        actions: what the teacher would do: int64, shape (n,).
        returns: what the seat is still to be rewarded with: float32, shape (n,).
    """

    observations: npt.NDArray[np.int16]
    masks: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float32]


def weights_of(spec: str) -> npt.NDArray[np.float64]:
    """The weights of a scripted agent.

    Raises:
        ValueError: an agent that is not scripted.
    """
    agent = romans_agents.make(spec, game="struggle")
    if not isinstance(agent, ScriptedAgent):
        raise ValueError(f"the teacher is a scripted agent, such as trader, not {spec}")
    return STYLES[agent.style]


def play_lessons(rules: StruggleForRome, teacher: str, reward: str, num_games: int, seed: int) -> Lessons:
    """Play games to their ends, and ask the teacher at every decision.

    Args:
        rules: the game.
        teacher: the agent spec of a scripted agent.
        reward: ``"win"`` or ``"points"``.
        num_games: how many.
        seed: of all chance.
    """
    rng = np.random.default_rng(seed)
    batch = SelfPlayBatch(num_games, rules, [], int(rng.integers(2**31)))
    batch.start(np.arange(num_games), np.full((num_games, rules.num_players), LEARNER))
    of_teacher = weights_of(teacher)
    players = np.stack([weights_of(spec) for spec in PLAYERS])[
        rng.integers(len(PLAYERS), size=(num_games, rules.num_players))
    ]
    columns: list[tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_], npt.NDArray[np.int64]]] = []
    seated: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int8], npt.NDArray[Any]]] = []
    while (waiting := batch.pending()).games.size:
        games, masks = waiting.games, waiting.masks.view(np.bool_)
        wanted, actions = np.empty(games.size, dtype=np.int64), np.empty(games.size, dtype=np.int64)
        choose_each(batch.states, games, np.repeat(of_teacher[None], games.size, axis=0), wanted)
        choose_each(batch.states, games, players[games, waiting.seats], actions)
        at_random = np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1)
        actions = np.where(rng.random(games.size) < RANDOM_ACTIONS, at_random, actions)
        columns.append((waiting.observations, masks, wanted))
        seated.append((games, waiting.seats, rules.points_of(batch.states)[games, waiting.seats]))
        batch.step(games, actions)
    observations, masks, wanted = (np.concatenate(column) for column in zip(*columns, strict=True))
    games, seats, points = (np.concatenate(column) for column in zip(*seated, strict=True))
    if reward == "points":
        returns = (rules.points_of(batch.states)[games, seats] - points).astype(np.float32)
    else:
        returns = batch.returns(np.arange(num_games))[games, seats]
    return Lessons(observations, masks, wanted, returns)


def rounds_of_lessons(
    rules: StruggleForRome, teacher: str, reward: str, rounds: int, num_games: int, threads: int, seed: int
) -> Iterator[Lessons]:
    """The lessons of each round; those of the next one are played while a round is learned.

    Args:
        rules: the game.
        teacher: the agent spec of a scripted agent.
        reward: ``"win"`` or ``"points"``.
        rounds: how many.
        num_games: games of a round.
        threads: how many threads play them.
        seed: of all chance.
    """
    counts = np.diff(np.linspace(0, num_games, min(threads, num_games) + 1).astype(int)).tolist()
    with ThreadPoolExecutor(len(counts)) as pool:

        def begun(number: int) -> list[Future[Lessons]]:
            words = np.random.SeedSequence([seed, number]).generate_state(len(counts)).tolist()
            return [pool.submit(play_lessons, rules, teacher, reward, *one) for one in zip(counts, words, strict=True)]

        coming = begun(0)
        for number in range(rounds):
            parts = [future.result() for future in coming]
            if number + 1 < rounds:
                coming = begun(number + 1)
            yield Lessons(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def learn(learner: Learner, lessons: Lessons, learning_rate: float) -> tuple[float, float]:
    """One pass over the lessons; returns how often the network chose as the teacher did, and the value's mean error."""
    network = learner.policy
    for group in network.optimizer.param_groups:
        group["lr"] = learning_rate
    columns = [torch.from_numpy(column) for column in lessons]
    agreed, error, count = 0.0, 0.0, 0
    for rows in torch.randperm(len(lessons.actions)).split(MINIBATCH):
        observations, masks, actions, returns = (column[rows] for column in columns)
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16()):
            values, logits = network.values_and_logits(observations, masks)
        logits, values = logits.float(), values.float()[:, 0]
        value_loss = functional.mse_loss(values, returns)
        loss = functional.cross_entropy(logits, actions) + 0.5 * value_loss
        network.optimizer.zero_grad()
        loss.backward()
        network.optimizer.step()
        agreed += (logits.argmax(dim=1) == actions).sum().item()
        error += value_loss.item() * len(rows)
        count += len(rows)
    return agreed / count, error / count


@torch.no_grad()
def sharpen(learner: Learner, factor: float) -> None:
    """Multiply the logits."""
    for parameter in learner.policy.action_net.parameters():
        parameter.mul_(factor)


@click.command()
@click.argument("to", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--teacher", type=click.Choice(TEACHERS), default="trader", show_default=True, help="Who is imitated.")
@click.option("--reward", type=click.Choice(REWARDS), default="win", show_default=True, help="What the value is of.")
@click.option("--rounds", type=click.IntRange(min=1), default=60, show_default=True, help="Passes over new games.")
@click.option("--games", type=click.IntRange(min=4), default=256, show_default=True, help="Games of a round.")
@click.option(
    "--hidden-layers",
    type=click.IntRange(min=1),
    nargs=2,
    default=(192, 192),
    show_default=True,
    help="Sizes of the two hidden layers, of the policy and of the value alike.",
)
@click.option(
    "--start-from", type=click.Path(exists=True, dir_okay=False), help="Policy file of an imitation to go on."
)
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads of the arithmetic.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of all chance.")
def main(
    to: Path,
    teacher: str,
    reward: str,
    rounds: int,
    games: int,
    hidden_layers: tuple[int, int],
    start_from: str | None,
    threads: int,
    seed: int,
) -> None:
    """Write a policy file that chooses as a scripted agent does."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    config = TrainConfig(game="struggle", hidden_layers=hidden_layers)
    rules = StruggleForRome(StruggleSetup())
    learner = Learner(rules, config)
    if start_from is not None:
        learner.start_from(Policy.load(start_from))
        sharpen(learner, 1.0 / SHARPNESS)
    for number, lessons in enumerate(rounds_of_lessons(rules, teacher, reward, rounds, games, threads, seed)):
        rate = LEARNING_RATE * (LAST_LEARNING_RATE / LEARNING_RATE) ** (number / rounds)
        agreed, error = learn(learner, lessons, rate)
        click.echo(f"round {number + 1} of {rounds}: as the teacher {100 * agreed:.1f} %, value error {error:.3f}")
    sharpen(learner, SHARPNESS)
    exported_network(learner.policy, {"game": "struggle", "teacher": teacher, "games": rounds * games}).save(to)
    click.echo(f"written: {to}")


if __name__ == "__main__":
    main()
