"""The step functions of the game: `romans_env.engine.rule_steps` bound to its rules."""

from __future__ import annotations

from romans_env.compiling.templates import bound
from romans_env.engine import rule_steps
from romans_env.struggle import actions, chance, determinization, end, game_flow, knowledge, observation, opening

_steps = bound(
    rule_steps,
    actions=actions,
    chance=chance,
    determinization=determinization,
    end=end,
    game_flow=game_flow,
    knowledge=knowledge,
    observation=observation,
    opening=opening,
)

start = _steps.start
act = _steps.act
choose = _steps.choose
answer = _steps.answer
apply = _steps.apply
apply_outcome = _steps.apply_outcome
resolve_chance = _steps.resolve_chance
begin = _steps.begin
current_player = _steps.current_player
only_legal_action = _steps.only_legal_action
event_of = _steps.event_of
event_key = _steps.event_key
num_copies = _steps.num_copies
draw_outcome = _steps.draw_outcome
num_players = _steps.num_players
num_actions = _steps.num_actions
is_over = _steps.is_over
seat_to_act = _steps.seat_to_act
is_legal = _steps.is_legal
is_winner = _steps.is_winner
random_action = _steps.random_action
legal_actions = _steps.legal_actions
write_mask = _steps.write_mask
observe = _steps.observe
observe_everything = _steps.observe_everything
redact = _steps.redact
determinize = _steps.determinize
points = _steps.points
game_return = _steps.game_return
