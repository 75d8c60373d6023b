"""Solves rounds of games of a policy between two players, and writes the mixed plans, to learn from.

    python -m romans_training.romans_go_home.solve_rounds legate-2 runs/rounds --minutes 60 --jobs 2
    python -m romans_training.romans_go_home.learn_solutions legate-2 runs/rounds runs/solved/policy.npz

The folder gets a file of twenty rounds after the other, so that a run which was stopped goes on when it is started
again. How rounds are solved: `rounds.double_oracle`.
"""

from __future__ import annotations

import time
import zipfile
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import count
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import numpy.typing as npt

from romans_agents import PolicyAgent, make
from romans_agents.romans_go_home.rounds.double_oracle import DoubleOracle, Search, Solution
from romans_env import Table
from romans_env.files import atomic_write
from romans_env.romans_go_home.state import States
from romans_training.romans_go_home.explored_games import ExploredGames
from romans_training.romans_go_home.policy_argument import PolicyArgument
from romans_training.worker_processes import worker_pool

TABLE = Table(2, 0)
ROUNDS_A_FILE = 20
GAMES_A_FILE = 60
"""Games that the rounds of a file are taken from."""
ROUND_SHARES = (0.12, 0.38, 0.5)
"""The parts of the rounds that are the first, second and third of their game; starts of the first differ little."""
LEAST = 1e-4
"""Plans with less probability are not written."""


class SolvedRounds(NamedTuple):
    """Rounds and the mixed plans of both seats.

    Attributes:
        roots: games at the start of a round, shape (rounds,).
        rows: of each round and seat, how many of ``plans`` it has, in this order: int64, shape (rounds, 2).
        plans: int8, shape (n, 7).
        types: the number of the hand of each, as in `possible_hands`: int8, shape (n,).
        weights: its probability, given the hand: float32, shape (n,).
    """

    roots: States
    rows: npt.NDArray[np.int64]
    plans: npt.NDArray[np.int8]
    types: npt.NDArray[np.int8]
    weights: npt.NDArray[np.float32]


def solved_rounds(
    agent: PolicyAgent, rounds: int, games: int, search: Search, rng: np.random.Generator
) -> SolvedRounds:
    """Solve some rounds.

    Args:
        agent: plays the games, and has the first plans that are looked at.
        rounds: how many.
        games: that they are taken from.
        search: how they are solved.
        rng: of all chance.
    """
    agent.seed(int(rng.integers(2**31)))
    roots = _round_starts(agent, rounds, games, rng)
    solutions = list[Solution]()
    for k in range(rounds):
        solutions += DoubleOracle(roots[k : k + 1], TABLE, search, rng).solve(agent.policy.probabilities)
    kept = [solution.weights > LEAST for solution in solutions]
    return SolvedRounds(
        roots,
        np.array([rows.sum() for rows in kept]).reshape(rounds, 2),
        *(
            np.concatenate([column[rows] for column, rows in zip(columns, kept, strict=True)]).astype(dtype)
            for columns, dtype in zip(zip(*solutions, strict=True), (np.int8, np.int8, np.float32), strict=True)
        ),
    )


def save_rounds(rounds: SolvedRounds, path: Path) -> None:
    """Write them as a file of numpy."""
    with atomic_write(path) as temporary, open(temporary, "wb") as file:
        np.savez_compressed(file, **rounds._asdict())


def load_rounds(path: Path) -> SolvedRounds:
    """Read what `save_rounds` has written.

    Raises:
        ValueError: it is no such file.
    """
    try:
        with np.load(path, allow_pickle=False) as columns:
            return SolvedRounds(**{name: columns[name] for name in SolvedRounds._fields})
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is no file of solved rounds: {error}") from None


def _round_starts(agent: PolicyAgent, rounds: int, num_games: int, rng: np.random.Generator) -> States:
    games = ExploredGames(agent, TABLE, num_games, int(rng.integers(2**31)))
    starts: list[list[States]] = [[] for _ in ROUND_SHARES]
    for _ in games.play():
        numbers = games.rounds_of(games.begun)
        for number, found in enumerate(starts):
            found.append(games.states[games.begun[numbers == number]].copy())
    wanted = np.bincount(rng.choice(len(ROUND_SHARES), rounds, p=ROUND_SHARES), minlength=len(ROUND_SHARES))
    by_number = [np.concatenate(found) for found in starts]
    return np.concatenate([rng.choice(found, n, replace=False) for found, n in zip(by_number, wanted, strict=True)])


def _write_file(spec: str, path: Path, seed: int, number: int, rounds: int) -> None:
    agent = make(spec)
    assert isinstance(agent, PolicyAgent)
    found = solved_rounds(agent, rounds, GAMES_A_FILE, Search(), np.random.default_rng([seed, number]))
    save_rounds(found, path)


@click.command()
@click.argument("agent", type=PolicyArgument())
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=60.0, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Processes.")
@click.option("--rounds", type=click.IntRange(min=1), default=ROUNDS_A_FILE, show_default=True, help="Of a file.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
def main(agent: PolicyAgent, folder: Path, minutes: float, jobs: int, rounds: int, seed: int) -> None:
    """Solve rounds of games of the policy AGENT, and write them into FOLDER until the time is over."""
    numbers, began, running = count(), time.monotonic(), dict[Future[None], Path]()
    with worker_pool(jobs) as pool:
        while running or time.monotonic() - began < minutes * 60.0:
            while len(running) < jobs and time.monotonic() - began < minutes * 60.0:
                number = next(numbers)
                path = folder / f"rounds-{number:05d}.npz"
                if not path.exists():
                    running[pool.submit(_write_file, agent.name, path, seed, number, rounds)] = path
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                done.result()
                click.echo(f"{time.monotonic() - began:.0f} s: {running.pop(done)}")


if __name__ == "__main__":
    main()
