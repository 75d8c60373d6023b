"""The step functions of a game, from its rules: a template of `romans_env.compiling.templates`.

Its parts are modules of the game's folder; the game's ``step`` is this template, bound to them. A game whose chance is
drawn, not listed, has `begin`, `draw_outcome`, `start`, `act` and `resolve_chance` of its own, and goes without
``opening``. Functions that say no more are those of `romans_env.engine.step_functions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.chance import DIE, NUM_FACES, event_below
from romans_env.engine.random_stream import WORDS, next_word

if TYPE_CHECKING:
    from romans_env.roma import (  # any game's; an editor follows these
        actions,
        chance,
        determinization,
        end,
        game_flow,
        knowledge,
        observation,
        opening,
    )

GAME_OVER, CHANCE = np.int64(-1), np.int64(-2)
"""Those of `romans_env.core.protocol`."""


# -- one decision, or one chance event


@inlined
def begin(state):
    """See `StepFunctions.begin`."""
    opening.set_up(state)


@inlined
def choose(state, action):
    """See `StepFunctions.choose`."""
    game_flow.choose(state, action)


@inlined
def answer(state, outcome):
    """See `StepFunctions.answer`."""
    game_flow.answer(state, outcome)


@inlined
def current_player(state):
    """See `StepFunctions.current_player`."""
    return game_flow.current_player(state)


@inlined
def event_of(state):
    """See `StepFunctions.event_of`."""
    return chance.event_of(state)


@inlined
def event_key(state):
    """See `StepFunctions.event_key`."""
    return chance.event_key(state)


@inlined
def num_copies(state, event, outcome):
    """See `StepFunctions.num_copies`."""
    return chance.num_copies(state, event, outcome)


# -- playing on


@inlined
def only_legal_action(state):
    """See `StepFunctions.only_legal_action`."""
    if game_flow.current_player(state) < 0:
        actions.forbid_all(state)
        return np.int64(-1)
    game_flow.open_decision(state)
    return np.int64(-1) if actions.has_choice(state) else np.int64(actions.only_action(state))


@jitted
def apply(state, action):
    """See `StepFunctions.apply`."""
    # One loop for what is chosen and what is forced: rules that are folded in are in it once.
    while action >= 0:
        game_flow.choose(state, action)
        action = only_legal_action(state)


@jitted
def apply_outcome(state, outcome):
    """See `StepFunctions.apply_outcome`."""
    game_flow.answer(state, outcome)
    action = only_legal_action(state)
    if action >= 0:
        apply(state, action)


@jitted
def resolve_chance(state, words, k):
    """See `StepFunctions.resolve_chance`."""
    while game_flow.current_player(state) == CHANCE:
        apply_outcome(state, draw_outcome(state, words, k))


@inlined
def start(states, i, deal_streams, words):
    """See `StepFunctions.start`."""
    for word in range(WORDS):
        words[i, word] = next_word(deal_streams, i)
    opening.set_up(states[i])
    resolve_chance(states[i], words, i)


@inlined
def act(states, i, action, words):
    """See `StepFunctions.act`."""
    apply(states[i], action)
    resolve_chance(states[i], words, i)


@inlined
def draw_outcome(state, words, k):
    """See `StepFunctions.draw_outcome`; it is the one that `romans_env.core.base_rules.BaseRules.draw_outcome` gives.

    ``words`` are chance words of games, shape (n, 4), of which row ``k`` is this game's.
    """
    key, event = chance.event_key(state), chance.event_of(state)
    if event == DIE:
        return np.int64(event_below(words, k, key, np.int64(NUM_FACES))) + 1
    left = np.int64(event_below(words, k, key, chance.num_left(state, event)))
    for outcome in range(chance.MOST_OUTCOMES):
        left -= chance.num_copies(state, event, outcome)
        if left < 0:
            return np.int64(outcome)
    return np.int64(chance.MOST_OUTCOMES)  # never: the copies of all outcomes are num_left


# -- one of many games


@inlined
def num_players(states):
    """See `StepFunctions.num_players`."""
    return game_flow.num_players(states[0])


@inlined
def is_over(states, i):
    """See `StepFunctions.is_over`."""
    return game_flow.current_player(states[i]) == GAME_OVER


@inlined
def seat_to_act(states, i):
    """See `StepFunctions.seat_to_act`."""
    return states[i].seat


@inlined
def num_actions(states, i):
    """See `StepFunctions.num_actions`."""
    return actions.num_actions(states[i])


@inlined
def is_legal(states, i, action):
    """See `StepFunctions.is_legal`."""
    return action >= 0 and action < actions.num_actions(states[i]) and actions.allows(states[i], action)


@inlined
def random_action(states, i, streams, row):
    """See `StepFunctions.random_action`."""
    return actions.random_action(states[i], streams, row)


@inlined
def legal_actions(states, i, out):
    """See `StepFunctions.legal_actions`."""
    return actions.write_actions(states[i], out)


@inlined
def write_mask(states, i, masks, row):
    """See `StepFunctions.write_mask`."""
    actions.write_mask(states[i], masks, row)


@inlined
def observe(states, i, seat, observations, row):
    """See `StepFunctions.observe`."""
    observation.observe(states[i], seat, observations, row)


@inlined
def observe_everything(state, out, row):
    """See `StepFunctions.observe_everything`."""
    observation.observe_everything(state, out, row)


@inlined
def redact(states, i, seat):
    """See `StepFunctions.redact`."""
    knowledge.hide(states[i], seat)


@inlined
def determinize(states, view, target, viewer, streams, row):
    """See `StepFunctions.determinize`."""
    determinization.determinize(states, view, target, viewer, streams, row)


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
    return end.wins(states[i], seat)
