"""The compiled functions for one game that Python calls: a template of `romans_env.compiling.templates`.

``game`` is the game's `romans_env.engine.step_functions`. Each function takes an array of records and an index (passing
a bare record costs three times as much); those that say no more are the step functions of their names on ``states[i]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_env.compiling.decorators import cached_jit
from romans_env.engine.chance import DIE, NUM_FACES

if TYPE_CHECKING:
    from romans_env.engine import rule_steps as game

CHANCE, ILLEGAL = np.int64(-2), np.int64(-3)
"""Those of `romans_env.core.protocol`."""
IMPOSSIBLE = np.int64(-4)
"""In place of who comes next: the outcome is impossible, and nothing changed."""


@cached_jit
def begin(states, i):
    """See `StepFunctions.begin`."""
    game.begin(states[i])


@cached_jit
def start(states, i, streams, words):
    """See `StepFunctions.start`."""
    game.start(states, i, streams, words)


@cached_jit
def act(states, i, action):
    """Play an action.

    Returns:
        Who comes next; ILLEGAL, and nothing changed, for an action that is not legal.
    """
    if not game.is_legal(states, i, action):
        return ILLEGAL
    game.apply(states[i], action)
    return game.current_player(states[i])


@cached_jit
def act_chance(states, i, event, outcome):
    """Play the outcome of a chance event, of the kind ``event``.

    Returns:
        Who comes next; IMPOSSIBLE, and nothing changed, for an outcome that the event does not have, or where another
        kind of event comes next, or none.
    """
    state = states[i]
    if game.current_player(state) != CHANCE or event != game.event_of(state):
        return IMPOSSIBLE
    if event == DIE:
        if outcome < 1 or outcome > NUM_FACES:
            return IMPOSSIBLE
    elif game.num_copies(state, event, outcome) == 0:
        return IMPOSSIBLE
    game.apply_outcome(state, outcome)
    return game.current_player(state)


@cached_jit
def play_chance(states, i, words, k):
    """Draw the outcome of the chance event that comes next from ``words[k]``, and play it.

    Returns:
        The kind of the event, the outcome and who comes next.
    """
    state = states[i]
    event, outcome = game.event_of(state), game.draw_outcome(state, words, k)
    game.apply_outcome(state, outcome)
    return event, outcome, game.current_player(state)


@cached_jit
def current_player(states, i):
    """See `StepFunctions.current_player`."""
    return game.current_player(states[i])


@cached_jit
def event_of(states, i):
    """See `StepFunctions.event_of`."""
    return game.event_of(states[i])


@cached_jit
def event_key(states, i):
    """See `StepFunctions.event_key`."""
    return game.event_key(states[i])


@cached_jit
def draw_outcome(states, i, words, k):
    """See `StepFunctions.draw_outcome`."""
    return game.draw_outcome(states[i], words, k)


@cached_jit
def write_copies(states, i, out):
    """Write how many copies of each outcome the chance event that comes next has; not for a die."""
    state = states[i]
    event = game.event_of(state)
    for outcome in range(out.size):
        out[outcome] = game.num_copies(state, event, outcome)


@cached_jit
def choose(states, i, action):
    """See `StepFunctions.choose`."""
    game.choose(states[i], action)


@cached_jit
def answer(states, i, outcome):
    """See `StepFunctions.answer`."""
    game.answer(states[i], outcome)


@cached_jit
def only_legal_action(states, i):
    """See `StepFunctions.only_legal_action`."""
    return game.only_legal_action(states[i])


@cached_jit
def is_legal(states, i, action):
    """See `StepFunctions.is_legal`."""
    return game.is_legal(states, i, action)


@cached_jit
def legal_actions(states, i, out):
    """See `StepFunctions.legal_actions`."""
    return game.legal_actions(states, i, out)


@cached_jit
def redact(states, i, seat):
    """See `StepFunctions.redact`."""
    game.redact(states, i, seat)


@cached_jit
def determinize(states, view, target, seat, streams):
    """See `StepFunctions.determinize`."""
    game.determinize(states, view, target, seat, streams, 0)


@cached_jit
def observe(states, i, seat, observation, mask):
    """Write what a seat may know, and what it may do now (nothing while it is not to act), into two vectors.

    A mask shorter than the action space is filled as far as it goes; pass an empty one for the observation alone.
    """
    game.observe(states, i, seat, observation.reshape((1, observation.size)), 0)
    is_asked = game.seat_to_act(states, i) == seat
    if is_asked and mask.size == game.num_actions(states, i):
        game.write_mask(states, i, mask.reshape((1, mask.size)), 0)
    else:
        for action in range(mask.size):
            mask[action] = is_asked and game.is_legal(states, i, action)


@cached_jit
def observe_everything(states, i, out, row):
    """See `StepFunctions.observe_everything`."""
    game.observe_everything(states[i], out, row)


@cached_jit
def game_return(states, i, seat):
    """See `StepFunctions.game_return`."""
    return game.game_return(states, i, seat)


@cached_jit
def is_winner(states, i, seat):
    """See `StepFunctions.is_winner`."""
    return game.is_winner(states, i, seat)
