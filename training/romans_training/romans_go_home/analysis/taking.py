"""How Dru'hid is used: the forts a player takes that may take any (RULES 4.7)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from romans_env.romans_go_home.actions import TAKE
from romans_env.romans_go_home.cards import FORTS, NONE, POINTS
from romans_training.intervals import rate_in_clusters
from romans_training.romans_go_home.analysis import drawing
from romans_training.romans_go_home.analysis.data_frames import pandas
from romans_training.romans_go_home.analysis.finding import Finding
from romans_training.romans_go_home.analysis.sampling import PlayedGames


class Takes(Finding):
    """What `takes` found."""

    def figure(self) -> Figure:
        agents = self.frame["agent"].cat.categories.tolist()
        figure, (axes, means) = drawing.new_figure(
            f"Which fort Dru'hid takes: {self.basis}", 9.0, 4.6, 2, width_ratios=[1.6, 1]
        )
        estimates = np.full((len(FORTS), len(agents), 3), np.nan)
        means_of = np.full((2, len(agents), 3), np.nan)
        for k, agent in enumerate(agents):
            own = self.frame[self.frame["agent"] == agent]
            deals = own["deal"].to_numpy()
            for fort, name in enumerate(FORTS):
                there = own["wall"].str.split().map(lambda wall, name=name: name in wall).to_numpy(dtype=bool)
                if there.any():
                    estimates[fort, k] = rate_in_clusters((own["taken"] == name).to_numpy()[there], deals[there])
            if len(own):
                for row, column in enumerate(("is_best", "is_this_turns")):
                    means_of[row, k] = rate_in_clusters(own[column].to_numpy(), deals)
        labels = [f"{agent}, n = {np.count_nonzero(self.frame['agent'] == agent):,}" for agent in agents]
        drawing.draw_estimates(axes, FORTS, labels, estimates, scale=100)
        axes.set_xlim(0, 100)
        axes.set_xlabel("taken when it lay in the wall, % of choices, with 95 % intervals", fontsize=9)
        drawing.draw_estimates(means, ["most points", "this turn's\nslot"], labels, means_of, scale=100)
        means.set_xlim(0, 100)
        means.set_xlabel("% of choices", fontsize=9)
        drawing.legend_below(figure, axes)
        return figure


def takes(games: PlayedGames) -> Takes:
    """Every capture with Dru'hid at which more than one fort lay in the wall.

    The columns of the table, a row for each choice: ``game``, ``step``, ``deal``, ``round``, ``turn``, ``agent`` (a
    category), ``wall`` (forts still in it, this turn's first; a text with spaces between the names), ``taken``,
    ``slot`` (1 to 6), ``points`` of the fort taken, ``points_of_this_turns``, ``is_best`` (no fort of the wall has more
    points), ``is_this_turns`` (taken from this turn's slot).

    Args:
        games: games that were played.
    """
    rows = []
    for row in games.of_kind("take").tolist():
        view, game = games.views[row], int(games.game[row])
        wall, turn, slot = view["wall"], int(view["turn"]), int(games.action[row]) - TAKE
        there = wall[wall != NONE]
        taken = wall[slot]
        rows.append(
            (
                *(game, int(games.step[row]), int(games.deal[game]), int(view["round_index"]) + 1, turn),
                *(games.labels[games.agent[row]], " ".join(FORTS[fort] for fort in there), FORTS[taken], slot + 1),
                *(int(POINTS[taken]), int(POINTS[wall[turn - 1]])),
                *(bool(POINTS[taken] == POINTS[there].max()), slot + 1 == turn),
            )
        )
    columns = ["game", "step", "deal", "round", "turn", "agent", "wall", "taken", "slot", "points"]
    frame = pandas().DataFrame(rows, columns=[*columns, "points_of_this_turns", "is_best", "is_this_turns"])
    frame["agent"] = pandas().Categorical(frame["agent"], categories=games.labels)
    return Takes(frame, f"{games.basis}, n = {len(frame):,} choices")
