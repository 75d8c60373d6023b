"""Cards that bring points: legat, mercator, tribunus, forum, mercatus (ROMA 6.3, 6.5, 6.15, 6.20, 6.21)."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.roma.actions import BUY, DIE, STOP, allow
from romans_env.roma.general import finish_effect, get_from_stock, has_dice, take_from_rival, use_die
from romans_env.roma.material import BASILICA, FORUM, NUM_DISCS, NUM_FACES, TEMPLUM
from romans_env.roma.state import State
from romans_env.roma.turn import num_free_discs


@inlined
def get_for_free_discs(state: State):
    """Carry out a legat: 1 point from the stock for each free disc of the rival (ROMA 6.3)."""
    get_from_stock(state, num_free_discs(state, 1 - state.seat))
    finish_effect(state)


@inlined
def take_points(state: State, points):
    """Carry out a tribunus or a mercatus: points from the rival (ROMA 6.15, 6.21)."""
    take_from_rival(state, points)
    finish_effect(state)


@inlined
def num_opposing_forums(state: State):
    """Return the number of the rival's forums (ROMA 6.21)."""
    forums = np.int64(0)
    for disc in range(NUM_DISCS):
        forums += np.int64(state.discs[1 - state.seat, disc] == FORUM)
    return forums


# -- mercator


@inlined
def open_buy(state: State):
    """Allow buying any number of points that the rival has and the player can pay for (ROMA 6.5)."""
    most = min(np.int64(state.points[1 - state.seat]), np.int64(state.money[state.seat]) // 2)
    for points in range(1, most + 1):
        allow(state, BUY + points - 1)


@inlined
def choose_buy(state: State, action):
    """Buy points from the rival (ROMA 6.5)."""
    points = action - BUY + 1
    state.money[state.seat] -= 2 * points
    state.money[1 - state.seat] += 2 * points
    take_points(state, points)


# -- forum


@inlined
def num_adjacent(state: State, kind):
    """Return the number of cards of a kind on the player's discs adjacent to d (ROMA 1.3)."""
    count = np.int64(0)
    if state.disc > 0:
        count += np.int64(state.discs[state.seat, state.disc - 1] == kind)
    if state.disc < NUM_DISCS - 1:
        count += np.int64(state.discs[state.seat, state.disc + 1] == kind)
    return count


@inlined
def open_forum_die(state: State):
    """Allow any unused die; for a templum also `stop` (ROMA 6.20)."""
    for face in range(NUM_FACES):
        if state.dice[face] > 0:
            allow(state, DIE + face)
    if state.effect == TEMPLUM:
        allow(state, STOP)


@inlined
def choose_forum_die(state: State, action):
    """Add up the points of the die, basilicas and a templum's second die, then pay them at once (ROMA 6.20)."""
    if action != STOP:
        use_die(state, action - DIE)
        state.value += action - DIE + 1
    if state.effect == FORUM:
        state.value += 2 * num_adjacent(state, BASILICA)
        if has_dice(state) and num_adjacent(state, TEMPLUM) > 0:
            state.effect = TEMPLUM
            return
    get_from_stock(state, state.value)
    finish_effect(state)
