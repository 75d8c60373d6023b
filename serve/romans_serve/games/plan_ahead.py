"""Deciding before one is asked: where others decide in secret first, a seat need not wait for them (RULES 3.2).

The rules ask one seat after the other. What a seat will be asked is found in a determinization of its own view, in
which the others decide anything: so nothing of what they have, or have chosen, can be in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from romans_env.core.game import Game
from romans_env.errors import CannotSampleError, IllegalActionError

IsSeen = Callable[[Game, int, Game], bool]
"""``is_seen(before, action, after)``: whether the seat sees something of an action."""


class Ahead(NamedTuple):
    """What a seat decides before it is asked.

    Attributes:
        game: a game that agrees with what the seat knows, at its decision; without a past.
        is_complete: whether the seat has decided all that it can. The last of its actions is not played in the game: it
            would show what the others have, which is made up.
    """

    game: Game
    is_complete: bool


def ahead_of(game: Game, seat: int, held: Sequence[str], is_seen: IsSeen) -> Ahead | None:
    """Return what a seat decides ahead, after the actions that it holds already.

    Args:
        game: as it stands.
        seat: the seat.
        held: names of actions, which are played when the seat is asked.
        is_seen: as `IsSeen`.

    Returns:
        None where the seat is asked, or must wait: something that it sees may come before its decision.
    """
    hidden = game.rules.hidden_decisions
    if not hidden or game.seat_to_act in (None, seat):
        return None
    try:
        found = game.view(seat).sample_game(np.random.default_rng(0))
    except CannotSampleError:
        return None
    while found.seat_to_act != seat:
        if game.rules.decision_kind(found.states, 0) not in hidden:
            return None
        after, action = found.clone(), found.legal_actions()[0]
        after.act(action)
        if is_seen(found, action, after):
            return None
        found = after
    if game.rules.decision_kind(found.states, 0) not in hidden:
        return None
    for name in held:
        after, action = found.clone(), game.rules.action_id(name)
        try:
            after.act(action)
        except IllegalActionError:
            return None
        if after.seat_to_act != seat or is_seen(found, action, after):
            return Ahead(found, True)
        found = after
    return Ahead(found, False)
