"""The order of play: which stage follows which, and which seat acts (STRUGGLE 2.5, 8.1).

`open_decision`, `choose` and `answer` dispatch to all the rules; `romans_env.engine.rule_steps` runs a game with them.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.struggle import building, dice, legionnaire, moving, opening, plundering, trade, tribes
from romans_env.struggle import state as game_state
from romans_env.struggle.actions import forbid_all
from romans_env.struggle.chance import count_event
from romans_env.struggle.state import State


@jitted
def open_decision(state: State):
    """Write the legal actions of the next decision into the record (STRUGGLE 8.1)."""
    forbid_all(state)
    stage = state.stage
    if stage == game_state.STAGE_BUILD:
        building.open_build(state)
    elif stage == game_state.STAGE_TRIBE:
        tribes.open_tribe(state)
    elif stage == game_state.STAGE_ANSWER:
        trade.open_answer(state)
    elif stage == game_state.STAGE_LEGION:
        legionnaire.open_legion(state)
    elif stage == game_state.STAGE_ROB:
        legionnaire.open_rob(state)
    else:
        moving.open_fare(state)


@jitted
def choose(state: State, action):
    """Play the action that the seat to act chose; it must be legal."""
    stage = state.stage
    if stage == game_state.STAGE_BUILD:
        building.choose_build(state, action)
    elif stage == game_state.STAGE_TRIBE:
        tribes.choose_tribe(state, action)
    elif stage == game_state.STAGE_ANSWER:
        trade.choose_answer(state, action)
    elif stage == game_state.STAGE_LEGION:
        legionnaire.choose_legion(state, action)
    elif stage == game_state.STAGE_ROB:
        legionnaire.choose_rob(state, action)
    else:
        moving.choose_fare(state, action)


@inlined
def answer(state: State, outcome):
    """Play the outcome of a chance event: the value of a die (1-6), or the index of a card or counter."""
    count_event(state)
    stage = state.stage
    if stage == game_state.STAGE_DICE:
        dice.add_die(state, outcome)
    elif stage == game_state.STAGE_PRODUCE:
        dice.add_due_card(state, outcome)
    elif stage == game_state.STAGE_THEFT:
        legionnaire.steal_card(state, outcome)
    elif stage == game_state.STAGE_COUNTER:
        plundering.reveal(state, outcome)
    elif stage == game_state.STAGE_BUY_CARD:
        building.add_bought_card(state, outcome)
    elif stage == game_state.STAGE_LOOT_CARD:
        plundering.add_looted_card(state, outcome)
    elif stage == game_state.STAGE_LOOT_PASTURE:
        plundering.add_looted_pasture(state, outcome)
    elif stage == game_state.STAGE_REST_PASTURE:
        tribes.add_rested_card(state, outcome)
    elif stage == game_state.STAGE_BANK_PASTURE:
        building.add_exchanged_card(state, outcome)
    else:
        opening.deal_pasture_card(state, outcome)


@inlined
def current_player(state: State):
    """Return the seat to act, or GAME_OVER or CHANCE of `romans_env.core.protocol` (STRUGGLE 2.1)."""
    if state.stage == game_state.STAGE_OVER:
        return np.int64(-1)
    if state.stage < game_state.FIRST_DECISION:
        return np.int64(-2)
    return np.int64(state.seat)


@inlined
def num_players(state: State):
    """Return the number of players."""
    return state.num_players
