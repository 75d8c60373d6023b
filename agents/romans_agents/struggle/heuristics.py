"""The heuristics of the scripted agents: a score for every legal action, from the seat's private view.

Scores are in resource cards. The agents differ only in their style, a row of weights
(`romans_agents.struggle.styles`).
"""

from __future__ import annotations

import numpy as np

from romans_agents.struggle.exchanges import write_answer_scores, write_build_scores
from romans_agents.struggle.legion_moves import write_legion_scores, write_rob_scores
from romans_agents.struggle.styles import FARE, GOODS
from romans_agents.struggle.tribe_turns import write_tribe_scores
from romans_env.compiling.decorators import jitted
from romans_env.struggle.actions import PAY, num_actions, write_actions
from romans_env.struggle.moving import gold_of_fare
from romans_env.struggle.state import STAGE_ANSWER, STAGE_BUILD, STAGE_LEGION, STAGE_ROB, STAGE_TRIBE, State


@jitted
def write_scores(state: State, w, actions, count, scores):
    """Write the scores of the legal actions of the seat to act.

    Args:
        state: the record; the opponents' hidden cards are not read.
        w: the weights of a style: float64, shape ``(num_weights,)``.
        actions: ids of the legal actions, ascending: int64, shape ``(count,)`` or longer.
        count: the number of legal actions.
        scores: written, in resource cards: float64, shape ``(count,)`` or longer.
    """
    stage = state.stage
    if stage == STAGE_BUILD:
        write_build_scores(state, w, actions, count, scores)
    elif stage == STAGE_TRIBE:
        write_tribe_scores(state, w, actions, count, scores)
    elif stage == STAGE_ANSWER:
        write_answer_scores(state, w, actions, count, scores)
    elif stage == STAGE_LEGION:
        write_legion_scores(state, w, actions, count, scores)
    elif stage == STAGE_ROB:
        write_rob_scores(state, w, actions, count, scores)
    else:
        for k in range(count):
            grain = actions[k] - PAY
            scores[k] = -w[GOODS] * grain - w[FARE] * gold_of_fare(state, grain)


@jitted
def scripted_action(state: State, w):
    """Return the legal action with the highest score; ties go to the lowest id."""
    most = num_actions(state)
    actions, scores = np.empty(most, dtype=np.int64), np.empty(most)
    count = write_actions(state, actions)
    write_scores(state, w, actions, count, scores)
    return actions[scores[:count].argmax()]
