"""Statistics of games of Roma between agents.

`played_games` plays duplicate deals, `statistics_of` counts what happened in them, `figure_of` draws it.
"""

from romans_training.roma.analysis.figure import discs_figure_of, figure_of
from romans_training.roma.analysis.played_games import ENDS, PlayedGame, played_games
from romans_training.roma.analysis.statistics import CardStatistics, Statistics, statistics_of

__all__ = [
    "ENDS",
    "CardStatistics",
    "PlayedGame",
    "Statistics",
    "discs_figure_of",
    "figure_of",
    "played_games",
    "statistics_of",
]
