"""Bad input is refused in one line that says what is wrong, and changes nothing."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from romans_env import Game, Table, romans_go_home_v0
from romans_env.engine.random_stream import streams_from_seeds
from romans_env.romans_go_home.material import DEFAULT_FORT_DECK
from tests.romans_go_home.stages import new_game, random_game
from tests.tools import state_bytes

# -- tables


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
    for setting in ("reward", "render_mode"):
        with pytest.raises(ValueError, match=f"{setting} is .*not 'gold'"):
            romans_go_home_v0.raw_env(**{setting: "gold"})


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


# -- deals


def deal_of_2_1():
    return new_game((2, 1, "standard"), seed=1).deal()


def with_change(change):
    deal = copy.deepcopy(deal_of_2_1())
    return change(deal) or deal


def set_cards(round_index, clan, cards):
    def change(deal):
        deal["rounds"][round_index][clan] = cards

    return change


def set_forts(change_forts):
    def change(deal):
        deal["forts"] = change_forts(deal["forts"])

    return change


SEVEN = ["qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie"]
BAD_DEALS = [
    pytest.param(lambda deal: "a deal", "an object with the keys", id="text"),
    pytest.param(lambda deal: [deal], "an object with the keys", id="list"),
    pytest.param(lambda deal: deal.pop("forts") and None, "an object with the keys", id="no forts"),
    pytest.param(lambda deal: deal.pop("rounds") and None, "an object with the keys", id="no rounds"),
    pytest.param(lambda deal: deal.update(seed=1), "an object with the keys", id="another key"),
    pytest.param(set_forts(lambda forts: forts[:-1]), "not the table's deck.*missing", id="17 forts"),
    pytest.param(set_forts(lambda forts: [*forts, "tax-8"]), "too many tax-8", id="19 forts"),
    pytest.param(set_forts(lambda forts: ["tax-8" if f == "dinary-6" else f for f in forts]), "dinary-6", id="deck"),
    pytest.param(set_forts(lambda forts: ["castle", *forts[1:]]), "castle", id="unknown fort"),
    pytest.param(set_forts(lambda forts: " ".join(forts)), "not a list of names", id="forts in a text"),
    pytest.param(set_forts(lambda forts: [None, *forts[1:]]), "not a list of names", id="a fort is None"),
    pytest.param(lambda deal: deal["rounds"].pop() and None, "3 rounds", id="two rounds"),
    pytest.param(lambda deal: deal["rounds"].append(deal["rounds"][0]), "3 rounds", id="four rounds"),
    pytest.param(lambda deal: deal.update(rounds=None), "3 rounds", id="rounds are None"),
    pytest.param(lambda deal: deal["rounds"].__setitem__(0, []), "round 1.*must name exactly", id="a round is a list"),
    pytest.param(
        lambda deal: deal["rounds"][1].pop("player_1") and None, "round 2.*must name exactly", id="clan lacks"
    ),
    pytest.param(set_cards(1, "player_2", SEVEN), "round 2.*must name exactly", id="a clan too many"),
    pytest.param(set_cards(0, "player_0", SEVEN[:6]), "round 1, player_0.*7 warriors", id="six for a player"),
    pytest.param(set_cards(2, "neutral_0", SEVEN), "round 3, neutral_0.*6 warriors", id="seven for a neutral"),
    pytest.param(set_cards(0, "player_1", [*SEVEN[:6], "knight"]), "round 1, player_1.*knight", id="unknown warrior"),
    pytest.param(set_cards(0, "player_1", [*SEVEN[:6], None]), "round 1, player_1", id="a warrior is None"),
    pytest.param(set_cards(0, "player_1", [*SEVEN[:6], ["axx"]]), "round 1, player_1", id="a warrior is a list"),
    pytest.param(set_cards(0, "player_1", [*SEVEN[:6], "axx"]), "2 copies of axx, a clan has 1", id="two Axx"),
    pytest.param(
        set_cards(0, "neutral_0", ["chariott"] * 3 + SEVEN[:3]), "3 copies of chariott, a clan has 2", id="Ch'ariotts"
    ),
    pytest.param(set_cards(0, "player_0", "axx"), "round 1, player_0", id="cards in a text"),
]


@pytest.mark.parametrize(("change", "why"), BAD_DEALS)
def test_a_deal_that_does_not_fit_leaves_the_game_in_progress(change, why):
    deal = with_change(change)
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
