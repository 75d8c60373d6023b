"""The result of a tournament as tables and sentences."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from romans_training.intervals import Estimate
from romans_training.reporting import in_percent, markdown_grid, print_whole, width_remark, with_interval
from romans_training.tournament.result import TournamentResult

_MANY_PAIRS = 12


def print_result(result: TournamentResult) -> None:
    """Print the standings, the matrix of more than two agents, and what differs; the tables are Markdown, too."""
    console = Console()

    def show(line: str) -> None:
        console.print(Text(line), soft_wrap=True)

    show(title_of(result))
    faulty = any(standing.faults for standing in result.standings)
    reduced = [standing.reduced for standing in result.standings if standing.reduced is not None]
    is_reduced = len(reduced) == len(result.standings)
    headings = ["rating", "wins %", "mean points"]
    headings += ["wins %, AIVAT", "mean points, AIVAT"] * is_reduced + ["games", "ms/move"]
    headings += ["lost by faults"] * faulty
    grid = markdown_grid(("agent",), tuple(headings))
    for k, standing in enumerate(result.standings):
        row = [in_whole_numbers(standing.rating), in_percent(standing.win_share), with_interval(standing.points)]
        if is_reduced:
            row += [in_percent(reduced[k].win_share), with_interval(reduced[k].points)]
        row += [f"{standing.games:,}", f"{standing.milliseconds:.3g}"]
        if faulty:
            row.append(str(sum(fault.games for fault in standing.faults)))
        grid.add_row(Text(standing.label), *row)
    print_whole(grid)
    if len(result.standings) > 2:
        show("Of the wins of two agents where both sat, the share of the row's, %")
        grid = markdown_grid(("", "agent"), tuple(str(k + 1) for k in range(len(result.standings))))
        for k, (standing, row_of_shares) in enumerate(zip(result.standings, result.shares, strict=True), 1):
            cells = ["" if share is None else with_half_width(share) for share in row_of_shares]
            grid.add_row(str(k), Text(standing.label), *cells)
        print_whole(grid)
    for line in remarks_on(result):
        show(line)


def title_of(result: TournamentResult) -> str:
    """What was played, in a line."""
    deals = f"{result.num_deals:,} deals"
    if result.num_search_deals is not None:
        deals += f" ({result.num_search_deals:,} with agents that search)"
    line_ups = f"{result.num_line_ups:,} line-up" + "s" * (result.num_line_ups > 1)
    return f"{result.table}, {deals} with every seating, {line_ups}, {result.num_games:,} games; with 95 % intervals"


def remarks_on(result: TournamentResult) -> list[str]:
    """The lines below the tables: which ratings differ, what a fair share is, and which agents were at fault."""
    zero = "the mean is 0" if result.anchor is None else f"{result.anchor} is 0"
    seats = ", ".join(f"{100 * share.mean:.1f}" for share in result.seat_shares)
    if len(result.seat_shares) > 1:
        fair = f"Equal agents would win {100 * result.fair_share:.1f} %; by seat, the wins were {seats} %."
    else:
        fair = (
            f"Equal agents would win {100 * result.fair_share:.1f} % of comparisons; {seats} % of the games were won."
        )
    lines = [differences_in_words(result), f"Ratings are on Elo's scale; {zero}. {fair}"]
    pairs = [(one.reduced.win_share, one.win_share) for one in result.standings if one.reduced is not None]
    if pairs:
        lines.append(width_remark(pairs, "shares of wins"))
    for standing in result.standings:
        for fault in standing.faults:
            games = f"{fault.games:,} of {standing.games:,} games"
            lines.append(f"{standing.label} lost {games} by {_FAULT_WORDS[fault.kind]}, first: {fault.message}")
    return lines


_FAULT_WORDS = {"error": "an error", "illegal": "an illegal action", "time": "running over its time"}


def differences_in_words(result: TournamentResult) -> str:
    """Which ratings differ by more than chance, in a sentence."""
    differing = [one for one in result.differences if one.is_significant]
    level_pairs = [one for one in result.differences if not one.is_significant]
    count = len(result.differences)
    level = "at 95 %" if count == 1 else f"at 95 % over all {count} pairs (Holm)"
    if not differing:
        return "No two agents differ significantly " + level + "."
    if not level_pairs:
        chain = " > ".join(standing.label for standing in result.standings)
        return f"Significant {level}: {chain}."
    if len(level_pairs) <= len(differing):
        pairs = [f"{one.better} and {one.worse}" for one in level_pairs]
        return f"Every pair differs significantly {level} but {_listed(pairs)}."
    pairs = [f"{one.better} > {one.worse}" for one in differing]
    return f"Significant {level}: {_listed(pairs)}; no other pair."


def _listed(pairs: list[str]) -> str:
    more = len(pairs) - _MANY_PAIRS
    return "; ".join(pairs[:_MANY_PAIRS]) + (f"; and {more} more" if more > 0 else "")


def in_whole_numbers(estimate: Estimate) -> str:
    """``364 [314, 422]``."""
    return f"{round(estimate.mean)} [{round(estimate.low)}, {round(estimate.high)}]"


def with_half_width(share: Estimate) -> str:
    """``87.6 ±1.5`` for a share."""
    return f"{100 * share.mean:.1f} ±{50 * (share.high - share.low):.1f}"
