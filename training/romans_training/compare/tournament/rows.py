"""Rows of a store: how results are written, read and checked.

SQLite detects most damage to its own structures, but none to the values in them. Every row therefore has a digest of
its other columns, and values that are read are checked against what a tournament can have written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.batches.adjudicator import FAULTS
from romans_env.core.protocol import Setup
from romans_training.compare.tournament.entries import Entry
from romans_training.compare.tournament.line_ups import LineUp
from romans_training.compare.tournament.match import Chunk, FaultCount, Played
from romans_training.schema import fits

_KINDS = {int: "integer", str: "text", bytes: "bytes"}
_LARGEST = 2**53
"""Largest valid number of deals, decisions and seconds; larger ones are damage, and would overflow sums."""
_COUNT, _SOME = range(_LARGEST + 1), range(1, _LARGEST + 1)
_POINTS_BELOW = 1000
"""Points are below this number, on which `comparison` relies."""


class DamagedRow(ValueError):
    """A row that no tournament has written."""


def row_digest(table: str, *values: Any) -> str:
    """Return the digest of a row: SHA-256 over its table's name and the type, length and bytes of each value.

    Raises:
        DamagedRow: if a value has a type that no column holds.
    """
    digest = hashlib.sha256(table.encode())
    for value in values:
        kind = _KINDS.get(type(value))
        if kind is None:
            raise DamagedRow(f"a value in {table} is {value!r:.40}")
        data = value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")
        digest.update(f" {kind} {len(data)} ".encode() + data)
    return digest.hexdigest()


def checked(table: str, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Compare a row with its digest, which is the last column, and return the other columns.

    Raises:
        DamagedRow: if they do not match.
    """
    *values, digest = row
    if row_digest(table, *values) != digest:
        raise DamagedRow(f"a row of {table} differs from its digest")
    return tuple(values)


def row_of(chunk: Chunk, played: Played) -> tuple[Any, ...]:
    """Return the result of a chunk as a row, without its digest."""
    return (
        chunk.line_up.key,
        chunk.first,
        chunk.count,
        played.winners.astype(np.uint8).tobytes(),
        played.points.astype("<i2").tobytes(),
        json.dumps([played.seconds, played.decisions]),
        json.dumps(played.faults),
    )


def variates_of_bytes(data: Any, num_deals: int, line_up: LineUp) -> npt.NDArray[np.float32]:
    """Return the control variates of a row: float32, shape ``(deals, seatings, players, variates)``.

    Raises:
        DamagedRow: if their number is wrong, or one is not finite.
    """
    num_seats = num_deals * len(line_up.seatings) * len(line_up.slots)
    if not isinstance(data, bytes) or not data or len(data) % (4 * num_seats):
        raise DamagedRow("a chunk has a wrong number of control variates")
    variates = np.frombuffer(data, dtype="<f4").reshape(num_deals, len(line_up.seatings), len(line_up.slots), -1)
    if not np.isfinite(variates).all():
        raise DamagedRow("a chunk has control variates that are not numbers")
    return variates


def line_up_of(key: Any, setup: Setup) -> LineUp:
    """Return the line-up that a row names.

    Raises:
        DamagedRow: if it is not a line-up for this setup.
    """
    slots = json_of(key)
    # The number of slots is checked before a LineUp is made: the number of seatings is its factorial.
    right = fits(slots, [[str, _SOME]] * setup.num_players)
    line_up = LineUp(tuple(Entry(*slot) for slot in slots)) if right else None
    if line_up is None or line_up.key != key:
        raise DamagedRow(f"{key!r:.40} is not a line-up of this setup")
    return line_up


def played_of(row: tuple[Any, ...], line_up: LineUp, setup: Setup) -> tuple[range, Played]:
    """Return the deals of a row of ``chunks`` and their results.

    Args:
        row: the row, after `checked`.
        line_up: the line-up that the row names.
        setup: the setup of the game.

    Raises:
        DamagedRow: if it has an impossible value.
    """
    _, first, count, winner_bytes, point_bytes, clocks, faults = row
    num_seatings, num_seats = len(line_up.seatings), len(line_up.slots)
    if not fits([first, count], [_COUNT, _SOME]):
        raise DamagedRow(f"a chunk has {count!r:.40} deals from {first!r:.40} on")
    num_games = count * num_seatings
    for blob, size in ((winner_bytes, num_games), (point_bytes, 2 * num_games * num_seats)):
        if not isinstance(blob, bytes) or len(blob) != size:
            raise DamagedRow(f"a chunk of {count} deals has a wrong number of games")
    winners = np.frombuffer(winner_bytes, dtype=np.uint8).reshape(count, num_seatings)
    points = np.frombuffer(point_bytes, dtype="<i2").reshape(count, num_seatings, num_seats)
    if not ((winners > 0) & (winners < 1 << setup.num_seats)).all():
        raise DamagedRow("a game has no winner, or a winner in a seat that the setup does not have")
    if not (abs(points.astype(np.int32)) < _POINTS_BELOW).all():
        raise DamagedRow("a game has impossible points")
    times, decisions = _listed(clocks, [[_is_time] * num_seats, [_COUNT] * num_seats], "times")
    counts = [FaultCount(*one) for one in _listed(faults, [[range(num_seats), FAULTS, _SOME, str], ...], "faults")]
    # A game has at most one fault, because it ends there.
    if sum(one.games for one in counts) > num_games:
        raise DamagedRow("a chunk has more faults than games")
    return range(first, first + count), Played(winners, points, tuple(times), tuple(decisions), tuple(counts))


def check_apart(deals: Mapping[str, list[range]]) -> None:
    """Raise DamagedRow if a line-up has the same deal twice.

    Args:
        deals: the chunks of every line-up, ordered by their first deals.
    """
    for chunks in deals.values():
        for before, after in pairwise(chunks):
            if after.start < before.stop:
                raise DamagedRow(f"deal {after.start} of a line-up is there twice")


def _listed(text: Any, kind: list[Any], what: str) -> list[Any]:
    found = json_of(text)
    if not fits(found, kind):
        raise DamagedRow(f"a chunk has invalid {what}")
    return list(found)


def _is_time(value: Any) -> bool:
    return fits(value, float) and 0 <= value <= _LARGEST


def json_of(text: Any) -> Any:
    """Return the content of a JSON text in a row; raise DamagedRow if it is not JSON."""
    try:
        return json.loads(text)
    # Numbers of thousands of digits are a ValueError, lists in lists in lists a RecursionError.
    except (TypeError, ValueError, RecursionError):
        raise DamagedRow(f"{text!r:.40} is not JSON") from None
