"""The step functions of the game: `romans_env.engine.rule_steps` bound to its rules; the deal has its own steps."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined, jitted
from romans_env.compiling.templates import bound
from romans_env.engine import rule_steps
from romans_env.engine.state_fields import Records
from romans_env.romans_go_home import actions, chance, determinization, end, game_flow, knowledge, observation
from romans_env.romans_go_home.chance import draw_outcome
from romans_env.romans_go_home.game_flow import CHANCE, begin
from romans_env.romans_go_home.state import State

_steps = bound(
    rule_steps,
    actions=actions,
    chance=chance,
    determinization=determinization,
    end=end,
    game_flow=game_flow,
    knowledge=knowledge,
    observation=observation,
)

choose = _steps.choose
answer = _steps.answer
apply = _steps.apply
apply_outcome = _steps.apply_outcome
current_player = _steps.current_player
only_legal_action = _steps.only_legal_action
event_of = _steps.event_of
event_key = _steps.event_key
num_copies = _steps.num_copies
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


@inlined
def start(states: Records[State], i, deal_streams, words):
    # The deal is drawn from the game's stream itself. No chance event follows it, so no chance words are written.
    apply_outcome(states[i], draw_outcome(states[i], deal_streams, i))


@inlined
def act(states: Records[State], i, action, words):
    apply(states[i], action)


@jitted
def resolve_chance(state: State, words, k):
    if current_player(state) == CHANCE:
        apply_outcome(state, draw_outcome(state, words, k))
