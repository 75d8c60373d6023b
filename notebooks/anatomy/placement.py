"""Where along the wall warriors are laid (RULES 3.1), by slot and by the fort of the slot."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from notebooks.anatomy import drawing
from notebooks.anatomy.analysis_result import AnalysisResult, table_of
from notebooks.anatomy.plans import plans_of
from notebooks.anatomy.sampling import PlayedGames
from romans_env.romans_go_home.material import FORTS, NONE, NUM_WARRIORS, WARRIORS

BY = ("slot", "fort")


def _figure(result: AnalysisResult) -> Figure:
    by = "slot" if "slot" in result.frame else "fort"
    agents, places = list(dict.fromkeys(result.frame["agent"])), list(dict.fromkeys(result.frame[by]))
    shares = result.frame["share"].to_numpy().reshape(len(agents), len(places), NUM_WARRIORS)
    title = f"Which warrior is laid where: {result.sample}"
    if by == "slot":
        width = 1.0 + len(agents) * (0.9 + 0.42 * len(places))
        figure, panels = drawing.new_figure(title, max(width, 6.0), 4.2, len(agents), sharey=True)
    else:
        # Kinds of fort are many and their names long: side by side, the letters would be too small to read on a page.
        height = 1.2 + 2.9 * len(agents)
        figure, panels = drawing.new_figure(title, 7.4, height, len(agents), stacked=True, sharex=True)
    for panel, agent, of_agent in zip(panels, agents, shares, strict=True):
        drawing.draw_shares(panel, of_agent.T, [str(place) for place in places], np.nanmax(shares))
        panel.set_title(drawing.label_of(agent), fontsize=9)
        if by == "fort":
            panel.tick_params(axis="x", labelrotation=60)
    axis = "slot of the wall" if by == "slot" else "fort of the slot"
    figure.supxlabel(f"{axis} (columns add up to 100 %)", fontsize=9)
    return figure


def placement(games: PlayedGames, by: str = "slot") -> AnalysisResult:
    """Which warriors are laid at which slot, or before which kind of fort.

    Plans are counted as they were laid; what Zvord changes later is in `reordering`. The
    columns of the table, with a row for each agent, place and warrior, are: ``agent``, ``slot`` (1 to 6) or ``fort``,
    ``warrior``, ``times``, ``share`` of the warriors laid in that place (over the warriors it adds up to 1; nan where
    none was).

    Args:
        games: the games.
        by: ``"slot"`` or ``"fort"``.

    Raises:
        ValueError: another ``by``.
    """
    if by not in BY:
        raise ValueError(f"by is {' or '.join(map(repr, BY))}, not {by!r}")
    plans = plans_of(games)
    size = games.rules.setup.line_size
    places = [str(slot + 1) for slot in range(size)] if by == "slot" else FORTS
    at = np.broadcast_to(np.arange(size), plans.line[:, :size].shape) if by == "slot" else plans.wall[:, :size]
    counts = np.zeros((len(games.labels), len(places), NUM_WARRIORS), dtype=np.int64)
    line = plans.line[:, :size]
    assert (line != NONE).all()
    np.add.at(counts, (np.broadcast_to(plans.agent[:, None], line.shape), at, line), 1)
    rows = []
    for k, label in enumerate(games.labels):
        for place, name in enumerate(places):
            total = int(counts[k, place].sum())
            for warrior in range(NUM_WARRIORS):
                times = int(counts[k, place, warrior])
                share = times / total if total else np.nan
                rows.append((label, int(name) if by == "slot" else name, WARRIORS[warrior], times, share))
    frame = table_of(rows, ["agent", by, "warrior", "times", "share"])
    return AnalysisResult(frame, f"{games.sample}, n = {len(plans.game):,} plans", _figure)
