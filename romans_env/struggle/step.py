"""The game's `romans_env.engine.step_functions`: those of its rules, and those that follow from them."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.compiling.templates import bound
from romans_env.engine import rule_steps
from romans_env.engine.state_fields import Records
from romans_env.struggle import actions, chance, end, game_flow, knowledge, observation, opening
from romans_env.struggle.chance import event_key, event_of, num_copies
from romans_env.struggle.determinization import determinize
from romans_env.struggle.game_flow import answer, choose, comes_next
from romans_env.struggle.observation import observe_everything
from romans_env.struggle.opening import set_up as begin
from romans_env.struggle.state import State

_steps = bound(
    rule_steps,
    actions=actions,
    chance=chance,
    end=end,
    game_flow=game_flow,
    knowledge=knowledge,
    observation=observation,
    opening=opening,
)

# One name a line: an editor follows each from here to `rule_steps`.
start = _steps.start
act = _steps.act
apply = _steps.apply
apply_outcome = _steps.apply_outcome
settle = _steps.settle
forced_action = _steps.forced_action
draw_outcome = _steps.draw_outcome
num_actions = _steps.num_actions
is_over = _steps.is_over
seat_to_act = _steps.seat_to_act
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
