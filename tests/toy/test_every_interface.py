"""A second game goes through every game-neutral interface without an edit outside of this folder."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import romans_agents
from romans_agents.batches.game_arrays import code_of
from romans_agents.loops.codes import EXTERNAL
from romans_env import Game
from romans_env.render.language import describe, format_answer, introduce, parse
from romans_env.render.replay_page import replay_page
from romans_training.measure.evaluation import evaluate
from tests.toy import dice_race_v0
from tests.toy.dice_race_v0 import SPEC
from tests.toy.rules import DiceRace, DiceSetup

RULES = DiceRace()


@pytest.mark.parametrize("wrong", [7, 0, True, 3.0, "3", None])
def test_an_impossible_outcome_is_an_error_that_changes_nothing(wrong):
    with pytest.raises(ValueError, match="outcome 2 of the deal: a die shows 1 to 6"):
        Game(RULES, deal={"outcomes": [1, wrong]})
    game = Game(RULES, deal={"outcomes": [1, 2, 3, wrong]})
    before, deal = game.states.tobytes(), game.deal()
    for _ in range(2):
        with pytest.raises(ValueError, match="outcome 4 of the deal"):
            game.act(game.legal_actions()[0])
        assert (game.states.tobytes(), game.deal(), game.seat_to_act, game.actions) == (before, deal, 0, [])
    env = dice_race_v0.raw_env()
    env.reset(seed=1)
    position = env.position()
    with pytest.raises(ValueError, match="outcome 1 of the deal"):
        env.reset(options={"deal": {"outcomes": [wrong]}})
    assert env.position() == position


def test_no_view_or_pickle_of_one_betrays_the_bonus_or_the_luck():
    deal = {"outcomes": [2, 3, 4, 1, 6]}
    games_of_bonus = [Game(RULES, deal={"outcomes": [2, bonus, *deal["outcomes"][2:]]}, seed=bonus) for bonus in (1, 6)]
    for game in games_of_bonus:
        game.act(game.legal_actions()[2])
    first, second = (game.view("player_0") for game in games_of_bonus)
    assert pickle.dumps(first) == pickle.dumps(second)
    assert first.position() == second.position() == {"turn": 1, "die": 1, "score": [1, 0], "bonus": [2, None]}
    assert first.legal_actions() == [] and not first.action_mask.any()
    pages = [replay_page(game, viewer="player_0").html for game in games_of_bonus]
    assert pages[0] == pages[1]


def test_a_decision_is_described_and_an_answer_read():
    game, rng = Game(RULES, seed=1), np.random.default_rng(1)
    assert introduce("dice-race").startswith(SPEC.title)
    while not game.is_over:
        view = game.view(game.seat_to_act)
        text = describe(view)
        for action in view.legal_actions():
            assert f"- {view.action_name(action)}\n" in text
            assert parse(format_answer([action], view), view) == action
        game.act(int(rng.choice(view.legal_actions())))


def test_agents_are_made_for_their_game():
    assert romans_agents.names("dice-race") == ["flat-mc", "llm", "mo-ismcts", "policy", "process", "random", "sb3"]
    with pytest.raises(
        romans_agents.UnknownAgentError,
        match=r"unknown agent 'greedy' \(it plays romans-go-home\); there are flat-mc, llm, mo-ismcts, policy",
    ):
        romans_agents.make("greedy", game="dice-race")
    with pytest.raises(romans_agents.UnknownAgentError, match="plays romans-go-home, not dice-race"):
        romans_agents.make(str(Path("tests/recordings/policy.npz").resolve()), game="dice-race")
    with pytest.raises(ValueError, match="unknown game 'chess'; there are dice-race, roma, romans-go-home"):
        romans_agents.make("random", game="chess")


@pytest.mark.parametrize("spec", ["flat-mc:iterations=120", "mo-ismcts:iterations=200"])
def test_a_search_beats_chance(spec):
    search = romans_agents.make(spec, game="dice-race")
    found = evaluate(search, [romans_agents.make("random")], DiceSetup(4), num_deals=20, seed=1)
    assert found.win_rate.low > 0.55
    view = Game(RULES, seed=1).view(0)
    search.seed(3)
    again = romans_agents.make(f"{spec},seed=3", game="dice-race")
    assert search.act(view) == again.act(view)


def test_a_compiled_agent_of_another_game_is_asked_from_python():
    greedy = romans_agents.make("greedy")
    assert greedy.compiled_code
    assert code_of(RULES, greedy) == EXTERNAL
