"""The coach for a player's first game of Roma."""

from __future__ import annotations

from romans_env.render.coach import Coach, Lesson

COACH = Coach(
    aim=(
        "Have more points than your rival when the stock is empty, or when one side has none.",
        "Each of your three dice brings sestertii, or cards, or activates the card on its disc.",
        "A free disc costs you a point at the start of each turn of yours: fill all six soon.",
    ),
    lessons=(
        Lesson("give", "Each gives two cards to the other before the game: keep what you can use soon."),
        Lesson(
            "lay",
            "Cards of the opening lie face-down until both have laid theirs, and cost nothing. A card is activated by "
            "a die with the number of its disc.",
        ),
        Lesson(
            "main",
            "Use a die: for sestertii, for cards, or to activate the card on the disc with its number. Cards are laid "
            "for sestertii, in any order, without a die.",
        ),
        Lesson(
            "main",
            "A card's sentence is what it does when it is activated; the shield is its defence when it is attacked.",
        ),
        Lesson("main", "The turn goes on until you end it, with the button at the edge. Unused dice are lost."),
        Lesson("triple", "You may throw three equal dice again. If you keep them, they all fit the same disc."),
        Lesson("keep", "You see as many cards as the die shows, and keep one; the others are discarded."),
        Lesson("rival", "Choose a card of your rival: look for one that brings points, and has little defence."),
        Lesson("own", "Choose a card of yours, on one of your discs."),
        Lesson("die", "A die that you use here is not there for anything else in this turn."),
    ),
)
