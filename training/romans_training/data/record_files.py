"""Files of records: one record as JSON (``.json``), or one on every line (``.jsonl``)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from romans_env import load_record
from romans_env.errors import in_one_line
from romans_env.files import json_of, open_regular
from romans_env.records import Record, RecordError

LINES = ".jsonl"
_MOST_LINE = 2**24
"""Bytes of a record on a line."""


class SourcedRecord(NamedTuple):
    """A record and where it is from.

    Attributes:
        place: such as ``games.jsonl, line 3``.
        record: not checked yet.
    """

    place: str
    record: Record


def records_in(paths: Sequence[Path], first: int = 0) -> Iterator[SourcedRecord]:
    """The records of some files, one after the other, in the order of the files and lines.

    Args:
        paths: the files.
        first: so many records are passed over, unread.

    Raises:
        RecordError: what cannot be read, or is no JSON object.
    """
    for path in paths:
        if path.suffix != LINES:
            first -= 1
            if first < 0:
                yield SourcedRecord(str(path), load_record(path))
            continue
        for number, line in _lines(path):
            first -= 1
            if first < 0:
                yield SourcedRecord(f"{path}, line {number}", _record_of(f"{path}, line {number}", line))


def count_of(paths: Sequence[Path]) -> int:
    """The number of records in some files; whether they are whole is not looked at.

    Raises:
        RecordError: a file that cannot be read.
    """
    return sum(sum(1 for _ in _lines(path)) if path.suffix == LINES else 1 for path in paths)


def digests_of(paths: Sequence[Path]) -> list[str]:
    """A digest of every file.

    Raises:
        RecordError: a file that cannot be read.
    """
    digests = []
    for path in paths:
        digest = hashlib.sha256()
        try:
            with open_regular(path) as file:
                while piece := file.read(2**20):
                    digest.update(piece)
        except OSError as error:
            raise _unreadable(path, error) from None
        digests.append(digest.hexdigest())
    return digests


def write_line(file: TextIO, record: dict[str, Any]) -> None:
    """Add a record to a ``.jsonl`` file."""
    file.write(json.dumps(record, separators=(",", ":")) + "\n")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with open_regular(path) as file:
            number = 0
            while line := file.readline(_MOST_LINE + 1):
                number += 1
                if len(line) > _MOST_LINE:
                    raise RecordError(f"{path}, line {number}: it is longer than {_MOST_LINE // 2**20} MB")
                if line.strip():
                    yield number, line
    except OSError as error:
        raise _unreadable(path, error) from None


def _record_of(place: str, line: bytes) -> Record:
    try:
        record = json_of(line.decode())
    except ValueError as error:
        raise RecordError(f"{place} is not a whole record: {in_one_line(error)}") from None
    if not isinstance(record, dict):
        raise RecordError(f"{place} is not a record of a game")
    return Record(record)


def _unreadable(path: Path, error: OSError) -> RecordError:
    return RecordError(f"cannot read the records {in_one_line(path)}: {in_one_line(error.strerror or error)}")
