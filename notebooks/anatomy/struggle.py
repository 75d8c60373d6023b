"""Routes and trades of Struggle for Rome.

Where cities are plundered and conquered (STRUGGLE 5.5 to 5.7), and which offers are made and accepted (5.2).
"""

from __future__ import annotations

import pandas as pd

from romans_env.struggle.board import Board
from romans_env.struggle.material import PROVINCES
from romans_training.analysis import AnalysisResult, PlayedGames, means
from romans_training.analysis.drawing import draw_means, new_figure
from romans_training.figures import styled

from .heat_maps import heat_maps


def routes(games: PlayedGames, what: str = "plunder") -> AnalysisResult:
    """Show in which provinces cities are plundered, or conquered (``what="conquer"``), by agent and third of the game.

    The table has a row for each agent and province, and a column for each third with the number of cities per seat and
    game.
    """
    board: Board = games.rules.setup.board
    province = {city.name: city.province for city in board.cities}
    frame = games.frame[games.frame["action"].str.startswith(f"{what}:")]
    frame = frame.assign(province=frame["action"].str.partition(":")[2].map(province))
    seats = games.frame.groupby("agent")[["game", "seat"]].apply(lambda own: len(own.drop_duplicates()))
    found = {
        agent: own.groupby(["province", "phase"]).size().unstack(fill_value=0).reindex(PROVINCES, fill_value=0)
        / seats[agent]
        for agent, own in frame.groupby("agent")
    }
    found = {agent: table.reindex(columns=[1, 2, 3], fill_value=0) for agent, table in found.items()}
    title = f"Where cities are {what}ed: {games.sample}, n = {len(frame):,} cities"
    label = "third of the game (cities of a hundred players)"
    return AnalysisResult(pd.concat(found, names=["agent"]), heat_maps(title, found, label, 2.6))


@styled
def trades(games: PlayedGames) -> AnalysisResult:
    """Show how often offers are accepted, by the agent that is asked and by the offer.

    The table has a row for each answer, with the columns of `PlayedGames.frame`, ``offer`` and ``accepted``.
    """
    offers = games.frame["action"].where(games.frame["action"].str.startswith("offer:")).ffill()
    answers = games.frame.assign(offer=offers, accepted=games.frame["action"] == "accept")[
        games.frame["kind"] == "answer"
    ]
    goods = answers["offer"].str.split(":", expand=True)[[1, 2]].set_axis(["given", "wanted"], axis=1)
    answers = answers.join(goods)
    figure, plots = new_figure(f"Which offers are taken: {games.sample}, n = {len(answers):,} answers", 9, 3.0, 2)
    for axes, by in zip(plots, ("agent", "given"), strict=True):
        draw_means(axes, means(answers.sort_values(by), [by], "accepted"), "accepted", by)
        axes.set(
            xlabel="offers taken (%)", ylabel={"agent": "who is asked", "given": "what is given"}[by], xlim=(-2, 102)
        )
    return AnalysisResult(answers, figure)
