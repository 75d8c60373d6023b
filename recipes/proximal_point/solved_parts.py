"""Files of improved decisions: processes share the rounds of an iteration."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recipes.proximal_point.decisions import Decisions, decisions_of, together
from recipes.proximal_point.plan_targets import RoundSolver, Search
from recipes.proximal_point.round_starts import round_starts
from romans_agents import Policy, PolicyAgent, make
from romans_agents.specs.registry import policy_of
from romans_env import RomansGoHome, Table
from romans_env.core.files import atomic_write
from romans_training.progress_bars import ProgressBars

ROUNDS = 100
"""Rounds in a file of decisions, about."""
DECISIONS = 250
"""The most decisions of a round and a seat."""


class Work(NamedTuple):
    """The work of an iteration that processes share: to solve the rounds of some games.

    Attributes:
        policy: the path of the current policy.
        table: the setup of the games.
        search: the settings with which rounds are solved.
        rivals: agent specs of the rivals in half of the games.
        panel: the policies in the belief about an opponent: files or names.
        seed: the random seed.
    """

    policy: Path
    table: Table
    search: Search
    rivals: tuple[str, ...]
    panel: tuple[str, ...]
    seed: int

    def write_part(self, number: int, path: Path) -> None:
        """Write the improved decisions of some rounds, and the means of gain and regret in them, to a file."""
        rng, rules = np.random.default_rng([self.seed, number]), RomansGoHome(self.table)
        agent = sampling(Policy.load(self.policy), rng)
        solver = RoundSolver(agent, [sampling(policy_of(one), rng) for one in self.panel], self.table, self.search)
        rivals = [make(one, game=rules.name) for one in self.rivals]
        starts = round_starts(agent, rivals, rules, ROUNDS // self.table.num_rounds, int(rng.integers(2**31)))
        found, gains, regrets = list[Decisions](), list[float](), list[float]()
        for start in np.split(starts, len(starts)):
            for seat, one in enumerate(solver.improve(start, rng)):
                found.append(decisions_of(agent.policy, start, seat, one, self.table, DECISIONS, rng))
                gains.append(one.gain)
                regrets.append(one.regret)
        with atomic_write(path) as temporary, open(temporary, "wb") as file:
            columns: dict[str, Any] = together(found)._asdict()
            np.savez_compressed(file, gain=np.mean(gains), regret=np.mean(regrets), **columns)


def sampling(policy: Policy, rng: np.random.Generator) -> PolicyAgent:
    """Return an agent that samples from all actions of a policy."""
    agent = PolicyAgent.of(policy, "policy", sample=True, cut=0.0)
    agent.seed(int(rng.integers(2**31)))
    return agent


def read_part(path: Path) -> tuple[Decisions, float, float]:
    """Read a file of decisions; return them, and the means of gain and regret."""
    with np.load(path, allow_pickle=False) as arrays:
        decisions = Decisions(*(arrays[name] for name in Decisions._fields))
        return decisions, float(arrays["gain"]), float(arrays["regret"])


def solved_parts(work: Work, folder: Path, count: int, jobs: int) -> list[tuple[Decisions, float, float]]:
    """Return the parts of an iteration, as `read_part` does; those that the folder lacks are computed first.

    Args:
        work: the work.
        folder: the folder of the files.
        count: the number of parts.
        jobs: the number of processes.
    """
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{number}.npz" for number in range(count)]
    missing = [(number, path) for number, path in enumerate(paths) if not path.exists()]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool, ProgressBars("parts") as progress:
        task = progress.add_task(folder.name, total=count, completed=count - len(missing))
        for done in [pool.submit(work.write_part, *one) for one in missing]:
            done.result()
            progress.advance(task)
    return [read_part(path) for path in paths]
