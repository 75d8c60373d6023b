"""`expectimax`: searches the rest of its own turn with a value function (`romans_agents.roma.value`).

At each decision, the search tries the actions with the highest heuristic scores (`romans_agents.roma.heuristics`) and
takes the best. A battle die is averaged over its six faces; a drawn card is sampled. Beyond the search depth, scripted
actions complete the turn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.loops.search_loops import draw_chance
from romans_agents.roma.heuristics import NEVER, score_of, scripted_action
from romans_agents.roma.styles import FORUM_RUNNER
from romans_agents.roma.value import value_of
from romans_agents.searches.search import streams_for
from romans_env import View
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.engine.random_stream import WORDS
from romans_env.engine.state_fields import Records
from romans_env.roma import step
from romans_env.roma.actions import NUM_ACTIONS
from romans_env.roma.material import NUM_FACES
from romans_env.roma.state import PHASE_BATTLE, PHASE_DEAL, PHASE_DICE, PHASE_DRAW, PHASE_OVER, State
from romans_env.roma.step import apply, apply_outcome, draw_outcome, resolve_chance

MAX_DEPTH, MAX_SAMPLES = 6, 1000
_BATTLES = 8
_RECORDS = MAX_DEPTH + _BATTLES + 2
"""Number of records: the view, a determinization, and one for each decision and battle on the path of the search."""


@jitted
def best_actions(states: Records[State], i, width, actions):
    """Write the legal actions with the highest scores, best first.

    Args:
        states: records, shape ``(n,)``.
        i: the index of the record.
        width: the most actions.
        actions: written: int64, shape ``(NUM_ACTIONS,)``.

    Returns:
        The number of actions.
    """
    count = step.legal_actions(states, i, actions)
    scores = np.empty(count)
    for k in range(count):
        scores[k] = score_of(states[i], actions[k], FORUM_RUNNER)
    kept = min(count, width)
    for k in range(kept):
        best = k + scores[k:].argmax()
        scores[k], scores[best] = scores[best], scores[k]
        actions[k], actions[best] = actions[best], actions[k]
    return kept


@jitted
def play_turn_out(states: Records[State], i, seat, turn, words):
    """Play the turn to its end with scripted actions; return the value of the position for the seat then."""
    resolve_chance(states[i], words, i)
    while states[i].phase != PHASE_OVER and states[i].turn == turn:
        step.act(states, i, scripted_action(states[i], FORUM_RUNNER), words)
    return value_of(states[i], seat)


class Nodes(NamedTuple):
    """The nodes on the path from the root of the search to the current node; node k is the record ``states[k]``.

    Attributes:
        options: the actions, or the faces of a battle die: int64, shape ``(n, NUM_ACTIONS)``.
        counts: the number of options of each node, 0 for a leaf: int64, shape ``(n,)``.
        tried: the number of options that have been searched: int64, shape ``(n,)``.
        depths: the number of decisions that are still searched: int64, shape ``(n,)``.
        values: the value of the options searched so far: float64, shape ``(n,)``.
    """

    options: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    tried: npt.NDArray[np.int64]
    depths: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]


@jitted
def open_node(nodes, k, states: Records[State], seat, turn, width, words):
    """Set up node ``k``: its options, or its value if it is a leaf."""
    state = states[k]
    while state.phase == PHASE_DRAW:
        apply_outcome(state, draw_outcome(state, words, k))
    nodes.counts[k] = 0
    nodes.tried[k] = 0
    if state.phase == PHASE_OVER or state.turn != turn or state.phase == PHASE_DICE:
        nodes.values[k] = value_of(state, seat)
    elif nodes.depths[k] == 0 or state.seat != seat or state.phase == PHASE_DEAL or k + 1 == states.shape[0]:
        # In the opening, the opponent's decisions and the deal of cards belong to the same turn.
        nodes.values[k] = play_turn_out(states, k, seat, turn, words)
    elif state.phase == PHASE_BATTLE:
        nodes.values[k] = 0.0
        nodes.counts[k] = NUM_FACES
        for face in range(NUM_FACES):
            nodes.options[k, face] = face + 1
    else:
        nodes.values[k] = NEVER
        nodes.counts[k] = best_actions(states, k, width, nodes.options[k])


@jitted
def value_in_turn(nodes, first, states: Records[State], seat, turn, width, words):
    """Search below a node, depth first, and return its value for the seat whose turn it is.

    It is a loop, because numba cannot cache a recursive function on disk.

    Args:
        nodes: `Nodes`; scratch, except for ``nodes.depths[first]``.
        first: the index of the node.
        states: records, shape ``(n,)``; those after the first node are scratch.
        seat: the searching seat.
        turn: the number of the turn.
        width: the most actions that are tried at each decision.
        words: chance words of each record: int64, shape ``(n, 4)``.
    """
    open_node(nodes, first, states, seat, turn, width, words)
    k = first
    while True:
        if nodes.tried[k] < nodes.counts[k]:
            option = nodes.options[k, nodes.tried[k]]
            nodes.tried[k] += 1
            states[k + 1] = states[k]
            if states[k].phase == PHASE_BATTLE:
                apply_outcome(states[k + 1], option)
                nodes.depths[k + 1] = nodes.depths[k]
            else:
                apply(states[k + 1], option)
                nodes.depths[k + 1] = nodes.depths[k] - 1
            open_node(nodes, k + 1, states, seat, turn, width, words)
            k += 1
        elif k == first:
            return nodes.values[first]
        else:
            k -= 1
            if states[k].phase == PHASE_BATTLE:
                nodes.values[k] += nodes.values[k + 1] / NUM_FACES
            else:
                nodes.values[k] = max(nodes.values[k], nodes.values[k + 1])


@cached_jit
def best_of_turn(states: Records[State], seat, depth, width, num_samples, streams, words):
    """Return the action with the highest mean value.

    Args:
        states: records, shape ``(n,)``: the seat's private view, followed by scratch.
        seat: the searching seat.
        depth: the number of decisions that are searched, this one included.
        width: the most actions that are tried at each decision; at the first, 4 more.
        num_samples: the number of determinizations.
        streams: the search's random stream: int64, shape ``(1, 4)``; advanced.
        words: scratch for chance words: int64, shape ``(n, 4)``.
    """
    size = states.shape[0]
    numbers = np.zeros((3, size), dtype=np.int64)
    options = np.empty((size, NUM_ACTIONS), dtype=np.int64)
    nodes = Nodes(options, numbers[0], numbers[1], numbers[2], np.empty(size))
    actions = np.empty(NUM_ACTIONS, dtype=np.int64)
    count = best_actions(states, 0, width + 4, actions)
    totals = np.zeros(count)
    for _ in range(num_samples):
        step.determinize(states, 0, 1, seat, streams, 0)
        for row in range(size):
            draw_chance(words, row, streams)
        for k in range(count):
            states[2] = states[1]
            apply(states[2], actions[k])
            nodes.depths[2] = depth - 1
            totals[k] += value_in_turn(nodes, 2, states, seat, states[0].turn, width, words)
    return actions[totals.argmax()]


class ExpectimaxAgent(Agent):
    """Searches the rest of its own turn by expectimax.

    Args:
        depth: the number of decisions that are searched, this one included; from 1 to 6.
        width: the most actions that are tried at each decision, from 1 to 301; at the first, 4 more.
        samples: the number of determinizations over which values are averaged; from 1 to 1000.
        seed: the seed of the search's random numbers, at least 0. A choice depends only on it and on the view.

    Raises:
        ValueError: if an option is out of range.
    """

    name = "expectimax"
    searches = True

    def __init__(self, depth: int = 3, width: int = 6, samples: int = 2, seed: int = 0):
        limits = {"depth": (depth, MAX_DEPTH), "width": (width, NUM_ACTIONS), "samples": (samples, MAX_SAMPLES)}
        for option, (value, largest) in limits.items():
            if not 1 <= value <= largest:
                raise ValueError(f"{option} is 1 to {largest}, not {value}")
        if seed < 0:
            raise ValueError(f"seed is at least 0, not {seed}")
        self.depth, self.width, self.samples = depth, width, samples
        self.seed(seed)

    def seed(self, seed: int) -> None:
        self._seed = seed

    def act(self, view: View) -> int:
        states = np.repeat(view.states, _RECORDS)
        streams, words = streams_for(view, self._seed, 1), np.zeros((_RECORDS, WORDS), dtype=np.int64)
        return int(best_of_turn(states, view.seat, self.depth, self.width, self.samples, streams, words))
