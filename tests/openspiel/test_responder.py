"""The response by search in games of OpenSpiel: the best response itself, where the game fits into its budget."""

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel

from benchmarks.openspiel.tabular import TabularAgent, exact_response, exact_value, policies, tabular
from romans_agents.openspiel.responder import OpenSpielResponder
from romans_env.core.games import spec_of


def brought(name, number=6):
    game = pyspiel.load_game(name)
    return game, spec_of(f"openspiel:{name}").make_rules(returns="points"), policies(game, number)


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice(dice_sides=2)"])
def test_the_response_is_worth_what_a_best_response_is(name):
    game, rules, found = brought(name)
    for label, table in found:
        response = tabular(game, OpenSpielResponder(TabularAgent(table, label), rules), rules)
        assert exact_value(game, response, table) == pytest.approx(exact_response(game, table), abs=1e-9), label


def test_a_response_with_a_small_budget_is_worth_no_more_and_mostly_less():
    game, rules, found = brought("kuhn_poker")
    short = []
    for label, table in found:
        response = tabular(game, OpenSpielResponder(TabularAgent(table, label), rules, 4), rules)
        short.append(exact_response(game, table) - exact_value(game, response, table))
    assert min(short) > -1e-9 and max(short) > 1e-3


def test_an_agent_that_does_what_it_says_it_never_does_is_answered():
    game, rules, found = brought("kuhn_poker")
    label, table = found[0]
    table.action_probability_array[:] = np.eye(2)[0]  # never bets
    response = OpenSpielResponder(TabularAgent(table, label), rules)
    answers = tabular(game, response, rules).action_probability_array
    assert (answers.sum(axis=1) == 1).all()


def test_the_command_responds_by_search(called):
    words = "exploit random --by search --game openspiel:kuhn_poker --search-deals 20 --setup returns=points"
    status, out, err = called(*words.split())
    assert status == 0 and "random can be exploited: the response by search" in " ".join(out.split()), err
