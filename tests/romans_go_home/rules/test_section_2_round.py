"""RULES 2: a round, and the deal."""

from collections import Counter

import pytest

from tests.romans_go_home.invariants import check_cards
from tests.romans_go_home.stages import COPIES_OF, TABLES, Stage, new_game, table_id
from tests.tools import Lcg, decisions, state_bytes

PLAN = {"player_0": "", "player_1": ""}


KINDS = {kind[0]: kind for kind in ("dinary", "legion", "signal", "tax", "unwary")}


def wall_of(drawn: str) -> str:
    """The wall of the first round when these six forts are drawn, in this order: ``"d5 t8"`` is dinary-5 tax-8."""
    rest = ["legion-1"] * (4 - drawn.count("l"))
    forts = [f"{KINDS[kind]}-{points}" for kind, points in drawn.split()]
    forts += rest + ["dinary-4"] * (12 - len(rest))
    cards = {"player_0": list(COPIES_OF)[:7], "player_1": list(COPIES_OF)[:7]}
    game = new_game((2, 0, "standard", forts), deal={"forts": forts, "rounds": [cards] * 3})
    return " ".join(f"{fort[0]}{fort[-1]}" for fort in game.position()["wall"])


@pytest.mark.parametrize(
    ("drawn", "wall"),
    [
        # the highest goes to the right end, the lowest to the left end, the others keep their order
        ("d5 t8 d4 u2 d6 d3", "u2 d5 d4 d6 d3 t8"),
        # they lie there already
        ("d1 d5 d4 u2 d3 d6", "d1 d5 d4 u2 d3 d6"),
        # among equal highest ones the one nearest to the right end: signal-4 of the three fours
        ("d4 d1 d4 s4 d3 u2", "d1 d4 d4 d3 u2 s4"),
        # and the other way about: here it is dinary-4
        ("s4 d1 s4 d4 d3 u2", "d1 s4 s4 d3 u2 d4"),
        # among equal lowest ones the one nearest to the left end: the signal-4
        ("d6 s4 d5 d4 d5 d6", "s4 d6 d5 d4 d5 d6"),
        # all equal: the last drawn is the highest, the first the lowest
        ("s4 d4 d4 d4 d4 s4", "s4 d4 d4 d4 d4 s4"),
        # Legion forts are not positive: they are never the lowest
        ("l3 d6 l1 d1 l2 d3", "d1 l3 l1 l2 d3 d6"),
        # two positive forts among four Legion forts
        ("l3 d6 l1 d1 l2 l2", "d1 l3 l1 l2 l2 d6"),
    ],
)
def test_2_1_the_wall(drawn, wall):
    assert wall_of(drawn) == wall


def test_2_1_every_round_lays_the_next_six_forts():
    walls = [
        "dinary-1 legion-1 dinary-3 dinary-4 dinary-5 dinary-6",
        "unwary-2 legion-2 dinary-4 signal-4 dinary-3 dinary-5",
        "unwary-2 legion-3 legion-1 dinary-5 dinary-3 tax-8",
    ]
    stage = Stage(PLAN, walls)
    for number, wall in enumerate(walls, 1):
        position = stage.game.position()
        assert (position["round"], position["turn"], position["wall"]) == (number, 0, wall.split())
        game = stage.game
        while not game.is_over and game.position()["round"] == number:
            game.act(game.legal_actions()[-1])


def test_2_2_every_clan_has_its_nine_again_and_nothing_stays_but_forts():
    for game in decisions(new_game((2, 1, "standard"), seed=4), seed=4):
        position = game.position()
        if position["turn"] == 0:
            check_cards(game, position)
            assert not any(clan["face_up"] + clan["shown"] for clan in position["clans"].values())


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_2_2_players_draw_seven_and_neutrals_a_line_of_six(table):
    game = new_game(table, seed=5)
    for cards in game.deal()["rounds"]:
        for clan, drawn in cards.items():
            assert len(drawn) == (7 if clan.startswith("player") else 6)
            assert Counter(drawn) <= Counter(COPIES_OF)
    for clan, cards in game.position()["clans"].items():
        if clan.startswith("neutral"):
            assert cards["hidden"] == game.deal()["rounds"][0][clan]
            assert cards["hand"] == [] and cards["set_aside"] is None


def test_2_2_each_of_the_nine_cards_is_drawn_alike():
    # A neutral's line leaves three of nine cards out. Over 3000 lines each single card is in 2000 of them on average
    # (standard deviation 26), and the two Ch'ariotts together in 4000.
    counts: Counter[str] = Counter()
    for seed in range(1000):
        for cards in new_game((1, 1, "standard"), seed).deal()["rounds"]:
            counts.update(cards["neutral_0"])
    for name, copies in COPIES_OF.items():
        assert abs(counts[name] - 2000 * copies) < 130 * copies, counts


def test_2_3_deal_and_decisions_decide_the_game():
    game, lcg = new_game((3, 1, "standard"), seed=6), Lcg(6)
    twin = new_game((3, 1, "standard"), deal=game.deal())
    while not game.is_over:
        assert state_bytes(twin) == state_bytes(game)
        action = lcg.pick(game.legal_actions())
        game.act(action)
        twin.act(action)
    assert state_bytes(twin) == state_bytes(game)
