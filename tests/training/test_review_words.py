"""A review in words: its sentences agree with the result of the game, and name each mistake by its place."""

import re

import pytest

from romans_agents.variates.luck import Luck
from romans_env import Game, Roma
from romans_training.compare.game_review import Decision, Review
from romans_training.compare.review_words import cost_in_words, mistake_as_json, places_of

GOOD, BAD = Luck(0, "the dice", (0.3, -0.3)), Luck(3, "a card", (-0.2, 0.2))


@pytest.fixture(scope="module")
def game():
    found = Game(Roma(), seed=1)
    while not found.is_over:
        found.act(found.legal_actions()[0])
    return found


def decision(action, loss, played=("lay:forum:1",), player="player_0"):
    shares = {played: 0.4, ("end",): 0.4 + loss}
    words = {played: "lay forum on disc 1", ("end",): "end the turn"}
    return Decision(action, player, played, ("end",), 0.4 + loss, loss, 0.001, shares, words)


def sentences(game, monkeypatch, winners, losses=(), luck=()):
    monkeypatch.setattr(game, "winners", lambda: list(winners))
    decisions = [decision(k, loss) for k, loss in enumerate((*losses, 0.0))]
    return Review(game, "flat-mc", decisions, [*luck] or None).sentences()


def test_the_choices_agree_with_the_result(game, monkeypatch):
    def said(winners, *losses):
        (line,) = sentences(game, monkeypatch, winners, losses)
        return line

    worst = "the worst cost 24 % of the chance to win (opening, lay)"
    only = "cost 24 % of the chance to win (opening, lay)"
    you, other, both = ["player_0"], ["player_1"], ["player_0", "player_1"]
    assert said(you) == "player_0 won without a mistake in 1 choice."
    assert said(you, 0.1, 0.24) == f"player_0 won in spite of 2 mistakes in 3 choices; {worst}."
    assert said(other, 0.1, 0.24) == f"player_0 lost with 2 mistakes in 3 choices; {worst}."
    assert said(other, 0.24) == f"player_0 lost with one mistake in 2 choices, which {only}."
    assert said(other, 0.01, 0.03) == "player_0 lost without a mistake in 3 choices."
    assert said(both, 0.24) == f"player_0 shared the win in spite of one mistake in 2 choices, which {only}."
    assert said([], 0.24).startswith("player_0 lost with one mistake")


def test_the_luck_agrees_with_the_result(game, monkeypatch):
    def said(winners, *luck):
        return sentences(game, monkeypatch, winners, luck=luck)[1]

    you, other, both = ["player_0"], ["player_1"], ["player_0", "player_1"]
    good, bad = "most of all with the dice (+30 % to win)", "most of all with a card (-20 % to win)"
    assert said(you, GOOD, BAD) == f"player_0 had good luck, {good}."
    assert said(other, GOOD, BAD) == f"player_0 lost in spite of good luck, {good}."
    assert said(other, BAD) == f"player_0 had bad luck, {bad}."
    assert said(you, BAD) == f"player_0 won in spite of bad luck, {bad}."
    assert said(both, BAD) == f"player_0 had bad luck, {bad}."
    for winners in (you, other, both):
        assert said(winners, GOOD, BAD, Luck(5, "a die", (-0.07, 0.07))) == "player_0 had neither good nor bad luck."


def test_no_share_is_beyond_the_whole(game, monkeypatch):
    luck = [Luck(k, "a card", (1.3, -1.3)) for k in range(3)]
    for line in sentences(game, monkeypatch, ["player_1"], [0.7, 0.6, 1.2], luck):
        assert all(int(number) <= 100 for number in re.findall(r"(\d+) %", line))
    told = mistake_as_json(decision(0, 1.2), "opening")
    assert (told["share"], told["better_share"]) == (0.4, 1.0) and "100 % of the chance" in told["line"]


def test_a_mistake_has_its_place_and_its_kind(game):
    places = places_of(game)
    assert places[0] == "opening" and places[-1].startswith("turn ") and len(places) == len(game.actions)
    assert cost_in_words(decision(0, 0.24), "round 1") == "round 1, lay: 24 % of the chance to win"
    assert cost_in_words(decision(0, 0.24, ("discard:axx", "place:w")), "round 2").startswith("round 2, plan: ")
