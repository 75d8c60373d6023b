"""The scripted players: how each arranges its warriors, and how they make all other decisions.

`greedy` searches for the line with the highest expected score. Three players follow a rule: they give every fort a
value, and assign warriors to forts by strength.

- `hoarder` saves its strength for the most valuable fort of the wall. Before it lie its weakest warriors, which capture
  little, so that their strength stays face-up (RULES 4.11); Filchy, who never captures, lies first. The strongest
  warrior lies on the valuable fort; the remaining ones are arranged by value.
- `legionary` tries to capture three Legion forts, which win the game at once (RULES 5.4). While three are possible, its
  strongest warriors lie on Legion forts, and the others are arranged by value. When they are no longer possible, Legion
  forts only cost points, and it plays for the other forts.
- `skirmisher` avoids Legion forts, which have negative points (RULES 1.2), and plays Filchy on them: she cannot capture
  (4.4), and her strength stays face-up. She lies on the worst fort, the next weakest warrior on the next worst fort;
  the strong warriors fight for points.

`schemer` and `mixer` evaluate whole plans (`romans_agents.romans_go_home.plan_search`); when only a part of a plan is
left, they arrange it like `greedy`.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.greedy import best_order
from romans_agents.romans_go_home.heuristic_value import fort_value, legion_within_reach
from romans_agents.romans_go_home.heuristics import tactical_action
from romans_agents.romans_go_home.plans import gather, match_by_strength, match_by_value
from romans_env.compiling.decorators import inlined, jitted
from romans_env.romans_go_home.actions import DISCARD, PLACE, REORDER
from romans_env.romans_go_home.material import HAND_SIZE, LINE_SIZE, NONE, NUM_LEGION_KINDS, POINTS
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, PHASE_ZVORD, State

EXTERNAL, RANDOM, GREEDY, HOARDER, LEGIONARY, SKIRMISHER, MIXER, SCHEMER, QUICK_SCHEMER = range(9)
"""The codes of the players; those from MIXER on evaluate whole plans."""


@inlined
def arrange_by_rule(agent_code, state: State, seat, cards, num_cards, first):
    """Arrange ``cards`` in place, from slot ``first`` on, by the rule of `hoarder`, `legionary` or `skirmisher`."""
    values = np.empty(LINE_SIZE)
    target = first
    can_hold_three = np.int64(state.num_legion[seat]) + legion_within_reach(state) >= 3
    for slot in range(first, state.line_size):
        fort = state.wall[slot]
        if agent_code == SKIRMISHER:
            values[slot] = float(POINTS[fort]) if fort != NONE else 0.0
        else:
            values[slot] = fort_value(state, seat, fort)
        if agent_code == LEGIONARY and can_hold_three and fort != NONE and fort < NUM_LEGION_KINDS:
            values[slot] = 100.0
        if values[slot] >= values[target]:
            target = slot
    if agent_code == HOARDER:
        for slot in range(first, target):
            values[slot] = -100.0 + slot
    match_by_strength(cards, num_cards, values, first, state.line_size - first)


@jitted
def arrange(agent_code, state: State, seat, cards, num_cards, num_fixed, first):
    """Arrange ``cards`` in place, from slot ``first`` on; the first ``num_fixed`` cards keep their place."""
    if HOARDER <= agent_code <= SKIRMISHER:
        arrange_by_rule(agent_code, state, seat, cards[num_fixed:], num_cards - num_fixed, first + num_fixed)
    else:
        best_order(state, seat, cards, num_cards, num_fixed, first)


@jitted
def planned_order(agent_code, state: State, seat, order, first):
    """Write the seat's plan for the slots from ``first`` on and, in planning, the warrior set aside after them.

    If cards are already laid and agree with the plan that would have been made at the start, that plan is written;
    otherwise the best continuation. The same holds for Zvord's reordering (RULES 4.10).

    Args:
        agent_code: the code of the player.
        state: a record redacted for the seat.
        seat: the seat to act.
        order: written: int64, shape ``(HAND_SIZE,)``.
        first: the first slot.
    """
    slot = np.int64(state.slot)
    aside = NONE if state.phase == PHASE_ZVORD else state.set_aside[state.round_index, seat]
    count = gather(state, seat, order, first, slot)
    if aside != NONE:
        order[count] = aside
        count += 1
    arrange(agent_code, state, seat, order, count, np.int64(0), first)
    agrees = aside == NONE or order[state.line_size] == aside
    for k in range(slot - first):
        agrees = agrees and order[k] == state.line[seat, first + k]
    if not agrees:
        arrange(agent_code, state, seat, order, gather(state, seat, order, first, slot), slot - first, first)


@jitted
def scripted_action(agent_code, state: State, seat):
    """Return the action of a scripted player for the seat to act, from a record redacted for it."""
    phase = state.phase
    if phase not in (PHASE_DISCARD, PHASE_PLACE, PHASE_ZVORD):
        return tactical_action(state, seat)
    order = np.empty(HAND_SIZE, dtype=np.int64)
    first = np.int64(state.turn) if phase == PHASE_ZVORD else np.int64(0)
    planned_order(agent_code, state, seat, order, first)
    if phase == PHASE_DISCARD:
        return DISCARD + order[state.line_size]
    return (PLACE if phase == PHASE_PLACE else REORDER) + order[state.slot - first]


@jitted
def choose_quickly(state: State, seat):
    """Return a scripted action for the attack in rollouts; Zvord's reordering goes by the values of the forts."""
    if state.phase != PHASE_ZVORD:
        return tactical_action(state, seat)
    cards = np.empty(HAND_SIZE, dtype=np.int64)
    slot = np.int64(state.slot)
    count = gather(state, seat, cards, slot, slot)
    match_by_value(state, seat, cards, count, slot)
    return REORDER + cards[0]
