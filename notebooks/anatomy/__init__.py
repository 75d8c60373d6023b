"""How a policy plays: questions about its decisions, each answered with a table and a picture (docs/analysis.md).

`played_games` plays duplicate deals and keeps every decision; each question is a function of such games. It
returns an `AnalysisResult`: ``.frame`` is a pandas table, ``.figure()`` a matplotlib figure.
"""

from notebooks.anatomy.analysis_result import AnalysisResult
from notebooks.anatomy.charming import charms
from notebooks.anatomy.comparing import Comparison, agreement, compared, disagreements
from notebooks.anatomy.fort_points import points_by_fort
from notebooks.anatomy.placement import placement
from notebooks.anatomy.reordering import reorders
from notebooks.anatomy.sampling import PlayedGames, played_games
from notebooks.anatomy.setting_aside import set_aside
from notebooks.anatomy.taking import takes
from notebooks.anatomy.values import value_along_game, value_by_turn

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
