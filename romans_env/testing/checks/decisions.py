"""Checks of legal actions and their names, and of the end of a game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from romans_env.core.game import Game
from romans_env.core.games import GameSpec
from romans_env.core.protocol import GAME_OVER, ILLEGAL, Rules
from romans_env.errors import shortened
from romans_env.testing.moment import Moment, played_on


def legal_actions(moment: Moment) -> Iterator[str]:
    """Check that the seat to act has at least two legal actions, and that all queries about them agree."""
    game, rules, states = moment.game, moment.rules, moment.states
    legal, kind = rules.legal_actions(states, 0), rules.decision_kind(states, 0)
    if game.is_over:
        if legal:
            yield f"actions are legal after the end: {shortened(legal)}"
        if kind is not None:
            yield f"decision_kind is {kind!r} after the end"
        return
    if game.seat_to_act not in moment.seats:
        yield f"seat {game.seat_to_act} must decide, and there are {len(moment.seats)} players"
        return
    asked = f"{game.agent_to_act} must decide {kind!r}"
    if not isinstance(kind, str):
        yield f"decision_kind is {kind!r} where {game.agent_to_act} must decide"
    if not legal:
        yield f"no action is legal, and the game goes on: {asked}"
        return
    if any(isinstance(action, bool) or not isinstance(action, (int, np.integer)) for action in legal):
        yield f"legal actions are {shortened(legal)}, not integers"
        return
    outside = [action for action in legal if not 0 <= action < rules.num_actions]
    if outside:
        yield f"action {outside[0]} is legal, and the ids run from 0 to {rules.num_actions - 1}"
        return
    if list(legal) != sorted(set(legal)):
        yield f"legal actions are not sorted, or have duplicates: {shortened(legal)}"
    if len(legal) == 1:
        yield f"only {rules.action_name(legal[0])} is legal: act must play a forced action by itself; {asked}"
    for action in (-1, *range(rules.num_actions + 1)):
        if bool(rules.is_legal(states, 0, action)) != (action in legal):
            yield f"is_legal and legal_actions disagree about action {action}"
            break
    for seat in moment.seats:
        mask = game.action_mask(seat)
        expected = legal if seat == game.seat_to_act else []
        if mask.shape != (rules.num_actions,) or mask.nonzero()[0].tolist() != list(expected) or mask.max() > 1:
            yield f"the action mask of seat {seat} does not match its legal actions"
            break


def illegal_actions(moment: Moment) -> Iterator[str]:
    """Check that an illegal action is refused and changes nothing."""
    rules, legal = moment.rules, set(moment.game.legal_actions())
    inside = [action for action in range(rules.num_actions) if action not in legal]
    for action in [-1, rules.num_actions, *moment.random.sample(inside, min(3, len(inside)))]:
        states = moment.states
        answer = rules.act(states, 0, action)
        if answer != ILLEGAL:
            yield f"act returns {answer}, not ILLEGAL, for action {action}, which is not legal"
            return
        if states.tobytes() != moment.states.tobytes():
            yield f"act changes the record for action {action}, which is not legal"
            return


def end(moment: Moment) -> Iterator[str]:
    """Check that a game ends within ``max_decisions`` or by ``end_early``, and that no seat is to act then."""
    rules, states = moment.rules, moment.states
    rules.end_early(states, 0)
    if rules.seat_to_act(states, 0) != GAME_OVER or rules.legal_actions(states, 0):
        yield "after end_early the game is not over"
    if moment.game.is_over:
        return
    game = played_on(Game.of_states(rules, moment.states), moment.random.randrange(2**31))
    if not game.is_over and game.legal_actions():
        yield f"the game does not end within max_decisions, {rules.max_decisions:,}"


def action_names(rules: Rules, spec: GameSpec) -> Iterator[str]:
    """Check that each action has a name of its own."""
    names = [rules.action_name(action) for action in range(rules.num_actions)]
    for action, name in enumerate(names):
        if not isinstance(name, str) or not name or len(name.split()) != 1:
            yield f"action {action} is called {shortened(name)}: a name must be a word without spaces"
            return
        if rules.action_id(name) != action:
            yield f"actions {rules.action_id(name)} and {action} are both called {name!r}"
            return
    for wrong in (-1, len(names)):
        try:
            rules.action_name(wrong)
        except ValueError:
            continue
        yield f"action_name({wrong}) raises no ValueError"
        return
