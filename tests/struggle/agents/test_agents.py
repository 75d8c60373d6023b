"""The agents of Struggle for Rome: what they weigh, and of some sense."""

import numpy as np
import pytest

import romans_agents
from romans_agents import Agent
from romans_agents.loops.codes import FIRST_OWN
from romans_agents.struggle.places import CHANCE
from romans_agents.struggle.scripted import ChieftainAgent, KingdomBuilderAgent, PlundererAgent, TraderAgent
from romans_agents.struggle.styles import NAMES, STYLES, TRADER
from romans_agents.struggle.value import standing_of
from tests.struggle.stages import Stage, opened

SCRIPTED = [ChieftainAgent, PlundererAgent, KingdomBuilderAgent, TraderAgent]


def made(spec: str) -> Agent:
    return romans_agents.make(spec, game="struggle")


def test_the_chances_of_numbers():
    # Four of the eleven sums bear a marker at the end of phase 1 (STRUGGLE 4.1).
    assert CHANCE[2:].sum() == pytest.approx(4.0) and (CHANCE[:2] == 0.0).all()
    assert CHANCE[2:7].tolist() == pytest.approx(CHANCE[12:7:-1].tolist()) and (np.diff(CHANCE[2:8]) > 0.0).all()


def test_every_style_has_every_weight():
    assert STYLES.shape == (len(SCRIPTED), len(NAMES)) and np.isfinite(STYLES).all()
    assert len({row.tobytes() for row in STYLES}) == len(SCRIPTED)
    assert [agent.code - FIRST_OWN for agent in SCRIPTED] == list(range(len(SCRIPTED)))


def test_a_tribe_plunders_in_a_province_that_it_lacks():
    stage = Stage(3, tribes={(0, "horseman"): {"at": 107, "army": 3, "counters": "italia_inferus"}})
    chosen = []
    while not (chosen and chosen[-1].startswith("plunder:")):
        chosen.append(stage.chosen_by(PlundererAgent()))
        stage.play(chosen[-1])
        assert len(chosen) < 4
    assert len(stage.mine["tribes"]["horseman"]["counters"]) == 2


def test_a_kingdom_takes_a_city_that_it_can_take():
    tribe = {"cities": ["noviomagus"], "army": 3, "wagons": 2}
    stage = Stage(3, tribes={(0, "horseman"): tribe})
    assert stage.chosen_by(KingdomBuilderAgent()).startswith("conquer:")


def test_the_cards_of_an_army_buy_it():
    stage = Stage(2, hands={0: "ore horse"}, gold={0: 0}, player_trade=False)
    assert stage.chosen_by(ChieftainAgent()) == "army"


def test_a_trader_accepts_what_completes_a_purchase():
    gold = dict.fromkeys(range(4), 0)
    stage = Stage(2, hands={0: "horse horse", 1: "ore ore ore"}, gold=gold).play("offer:horse:ore:1-1")
    assert stage.decision["kind"] == "answer"
    assert stage.chosen_by(TraderAgent()) == "accept"


def test_another_seed_searches_otherwise():
    view = opened(40, 2).view(opened(40, 2).seat_to_act)
    visits = [made(f"mo-ismcts:iterations=60,seed={seed}").search(view)[1].tobytes() for seed in (1, 2)]
    assert visits[0] != visits[1]


def test_a_standing_grows_with_what_a_seat_has():
    weights = STYLES[TRADER]

    def standing(**staged):
        return standing_of(Stage(2, **staged).game.states[0], 0, weights)

    bare = standing()
    assert standing(hands={0: "ore horse"}) > bare
    assert standing(cards={0: "culture"}) > standing(cards={0: "treasure"}) > bare
    assert standing(tribes={(0, "horseman"): {"army": 2}}) > standing(tribes={(0, "horseman"): {"army": 1}})
    assert standing(tribes={(0, "horseman"): {"counters": "gallia"}}) > bare
