"""The SQLite database of games. A game is stored as an append-only list of entries, from which it is rebuilt."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, TypeVar

from romans_env.errors import in_one_line
from romans_serve.errors import ServeError, UnavailableError

KINDS = ("deal", "chance", "action", "undo", "hint", "note", "puzzle", "held", "released")
"""Kinds of entries: ``chance`` is a chance outcome; ``deal`` is a whole deal, which only earlier versions wrote;
``action`` is an action; ``undo`` takes the latest action back; ``hint`` is a hint given to a seat; ``note`` is a
remark; ``puzzle`` is the mistake of another game before which this game began; ``held`` is an action that a seat has
chosen ahead of its turn, and ``released`` takes the seat's latest held action back."""
HOST = -1
"""The creator of a game, as a key in mappings whose other keys are seats."""
_VERSION = 1
T = TypeVar("T")
_LOG = logging.getLogger(__name__)
_BETWEEN_ATTEMPTS = 0.4
"""Seconds between attempts to write while the database is unavailable."""
_TO_START, _TO_WAIT = 5000, 50
"""Milliseconds to wait while another process writes: at the start, and later. Later, all games wait in the meantime."""

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


class GameStoreError(ServeError, ValueError, status=500):
    """The file is not a database of games of this version, or the file or one of its games is damaged."""


class Seat(NamedTuple):
    """The player of a seat.

    Attributes:
        name: display name of the player.
        agent: the agent spec; None for a person.
    """

    name: str
    agent: str | None = None


class GameEntry(NamedTuple):
    """An entry of a game.

    Attributes:
        kind: one of `KINDS`.
        seat: the seat to which the entry belongs; None for chance.
        value: content of the entry as plain JSON, which depends on ``kind``: a chance outcome, the name of an action, a
            hint, a text or a mistake.
    """

    kind: str
    seat: int | None
    value: Any


class StoredGame(NamedTuple):
    """The row of a game in the database: everything except its entries.

    Attributes:
        id: id of the game, as in URLs.
        created: time of creation, in seconds since 1970.
        changed: time when spectators last saw a change, in seconds since 1970. The time of the latest entry would let
            anyone who lists the games count how often a seat is asked in secret (RULES 4.14).
        game: name of the game.
        setup: the setup as plain JSON.
        seats: the player of each seat.
        is_open: whether anyone may watch the game.
        pace: seconds between decisions of agents; negative while agents are paused.
        seed: seed of the agents' random choices.
        moves: number of actions played.
        result: winners and points; None before the end of the game.
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


_COLUMNS = {
    "games": StoredGame._fields,
    "entries": ("game", "number", *GameEntry._fields),
    "tokens": ("game", "seat", "token"),
}
_AS_JSON = ("setup", "seats", "result")
"""Columns of the table of games that hold JSON."""
_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("id", "game"), (str,)),
    **dict.fromkeys(("created", "changed", "pace"), (float, int)),
    **dict.fromkeys(("seed", "moves"), (int,)),
    "result": (dict, NoneType),
}
"""The types of a game's columns, which must be checked because SQLite accepts any value."""


class GameStore:
    """The database of games.

    Every method raises `UnavailableError` if the file cannot be read or written at the moment, for instance because
    another process locks it or the disk is full. Every method raises `GameStoreError` if the data is damaged. In both
    cases nothing is changed.

    Args:
        path: path of the file. A new file is readable for its owner only. ``":memory:"`` creates a database that ends
            with the process.

    Raises:
        GameStoreError: if the file is damaged, or is not a database of games; the file is then not changed.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = str(path)
        if self.path != ":memory:":
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            if self.path != ":memory:" and os.path.getsize(self.path) > 0:
                _check_own(self.path)
            self._database = _connected(self.path)
            # In WAL mode a commit survives the end of the process, even if it is killed.
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}PRAGMA user_version = {_VERSION};COMMIT")
            self._database.execute(f"PRAGMA busy_timeout = {_TO_WAIT}")
        except (sqlite3.Error, UnicodeError) as error:
            why = "it is damaged" if isinstance(error, UnicodeError) else in_one_line(error)
            raise GameStoreError(
                f"{self.path} cannot be used as the database of games: {why}; name another file"
            ) from None
        self._is_available = True
        self._try_again_at = 0.0
        self._damaged: set[Any] = set()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def create(self, game: StoredGame, tokens: dict[int, str], entries: Sequence[GameEntry]) -> None:
        """Save a new game with the tokens of its seats and of `HOST`."""
        with self._transaction() as run:
            row = [_json_or_null(value) if name in _AS_JSON else value for name, value in game._asdict().items()]
            run(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
            for seat, token in tokens.items():
                run("INSERT INTO tokens VALUES (?, ?, ?)", (game.id, seat, token))
            self._insert(run, game.id, 0, entries)

    def append(
        self,
        game: str,
        number: int,
        entries: Sequence[GameEntry],
        moves: int,
        result: dict[str, Any] | None,
        changed: float | None,
    ) -> None:
        """Append entries to a game, all or none.

        Args:
            game: id of the game.
            number: number of entries that the game has so far.
            entries: the entries to append.
            moves: number of actions played, including the appended entries.
            result: winners and points if the game is now over, otherwise None.
            changed: the time in seconds since 1970 if spectators see a change, otherwise None.

        Raises:
            sqlite3.IntegrityError: if another process has appended entries meanwhile.
        """
        with self._transaction() as run:
            self._insert(run, game, number, entries)
            run(
                "UPDATE games SET changed = coalesce(?, changed), moves = ?, result = ? WHERE id = ?",
                (changed, moves, _json_or_null(result), game),
            )

    def set_pace(self, game: str, pace: float) -> None:
        """Change the seconds between decisions of agents."""
        with self._transaction() as run:
            run("UPDATE games SET pace = ? WHERE id = ?", (pace, game))

    def game(self, id: str) -> StoredGame | None:
        """Return the game with an id; None if there is no such game."""
        rows = self._read("SELECT * FROM games WHERE id = ?", (id,))
        return _game_of(rows[0]) if rows else None

    def games(self, limit: int, shown: Callable[[StoredGame], T]) -> list[T]:
        """Return ``shown(game)`` for the open games, most recently changed first; damaged games are skipped."""
        found = []
        for row in self._read("SELECT * FROM games WHERE is_open ORDER BY changed DESC LIMIT ?", (limit,)):
            try:
                found.append(shown(_game_of(row)))
            except GameStoreError as error:
                if row[0] not in self._damaged:
                    self._damaged.add(row[0])
                    _LOG.error("%s, game %s: %s", self.path, row[0], error)
        return found

    def count(self) -> int:
        """Return the number of games."""
        return int(self._read("SELECT count(*) FROM games")[0][0])

    def entries(self, game: str) -> list[GameEntry]:
        """Return the entries of a game, in order."""
        rows = self._read("SELECT kind, seat, value FROM entries WHERE game = ? ORDER BY number", (game,))
        with _reading():
            return [GameEntry(kind, seat, json.loads(value)) for kind, seat, value in rows]

    def tokens(self, game: str) -> dict[int, str]:
        """Return the secret tokens of a game's seats and of its creator, by seat or `HOST`."""
        with _reading():
            rows = self._read("SELECT seat, token FROM tokens WHERE game = ?", (game,))
            return {_of_kind(seat, int): _of_kind(token, str) for seat, token in rows}

    def _insert(self, run: Any, game: str, number: int, entries: Sequence[GameEntry]) -> None:
        for k, entry in enumerate(entries, number):
            run(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (game, k, entry.kind, entry.seat, json.dumps(entry.value))
            )

    def _read(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._watched():
            return self._database.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Any]:
        """Run the statements of the block as one transaction."""
        # Every attempt holds up the whole server for a moment, so all games together share one now and then.
        if not self._is_available and time.monotonic() < self._try_again_at:
            raise _unavailable()
        with self._watched():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database.execute
                self._database.execute("COMMIT")
                if not self._is_available:
                    _LOG.warning("%s can be written again", self.path)
                self._is_available = True
            except BaseException:
                # A failed commit may or may not have ended the transaction.
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, UnicodeError) as error:
            # The subclasses of DatabaseError are temporary: the file is locked, the disk is full.
            if type(error) is sqlite3.DatabaseError or isinstance(error, UnicodeError):
                _LOG.error("%s is damaged: %s", self.path, error)
                raise GameStoreError("the database of games is damaged: restart the server with another file") from None
            if self._is_available:
                _LOG.error("%s is unavailable at the moment: %s", self.path, error)
            self._is_available = False
            self._try_again_at = time.monotonic() + _BETWEEN_ATTEMPTS
            raise _unavailable() from None


def _connected(path: str, **how: Any) -> sqlite3.Connection:
    database = sqlite3.connect(path, _TO_START / 1000, isolation_level=None, check_same_thread=False, **how)
    # Read what is readable of a damaged text: a decoding error would look like that of a locked file.
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    return database


def _check_own(path: str) -> None:
    """Check, without writing to the file, that it is a database of games or an empty one.

    Raises:
        GameStoreError: if the file is another kind of database, or a database of another version.
        sqlite3.Error: if the file is not a database, or is damaged.
        UnicodeError: if the file is damaged and SQLite's error quotes undecodable text from it.
    """
    with contextlib.closing(_connected(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as database:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if not names and version == 0:
            return
        if not set(_COLUMNS) <= names:
            raise GameStoreError(f"{path} is not a database of games of romans-env: name another file")
        if version != _VERSION:
            raise GameStoreError(f"{path} was written by another version of romans-env: name another file")
        for table, columns in _COLUMNS.items():
            if [row[1] for row in database.execute(f"PRAGMA table_info({table})")] != list(columns):
                raise GameStoreError(f"{path} is not a database of games of romans-env: name another file")


def _unavailable() -> UnavailableError:
    return UnavailableError("the games cannot be saved right now: nothing was changed; try again in a moment")


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise GameStoreError(f"the game is damaged in the database: {in_one_line(error)}") from None


def _of_kind(value: Any, *kinds: type) -> Any:
    if not isinstance(value, kinds):
        raise TypeError(f"a value of type {type(value).__name__} is not allowed")
    return value


def _game_of(row: tuple[Any, ...]) -> StoredGame:
    with _reading():
        kept = dict(zip(StoredGame._fields, row, strict=True))
        kept |= {name: json.loads(kept[name]) for name in _AS_JSON if kept[name] is not None}
        for name, kinds in _TYPES.items():
            _of_kind(kept[name], *kinds)
        seats = [Seat(_of_kind(name, str), _of_kind(agent, str, NoneType)) for name, agent in kept["seats"]]
        return StoredGame(**{**kept, "seats": tuple(seats), "is_open": bool(kept["is_open"])})


def _json_or_null(value: Any) -> str | None:
    return None if value is None else json.dumps(value)
