"""What a policy does, whatever the game: questions about its decisions, each answered by a table and a figure.

An agent is an agent spec, a policy file, a `torch.nn.Module`, a model of stable-baselines3 or an object (`agent_of`).
`played` plays duplicate deals and keeps every decision, with what its seat could know; the other functions ask about
such games, one of them, or one view, and give an `AnalysisResult`. docs/analysis.md has a picture of each.
"""

from romans_env.errors import needs_extra

with needs_extra("an analysis", "analysis"):
    from romans_training.analysis.drawing import AnalysisResult, means
    from romans_training.analysis.played_games import PlayedGames, played
    from romans_training.analysis.policies import agent_of
    from romans_training.analysis.questions import (
        Comparison,
        agreement,
        calibration,
        choices,
        compared,
        disagreements,
        values_along,
    )
    from romans_training.analysis.reviews import decision, losses, progress

__all__ = [
    "AnalysisResult", "Comparison", "PlayedGames", "agent_of", "agreement", "calibration", "choices", "compared",
    "decision", "disagreements", "losses", "means", "played", "progress", "values_along",
]  # fmt: skip
