"""The game's `romans_env.engine.step_functions`; the functions that are imported from the rules are among them."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.engine.bits import lowest
from romans_env.engine.random_stream import WORDS, next_word
from romans_env.roma import actions, end, knowledge, material, observation
from romans_env.roma.chance import draw_outcome, event_key, event_of, num_copies
from romans_env.roma.determinization import determinize
from romans_env.roma.game_flow import answer, apply, apply_outcome, choose, comes_next, forced_action, settle
from romans_env.roma.observation import observe_everything
from romans_env.roma.opening import set_up as begin
from romans_env.roma.state import LEGAL_WORDS, PHASE_OVER


@inlined
def num_players(states):
    """See `StepFunctions.num_players`."""
    return material.NUM_SEATS


@inlined
def num_actions(states, i):
    """See `StepFunctions.num_actions`."""
    return actions.NUM_ACTIONS


@inlined
def start(states, i, deal_streams, words):
    """See `StepFunctions.start`."""
    for word in range(WORDS):
        words[i, word] = next_word(deal_streams, i)
    begin(states[i])
    settle(states[i], words, i)


@inlined
def act(states, i, action, words):
    """See `StepFunctions.act`."""
    apply(states[i], action)
    settle(states[i], words, i)


@inlined
def is_over(states, i):
    """See `StepFunctions.is_over`."""
    return states[i].phase == PHASE_OVER


@inlined
def seat_to_act(states, i):
    """See `StepFunctions.seat_to_act`."""
    return states[i].seat


@inlined
def is_legal(states, i, action):
    """See `StepFunctions.is_legal`."""
    return action >= 0 and action < actions.NUM_ACTIONS and actions.allows(states[i], action)


@inlined
def random_action(states, i, streams, row):
    """See `StepFunctions.random_action`."""
    return actions.random_action(states[i], streams, row)


@inlined
def legal_actions(states, i, out):
    """See `StepFunctions.legal_actions`."""
    count = 0
    for word in range(LEGAL_WORDS):
        bits = states[i].legal[word]
        while bits != 0:
            out[count] = actions.START[word] + lowest(bits)
            count += 1
            bits &= bits - 1
    return count


@inlined
def observe(states, i, seat, observations, row):
    """See `StepFunctions.observe`."""
    observation.observe(states[i], seat, observations, row)


@inlined
def write_mask(states, i, masks, row):
    """See `StepFunctions.write_mask`."""
    actions.write_mask(states[i], masks, row)


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
    return end.return_of(states[i], seat) >= 0.0
