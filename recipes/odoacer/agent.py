"""`odoacer`: the scores of `trader`, corrected by a network that sees where an action leads, without rollouts.

    romans evaluate recipes/odoacer/agent.py:OdoacerAgent --game struggle --against trader

It leads where `trader` goes in the seat's own turns of this round and the next, while nobody else does anything.
`recipes.odoacer.fit_corrections` makes ``odoacer.npz``, beside this file.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from romans_agents.base import Agent
from romans_agents.loops.compiled_networks import last_hidden, output
from romans_agents.loops.search_loops import draw_chance
from romans_agents.search import streams_for
from romans_agents.struggle.rollouts import COURSE, NUM_RECORDS, START, VIEW
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.tactics import scripted_action
from romans_agents.struggle.trained.stilicho import StilichoAgent
from romans_agents.struggle.win_chance import load_win_chance
from romans_env import View
from romans_env.compiling.decorators import cached_jit, jitted
from romans_env.engine.random_stream import WORDS
from romans_env.struggle import step
from romans_env.struggle.rounds import BUILDING, LAST_PHASE, begin_turn
from romans_env.struggle.state import FIRST_DECISION, STAGE_ANSWER

BEFORE, THIS_ROUND, NEXT_ROUND, ACTION, NUM_ROWS = range(5)
"""Rows of what the network sees: three observations, and the action with how far its score is behind the highest."""
FARTHEST, UNIT = 8.0, 1000
FILE = Path(__file__).with_name("odoacer.npz")
LEAST_GAIN = 0.012
"""The chance to win that an action must add to that of the highest score."""


@jitted
def play_alone(records, i, seat, weights, words):
    """Let the scripted agent play the turns that a seat has left in this round, as if the others' were over."""
    state = records[i]
    number, place = state.round_number, (seat - state.first) % state.num_players
    for phase in range(BUILDING, LAST_PHASE + 1):
        if step.is_over(records, i) or state.round_number != number:
            return
        if state.phase < phase or (state.phase == phase and place > (state.active - state.first) % state.num_players):
            state.phase = phase
            begin_turn(state, seat)
            forced = step.forced_action(state)
            if forced >= 0:
                step.apply(state, forced)
        while not step.is_over(records, i) and state.phase == phase and state.active == seat:
            if state.stage < FIRST_DECISION:
                step.apply_outcome(state, step.draw_outcome(state, words, i))
            else:
                step.apply(state, scripted_action(state, weights))


@jitted
def see(records, seat, action, gap, weights, words, seen):
    """Play an action in the record START, and write what the network sees of it: shape (NUM_ROWS, observation size)."""
    records[COURSE], words[COURSE] = records[START], words[START]
    step.act(records, COURSE, action, words)
    while records[COURSE].stage == STAGE_ANSWER:
        step.act(records, COURSE, scripted_action(records[COURSE], weights), words)
    if records[VIEW].active != seat:
        play_alone(records, COURSE, np.int64(records[VIEW].active), weights, words)
    play_alone(records, COURSE, seat, weights, words)
    step.observe(records, COURSE, seat, seen, THIS_ROUND)
    if not step.is_over(records, COURSE):
        records[COURSE].phase = 1
    play_alone(records, COURSE, seat, weights, words)
    step.observe(records, COURSE, seat, seen, NEXT_ROUND)
    seen[ACTION] = 0
    seen[ACTION, action] = 1
    gap = max(gap, -FARTHEST)
    for k, entry in enumerate((gap, 1.0 if gap == 0.0 else 0.0, np.exp(gap))):
        seen[ACTION, seen.shape[1] - 3 + k] = UNIT * entry


@cached_jit(nogil=True)
def add_values(records, seat, actions, scores, sums, streams, words, seen, weights, fitted):
    """Add to ``sums`` what the network says of each action in a determinization, in chances to win."""
    step.observe(records, VIEW, seat, seen, BEFORE)
    step.determinize(records, VIEW, START, seat, streams, 0)
    draw_chance(words, START, streams)
    for k in range(actions.shape[0]):
        gap = scores[k] - scores[0]
        see(records, seat, actions[k], gap, weights, words, seen)
        hidden, at = last_hidden(seen.reshape(seen.size), fitted.scale, fitted.network, False)
        sums[k] += fitted.line[0] * gap + output(hidden, at, fitted.network, 0)


class OdoacerAgent(Agent):
    """Plays by the scores of `trader` and a network that corrects them, read from a file, on the stand-in board."""

    name = "odoacer"

    def __init__(self, file: Path = FILE):
        self._teacher, self._fitted = StilichoAgent(), load_win_chance(file)

    def act(self, view: View) -> int:
        """See `Agent.act`."""
        actions, scores = self._teacher.candidates(view)
        size = view.rules.observation_size
        if NUM_ROWS * size != self._fitted.scale.size:
            raise ValueError("odoacer plays on the stand-in board alone; trader plays on every board")
        records, words = np.repeat(view.states, NUM_RECORDS), np.zeros((NUM_RECORDS, WORDS), np.int64)
        seen, sums = np.zeros((NUM_ROWS, size), np.int16), np.zeros(len(actions))
        chance = streams_for(view, 0, 1), words
        add_values(records, view.seat, actions, scores, sums, *chance, seen, STYLES[TRADER], self._fitted)
        return int(actions[sums.argmax() if sums.max() > sums[0] + LEAST_GAIN else 0])
