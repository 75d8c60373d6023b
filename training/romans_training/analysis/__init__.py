"""What a policy does, whatever the game: questions about its decisions, each answered by a table and a figure.

`played` plays duplicate deals and keeps every decision, with what its seat could know; the other functions ask about
such games, one of them, or one view. An agent is whatever `agent_of` takes. docs/measuring/analysis.md has a picture
of each.
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
