"""The subjects of decisions in Roma, in words."""

from __future__ import annotations

from typing import Any

QUESTIONS = {
    "give": "which card to give",
    "lay": "which card to lay where",
    "triple": "whether to throw again",
    "main": "what to do",
    "keep": "which card to keep",
    "take": "which card to take",
    "own": "which own card",
    "rival": "which disc of the rival",
    "die": "which die",
    "sign": "one more or one less",
    "buy": "how many points to buy",
}
"""The subject of each kind of decision, to follow the word "decides" (ROMA 8.1)."""


def about(decision: dict[str, Any]) -> str:
    """Return the card whose effect asks for a decision, with its disc and value (ROMA 10.2); empty if none does."""
    effect, value = decision["effect"], decision["value"]
    if effect is None:
        return ""
    numbers = {
        ("die", "centurio"): f", battle die {value}",
        ("die", "templum"): f", {value} points due",
        ("sign", "consul"): f", die {value}",
    }
    card = "forum with templum" if effect == "templum" else effect
    return f"{card} on disc {decision['disc']}{numbers.get((decision['kind'], effect), '')}"
