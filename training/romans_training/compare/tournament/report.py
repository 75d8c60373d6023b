"""The result of a tournament as tables and sentences."""

from __future__ import annotations

from romans_training import reporting
from romans_training.compare.tournament.result import TournamentResult
from romans_training.measure.intervals import Estimate
from romans_training.reporting import in_percent, say, with_interval

_MANY_PAIRS = 12
_LABELS = 26
"""Columns of a terminal reserved for the labels of a matrix, which are wrapped to fit."""


def print_result(result: TournamentResult) -> None:
    """Print the standings, the matrix of more than two agents, and remarks; the tables are valid Markdown."""
    say(result.heading())
    faulty = any(standing.faults for standing in result.standings)
    reduced = [standing.reduced for standing in result.standings if standing.reduced is not None]
    is_reduced = len(reduced) == len(result.standings)
    headings = ["Elo", "share %", "mean points"]
    headings += ["share %, AIVAT", "mean points, AIVAT"] * is_reduced
    headings += ["games", "ms/move"]
    headings += ["lost by faults"] * faulty
    rows = []
    for k, standing in enumerate(result.standings):
        row = [standing.label, in_signed_numbers(standing.elo)]
        row += [in_percent(standing.win_share), with_interval(standing.points)]
        if is_reduced:
            row += [in_percent(reduced[k].win_share), with_interval(reduced[k].points)]
        row += [f"{standing.games:,}", reporting.in_milliseconds(standing.milliseconds)]
        if faulty:
            row.append(str(sum(fault.games for fault in standing.faults)))
        rows.append(row)
    drop = ("games", "ms/move", "mean points", "mean points, AIVAT", "lost by faults", "share %, AIVAT")
    reporting.print_table(("agent",), headings, rows, drop)
    if len(result.standings) > 2:
        say(f"{matrix_title(result)}, %")
        _print_matrix(result)
    for line in remarks_on(result):
        say(line)


def _print_matrix(result: TournamentResult) -> None:
    """Print the pairwise matrix; without intervals, or in parts, if the terminal is narrow."""
    agents = [[str(k), standing.label] for k, standing in enumerate(result.standings, 1)]
    cells = [["" if share is None else with_half_width(share) for share in row] for row in result.shares]
    numbers = [number for number, _ in agents]
    room = reporting.report_console().width
    across = len(numbers)
    if room < _LABELS + across * (len("87.6 ±1.5") + 3):
        cells = [["" if share is None else f"{100 * share.mean:.0f}" for share in row] for row in result.shares]
        across = max(1, int(room - _LABELS) // 6)
    for first in range(0, len(numbers), across):
        part = slice(first, first + across)
        rows = [agent + row[part] for agent, row in zip(agents, cells, strict=True)]
        reporting.print_table(("", "agent"), numbers[part], rows)


def matrix_title(result: TournamentResult) -> str:
    """Return the title of the pairwise matrix."""
    among = "" if len(result.seat_shares) <= 2 else ", of the games that one of the two won"
    return f"Wins of the row against the column{among}"


def remarks_on(result: TournamentResult) -> list[str]:
    """Return the lines below the tables: significant differences, the fair share, and faults."""
    seats = ", ".join(f"{100 * share.mean:.1f}" for share in result.seat_shares)
    if len(result.seat_shares) > 1:
        fair = f"Equal agents would win {100 * result.fair_share:.1f} %; by seat, the wins were {seats} %."
    else:
        fair = (
            f"Equal agents would win {100 * result.fair_share:.1f} % of comparisons; {seats} % of the games were won."
        )
    lines = [differences_in_words(result), f"The mean of Elo is 0. A win that is shared counts in parts. {fair}"]
    pairs = [(one.reduced.win_share, one.win_share) for one in result.standings if one.reduced is not None]
    if pairs:
        lines.append(reporting.width_remark(pairs, "shares of wins"))
    for standing in result.standings:
        for fault in standing.faults:
            lines.append(
                reporting.lost_in_words(standing.label, fault.kind, fault.games, standing.games, fault.message)
            )
    return lines


def differences_in_words(result: TournamentResult) -> str:
    """Return a sentence that says which differences of ratings are significant."""
    differing = [one for one in result.differences if one.is_significant]
    level_pairs = [one for one in result.differences if not one.is_significant]
    count = len(result.differences)
    level = "(95 %)" if count == 1 else f"(95 %, Holm's correction for {count} pairs)"
    if not differing:
        return f"No difference in Elo is significant {level}."
    if not level_pairs:
        chain = " > ".join(standing.label for standing in result.standings)
        return f"All differences in Elo are significant {level}: {chain}."
    if len(level_pairs) <= len(differing):
        pairs = [f"{one.better} and {one.worse}" for one in level_pairs]
        return f"All differences in Elo are significant {level}, except between {_listed(pairs)}."
    pairs = [f"{one.better} > {one.worse}" for one in differing]
    return f"Significant differences in Elo {level}: {_listed(pairs)}; no others."


def _listed(pairs: list[str]) -> str:
    more = len(pairs) - _MANY_PAIRS
    return "; ".join(pairs[:_MANY_PAIRS]) + (f"; and {more} more" if more > 0 else "")


def in_signed_numbers(estimate: Estimate) -> str:
    """Return an estimate as signed integers, such as ``+364 [+314, +422]``."""
    return f"{estimate.mean:+,.0f} [{estimate.low:+,.0f}, {estimate.high:+,.0f}]"


def with_half_width(share: Estimate) -> str:
    """Return a share in percent with half the width of its interval, such as ``87.6 ±1.5``."""
    return f"{100 * share.mean:.1f} ±{50 * (share.high - share.low):.1f}"
