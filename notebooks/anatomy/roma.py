"""Dice and discs of Roma: the use of dice (ROMA 4.4), and the discs at which cards are laid (3.3)."""

from __future__ import annotations

import pandas as pd

from romans_training.analysis import AnalysisResult, PlayedGames

from .heat_maps import heat_maps

USES = {"money": "sestertii", "cards": "cards", "activate": "a card's effect"}
"""The uses of a die, by the first part of the action's name."""


def _parts(games: PlayedGames) -> pd.DataFrame:
    """Return the decisions with the parts of their actions' names as columns ``what``, ``which`` and ``where``."""
    parts = games.frame["action"].str.split(":", expand=True).reindex(columns=range(3))
    return games.frame.join(parts.set_axis(["what", "which", "where"], axis=1))


def dice(games: PlayedGames) -> AnalysisResult:
    """Show how agents use dice, by the value of the die.

    The table has a row for each agent and use, and a column for each value with the share of the dice of that value.
    """
    frame = _parts(games)
    used = frame[(frame["kind"] == "main") & frame["what"].isin(list(USES))]
    counts = {
        agent: own.groupby(["what", "which"]).size().unstack(fill_value=0).reindex(USES).rename(index=USES)
        for agent, own in used.groupby("agent")
    }
    shares = {agent: one / one.sum() for agent, one in counts.items()}
    title = f"What dice are used for: {games.sample}, n = {len(used):,} dice"
    return AnalysisResult(
        pd.concat(shares, names=["agent"]), heat_maps(title, shares, "value (columns add up to 100 %)")
    )


def discs(games: PlayedGames) -> AnalysisResult:
    """Show at which discs agents lay each card; the cards laid most often come first.

    The table has a row for each agent and card, and a column for each disc with the share of times it is laid there.
    """
    frame = _parts(games)
    laid = frame[frame["what"] == "lay"]
    order = laid["which"].value_counts().index
    counts = {
        agent: own.groupby(["which", "where"]).size().unstack(fill_value=0).reindex(order)
        for agent, own in laid.groupby("agent")
    }
    shares = {agent: one.div(one.sum(axis=1), axis=0) for agent, one in counts.items()}
    title = f"Where cards are laid: {games.sample}, n = {len(laid):,} cards"
    label = "disc (rows add up to 100 %)"
    return AnalysisResult(pd.concat(shares, names=["agent"]), heat_maps(title, shares, label, 3.6))
