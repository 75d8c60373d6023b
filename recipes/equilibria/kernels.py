"""Compiled functions that compute the payoff matrix of all lines in a round between two players.

Two lines play in the same way until they differ, so all pairs of lines are traversed as a tree: a turn is played once
for all pairs that are the same up to it. The lines of a side are sorted, so that a node of the tree has one segment of
each side's lines. Where a seat's decision depends on its hidden warriors (`rounds.compiled.attack`), its segment is
split by the action. After Zvord's reordering (RULES 4.10), all lines with the same remaining warriors are one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.romans_go_home.heuristics import tactical_action
from romans_agents.romans_go_home.rounds.compiled.attack import (
    NETWORK_PHASES,
    SEEN_SIZE,
    AttackNetwork,
    choose_in_rollout,
)
from romans_agents.romans_go_home.rounds.compiled.record_loops import RoundNetworks
from romans_agents.romans_go_home.rounds.compiled.values import NUM_INPUTS, ValueNetwork, write_round_returns
from romans_env.compiling.decorators import cached_jit, inlined, jitted
from romans_env.romans_go_home.actions import holds_several, lowest
from romans_env.romans_go_home.attack import choose_zvord, open_zvord, reveal
from romans_env.romans_go_home.game_flow import choose, play_phase
from romans_env.romans_go_home.material import MAX_CLANS, NONE, NUM_WARRIORS, ZVORD
from romans_env.romans_go_home.state import (
    PHASE_GAME_OVER,
    PHASE_REVEAL,
    PHASE_TURN_END,
    PHASE_UNWARY,
    PHASE_ZVORD,
    STATE,
)

SCALE = 127.0
"""A return of 1 in the matrix."""
ROW_BITS, CARD_BITS = np.int64(15), np.int64(4)
ROWS = (np.int64(1) << ROW_BITS) - 1
CARDS = (np.int64(1) << CARD_BITS) - 1
MOST_LINES = 1 << ROW_BITS
"""Lines of a side: the number of a line has 15 bits."""
MOST_NODES = 512
"""Nodes that wait: of each turn at most one to be expanded, and some for what was decided in it."""
COPIES = 32
"""Room for lines: all of a side, and two copies for each of the decisions that need any."""
NUM_ENDS = 4096
"""Ends of the round whose values are remembered."""


def new_walk(root: npt.NDArray[Any], networks: RoundNetworks) -> npt.NDArray[Any]:
    """What a walk works with, in one record, shape (1,).

    It is a record because the compiler counts the references to arrays, which took a third of the time, and none to
    what is in a record.

    - ``states``: records of each node that waits, and one of scratch.
    - ``nodes``: segments of both sides, where scratch for lines begins, and for a node that is being expanded where it
      stands, or NONE.
    - ``lines``: entries of both sides: the number of a line, and above it its warriors by slot, the first highest.
    - ``ends``, ``values``: values of ends of the round that are remembered.
    - ``seen``, ``inputs``, ``returns``: scratch of `choose_in_rollout` and `write_round_returns`.
    - those of `AttackNetwork`, and with ``value_`` before the name of `ValueNetwork`.

    Args:
        root: a game between two players at the start of its round, shape (1,).
        networks: they are copied.
    """
    weights = {**networks.attack._asdict(), **{f"value_{name}": a for name, a in networks.values._asdict().items()}}
    fields: list[Any] = [
        ("states", STATE, (MOST_NODES + 1,)),
        ("nodes", np.int64, (MOST_NODES, 8)),
        ("lines", np.int64, (2, COPIES * MOST_LINES)),
        ("ends", np.int64, (NUM_ENDS,)),
        ("values", np.float64, (NUM_ENDS,)),
        ("returns", np.float64, (MAX_CLANS,)),
        # Whole words: the observation is hashed.
        ("seen", np.int8, (1, SEEN_SIZE)),
        ("inputs", np.float32, (MAX_CLANS, NUM_INPUTS)),
        *((name, array.dtype, array.shape) for name, array in weights.items()),
    ]
    walk = np.zeros(1, dtype=(np.record, np.dtype(fields, align=True)))
    for name, array in weights.items():
        walk[name][0] = array
    walk["states"][0, 0] = root[0]
    return walk


@inlined
def attack_network(walk):
    return AttackNetwork(
        walk.first, walk.first_bias, walk.second, walk.second_bias, walk.last, walk.last_bias, walk.remembered
    )


@inlined
def value_network(walk):
    return ValueNetwork(walk.value_first, walk.value_bias, walk.value_last)


FIRST, LAST, FREE, CURSOR = 0, 2, 4, 6
"""Columns of a node, the first of two each: one for each seat."""


@inlined
def shift_of(slot, line_size):
    """Where the warrior of a slot stands in an entry."""
    return ROW_BITS + CARD_BITS * np.int64(line_size - 1 - slot)


@inlined
def run_end(lines, seat, first, last, shift):
    """One past the entries that have the same warriors as the first, down to that of a slot."""
    same = lines[seat, first] >> shift
    end = first + 1
    while end < last and lines[seat, end] >> shift == same:
        end += 1
    return end


@inlined
def hide_line(state, seat, entry):
    """Put what is hidden of a line into the record, and the weakest of the warriors left over aside."""
    left = np.int64(0)
    for warrior in range(NUM_WARRIORS):
        left += np.int64(state.warriors[warrior]) << (CARD_BITS * warrior)
    for slot in range(state.line_size):
        warrior = (entry >> shift_of(slot, state.line_size)) & CARDS
        left -= np.int64(1) << (CARD_BITS * warrior)
        if slot >= state.turn:
            state.line[seat, slot] = warrior
    aside = 0
    while left & CARDS == 0:
        left >>= CARD_BITS
        aside += 1
    state.set_aside[state.round_index, seat] = aside


@inlined
def show_line(state, seat, entry):
    """Put the warrior that a seat reveals into the record; if it is Zvord, those after it, too."""
    here = state.turn - 1
    warrior = (entry >> shift_of(here, state.line_size)) & CARDS
    state.line[seat, here] = warrior
    if warrior == ZVORD:
        for slot in range(state.turn, state.line_size):
            state.line[seat, slot] = (entry >> shift_of(slot, state.line_size)) & CARDS


@jitted
def laid_anew(walk, state, seat, entry):
    """The hidden warriors of an entry after Zvord's new order; the record is scratch."""
    hide_line(state, seat, entry)
    state.seat = seat
    state.slot = NONE
    legal = open_zvord(state)
    while state.slot < state.line_size:
        state.legal = legal
        action = (
            choose_in_rollout(state, np.int64(seat), attack_network(walk), walk.seen)
            if holds_several(legal)
            else lowest(legal)
        )
        choose_zvord(state, action)
        if state.slot < state.line_size:
            legal = open_zvord(state)
    found = np.int64(0)
    for slot in range(state.turn, state.line_size):
        found |= np.int64(state.line[seat, slot]) << shift_of(slot, state.line_size)
    return found


@jitted
def reorder(walk, node):
    """Let whoever revealed Zvord lay its lines anew, in seat order (RULES 4.10)."""
    state, scratch = walk.states[node], walk.states.shape[0] - 1
    nodes, lines = walk.nodes, walk.lines
    for seat in range(2):
        # One line of the segment has been picked up to be laid anew, or laid, where there is nothing to choose.
        for warrior in range(NUM_WARRIORS):
            state.hand[seat, warrior] = 0
    state.slot = NONE
    for seat in range(2):
        if state.revealed[seat] == ZVORD and state.turn < state.line_size:
            first, free = nodes[node, FIRST + seat], nodes[node, FREE + seat]
            count = nodes[node, LAST + seat] - first
            hidden = (np.int64(1) << shift_of(state.turn - 1, state.line_size)) - 1 - ROWS
            for k in range(count):
                walk.states[scratch] = state
                entry = lines[seat, first + k]
                lines[seat, free + k] = (entry & ~hidden) | laid_anew(walk, walk.states[scratch], seat, entry)
            lines[seat, free : free + count].sort()
            nodes[node, FIRST + seat] = free
            nodes[node, LAST + seat] = free + count
            nodes[node, FREE + seat] = free + count
    state.seat = state.num_players
    state.slot = NONE
    state.phase = PHASE_UNWARY


@jitted
def decide(walk, node):
    """Play a decision by hidden warriors: a node for each action that one of the lines chooses; the last node's number.

    The lines of an action stay in order.
    """
    nodes, lines = walk.nodes, walk.lines
    state = walk.states[node]
    seat = np.int64(state.seat)
    first, last, free = nodes[node, FIRST + seat], nodes[node, LAST + seat], nodes[node, FREE + seat]
    chosen = np.int64(0)
    for k in range(last - first):
        hide_line(state, seat, lines[seat, first + k])
        action = choose_in_rollout(state, seat, attack_network(walk), walk.seen)
        lines[seat, free + k] = action
        chosen |= np.int64(1) << action
    state.set_aside[state.round_index, seat] = NONE
    if not holds_several(chosen):
        choose(state, lowest(chosen))
        return node
    scratch = walk.states.shape[0] - 1
    walk.states[scratch] = state
    actions, free = free, free + last - first
    nodes[node, FREE + seat] = free + last - first
    top = node
    while chosen != 0:
        action = lowest(chosen)
        chosen &= ~(np.int64(1) << action)
        for column in range(nodes.shape[1]):
            nodes[top, column] = nodes[node, column]
        nodes[top, FIRST + seat] = free
        for k in range(last - first):
            if lines[seat, actions + k] == action:
                lines[seat, free] = lines[seat, first + k]
                free += 1
        nodes[top, LAST + seat] = free
        walk.states[top] = walk.states[scratch]
        choose(walk.states[top], action)
        top += 1
    return top - 1


@jitted
def end_value(walk, state):
    """The return of seat 0 at the end of the round."""
    if state.phase == PHASE_GAME_OVER:
        write_round_returns(state, value_network(walk), walk.inputs, walk.returns)
        return walk.returns[0]
    # What players hold is all that differs between the ends of a round (`values.write_inputs`).
    key = np.int64(1)
    for seat in range(2):
        key = (key << np.int64(8)) | np.int64(state.points[seat] + 64)
        key = (key << np.int64(6)) | np.int64(state.num_forts[seat])
        key = (key << np.int64(3)) | np.int64(state.num_legion[seat])
    place = (key ^ (key >> np.int64(17)) ^ (key >> np.int64(9))) & np.int64(NUM_ENDS - 1)
    if walk.ends[place] != key:
        write_round_returns(state, value_network(walk), walk.inputs, walk.returns)
        walk.ends[place] = key
        walk.values[place] = walk.returns[0]
    return walk.values[place]


@jitted
def play_on(walk, node, matrix):
    """Play a node to the end of its turn, and write the matrix where that is the end of the round.

    Returns:
        The number of the last node that waits: those of decisions are behind this one, which may itself be done.
    """
    nodes, lines = walk.nodes, walk.lines
    state = walk.states[node]
    is_over = False
    while not is_over:
        is_over = state.phase == PHASE_TURN_END
        legal = play_phase(state)
        if legal == 0:
            continue
        if not holds_several(legal):
            choose(state, lowest(legal))
            continue
        state.legal = legal
        if state.phase == PHASE_ZVORD:
            reorder(walk, node)
        elif state.phase in NETWORK_PHASES:
            last = decide(walk, node)
            if last > node:
                return last
        else:
            choose(state, tactical_action(state, np.int64(state.seat)))
    if state.phase == PHASE_REVEAL:
        nodes[node, CURSOR] = nodes[node, FIRST]
        nodes[node, CURSOR + 1] = nodes[node, FIRST + 1]
        return node
    value = np.int8(np.rint(SCALE * end_value(walk, state)))
    for a in range(nodes[node, FIRST], nodes[node, LAST]):
        row = lines[0, a] & ROWS
        for b in range(nodes[node, FIRST + 1], nodes[node, LAST + 1]):
            matrix[row, lines[1, b] & ROWS] = value
    return node - 1


@cached_jit(nogil=True)
def fill_matrix(walks, rows, columns, matrix):
    """Play lines of seat 0 against lines of seat 1.

    Args:
        walks: of `new_walk`, shape (1,).
        rows, columns: entries of seat 0 and seat 1, ascending: int64, shapes (n,) and (m,).
        matrix: written, in the rows and columns of the entries' numbers: SCALE times the return of seat 0, rounded:
            int8, shape (lines of seat 0, lines of seat 1).
    """
    walk = walks[0]
    nodes, lines, states = walk.nodes, walk.lines, walk.states
    lines[0, : rows.shape[0]] = rows
    lines[1, : columns.shape[0]] = columns
    for seat in range(2):
        nodes[0, FIRST + seat] = nodes[0, CURSOR + seat] = 0
    nodes[0, LAST] = nodes[0, FREE] = rows.shape[0]
    nodes[0, LAST + 1] = nodes[0, FREE + 1] = columns.shape[0]
    state = states[0]
    for seat in range(2):
        for warrior in range(NUM_WARRIORS):
            state.hand[seat, warrior] = 0
    state.turn = 1
    state.phase = PHASE_REVEAL
    top = 0
    while top >= 0:
        if nodes[top, CURSOR] == NONE:
            top = play_on(walk, top, matrix)
            continue
        a, b = nodes[top, CURSOR], nodes[top, CURSOR + 1]
        if a == nodes[top, LAST]:
            top -= 1
            continue
        state = states[top]
        shift = shift_of(state.turn - 1, state.line_size)
        end_a = run_end(lines, 0, a, nodes[top, LAST], shift)
        end_b = run_end(lines, 1, b, nodes[top, LAST + 1], shift)
        if end_b == nodes[top, LAST + 1]:
            nodes[top, CURSOR], nodes[top, CURSOR + 1] = end_a, nodes[top, FIRST + 1]
        else:
            nodes[top, CURSOR + 1] = end_b
        top += 1
        states[top] = state
        nodes[top, FIRST], nodes[top, LAST] = a, end_a
        nodes[top, FIRST + 1], nodes[top, LAST + 1] = b, end_b
        nodes[top, FREE], nodes[top, FREE + 1] = nodes[top - 1, FREE], nodes[top - 1, FREE + 1]
        nodes[top, CURSOR] = NONE
        state = states[top]
        show_line(state, 0, lines[0, a])
        show_line(state, 1, lines[1, b])
        reveal(state)


@cached_jit(nogil=True)
def add_weighted_rows(matrix, weights, first, total):
    """Add rows of a matrix, each times its weight, to ``total``: float64, shape (m,), for columns from ``first`` on."""
    size = total.shape[0]
    for row in range(matrix.shape[0]):
        weight = weights[row]
        if weight != 0.0:
            for k in range(size):
                total[k] += weight * matrix[row, first + k]
