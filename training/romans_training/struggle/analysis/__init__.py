"""Statistics of games of Struggle for Rome between agents: ``python -m romans_training.struggle.analysis`` prints them.

`played_games` plays duplicate deals, `page_of` writes what they show, `figure_of` draws it.
"""

from romans_training.struggle.analysis.figure import figure_of
from romans_training.struggle.analysis.page import page_of
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
    "page_of",
    "played_games",
    "statistics_of",
]
