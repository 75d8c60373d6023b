"""The effect of each card in a sentence, for a first game."""

from __future__ import annotations

ROUND = (
    ("plan", "Set one of your seven warriors aside, and place the other six face-down, slot 1 first."),
    ("turn", "Every clan turns up its next warrior. Face-up warriors add up to the clan's total."),
    ("tie", "Nobody captures, unless exactly one of the tied clans revealed Arch'r in this turn."),
)
CAPTURES = (
    ("winner", "Takes the fort of the turn, and discards all its face-up warriors."),
    ("others", "Keep their face-up warriors: the strength counts again, the effects do not."),
)
WARRIOR_EFFECTS = {
    "qween": "Charms a rival's warrior of this turn: its strength counts for you. Two Qweens charm nobody.",
    "druhid": "If you capture, you may take any other fort of the wall instead.",
    "zvord": "You may put your hidden warriors in a new order.",
    "axx": "If you capture, he may stay face-up.",
    "archr": "Wins a tie, unless another of the tied clans revealed one, too.",
    "filchy": "Your clan does not fight in this turn.",
    "horsie": "If you do not capture, you lose another face-up warrior, or her if she is alone.",
    "chariott": "Wrecked if a rival reveals one in the same turn.",
}
"""The effect of each warrior (RULES 1.1)."""
WARRIOR_NOTES = {
    "qween": "charms a rival",
    "druhid": "takes any fort",
    "zvord": "new order",
    "axx": "stays if he wins",
    "archr": "wins ties",
    "filchy": "does not fight",
    "horsie": "must capture",
    "chariott": "wrecked if two",
}
"""The effect of each warrior in a word or two, shown on a card and next to a choice."""
FORT_NOTES = {
    "legion": "three win",
    "unwary": "one may stay",
    "signal": "others lose one",
    "tax": "costs a fort",
}
"""The effect of each kind of fort in a word or two; the other kinds have none."""
FORT_EFFECTS = (
    ("Legion", "-1 to -3", "Three of these win the game at once."),
    ("Dinary", "1 to 6", "Its points, and nothing else."),
    ("Unwary", "2", "You may keep your weakest face-up warrior."),
    ("Signal", "4", "Every other clan discards one of its face-up warriors."),
    ("Tax", "8", "You give up one of your other forts, or this one if you have no other."),
)
"""Name, points and effect of each kind of fort (RULES 1.2, 5)."""
