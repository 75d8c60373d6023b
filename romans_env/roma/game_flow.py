"""The order of play: which phase follows which, and which seat acts (ROMA 2.4, 8.1).

`open_decision`, `choose` and `answer` dispatch to all the rules; `romans_env.engine.rule_steps` runs a game with them.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.roma import activation, battles, dice, moving, opening, points, removing, taking, turn
from romans_env.roma import state as game_state
from romans_env.roma.actions import ACTIVATE, DRAW, END, MONEY, forbid_all
from romans_env.roma.material import CENTURIO, CONSUL, NONE, NUM_SEATS, SCAENICUS
from romans_env.roma.state import State


@jitted
def open_decision(state: State):
    """Write the legal actions of the next decision into the record (ROMA 8.1)."""
    forbid_all(state)
    phase = state.phase
    if phase == game_state.PHASE_MAIN:
        turn.open_main(state, activation.activations(state))
    elif phase == game_state.PHASE_GIVE:
        opening.open_give(state)
    elif phase == game_state.PHASE_LAY:
        if state.effect == NONE:
            opening.open_lay_face_down(state)
        elif moving.lays_from_hand(state.effect):
            moving.open_lay_from_hand(state)
        else:
            moving.open_lay_again(state)
    elif phase == game_state.PHASE_TRIPLE:
        turn.open_triple(state)
    elif phase == game_state.PHASE_KEEP:
        turn.open_keep(state)
    elif phase == game_state.PHASE_TAKE:
        taking.open_take(state)
    elif phase == game_state.PHASE_OWN:
        if state.effect == SCAENICUS:
            activation.open_copy(state)
        else:
            moving.open_pick_up(state)
    elif phase == game_state.PHASE_RIVAL:
        removing.open_rival(state)
    elif phase == game_state.PHASE_DIE:
        if state.effect == CENTURIO:
            battles.open_centurio_die(state)
        elif state.effect == CONSUL:
            dice.open_consul_die(state)
        else:
            points.open_forum_die(state)
    elif phase == game_state.PHASE_SIGN:
        dice.open_sign(state)
    else:
        points.open_buy(state)


@jitted
def choose(state: State, action):
    """Play the action that the seat to act chose; it must be legal."""
    phase = state.phase
    if phase == game_state.PHASE_MAIN:
        choose_main(state, action)
    elif phase == game_state.PHASE_GIVE:
        opening.choose_give(state, action)
    elif phase == game_state.PHASE_LAY:
        if state.effect == NONE:
            opening.choose_lay_face_down(state, action)
        elif moving.lays_from_hand(state.effect):
            moving.choose_lay_from_hand(state, action)
        else:
            moving.choose_lay_again(state, action)
    elif phase == game_state.PHASE_TRIPLE:
        turn.choose_triple(state, action)
    elif phase == game_state.PHASE_KEEP:
        turn.choose_keep(state, action)
    elif phase == game_state.PHASE_TAKE:
        taking.choose_take(state, action)
    elif phase == game_state.PHASE_OWN:
        if state.effect == SCAENICUS:
            activation.choose_copy(state, action)
        else:
            moving.choose_pick_up(state, action)
    elif phase == game_state.PHASE_RIVAL:
        removing.choose_rival(state, action)
    elif phase == game_state.PHASE_DIE:
        if state.effect == CENTURIO:
            battles.choose_centurio_die(state, action)
        elif state.effect == CONSUL:
            dice.choose_consul_die(state, action)
        else:
            points.choose_forum_die(state, action)
    elif phase == game_state.PHASE_SIGN:
        dice.choose_sign(state, action)
    else:
        points.choose_buy(state, action)


@inlined
def choose_main(state: State, action):
    """Play an action of phase 3 (ROMA 4.4)."""
    if action < MONEY:
        turn.buy_card(state, action)
    elif action < DRAW:
        turn.use_for_money(state, action - MONEY)
    elif action < ACTIVATE:
        turn.use_for_cards(state, action - DRAW)
    elif action < END:
        activation.activate(state, action - ACTIVATE)
    else:
        turn.end_turn(state)


@inlined
def answer(state: State, outcome):
    """Play the outcome of a chance event: the value of a die (1-6) or a card."""
    phase = state.phase
    if phase == game_state.PHASE_DICE:
        turn.add_die(state, outcome - 1)
    elif phase == game_state.PHASE_BATTLE:
        battles.end_battle(state, outcome)
    elif phase == game_state.PHASE_DEAL:
        opening.deal_card(state, outcome)
    else:
        turn.draw_card(state, outcome)


@inlined
def current_player(state: State):
    """Return the seat to act, or GAME_OVER or CHANCE of `romans_env.core.protocol` (ROMA 2.1)."""
    if state.phase == game_state.PHASE_OVER:
        return np.int64(-1)
    if state.phase < game_state.FIRST_DECISION:
        return np.int64(-2)
    return np.int64(state.seat)


@inlined
def num_players(state: State):
    """Return the number of players."""
    return NUM_SEATS
