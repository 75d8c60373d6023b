"""Games for fitting networks: a policy plays all seats, with random plans in some rounds so that positions differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
import numpy as np
import numpy.typing as npt

from romans_agents import BatchAgent
from romans_agents.batches.self_play_batch import PendingDecisions, SelfPlayBatch
from romans_agents.loops.codes import LEARNER
from romans_env import RomansGoHome, Table
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

Agent = TypeVar("Agent", bound=BatchAgent)
Found = TypeVar("Found")
TABLES = {(2, 0): 6, (3, 0): 3, (4, 0): 3, (2, 1): 2, (2, 2): 1, (3, 1): 1}
"""Relative numbers of games, by the numbers of players and neutral clans."""
AT_ONCE = 4096
"""The most games that are played at a time."""
PLANNED_AT_RANDOM = (0.5, 0.25, 0.25)
"""The shares of games in which half of the seats plan at random in no round, in the first, or in the first two."""


class ExploredGames:
    """Games in which an agent plays all seats, except that some plans are random.

    Args:
        agent: the agent.
        table: the setup of the games.
        num_games: the number of games.
        seed: the random seed, except for the agent's.
    """

    def __init__(self, agent: BatchAgent, table: Table, num_games: int, seed: int):
        self._rng, shape = np.random.default_rng(seed), (num_games, table.num_players, table.num_rounds)
        self._agent, self._games = agent, np.arange(num_games)
        self._batch = SelfPlayBatch(num_games, RomansGoHome(table), [], int(self._rng.integers(2**31)))
        self._random_rounds = self._rng.choice(len(PLANNED_AT_RANDOM), num_games, p=PLANNED_AT_RANDOM)
        is_random = np.arange(table.num_rounds) < self._random_rounds[:, None, None]
        self._is_random = is_random & (self._rng.random(shape) < 0.5)
        self.begun = self._games[:0]
        """Indices of the games that are at the first decision of a round: int64, shape ``(n,)``."""

    @property
    def states(self) -> States:
        """Records of the games, shape ``(num_games,)``."""
        return self._batch.states

    def play(self) -> Iterator[PendingDecisions]:
        """Play all games to their ends; yield the decisions of each step before they are made."""
        self._batch.start(self._games, np.full(self._is_random.shape[:2], LEARNER))
        last_rounds = np.full(len(self._games), -1)
        while len((pending := self._batch.pending()).games):
            rounds = self.rounds_of(pending.games)
            self.begun = pending.games[rounds > last_rounds[pending.games]]
            last_rounds[pending.games] = rounds
            yield pending
            actions = self._agent.act_batch(pending.observations, pending.masks)
            planning = np.isin(self.states["phase"][pending.games], (PHASE_DISCARD, PHASE_PLACE))
            loose = planning & self._is_random[pending.games, pending.seats, rounds]
            masks = pending.masks[loose]
            actions[loose] = (self._rng.random(masks.shape) * masks).argmax(axis=1)
            self._batch.step(pending.games, actions)

    def rounds_of(self, games: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the index of the current round of each game, counted from 0: int64, shape ``(n,)``."""
        return self.states["round_index"][games].astype(np.int64)

    def is_settled(self, games: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return whether no plan is random from the current round on: bool, shape ``(n,)``."""
        return self.rounds_of(games) >= self._random_rounds[games]

    def returns(self) -> npt.NDArray[np.float32]:
        """Return the players' returns in the finished games: float32, shape ``(num_games, players)``."""
        return self._batch.returns(self._games)


def parts_of(num_games: int) -> Iterator[tuple[tuple[int, int], int, int]]:
    """Split a number of games by tables, and the games of a table into parts of at most AT_ONCE.

    Yields:
        The numbers of players and neutral clans, the number of the part, and the number of its games.
    """
    for table, share in TABLES.items():
        left, number = num_games * share // sum(TABLES.values()), 0
        while left > 0:
            yield table, number, min(left, AT_ONCE)
            left, number = left - AT_ONCE, number + 1


def played_parts(
    play: Callable[[Agent, Table, int, int], Found], agent: Agent, num_games: int, seed: int
) -> Iterator[tuple[str, Found]]:
    """Play the games of all tables, part by part.

    Args:
        play: a function that plays a part, called with the agent, the table, the number of games and a seed.
        agent: the agent on all seats.
        num_games: the total number of games.
        seed: the random seed, except for the agent's.

    Yields:
        The name of the table and the result of ``play``.
    """
    for (players, neutrals), number, part in parts_of(num_games):
        word = int(np.random.SeedSequence([seed, players, neutrals, number]).generate_state(1)[0])
        yield f"{players}+{neutrals}", play(agent, Table(players, neutrals), part, word)


def fit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the common argument and options to a command that fits a network to such games."""
    options = (
        click.argument("to", type=click.Path(path_type=Path, dir_okay=False)),
        click.option(
            "--agent", default="legate", show_default=True, help="Agent spec of a policy, which plays all seats."
        ),
        click.option(
            "--games", type=click.IntRange(min=1), default=300_000, show_default=True, help="Number of games."
        ),
        click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads of torch."),
        click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed."),
    )
    for option in reversed(options):
        command = option(command)
    return command
