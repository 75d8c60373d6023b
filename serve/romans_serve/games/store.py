"""Served games in a SQLite database: each is an append-only list of entries, from which it is rebuilt."""

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
"""Kinds of entries: an outcome of chance (a whole deal may be a ``deal``, as earlier versions wrote it), an action, an
action taken back, a hint that a seat was given, a remark, the mistake of another game before which this one began, an
action that a seat holds until it is asked, and the latest such one taken back."""
HOST = -1
"""In place of a seat: whoever created the game."""
_VERSION = 1
T = TypeVar("T")
_LOG = logging.getLogger(__name__)
_BETWEEN_ATTEMPTS = 0.4
"""Seconds between attempts to write, while none succeeds."""
_TO_START, _TO_WAIT = 5000, 50
"""Milliseconds that are waited for another process that writes: at the start, and later, when games wait meanwhile."""

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
    """The file is not a database of games, is of another version, or is damaged, it or one of its games."""


class Seat(NamedTuple):
    """Who plays a seat.

    Attributes:
        name: what the player is called.
        agent: the agent spec; None for a person.
    """

    name: str
    agent: str | None = None


class GameEntry(NamedTuple):
    """An entry of a game.

    Attributes:
        kind: one of `KINDS`.
        seat: whose it is; None of chance.
        value: plain JSON: an outcome, an action's name, a hint, a text, a mistake.
    """

    kind: str
    seat: int | None
    value: Any


class StoredGame(NamedTuple):
    """What is kept of a game beside its entries.

    Attributes:
        id: of the game, in addresses.
        created: seconds since 1970.
        changed: when spectators last saw it change, in the same seconds. Were it the time of the latest entry, whoever
            lists the games could count how often a seat is asked in secret (RULES 4.14).
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


_COLUMNS = {
    "games": StoredGame._fields,
    "entries": ("game", "number", *GameEntry._fields),
    "tokens": ("game", "seat", "token"),
}
_AS_JSON = ("setup", "seats", "result")
"""Columns of games that hold JSON."""
_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("id", "game"), (str,)),
    **dict.fromkeys(("created", "changed", "pace"), (float, int)),
    **dict.fromkeys(("seed", "moves"), (int,)),
    "result": (dict, NoneType),
}
"""What a game's columns hold, where SQLite takes any value."""


class GameStore:
    """The database.

    Every method raises `UnavailableError` where the file cannot be read or written just now, as while another process
    locks it or the disk is full, and `GameStoreError` where what it asks for is damaged; nothing is changed then.

    Args:
        path: of the file, which is created for its owner alone; ``":memory:"`` for one that is gone with the process.

    Raises:
        GameStoreError: a file that is something else, to which nothing is written, or that is damaged.
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
            # In WAL mode a commit survives the end of the process however it comes.
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
        """Keep a new game with the tokens of its seats, and of `HOST`."""
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
        """Write entries, all or none.

        Args:
            game: its id.
            number: how many entries it has.
            entries: those that follow.
            moves: how many actions were played with them.
            result: winners and points, where the game is over with them.
            changed: the time, where spectators see a change.

        Raises:
            sqlite3.IntegrityError: another process has written in the meantime.
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
        """Return the game of an id, or None."""
        rows = self._read("SELECT * FROM games WHERE id = ?", (id,))
        return _game_of(rows[0]) if rows else None

    def games(self, limit: int, shown: Callable[[StoredGame], T]) -> list[T]:
        """Return what is shown of open games, latest changed first; damaged ones are left out, and logged once."""
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
        """Return how many games there are."""
        return int(self._read("SELECT count(*) FROM games")[0][0])

    def entries(self, game: str) -> list[GameEntry]:
        """Return the entries of a game, in order."""
        rows = self._read("SELECT kind, seat, value FROM entries WHERE game = ? ORDER BY number", (game,))
        with _reading():
            return [GameEntry(kind, seat, json.loads(value)) for kind, seat, value in rows]

    def tokens(self, game: str) -> dict[int, str]:
        """Return the tokens of a game, by seat, with that of `HOST`."""
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
        """Run the statements of a block as one transaction: they are committed together, or not at all."""
        # Each attempt holds up the whole server for a moment: all games together make one in a while.
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
                # A commit that fails may have ended the transaction, or not.
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
            # Others are of a kind: the file is locked, the disk is full.
            if type(error) is sqlite3.DatabaseError or isinstance(error, UnicodeError):
                _LOG.error("%s is damaged: %s", self.path, error)
                raise GameStoreError("the database of games is damaged: start the server with another file") from None
            if self._is_available:
                _LOG.error("%s cannot be used just now: %s", self.path, error)
            self._is_available = False
            self._try_again_at = time.monotonic() + _BETWEEN_ATTEMPTS
            raise _unavailable() from None


def _connected(path: str, **how: Any) -> sqlite3.Connection:
    database = sqlite3.connect(path, _TO_START / 1000, isolation_level=None, check_same_thread=False, **how)
    # Of a damaged text what can be read is read; an error would look like that of a file that is locked.
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    return database


def _check_own(path: str) -> None:
    """Check that a file is a database of games, or has nothing in it; not a byte of it is written.

    Raises:
        GameStoreError: a database of something else, or of another version.
        sqlite3.Error: no database, or a damaged one.
        UnicodeError: a damaged one, of which an error of SQLite has a part.
    """
    with contextlib.closing(_connected(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as database:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if not names and version == 0:
            return
        if not set(_COLUMNS) <= names:
            raise GameStoreError(f"{path} is no database of games of romans-env: name another file")
        if version != _VERSION:
            raise GameStoreError(f"{path} was written by another version of romans-env: name another file")
        for table, columns in _COLUMNS.items():
            if [row[1] for row in database.execute(f"PRAGMA table_info({table})")] != list(columns):
                raise GameStoreError(f"{path} is no database of games of romans-env: name another file")


def _unavailable() -> UnavailableError:
    return UnavailableError("the games cannot be kept just now: nothing was changed; try again in a moment")


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise GameStoreError(f"the game is damaged in the database: {in_one_line(error)}") from None


def _of_kind(value: Any, *kinds: type) -> Any:
    if not isinstance(value, kinds):
        raise TypeError(f"a value of the type {type(value).__name__} cannot be")
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
