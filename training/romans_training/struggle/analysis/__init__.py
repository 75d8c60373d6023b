"""Statistics of games of Struggle for Rome between agents.

`played_games` plays duplicate deals, `statistics_of` counts what happened in them, `figure_of` draws it.
"""

from romans_training.struggle.analysis.figure import figure_of
from romans_training.struggle.analysis.played_games import AGENTS, ENDS, PlayedGame, PlayedSeat, played_games
from romans_training.struggle.analysis.statistics import ProvinceStatistics, Statistics, statistics_of

__all__ = [
    "AGENTS",
    "ENDS",
    "PlayedGame",
    "PlayedSeat",
    "ProvinceStatistics",
    "Statistics",
    "figure_of",
    "played_games",
    "statistics_of",
]
