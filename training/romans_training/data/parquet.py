"""Recorded games as Parquet files with one row per decision, in parts that are each written atomically.

``FOLDER/decisions/part-00000.parquet`` and so on hold the rows, and ``FOLDER/export.json`` records the sources and
settings; ``FOLDER/croissant.json`` and the card ``FOLDER/README.md`` describe the export. An export that was stopped
continues with the missing parts; the same records give the same bytes. Rows hold arrays, or words for language models
(`romans_training.data.chat`), which may also be written as JSON Lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

import romans_agents
import romans_env
from romans_agents.permission import Files
from romans_agents.searches.comparison import Comparing
from romans_env.core.files import atomic_write, json_of, read_text, write_text
from romans_env.core.games import spec_of
from romans_env.core.records import RecordError, checked_spec
from romans_env.errors import in_one_line, needs_extra
from romans_training.data.behaviour import BehaviourPolicies, Probabilities
from romans_training.data.card import card_of
from romans_training.data.chat import chat_example_of, rows_of
from romans_training.data.decisions import DecisionTable, PlayedGame, RecordReader, decisions_of
from romans_training.data.record_files import Place, digest_of_file, digests_of, places_of, records_in
from romans_training.worker_processes import worker_pool
from romans_training.write_lock import alone

FORMATS = {"decisions": "romans-decisions/1", "chat": "romans-chat/1"}
PART_GAMES, GROUP_GAMES = 8192, 256
"""Number of games in a part, and in a row group of a part."""
Form = Literal["decisions", "chat"]
Ending = Literal["parquet", "jsonl"]
_MEDIA_TYPES = {"parquet": "application/x-parquet", "jsonl": "application/jsonlines"}


class ExportError(ValueError):
    """An export that cannot be made as asked; the message says what to do."""


def export_decisions(
    paths: Sequence[Path],
    folder: Path,
    files: Files = "none",
    part_games: int = PART_GAMES,
    on_progress: Callable[[int, int], object] = lambda games, decisions: None,
    jobs: int = 1,
    form: Form = "decisions",
    ending: Ending = "parquet",
    judge: str | None = None,
) -> int:
    """Write the decisions of recorded games into a folder, or the parts that are missing there.

    Args:
        paths: files of records, ``.json`` or ``.jsonl``, of one game; setups may differ.
        folder: the folder to write; it must not hold another export.
        files: what the records may load, as for `BehaviourPolicies`.
        part_games: the number of games in a part.
        on_progress: called with the numbers of games and decisions written by this call.
        jobs: the number of processes that write parts in parallel, at least 1; the files are the same for any number.
            With more than 1, the calling program needs ``if __name__ == "__main__":``, as for `multiprocessing`.
        form: rows of arrays, or in words (`romans_training.data.chat.ChatExample`).
        ending: the suffix of the files; JSON Lines for rows in words only.
        judge: for rows in words, the spec of an agent that evaluates the legal actions: a search by rollouts, such as
            ``"flat-mc:iterations=200"``.

    Returns:
        The number of decisions written by this call.

    Raises:
        ExportError: if the folder holds another export, there are no records, or a process died.
        RecordError: if a record violates the rules; says where. Complete parts are kept.
        ModuleNotFoundError: if pyarrow is missing; says how to install it.
        ValueError: if ``jobs`` is below 1.
        UnknownAgentError: if the judge is not an agent.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be at least 1, not {jobs}")
    if form != "chat" and (ending != "parquet" or judge is not None):
        raise ExportError("JSON Lines and a judge need the form chat")
    if ending == "parquet":
        _pyarrow()
    settings = {"format": FORMATS[form], "sources": digests_of(paths), "files": files, "part_games": part_games}
    if form == "chat":
        settings |= {"ending": ending, "judge": judge}
    game = game_in(paths)
    _judge_of(judge, game)  # so that an invalid judge is refused before anything is written
    _begin(folder, settings)
    places = places_of(paths, part_games)
    targets = [folder / "decisions" / f"part-{k:05}.{ending}" for k in range(len(places))]
    parts = _Parts(
        paths=tuple(paths),
        places=tuple(places),
        targets=targets,
        game=game,
        files=files,
        games=part_games,
        form=form,
        judge=judge,
    )
    busy = ExportError(f"another process exports into {folder}; wait until it ends, or stop it")
    with alone(folder / "export.lock", busy):
        for unfinished in (folder / "decisions").glob(".part-*"):  # left by a process that was killed
            unfinished.unlink(missing_ok=True)
        return _export(parts, folder, jobs, on_progress)


def _export(parts: _Parts, folder: Path, jobs: int, on_progress: Callable[[int, int], object]) -> int:
    """Write the missing parts and the descriptions of the export; return the number of decisions written."""
    missing = [k for k, target in enumerate(parts.targets) if not target.exists()]
    games = written = 0

    def report(more_games: int, rows: int) -> None:
        nonlocal games, written
        games += more_games
        written += rows
        on_progress(games, written)

    if min(jobs, len(missing)) < 2:
        for number in missing:
            write_part(parts, number, report)
    else:
        for found in _written_in_processes(parts, missing, jobs):
            report(*found)
    croissant = _croissant_of(parts.targets, parts.game, parts.form)
    schema = None
    if parts.form == "decisions":
        _, pq = _pyarrow()
        schema = pq.read_schema(parts.targets[0])
    write_text(folder / "croissant.json", json.dumps(croissant, indent=2) + "\n")
    if not (folder / "README.md").exists():  # the user may have extended it
        write_text(folder / "README.md", card_of(croissant, f"decisions/*{parts.targets[0].suffix}", schema))
    return written


class _Parts(NamedTuple):
    """The common settings of the parts of an export.

    Attributes:
        paths: the files of records.
        places: the position of each part's first record in them.
        targets: the files of the parts.
        game: the name of the game.
        files: as for `BehaviourPolicies`.
        games: the number of games in a part.
        form: the form of the rows.
        judge: as for `export_decisions`.
    """

    paths: tuple[Path, ...]
    places: tuple[Place, ...]
    targets: Sequence[Path]
    game: str
    files: Files
    games: int
    form: Form
    judge: str | None


def _written_in_processes(parts: _Parts, numbers: Sequence[int], jobs: int) -> Iterator[tuple[int, int]]:
    """Write parts in ``jobs`` processes; yield the numbers of games and decisions of each, in order."""
    with worker_pool(min(jobs, len(numbers))) as pool:
        futures = [pool.submit(write_part, parts, number) for number in numbers]
        try:
            for future in futures:
                yield future.result()
        except BrokenProcessPool:
            raise ExportError(
                "a worker process died, killed or out of memory. Parts written before are kept; repeat the command "
                "to continue, with --jobs 1 to use a single process"
            ) from None


def game_in(paths: Sequence[Path]) -> str:
    """Return the name of the records' game; raise ExportError if there are no records."""
    for place, record in records_in(paths):
        try:
            return checked_spec(record).name
        except RecordError as error:
            raise RecordError(f"{place}: {error}") from None
    raise ExportError("there are no records in these files; create some with romans evaluate --records")


def _begin(folder: Path, settings: dict[str, Any]) -> None:
    """Write the sources and settings of the export; raise ExportError if the folder holds another export."""
    manifest = folder / "export.json"
    if manifest.exists():
        try:
            before = json_of(read_text(manifest))
        except (OSError, ValueError) as error:
            raise ExportError(f"cannot read {manifest}: {in_one_line(error)}; name another folder (--out)") from None
        if before != settings:
            raise ExportError(f"{folder} holds an export of other records or settings; name another folder (--out)")
        return
    if (folder / "decisions").exists():
        raise ExportError(f"{folder} has decisions without an export.json; name another folder (--out)")
    write_text(manifest, json.dumps(settings, indent=2) + "\n")


def write_part(
    parts: _Parts, number: int, report: Callable[[int, int], object] = lambda games, decisions: None
) -> tuple[int, int]:
    """Write a part, group by group; return its numbers of games and decisions."""
    path = parts.targets[number]
    judge = _judge_of(parts.judge, parts.game)
    in_words = partial(chat_example_of, judge=judge) if parts.form == "chat" else None
    reader = RecordReader(parts.game, in_words)
    records = islice(records_in(parts.paths, parts.places[number]), parts.games)
    first = number * parts.games
    games = written = 0
    with atomic_write(path) as temporary, closing(_Part(temporary, parts, path.suffix)) as part:
        while group := [reader.play(sourced) for sourced in islice(records, GROUP_GAMES)]:
            part.write(group, first + games)
            rows = sum(one.actions.size for one in group)
            games += len(group)
            written += rows
            report(len(group), rows)
    return games, written


class _Part:
    """A file of rows that is being written.

    Args:
        path: the path of the file.
        parts: the common settings of all parts.
        ending: the suffix of the file, ``.parquet`` or ``.jsonl``.
    """

    def __init__(self, path: Path, parts: _Parts, ending: str):
        self._path = path
        self._behaviour = BehaviourPolicies(parts.game, parts.files)
        self._form = parts.form
        self._has_lines = ending == ".jsonl"
        # JSON Lines are opened here; Parquet needs a schema, so it is opened with the first rows.
        self._sink: Any = path.open("w", encoding="utf-8", newline="\n") if self._has_lines else None
        self._notes = {"format": FORMATS[parts.form], "game": parts.game}

    def write(self, games: Sequence[PlayedGame], first: int) -> None:
        """Append the decisions of some games as a row group; ``first`` is the index of the first game."""
        self._notes["actions"] = json.dumps(list(games[0].rules.action_names))
        decisions = decisions_of(games, first)
        probabilities, is_known = self._behaviour.of(decisions)
        if self._form == "decisions":
            self._write_table(_table_of(decisions, probabilities, is_known))
            return
        rows = rows_of(games, decisions, probabilities, is_known)
        if self._has_lines:
            self._sink.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        else:
            pa, _ = _pyarrow()
            self._write_table(pa.Table.from_pylist(rows, _chat_schema()))

    def _write_table(self, table: Any) -> None:
        table = table.replace_schema_metadata(self._notes)
        if self._sink is None:
            _, pq = _pyarrow()
            self._sink = pq.ParquetWriter(
                self._path,
                table.schema,
                compression="zstd",
                # Dictionaries of list columns would take longer than replaying the games.
                use_dictionary=["setup", "agent"],
                write_statistics=["game", "step", "seat", "action"],
            )
        self._sink.write_table(table)

    def close(self) -> None:
        """Close the file."""
        if self._sink is not None:
            self._sink.close()


def _judge_of(spec: str | None, game: str) -> Comparing | None:
    """Return the agent that evaluates actions; None without a spec."""
    if spec is None:
        return None
    judge = romans_agents.make(spec, game=game)
    judge.seed(0)
    if not isinstance(judge, Comparing):
        raise ExportError(f"{spec} cannot evaluate actions; name a judge such as {spec_of(game).reviewer}")
    return judge


def _chat_schema() -> Any:
    pa, _ = _pyarrow()
    messages = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
    return pa.schema(
        [
            ("game", pa.int64()),
            ("step", pa.int32()),
            ("setup", pa.string()),
            ("seat", pa.int8()),
            ("agent", pa.string()),
            ("prompt", messages),
            ("completion", messages),
            ("actions", pa.list_(pa.string())),
            ("probabilities", pa.list_(pa.float32())),
            ("values", pa.list_(pa.float32())),
            ("return", pa.float32()),
        ]
    )


def _table_of(decisions: DecisionTable, probabilities: Probabilities, known: npt.NDArray[np.bool_]) -> Any:
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
    """Return a column of names from their indices; null where the index is -1."""
    pa, _ = _pyarrow()
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(names, pa.string()))


def _rows(array: npt.NDArray[Any], is_null: npt.NDArray[np.bool_] | None = None) -> Any:
    """Return a column of fixed-length lists from the rows of an array."""
    pa, _ = _pyarrow()
    mask = None if is_null is None else pa.array(is_null)
    return pa.FixedSizeListArray.from_arrays(pa.array(array.ravel()), array.shape[1], mask=mask)


def _croissant_of(parts: Sequence[Path], game: str, form: Form) -> dict[str, Any]:
    """Return the description of an export in Croissant 1.0, the JSON-LD format of MLCommons for datasets.

    It is filled in from ``croissant.template.json``, which has a type and a sentence for every column.
    """
    template = resources.files("romans_training.data") / "croissant.template.json"
    found: dict[str, Any] = json.loads(template.read_text(encoding="utf-8"))
    found["name"] = found["name"].format(game=game, form=form)
    found["description"] = found["description"][form].format(title=spec_of(game).title)
    found["creator"]["name"] = found["creator"]["name"].format(version=romans_env.__version__)
    ending = parts[0].suffix[1:]
    all_parts = {
        "@type": "cr:FileSet",
        "@id": "parts",
        "name": "parts",
        "includes": f"decisions/*.{ending}",
        "encodingFormat": _MEDIA_TYPES[ending],
    }
    rows = {
        "@type": "cr:RecordSet",
        "@id": "decisions",
        "name": "decisions",
        "key": [{"@id": "decisions/game"}, {"@id": "decisions/step"}],
        "field": [_field_of(name, kind, sentence) for name, (kind, sentence) in found["recordSet"][form].items()],
    }
    found["distribution"] = [*(_file_of(part) for part in parts), all_parts]
    found["recordSet"] = [rows]
    return found


def _file_of(part: Path) -> dict[str, Any]:
    """Return the description of a file of rows."""
    return {
        "@type": "cr:FileObject",
        "@id": part.name,
        "name": part.name,
        "contentUrl": f"decisions/{part.name}",
        "encodingFormat": _MEDIA_TYPES[part.suffix[1:]],
        "sha256": digest_of_file(part),
    }


def _field_of(name: str, kind: str, sentence: str) -> dict[str, Any]:
    """Return the description of a column; a kind that ends with a star means several values per row."""
    described = {
        "@type": "cr:Field",
        "@id": f"decisions/{name}",
        "name": name,
        "description": sentence,
        **_values_of(name, kind.rstrip("*")),
    }
    if kind.endswith("*"):
        described["repeated"] = True
    return described


def _values_of(column: str, kind: str) -> dict[str, Any]:
    """Return the description of a column's values; for messages, of the role and the content of each."""
    source = {"fileSet": {"@id": "parts"}, "extract": {"column": column}}
    if kind != "message":
        return {"dataType": kind, "source": source}
    parts = [
        {
            "@type": "cr:Field",
            "@id": f"decisions/{column}/{key}",
            "name": key,
            "dataType": "sc:Text",
            "source": {**source, "transform": {"jsonPath": key}},
        }
        for key in ("role", "content")
    ]
    return {"subField": parts}


def _pyarrow() -> tuple[Any, Any]:
    with needs_extra("Parquet", "data"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow, pyarrow.parquet
