"""The searches in Struggle for Rome: legal, from private views alone, compiled as interpreted, and of some strength."""

from __future__ import annotations

import pytest

import romans_agents
from romans_agents import Agent
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.value import standing_of
from romans_env.struggle import StruggleSetup
from romans_training.evaluation import evaluate
from tests.struggle.stages import SETTINGS, Stage, new_game, opened

SEARCHES = ["flat-mc:iterations=10", "mo-ismcts:iterations=10"]


def made(spec: str) -> Agent:
    return romans_agents.make(spec, game="struggle")


@pytest.mark.parametrize(("spec", "settings"), [*zip(SEARCHES * 2, SETTINGS, strict=True)])
def test_a_search_plays_legal_actions_in_every_setup(spec, settings):
    agent, rival = made(spec), made("trader")
    game = new_game(7, **settings)
    for _ in range(60):
        if game.is_over:
            break
        action = (agent if game.seat_to_act == 0 else rival).act(game.view(game.seat_to_act))
        assert action in game.legal_actions()
        game.act(action)


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


def test_flat_mc_beats_random():
    found = evaluate(made("flat-mc:iterations=20"), [made("random")] * 3, StruggleSetup(), num_deals=4)
    assert found.win_rate.mean > 0.7  # even is 25 %
