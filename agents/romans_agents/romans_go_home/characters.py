"""The scripted players by number: how each arranges its warriors, and what it chooses where nothing is arranged.

`greedy` and the players that arrange by a rule do so from any slot on, for Zvord's order, too; `schemer` and `mixer`
evaluate whole plans, and arrange as `greedy` does where only a part is left.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.greedy import best_order
from romans_agents.romans_go_home.hoarder import save_up
from romans_agents.romans_go_home.legionary import march_on_legions
from romans_agents.romans_go_home.plans import gather, match_by_value
from romans_agents.romans_go_home.skirmisher import keep_out
from romans_agents.romans_go_home.tactics import tactical_action
from romans_env.engine.compiled import jitted
from romans_env.romans_go_home.actions import DISCARD, PLACE, REORDER
from romans_env.romans_go_home.cards import HAND_SIZE, NONE
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, PHASE_ZVORD

EXTERNAL, RANDOM, GREEDY, HOARDER, LEGIONARY, SKIRMISHER, MIXER, SCHEMER, QUICK_SCHEMER = range(9)
FIRST_WEIGHING = MIXER
"""Characters from this number on evaluate whole plans; what that takes is compiled apart, in `weighing`."""


@jitted
def arrange(character, state, seat, cards, num_cards, num_fixed, first):
    """Arrange ``cards`` in place from slot ``first`` on; the first ``num_fixed`` are left where they are."""
    if character == HOARDER:
        save_up(state, seat, cards[num_fixed:], num_cards - num_fixed, first + num_fixed)
    elif character == LEGIONARY:
        march_on_legions(state, seat, cards[num_fixed:], num_cards - num_fixed, first + num_fixed)
    elif character == SKIRMISHER:
        keep_out(state, seat, cards[num_fixed:], num_cards - num_fixed, first + num_fixed)
    else:
        best_order(state, seat, cards, num_cards, num_fixed, first)


@jitted
def planned_order(character, state, seat, order):
    """The seat's plan for the slots of the line and, after them in ``order``, the warrior to set aside.

    Once cards are laid, the plan is the one made at the start, if they agree with it; else the best way on from them.
    """
    start = np.int64(0)
    laid = np.int64(state.slot)
    count = gather(state, seat, order, start, laid)
    aside = state.set_aside[state.round_index, seat]
    if aside != NONE:
        order[count] = aside
        count += 1
    arrange(character, state, seat, order, count, start, start)
    agrees = aside == NONE or order[state.line_size] == aside
    for slot in range(laid):
        agrees = agrees and order[slot] == state.line[seat, slot]
    if not agrees:
        arrange(character, state, seat, order, gather(state, seat, order, start, laid), laid, start)


@jitted
def choose_reorder(character, state, seat):
    """Zvord's next slot (RULES 4.10); the order is made at the start and kept to, as a plan is."""
    order = np.empty(HAND_SIZE, dtype=np.int64)
    turn = np.int64(state.turn)
    laid = np.int64(state.slot) - turn
    count = gather(state, seat, order, turn, turn + laid)
    arrange(character, state, seat, order, count, np.int64(0), turn)
    agrees = True
    for k in range(laid):
        agrees = agrees and order[k] == state.line[seat, turn + k]
    if not agrees:
        count = gather(state, seat, order, turn, turn + laid)
        arrange(character, state, seat, order, count, laid, turn)
    return REORDER + order[laid]


@jitted
def scripted_action(character, state, seat):
    """What a character chooses for the deciding seat, from a record redacted for it."""
    phase = state.phase
    if phase in (PHASE_DISCARD, PHASE_PLACE):
        order = np.empty(HAND_SIZE, dtype=np.int64)
        planned_order(character, state, seat, order)
        if phase == PHASE_DISCARD:
            return DISCARD + order[state.line_size]
        return PLACE + order[state.slot]
    if phase == PHASE_ZVORD:
        return choose_reorder(character, state, seat)
    return tactical_action(state, seat)


@jitted
def choose_quickly(state, seat):
    """What a scripted player would choose in the attack, where rounds are played out: Zvord's order goes by value."""
    if state.phase != PHASE_ZVORD:
        return tactical_action(state, seat)
    cards = np.empty(HAND_SIZE, dtype=np.int64)
    slot = np.int64(state.slot)
    count = gather(state, seat, cards, slot, slot)
    match_by_value(state, seat, cards, count, slot)
    return REORDER + cards[0]
