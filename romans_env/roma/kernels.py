"""The compiled functions for one game that Python calls, each over ``states[i]`` (an array and an index: passing a bare
record costs three times as much)."""

from __future__ import annotations

import numpy as np

from romans_env.engine.compiled import cached_jit
from romans_env.roma.actions import NUM_ACTIONS, allows, forbid_all, has_choice, only_action
from romans_env.roma.chance import draw_outcome, event_key, is_chance_next, is_die_next
from romans_env.roma.determinization import determinize
from romans_env.roma.game_flow import answer, apply, apply_outcome, choose, comes_next, open_decision
from romans_env.roma.knowledge import hide
from romans_env.roma.observation import observe, observe_everything
from romans_env.roma.opening import set_up
from romans_env.roma.state import PHASE_OVER

ILLEGAL = np.int64(-3)
"""`romans_env.protocol.ILLEGAL`."""
IMPOSSIBLE = np.int64(-4)
"""In place of who comes next: the outcome is impossible, and nothing changed."""


@cached_jit
def begin_game(states, i):
    """Start a game, up to its first chance event."""
    set_up(states[i])


@cached_jit
def act(states, i, action):
    """Play an action.

    Returns:
        Who comes next; ILLEGAL, and nothing changed, for an action that is not legal.
    """
    state = states[i]
    if action < 0 or action >= NUM_ACTIONS or not allows(state, action):
        return ILLEGAL
    apply(state, action)
    return comes_next(state)


@cached_jit
def act_chance(states, i, outcome, is_die):
    """Play the outcome of a chance event: a die's value from 1 to 6, or a card.

    Returns:
        Who comes next; IMPOSSIBLE, and nothing changed, for an outcome that the event does not have.
    """
    state = states[i]
    if not is_chance_next(state) or is_die != is_die_next(state) or (not is_die and state.pile[outcome] == 0):
        return IMPOSSIBLE
    apply_outcome(state, outcome)
    return comes_next(state)


@cached_jit
def act_only(states, i, action):
    """Play a legal action, and nothing that follows from it."""
    choose(states[i], action)


@cached_jit
def answer_only(states, i, outcome):
    """Play a possible outcome, a die's value from 1 to 6 or a card, and nothing that follows from it."""
    answer(states[i], outcome)


@cached_jit
def forced_action(states, i):
    """Put the legal actions of the decision that comes next into the record; the only one, or -1 if there are more."""
    state = states[i]
    open_decision(state)
    return np.int64(-1) if has_choice(state) else only_action(state)


@cached_jit
def draw_event(states, i, words, k):
    """The outcome of the chance event that comes next, from ``words[k]``: a card, or less than 0, a die's value."""
    state = states[i]
    outcome = draw_outcome(state, words, k)
    return -outcome if is_die_next(state) else outcome


@cached_jit
def is_die(states, i):
    """Whether the chance event that comes next is a die; otherwise it is a card."""
    return is_die_next(states[i])


@cached_jit
def chance_key(states, i):
    """The key of the chance event that comes next."""
    return event_key(states[i])


@cached_jit
def next_of(states, i):
    """Who comes next: a seat, GAME_OVER or CHANCE."""
    return comes_next(states[i])


@cached_jit
def end_game(states, i):
    """End the game where it is."""
    state = states[i]
    state.phase = PHASE_OVER
    forbid_all(state)


@cached_jit
def hide_from(states, i, seat):
    """Redact the record: overwrite all that the seat may not know."""
    hide(states[i], seat)


@cached_jit
def determinize_into(views, i, states, n, seat, streams, k):
    """Sample a determinization of ``views[i]``, redacted for ``seat``, from stream k, into ``states[n]``, a copy."""
    determinize(views[i], states[n], seat, streams, k)


@cached_jit
def observe_seat(states, i, seat, observation, mask):
    """Write what a seat may know, and what it may do now (nothing while it is not to act), into two vectors.

    The mask may be shorter than the action space, and is for who wants the observation alone: that much is written.
    """
    state = states[i]
    observe(state, seat, observation.reshape((1, observation.size)), 0)
    is_asked = state.seat == seat
    for action in range(mask.size):
        mask[action] = is_asked and allows(state, action)


@cached_jit
def observe_all(states, i, out, row):
    """Write the global state into ``out[row]``."""
    observe_everything(states[i], out, row)
