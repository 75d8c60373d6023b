"""The metrics and evaluations of a run: CSV files with a column ``steps``, its decisions, readable at any time.

A row is added by one short write at the end of the file; everything else rewrites the file whole. A process that is
killed while it adds a row leaves a last line without its end, which readers here ignore.
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
    """A metrics file that cannot be read, saying what to do."""


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the whole rows of a file, by column; none without a file. What is not known is an empty text.

    Raises:
        MetricsFileError: a heading that gives a name twice or lacks ``steps``, rows that do not fit it or have no whole
            number of ``steps``, or not a regular file of at most 1 GB.
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
            f"{in_one_line(path)} is damaged ({in_one_line(why)}); mend it or move it away"
        ) from None
    return rows


def _check_rows(columns: list[str], rows: Sequence[Mapping[Any, Any]]) -> None:
    if len(set(columns)) < len(columns):
        raise ValueError("its heading gives a name twice")
    if columns and "steps" not in columns:
        raise ValueError("it has no column 'steps'")
    for number, row in enumerate(rows, 1):
        if not isinstance(row["steps"], str) or not _STEPS.fullmatch(row["steps"]):
            raise ValueError(f"row {number} has the steps {shortened(row['steps'])}, which are no whole number")
        if None in row or None in row.values():
            raise ValueError(f"a row at steps {row['steps']} does not fit the heading")


def passed(evaluations: Sequence[Mapping[str, Any]], fair_share: float) -> dict[str, int]:
    """Return the opponents that a run has passed, in order, each with the decisions after which it first did.

    A row of ``evaluations.csv`` passes one when its whole 95 % interval is above ``fair_share``, from 0 to 1, and
    something has been learned.
    """
    found: dict[str, int] = {}
    for row in evaluations:
        if int(row["steps"]) and float(row["win_rate_low"]) > fair_share:
            found.setdefault(row["against"], int(row["steps"]))
    return found


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a file whole, with every column that a row has."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, text.getvalue())


def append_row(path: Path, row: Mapping[str, Any]) -> None:
    """Add a row at the end; the file is made if need be.

    It is rewritten where the row has a new column, or where the last line was cut off.

    Raises:
        MetricsFileError: as of `read_rows`.
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
    """Return the columns of new rows: none if the heading cannot be read, or the last line has no end."""
    try:
        with open_regular(path) as file:
            heading = file.readline(2**16).decode("utf-8")
            file.seek(-1, os.SEEK_END)
            return next(csv.reader([heading]), []) if file.read() == b"\n" else []
    except (OSError, csv.Error, ValueError):
        return []


def drop_rows_after(path: Path, steps: int) -> None:
    """Forget the rows whose ``steps`` are larger: a resumed run goes back to its checkpoint, and makes them anew."""
    rows = [row for row in read_rows(path) if int(row["steps"]) <= steps]
    if rows:
        write_rows(path, rows)
    else:
        path.unlink(missing_ok=True)
