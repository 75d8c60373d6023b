"""What every card does, in a sentence, for a first game."""

from __future__ import annotations

TURN = (
    ("start", "You pay 1 point for each of your free discs, then throw three dice."),
    ("a die", "Use it for as many sestertii, for as many cards (you keep one), or to activate the card on its disc."),
    ("to lay", "Pay a card's cost and lay it on a disc of yours; it needs no die. A card there is discarded."),
    ("attack", "A battle die is thrown: if it is at least the card's defence, the card is discarded."),
    ("discs", "Opposing cards are those on your rival's discs; the opposite disc has the same number."),
)
EFFECTS = {
    "sicarius": "Discards any opposing character, and itself.",
    "architectus": "Lays any number of buildings from your hand, free.",
    "consiliarius": "Picks up any of your characters and lays them on discs again, free.",
    "legat": "1 point from the stock for each free disc of your rival.",
    "gladiator": "Sends any opposing character back to its owner's hand.",
    "mercator": "Buys points from your rival, who gets 2 sestertii for each.",
    "consul": "Changes one of your unused dice by 1.",
    "legionarius": "Attacks the card on the opposite disc.",
    "nero": "Discards any opposing building, and itself.",
    "praetorianus": "Blocks a disc of your rival: it cannot be activated in the next turn.",
    "scaenicus": "Does what another character of yours does, as if it were here.",
    "haruspex": "Looks through the pile and takes a card of your choice.",
    "senator": "Lays any number of characters from your hand, free.",
    "velites": "Attacks any opposing character.",
    "essedum": "All opposing cards have 2 less defence in this turn.",
    "tribunus": "Takes 1 point from your rival.",
    "centurio": "Attacks the card on the opposite disc; you may add an unused die.",
    "aesculapinum": "Takes a character from the discard pile into your hand.",
    "basilica": "Not activated. A forum activated on an adjacent disc brings 2 more points.",
    "machina": "Picks up any of your buildings and lays them on discs again, free.",
    "forum": "Use one more die: its value in points from the stock.",
    "mercatus": "Takes 1 point from your rival for each opposing forum.",
    "onager": "Attacks any opposing building.",
    "templum": "Not activated. A forum activated on an adjacent disc may use one more die, for its value in points.",
    "turris": "Not activated. Each of your other cards has 1 more defence.",
}
"""By card (ROMA 6)."""
