"""Reviews of finished games for the page, which shows every mistake as soon as it is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from romans_env import replay
from romans_env.core.records import Record
from romans_serve.thinking import Reviewed, ReviewPart
from romans_training.compare.game_review import Decision, review, review_page
from romans_training.compare.review_words import mistake_as_json, places_of

OF_CHOICES = 0.8
"""Share of a review that is done when all choices have been judged. The luck and the page are then still missing."""


def reviewed(
    record: Record, reviewer: str | None = None, on_part: Callable[[ReviewPart], object] = lambda part: None
) -> Reviewed:
    """Review a game for the page. It judges the choices of people, or of all players if only agents play.

    Args:
        record: record of a finished game.
        reviewer: spec of the agent that judges the choices, as in `romans_training.compare.game_review.review`.
        on_part: function that is called with the progress after every action of the record, and with every mistake.
    """
    game = replay(record)
    places, number = places_of(game), len(game.actions)
    shares = {"done": 0.0}

    def progressed(actions: int) -> None:
        shares["done"] = OF_CHOICES * actions / number
        on_part(ReviewPart(shares["done"]))

    def judged(decision: Decision) -> None:
        if decision.grade == "wrong":
            on_part(ReviewPart(shares["done"], mistake_as_json(decision, places[decision.action])))

    found = review(game, _people_in(record), reviewer, on_progress=progressed, on_decision=judged)
    # JSON has no NaN.
    totals = {
        player: {name: None if math.isnan(value) else value for name, value in own.items()}
        for player, own in found.totals().items()
    }
    mistakes = [mistake_as_json(one, places[one.action]) for one in found.mistakes()]
    return Reviewed(review_page([found]).html, found.sentences(), totals, mistakes)


def _people_in(record: Record) -> Sequence[str] | None:
    """Return the players that are people; None if there are none."""
    return [player for player, agent in (record["agents"] or {}).items() if agent in (None, "human")] or None
