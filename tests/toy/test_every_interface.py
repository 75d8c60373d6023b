"""A second game goes through every game-neutral interface without an edit outside of this folder."""

from __future__ import annotations

import pickle
import time
from pathlib import Path

import numpy as np
import pytest

import romans_agents
from romans_agents.kernels import Kernels
from romans_agents.loops.codes import EXTERNAL, LEARNER
from romans_agents.self_play_batch import SelfPlayBatch
from romans_agents.single_agent_batch import SingleAgentBatch
from romans_env import Game, draw, replay
from romans_env.protocol import CHANCE
from romans_env.render.language import describe, format_answer, introduce, parse
from romans_env.render.replays import replay_page
from romans_training.annotations import agents_of
from romans_training.deals import deal_games, deal_seed
from romans_training.evaluation import evaluate
from romans_training.tournament import tournament
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


# -- a game, its chance, its record


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


def test_samples_are_uniform():
    view, rng = Game(RULES, seed=3).view("player_0"), np.random.default_rng(0)
    bonus = [int(view.sample_game(rng).states["bonus"][0, 1]) for _ in range(3000)]
    assert np.abs(np.bincount(bonus, minlength=7)[1:] / 3000 - 1 / 6).max() < 0.03


def test_a_game_that_was_not_over_goes_on_from_its_record():
    game = replay(played(seed=8, stop=3).record())
    while not game.is_over:
        game.act(game.legal_actions()[-1])
    assert len(game.actions) == 10
    assert replay(game.record()).record() == game.record()


def test_a_page_and_a_picture_are_made(tmp_path):
    game = played(seed=7, agents={"player_0": "random", "player_1": None})
    page = replay_page(game)
    page.save(tmp_path / "page.html")
    assert "Dice Race" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert game._repr_svg_().startswith("<svg") and game.view(0)._repr_svg_().startswith("<svg")
    assert draw(game.position(), game=RULES.name).svg == draw(game).svg == game._repr_svg_()
    assert set(agents_of(game)) == {"player_0"}


# -- words for language models


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


# -- agents and batches of games


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


def test_a_search_has_a_budget_in_seconds():
    view = Game(RULES, seed=1).view(0)
    for name in ("flat-mc", "mo-ismcts"):
        search = romans_agents.make(f"{name}:seconds=0.05", game="dice-race")
        search.act(view)
        started = time.perf_counter()
        assert search.act(view) in view.legal_actions()
        assert time.perf_counter() - started < 0.5


def test_a_compiled_agent_of_another_game_is_asked_from_python():
    greedy = romans_agents.make("greedy")
    assert greedy.compiled_code
    assert Kernels(RULES).code_of(greedy) == EXTERNAL


def test_both_seatings_of_a_deal_have_the_same_dice():
    started = deal_games(RULES, range(3), seed=9).repeated(2)
    assert np.array_equal(started.states[::2], started.states[1::2])
    game = Game(RULES, seed=deal_seed(9, 0))
    assert game.states.tobytes() == started.states[:1].tobytes()


def test_a_learner_on_one_seat_and_on_any():
    batch = SingleAgentBatch(5, DiceSetup(), ["random"], reward="points")
    batch.seed(range(5))
    observations = batch.start()
    assert (observations.shape, observations.dtype, batch.masks.shape) == ((5, 5), np.int16, (5, 100))
    saved, actions = batch.saved(), batch.masks.argmax(axis=1)
    batch.agents[0].seed(1)
    first = [array.copy() for array in batch.step(actions)[:4]]
    batch.restore(saved)
    batch.agents[0].seed(1)
    assert all(map(np.array_equal, batch.step(actions)[:4], first))
    with pytest.raises(ValueError, match="this batch has"):
        SingleAgentBatch(4, DiceSetup(), ["random"]).restore(saved)
    seats = SelfPlayBatch(4, DiceSetup(), [], seed=1)
    seats.start(np.arange(4), np.full((4, 2), LEARNER))
    for _ in range(10):
        waiting = seats.pending()
        outcome = seats.step(waiting.games, waiting.masks.argmax(axis=1))
    assert outcome.ended.all()
    assert np.allclose(outcome.rewards.sum(axis=1), 0.0)


def test_a_tournament_and_its_resuming(tmp_path):
    first = tournament(["random", "flat-mc:iterations=20"], DiceSetup(), deals=6, search_deals=6, folder=tmp_path)
    more = tournament(["random", "flat-mc:iterations=20"], DiceSetup(), deals=8, search_deals=8, folder=tmp_path)
    anew = tournament(["random", "flat-mc:iterations=20"], DiceSetup(), deals=8, search_deals=8, folder=tmp_path / "n")
    assert first.num_games == 12
    assert [one.win_share for one in more.standings] == [one.win_share for one in anew.standings]
    from romans_env import Table
    from romans_training.tournament.entries import TournamentError

    with pytest.raises(TournamentError, match="holds results with game dice-race, not romans-go-home"):
        tournament(["random", "greedy"], Table(2, 0), deals=4, folder=tmp_path)


@pytest.mark.parametrize("self_play", [0.0, 0.5])
def test_a_short_training_and_its_policy(tmp_path, self_play):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    from romans_training import trainer
    from romans_training.config import TrainConfig
    from romans_training.run_folder import RunFolder

    config = TrainConfig(
        game="dice-race",
        setup={"turns": 8},
        steps=256,
        num_envs=16,
        rollout_length=8,
        minibatch_size=64,
        hidden_layers=(16,),
        threads=1,
        evaluate_every=128,
        evaluation_deals=4,
        self_play=self_play,
    )
    assert config.pool == ("random",)
    whole = trainer.train(config, RunFolder(tmp_path / "whole"))
    folder, seen = RunFolder(tmp_path / "run"), []
    with pytest.raises(trainer.TrainingStopped):
        trainer.train(config, folder, lambda progress: seen.append(progress.steps), lambda: seen[-1:] > [100])
    resumed = trainer.resume(folder)
    for mine, other in zip(whole.pi, resumed.pi, strict=True):
        np.testing.assert_array_equal(mine[0], other[0])
    agent = romans_agents.make(str(folder.policy), game="dice-race")
    view = Game(RULES, seed=1).view(0)
    assert agent.act(view) in view.legal_actions()
    with pytest.raises(romans_agents.UnknownAgentError, match="plays dice-race, not romans-go-home"):
        romans_agents.make(str(folder.policy))


def test_chance_is_never_a_seat():
    game = Game(RULES, seed=1)
    assert game.rules.seat_to_act(game.states, 0) != CHANCE
    with pytest.raises(ValueError, match="a dice race has 2 players"):
        SPEC.make_rules(num_players=3)
