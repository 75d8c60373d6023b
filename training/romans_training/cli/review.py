"""``romans review``."""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from romans_env.core.files import check_writable, json_of
from romans_env.core.records import RecordError
from romans_env.errors import in_one_line
from romans_training.cli.options import PATH, file_option, number_option, own_game_option
from romans_training.compare.game_review import Review, ReviewError, review, review_page
from romans_training.compare.review_words import cost_in_words, places_of
from romans_training.data.record_files import SourcedRecord, digests_of, records_in
from romans_training.measure.intervals import mean_of_clusters
from romans_training.progress_bars import ProgressBars
from romans_training.reporting import in_percent, print_table, report_console, rounded, say
from romans_training.worker_processes import worker_pool
from romans_training.write_lock import alone

_FEW = 3
"""Up to this number of games, every choice is printed; beyond it, only means."""


@click.command(name="review")
@click.argument("sources", metavar="RECORDS", type=PATH, nargs=-1, required=True)
@own_game_option
@click.option(
    "--player",
    "players",
    multiple=True,
    help="Player whose choices are reviewed, such as player_0; may be repeated.  [default: all]",
)
@click.option("--reviewer", help="Agent that judges the choices; must be a search.  [default: the game's own reviewer]")
@number_option("--seed", "Seed of the judge's random samples.", 0, least=0)
@file_option("--html", "Also write a page that shows the games with the review.", "page")
@file_option("--json", "Also write the reviews as JSON Lines, one line per game.", "lines")
@number_option("--jobs", "Number of processes.  [default: one per core]")
def command(
    sources: tuple[Path, ...],
    players: tuple[str, ...],
    reviewer: str | None,
    seed: int,
    page: Path | None,
    lines: Path | None,
    jobs: int | None,
) -> None:
    """Find the costly choices in recorded games, and measure each player's luck.

    RECORDS are files with one record (.json) or one per line (.jsonl). A choice is judged by what its player could see
    at the time. Its loss is the difference in the chance to win between the best choice and the one made, in
    percentage points. With --json, the same command continues a review that was stopped.
    """
    for target in (page, lines):
        if target is not None:
            check_writable(target)
    records = list(records_in(sources))
    of_sources = hashlib.sha256("".join(digests_of(sources)).encode()).hexdigest()
    settings: dict[str, Any] = {"players": list(players), "reviewer": reviewer, "seed": seed, "sources": of_sources}
    done = []
    judge = partial(_judged, players=players or None, reviewer=reviewer, seed=seed)
    with _kept(lines, settings) as kept:
        if page is not None and kept.count:
            raise click.UsageError(f"{kept.partial} holds no positions for a page: remove it, or leave out --html")
        with ProgressBars("actions") as progress:
            # A single game may take minutes, so the bar counts actions.
            lengths = [_length(source) for source in records]
            before = sum(lengths[: kept.count])
            task = progress.add_task("review", total=sum(lengths), completed=before)
            shown = _in_order(
                judge, records[kept.count :], jobs, lambda done: progress.update(task, completed=before + done)
            )
            for length, source, found in zip(lengths[kept.count :], records[kept.count :], shown, strict=True):
                kept.add({"record": source.place, **found.as_json(), "agents": dict(found.game.agents or {})})
                if page is not None or len(records) <= _FEW:
                    done.append(found)
                before += length
                progress.update(task, completed=before)
        if len(records) <= _FEW:
            for number, found in enumerate(done):
                for line in [*([""] if number else []), *in_words(found)]:
                    say(line)
        else:
            _print_means(kept.rows)
        if page is not None:
            review_page(done).save(page)
        kept.finish()
    err = report_console(is_error=True)
    for target in (page, lines):
        if target is not None:
            err.print(f"written: {target}")


def _length(source: SourcedRecord) -> int:
    """Return the number of actions in an unchecked record; 1 if it has none."""
    actions = dict[str, Any](source.record).get("actions")
    return max(1, len(actions)) if isinstance(actions, list) else 1


def _judged(
    source: SourcedRecord,
    players: Sequence[str] | None,
    reviewer: str | None,
    seed: int,
    on_progress: Callable[[int], object] = lambda done: None,
) -> Review:
    try:
        return review(source.record, players, reviewer, seed, on_progress)
    except (RecordError, ReviewError) as error:
        raise ReviewError(f"{source.place}: {in_one_line(error)}") from None


def _in_order(
    judge: partial[Review], records: Sequence[SourcedRecord], jobs: int | None, on_progress: Callable[[int], object]
) -> Iterator[Review]:
    """Yield the reviews in order; ``on_progress`` is called with the actions done, unless other processes work."""
    count = min(jobs or os.cpu_count() or 1, len(records))
    with ExitStack() as stack:
        if count > 1:
            yield from stack.enter_context(worker_pool(count)).map(judge, records)
        else:
            yield from map(partial(judge, on_progress=on_progress), records)


@contextmanager
def _kept(target: Path | None, settings: dict[str, Any]) -> Iterator[_Kept]:
    """Yield a `_Kept` with these arguments, and lock its file against other processes.

    Raises:
        ReviewError: if another process is writing the file.
    """
    if target is None:
        yield _Kept(None, settings)
        return
    busy = ReviewError(f"another process is writing {in_one_line(target)}: wait until it ends, or stop it")
    with alone(target.with_name(f"{target.name}.lock"), busy):
        yield _Kept(target, settings)


class _Kept:
    """Reviews as lines of a partial file, which is renamed to its target once complete.

    Args:
        target: the file; None to write nothing.
        settings: settings of the review, repeated on every line.

    Raises:
        ReviewError: if the partial file of an earlier review cannot be read, or belongs to another review.
    """

    def __init__(self, target: Path | None, settings: dict[str, Any]):
        self.target, self._settings = target, settings
        self.rows: list[dict[str, Any]] = []
        self.partial = None if target is None else target.with_name(f"{target.name}.partial")
        if self.partial is not None and self.partial.exists():
            whole = [line for line in self.partial.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
            self.rows = [self._row_of(line) for line in whole]
            self.partial.write_bytes(b"".join(whole))
        self.count = len(self.rows)

    def _row_of(self, line: bytes) -> dict[str, Any]:
        try:
            row: dict[str, Any] = json_of(line.decode())
            if row["settings"] == self._settings:
                return {name: row[name] for name in ("totals", "agents")}
        except (ValueError, LookupError, TypeError):
            raise ReviewError(f"{self.partial} is damaged: remove it, or name another file") from None
        raise ReviewError(f"{self.partial} belongs to another review: remove it, or name another file")

    def add(self, row: dict[str, Any]) -> None:
        row = {"settings": self._settings, **row}
        self.rows.append({name: row[name] for name in ("totals", "agents")})
        if self.partial is not None:
            with self.partial.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    def finish(self) -> None:
        if self.partial is not None and self.target is not None:
            os.replace(self.partial, self.target)


def in_words(found: Review) -> list[str]:
    """Return a review as lines of text: a summary of the game, then its costliest choices."""
    lines = [f"Winner: {' and '.join(found.game.winners()) or 'nobody'}.", *found.sentences()]
    places = places_of(found.game)
    for one in found.worst():
        lines += [
            "",
            f"action {one.action + 1}, {one.player}, {one.grade}: {cost_in_words(one, places[one.action])}",
            f"played ({rounded(100 * one.shares[one.played])} %): {one.words[one.played]}",
            f"better ({rounded(100 * one.share)} %): {one.words[one.best]}",
        ]
    return lines


def _print_means(rows: Sequence[dict[str, Any]]) -> None:
    """Print each agent's means over the games."""
    found = defaultdict(list)
    for row in rows:
        for player, totals in row["totals"].items():
            found[row["agents"].get(player) or player].append(totals)
    cells = []
    for agent, totals in sorted(found.items(), key=lambda item: np.mean([one["loss"] for one in item[1]])):
        columns = {name: np.array([[one[name]] for one in totals]) for name in ("share", "luck", "loss")}
        means = [in_percent(mean_of_clusters(columns[name])) for name in ("loss", "luck", "share")]
        errors = [f"{np.mean([one[name] for one in totals]):.1f}" for name in ("wrong", "doubtful", "choices")]
        cells.append([agent, *means, *errors, str(len(totals))])
    headings = ("loss %", "luck %", "share %", "wrong", "doubtful", "choices", "games")
    print_table(("agent",), headings, cells, drop=("choices", "doubtful", "share %"))
