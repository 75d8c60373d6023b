"""Damage to the rows of a tournament's results."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

_MANY_SLOTS = json.dumps([["random", 1]] * 40)

HARMLESS = (
    # A chunk that is not there is played again.
    ["DELETE FROM chunks WHERE first = 0"],
    ["DELETE FROM chunks"],
    ["PRAGMA user_version = 7"],
    ["VACUUM"],
)
"""Changes after which a tournament comes to the same result."""

SCHEMA_CHANGES = (
    ["DROP TABLE settings"],
    ["DROP TABLE chunks"],
    ["ALTER TABLE chunks ADD COLUMN z"],
    ["ALTER TABLE agents RENAME COLUMN digest TO other"],
    ["CREATE VIEW v AS SELECT 1"],
    ["CREATE INDEX i ON chunks (count)"],
    ["CREATE TABLE more (x)"],
    ["CREATE TRIGGER t AFTER INSERT ON chunks BEGIN DELETE FROM chunks; END"],
    ["PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = sql || ' ' WHERE name = 'chunks'"],
    ["PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = 'x' WHERE name = 'chunks'"],
    ["PRAGMA writable_schema = ON", "UPDATE sqlite_master SET rootpage = 3 WHERE name = 'chunks'"],
    ["PRAGMA journal_mode = WAL"],
)

MISSING_ROWS = (
    ["DELETE FROM settings"],
    ["DELETE FROM settings WHERE name = 'format'"],
    ["DELETE FROM settings WHERE name = 'seed'"],
    ["DELETE FROM agents"],
    ["DELETE FROM agents WHERE text = 'random'"],
)

POSSIBLE_VALUES = (
    ["UPDATE settings SET value = '1' WHERE name = 'seed'"],
    ["UPDATE agents SET digest = 'x'"],
    ["UPDATE chunks SET winners = CAST(replace(hex(winners), '02', '01') AS BLOB)"],
    ["UPDATE chunks SET winners = x'03' || substr(winners, 2)"],
    ["UPDATE chunks SET points = zeroblob(length(points))"],
    ["UPDATE chunks SET clocks = '[[9.5, 0.0], [3, 0]]'"],
    ['UPDATE chunks SET faults = \'[[0, "error", 1, "m"]]\''],
    ["UPDATE chunks SET first = first + 1"],
    ["UPDATE chunks SET line_up = replace(line_up, 'random', 'greedy')"],
)
"""What a tournament can have written, so that only the digest of a row tells that it was changed."""

_CHUNKS = {
    "winners": [
        "x'00'",
        "'text'",
        "5",
        "zeroblob(length(winners))",
        "x'ff' || substr(winners, 2)",
        "x'04' || substr(winners, 2)",
    ],
    "points": ["x''", "x'0080' || substr(points, 3)", "x'ff7f' || substr(points, 3)"],
    "clocks": [
        "'x'",
        "CAST(x'ff' AS TEXT)",
        "'null'",
        "'[1]'",
        "'[[1, 2, 3], [1, 2, 3]]'",
        "'[[NaN, 0.0], [0, 0]]'",
        "'[[Infinity, 0.0], [0, 0]]'",
        "'[[-1.0, 0.0], [0, 0]]'",
        "'[[\"1\", 0.0], [0, 0]]'",
        "'[[0.0, 0.0], [0.5, 0]]'",
        "'[[0.0, 0.0], [1e99, 0]]'",
    ],
    "faults": [
        "'x'",
        "'[[1]]'",
        '\'[[9, "error", 1, "m"]]\'',
        '\'[[0, "x", 1, "m"]]\'',
        "'[[0, [], 1, \"m\"]]'",
        '\'[[0, "error", 101, "m"]]\'',
        "'[[0, \"error\", 1, 5]]'",
        "'{}'",
    ],
    "count": ["0", "-5", "1000000000000", "'abc'", "50.5"],
    "first": ["-first - 1"],
    "line_up": [
        "'x'",
        "x'00'",
        "5",
        '\'[["random", 1], ["hoarder", 1]]\'',
        "'[[\"hoarder\", 1]]'",
        '\'[["hoarder", 0], ["random", 1]]\'',
        '\'[["nobody", 1], ["random", 1]]\'',
    ],
}
"""Values of a chunk, by column."""
IMPOSSIBLE_VALUES = (
    *([f"UPDATE chunks SET {column} = {value}"] for column, values in _CHUNKS.items() for value in values),
    ["UPDATE settings SET value = 'x'"],
    ["UPDATE settings SET value = '1' WHERE name = 'format'"],
    ["UPDATE settings SET value = '\"9.9\"' WHERE name = 'version'"],
    ["UPDATE settings SET value = x'ff'"],
    ["UPDATE settings SET value = CAST(x'22ff22' AS TEXT) WHERE name = 'version'"],
    ["INSERT INTO settings VALUES ('more', '1', '')"],
    ["UPDATE agents SET digest = x'00'"],
    ["UPDATE agents SET text = x'00' WHERE text = 'random'"],
    [f"UPDATE chunks SET clocks = '[[0.0, 0.0], [{'9' * 5000}, 0]]'"],
    [f"UPDATE chunks SET clocks = '{'[' * 100_000}'"],
    ["UPDATE chunks SET first = 9223372036854775807 WHERE first = 50"],
    [f"UPDATE chunks SET line_up = '{_MANY_SLOTS}'"],
    [
        "CREATE TEMP TABLE copied AS SELECT * FROM chunks",
        "UPDATE copied SET first = first + 25",
        "INSERT INTO chunks SELECT * FROM copied",
    ],
)
"""What no tournament writes, so that it is refused whatever the digests say."""


def change_rows(path: Path, statements: list[str], digest: Callable[..., str] | None = None) -> None:
    """Carry out SQL on a store.

    Args:
        path: the file.
        statements: the SQL.
        digest: gives all rows the digest that they would have been written with, by table and values; None leaves
            those that are there.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)
        if digest is None:
            return
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        for table in ("settings", "agents", "chunks"):
            for number, *values, _ in database.execute(f"SELECT rowid, * FROM {table}").fetchall():
                values = digest(table, *values), number
                database.execute(f"UPDATE {table} SET row_digest = ? WHERE rowid = ?", values)
