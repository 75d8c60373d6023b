"""Recorded games as a Minari dataset; an episode has the observations, actions and rewards of one seat in one game."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium
import numpy as np

import romans_env
from romans_agents.permission import Files
from romans_env.core.games import spec_of
from romans_env.core.protocol import Setup
from romans_env.errors import in_one_line, needs_extra, shortened
from romans_training.data.behaviour import BehaviourPolicies
from romans_training.data.decisions import RecordReader, decisions_of
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
    """Write recorded games as a dataset in Minari's local root (``MINARI_DATASETS_PATH``), atomically.

    An episode has T actions of one seat and T + 1 observations; the last observation is from the end of the record. The
    reward of an action is what the seat earns until its next decision. An episode is truncated if the game was not
    played to its end. ``infos`` have T + 1 rows, too: ``action_mask`` (int8) and ``probabilities`` (float32, of the
    agent that chose; NaN if unknown) have the shape ``(T + 1, num_actions)``; ``agent`` (the seat's agent spec; empty
    if the record names none), ``seat`` and ``game`` (the index of the record) have the shape ``(T + 1,)``.

    Args:
        paths: files of records, ``.json`` or ``.jsonl``, of one game with one setup.
        dataset_id: the id of the Minari dataset, such as ``roma/raider-v0``.
        agent: the agent spec whose seats become episodes; None for all seats.
        files: what the records may load, as for `BehaviourPolicies`.
        on_progress: called with the numbers of games and decisions so far.

    Returns:
        The folder of the dataset.

    Raises:
        ExportError: if the id is invalid or taken, there are no records or several setups, or the agent has no seat.
        RecordError: if a record violates the rules; says where.
    """
    with needs_extra("Minari", "minari"):
        import h5py  # noqa: F401
        import minari
        from minari.dataset.minari_dataset import parse_dataset_id
        from minari.namespace import create_namespace, list_local_namespaces
        from minari.storage import get_dataset_path
    try:
        namespace, _, _ = parse_dataset_id(dataset_id)
    except (ValueError, TypeError):  # a TypeError if the id has no version
        raise ExportError(f"{shortened(dataset_id)} is not a dataset id; give one such as roma/raider-v0") from None
    target = Path(get_dataset_path(dataset_id))
    if target.exists():
        raise ExportError(f"the dataset {dataset_id} exists already, in {target}; give another id or the next version")
    spec = spec_of(game_in(paths))
    rules = RecordReader(spec.name).play(next(records_in(paths))).rules
    env = gymnasium.make(spec.env_id or spec.name, **rules.setup.as_json())
    # Minari does not look for datasets in hidden folders, and within a file system a folder is moved atomically.
    with TemporaryDirectory(prefix=".romans-", dir=get_dataset_path()) as folder, warnings.catch_warnings():
        # Minari warns that there is no author's address and no link to code.
        warnings.filterwarnings("ignore", category=UserWarning, module="minari")
        with _root(folder):
            create: Any = minari.create_dataset_from_buffers  # untyped: it takes any iterable, unlike its annotation
            dataset = create(
                dataset_id,
                _episodes(paths, rules.setup, agent, BehaviourPolicies(spec.name, files), on_progress),
                env,
                algorithm_name=agent or "the agents that infos name",
                author=f"romans-env {romans_env.__version__}",
                description=f"Recorded games of {spec.title}: one seat of a game in each episode",
                requirements=[f"romans-env=={romans_env.__version__}"],
            )
        dataset.storage.update_metadata({"action_names": list(rules.action_names)})
        if namespace is not None and namespace not in list_local_namespaces():
            create_namespace(namespace)
        os.rename(Path(folder) / dataset_id, target)
    return target


@contextlib.contextmanager
def _root(folder: str) -> Iterator[None]:
    """Make a folder Minari's root, which Minari reads from the environment only."""
    before = os.environ.get(_ROOT)
    os.environ[_ROOT] = folder
    try:
        yield
    finally:
        os.environ.pop(_ROOT)
        if before is not None:
            os.environ[_ROOT] = before


def _episodes(
    paths: Sequence[Path], setup: Setup, agent: str | None, behaviour: BehaviourPolicies, on_progress: Any
) -> Iterator[Any]:
    """Yield the episodes of records; arguments as for `export_minari`."""
    from minari.data_collector import EpisodeBuffer

    buffer: Any = EpisodeBuffer  # untyped: it takes arrays, unlike its annotation

    games = map(RecordReader(setup.game).play, records_in(paths))
    number, decided, written, seen = 0, 0, 0, set()
    while group := list(islice(games, GROUP_GAMES)):
        decisions = decisions_of(group, number)
        probabilities, known = behaviour.of(decisions)
        probabilities[~known] = np.nan
        for k, one in enumerate(group, number):
            if one.rules.setup != setup:
                raise ExportError(f"game {k} has the setup {one.rules.setup}, not {setup}: export setups separately")
            for seat, spec in enumerate(one.agents):
                seen.add(spec or "nobody")
                rows = np.flatnonzero((decisions.game == k) & (decisions.seat == seat))
                if not rows.size or agent not in (None, spec):
                    continue
                last, written = np.arange(rows.size) == rows.size - 1, written + 1
                yield buffer(
                    observations=np.vstack([decisions.observation[rows], one.end.observation(seat)]),
                    actions=decisions.action[rows].astype(np.int64),
                    rewards=np.nan_to_num(decisions.reward[rows]),  # an unfinished game has had no rewards yet
                    terminations=last & one.end.is_over,
                    truncations=last & (not one.end.is_over),
                    infos={
                        "action_mask": np.vstack([decisions.action_mask[rows], one.end.action_mask(seat)]),
                        "probabilities": np.pad(probabilities[rows], ((0, 1), (0, 0)), constant_values=np.nan),
                        "agent": [spec or ""] * (rows.size + 1),
                        "seat": np.full(rows.size + 1, seat),
                        "game": np.full(rows.size + 1, k),
                    },
                )
        number, decided = number + len(group), decided + len(known)
        on_progress(number, decided)
    if not written:
        named = ", ".join(sorted(seen))
        raise ExportError(f"the records have no decisions of {in_one_line(agent or 'any agent')}; they name {named}")
