"""Openings of Roma that several tests play."""

from tests.roma.stages import new_game
from tests.tools import act_each

EXAMPLE_CARDS = ["forum", "legat", "turris", "consul", "onager", "legionarius", "forum", "basilica"]
EXAMPLE_DICE = [3, 6, 1, 3, 5, 2, 5, 4]
EXAMPLE_OUTCOMES = [*EXAMPLE_CARDS, *EXAMPLE_DICE]
EXAMPLE_OPENING = """
    player_0 give:turris, player_0 give:consul, player_1 give:basilica, player_1 give:forum,
    player_0 lay:forum:3, player_0 lay:basilica:4, player_0 lay:forum:5, player_0 lay:legat:1,
    player_1 lay:onager:2, player_1 lay:legionarius:3, player_1 lay:turris:5, player_1 lay:consul:6
"""


def example_game():
    """The game of ROMA 11.1 after its opening."""
    return act_each(new_game(outcomes=EXAMPLE_OUTCOMES), EXAMPLE_OPENING.split(","))


OUTCOMES = [*EXAMPLE_CARDS, 3, 6, 1]


def after(*actions):
    game = new_game(seed=1, outcomes=OUTCOMES)
    for action in actions:
        game.act(action)
    return game


GIFTS = ("give:turris", "give:consul", "give:basilica", "give:forum")
