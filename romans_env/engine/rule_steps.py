"""The step functions of a game, made of the modules of its rules: a template (`romans_env.compiling.templates`).

A game's module ``step`` is this template, bound to the modules of the game's folder. A game whose chance events are
DRAWN has its own `begin`, `draw_outcome`, `start`, `act` and `resolve_chance`, and no module ``opening``.
`romans_env.engine.step_functions.StepFunctions` describes the functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.chance import DIE, NUM_FACES, event_below
from romans_env.engine.random_stream import WORDS, next_word

if TYPE_CHECKING:
    from romans_env.roma import (  # an example, so that editors can follow the calls
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
"""As in `romans_env.core.protocol`."""


# -- one decision, or one chance event


@inlined
def begin(state):
    opening.set_up(state)


@inlined
def choose(state, action):
    game_flow.choose(state, action)


@inlined
def answer(state, outcome):
    game_flow.answer(state, outcome)


@inlined
def current_player(state):
    return game_flow.current_player(state)


@inlined
def event_of(state):
    return chance.event_of(state)


@inlined
def event_key(state):
    return chance.event_key(state)


@inlined
def num_copies(state, event, outcome):
    return chance.num_copies(state, event, outcome)


# -- playing on


@inlined
def only_legal_action(state):
    if game_flow.current_player(state) < 0:
        actions.forbid_all(state)
        return np.int64(-1)
    game_flow.open_decision(state)
    return np.int64(-1) if actions.has_choice(state) else np.int64(actions.only_action(state))


@jitted
def apply(state, action):
    # One loop plays the chosen and the forced actions, so that the inlined rules are in the compiled code only once.
    while action >= 0:
        game_flow.choose(state, action)
        action = only_legal_action(state)


@jitted
def apply_outcome(state, outcome):
    game_flow.answer(state, outcome)
    action = only_legal_action(state)
    if action >= 0:
        apply(state, action)


@jitted
def resolve_chance(state, words, k):
    while game_flow.current_player(state) == CHANCE:
        apply_outcome(state, draw_outcome(state, words, k))


@inlined
def start(states, i, deal_streams, words):
    for word in range(WORDS):
        words[i, word] = next_word(deal_streams, i)
    opening.set_up(states[i])
    resolve_chance(states[i], words, i)


@inlined
def act(states, i, action, words):
    apply(states[i], action)
    resolve_chance(states[i], words, i)


@inlined
def draw_outcome(state, words, k):
    # It must draw the same outcome as `romans_env.core.base_rules.BaseRules.draw_outcome`.
    key, event = chance.event_key(state), chance.event_of(state)
    if event == DIE:
        return np.int64(event_below(words, k, key, np.int64(NUM_FACES))) + 1
    left = np.int64(event_below(words, k, key, chance.num_left(state, event)))
    for outcome in range(chance.MOST_OUTCOMES):
        left -= chance.num_copies(state, event, outcome)
        if left < 0:
            return np.int64(outcome)
    return np.int64(chance.MOST_OUTCOMES)  # unreachable: the weights of all outcomes sum to num_left


# -- one of many games


@inlined
def num_players(states):
    return game_flow.num_players(states[0])


@inlined
def is_over(states, i):
    return game_flow.current_player(states[i]) == GAME_OVER


@inlined
def seat_to_act(states, i):
    return states[i].seat


@inlined
def num_actions(states, i):
    return actions.num_actions(states[i])


@inlined
def is_legal(states, i, action):
    return action >= 0 and action < actions.num_actions(states[i]) and actions.allows(states[i], action)


@inlined
def random_action(states, i, streams, row):
    return actions.random_action(states[i], streams, row)


@inlined
def legal_actions(states, i, out):
    return actions.write_actions(states[i], out)


@inlined
def write_mask(states, i, masks, row):
    actions.write_mask(states[i], masks, row)


@inlined
def observe(states, i, seat, observations, row):
    observation.observe(states[i], seat, observations, row)


@inlined
def observe_everything(state, out, row):
    observation.observe_everything(state, out, row)


@inlined
def redact(states, i, seat):
    knowledge.hide(states[i], seat)


@inlined
def determinize(states, view, target, viewer, streams, row):
    determinization.determinize(states, view, target, viewer, streams, row)


@inlined
def points(states, i, seat):
    return states[i].points[seat]


@inlined
def game_return(states, i, seat):
    return end.return_of(states[i], seat)


@inlined
def is_winner(states, i, seat):
    return end.wins(states[i], seat)
