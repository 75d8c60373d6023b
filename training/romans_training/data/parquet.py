"""Recorded games as Parquet files: one row for each decision, in parts that are whole or not there.

``FOLDER/decisions/part-00000.parquet`` and so on hold the rows, ``FOLDER/export.json`` says what they are made of, and
``FOLDER/croissant.json`` describes them. An export that was stopped goes on with the parts that are missing; the same
records give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import romans_env
from romans_agents.permission import Files
from romans_env.errors import in_one_line, needs_extra
from romans_env.files import atomic_write, json_of, read_text, write_text
from romans_env.games import spec_of
from romans_env.records import RecordError, checked_spec
from romans_training.data.behaviour import BehaviourPolicies, Probabilities
from romans_training.data.decisions import Decisions, PlayedGame, RecordReader, decisions_of
from romans_training.data.record_files import Place, digest_of_file, digests_of, places_of, records_in
from romans_training.worker_processes import worker_pool

FORMAT = "romans-decisions/1"
PART_GAMES, GROUP_GAMES = 8192, 256
"""Games of a part, and of a row group in it."""


class ExportError(ValueError):
    """An export that cannot be made as asked, saying what to do."""


def export_decisions(
    paths: Sequence[Path],
    folder: Path,
    files: Files = "none",
    part_games: int = PART_GAMES,
    on_progress: Callable[[int, int], object] = lambda games, decisions: None,
    jobs: int = 1,
) -> int:
    """Write the decisions of recorded games into a folder, or what is missing of them.

    Args:
        paths: files of records, ``.json`` or ``.jsonl``, of one game; setups may differ.
        folder: the folder to write; what another export has left there is refused.
        files: what the records may load, as for `BehaviourPolicies`.
        part_games: games of a file of rows.
        on_progress: called with the numbers of games and decisions written by this call.
        jobs: processes that write files at once, at least 1; the files are the same. A program that asks for more than
            1 starts under ``if __name__ == "__main__":``, as `multiprocessing` asks for.

    Returns:
        The number of decisions written by this call.

    Raises:
        ExportError: a folder of another export, no records, or a process that died.
        RecordError: a record that does not fit, saying where; whole files are kept.
        ModuleNotFoundError: saying how to install pyarrow.
        ValueError: no jobs.
    """
    if jobs < 1:
        raise ValueError(f"jobs is at least 1, not {jobs}")
    _pyarrow()
    settings = {"format": FORMAT, "sources": digests_of(paths), "files": files, "part_games": part_games}
    game = _game_in(paths)
    _begin(folder, settings)
    places = places_of(paths, part_games)
    names = [_part_name(k) for k in range(len(places))]
    missing = [k for k, name in enumerate(names) if not (folder / "decisions" / name).exists()]
    parts = _Parts(tuple(paths), tuple(places), folder / "decisions", game, files, part_games)
    games = written = 0

    def report(more_games: int, rows: int) -> None:
        nonlocal games, written
        games, written = games + more_games, written + rows
        on_progress(games, written)

    if min(jobs, len(missing)) < 2:
        for number in missing:
            write_part(parts, number, report)
    else:
        for found in _written_in_processes(parts, missing, jobs):
            report(*found)
    write_text(folder / "croissant.json", json.dumps(_croissant_of(folder, names, game), indent=2) + "\n")
    return written


class _Parts(NamedTuple):
    """What the parts of an export have in common.

    Attributes:
        paths: the files of records.
        places: where the first record of each part is in them.
        folder: of the parts.
        game: the name of the game.
        files: as for `BehaviourPolicies`.
        games: games of a part.
    """

    paths: tuple[Path, ...]
    places: tuple[Place, ...]
    folder: Path
    game: str
    files: Files
    games: int


def _written_in_processes(parts: _Parts, numbers: Sequence[int], jobs: int) -> Iterator[tuple[int, int]]:
    """Write parts in ``jobs`` processes; gives the games and decisions of each, in order."""
    with worker_pool(min(jobs, len(numbers))) as pool:
        futures = [pool.submit(write_part, parts, number) for number in numbers]
        try:
            for future in futures:
                yield future.result()
        except BrokenProcessPool:
            raise ExportError(
                "a worker process died, killed or out of memory. What was written before is kept; the same command "
                "goes on, with --jobs 1 in one process"
            ) from None


def _game_in(paths: Sequence[Path]) -> str:
    """The game of the records; ExportError without any."""
    for place, record in records_in(paths):
        try:
            return checked_spec(record).name
        except RecordError as error:
            raise RecordError(f"{place}: {error}") from None
    raise ExportError("there are no records in these files; romans evaluate --records writes some")


def _begin(folder: Path, settings: dict[str, Any]) -> None:
    """Note what is exported; ExportError where something else was."""
    manifest = folder / "export.json"
    if manifest.exists():
        try:
            before = json_of(read_text(manifest))
        except (OSError, ValueError) as error:
            raise ExportError(f"cannot read {manifest}: {in_one_line(error)}; name another folder") from None
        if before != settings:
            raise ExportError(f"{folder} holds an export of other records or settings; name another folder")
        return
    if (folder / "decisions").exists():
        raise ExportError(f"{folder} has decisions without an export.json; name another folder")
    write_text(manifest, json.dumps(settings, indent=2) + "\n")


def write_part(
    parts: _Parts, number: int, report: Callable[[int, int], object] = lambda games, decisions: None
) -> tuple[int, int]:
    """Write a part, group by group; returns its numbers of games and decisions."""
    records = islice(records_in(parts.paths, parts.places[number]), parts.games)
    reader = RecordReader(parts.game)
    games = written = 0
    path = parts.folder / _part_name(number)
    with atomic_write(path) as temporary, closing(_Part(temporary, parts.game, parts.files)) as part:
        while group := [reader.play(sourced) for sourced in islice(records, GROUP_GAMES)]:
            part.write(group, number * parts.games + games)
            rows = sum(one.actions.size for one in group)
            games, written = games + len(group), written + rows
            report(len(group), rows)
    return games, written


class _Part:
    """A file of rows that is being written.

    Args:
        path: the path of the file.
        game: the name of the game.
        files: as for `BehaviourPolicies`.
    """

    def __init__(self, path: Path, game: str, files: Files):
        self._path, self._behaviour = path, BehaviourPolicies(game, files)
        self._sink: Any = None
        actions = json.dumps(list(spec_of(game).make_rules().action_names))
        self._notes = {"format": FORMAT, "game": game, "actions": actions}

    def write(self, games: Sequence[PlayedGame], first: int) -> None:
        """Add the decisions of some games, the first of which has the number ``first``, as a row group."""
        _, parquet = _pyarrow()
        decisions = decisions_of(games, first)
        table = _table_of(decisions, *self._behaviour.of(decisions)).replace_schema_metadata(self._notes)
        if self._sink is None:
            self._sink = parquet.ParquetWriter(
                self._path,
                table.schema,
                compression="zstd",
                # Over lists, dictionaries take longer than the games take to replay.
                use_dictionary=["setup", "agent"],
                write_statistics=["game", "step", "seat", "action"],
            )
        self._sink.write_table(table)

    def close(self) -> None:
        """End the file."""
        if self._sink is not None:
            self._sink.close()


def _table_of(decisions: Decisions, probabilities: Probabilities, known: npt.NDArray[np.bool_]) -> Any:
    pa, _ = _pyarrow()
    chosen = probabilities[np.arange(len(known)), decisions.action]
    unfinished = np.isnan(decisions.returns)
    columns = {
        "game": pa.array(decisions.game),
        "step": pa.array(decisions.step),
        "setup": _named(decisions.setup, decisions.setups),
        "seat": pa.array(decisions.seat),
        "agent": _named(decisions.agent, decisions.agents),
        "observation": _rows(decisions.observation),
        "action_mask": _rows(decisions.action_mask),
        "action": pa.array(decisions.action),
        "probability": pa.array(chosen, mask=~known),
        "probabilities": _rows(probabilities, ~known),
        "reward": pa.array(decisions.reward, mask=unfinished),
        "return": pa.array(decisions.returns, mask=unfinished),
        "is_last": pa.array(decisions.is_last),
    }
    return pa.table(columns)


def _named(codes: npt.NDArray[np.int32], names: Sequence[str]) -> Any:
    """A column of names, null where the code is -1."""
    pa, _ = _pyarrow()
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(names, pa.string()))


def _rows(array: npt.NDArray[Any], is_null: npt.NDArray[np.bool_] | None = None) -> Any:
    """A column of lists of one length, from the rows of an array."""
    pa, _ = _pyarrow()
    mask = None if is_null is None else pa.array(is_null)
    return pa.FixedSizeListArray.from_arrays(pa.array(array.ravel()), array.shape[1], mask=mask)


def _part_name(number: int) -> str:
    return f"part-{number:05}.parquet"


def _croissant_of(folder: Path, parts: Sequence[str], game: str) -> dict[str, Any]:
    """The description of an export in Croissant 1.0, the JSON-LD of ML Commons for data sets.

    It is ``croissant.template.json``, which describes every column, with the names and digests of the files.
    """
    template = resources.files(__package__) / "croissant.template.json"
    found: dict[str, Any] = json.loads(template.read_text(encoding="utf-8"))
    found["name"] = found["name"].format(game=game)
    found["description"] = found["description"].format(title=spec_of(game).title)
    found["creator"]["name"] = found["creator"]["name"].format(version=romans_env.__version__)
    files = [
        {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": f"decisions/{name}",
            "encodingFormat": "application/x-parquet",
            "sha256": digest_of_file(folder / "decisions" / name),
        }
        for name in parts
    ]
    return {**found, "distribution": [*files, *found["distribution"]]}


def _pyarrow() -> tuple[Any, Any]:
    with needs_extra("Parquet", "data"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow, pyarrow.parquet
