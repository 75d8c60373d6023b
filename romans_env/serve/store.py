"""Served games in a SQLite database: each is an append-only list of entries, from which it is rebuilt."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

KINDS = ("deal", "chance", "action", "undo", "hint", "note")
"""Kinds of entries: the deal of a game whose chance is all dealt, an outcome of chance, an action, an action taken
back, a hint that a seat was given, a remark."""
HOST = -1
"""In place of a seat: whoever created the game."""
_VERSION = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
  id TEXT PRIMARY KEY, created REAL NOT NULL, changed REAL NOT NULL, game TEXT NOT NULL, setup TEXT NOT NULL,
  seats TEXT NOT NULL, is_open INTEGER NOT NULL, pace REAL NOT NULL, seed INTEGER NOT NULL,
  moves INTEGER NOT NULL DEFAULT 0, result TEXT
);
CREATE TABLE IF NOT EXISTS entries (
  game TEXT NOT NULL REFERENCES games (id), number INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER,
  value TEXT NOT NULL, PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tokens (
  game TEXT NOT NULL REFERENCES games (id), seat INTEGER NOT NULL, token TEXT NOT NULL, PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_change ON games (changed);
"""


class StoreError(ValueError):
    """A database that is none, is damaged, or is of another version."""


class Seat(NamedTuple):
    """Who plays a seat.

    Attributes:
        name: what the player is called.
        agent: the agent spec; None for a person.
    """

    name: str
    agent: str | None = None


class Entry(NamedTuple):
    """An entry of a game.

    Attributes:
        kind: one of `KINDS`.
        seat: whose it is; None of the deal and of chance.
        value: plain JSON: a deal, an outcome, an action's name, a hint, a text.
    """

    kind: str
    seat: int | None
    value: Any


class StoredGame(NamedTuple):
    """What is kept of a game beside its entries.

    Attributes:
        id: of the game, in addresses.
        created: seconds since 1970.
        changed: when its latest entry was written, in the same seconds.
        game: name of the game.
        setup: the setup as plain JSON.
        seats: by seat, who plays.
        is_open: whether everybody may watch.
        pace: seconds between decisions of agents; negative: they wait.
        seed: of the agents' chance.
        moves: how many actions were played.
        result: winners and points, once the game is over.
    """

    id: str
    created: float
    changed: float
    game: str
    setup: dict[str, Any]
    seats: tuple[Seat, ...]
    is_open: bool
    pace: float
    seed: int
    moves: int = 0
    result: dict[str, Any] | None = None


class Store:
    """The database.

    Args:
        path: of the file, which is created for its owner alone; ``":memory:"`` for one that is gone with the process.

    Raises:
        StoreError: a file that is something else.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = str(path)
        if self.path != ":memory:":
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            self._database = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            version = self._database.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, _VERSION):
                raise StoreError(f"{self.path} was written by another version of romans-env: name another file")
            # In WAL mode a commit survives the end of the process however it comes.
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute("PRAGMA busy_timeout = 5000")
            self._database.executescript(_SCHEMA)
            self._database.execute(f"PRAGMA user_version = {_VERSION}")
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} cannot be used as the database of games: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def create(self, game: StoredGame, tokens: dict[int, str], entries: Sequence[Entry]) -> None:
        """Keep a new game with the tokens of its seats, and of `HOST`."""
        with self._transaction() as run:
            run(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    game.id,
                    game.created,
                    game.changed,
                    game.game,
                    json.dumps(game.setup),
                    json.dumps(game.seats),
                    int(game.is_open),
                    game.pace,
                    game.seed,
                    game.moves,
                    _json_or_null(game.result),
                ),
            )
            for seat, token in tokens.items():
                run("INSERT INTO tokens VALUES (?, ?, ?)", (game.id, seat, token))
            self._insert(run, game.id, 0, entries)

    def append(
        self, game: str, number: int, entries: Sequence[Entry], moves: int, result: dict[str, Any] | None
    ) -> None:
        """Write entries, all or none.

        Args:
            game: its id.
            number: how many entries it has.
            entries: those that follow.
            moves: how many actions were played with them.
            result: winners and points, where the game is over with them.

        Raises:
            sqlite3.IntegrityError: another process has written in the meantime.
        """
        with self._transaction() as run:
            self._insert(run, game, number, entries)
            run(
                "UPDATE games SET changed = ?, moves = ?, result = ? WHERE id = ?",
                (time.time(), moves, _json_or_null(result), game),
            )

    def set_pace(self, game: str, pace: float) -> None:
        """Change the seconds between decisions of agents."""
        self._database.execute("UPDATE games SET pace = ? WHERE id = ?", (pace, game))

    def game(self, id: str) -> StoredGame | None:
        """The game of an id, or None."""
        row = self._database.execute("SELECT * FROM games WHERE id = ?", (id,)).fetchone()
        return None if row is None else _game_of(row)

    def games(self, limit: int) -> list[StoredGame]:
        """Open games, those that changed last first."""
        rows = self._database.execute("SELECT * FROM games WHERE is_open ORDER BY changed DESC LIMIT ?", (limit,))
        return [_game_of(row) for row in rows]

    def count(self) -> int:
        """How many games there are."""
        return int(self._database.execute("SELECT count(*) FROM games").fetchone()[0])

    def entries(self, game: str) -> list[Entry]:
        """The entries of a game, in order."""
        rows = self._database.execute("SELECT kind, seat, value FROM entries WHERE game = ? ORDER BY number", (game,))
        return [Entry(kind, seat, json.loads(value)) for kind, seat, value in rows]

    def tokens(self, game: str) -> dict[int, str]:
        """The tokens of a game, by seat, with that of `HOST`."""
        return dict(self._database.execute("SELECT seat, token FROM tokens WHERE game = ?", (game,)).fetchall())

    def _insert(self, run: Any, game: str, number: int, entries: Sequence[Entry]) -> None:
        for k, entry in enumerate(entries, number):
            run(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (game, k, entry.kind, entry.seat, json.dumps(entry.value))
            )

    def _transaction(self) -> _Transaction:
        return _Transaction(self._database)


class _Transaction:
    """A block whose statements are committed together, or not at all."""

    def __init__(self, database: sqlite3.Connection):
        self._database = database

    def __enter__(self) -> Any:
        self._database.execute("BEGIN IMMEDIATE")
        return self._database.execute

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._database.execute("COMMIT" if kind is None else "ROLLBACK")


def _game_of(row: tuple[Any, ...]) -> StoredGame:
    id, created, changed, game, setup, seats, is_open, pace, seed, moves, result = row
    return StoredGame(
        id,
        created,
        changed,
        game,
        json.loads(setup),
        tuple(Seat(*seat) for seat in json.loads(seats)),
        bool(is_open),
        pace,
        seed,
        moves,
        None if result is None else json.loads(result),
    )


def _json_or_null(value: Any) -> str | None:
    return None if value is None else json.dumps(value)
