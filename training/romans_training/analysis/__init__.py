"""What a policy does, whatever the game: questions about its decisions, each answered by a table and a figure.

An agent is an agent spec, a policy file, a `torch.nn.Module`, a model of stable-baselines3 or an object (`agent_of`).
`played` plays duplicate deals and keeps every decision, with what its seat could know; the other functions ask about
such games, one of them, or one view. Each gives an `AnalysisResult`: ``frame``, a table of pandas, and ``figure``, of
matplotlib. Intervals are 95 %, clustered by deal. docs/analysis.md has a picture of each.
"""

from romans_env.errors import needs_extra

with needs_extra("an analysis", "analysis"):
    from romans_training.analysis.drawing import AnalysisResult, means
    from romans_training.analysis.played_games import PlayedGames, played
    from romans_training.analysis.policies import agent_of
    from romans_training.analysis.questions import calibration, choices, values_along
    from romans_training.analysis.reviews import decision, losses
    from romans_training.analysis.snapshots import progress
    from romans_training.analysis.two_agents import Comparison, agreement, compared, disagreements

__all__ = [
    "AnalysisResult", "Comparison", "PlayedGames", "agent_of", "agreement", "calibration", "choices", "compared",
    "decision", "disagreements", "losses", "means", "played", "progress", "values_along",
]  # fmt: skip
