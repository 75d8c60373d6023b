"""Faults that are planted in the adapter of OpenSpiel's games: each is found by a playthrough or by `check_game`."""

import pytest

pytest.importorskip("pyspiel")

from romans_env.core.games import spec_of
from romans_env.openspiel import places, tree_rules, views
from romans_env.openspiel.rules import OpenSpielRules
from romans_env.openspiel.tree import Tree
from romans_env.openspiel.tree_rules import OpenSpielTreeRules
from romans_env.testing import check_game
from tests.openspiel.playthroughs import check_playthrough, rules_of


def check(text):
    """All that looks at a game; AssertionError for what it finds."""
    rules = rules_of(text)
    for seed in range(8):
        check_playthrough(rules, seed)
    assert check_game(spec_of(f"openspiel:{text}")) == []


def plant_wrong_weights(monkeypatch):
    monkeypatch.setattr(places, "weights_of", lambda chances: tuple(range(1, len(chances) + 1)))


def plant_wrong_order_after_chance(monkeypatch):
    """The next player after a chance event is taken for the one before it."""
    real = OpenSpielRules.act_chance

    def act_chance(self, states, i, outcome):
        seat = real(self, states, i, outcome)
        if seat >= 0:
            states["to_act"][i] = seat = (seat + 1) % self.num_players
        return seat

    monkeypatch.setattr(OpenSpielRules, "act_chance", act_chance)


def plant_returns_of_the_wrong_seat(monkeypatch):
    real = OpenSpielRules._points_at
    monkeypatch.setattr(OpenSpielRules, "_points_at", lambda self, place: real(self, place)[::-1])


def plant_the_information_of_the_other(monkeypatch):
    real = views.Views.tensor
    monkeypatch.setattr(views.Views, "tensor", lambda self, place, seat: real(self, place, 1 - seat))


def plant_a_view_that_shows_the_history(monkeypatch):
    real = OpenSpielRules.redacted_for

    def redacted_for(self, states, i, seat):
        view = real(self, states, i, seat)
        view["history"], view["length"] = states["history"][i], states["length"][i]
        return view

    monkeypatch.setattr(OpenSpielRules, "redacted_for", redacted_for)


def plant_a_view_that_shows_the_place(monkeypatch):
    real = OpenSpielTreeRules.redacted_for

    def redacted_for(self, states, i, seat):
        view = real(self, states, i, seat)
        view["place"] = states["place"][i]
        return view

    monkeypatch.setattr(OpenSpielTreeRules, "redacted_for", redacted_for)


def plant_a_table_with(monkeypatch, change):
    """Let the tables of compiled steps have a fault, which Python's rules do not have."""
    real = Tree.table
    monkeypatch.setattr(tree_rules, "_TREES", {})
    monkeypatch.setattr(Tree, "table", lambda self, *given: real(*change(self, *given)))


def plant_returns_of_the_wrong_seat_in_the_table(monkeypatch):
    plant_a_table_with(monkeypatch, lambda tree, points, returns, wins: (tree, points, returns[:, ::-1], wins))


def plant_wrong_weights_in_the_table(monkeypatch):
    def change(tree, *given):
        for row in tree._rows:
            row.moves[:] = [(move, following, k + 1) for k, (move, following, _) in enumerate(row.moves)]
        return tree, *given

    plant_a_table_with(monkeypatch, change)


def plant_information_of_the_other_in_the_table(monkeypatch):
    def change(tree, *given):
        tree.sets = tree.sets[:, ::-1].copy()
        return tree, *given

    plant_a_table_with(monkeypatch, change)


def plant_unlikely_determinizations(monkeypatch):
    """All places that a seat cannot tell apart are possible, and one is drawn that is not among them."""

    def change(tree, *given):
        tree.members = [(numbers + 1, weights) for numbers, weights in tree.members]
        return tree, *given

    plant_a_table_with(monkeypatch, change)


IN_BOTH = [plant_wrong_weights, plant_wrong_order_after_chance, plant_the_information_of_the_other]
FAULTS = {
    "universal_poker": [*IN_BOTH, plant_returns_of_the_wrong_seat, plant_a_view_that_shows_the_history],
    "leduc_poker": [
        *IN_BOTH,
        plant_a_view_that_shows_the_place,
        plant_returns_of_the_wrong_seat_in_the_table,
        plant_wrong_weights_in_the_table,
        plant_information_of_the_other_in_the_table,
        plant_unlikely_determinizations,
    ],
}
"""A game with histories, and one with a table."""


@pytest.mark.parametrize(("text", "plant"), [(text, plant) for text, plants in FAULTS.items() for plant in plants])
def test_a_planted_fault_is_found(monkeypatch, text, plant):
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check(text)
