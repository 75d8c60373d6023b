"""The compiled functions for one game that Python calls, each over ``states[i]`` (an array and an index: passing a bare
record costs three times as much)."""

from __future__ import annotations

import numpy as np

from romans_env.engine.compiled import cached_jit
from romans_env.struggle.actions import (
    allows,
    forbid_all,
    has_choice,
    num_actions,
    only_action,
    write_actions,
    write_mask,
)
from romans_env.struggle.chance import EVENT_DIE, draw_outcome, event_key, event_of, is_chance_next, num_copies
from romans_env.struggle.determinization import determinize
from romans_env.struggle.end import return_of, wins
from romans_env.struggle.game_flow import answer, apply, apply_outcome, choose, comes_next, open_decision
from romans_env.struggle.geography import land_of
from romans_env.struggle.knowledge import hide
from romans_env.struggle.material import NUM_FACES
from romans_env.struggle.observation import observe, observe_everything
from romans_env.struggle.opening import set_up
from romans_env.struggle.state import STAGE_OVER

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
    if action < 0 or action >= num_actions(land_of(state)) or not allows(state, action):
        return ILLEGAL
    apply(state, action)
    return comes_next(state)


@cached_jit
def act_chance(states, i, outcome, event):
    """Play the outcome of a chance event: a die's value from 1 to 6, or the place of a name among those of its event.

    Args:
        states: the records.
        i: the game.
        outcome: the outcome.
        event: the kind of event that has it.

    Returns:
        Who comes next; IMPOSSIBLE, and nothing changed, for an outcome that the event does not have.
    """
    state = states[i]
    if not is_chance_next(state) or event != event_of(state):
        return IMPOSSIBLE
    if event == EVENT_DIE:
        if outcome < 1 or outcome > NUM_FACES:
            return IMPOSSIBLE
    elif num_copies(state, event, outcome) == 0:
        return IMPOSSIBLE
    apply_outcome(state, outcome)
    return comes_next(state)


@cached_jit
def act_only(states, i, action):
    """Play a legal action, and nothing that follows from it."""
    choose(states[i], action)


@cached_jit
def answer_only(states, i, outcome):
    """Play a possible outcome, as for `act_chance`, and nothing that follows from it."""
    answer(states[i], outcome)


@cached_jit
def forced_action(states, i):
    """Put the legal actions of the decision that comes next into the record; the only one, or -1 if there are more."""
    state = states[i]
    open_decision(state)
    return np.int64(-1) if has_choice(state) else only_action(state)


@cached_jit
def draw_event(states, i, words, k):
    """The outcome of the chance event that comes next, from ``words[k]``."""
    return draw_outcome(states[i], words, k)


@cached_jit
def event_kind(states, i):
    """The kind of the chance event that comes next."""
    return event_of(states[i])


@cached_jit
def copies_of_outcome(states, i, outcome):
    """How many copies of a name can be drawn in the chance event that comes next, which is no die."""
    state = states[i]
    return num_copies(state, event_of(state), outcome)


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
    state.stage = STAGE_OVER
    forbid_all(state)


@cached_jit
def is_allowed(states, i, action):
    """Whether an action of the action space is legal."""
    return allows(states[i], action)


@cached_jit
def list_actions(states, i, out):
    """Write the ids of the legal actions into ``out``, ascending; how many there are."""
    return write_actions(states[i], out)


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
    if is_asked and mask.size == num_actions(land_of(state)):
        write_mask(state, mask.reshape((1, mask.size)), 0)
    else:
        for action in range(mask.size):
            mask[action] = is_asked and allows(state, action)


@cached_jit
def observe_all(states, i, out, row):
    """Write the global state into ``out[row]``."""
    observe_everything(states[i], out, row)


@cached_jit
def return_of_seat(states, i, seat):
    """The return of a seat, in a game that is over."""
    return return_of(states[i], seat)


@cached_jit
def is_winner(states, i, seat):
    """Whether nobody is ahead of a seat."""
    return wins(states[i], seat)
