"""Draws the pictures of docs/research/analysis.md: ``legate-1`` beside ``schemer``, the strongest scripted player."""

from __future__ import annotations

from pathlib import Path

from notebooks.anatomy import AnalysisResult, agreement, compared, placement, played_games, set_aside
from romans_env import Table
from romans_training.figures import save_figure

FOLDER = Path(__file__).resolve().parent
AGENTS, TABLE, DEALS = ("legate-1", "schemer"), Table(2, 1), 200


def pictures() -> dict[str, AnalysisResult]:
    """The results that are drawn, by name of the file."""
    games = played_games(AGENTS, TABLE, DEALS)
    return {
        "analysis-set-aside.png": set_aside(games),
        "analysis-placement.png": placement(games, by="fort"),
        "analysis-agreement.png": agreement(compared(*AGENTS, games)),
    }


if __name__ == "__main__":
    for name, result in pictures().items():
        save_figure(result.figure(), FOLDER / name, dpi=110)
