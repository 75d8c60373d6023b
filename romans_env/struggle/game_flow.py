"""The order of play: which stage follows which, and who is asked (STRUGGLE 2.5, 8.1).

`open_decision`, `choose` and `answer` are the whole rulebook; `apply` plays an action and runs on to the next decision
with two legal actions or more, to the next chance event, or to the end.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle.actions import forbid_all, has_choice, only_action
from romans_env.struggle.building import add_bought_card, add_exchanged_card, choose_build, open_build
from romans_env.struggle.chance import count_event, draw_outcome
from romans_env.struggle.dice import add_die, add_due_card
from romans_env.struggle.legionnaire import choose_legion, choose_rob, open_legion, open_rob, steal_card
from romans_env.struggle.moving import choose_fare, open_fare
from romans_env.struggle.opening import deal_pasture_card
from romans_env.struggle.plundering import add_looted_card, add_looted_pasture, reveal
from romans_env.struggle.state import (
    FIRST_DECISION,
    STAGE_ANSWER,
    STAGE_BANK_PASTURE,
    STAGE_BUILD,
    STAGE_BUY_CARD,
    STAGE_COUNTER,
    STAGE_DICE,
    STAGE_LEGION,
    STAGE_LOOT_CARD,
    STAGE_LOOT_PASTURE,
    STAGE_OVER,
    STAGE_PRODUCE,
    STAGE_REST_PASTURE,
    STAGE_ROB,
    STAGE_THEFT,
    STAGE_TRIBE,
)
from romans_env.struggle.trade import choose_answer, open_answer
from romans_env.struggle.tribes import add_rested_card, choose_tribe, open_tribe


@jitted
def open_decision(state):
    """Put the legal actions of the decision that comes next into the record (STRUGGLE 8.1)."""
    forbid_all(state)
    stage = state.stage
    if stage == STAGE_BUILD:
        open_build(state)
    elif stage == STAGE_TRIBE:
        open_tribe(state)
    elif stage == STAGE_ANSWER:
        open_answer(state)
    elif stage == STAGE_LEGION:
        open_legion(state)
    elif stage == STAGE_ROB:
        open_rob(state)
    else:
        open_fare(state)


@jitted
def choose(state, action):
    """Do what the deciding seat chose; the action must be legal."""
    stage = state.stage
    if stage == STAGE_BUILD:
        choose_build(state, action)
    elif stage == STAGE_TRIBE:
        choose_tribe(state, action)
    elif stage == STAGE_ANSWER:
        choose_answer(state, action)
    elif stage == STAGE_LEGION:
        choose_legion(state, action)
    elif stage == STAGE_ROB:
        choose_rob(state, action)
    else:
        choose_fare(state, action)


@jitted
def run_on(state):
    """Play on to the next decision with two legal actions or more (STRUGGLE 2.5), to a chance event, or to the end."""
    while FIRST_DECISION <= state.stage < STAGE_OVER:
        open_decision(state)
        if has_choice(state):
            return
        choose(state, only_action(state))
    forbid_all(state)


@jitted
def apply(state, action):
    """Play an action, which must be legal, and run on."""
    choose(state, action)
    run_on(state)


@inlined
def answer(state, outcome):
    """Play the outcome of a chance event: a die's value, or the place of a card or counter among its names."""
    count_event(state)
    stage = state.stage
    if stage == STAGE_DICE:
        add_die(state, outcome)
    elif stage == STAGE_PRODUCE:
        add_due_card(state, outcome)
    elif stage == STAGE_THEFT:
        steal_card(state, outcome)
    elif stage == STAGE_COUNTER:
        reveal(state, outcome)
    elif stage == STAGE_BUY_CARD:
        add_bought_card(state, outcome)
    elif stage == STAGE_LOOT_CARD:
        add_looted_card(state, outcome)
    elif stage == STAGE_LOOT_PASTURE:
        add_looted_pasture(state, outcome)
    elif stage == STAGE_REST_PASTURE:
        add_rested_card(state, outcome)
    elif stage == STAGE_BANK_PASTURE:
        add_exchanged_card(state, outcome)
    else:
        deal_pasture_card(state, outcome)


@jitted
def apply_outcome(state, outcome):
    """Play the outcome of a chance event, and run on."""
    answer(state, outcome)
    run_on(state)


@jitted
def settle(state, words, k):
    """Draw the chance events that come next from ``words[k]``, and run on."""
    while state.stage < FIRST_DECISION:
        apply_outcome(state, draw_outcome(state, words, k))


@inlined
def forced_action(state):
    """Put the next decision's legal actions into the record; return the only one, or -1 if there are more."""
    open_decision(state)
    return np.int64(-1) if has_choice(state) else only_action(state)


@inlined
def comes_next(state):
    """Return the seat that decides, or GAME_OVER or CHANCE of `romans_env.protocol` (STRUGGLE 2.1)."""
    if state.stage == STAGE_OVER:
        return np.int64(-1)
    if state.stage < FIRST_DECISION:
        return np.int64(-2)
    return np.int64(state.seat)
