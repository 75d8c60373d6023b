"""The subject of decisions, in words."""

from __future__ import annotations

from typing import Any

QUESTIONS = {
    "legion": "where to move the legionnaire",
    "rob": "whom to rob",
    "build": "what to build or trade",
    "answer": "whether to accept",
    "tribe": "what the tribe does",
    "fare": "how to pay for the way",
}
"""The subject of each kind of decision (STRUGGLE 8.1)."""
PHASES = ("dice", "building", "horsemen", "warriors")
"""The name of each phase of a round (STRUGGLE 3.3)."""


def turn_in_words(position: dict[str, Any]) -> str:
    """Return the round and the phase in words."""
    phase = position["phase"]
    return f"Round {position['round']}, phase {phase}: {PHASES[phase - 1]}"


def about(decision: dict[str, Any]) -> str:
    """Return the offer or the target of a decision; empty for a decision without either."""
    if decision["offer"] is not None:
        give, get = offer_parts(decision["offer"])
        return f"{give} for {get}"
    if decision["target"] is not None:
        return f"to crossroads {decision['target']}"
    return ""


def offer_parts(action: str) -> tuple[str, str]:
    """Return the two sides of an offer: ``2 grain`` and ``1 ore`` for ``offer:grain:ore:2-1``."""
    _, give, get, numbers = action.split(":")
    many, few = numbers.split("-")
    return f"{many} {give}", f"{few} {get}"
