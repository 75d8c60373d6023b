"""The game's `romans_env.engine.step_functions`: those of its rules, and those that follow from them."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined, jitted
from romans_env.compiling.templates import bound
from romans_env.engine import rule_steps
from romans_env.engine.state_fields import Records
from romans_env.romans_go_home import actions, end, game_flow, knowledge, observation
from romans_env.romans_go_home.chance import draw_outcome, event_key, event_of, num_copies
from romans_env.romans_go_home.determinization import determinize
from romans_env.romans_go_home.game_flow import CHANCE, answer, begin, choose, comes_next
from romans_env.romans_go_home.observation import observe_everything
from romans_env.romans_go_home.state import State

_steps = bound(rule_steps, actions=actions, end=end, game_flow=game_flow, knowledge=knowledge, observation=observation)

# One name a line: an editor follows each from here to `rule_steps`.
apply = _steps.apply
apply_outcome = _steps.apply_outcome
forced_action = _steps.forced_action
is_over = _steps.is_over
seat_to_act = _steps.seat_to_act
num_actions = _steps.num_actions
is_legal = _steps.is_legal
is_winner = _steps.is_winner
random_action = _steps.random_action
legal_actions = _steps.legal_actions
write_mask = _steps.write_mask
observe = _steps.observe
redact = _steps.redact
points = _steps.points
game_return = _steps.game_return


@inlined
def num_players(states: Records[State]):
    """See `StepFunctions.num_players`."""
    return states[0].num_players


@inlined
def start(states: Records[State], i, deal_streams, words):
    """See `StepFunctions.start`."""
    # The deal is drawn from the game's stream itself, and no chance comes after it: the words are left alone.
    apply_outcome(states[i], draw_outcome(states[i], deal_streams, i))


@inlined
def act(states: Records[State], i, action, words):
    """See `StepFunctions.act`."""
    apply(states[i], action)


@jitted
def settle(state: State, words, k):
    """See `StepFunctions.settle`."""
    if comes_next(state) == CHANCE:
        apply_outcome(state, draw_outcome(state, words, k))
