"""The results of a tournament on disk: a SQLite database, in which a chunk is there as a whole or not at all.

| table | a row is |
|---|---|
| ``settings`` | what all games have in common: format, version, table, seed, move time |
| ``agents`` | a text and the digest of the files it names |
| ``chunks`` | deals of a line-up, from ``first`` on: what `match.Played` says, arrays as bytes |
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from romans_env import __version__
from training.tournament.entries import TournamentError
from training.tournament.line_ups import LineUp
from training.tournament.match import Chunk, FaultCount, Played

FILE_NAME = "results.sqlite"
FORMAT = "romans-tournament/1"
_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS agents (text TEXT PRIMARY KEY, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (
    line_up TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
    winners BLOB NOT NULL, points BLOB NOT NULL, clocks TEXT NOT NULL, faults TEXT NOT NULL,
    PRIMARY KEY (line_up, first)
);
"""


class Store:
    """The results in a folder. Open, it is locked: two tournaments at once would play the same matches.

    Args:
        folder: made if it is not there.

    Raises:
        TournamentError: it cannot be used, or another tournament is using it.
    """

    def __init__(self, folder: Path):
        self.path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TournamentError(f"cannot make the folder {folder}: {error.strerror}") from None
        with self._errors():
            self._database = sqlite3.connect(self.path, timeout=1.0, isolation_level=None)
            # The lock is the operating system's: a process that is killed leaves none behind.
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            # A transaction is safe from the death of the process, though not of the machine.
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(f"BEGIN EXCLUSIVE; {_TABLES} COMMIT;")

    def close(self) -> None:
        """Let others use it."""
        self._database.close()

    def keep_to(self, settings: dict[str, Any]) -> None:
        """Note the settings of all games, or refuse others than those noted.

        Args:
            settings: plain JSON; the version and the format are added.

        Raises:
            TournamentError: naming the setting that differs.
        """
        wanted = {"format": FORMAT, "version": __version__, **settings}
        with self._errors(), self._transaction():
            noted = {name: json.loads(value) for name, value in self._database.execute("SELECT * FROM settings")}
            for name, value in wanted.items():
                if noted and noted.get(name) != value:
                    raise TournamentError(
                        f"{self.path.parent} holds results with {name} {_in_words(noted.get(name))}, not "
                        f"{_in_words(value)}; name another folder with --folder"
                    )
                self._database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, json.dumps(value)))

    def keep_to_agents(self, digests: dict[str, str]) -> None:
        """Note the digests of agents' files, by text, or refuse a file that has changed since.

        Raises:
            TournamentError: naming the agent.
        """
        with self._errors(), self._transaction():
            noted = dict(self._database.execute("SELECT * FROM agents"))
            for text, digest in digests.items():
                if noted.get(text, digest) != digest:
                    raise TournamentError(
                        f"{text} is another file than the one that played in {self.path.parent}; give the new one "
                        "another name, or name another folder with --folder"
                    )
                self._database.execute("INSERT OR IGNORE INTO agents VALUES (?, ?)", (text, digest))

    def add(self, chunk: Chunk, played: Played) -> None:
        """Keep what came of a chunk."""
        row = (
            chunk.line_up.key,
            chunk.first,
            chunk.count,
            played.winners.astype(np.uint8).tobytes(),
            played.points.astype("<i2").tobytes(),
            json.dumps([played.seconds, played.decisions]),
            json.dumps(played.faults),
        )
        with self._errors():
            self._database.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def deals_of(self, line_up: LineUp) -> list[tuple[int, int]]:
        """The deals that a line-up has played, as (first, count), ascending."""
        with self._errors():
            query = "SELECT first, count FROM chunks WHERE line_up = ? ORDER BY first"
            return list(self._database.execute(query, (line_up.key,)))

    def results_of(self, line_up: LineUp, num_deals: int) -> Played:
        """What came of the first ``num_deals`` deals of a line-up, all of which have been played."""
        query = "SELECT * FROM chunks WHERE line_up = ? AND first < ? ORDER BY first"
        with self._errors():
            rows = self._database.execute(query, (line_up.key, num_deals)).fetchall()
        num_seatings, num_seats = len(line_up.seatings), len(line_up.slots)
        seconds, decisions = np.zeros(num_seats), np.zeros(num_seats, dtype=np.int64)
        winners, points = [], []
        faults: dict[tuple[int, str], FaultCount] = {}
        for _, _, count, winner_bytes, point_bytes, clocks, fault_rows in rows:
            winners.append(np.frombuffer(winner_bytes, dtype=np.uint8).reshape(count, num_seatings))
            points.append(np.frombuffer(point_bytes, dtype="<i2").reshape(count, num_seatings, num_seats))
            of_chunk = json.loads(clocks)
            seconds += of_chunk[0]
            decisions += of_chunk[1]
            for slot, kind, games, message in json.loads(fault_rows):
                before = faults.get((slot, kind), FaultCount(slot, kind, 0, message))
                faults[slot, kind] = before._replace(games=before.games + games)
        return Played(
            winners=np.concatenate(winners)[:num_deals],
            points=np.concatenate(points)[:num_deals],
            seconds=tuple(seconds.tolist()),
            decisions=tuple(decisions.tolist()),
            faults=tuple(faults[key] for key in sorted(faults)),
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise TournamentError(
                    f"another tournament is playing in {self.path.parent}; wait for its end"
                ) from None
            raise TournamentError(f"cannot use {self.path}: {error}") from None
        except sqlite3.DatabaseError as error:
            raise TournamentError(
                f"{self.path} is no whole file of results ({error}); delete it to begin anew"
            ) from None


def _in_words(value: Any) -> str:
    return "none" if value is None else value if isinstance(value, str) else json.dumps(value)
