"""Recorded games as a Minari dataset: an episode is what one seat of one game observed, chose and was rewarded with."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

import romans_env
from romans_agents.permission import Files
from romans_env.envs.single import SingleSeatEnv
from romans_env.errors import in_one_line, needs_extra, shortened
from romans_env.games import spec_of
from romans_training.data.behaviour import BehaviourPolicies, Probabilities
from romans_training.data.decisions import Decisions, PlayedGame, RecordReader, decisions_of
from romans_training.data.parquet import GROUP_GAMES, ExportError, game_in
from romans_training.data.record_files import records_in

_ROOT = "MINARI_DATASETS_PATH"


def export_minari(
    paths: Sequence[Path],
    dataset_id: str,
    agent: str | None = None,
    files: Files = "none",
    on_progress: Callable[[int, int], object] = lambda games, decisions: None,
) -> Path:
    """Write recorded games as a dataset of Minari's local root (``MINARI_DATASETS_PATH``), whole or not at all.

    An episode has T actions of one seat and T + 1 observations, the last one where the record ends; the reward of an
    action is that of the seat up to its next decision. A game that was not played to its end is truncated. ``infos``
    have T + 1 rows, too: ``action_mask``, int8, and ``probabilities``, float32, those of the agent that chose, NaN
    where they are not known, have shape (T + 1, number of actions); ``agent``, the seat's agent spec, empty where the
    record names none, ``seat`` and ``game``, the number of the record, have shape (T + 1,).

    Args:
        paths: files of records, ``.json`` or ``.jsonl``, of one game with one setup.
        dataset_id: Minari's name of the dataset, such as ``roma/raider-v0``.
        agent: the agent spec of the seats that become episodes; None: all seats.
        files: what the records may load, as for `BehaviourPolicies`.
        on_progress: called with the numbers of games and decisions so far.

    Returns:
        The folder of the dataset.

    Raises:
        ExportError: a name that is no dataset's or is taken, no records, several setups, or no seat of the agent.
        RecordError: a record that does not fit, saying where.
        ModuleNotFoundError: saying how to install Minari.
    """
    minari = _minari()
    root, target = minari.storage.get_dataset_path(), minari.storage.get_dataset_path(dataset_id)
    try:
        namespace, _, _ = minari.dataset.minari_dataset.parse_dataset_id(dataset_id)
    except ValueError:
        raise ExportError(f"{shortened(dataset_id)} names no dataset; a name is such as roma/raider-v0") from None
    taken = ExportError(f"there is a dataset {dataset_id} already, in {target}; name another, such as a next version")
    if target.exists():
        raise taken
    game = game_in(paths)
    # Minari looks for no dataset in a hidden folder, and one of the same file system is moved in one step.
    with TemporaryDirectory(prefix=".romans-", dir=root) as folder:
        with _root_at(folder):
            _write(minari, dataset_id, _Episodes(paths, game, agent, files, on_progress))
        if namespace is not None and namespace not in minari.namespace.list_local_namespaces():
            minari.namespace.create_namespace(namespace)
        if target.exists():
            raise taken
        os.rename(Path(folder) / dataset_id, target)
    return Path(target)


def _write(minari: Any, dataset_id: str, episodes: _Episodes) -> None:
    """Write a dataset into Minari's root, one group of games after the other."""
    env = episodes.start()
    with warnings.catch_warnings():
        # It misses an author's address and a link to code.
        warnings.filterwarnings("ignore", category=UserWarning, module="minari")
        dataset = minari.create_dataset_from_buffers(
            dataset_id,
            episodes,
            env,
            algorithm_name=episodes.agent or "the agents that infos name",
            author=f"romans-env {romans_env.__version__}",
            description=f"Recorded games of {spec_of(episodes.game).title}: one seat of a game in each episode",
            requirements=[f"romans-env=={romans_env.__version__}"],
            data_format="hdf5",
        )
    if not dataset.total_episodes:
        named = ", ".join(sorted(episodes.seen)) or "nobody"
        raise ExportError(f"no seat of the records is played by {in_one_line(episodes.agent)}; they name {named}")
    dataset.storage.update_metadata({"action_names": list(env.unwrapped.rules.action_names)})


class _Episodes:
    """The episodes of records, made while they are iterated over.

    Args:
        paths, agent, files, on_progress: as for `export_minari`.
        game: the name of the game.
    """

    def __init__(self, paths: Sequence[Path], game: str, agent: str | None, files: Files, on_progress: Any):
        self.game, self.agent, self._on_progress = game, agent, on_progress
        self.seen: set[str] = set()
        self._behaviour = BehaviourPolicies(game, files)
        reader = RecordReader(game)
        self._games = (reader.play(sourced) for sourced in records_in(paths))
        self._first = next(self._games)

    def start(self) -> Any:
        """Return the environment of the records' game and setup, as ``gymnasium.make`` gives it."""
        spec, settings = spec_of(self.game), self._first.rules.setup.as_json()
        return (
            SingleSeatEnv(game=self.game, **settings)
            if spec.env_id is None
            else gymnasium.make(spec.env_id, **settings)
        )

    def __iter__(self) -> Iterator[Any]:
        games, number, rows = chain([self._first], self._games), 0, 0
        while group := list(islice(games, GROUP_GAMES)):
            for k, one in enumerate(group, number):
                if one.rules.setup != self._first.rules.setup:
                    raise ExportError(
                        f"game {k} is of the setup {one.rules.setup}, those before it of {self._first.rules.setup}: "
                        "export each setup by itself"
                    )
            decisions = decisions_of(group, number)
            yield from self._of_group(group, decisions)
            number, rows = number + len(group), rows + len(decisions.action)
            self._on_progress(number, rows)

    def _of_group(self, group: Sequence[PlayedGame], decisions: Decisions) -> Iterator[Any]:
        probabilities, known = self._behaviour.of(decisions)
        probabilities[~known] = np.nan
        first = 0
        for one in group:
            for seat, spec in enumerate(one.agents):
                self.seen |= {spec} if spec else set()
                rows = first + np.flatnonzero(one.seats == seat)
                if rows.size and self.agent in (None, spec):
                    yield _episode(one, seat, rows, decisions, probabilities)
            first += one.actions.size


def _episode(
    one: PlayedGame, seat: int, rows: npt.NDArray[np.int64], decisions: Decisions, probabilities: Probabilities
) -> Any:
    """Return the episode of a seat, which decided in some rows."""
    from minari.data_collector import EpisodeBuffer

    times, last = rows.size + 1, np.arange(rows.size) == rows.size - 1
    return EpisodeBuffer(
        observations=np.vstack([decisions.observation[rows], one.last_observations[seat]]),
        actions=decisions.action[rows].astype(np.int64),
        # Before the end of a game nothing is rewarded.
        rewards=np.nan_to_num(decisions.reward[rows]),
        terminations=last & (one.returns is not None),
        truncations=last & (one.returns is None),
        infos={
            "action_mask": np.vstack([decisions.action_mask[rows], one.last_masks[seat]]),
            "probabilities": np.pad(probabilities[rows], ((0, 1), (0, 0)), constant_values=np.nan),
            "agent": [one.agents[seat] or ""] * times,
            "seat": np.full(times, seat),
            "game": np.full(times, decisions.game[rows[0]]),
        },
    )


@contextmanager
def _root_at(folder: str) -> Iterator[None]:
    """Let Minari write elsewhere than in its root, for a while."""
    before = os.environ.get(_ROOT)
    os.environ[_ROOT] = folder
    try:
        yield
    finally:
        del os.environ[_ROOT]
        if before is not None:
            os.environ[_ROOT] = before


def _minari() -> Any:
    with needs_extra("Minari", "minari"):
        import h5py  # noqa: F401
        import minari
        import minari.storage
    return minari
