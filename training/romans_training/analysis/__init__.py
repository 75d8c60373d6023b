"""Analysis of policies in any game: questions about their decisions, each answered by a table and a figure.

`played` plays duplicate deals and keeps every decision with the seat's view; the other functions analyse such games, a
single game, or a single view. Agents are given as any object that `agent_of` accepts. docs/measuring/analysis.md has a
picture of each analysis.
"""

from romans_env.errors import needs_extra

with needs_extra("an analysis", "analysis"):
    # isort: off
    from romans_training.analysis.drawing import AnalysisResult, means
    from romans_agents import agent_of
    from romans_training.analysis.played_games import PlayedGames, played
    from romans_training.analysis.questions import (
        agreement,
        calibration,
        choices,
        compared,
        decision,
        disagreements,
        losses,
        progress,
        values_along,
    )

__all__ = [
    "AnalysisResult",
    "PlayedGames",
    "agent_of",
    "agreement",
    "calibration",
    "choices",
    "compared",
    "decision",
    "disagreements",
    "losses",
    "means",
    "played",
    "progress",
    "values_along",
]
