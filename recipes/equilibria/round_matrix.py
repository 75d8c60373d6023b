"""A round between two players as a matrix game: the payoff of every line against every other."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import numpy.typing as npt

from recipes.equilibria.kernels import CARD_BITS, MOST_LINES, ROW_BITS, SCALE, add_weighted_rows, fill_matrix, new_walk
from romans_agents.romans_go_home.rounds.round_networks import round_networks
from romans_env import Table
from romans_env.romans_go_home.material import NUM_WARRIORS
from romans_env.romans_go_home.state import States

Lines = npt.NDArray[np.int8]
"""Lines as kinds of warriors by slot: int8, shape (n, line size)."""

Floats = npt.NDArray[np.float64]
BLOCK = 2048
"""Columns that are added up at once: their sums stay in the processor's cache."""


def all_lines(table: Table) -> Lines:
    """Every line that a player can lay, ascending: 32,760 of the whole clan."""
    found: list[tuple[int, ...]] = [()]
    counts = table.warrior_counts()
    for _ in range(table.line_size):
        found = [
            (*line, warrior)
            for line in found
            for warrior in range(NUM_WARRIORS)
            if line.count(warrior) < counts[warrior]
        ]
    return np.array(found, dtype=np.int8)


def matrix_of(root: States, rows: Lines, columns: Lines, threads: int = 0) -> npt.NDArray[np.int8]:
    """127 times the return of seat 0 with each of its lines against each of the rival's, rounded: int8, shape (n, m).

    The attack is played as in rollouts (`compiled.attack`), but a seat takes the weakest of the warriors that its line
    leaves for the one that it has set aside. The return at the end of a round before the last is an expected one.

    Args:
        root: a game between two players without neutral clans at the start of a round, shape (1,).
        rows: lines of seat 0.
        columns: lines of seat 1.
        threads: 0: as many as there are processors.
    """
    entries = []
    for side in (rows, columns):
        if len(side) > MOST_LINES:
            raise ValueError(f"a matrix has at most {MOST_LINES:,} lines of a side, not {len(side):,}")
        codes = side @ (1 << CARD_BITS * np.arange(side.shape[1])[::-1])
        entries.append(np.sort(codes << ROW_BITS | np.arange(len(side))))
    # Lines of both sides that begin alike are one task: they share turns, and tasks are small enough for threads to end
    # together.
    first_slot = ROW_BITS + CARD_BITS * (rows.shape[1] - 1)
    parts = [np.split(lines, np.flatnonzero(np.diff(lines >> first_slot)) + 1) for lines in entries]
    matrix = np.empty((len(rows), len(columns)), dtype=np.int8)

    def fill(task: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]) -> None:
        fill_matrix(new_walk(root, round_networks()), *task, matrix)

    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        list(pool.map(fill, product(*parts)))
    return matrix


def weighted_rows(matrix: npt.NDArray[np.int8], weights: Floats, threads: int = 0) -> Floats:
    """The sum of a matrix's rows, each times its weight, as returns: float64, shape (columns,)."""
    total = np.zeros(matrix.shape[1])

    def add(first: int) -> None:
        add_weighted_rows(matrix, weights, first, total[first : first + BLOCK])

    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        list(pool.map(add, range(0, len(total), BLOCK)))
    return total / SCALE
