"""Checks of points, winners and returns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from numbers import Integral

from romans_env.errors import shortened
from romans_env.testing.moment import Moment


def points(moment: Moment) -> Iterator[str]:
    """Check that points are integers and that `points` and `points_of` agree."""
    rules, states = moment.rules, moment.states
    own = [rules.points(states, 0, seat) for seat in moment.seats]
    if not all(isinstance(one, Integral) for one in own):
        yield f"points are {shortened(own)}, not integers"
    elif rules.points_of(states).tolist() != [own]:
        yield f"points_of returns {rules.points_of(states).tolist()}, but points returns {own}"


def returns(moment: Moment) -> Iterator[str]:
    """Check that returns are in [-1, 1], sum to 0, are highest for the winners, and are 0 before the end."""
    game = moment.game
    found = game.returns()
    values = list(found.values())
    if not game.is_over:
        if any(values):
            yield f"returns are {shortened(found)} before the end"
        return
    winners = game.winners()
    if not all(isinstance(value, (int, float)) and math.isfinite(value) and -1 <= value <= 1 for value in values):
        yield f"returns are {shortened(found)}, not all in [-1, 1]"
        return
    if len(values) < 2:
        return
    if not math.isclose(sum(values), 0, abs_tol=1e-6):
        yield f"returns sum to {sum(values):.3g}, not to 0: {shortened(found)}; the winners are {shortened(winners)}"
    if not winners or not set(winners) <= set(game.players):
        yield f"the winners are {shortened(winners)}, but the players are {shortened(game.players)}"
    elif any((player in winners) != (value == max(values)) for player, value in found.items()):
        yield f"the winners {shortened(winners)} are not those with the highest return: {shortened(found)}"
