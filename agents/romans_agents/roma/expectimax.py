"""`expectimax`: searches the rest of its own turn over the value of positions (`value`).

At its own decisions the search tries the actions that the rules of thumb (`tactics`) score highest, and takes the best
of them; a battle die is averaged over its six faces, a drawn card is sampled. Behind the last decision that it looks
at, the turn is played to its end by the rules of thumb.
"""

from __future__ import annotations

import zlib

import numpy as np

from romans_agents.base import Agent
from romans_agents.roma.styles import FORUM_RUNNER
from romans_agents.roma.tactics import NEVER, score_of, scripted_action
from romans_agents.roma.value import value_of
from romans_env import View
from romans_env.engine.compiled import cached_jit, jitted
from romans_env.engine.random_stream import WORDS, next_word, streams_from_seeds
from romans_env.roma import step
from romans_env.roma.actions import NUM_ACTIONS
from romans_env.roma.cards import NUM_FACES
from romans_env.roma.chance import draw_outcome
from romans_env.roma.game_flow import apply, apply_outcome, settle
from romans_env.roma.state import FIRST_DECISION, PHASE_BATTLE, PHASE_DICE, PHASE_OVER

MAX_DEPTH = 6
_CHANCE_EVENTS = 8
_RECORDS = MAX_DEPTH + _CHANCE_EVENTS + 2


@jitted
def best_actions(states, i, width, actions):
    """Write the legal actions of the highest scores, best first; how many, at most ``width``."""
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
def play_turn_out(states, i, seat, turn, streams, words):
    """Play the turn to its end by rules of thumb; what the position is worth then."""
    settle(states[i], words, i)
    while states[i].phase != PHASE_OVER and states[i].turn == turn:
        step.act(states, i, scripted_action(states[i], FORUM_RUNNER, streams, 0), words)
    return value_of(states[i], seat)


@jitted
def value_in_turn(states, i, seat, turn, depth, width, streams, words):
    """The expected value of ``states[i]`` for the seat whose turn it is; records behind it are scratch.

    Args:
        states: records, shape (n,).
        i: the position.
        seat: who searches.
        turn: the turn that is searched.
        depth: decisions that are still looked at.
        width: actions that are tried at each.
        streams: int64, shape (1, 4).
        words: chance words for each record, int64, shape (n, 4).
    """
    state = states[i]
    if state.phase == PHASE_OVER or state.turn != turn or state.phase == PHASE_DICE:
        return value_of(state, seat)
    if depth == 0 or i + 2 >= states.shape[0]:
        return play_turn_out(states, i, seat, turn, streams, words)
    if state.phase == PHASE_BATTLE:
        total = 0.0
        for face in range(1, NUM_FACES + 1):
            states[i + 1] = state
            apply_outcome(states[i + 1], face)
            total += value_in_turn(states, i + 1, seat, turn, depth, width, streams, words)
        return total / NUM_FACES
    if state.phase < FIRST_DECISION:
        states[i + 1] = state
        while PHASE_DICE < states[i + 1].phase < PHASE_BATTLE:
            apply_outcome(states[i + 1], draw_outcome(states[i + 1], words, i + 1))
        return value_in_turn(states, i + 1, seat, turn, depth, width, streams, words)
    actions = np.empty(NUM_ACTIONS, dtype=np.int64)
    best = NEVER
    for k in range(best_actions(states, i, width, actions)):
        states[i + 1] = state
        apply(states[i + 1], actions[k])
        best = max(best, value_in_turn(states, i + 1, seat, turn, depth - 1, width, streams, words))
    return best


@cached_jit
def best_of_turn(states, seat, depth, width, num_samples, streams, words):
    """The action of the highest value; ``states[0]`` is the seat's private view, the others are scratch."""
    actions = np.empty(NUM_ACTIONS, dtype=np.int64)
    count = best_actions(states, 0, width + 4, actions)
    totals = np.zeros(count)
    for _ in range(num_samples):
        step.determinize(states, 0, 1, seat, streams)
        for row in range(words.shape[0]):
            for word in range(WORDS):
                words[row, word] = next_word(streams, 0)
        for k in range(count):
            states[2] = states[1]
            apply(states[2], actions[k])
            totals[k] += value_in_turn(states, 2, seat, states[0].turn, depth - 1, width, streams, words)
    return actions[totals.argmax()]


class ExpectimaxAgent(Agent):
    """Searches the rest of its own turn.

    Args:
        depth: decisions that are looked at, 1 to 6.
        width: actions that are tried at each, at least 1.
        samples: determinizations, over which values are averaged; at least 1.
        seed: of the search's chance. A choice is a function of it and of the view.

    Raises:
        ValueError: options out of range.
    """

    name = "expectimax"
    searches = True

    def __init__(self, depth: int = 3, width: int = 6, samples: int = 2, seed: int = 0):
        if not 1 <= depth <= MAX_DEPTH or width < 1 or samples < 1:
            raise ValueError(f"depth is 1 to {MAX_DEPTH}, width and samples are at least 1")
        self.depth, self.width, self.samples = depth, width, samples
        self.seed(seed)

    def seed(self, seed: int) -> None:
        self._seed = seed

    def act(self, view: View) -> int:
        states = np.repeat(view.states, _RECORDS)
        streams = streams_from_seeds([np.random.SeedSequence([self._seed, zlib.crc32(view.states.tobytes())])])
        words = np.zeros((_RECORDS, WORDS), dtype=np.int64)
        return int(best_of_turn(states, view.seat, self.depth, self.width, self.samples, streams, words))
