"""The results of a tournament on disk: a SQLite database, to which each chunk is written atomically.

| table | a row is |
|---|---|
| ``settings`` | a setting that all games have in common: format, version, game, table, seed, move time |
| ``agents`` | an agent spec and the digest of the files that it names |
| ``chunks`` | deals of a line-up, from ``first`` on: a `match.Played`, arrays as bytes |
| ``variates`` | the control variates of these deals; this table exists with variance reduction only |

The last column of each table is the digest of the others (see `rows`).
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env import __version__
from romans_env.errors import in_one_line
from romans_training.compare.tournament import rows
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.entries import TournamentError
from romans_training.compare.tournament.line_ups import LineUp
from romans_training.compare.tournament.match import Chunk, FaultCount, Played
from romans_training.measure.variance_reduction import NONE

FILE_NAME = "results.sqlite"
FORMAT = "romans-tournament/2"
SAME_RESULTS = ("0.1.0",)
"""Earlier versions of the package with the same games and agents: this one adds to their results."""
_TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL, row_digest TEXT NOT NULL);
CREATE TABLE agents (text TEXT PRIMARY KEY, digest TEXT NOT NULL, row_digest TEXT NOT NULL);
CREATE TABLE chunks (
    line_up TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
    winners BLOB NOT NULL, points BLOB NOT NULL, clocks TEXT NOT NULL, faults TEXT NOT NULL,
    row_digest TEXT NOT NULL, PRIMARY KEY (line_up, first)
);
"""
_VARIATES_TABLE = """
CREATE TABLE variates (
    line_up TEXT NOT NULL, first INTEGER NOT NULL, data BLOB NOT NULL, row_digest TEXT NOT NULL,
    PRIMARY KEY (line_up, first)
);
"""
_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"


class MatchStore:
    """The results in a folder, locked while it is open: two tournaments at once would play the same games.

    Everything in the file is checked before anything is written, so a file that is refused is not changed.

    Args:
        folder: the folder; created if missing.
        config: the settings of the tournament; all results in a folder have the same setup, seed and move time.

    Raises:
        TournamentError: if the file cannot be used, is damaged, has results with other settings, or is in use by
            another tournament.
    """

    def __init__(self, folder: Path, config: TournamentConfig):
        self.path = folder / FILE_NAME
        self._setup = config.setup
        self._has_variates = config.variance_reduction != NONE
        self._line_ups: dict[str, LineUp] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TournamentError(f"cannot create the folder {folder}: {error.strerror}") from None
        settings = {
            "format": FORMAT,
            "version": __version__,
            "game": config.setup.game,
            "table": config.setup.as_json(),
            "seed": config.seed,
            "move_time": config.move_time,
        }
        if self._has_variates:
            settings["variance_reduction"] = config.variance_reduction
        if config.own_deals:
            settings["own_deals"] = True
        if config.hosted:
            settings["hosted"] = True
        with self._errors():
            self._check_header()
            self._database = sqlite3.connect(self.path, timeout=1.0, isolation_level=None)
        try:
            with self._errors():
                # Invalid UTF-8 must not fail when it is read; the digest of the row will not match.
                self._database.text_factory = lambda data: data.decode("utf-8", "replace")
                # The lock is the operating system's: a process that is killed leaves none behind.
                self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
                # Transactions survive a crash of the process, though not of the machine; this is faster than FULL.
                self._database.execute("PRAGMA synchronous = NORMAL")
                with self._transaction("EXCLUSIVE"):
                    self._keep_to(settings)
        except BaseException:
            self._database.close()
            raise

    def close(self) -> None:
        """Close the file and release its lock."""
        self._database.close()

    def keep_to_agents(self, digests: dict[str, str]) -> None:
        """Store the digests of agents' files by agent spec, and refuse a file that has changed since.

        Raises:
            TournamentError: if a file has changed; names the agent.
        """
        with self._errors(), self._transaction():
            noted = dict(self._rows("agents"))
            for spec, digest in digests.items():
                if noted.get(spec, digest) != digest:
                    raise TournamentError(
                        f"{spec} has changed since it played in {self.path.parent}; rename the new file, or name "
                        "another folder with --folder"
                    )
                if spec not in noted:
                    self._insert("agents", spec, digest)

    def add(self, chunk: Chunk, played: Played) -> None:
        """Store the result of a chunk, replacing one with the same first deal and fewer deals."""
        with self._errors(), self._transaction():
            for table in ("chunks", "variates")[: 1 + self._has_variates]:
                where = (chunk.line_up.key, chunk.first)
                self._database.execute(f"DELETE FROM {table} WHERE line_up = ? AND first = ?", where)
            self._insert("chunks", *rows.row_of(chunk, played))
            if played.variates is not None:
                self._insert("variates", chunk.line_up.key, chunk.first, played.variates.astype("<f4").tobytes())

    def deals_of(self, line_up: LineUp) -> list[tuple[int, int]]:
        """Return the deals that a line-up has played, as pairs of first deal and count, ascending."""
        with self._errors():
            query = "SELECT first, count FROM chunks WHERE line_up = ? ORDER BY first"
            return list(self._database.execute(query, (line_up.key,)))

    def results_of(self, line_up: LineUp, num_deals: int) -> Played:
        """Return the result of the first ``num_deals`` deals of a line-up, all of which must have been played.

        If more deals were requested earlier, the last chunk extends beyond these. Winners, points and variates are cut
        off there. Times, decisions and faults include the whole chunk, because its row does not divide them by deal;
        there may be a few more faults than in the games that are counted.
        """
        with self._errors():
            where_and_values = ("WHERE line_up = ? AND first < ? ORDER BY first", line_up.key, num_deals)
            chunks = [rows.played_of(row, line_up, self._setup)[1] for row in self._rows("chunks", *where_and_values)]
            variates = []
            if self._has_variates:
                variates = _variates_of(chunks, line_up, self._rows("variates", *where_and_values))
        return Played(
            winners=np.concatenate([chunk.winners for chunk in chunks])[:num_deals],
            points=np.concatenate([chunk.points for chunk in chunks])[:num_deals],
            seconds=tuple(map(sum, zip(*(chunk.seconds for chunk in chunks), strict=True))),
            decisions=tuple(map(sum, zip(*(chunk.decisions for chunk in chunks), strict=True))),
            faults=_summed_faults(chunks),
            variates=np.concatenate(variates)[:num_deals] if variates else None,
        )

    def _keep_to(self, settings: dict[str, Any]) -> None:
        """Store the settings in an empty file; otherwise check everything in it."""
        (report,) = self._database.execute("PRAGMA integrity_check(1)").fetchone()
        if report != "ok":
            raise rows.DamagedRow(report)
        schema = self._database.execute(_SCHEMA).fetchall()
        if not schema:
            tables = _TABLES + _VARIATES_TABLE if self._has_variates else _TABLES
            for statement in filter(str.strip, tables.split(";")):
                self._database.execute(statement)
            for name, value in settings.items():
                self._insert("settings", name, json.dumps(value))
            return
        self._check_format()
        if schema not in (_schema(_TABLES), _schema(_TABLES + _VARIATES_TABLE)):
            raise rows.DamagedRow("its tables are not those of results")
        noted = {name: rows.json_of(value) for name, value in self._rows("settings")}
        before, now = (one.get("variance_reduction", NONE) for one in (noted, settings))
        if before != now and noted.keys() ^ settings.keys() <= {"variance_reduction"}:
            raise TournamentError(
                f"{self.path.parent} holds results with variance reduction {_in_words(before)}, not {now}; name "
                "another folder with --folder"
            )
        if noted.keys() != settings.keys():
            raise rows.DamagedRow("its settings are incomplete")
        for name, value in settings.items():
            is_same = name == "version" and noted[name] in SAME_RESULTS
            if noted[name] != value and not is_same:
                raise TournamentError(
                    f"{self.path.parent} holds results with {name} {_in_words(noted[name])}, not "
                    f"{_in_words(value)}; name another folder with --folder"
                )
        self._check_chunks()

    def _check_header(self) -> None:
        """Refuse a database that SQLite might change on opening, even if it is opened for reading."""
        try:
            with open(self.path, "rb") as file:
                header = file.read(20)
        except FileNotFoundError:
            return
        except OSError as error:
            raise TournamentError(f"cannot use {self.path}: {error.strerror}; name another folder") from None
        # Bytes 18 and 19 are 1 for the default journal mode; in other modes SQLite creates files next to the database.
        if header and header[18:] != b"\1\1":
            raise rows.DamagedRow("file is not a database of results")

    def _check_format(self) -> None:
        """Refuse results of another format version, whose tables may be different."""
        try:
            row = self._database.execute("SELECT value FROM settings WHERE name = 'format'").fetchone()
        except sqlite3.OperationalError:
            return
        number = re.fullmatch('"romans-tournament/([0-9]{1,9})"', str(row and row[0]))
        if number and number[0] != json.dumps(FORMAT):
            earlier = int(number[1]) < int(FORMAT.partition("/")[2])
            raise TournamentError(
                f"{self.path} was written by {'an earlier' if earlier else 'a later'} version, in a format that this "
                "one does not read; name another folder with --folder"
            )

    def _check_chunks(self) -> None:
        """Refuse chunks that no tournament with this setup has written, and agents that are not listed."""
        noted = dict(self._rows("agents"))
        if not all(isinstance(digest, str) for digest in noted.values()):
            raise rows.DamagedRow("an agent's digest is not a text")
        deals: dict[str, list[range]] = {}
        for row in self._rows("chunks", "ORDER BY line_up, first"):
            key = row[0]
            if key not in self._line_ups:
                self._line_ups[key] = rows.line_up_of(key, self._setup)
                if any(entry.spec not in noted for entry in self._line_ups[key].slots):
                    raise rows.DamagedRow("an agent that played is not listed")
            deals.setdefault(key, []).append(rows.played_of(row, self._line_ups[key], self._setup)[0])
        rows.check_apart(deals)

    def _rows(self, table: str, rest: str = "", *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a table, compared with their digests and without them."""
        return [rows.checked(table, row) for row in self._database.execute(f"SELECT * FROM {table} {rest}", values)]

    def _insert(self, table: str, *values: Any) -> None:
        marks = ", ".join("?" * (len(values) + 1))
        self._database.execute(f"INSERT INTO {table} VALUES ({marks})", (*values, rows.row_digest(table, *values)))

    @contextmanager
    def _transaction(self, kind: str = "") -> Iterator[None]:
        with self._database:
            self._database.execute(f"BEGIN {kind}")
            yield

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise TournamentError(
                    f"another tournament is playing in {self.path.parent}; wait until it ends"
                ) from None
            raise TournamentError(
                f"cannot use {self.path}: {in_one_line(error, 200)}; name another folder with --folder, or make it "
                "usable"
            ) from None
        # UnicodeDecodeError: SQLite's message may quote bytes of the file that Python cannot decode.
        except (sqlite3.DatabaseError, UnicodeDecodeError, rows.DamagedRow) as error:
            raise TournamentError(
                f"{self.path} is not a valid file of results ({in_one_line(error, 200)}); delete it to start again, or "
                "name another folder with --folder"
            ) from None


def _summed_faults(chunks: Sequence[Played]) -> tuple[FaultCount, ...]:
    """Return the faults of chunks by slot and kind, each with the message of the first one."""
    totals: dict[tuple[int, str], FaultCount] = {}
    for chunk in chunks:
        for fault in chunk.faults:
            before = totals.get((fault.slot, fault.kind), fault._replace(games=0))
            totals[fault.slot, fault.kind] = before._replace(games=before.games + fault.games)
    return tuple(totals[key] for key in sorted(totals))


def _variates_of(
    chunks: Sequence[Played], line_up: LineUp, variate_rows: Sequence[tuple[Any, ...]]
) -> list[npt.NDArray[np.float32]]:
    """Return the control variates of chunks of a line-up, one array per chunk.

    Args:
        chunks: the chunks, ordered by deal.
        line_up: the line-up.
        variate_rows: the rows of the table ``variates`` for the same deals, in the same order.

    Raises:
        DamagedRow: if a chunk has no row, or a row does not fit its chunk.
    """
    if len(variate_rows) != len(chunks):
        raise rows.DamagedRow("a chunk has no control variates")
    counts = (len(chunk.winners) for chunk in chunks)
    return [
        rows.variates_of_bytes(data, count, line_up) for (*_, data), count in zip(variate_rows, counts, strict=True)
    ]


def _schema(tables: str) -> list[tuple[Any, ...]]:
    """Return the schema of a store as SQLite describes it."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(tables)
        return database.execute(_SCHEMA).fetchall()


def _in_words(value: Any) -> str:
    return "none" if value is None else value if isinstance(value, str) else json.dumps(value)
