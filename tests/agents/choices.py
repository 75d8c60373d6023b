"""What agents choose in some games: compared between compiled and interpreted runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import romans_agents
from romans_env import Game


def choices_of(specs: Sequence[str], games: Sequence[Game]) -> dict[str, list[Any]]:
    """The actions of every agent; of the last one, a tree search, the visits of the root and the totals, too."""
    assert not any(game.is_over for game in games)
    views = [(game.view(game.seat_to_act), game.rules.name) for game in games]
    found: dict[str, list[Any]] = {
        spec: [int(romans_agents.make(spec, game=name).act(view)) for view, name in views] for spec in specs
    }
    for view, name in views:
        visits, totals = romans_agents.make(specs[-1], game=name).search(view)
        found[specs[-1]] += [visits.tolist(), totals.round(9).tolist()]
    return found
