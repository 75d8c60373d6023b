"""Bad input is refused in one line that says what is wrong, and changes nothing."""

import functools
import operator

import numpy as np
import pytest

from romans_env import Game, Table, romans_go_home_v0
from romans_env.engine.random_stream import streams_from_seeds
from romans_env.romans_go_home.material import DEFAULT_FORT_DECK
from tests.romans_go_home.stages import new_game, random_game
from tests.tools import state_bytes


@pytest.mark.parametrize(
    ("players", "neutrals"),
    [(0, 2), (1, 0), (1, 3), (3, 2), (4, 1), (5, 0), (-1, 3), ("2", 0), (None, 0), (2, None), (2.5, 0), ([2], 0)],
)
def test_an_impossible_table(players, neutrals):
    for make in (Table, romans_go_home_v0.env, romans_go_home_v0.raw_env):
        with pytest.raises(ValueError, match=r"1\+1, 1\+2, 2\+0, 2\+1, 2\+2, 3\+0, 3\+1, 4\+0"):
            make(num_players=players, num_neutrals=neutrals)


def test_an_unknown_setting():
    for variant in ("Vogel", "", None, 1):
        with pytest.raises(ValueError, match="'standard' and 'vogel'"):
            Table(variant=variant)
    with pytest.raises(ValueError, match=r"render_mode is .*not 'gold'"):
        romans_go_home_v0.raw_env(render_mode="gold")


DECK = list(DEFAULT_FORT_DECK)


@pytest.mark.parametrize(
    ("deck", "why"),
    [
        (DECK[:-1], "18 forts, this one 17"),
        ([*DECK, "tax-8"], "18 forts, this one 19"),
        ([], "18 forts, this one 0"),
        (["legion-1", *DECK[:-1]], "4 Legion forts, this one 5"),
        ([*DECK[1:], "tax-8"], "4 Legion forts, this one 3"),
        (["tax-8"] * 18, "4 Legion forts, this one 0"),
        ([*DECK[:-1], "castle"], "castle"),
        ([*DECK[:-1], "dinary-2"], "dinary-2"),
        ([*DECK[:-1], None], "None"),
        (list(range(18)), "unknown forts"),
        ("legion-1", "a list of 18 forts"),
        (5, "a list of 18 forts"),
    ],
)
def test_a_wrong_deck(deck, why):
    with pytest.raises(ValueError, match=why):
        Table(fort_deck=deck)


def deal_of_2_1():
    return new_game((2, 1, "standard"), seed=1).deal()


def changed(path, value):
    """That deal, with the part at a path replaced, or taken away where the value is None."""
    deal = deal_of_2_1()
    *parents, last = path
    inside = functools.reduce(operator.getitem, parents, deal)
    if value is None:
        del inside[last]
    else:
        inside[last] = value
    return deal


SEVEN = ["qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie"]
FORTS, ROUND = deal_of_2_1()["forts"], deal_of_2_1()["rounds"][0]
WITHOUT_6 = ["tax-8" if fort == "dinary-6" else fort for fort in FORTS]
BAD_DEALS = [
    ("a deal", "an object with the keys"),
    ([deal_of_2_1()], "an object with the keys"),
    (changed(["forts"], None), "an object with the keys"),
    (changed(["rounds"], None), "an object with the keys"),
    (changed(["seed"], 1), "an object with the keys"),
    (changed(["forts"], FORTS[:-1]), "not the table's deck.*missing"),
    (changed(["forts"], [*FORTS, "tax-8"]), "too many tax-8"),
    (changed(["forts"], WITHOUT_6), "dinary-6"),
    (changed(["forts", 0], "castle"), "castle"),
    (changed(["forts"], " ".join(FORTS)), "not a list of names"),
    (changed(["forts"], [None, *FORTS[1:]]), "not a list of names"),
    (changed(["rounds", 2], None), "3 rounds"),
    (changed(["rounds"], [ROUND] * 4), "3 rounds"),
    (changed(["rounds"], 3), "3 rounds"),
    (changed(["rounds", 0], []), "round 1.*must name exactly"),
    (changed(["rounds", 1, "player_1"], None), "round 2.*must name exactly"),
    (changed(["rounds", 1, "player_2"], SEVEN), "round 2.*must name exactly"),
    (changed(["rounds", 0, "player_0"], SEVEN[:6]), "round 1, player_0.*7 warriors"),
    (changed(["rounds", 2, "neutral_0"], SEVEN), "round 3, neutral_0.*6 warriors"),
    (changed(["rounds", 0, "player_1", 6], "knight"), "round 1, player_1.*knight"),
    (changed(["rounds", 0, "player_1"], [*SEVEN[:6], None]), "round 1, player_1"),
    (changed(["rounds", 0, "player_1", 6], ["axx"]), "round 1, player_1"),
    (changed(["rounds", 0, "player_1"], [*SEVEN[:6], "axx"]), "2 copies of axx, a clan has 1"),
    (changed(["rounds", 0, "neutral_0"], ["chariott"] * 3 + SEVEN[:3]), "3 copies of chariott, a clan has 2"),
    (changed(["rounds", 0, "player_0"], "axx"), "round 1, player_0"),
]


@pytest.mark.parametrize(("deal", "why"), BAD_DEALS, ids=range(len(BAD_DEALS)))
def test_a_deal_that_does_not_fit_leaves_the_game_in_progress(deal, why):
    game = random_game((2, 1, "standard"), seed=2, stop_after=10)
    before, record = state_bytes(game), game.record()
    with pytest.raises(ValueError, match=why) as refused:
        game.reset(deal=deal)
    assert "\n" not in str(refused.value)
    assert (state_bytes(game), game.record()) == (before, record)
    with pytest.raises(ValueError, match=why):
        Game(game.rules, deal=deal)


def test_a_deal_of_another_table():
    for table in ((2, 0), (3, 0), (2, 2)):
        with pytest.raises(ValueError, match="must name exactly the clans"):
            new_game(table, deal=deal_of_2_1())


def test_a_deal_goes_before_a_seed():
    assert new_game((2, 1), seed=1, deal=deal_of_2_1()).deal() == deal_of_2_1()


def test_every_kind_of_seed():
    streams = [streams_from_seeds([seed]) for seed in (7, np.int8(7), np.uint64(7), np.random.SeedSequence(7))]
    assert all((stream == streams[0]).all() for stream in streams)
    assert streams_from_seeds([2**64 + 7]).tolist() != streams[0].tolist()
    assert streams_from_seeds([]).shape == (0, 4)
