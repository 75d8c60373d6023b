"""The compiled functions of one game that Python calls: a loop template (`romans_env.compiling.templates`).

``game`` are the game's step functions (`romans_env.engine.step_functions`). Each function takes an array of records,
``states``, shape ``(n,)``, and the index ``i`` of a game, as passing a single record would take three times as long.
Random streams and chance words are int64, shape ``(rows, 4)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_env.compiling.decorators import cached_jit
from romans_env.engine.chance import DIE, NUM_FACES

if TYPE_CHECKING:
    from romans_env.engine import rule_steps as game

CHANCE, ILLEGAL = np.int64(-2), np.int64(-3)
"""As in `romans_env.core.protocol`."""
IMPOSSIBLE = np.int64(-4)
"""Returned in place of the next seat: the outcome is impossible, and nothing changed."""


@cached_jit
def begin(states, i):
    """Begin a game, up to the first chance event."""
    game.begin(states[i])


@cached_jit
def start(states, i, streams, words):
    """Begin a game, with chance from ``streams[i]``, and play to the first decision; write ``words[i]``."""
    game.start(states, i, streams, words)


@cached_jit
def act(states, i, action):
    """Play an action.

    Returns:
        The next seat to act, CHANCE or GAME_OVER; ILLEGAL if the action is not legal, and nothing changes.
    """
    if not game.is_legal(states, i, action):
        return ILLEGAL
    game.apply(states[i], action)
    return game.current_player(states[i])


@cached_jit
def act_chance(states, i, event, outcome):
    """Play an outcome of a chance event of the kind ``event``.

    Returns:
        The next seat to act, CHANCE or GAME_OVER; IMPOSSIBLE if the event has no such outcome or is not the next one,
        and nothing changes.
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
    """Draw the outcome of the next chance event with ``words[k]``, and play it.

    Returns:
        The kind of the event, the outcome, and the next seat to act, CHANCE or GAME_OVER.
    """
    state = states[i]
    event, outcome = game.event_of(state), game.draw_outcome(state, words, k)
    game.apply_outcome(state, outcome)
    return event, outcome, game.current_player(state)


@cached_jit
def current_player(states, i):
    """Return the seat to act, CHANCE or GAME_OVER."""
    return game.current_player(states[i])


@cached_jit
def event_of(states, i):
    """Return the kind of the next chance event: DIE, DRAWN or a number from 1 on."""
    return game.event_of(states[i])


@cached_jit
def event_key(states, i):
    """Return the key of the next chance event, in [0, 2**62)."""
    return game.event_key(states[i])


@cached_jit
def draw_outcome(states, i, words, k):
    """Draw the outcome of the next chance event with ``words[k]``, without playing it."""
    return game.draw_outcome(states[i], words, k)


@cached_jit
def write_copies(states, i, out):
    """Write the weights of the next chance event's outcomes into ``out``, int64, shape ``(k,)``; not for dice."""
    state = states[i]
    event = game.event_of(state)
    for outcome in range(out.size):
        out[outcome] = game.num_copies(state, event, outcome)


@cached_jit
def choose(states, i, action):
    """Play a legal action, and nothing that follows it."""
    game.choose(states[i], action)


@cached_jit
def answer(states, i, outcome):
    """Play a possible outcome of the next chance event, and nothing that follows it."""
    game.answer(states[i], outcome)


@cached_jit
def only_legal_action(states, i):
    """Write the legal actions of the next decision into the record; return the action if there is only one, or -1."""
    return game.only_legal_action(states[i])


@cached_jit
def is_legal(states, i, action):
    """Return whether any integer is a legal action."""
    return game.is_legal(states, i, action)


@cached_jit
def legal_actions(states, i, out):
    """Write the legal actions, ascending, into ``out``, int64, shape ``(num_actions,)``; return their number."""
    return game.legal_actions(states, i, out)


@cached_jit
def redact(states, i, seat):
    """Overwrite everything that a seat may not know."""
    game.redact(states, i, seat)


@cached_jit
def determinize(states, view, target, seat, streams):
    """Sample a determinization of the private view ``states[view]`` of a seat into ``states[target]``.

    Random numbers come from ``streams[0]``, which advances.
    """
    game.determinize(states, view, target, seat, streams, 0)


@cached_jit
def observe(states, i, seat, observation, mask):
    """Write the observation and the action mask of a seat into two arrays.

    The mask is int8, all zeros if the seat is not to act. If it is shorter than the action space, only its entries are
    written; an empty one saves the time for the mask.
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
    """Write the full state into ``out[row]``: shape ``(rows, global_state_size)``."""
    game.observe_everything(states[i], out, row)


@cached_jit
def game_return(states, i, seat):
    """Return the return of a player, in [-1, 1]; the game must be over."""
    return game.game_return(states, i, seat)


@cached_jit
def is_winner(states, i, seat):
    """Return whether a seat has won; the game must be over."""
    return game.is_winner(states, i, seat)
