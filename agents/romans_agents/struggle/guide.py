"""The guide of the game-neutral searches in Struggle for Rome: scores of actions as priors, and a value at the end of a
turn; both with the weights of `trader`."""

from __future__ import annotations

from romans_agents.loops.score_priors import write_score_priors
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.tactics import scripted_action, write_scores
from romans_agents.struggle.value import write_values
from romans_env.engine.compiled import jitted
from romans_env.struggle import step

_EVEN = 0.1
"""The share of a prior that all actions have alike."""
_WEIGHTS = STYLES[TRADER]


@jitted
def priors(states, i, actions, count, priors):
    """Write the prior probabilities of ``actions[:count]``: a softmax of their scores."""
    write_scores(states[i], _WEIGHTS, actions, count, priors)
    write_score_priors(priors, count, _EVEN)


@jitted
def evaluate(states, i, streams, words, returns):
    """Play the turn to its end by the scores, and write what the position is worth then."""
    number, phase, active = states[i].round_number, states[i].phase, states[i].active
    while (
        not step.is_over(states, i)
        and states[i].round_number == number
        and states[i].phase == phase
        and states[i].active == active
    ):
        step.act(states, i, scripted_action(states[i], _WEIGHTS), words)
    write_values(states[i], _WEIGHTS, returns)
