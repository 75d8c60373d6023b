"""A second game goes through every game-neutral interface without an edit outside of this folder."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import romans_agents
from romans_agents.kernels import Kernels
from romans_agents.loops.codes import EXTERNAL
from romans_env import Game
from romans_env.render.language import describe, format_answer, introduce, parse
from romans_env.render.replay_page import replay_page
from romans_training.evaluation import evaluate
from tests.toy import dice_race_v0
from tests.toy.dice_race_v0 import SPEC
from tests.toy.rules import DiceRace, DiceSetup

RULES = DiceRace()


def played(seed, agents=None, stop=None):
    """A game played at random, or up to some action."""
    game, rng = Game(RULES, seed=seed), np.random.default_rng(seed)
    game.agents = agents
    while not game.is_over and len(game.actions) != stop:
        game.act(int(rng.choice(game.legal_actions())))
    return game


def test_chance_is_a_function_of_the_seed_and_the_event():
    game, other = played(seed=1), Game(RULES, seed=1)
    while not other.is_over:
        other.act(other.legal_actions()[-1])
    # Other actions, the same luck: dice are keyed by their turn.
    assert game.deal() == other.deal()
    assert len(game.deal()["outcomes"]) == 2 + 10
    assert Game(RULES, seed=2).deal() != Game(RULES, seed=1).deal()


def test_outcomes_are_drawn_by_their_weights():
    faces = [face for seed in range(300) for face in played(seed).deal()["outcomes"]]
    counts = np.bincount(faces, minlength=7)[1:]
    assert np.abs(counts / len(faces) - 1 / 6).max() < 0.02


def test_a_prescribed_list_is_used_first_and_the_seed_goes_on():
    game = Game(RULES, deal={"outcomes": [6, 1, 5, 3]}, seed=4)
    assert game.position() == {"turn": 0, "die": 5, "score": [0, 0], "bonus": [6, 1]}
    game.act("name:5")
    assert game.position()["die"] == 3
    game.act("name:3")
    assert game.deal()["outcomes"][:4] == [6, 1, 5, 3]
    assert game.deal()["outcomes"][4] == Game(RULES, seed=4).deal()["outcomes"][2] or len(game.deal()["outcomes"]) == 5


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


def test_samples_have_luck_of_their_own():
    game, rng = played(seed=5, stop=4), np.random.default_rng(1)
    dice = set()
    for _ in range(20):
        sample = game.view(game.seat_to_act).sample_game(rng)
        sample.act(sample.legal_actions()[0])
        dice.add(int(sample.states["die"][0]))
    assert len(dice) > 2


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
    assert romans_agents.names("dice-race") == ["flat-mc", "llm", "mo-ismcts", "policy", "process", "random"]
    with pytest.raises(
        romans_agents.UnknownAgentError,
        match=r"unknown agent 'greedy' \(it plays romans-go-home\); there are flat-mc, llm, mo-ismcts, policy",
    ):
        romans_agents.make("greedy", game="dice-race")
    with pytest.raises(romans_agents.UnknownAgentError, match="plays romans-go-home, not dice-race"):
        romans_agents.make(str(Path("tests/recordings/policy.npz").resolve()), game="dice-race")
    with pytest.raises(ValueError, match="unknown game 'chess'; there are dice-race, roma, romans-go-home"):
        romans_agents.make("random", game="chess")


@pytest.mark.parametrize("spec", ["flat-mc:iterations=120", "mo-ismcts:iterations=300"])
def test_a_search_beats_chance(spec):
    search = romans_agents.make(spec, game="dice-race")
    found = evaluate(search, [romans_agents.make("random")], DiceSetup(4), num_deals=30, seed=1)
    assert found.win_rate.low > 0.55
    view = Game(RULES, seed=1).view(0)
    search.seed(3)
    again = romans_agents.make(f"{spec},seed=3", game="dice-race")
    assert search.act(view) == again.act(view)


def test_a_compiled_agent_of_another_game_is_asked_from_python():
    greedy = romans_agents.make("greedy")
    assert greedy.compiled_code
    assert Kernels(RULES).code_of(greedy) == EXTERNAL
