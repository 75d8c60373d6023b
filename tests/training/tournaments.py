"""What tests of tournaments share: the games that were stored, results, and one that a signal stops."""

import contextlib
import json
import sqlite3
import subprocess
from collections import Counter

from romans_training.compare.tournament.result import DifferenceReport, Standing, TournamentResult
from romans_training.measure.intervals import Estimate
from tests.training.processes import MAIN, command, wait_for

TOURNAMENT = ("tournament", "greedy", "random", "greedy", "--table", "3+0")


def stored_chunks(folder):
    """Line-up, first deal and number of deals of everything that a tournament played."""
    with contextlib.closing(sqlite3.connect(folder / "results.sqlite")) as database:
        return database.execute("SELECT line_up, first, count FROM chunks").fetchall()


def stored_chunks_so_far(folder):
    """The same while somebody else writes, who has locked the file; nothing where it cannot be read just now."""
    with contextlib.suppress(sqlite3.Error):
        database = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro&nolock=1", uri=True)
        with contextlib.closing(database):
            return database.execute("SELECT line_up, first, count FROM chunks").fetchall()
    return []


def deals_played(chunks):
    """How often each line-up played each deal."""
    return Counter((line_up, deal) for line_up, first, count in chunks for deal in range(first, first + count))


def stopped_tournament(number, folder):
    """Send a signal to `TOURNAMENT` after some deals; gives its exit status, error output and the deals it played."""
    # Where tests run in the background, Ctrl-C is ignored, and what they start inherits that.
    script = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {MAIN}"
    # More than can be played until the signal arrives: on a busy machine thousands of deals are played in between.
    arguments = command(*TOURNAMENT, "--deals", 200_000, "--jobs", 2, "--folder", folder, script=script)
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # A chunk of 50 more than is asked for below: the last one that is seen may not have been committed yet.
        wait_for(lambda: len(deals_played(stored_chunks_so_far(folder))) >= 150)
        process.send_signal(number)
        # The pipe ends with the last process that holds it: no worker is left behind.
        err = process.communicate(timeout=60)[1]
    played = deals_played(stored_chunks(folder))
    assert 100 <= len(played) < 200_000
    assert not (folder / "tournament.json").exists()
    return process.returncode, err, played


def without_times(result):
    """A result as plain data, which has no times then."""
    plain = json.loads(json.dumps(result, allow_nan=False))
    for standing in plain["standings"]:
        assert standing.pop("milliseconds") > 0
    return plain


def untimed(result):
    """The same of a result that was not written yet."""
    return without_times(result.as_json())


def result_with(differences):
    """A result of nothing but pairs of agents, and whether they differ."""
    standings = dict.fromkeys(name for pair in differences for name in pair[:2])
    nothing = Estimate(0.0, 0.0, 0.0)
    return TournamentResult(
        table="2+0",
        seed=0,
        num_deals=2,
        num_search_deals=None,
        num_line_ups=1,
        num_games=4,
        fair_share=0.5,
        standings=tuple(Standing(name, nothing, nothing, nothing, 2, 1.0, ()) for name in standings),
        shares=(),
        seat_shares=(nothing, nothing),
        differences=tuple(DifferenceReport(a, b, nothing, 0.01, significant) for a, b, significant in differences),
    )
