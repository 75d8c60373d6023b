"""Tables of a run by ``steps``, its decisions, as CSV files that can be read at any time.

A row is added by one short write at the end of the file; everything else rewrites the file whole. A process that is
killed while it adds a row leaves a last line without its end, which readers here pass over.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from romans_env.files import write_text


class TableError(ValueError):
    """A table that cannot be read, saying what to do."""


def read_rows(path: Path) -> list[dict[str, str]]:
    """The whole rows of a table, by column; none where there is no file. What is not known is an empty text.

    Raises:
        TableError: rows that do not fit the heading, or without a whole number of ``steps``.
    """
    if not path.exists():
        return []
    try:
        whole, newline, _ = path.read_text(encoding="utf-8").rpartition("\n")
        rows = list(csv.DictReader(io.StringIO(whole + newline)))
        for row in rows:
            int(row["steps"])
            if None in row or None in row.values():
                raise ValueError(f"a row at steps {row['steps']} does not fit the heading")
    except (OSError, csv.Error, KeyError, TypeError, ValueError) as error:
        raise TableError(f"{path} is damaged ({error}); mend it or move it away") from None
    return rows


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a table whole, with every column that a row has."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, text.getvalue())


def append_row(path: Path, row: Mapping[str, Any]) -> None:
    """Add a row at the end; the table is made if need be, and rewritten where the row has a new column."""
    if not path.exists():
        write_rows(path, [row])
        return
    with path.open(newline="", encoding="utf-8") as file:
        columns = next(csv.reader(file), [])
    if not columns or not set(row) <= set(columns):
        write_rows(path, [*read_rows(path), row])
        return
    line = io.StringIO()
    csv.DictWriter(line, columns, restval="", lineterminator="\n").writerow(row)
    with path.open("a", newline="", encoding="utf-8") as file:
        file.write(line.getvalue())


def drop_rows_after(path: Path, steps: int) -> None:
    """Forget the rows whose ``steps`` are larger: a resumed run goes back to its checkpoint, and makes them anew."""
    rows = [row for row in read_rows(path) if int(row["steps"]) <= steps]
    if rows:
        write_rows(path, rows)
    else:
        path.unlink(missing_ok=True)
