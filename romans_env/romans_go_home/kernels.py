"""The compiled functions for one game that Python calls, each over ``states[i]`` (an array and an index: passing a bare
record costs three times as much)."""

from __future__ import annotations

import numpy as np

from romans_env.engine.compiled import cached_jit
from romans_env.romans_go_home.actions import bit
from romans_env.romans_go_home.chance import draw_deal
from romans_env.romans_go_home.determinization import determinize
from romans_env.romans_go_home.end import return_of, winners_of
from romans_env.romans_go_home.game_flow import apply, begin, choose, play_phase
from romans_env.romans_go_home.knowledge import hide
from romans_env.romans_go_home.observation import observe, observe_everything
from romans_env.romans_go_home.planning import lay_wall

ILLEGAL = np.int64(-3)
"""`romans_env.protocol.ILLEGAL`."""


@cached_jit
def begin_game(states, i):
    """Start the game whose deal is in the record."""
    begin(states[i])


@cached_jit
def deal_game(states, i, streams):
    """Draw a deal from stream i and start the game."""
    draw_deal(states[i], streams, i)
    begin(states[i])


@cached_jit
def act(states, i, action):
    """Play an action.

    Returns:
        The seat that must decide next, NONE at the end; ILLEGAL, and nothing changed, for an action that is not legal.
    """
    state = states[i]
    if action < 0 or action > 62 or state.legal & bit(action) == 0:
        return ILLEGAL
    apply(state, action)
    return np.int64(state.seat)


@cached_jit
def act_only(states, i, action):
    """Do what the action says, without running on: for those who follow the game phase by phase."""
    choose(states[i], action)


@cached_jit
def next_phase(states, i):
    """Play one phase; the legal actions, as a bit set, when it stops at a decision."""
    return play_phase(states[i])


@cached_jit
def lay_wall_only(states, i):
    """Lay the wall of the record's round from its forts in drawing order: for those who list what can be dealt."""
    lay_wall(states[i])


@cached_jit
def hide_from(states, i, seat):
    """Redact the record: overwrite all that the seat may not know."""
    hide(states[i], seat)


@cached_jit
def determinize_into(views, i, states, n, seat, streams, k):
    """Sample a determinization of ``views[i]``, redacted for ``seat``, from stream k, into ``states[n]``."""
    determinize(views[i], states, n, seat, streams, k)


@cached_jit
def winner_bits(states, i):
    """The winning seats of a finished game, as bits."""
    return winners_of(states[i])


@cached_jit
def game_return(states, i, seat):
    """The return of a player of a finished game."""
    return return_of(states[i], seat)


@cached_jit
def observe_seat(states, i, seat, observation, mask):
    """Write what a seat may know, and what it may do now (nothing while it is not to act), into two int8 vectors.

    The mask may be shorter than the action space, and is for who wants the observation alone: that much is written.
    """
    state = states[i]
    observe(state, seat, observation.reshape((1, observation.size)), 0)
    legal = state.legal if state.seat == seat else np.int64(0)
    for action in range(mask.size):
        mask[action] = (legal >> np.int64(action)) & np.int64(1)


@cached_jit
def observe_all(states, i, out, row):
    """Write the global state into ``out[row]``."""
    observe_everything(states[i], out, row)
