"""Files of records: one record as JSON (``.json``), or one record per line (``.jsonl``)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from romans_env import load_record
from romans_env.core.files import json_of, open_regular
from romans_env.core.records import Record, RecordError
from romans_env.errors import in_one_line

LINES = ".jsonl"
_MOST_LINE = 2**24
"""Largest size of a record on a line, in bytes."""


class SourcedRecord(NamedTuple):
    """A record and its source.

    Attributes:
        place: the source, such as ``games.jsonl, line 3``.
        record: the record, not checked yet.
    """

    place: str
    record: Record


class Place(NamedTuple):
    """The position of a record in a list of files.

    Attributes:
        file: the index of its file.
        offset: the number of bytes before it in the file.
        lines: the number of lines before it in the file.
    """

    file: int
    offset: int
    lines: int


START = Place(0, 0, 0)


def records_in(paths: Sequence[Path], start: Place = START) -> Iterator[SourcedRecord]:
    """Yield the records of some files, in the order of files and lines.

    Args:
        paths: the files.
        start: the position of the first record to read.

    Raises:
        RecordError: if a file cannot be read, or a line is not a JSON object.
    """
    for number, path in enumerate(paths[start.file :], start.file):
        if path.suffix != LINES:
            yield SourcedRecord(str(path), load_record(path))
            continue
        for place, line in _lines(path, start if number == start.file else Place(number, 0, 0)):
            source = f"{path}, line {place.lines + 1}"
            yield SourcedRecord(source, _record_of(source, line))


def places_of(paths: Sequence[Path], every: int) -> list[Place]:
    """Return the position of every ``every``-th record, starting with the first; the records are not checked.

    Raises:
        RecordError: if a file cannot be read.
    """
    starts = ((path, Place(number, 0, 0)) for number, path in enumerate(paths))
    found = (_lines(path, first) if path.suffix == LINES else [(first, b"")] for path, first in starts)
    return [place for place, _ in islice(chain.from_iterable(found), None, None, every)]


def digests_of(paths: Sequence[Path]) -> list[str]:
    """Return the SHA-256 of every file.

    Raises:
        RecordError: if a file cannot be read.
    """
    digests = []
    for path in paths:
        try:
            digests.append(digest_of_file(path))
        except OSError as error:
            raise _unreadable(path, error) from None
    return digests


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file; raise OSError if it cannot be read."""
    digest = hashlib.sha256()
    with open_regular(path) as file:
        while piece := file.read(2**20):
            digest.update(piece)
    return digest.hexdigest()


def write_line(file: TextIO, record: dict[str, Any]) -> None:
    """Append a record to a ``.jsonl`` file."""
    file.write(json.dumps(record, separators=(",", ":")) + "\n")


def _lines(path: Path, start: Place) -> Iterator[tuple[Place, bytes]]:
    """Yield the non-empty lines of a file from a position on, each with its position."""
    place = start
    try:
        with open_regular(path) as file:
            file.seek(start.offset)
            while line := file.readline(_MOST_LINE + 1):
                if len(line) > _MOST_LINE:
                    raise RecordError(f"{path}, line {place.lines + 1}: it is longer than {_MOST_LINE // 2**20} MB")
                if line.strip():
                    yield place, line
                place = Place(place.file, place.offset + len(line), place.lines + 1)
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
