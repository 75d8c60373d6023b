"""Scores of the legionnaire's places and of robberies (STRUGGLE 4.4), which aim at the leading opponents."""

from __future__ import annotations

import numpy as np

from romans_agents.struggle.places import write_yields
from romans_agents.struggle.styles import HARM, LEADER
from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle.actions import LEGION, ROB
from romans_env.struggle.dice import seats_at_hex
from romans_env.struggle.general import hand_size, seat_after
from romans_env.struggle.geography import land_of, num_hexes
from romans_env.struggle.state import State


@inlined
def weight_of_rival(state: State, rival, w):
    """Return the weight of an opponent's loss, which grows with its points."""
    return w[HARM] + w[LEADER] * float(state.points[rival])


@jitted
def worth_of_robbing(state: State, rival, w):
    """Return the worth of taking a card, or gold, from an opponent."""
    if hand_size(state, rival) == 0:
        return (0.5 if state.gold[rival] > 0 else 0.0) * (1.0 + 0.1 * weight_of_rival(state, rival, w))
    return 1.0 + 0.1 * weight_of_rival(state, rival, w) + 0.01 * float(hand_size(state, rival))


@jitted
def write_legion_scores(state: State, w, actions, count, scores):
    """Write the scores of the legal actions of `legion`, as `romans_agents.struggle.heuristics.write_scores` does."""
    seat = np.int64(state.active)
    yields = np.empty(num_hexes(land_of(state)))
    write_yields(state, w, yields)
    for k in range(count):
        place = actions[k] - LEGION
        seats = seats_at_hex(state, place)
        scores[k] = 0.0
        loot = 0.0
        for rival in range(state.num_players):
            if (seats >> np.int64(rival)) & np.int64(1) == 0:
                continue
            if rival == seat:
                scores[k] -= 3.0 * w[HARM] * yields[place]
            else:
                scores[k] += weight_of_rival(state, rival, w) * yields[place]
                loot = max(loot, worth_of_robbing(state, np.int64(rival), w))
        scores[k] += loot


@jitted
def write_rob_scores(state: State, w, actions, count, scores):
    """Write the scores of the legal actions of `rob`, as `romans_agents.struggle.heuristics.write_scores` does."""
    for k in range(count):
        scores[k] = worth_of_robbing(state, seat_after(state, state.active, actions[k] - ROB + 1), w)
