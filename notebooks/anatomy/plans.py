"""The plans of rounds: what was set aside, and which warrior was laid where. Analyses of planning count them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from notebooks.anatomy.sampling import PlayedGames
from romans_env.romans_go_home.actions import DISCARD, PLACE
from romans_env.romans_go_home.material import LINE_SIZE, MAX_CLANS, NONE, NUM_ROUNDS

Array = npt.NDArray[np.int64]


class Plans(NamedTuple):
    """Plans as they were laid, before any Zvord. Warriors and forts are indices of the kinds in
    `romans_env.romans_go_home.material`.

    Attributes:
        game: shape (plans,).
        round_index: from 0, shape (plans,).
        seat: shape (plans,).
        agent: which of the games' agents it was, shape (plans,).
        deal: number of the deal, shape (plans,).
        hand: counts of what was dealt by kind, shape (plans, warriors).
        set_aside: shape (plans,).
        line: warriors by slot; NONE beyond the slots of a small table: shape (plans, 6).
        wall: forts by slot, likewise.
    """

    game: Array
    round_index: Array
    seat: Array
    agent: Array
    deal: Array
    hand: Array
    set_aside: Array
    line: Array
    wall: Array


def plans_of(games: PlayedGames) -> Plans:
    """All plans of the games in which there was a warrior to choose to set aside.

    That is all plans at a full table; at a small one a hand may be two of a kind and nothing else.
    """
    rows = games.of_kind("discard")
    views = games.views[rows]
    game, seat, round_index = games.game[rows], games.seat[rows], views["round_index"].astype(np.int64)
    hand = views["hand"][np.arange(rows.size), seat].astype(np.int64)
    set_aside = games.action[rows] - DISCARD
    line = np.full((rows.size, LINE_SIZE), NONE, dtype=np.int64)
    number = np.full((len(games.states), NUM_ROUNDS, MAX_CLANS), NONE, dtype=np.int64)
    number[game, round_index, seat] = np.arange(rows.size)
    placed = games.of_kind("place")
    views = games.views[placed]
    plan = number[games.game[placed], views["round_index"], games.seat[placed]]
    line[plan, views["slot"]] = games.action[placed] - PLACE
    left = hand.copy()
    left[np.arange(rows.size), set_aside] -= 1
    np.subtract.at(left, (plan, games.action[placed] - PLACE), 1)
    # What was laid without a choice is all of one kind (RULES 4.14).
    empty = (line == NONE) & (np.arange(LINE_SIZE) < games.rules.setup.line_size)
    line = np.where(empty, left.argmax(axis=1)[:, None], line)
    wall = games.views["wall"][rows].astype(np.int64)
    return Plans(game, round_index, seat, games.agent[rows], games.deal[game], hand, set_aside, line, wall)
