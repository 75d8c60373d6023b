"""The order of play: which phase follows which, and who is asked (ROMA 2.4, 8.1).

`open_decision`, `choose` and `apply_outcome` are the whole rulebook; `apply` plays an action and runs on to the next
decision with two legal actions or more, to the next chance event, or to the end.
"""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined, jitted
from romans_env.roma.actions import ACTIVATE, DRAW, END, MONEY, forbid_all, has_choice, only_action
from romans_env.roma.activation import activate, activations, choose_copy, open_copy
from romans_env.roma.battles import choose_centurio_die, end_battle, open_centurio_die
from romans_env.roma.chance import draw_outcome
from romans_env.roma.dice import choose_consul_die, choose_sign, open_consul_die, open_sign
from romans_env.roma.material import CENTURIO, CONSUL, NONE, SCAENICUS
from romans_env.roma.moving import (
    choose_lay_again,
    choose_lay_from_hand,
    choose_pick_up,
    lays_from_hand,
    open_lay_again,
    open_lay_from_hand,
    open_pick_up,
)
from romans_env.roma.opening import choose_give, choose_lay_face_down, deal_card, open_give, open_lay_face_down
from romans_env.roma.points import choose_buy, choose_forum_die, open_buy, open_forum_die
from romans_env.roma.removing import choose_rival, open_rival
from romans_env.roma.state import (
    FIRST_DECISION,
    PHASE_BATTLE,
    PHASE_DEAL,
    PHASE_DICE,
    PHASE_DIE,
    PHASE_GIVE,
    PHASE_KEEP,
    PHASE_LAY,
    PHASE_MAIN,
    PHASE_OVER,
    PHASE_OWN,
    PHASE_RIVAL,
    PHASE_SIGN,
    PHASE_TAKE,
    PHASE_TRIPLE,
)
from romans_env.roma.taking import choose_take, open_take
from romans_env.roma.turn import (
    add_die,
    buy_card,
    choose_keep,
    choose_triple,
    draw_card,
    end_turn,
    open_keep,
    open_main,
    open_triple,
    use_for_cards,
    use_for_money,
)


@jitted
def open_decision(state):
    """Put the legal actions of the decision that comes next into the record (ROMA 8.1)."""
    forbid_all(state)
    phase = state.phase
    if phase == PHASE_MAIN:
        open_main(state, activations(state))
    elif phase == PHASE_GIVE:
        open_give(state)
    elif phase == PHASE_LAY:
        if state.effect == NONE:
            open_lay_face_down(state)
        elif lays_from_hand(state.effect):
            open_lay_from_hand(state)
        else:
            open_lay_again(state)
    elif phase == PHASE_TRIPLE:
        open_triple(state)
    elif phase == PHASE_KEEP:
        open_keep(state)
    elif phase == PHASE_TAKE:
        open_take(state)
    elif phase == PHASE_OWN:
        if state.effect == SCAENICUS:
            open_copy(state)
        else:
            open_pick_up(state)
    elif phase == PHASE_RIVAL:
        open_rival(state)
    elif phase == PHASE_DIE:
        if state.effect == CENTURIO:
            open_centurio_die(state)
        elif state.effect == CONSUL:
            open_consul_die(state)
        else:
            open_forum_die(state)
    elif phase == PHASE_SIGN:
        open_sign(state)
    else:
        open_buy(state)


@jitted
def choose(state, action):
    """Do what the deciding seat chose; the action must be legal."""
    phase = state.phase
    if phase == PHASE_MAIN:
        choose_main(state, action)
    elif phase == PHASE_GIVE:
        choose_give(state, action)
    elif phase == PHASE_LAY:
        if state.effect == NONE:
            choose_lay_face_down(state, action)
        elif lays_from_hand(state.effect):
            choose_lay_from_hand(state, action)
        else:
            choose_lay_again(state, action)
    elif phase == PHASE_TRIPLE:
        choose_triple(state, action)
    elif phase == PHASE_KEEP:
        choose_keep(state, action)
    elif phase == PHASE_TAKE:
        choose_take(state, action)
    elif phase == PHASE_OWN:
        if state.effect == SCAENICUS:
            choose_copy(state, action)
        else:
            choose_pick_up(state, action)
    elif phase == PHASE_RIVAL:
        choose_rival(state, action)
    elif phase == PHASE_DIE:
        if state.effect == CENTURIO:
            choose_centurio_die(state, action)
        elif state.effect == CONSUL:
            choose_consul_die(state, action)
        else:
            choose_forum_die(state, action)
    elif phase == PHASE_SIGN:
        choose_sign(state, action)
    else:
        choose_buy(state, action)


@inlined
def choose_main(state, action):
    """Carry out an action of phase 3 (ROMA 4.4)."""
    if action < MONEY:
        buy_card(state, action)
    elif action < DRAW:
        use_for_money(state, action - MONEY)
    elif action < ACTIVATE:
        use_for_cards(state, action - DRAW)
    elif action < END:
        activate(state, action - ACTIVATE)
    else:
        end_turn(state)


@jitted
def run_on(state):
    """Play on to the next decision with two legal actions or more (ROMA 2.4), to a chance event, or to the end."""
    while FIRST_DECISION <= state.phase < PHASE_OVER:
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
    """Play the outcome of a chance event, a die's value or a card."""
    phase = state.phase
    if phase == PHASE_DICE:
        add_die(state, outcome - 1)
    elif phase == PHASE_BATTLE:
        end_battle(state, outcome)
    elif phase == PHASE_DEAL:
        deal_card(state, outcome)
    else:
        draw_card(state, outcome)


@jitted
def apply_outcome(state, outcome):
    """Play the outcome of a chance event, a die's value or a card, and run on."""
    answer(state, outcome)
    run_on(state)


@jitted
def settle(state, words, k):
    """Draw the chance events that come next from ``words[k]``, and run on."""
    while state.phase < FIRST_DECISION:
        apply_outcome(state, draw_outcome(state, words, k))


@inlined
def forced_action(state):
    """Put the next decision's legal actions into the record; return the only one, or -1 if there are more."""
    open_decision(state)
    return np.int64(-1) if has_choice(state) else only_action(state)


@inlined
def comes_next(state):
    """Return the seat that decides, or GAME_OVER or CHANCE of `romans_env.protocol` (ROMA 2.1)."""
    if state.phase == PHASE_OVER:
        return np.int64(-1)
    if state.phase < FIRST_DECISION:
        return np.int64(-2)
    return np.int64(state.seat)
