"""Deciding ahead: while other seats still decide in secret, a seat can already make its own hidden choices (RULES 3.2).

The rules ask one seat after another. To find the decision that a seat will face, a determinization of the seat's own
view is played on with arbitrary choices of the other seats. So the decision cannot reveal the other seats' cards or
choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from romans_env.core.game import Game
from romans_env.errors import CannotSampleError, IllegalActionError

IsSeen = Callable[[Game, int, Game], bool]
"""A function ``is_seen(before, action, after)`` that returns whether the deciding seat sees anything of an action."""


class Ahead(NamedTuple):
    """A decision that a seat can make ahead of its turn.

    Attributes:
        game: a determinization that is consistent with the seat's view, at the seat's decision; it has no history.
        is_complete: whether the seat has made all choices that it can make ahead. Its last choice is not played in
            ``game``, because this would reveal the choices that were made up for the other seats.
    """

    game: Game
    is_complete: bool


def ahead_of(game: Game, seat: int, held: Sequence[str], is_seen: IsSeen) -> Ahead | None:
    """Return the next decision that a seat can make ahead, after the actions that it has already chosen ahead.

    Args:
        game: the current game.
        seat: the seat that decides ahead.
        held: names of the actions that it has chosen ahead so far, which are played when its turn comes.
        is_seen: function that returns whether the seat sees anything of an action, see `IsSeen`.

    Returns:
        The decision; None if the seat is to act now, or must wait because it may learn something before its decision.
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
