"""The result of a tournament as a self-contained page, in type large enough for a classroom wall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from string import Template

from romans_env.core.games import spec_of
from romans_env.core.protocol import Setup
from romans_training.compare.tournament.report import differences_in_words, matrix_title
from romans_training.compare.tournament.result import Standing, TournamentResult
from romans_training.measure.intervals import Estimate
from romans_training.reporting import in_percent, lost_in_words, rounded

_FEW_AGENTS = 8
"""Largest number of agents whose significant differences are listed in a sentence."""


def page_of(result: TournamentResult, setup: Setup, left_out: Mapping[str, str]) -> str:
    """Return the page as HTML; names and messages are escaped.

    Args:
        result: the result of the tournament.
        setup: the setup of the game.
        left_out: the reason why a file has no agent, by file name.
    """
    frame = resources.files("romans_training.compare.tournament").joinpath("page.html").read_text(encoding="utf-8")
    faults = [
        lost_in_words(standing.label, fault.kind, fault.games, standing.games, fault.message)
        for standing in result.standings
        for fault in standing.faults
    ]
    return Template(frame).substitute(
        title=escape(f"{spec_of(setup.game).title}: a tournament of {len(result.standings)} agents"),
        about=escape(_about(result, setup)),
        ranking="\n".join(_row(place, one, result) for place, one in enumerate(result.standings, 1)),
        fair=f"{100 * result.fair_share:.1f}",
        fair_place=f"{100 * result.fair_share:.4f}",
        differences=escape(differences_in_words(result)) if len(result.standings) <= _FEW_AGENTS else "",
        pairs_title=escape(matrix_title(result)),
        numbers="".join(f'<th scope="col">{place}</th>' for place in range(1, len(result.standings) + 1)),
        pairs="\n".join(map(_pairs_of, range(len(result.standings)), result.standings, result.shares)),
        faults=_section("Games lost by faults", faults) + _section("Files that do not take part", _lines(left_out)),
    )


def _about(result: TournamentResult, setup: Setup) -> str:
    neutrals = setup.num_seats - setup.num_players
    seats = [f"{setup.num_players} player" + "s" * (setup.num_players > 1)]
    seats += [f"{neutrals} neutral seat" + "s" * (neutrals > 1)] if neutrals else []
    return (
        f"{result.num_games:,} games of {' and '.join(seats)}: the same {result.num_deals:,} deals for everyone, each "
        "with every seating."
    )


def _row(place: int, standing: Standing, result: TournamentResult) -> str:
    share, lost = standing.win_share, sum(fault.games for fault in standing.faults)
    bar = (
        f'<span class="bar" aria-hidden="true" style="--low: {_place(share.low)}%; --high: {_place(share.high)}%; '
        f'--mean: {_place(share.mean)}%"></span>'
    )
    cells = [in_percent(share), bar, f"{standing.elo.mean:+,.0f}", f"{standing.points.mean:.1f}", f"{lost:,}"]
    # The bar is the only cell that is HTML already.
    shown = "".join(f"<td>{cell if cell is bar else escape(cell)}</td>" for cell in cells)
    return f'<tr><td>{place}</td><th scope="row">{escape(standing.label)}</th>{shown}</tr>'


def _pairs_of(k: int, standing: Standing, shares: Sequence[Estimate | None]) -> str:
    cells = "".join("<td></td>" if share is None else _share_cell(share) for share in shares)
    return f'<tr><td>{k + 1}</td><th scope="row">{escape(standing.label)}</th>{cells}</tr>'


def _share_cell(share: Estimate) -> str:
    kind = "won" if share.mean > 0.5 else "lost" if share.mean < 0.5 else "even"
    depth = abs(share.mean - 0.5)
    return f'<td class="{kind}" style="--depth: {depth:.3f}">{rounded(100 * share.mean)}</td>'


def _lines(left_out: Mapping[str, str]) -> Iterable[str]:
    return (f"{name}: {why}" for name, why in left_out.items())


def _section(title: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>\n" for line in lines)
    return f"<section><h2>{title}</h2>\n<ul>\n{items}</ul></section>\n" if items else ""


def _place(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.2f}"
