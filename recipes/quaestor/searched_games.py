"""Plays games of Roma in which a policy's decisions are searched by rollouts, and writes the searched decisions.

    python -m recipes.quaestor.searched_games runs/searched-1
    python -m recipes.quaestor.searched_games runs/searched-2 --policy runs/first.npz --candidates 4 --samples 2

The search is `policy-rollouts:turns=3,candidates=10,prior_floor=0.01`, played for many games at once. A shard is a file
with the decisions of some games; a shard that exists is not played again, so a run can be stopped and continued. Four
candidates with two rollouts each take a third of the time of the default, a decision.

In half of the games both seats are searched; in the others one seat plays against `expectimax`. A searched seat plays
the search's choices in two games of three, and otherwise the policy's, so that positions after its mistakes are
searched too.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt

from recipes.quaestor.batched_rollouts import evaluate_many
from romans_agents import Policy, make, policy_of
from romans_agents.batches.self_play_batch import PendingDecisions, SelfPlayBatch
from romans_agents.loops.codes import LEARNER
from romans_agents.loops.compiled_networks import networks_of
from romans_env.core.files import atomic_write
from romans_env.engine.random_stream import streams_from_seeds
from romans_env.roma import Roma

CANDIDATES, TURNS, FLOOR, WEIGHT = 10, 3, 0.01, 240.0
"""Options of the search: `candidates`, `turns`, `prior_floor` and `value_weight` of `policy-rollouts`."""
FOLLOWS, SELF_PLAY = 2 / 3, 0.5
"""The share of seats that play the search's choices, and the share of games in which both seats are searched."""
SEATS = 2


class Searched(NamedTuple):
    """Searched decisions, in the order of play.

    Attributes:
        observations: int16, shape ``(n, observation_size)``.
        masks: the action masks as bits (`numpy.packbits`): uint8, shape ``(n, m)``.
        candidates: action ids, likeliest first, -1 after the last one: int16, shape ``(n, CANDIDATES)``.
        logs: logarithms of the policy's probabilities of the candidates: float32, shape ``(n, CANDIDATES)``.
        means: mean returns of the rollouts after each candidate, from -1 to 1, for each half of the determinizations:
            float32, shape ``(n, 2, CANDIDATES)``.
        outcomes: the return of the seat to act at the end of the game: float32, shape ``(n,)``.
        games: the number of the decision's game within the shard: int32, shape ``(n,)``.
    """

    observations: npt.NDArray[np.int16]
    masks: npt.NDArray[np.uint8]
    candidates: npt.NDArray[np.int16]
    logs: npt.NDArray[np.float32]
    means: npt.NDArray[np.float32]
    outcomes: npt.NDArray[np.float32]
    games: npt.NDArray[np.int32]


def improved(
    logs: npt.NDArray[Any], means: npt.NDArray[Any], is_candidate: npt.NDArray[np.bool_], weight: float = WEIGHT
) -> npt.NDArray[np.float64]:
    """Compute the improved policy of a search: proportional to max(p, floor) exp(weight Q).

    Args:
        logs: logarithms of the policy's probabilities: floats, shape ``(n, m)``.
        means: mean returns, Q: floats, shape ``(n, m)``, from -1 to 1.
        is_candidate: False for the empty places: bool, shape ``(n, m)``.
        weight: the weight of the returns.

    Returns:
        Probabilities, float64, shape ``(n, m)``; each row sums to 1.
    """
    floored = np.maximum(logs, logs.max(axis=1, keepdims=True, where=is_candidate, initial=-np.inf) + math.log(FLOOR))
    scores = np.where(is_candidate, floored + weight * means.astype(np.float64), -np.inf)
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


class Search:
    """Searches the decisions of many games with rollouts of a policy.

    Args:
        policy: the policy; its networks have two hidden layers.
        most: the maximum number of candidates, from 2 to CANDIDATES.
        samples: the number of rollouts of each candidate, an even number.
        streams: random streams, one for each game: int64, shape ``(num_games, 4)``.
    """

    def __init__(self, policy: Policy, most: int, samples: int, streams: npt.NDArray[np.int64]):
        self._policy, self._networks = policy, networks_of(policy)
        self._most, self._samples, self._streams = most, samples, streams

    def search(self, states: npt.NDArray[Any], pending: PendingDecisions) -> Searched:
        """Search decisions; the outcomes are not yet known and 0.

        Args:
            states: records of all games.
            pending: the decisions to search.
        """
        is_legal, size = pending.masks != 0, len(pending.games)
        logits = np.where(is_legal, self._policy.logits(pending.observations), -np.inf)
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        likeliest = np.argsort(-logits, axis=1, kind="stable")[:, :CANDIDATES]
        counts = np.minimum(is_legal.sum(axis=1), self._most)
        sums, samples = np.zeros((size, 2, CANDIDATES)), np.full(size, self._samples)
        evaluate_many(states, pending.games, likeliest, counts, samples, TURNS, self._streams, sums, self._networks)
        is_candidate = np.arange(CANDIDATES) < counts[:, None]
        return Searched(
            pending.observations.astype(np.int16),
            np.packbits(is_legal, axis=1),
            np.where(is_candidate, likeliest, -1).astype(np.int16),
            np.where(is_candidate, np.take_along_axis(logits, likeliest, axis=1), 0.0).astype(np.float32),
            (sums * 2 / self._samples).astype(np.float32),
            np.zeros(size, dtype=np.float32),
            pending.games.astype(np.int32),
        )


def play_shard(policy: Policy, num_games: int, most: int, samples: int, seed: np.random.SeedSequence) -> Searched:
    """Play games in which the decisions of a policy are searched, and return these decisions.

    Args:
        policy: the policy, which is searched and also plays in the rollouts.
        num_games: the number of games, which are played side by side.
        most: the maximum number of candidates, from 2 to CANDIDATES.
        samples: the number of rollouts of each candidate, an even number.
        seed: the seed of all randomness.
    """
    chance, of_streams = seed.spawn(2)
    rng = np.random.default_rng(chance)
    search = Search(policy, most, samples, streams_from_seeds(of_streams.spawn(num_games)))
    batch = SelfPlayBatch(num_games, Roma(), [make("expectimax", game="roma")], int(rng.integers(2**31)))
    line_ups = np.full((num_games, SEATS), LEARNER)
    against = np.flatnonzero(rng.random(num_games) >= SELF_PLAY)
    line_ups[against, rng.integers(SEATS, size=against.size)] = 0
    follows = rng.random((num_games, SEATS)) < FOLLOWS
    batch.start(np.arange(num_games), line_ups)
    parts, seats = list[Searched](), list[npt.NDArray[np.int8]]()
    while True:
        while batch.play_agents():
            pass
        if not (pending := batch.pending()).games.size:
            break
        part = search.search(batch.states, pending)
        rows, is_candidate = np.arange(pending.games.size), part.candidates >= 0
        probabilities = improved(part.logs, part.means.mean(axis=1), is_candidate)
        drawn = (rng.random((rows.size, 1)) > probabilities.cumsum(axis=1)).sum(axis=1)
        drawn = np.minimum(drawn, is_candidate.sum(axis=1) - 1)
        places = np.where(follows[pending.games, pending.seats], drawn, 0)
        batch.step(pending.games, part.candidates[rows, places].astype(np.int64))
        parts.append(part)
        seats.append(pending.seats)
    found = Searched(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    returns = batch.returns(np.arange(num_games))
    return found._replace(outcomes=returns[found.games, np.concatenate(seats)])


def save(path: Path, searched: Searched) -> None:
    """Write a shard under a temporary name, and then rename it, so that a file is always whole."""
    with atomic_write(path) as temporary, open(temporary, "wb") as file:
        arrays: dict[str, Any] = searched._asdict()
        np.savez_compressed(file, **arrays)


def load(path: Path) -> Searched:
    """Read a shard."""
    with np.load(path, allow_pickle=False) as arrays:
        return Searched(*(arrays[name] for name in Searched._fields))


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--policy", default="quaestor", show_default=True, help="The policy: a file, or an agent of Roma.")
@click.option("--shards", type=click.IntRange(min=1), default=25, show_default=True, help="Number of files in all.")
@click.option("--games", type=click.IntRange(min=1), default=640, show_default=True, help="Games of a shard.")
@click.option(
    "--candidates",
    type=click.IntRange(2, CANDIDATES),
    default=CANDIDATES,
    show_default=True,
    help="Largest number of actions that are compared.",
)
@click.option(
    "--samples", type=click.IntRange(min=2), default=4, show_default=True, help="Rollouts of a candidate; even."
)
@click.option("--minutes", type=click.FloatRange(min=0), default=math.inf, help="No shard begins after this time.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
def main(
    folder: Path, policy: str, shards: int, games: int, candidates: int, samples: int, minutes: float, seed: int
) -> None:
    """Play the games of every shard that FOLDER does not have yet."""
    if samples % 2:
        raise click.UsageError("--samples must be even, because the returns are kept for each half of the rollouts")
    folder.mkdir(parents=True, exist_ok=True)
    searched, begin = policy_of(policy, game="roma"), time.monotonic()
    for number in range(shards):
        path, start = folder / f"{number:04d}.npz", time.monotonic()
        if path.exists() or start - begin > 60 * minutes:
            continue
        found = play_shard(searched, games, candidates, samples, np.random.SeedSequence([seed, number]))
        save(path, found)
        seconds, count = time.monotonic() - start, len(found.outcomes)
        click.echo(f"{path.name}: {count:,} decisions of {games} games, {1000 * seconds / count:.2f} ms each")


if __name__ == "__main__":
    main()
