"""The metrics and evaluations of a run: CSV files with a column ``steps`` (decisions so far), readable at any time.

A row is appended by one short write; any other change rewrites the file atomically. A process that is killed while it
appends may leave an incomplete last line, which the readers here ignore.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from romans_env.core.files import open_regular, read_text, write_text
from romans_env.errors import UserError, in_one_line, shortened

MOST_BYTES = 2**30
"""Largest file that is read, in bytes."""

_STEPS = re.compile(r"[0-9]{1,18}")


class MetricsFileError(UserError, ValueError):
    """A metrics file that cannot be read; the message says what to do."""


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the complete rows of a file as dictionaries by column; an empty list if there is no file.

    An unknown value is an empty text.

    Raises:
        MetricsFileError: if the header has duplicates or lacks ``steps``, a row does not fit it or has no integer
            ``steps``, or the file is not a regular file of at most 1 GB.
    """
    try:
        whole, newline, _ = read_text(path, MOST_BYTES).rpartition("\n")
        reader = csv.DictReader(io.StringIO(whole + newline))
        rows = list(reader)
        _check_rows(list(reader.fieldnames or ()), rows)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, csv.Error, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise MetricsFileError(
            f"{in_one_line(path)} is damaged ({in_one_line(why)}); repair it or move it away"
        ) from None
    return rows


def _check_rows(columns: list[str], rows: Sequence[Mapping[Any, Any]]) -> None:
    if len(set(columns)) < len(columns):
        raise ValueError("its header has a name twice")
    if columns and "steps" not in columns:
        raise ValueError("it has no column 'steps'")
    for number, row in enumerate(rows, 1):
        if not isinstance(row["steps"], str) or not _STEPS.fullmatch(row["steps"]):
            raise ValueError(f"row {number} has steps {shortened(row['steps'])}, which is not an integer")
        if None in row or None in row.values():
            raise ValueError(f"a row with steps {row['steps']} does not have the columns of the header")


def passed(evaluations: Sequence[Mapping[str, Any]], fair_share: float) -> dict[str, int]:
    """Return the opponents that a run has passed, in order, each with the number of decisions at which it first did.

    A run passes an opponent with the first evaluation, after some training, whose whole 95 % interval of the win rate
    is above ``fair_share``.

    Args:
        evaluations: rows of ``evaluations.csv``.
        fair_share: the win rate of an equal player, from 0 to 1.
    """
    found: dict[str, int] = {}
    for row in evaluations:
        if int(row["steps"]) and float(row["win_rate_low"]) > fair_share:
            found.setdefault(row["against"], int(row["steps"]))
    return found


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a file atomically, with the columns of all rows."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, text.getvalue())


def append_row(path: Path, row: Mapping[str, Any]) -> None:
    """Append a row, creating the file if necessary.

    The file is rewritten if the row has a new column or the last line is incomplete.

    Raises:
        MetricsFileError: like `read_rows`.
    """
    if not path.exists():
        write_rows(path, [row])
        return
    columns = _columns(path)
    if not set(row) <= set(columns):
        write_rows(path, [*read_rows(path), row])
        return
    line = io.StringIO()
    csv.DictWriter(line, columns, restval="", lineterminator="\n").writerow(row)
    with path.open("a", newline="", encoding="utf-8") as file:
        file.write(line.getvalue())


def _columns(path: Path) -> list[str]:
    """Return the columns of the file; an empty list if the header is unreadable or the last line incomplete."""
    try:
        with open_regular(path) as file:
            heading = file.readline(2**16).decode("utf-8")
            file.seek(-1, os.SEEK_END)
            return next(csv.reader([heading]), []) if file.read() == b"\n" else []
    except (OSError, csv.Error, ValueError):
        return []


def drop_rows_after(path: Path, steps: int) -> None:
    """Drop the rows with larger ``steps``: a resumed run repeats them from its checkpoint."""
    rows = [row for row in read_rows(path) if int(row["steps"]) <= steps]
    if rows:
        write_rows(path, rows)
    else:
        path.unlink(missing_ok=True)
