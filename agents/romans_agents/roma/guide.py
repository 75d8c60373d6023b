"""The guide of the game-neutral searches in Roma: scores of actions as priors, and a value at the end of a turn."""

from __future__ import annotations

from romans_agents.loops.score_priors import write_score_priors
from romans_agents.roma.styles import DENIER
from romans_agents.roma.tactics import score_of, scripted_action
from romans_agents.roma.value import value_of
from romans_env.engine.compiled import jitted
from romans_env.roma import step
from romans_env.roma.material import NUM_SEATS

_EVEN = 0.25
"""The share of a prior that all actions have alike."""


@jitted
def priors(states, i, actions, count, priors):
    """Write the prior probabilities of ``actions[:count]``: a softmax of their scores."""
    for k in range(count):
        priors[k] = score_of(states[i], actions[k], DENIER)
    write_score_priors(priors, count, _EVEN)


@jitted
def evaluate(states, i, streams, words, returns):
    """Play the turn to its end by rules of thumb, and write what the position is worth then."""
    turn = states[i].turn
    while not step.is_over(states, i) and states[i].turn == turn:
        step.act(states, i, scripted_action(states[i], DENIER), words)
    for seat in range(NUM_SEATS):
        returns[seat] = value_of(states[i], seat)
