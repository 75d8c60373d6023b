"""The coach for a first game of Romans Go Home!"""

from __future__ import annotations

from romans_env.render.coach import Coach, Lesson

COACH = Coach(
    aim=(
        "Six forts are fought for in each of three rounds. Most points in forts win.",
        "In each turn all turn up a warrior; the highest total strength takes the fort.",
        "Legion forts cost points, but three of them win at once: watch who has two.",
    ),
    lessons=(
        Lesson(
            "discard",
            "You hold seven warriors, and there are six forts: one stays out. The number on a card is its strength; "
            "point at it, or touch it, to read what it does.",
        ),
        Lesson(
            "place",
            "Your warriors lie face-down, each below the fort that it fights for. Put strong ones where you want the "
            "fort, and weak ones where you do not.",
        ),
        Lesson(
            "place",
            "If you do not capture, your warrior stays face-up and counts again in the next turn: a weak warrior helps "
            "the strong one that follows it.",
        ),
        Lesson(
            "charm",
            "The strength of the warrior that your Qween charms counts for you, not for its clan: the highest number "
            "is usually best.",
        ),
        Lesson("take", "You capture, and Dru'hid lets you choose: look for the fort that is worth most on the wall."),
        Lesson(
            "reorder",
            "You have seen what the others turned up, and may lay your hidden warriors anew. The forts stay in place.",
        ),
        Lesson(
            "axx",
            "A clan that captures discards all its face-up warriors. Only Axx may stay, and he counts again next turn.",
        ),
        Lesson("unwary", "The Unwary fort is guarded badly: your weakest face-up warrior may stay, and count again."),
        Lesson("lose", "One face-up warrior goes, and its strength with it: the weakest is missed least."),
        Lesson(
            "give_up",
            "The Tax fort brings 8 points and costs you another fort: the one with the fewest points, unless you "
            "collect Legion forts.",
        ),
    ),
)
