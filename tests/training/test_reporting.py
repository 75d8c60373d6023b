"""What commands print at a terminal of 80 columns, and what they say of their progress."""

import dataclasses
import io
import re
from types import SimpleNamespace

import pytest
from rich.console import Console

from romans_env import Game, RomansGoHome, Table
from romans_training.cli.evaluate import print_results
from romans_training.cli.exploit import print_result as print_exploited
from romans_training.cli.review import in_words
from romans_training.compare.exploit_result import ExploitResult
from romans_training.compare.tournament.report import print_result
from romans_training.compare.tournament.result import DifferenceReport, Standing, TournamentResult
from romans_training.measure.evaluation import Evaluation, ReducedEstimates
from romans_training.measure.intervals import Estimate
from romans_training.progress_bars import ProgressBars
from romans_training.reporting import folded, in_milliseconds, rounded
from tests.tools import played

LONG = "plan-mc:iterations=50000,policy=legate"
SHARE, POINTS = Estimate(0.876, 0.861, 0.89), Estimate(17.4, 16.4, 18.4)
REDUCED = ReducedEstimates("aivat", SHARE, SHARE, POINTS, POINTS)
EVALUATION = Evaluation(LONG, (LONG, "greedy"), "3+0", 1000, 3000, SHARE, SHARE, POINTS, SHARE, REDUCED)


def tournament_of(num_agents):
    labels = [LONG, "ismcts:iterations=200", *(f"agent-{k}" for k in range(2, num_agents))]
    standings = tuple(Standing(label, Estimate(-781, -813, -748), SHARE, POINTS, 18_320, 28.2, ()) for label in labels)
    differences = tuple(DifferenceReport(labels[0], label, POINTS, 0.5, False) for label in labels[1:])
    shares = tuple(tuple(None if a == b else SHARE for a in labels) for b in labels)
    return TournamentResult("2+0", 0, 1000, 40, 91, 93_680, 0.5, standings, shares, (SHARE, SHARE), differences)


PRINTED = {
    "evaluate": lambda: print_results(LONG, [EVALUATION, dataclasses.replace(EVALUATION, num_games=4000)]),
    "exploit": lambda: print_exploited(ExploitResult(LONG, Table(3, 0), None, EVALUATION)),
    "tournament": lambda: print_result(tournament_of(3)),
    "large tournament": lambda: print_result(tournament_of(14)),
}


@pytest.mark.parametrize("forced", ["TTY_COMPATIBLE", "FORCE_COLOR", "NO_COLOR"])
@pytest.mark.parametrize("name", PRINTED)
def test_lines_fit_80_columns_and_break_no_word(name, forced, capsys, monkeypatch):
    """In a pipe as at a terminal, and in a cell of a notebook, which sets FORCE_COLOR, without escape codes."""
    monkeypatch.setenv("COLUMNS", "1000")
    PRINTED[name]()
    words = set(re.findall(r"[A-Za-z]+", capsys.readouterr().out))
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setenv(forced, "1")
    PRINTED[name]()
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80 and not re.search(r" $", out, re.MULTILINE) and "\x1b" not in out
    assert set(re.findall(r"[A-Za-z]+", out)) <= words | {"COLUMNS", "also", "shows"}
    assert "87.6" in out or "88" in out


def test_a_time_has_three_digits_and_no_exponent():
    assert [in_milliseconds(time) for time in (0.01843, 41.26, 999.4, 5210.4)] == ["0.0184", "41.3", "999", "5,210"]


def test_a_spec_is_broken_behind_its_punctuation():
    assert folded(LONG, 30).splitlines() == ["plan-mc:iterations=50000,", "policy=legate"]
    assert folded(LONG, 5).splitlines() == ["plan-mc:", "iterations=50000,", "policy=legate"]
    assert folded("greedy", 3) == "greedy"


def shown_progress(arrivals, total, is_terminal):
    """The bars and the clock of something whose parts come at ``arrivals``: pairs of seconds and how much is done."""
    now = [0.0]
    console = Console(file=io.StringIO(), force_terminal=is_terminal, width=80, color_system=None)
    bars = ProgressBars("games", console, clock=lambda: now[0])
    task = bars.add_task("play", total=total)
    for seconds, done in arrivals:
        now[0] = seconds
        bars.advance(task, done - bars.tasks[0].completed)
        yield seconds, bars._left(bars.tasks[0]), console.file.getvalue()


@pytest.mark.parametrize("lump", [1, 25, 100])
def test_the_time_left_is_right_within_a_factor_of_two_or_is_not_said(lump):
    """100 games a second come in lumps; the first waits 8 seconds for what has to be compiled."""
    arrivals = [(8 + k * lump / 100, k * lump) for k in range(6000 // lump)]
    said = 0
    for seconds, text, _ in shown_progress(arrivals, 6000, True):
        right = 8 + 60 - seconds
        if text:
            number, unit, _ = text.split()
            assert right / 2 - 1 <= int(number) * {"s": 1, "min": 60}[unit] <= 2 * right + 1
            said += 1
        else:
            assert seconds < 13.1
    assert said > 10


@pytest.mark.parametrize("forced", ["FORCE_COLOR", "NO_COLOR"])
def test_what_is_no_terminal_gets_no_bars(forced, capsys, monkeypatch):
    monkeypatch.setenv(forced, "1")
    with ProgressBars() as bars:
        bars.update(bars.add_task("play", total=9), completed=3)
    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_there_is_a_line_every_15_seconds():
    *_, (_, _, out) = shown_progress([(k / 10, k) for k in range(620)], 1000, False)
    lines = out.splitlines()
    assert [line.partition(" games")[0] for line in lines] == [f"play: {k} of 1,000" for k in (150, 300, 450, 600)]
    assert lines[0] == "play: 150 of 1,000 games, 85 s left"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(-0.04, 1, "0.0"), (-0.4, 0, "0"), (-0.0, 0, "0"), (-0.06, 1, "-0.1"), (49.6, 0, "50"), (12.34, 1, "12.3")],
)
def test_no_zero_is_negative(value, digits, text):
    assert rounded(value, digits) == text


def test_a_review_has_no_negative_zero():
    stays, goes = ("axx:keep",), ("axx:discard",)
    choice = SimpleNamespace(action=3, player="player_0", grade="doubtful", loss=-0.0004, played=stays, best=goes)
    choice.shares, choice.share, choice.words = {stays: -0.004, goes: 0.0}, -0.0, {stays: "stays", goes: "goes"}
    game = played(Game(RomansGoHome(Table(2, 0)), seed=1), 1)
    lines = in_words(SimpleNamespace(game=game, sentences=list, worst=lambda: [choice]))
    assert lines[2:] == [
        "action 4, player_0, doubtful: round 1, axx: 0 % of the chance to win",
        "played (0 %): stays",
        "better (0 %): goes",
    ]
