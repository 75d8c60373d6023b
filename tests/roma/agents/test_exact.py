"""Exact values: the whole tree of a last turn, by expectimax over chance events, and a search that finds them.

In turn 200 nobody acts after the player (ROMA 7.2): the value of a decision is that of its best action, the value of a
chance event the mean over its outcomes (2.1).
"""

from collections import Counter
from fractions import Fraction

import pytest

from romans_agents.loops import search_loops, uniform_evaluator
from romans_agents.loops.tree import Tree, find, hash_of
from romans_agents.searches.search import scratch_for, streams_for
from romans_env.compiling.templates import bound
from romans_env.core.protocol import CHANCE, GAME_OVER
from romans_env.core.python_step import PythonStep
from tests.roma.stages import COPIES_OF, RULES, Stage

FORUM = {"own": {3: "forum", 4: "basilica", 5: "tribunus"}, "rival": {1: "turris"}, "points": (6, 13)}
"""Seven points behind: what the forum brings decides, and the tribunus's point."""
CENTURIO = {
    "own": {1: "essedum", 4: "centurio", 6: "legat"},
    "rival": dict.fromkeys(range(1, 7), "forum"),
    "points": (9, 9),
}
"""Level: a battle that is won frees a disc, for which the legat brings the deciding point."""


def staged(settings, dice):
    """The last turn of a game in which no card can be drawn or laid: the rival holds all that are on no disc."""
    rest = Counter(COPIES_OF) - Counter(settings["own"].values()) - Counter(settings["rival"].values())
    cards = list(rest.elements())
    return Stage(dice, turn=200, pile=(), rival_hand=cards, rival_known=cards, **settings).game


def exact_value(states, seat):
    """The value of a record for a seat, and the number of records in its tree."""
    who = RULES.seat_to_act(states, 0)
    if who == GAME_OVER:
        return Fraction(int(RULES.game_return(states, 0, seat))), 1
    if who == CHANCE:
        outcomes = RULES.chance_outcomes(states, 0)
        found = [(weight, *exact_value(after(states, outcome, RULES.act_chance), seat)) for outcome, weight in outcomes]
        total = sum(weight for weight, _, _ in found)
        return sum(weight * value for weight, value, _ in found) / total, 1 + sum(count for _, _, count in found)
    found = [exact_value(after(states, action, RULES.act), seat) for action in RULES.legal_actions(states, 0)]
    return max(value for value, _ in found), 1 + sum(count for _, count in found)


def after(states, what, play):
    states = states.copy()
    play(states, 0, what)
    return states


@pytest.mark.parametrize(
    ("settings", "dice", "value", "size"),
    [
        (FORUM, (3, 5), Fraction(0), 13),
        (FORUM, (3, 4, 5), Fraction(1), 53),
        (CENTURIO, (4, 6), Fraction(1, 3), 48),
        (CENTURIO, (1, 4, 6), Fraction(2, 3), 366),
        ({**CENTURIO, "points": (8, 9)}, (1, 4, 6), Fraction(-1, 3), 366),
    ],
)
def test_the_tree_of_a_last_turn(settings, dice, value, size):
    game = staged(settings, dice)
    assert exact_value(game.states, 1) == (value, size)


@pytest.mark.parametrize(("dice", "value", "best"), [((4, 6), 1 / 3, "activate:4"), ((1, 4, 6), 2 / 3, "activate:1")])
def test_a_search_finds_the_value(dice, value, best):
    game = staged(CENTURIO, dice)
    step = PythonStep(RULES)
    evaluator = bound(uniform_evaluator, game=step)
    search = bound(search_loops, game=step, evaluator=evaluator)
    view, tree = game.view(1), Tree.new(1024, 16384)
    records, hashed, words = scratch_for(view.states)
    search.iterate(records, hashed, 1, tree, RULES.num_actions, 1.0, 3000, streams_for(view, 0, 1), words)
    place = find(tree, hash_of(hashed, search_loops.VIEW))
    own = slice(tree.first[place], tree.first[place] + tree.counts[place])
    most = tree.visits[own].argmax()
    assert game.action_name(int(tree.actions[own][most])) == best
    assert tree.totals[own][most] / tree.visits[own][most] == pytest.approx(value, abs=0.1)
