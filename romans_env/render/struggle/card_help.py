"""Cards, counters and notions, each explained in a sentence, for a first game."""

from __future__ import annotations

ROUND = (
    ("dice", "Four different numbers are thrown. Places at a hex with the number bring its card to everybody."),
    ("land", "A field brings grain, a mountain ore, a pasture a pasture card (cattle or a horse), a forest nothing."),
    ("a seven", "The legionnaire moves: his hex brings nothing, and a rival who has a place there is robbed."),
    ("building", "Every seat in turn builds armies and wagons, buys cards and trades."),
    ("horsemen", "Every seat's horsemen rest, or move and then plunder or conquer."),
    ("warriors", "The same for every seat's warriors."),
)
TRIBES = (
    ("rest", "2 gold, 1 grain, 1 ore or a pasture card, if the tribe does nothing else."),
    ("move", "The first arrow is free; each more costs 1 grain or 3 gold by land, 1 gold by ship."),
    ("plunder", "A city beside the tribe: its counter, and 1 gold for each wagon. At most 2 counters of a province."),
    ("conquer", "Counters of 3 provinces and a wagon found a kingdom; then an army and a wagon win each further city."),
    ("strength", "The army must be at least as large as the city's towers, or a traitor is played."),
)
POINTS = (
    ("a city", "1 point for each city that you own. They are never lost."),
    ("Diplomacy", "2 points for the first seat with 3 diplomacy played, until another has played more."),
    ("Scourge of Rome", "2 points for each tribe with counters of all 5 provinces."),
    ("Heir to Rome", "2 points if both of your tribes own at least 4 cities."),
    ("the end", "The round in which a seat reaches 10 points is the last. Most points win, then most gold."),
)
PRICES = (
    ("army", "1 ore and 1 horse: a horseman and a warrior."),
    ("wagon", "1 horse, 1 grain and 1 cattle: a wagon for one of your tribes."),
    ("card", "1 cattle and 1 gold: a development card."),
    ("3 gold", "Once a round, 3 gold take the place of one of these cards."),
    ("bank", "3 cards of a kind for 1 grain, 1 ore or a pasture card."),
)
CARDS = {
    "diplomacy": "When you build: move the legionnaire. It counts for the Diplomacy card.",
    "traitor": "Played by itself when your army is smaller than the city's towers.",
    "treasure": "7 gold, in any turn of yours or at the end.",
    "great_warrior": "In a tribe's turn: one more figure for its army.",
    "culture": "1 point at the end of the game.",
}
"""The effect of each development card (STRUGGLE 6)."""
COUNTERS = {
    "gold": "2 gold.",
    "pasture": "A pasture card: cattle or a horse.",
    "card": "A development card.",
    "none": "It brings nothing.",
    "loss": "With any of these, one army is lost.",
}
"""The effect of each symbol on a plunder counter (STRUGGLE 5.5)."""
