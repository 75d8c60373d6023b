"""The coach for a first game of Struggle for Rome."""

from __future__ import annotations

from romans_env.render.coach import Coach, Lesson

COACH = Coach(
    aim=(
        "Ten points make the round the last one, and then most points win.",
        "Plunder cities with two tribes for counters of provinces, then conquer: a point a city.",
        "Counters of all five provinces bring 2 more, four cities of both tribes 2, Diplomacy 2.",
    ),
    lessons=(
        Lesson(
            "legion",
            "Move him to a hex whose number your rivals need and you do not; a red number comes up most.",
        ),
        Lesson("rob", "You take a card, or gold, from one seat at his hex: choose the one who is ahead."),
        Lesson(
            "build",
            "Armies and wagons are built here. A city is taken by an army at least as large as its number of towers.",
        ),
        Lesson(
            "build",
            "A wagon brings 1 gold in each plundering, and every conquered city needs one. Three cards of a kind "
            "become one of another at the bank.",
        ),
        Lesson("answer", "A rival offers a trade: what you give helps your rival as much as what you get helps you."),
        Lesson(
            "tribe",
            "A tribe moves, and then plunders or conquers a city beside it; or it rests, for gold or a card. The first "
            "arrow of its way is free.",
        ),
        Lesson(
            "tribe",
            "Before a tribe conquers it needs counters of three provinces and a wagon: plunder in different provinces.",
        ),
        Lesson("fare", "Each arrow after the first costs 1 grain or 3 gold by land, and 1 gold by ship."),
    ),
)
