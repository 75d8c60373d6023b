"""How a policy plays: questions about its decisions, each answered with a table and a picture (docs/analysis.md).

`played_games` plays duplicate deals and keeps every decision; each question is a function of such games. It
returns an `AnalysisResult`: ``.frame`` is a pandas table, ``.figure()`` a matplotlib figure.
"""

from romans_training.romans_go_home.analysis.analysis_result import AnalysisResult
from romans_training.romans_go_home.analysis.charming import charms
from romans_training.romans_go_home.analysis.comparing import Comparison, agreement, compared, disagreements
from romans_training.romans_go_home.analysis.fort_points import points_by_fort
from romans_training.romans_go_home.analysis.placement import placement
from romans_training.romans_go_home.analysis.reordering import reorders
from romans_training.romans_go_home.analysis.sampling import PlayedGames, played_games
from romans_training.romans_go_home.analysis.setting_aside import set_aside
from romans_training.romans_go_home.analysis.taking import takes
from romans_training.romans_go_home.analysis.values import value_along_game, value_by_turn

__all__ = [
    "AnalysisResult",
    "Comparison",
    "PlayedGames",
    "agreement",
    "charms",
    "compared",
    "disagreements",
    "placement",
    "played_games",
    "points_by_fort",
    "reorders",
    "set_aside",
    "takes",
    "value_along_game",
    "value_by_turn",
]
