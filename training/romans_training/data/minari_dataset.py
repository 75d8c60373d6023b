"""Recorded games as a Minari dataset: an episode is what one seat of one game observed, chose and was rewarded with."""

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
    """
    with needs_extra("Minari", "minari"):
        import h5py  # noqa: F401
        import minari
        from minari.dataset.minari_dataset import parse_dataset_id
        from minari.namespace import create_namespace, list_local_namespaces
        from minari.storage import get_dataset_path
    try:
        namespace, _, _ = parse_dataset_id(dataset_id)
    except (ValueError, TypeError):  # the second without a version
        raise ExportError(f"{shortened(dataset_id)} names no dataset; a name is such as roma/raider-v0") from None
    target = Path(get_dataset_path(dataset_id))
    if target.exists():
        raise ExportError(f"there is a dataset {dataset_id} already, in {target}; name another, such as a next version")
    spec = spec_of(game_in(paths))
    rules = RecordReader(spec.name).play(next(records_in(paths))).rules
    env = gymnasium.make(spec.env_id or spec.name, **rules.setup.as_json())
    # Minari looks for no dataset in a hidden folder, and one of the same file system is moved in one step.
    with TemporaryDirectory(prefix=".romans-", dir=get_dataset_path()) as folder, warnings.catch_warnings():
        # It misses an author's address and a link to code.
        warnings.filterwarnings("ignore", category=UserWarning, module="minari")
        with _root(folder):
            create: Any = minari.create_dataset_from_buffers  # it takes any iterable, which its types do not say
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
    """Make a folder Minari's root, which it takes from the environment alone."""
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

    buffer: Any = EpisodeBuffer  # of arrays, which its types do not say

    games = map(RecordReader(setup.game).play, records_in(paths))
    number, decided, written, seen = 0, 0, 0, set()
    while group := list(islice(games, GROUP_GAMES)):
        decisions = decisions_of(group, number)
        probabilities, known = behaviour.of(decisions)
        probabilities[~known] = np.nan
        for k, one in enumerate(group, number):
            if one.rules.setup != setup:
                raise ExportError(f"game {k} has the setup {one.rules.setup}, not {setup}: export each setup by itself")
            for seat, spec in enumerate(one.agents):
                seen.add(spec or "nobody")
                rows = np.flatnonzero((decisions.game == k) & (decisions.seat == seat))
                if not rows.size or agent not in (None, spec):
                    continue
                last, written = np.arange(rows.size) == rows.size - 1, written + 1
                yield buffer(
                    observations=np.vstack([decisions.observation[rows], one.end.observation(seat)]),
                    actions=decisions.action[rows].astype(np.int64),
                    rewards=np.nan_to_num(decisions.reward[rows]),  # nothing is rewarded before the end of a game
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
        raise ExportError(f"no seat of the records is played by {in_one_line(agent or 'anybody')}; they name {named}")
