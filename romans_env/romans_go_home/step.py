"""The game's `romans_env.engine.step_functions`; the functions that are imported from the rules are among them."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.romans_go_home import actions, chance, end, knowledge, observation
from romans_env.romans_go_home.determinization import determinize
from romans_env.romans_go_home.game_flow import apply, begin, choose, comes_next
from romans_env.romans_go_home.observation import observe_everything
from romans_env.romans_go_home.state import PHASE_GAME_OVER


@inlined
def num_players(states):
    """See `StepFunctions.num_players`."""
    return states[0].num_players


@inlined
def num_actions(states, i):
    """See `StepFunctions.num_actions`."""
    return actions.NUM_ACTIONS


@inlined
def start(states, i, deal_streams, words):
    """See `StepFunctions.start`."""
    # All chance is in the deal: the words are left alone.
    chance.draw_deal(states[i], deal_streams, i)
    begin(states[i])


@inlined
def act(states, i, action, words):
    """See `StepFunctions.act`."""
    apply(states[i], action)


@inlined
def is_over(states, i):
    """See `StepFunctions.is_over`."""
    return states[i].phase == PHASE_GAME_OVER


@inlined
def seat_to_act(states, i):
    """See `StepFunctions.seat_to_act`."""
    return states[i].seat


@inlined
def is_legal(states, i, action):
    """See `StepFunctions.is_legal`."""
    return action >= 0 and action < actions.NUM_ACTIONS and states[i].legal & actions.bit(action) != 0


@inlined
def random_action(states, i, streams, row):
    """See `StepFunctions.random_action`."""
    return actions.random_action(states[i].legal, streams, row)


@inlined
def legal_actions(states, i, out):
    """See `StepFunctions.legal_actions`."""
    legal = states[i].legal
    count = 0
    for action in range(actions.NUM_ACTIONS):
        if legal & actions.bit(action) != 0:
            out[count] = action
            count += 1
    return count


@inlined
def observe(states, i, seat, observations, row):
    """See `StepFunctions.observe`."""
    observation.observe(states[i], seat, observations, row)


@inlined
def write_mask(states, i, masks, row):
    """See `StepFunctions.write_mask`."""
    legal = states[i].legal
    for action in range(actions.NUM_ACTIONS):
        masks[row, action] = (legal >> np.int64(action)) & np.int64(1)


@inlined
def redact(states, i, seat):
    """See `StepFunctions.redact`."""
    knowledge.hide(states[i], seat)


@inlined
def points(states, i, seat):
    """See `StepFunctions.points`."""
    return states[i].points[seat]


@inlined
def game_return(states, i, seat):
    """See `StepFunctions.game_return`."""
    return end.return_of(states[i], seat)


@inlined
def is_winner(states, i, seat):
    """See `StepFunctions.is_winner`."""
    return (end.winners_of(states[i]) >> seat) & 1
