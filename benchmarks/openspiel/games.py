"""The OpenSpiel games that can be played with this library: `check_game` for every registered game.

    python -m benchmarks.openspiel.games               # continues where it was stopped
    python -m benchmarks.openspiel.games --again skat   # measures one again

Each game is checked in a process of its own with a time limit, so that a game that aborts or hangs has a row, too. Rows
are stored in ``benchmarks/openspiel/games.json``, and shown in ``docs/project/openspiel.md``.
"""

from __future__ import annotations

import importlib.metadata
import json
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click

from benchmarks.pages import write_generated
from romans_env.core.games import spec_of
from romans_env.errors import in_one_line
from romans_env.testing import check_game

ROOT = Path(__file__).resolve().parents[2]
KEPT, PAGE = ROOT / "benchmarks" / "openspiel" / "games.json", ROOT / "docs" / "project" / "openspiel.md"
LONGEST = 10
"""Largest ratio of wall-clock time to processor time; the machine may be busy."""
PASSED, REFUSED, FOUND, UNFINISHED = "passed", "refused", "found", "unfinished"
GIVEN = {
    "add_noise": "add_noise(epsilon=0.1,game=kuhn_poker(),seed=1)",
    "cached_tree": "cached_tree(game=kuhn_poker())",
    "misere": "misere(game=kuhn_poker())",
    "normal_form_extensive_game": "normal_form_extensive_game(game=matrix_mp())",
    "repeated_game": "repeated_game(num_repetitions=3,stage_game=matrix_pd())",
    "restricted_nash_response": "restricted_nash_response(game=kuhn_poker())",
    "start_at": "start_at(game=kuhn_poker(),history=0;1)",
    "turn_based_simultaneous_game": "turn_based_simultaneous_game(game=matrix_mp())",
    "zerosum": "zerosum(game=tic_tac_toe())",
}
"""Games that are derived from another game, with that game."""


def checked(text: str) -> dict[str, Any]:
    """Check a game and return its row."""
    try:
        spec = spec_of(f"openspiel:{text}")
    except ValueError as error:
        return {"status": REFUSED, "says": str(error).partition(" cannot be played: ")[2] or str(error)}
    facts = spec.part("rules").facts  # type: ignore[attr-defined]
    found = [in_one_line(str(one), 300) for one in check_game(spec, seeds=(0,))]
    per_second = _speed(spec.make_rules())
    return {
        "status": FOUND if found else PASSED,
        "says": "; ".join(found),
        "players": facts.num_players,
        "hidden": facts.hidden,
        # A game stored as a table can always be sampled.
        "samples": facts.cannot_sample if facts.hidden == "something" and not facts.num_places else "",
        "per_second": per_second,
    }


def _speed(rules: Any) -> int:
    """Return the number of random decisions per second of processor time."""
    from romans_env import Game
    from romans_env.testing.moment import played_on

    made, begin, number = 0, time.process_time(), 0
    while time.process_time() - begin < 1:
        made, number = made + len(played_on(Game(rules, seed=number), number).actions), number + 1
    return round(made / (time.process_time() - begin))


def row_of(text: str, seconds: float) -> dict[str, Any]:
    """Check a game in a process of its own and return its row."""
    command = [sys.executable, "-m", "benchmarks.openspiel.games", "--seconds", str(seconds), "--one", text]
    unfinished = {"status": UNFINISHED, "says": f"its checks take longer than {seconds:.0f} s"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST * seconds, cwd=ROOT, check=False)
    except subprocess.TimeoutExpired:
        return unfinished
    if done.returncode == -signal.SIGXCPU:
        return unfinished
    try:
        row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        return {"status": FOUND, "says": f"the process ended with {done.returncode}: {in_one_line(last, 200)}"}
    return row


def names_of_games() -> list[str]:
    """Return the names of all OpenSpiel games, including those written in Python."""
    import open_spiel.python.games  # noqa: F401
    import pyspiel

    return sorted(GIVEN.get(name, name) for name in pyspiel.registered_names())


def table_of(kept: dict[str, Any]) -> str:
    """Return a summary of the results and a table of all rows."""
    rows = kept["games"]
    counts = Counter(row["status"] for row in rows.values())
    lines = [
        f"{len(rows)} games of OpenSpiel {kept['version']}: {counts[PASSED]} pass all checks, {counts[FOUND]} fail "
        f"one, {counts[UNFINISHED]} not through in {kept['seconds']:.0f} seconds, {counts[REFUSED]} are refused.",
        "",
        "| game | players | hidden | sampled | decisions a second | checks |",
        "|---|---|---|---|---|---|",
    ]
    for text, row in sorted(rows.items()):
        says = row["says"].replace("|", "\\|")
        result = row["status"] if row["status"] == PASSED else f"{row['status']}: {says}"
        if "players" not in row:
            lines.append(f"| `{text}` | | | | | {result} |")
            continue
        hidden = {"nothing": "nothing", "choices": "choices at the same time"}.get(row["hidden"], "yes")
        sampled = "" if row["hidden"] == "nothing" else (row["samples"] and "no") or "yes"
        lines.append(f"| `{text}` | {row['players']} | {hidden} | {sampled} | {row['per_second']:,} | {result} |")
    return "\n".join(lines)


@click.command(help=(__doc__ or "").partition("\n\n")[0])
@click.option("--seconds", default=20.0, show_default=True, help="Limit of processor time per game.")
@click.option("--again", multiple=True, help="A game to check again, in addition to the missing ones.")
@click.option("--minutes", default=60.0, show_default=True, help="Time after which no further game is begun.")
@click.option("--one", hidden=True)
def main(seconds: float, again: tuple[str, ...], minutes: float, one: str | None) -> None:
    """Check the games that are missing in the file, and write the page."""
    if one is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (round(seconds), round(seconds) + 5))
        click.echo("\n" + json.dumps(checked(one)))
        return
    version = importlib.metadata.version("open_spiel")
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    if kept.get("version") != version:
        kept = {"version": version, "seconds": seconds, "games": {}}
    begin = time.monotonic()
    for text in dict.fromkeys([*names_of_games(), *again]):
        if (text in kept["games"] and text not in again) or time.monotonic() - begin > 60 * minutes:
            continue
        kept["games"][text] = row = row_of(text, seconds)
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        click.echo(f"{text}: {row['status']} {row['says'][:150]}")
    write_generated(PAGE, "benchmarks.openspiel.games", table_of(kept) + "\n")


if __name__ == "__main__":
    main()
