"""Every command that plays takes the toy game by its name, without a file of its own beside it."""

import json
import re
from pathlib import Path

import pytest

from romans_env import Game, load_record, replay, save_record
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.settings import ConfigError
from tests.toy.rules import DiceRace, DiceSetup

TINY = ["--game", "dice-race", "--num-envs", 16, "--rollout-length", 8, "--minibatch-size", 64, "--threads", 1]
TINY += ["--hidden-layers", 8, "--steps", 128, "--evaluate-every", 64, "--evaluation-deals", 2]


@pytest.fixture
def record_file(tmp_path):
    """A record of a game that stops after four actions."""
    game = Game(DiceRace(), seed=1)
    game.agents = {"player_0": "random", "player_1": "human"}
    for _ in range(4):
        game.act(game.legal_actions()[1])
    save_record(game.record(), tmp_path / "game.json")
    return tmp_path / "game.json"


def test_a_tournament_and_its_page(called, tmp_path):
    page, folder = tmp_path / "games.html", tmp_path / "results"
    arguments = ["tournament", "random", "flat-mc:iterations=5", "--game", "dice-race", "--deals", 2]
    status, out, err = called(*arguments, "--search-deals", 2, "--jobs", 1, "--folder", folder, "--replays", page)
    assert status == 0, err
    assert "10 turns" in out and " 4 games" in " ".join(out.split())
    assert "Dice Race" in page.read_text(encoding="utf-8")
    assert "holds results with game dice-race" in called("tournament", "random", "greedy", "--folder", folder)[0]


def test_train_and_go_on(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    folder = tmp_path / "run"
    status, _, err = called("train", *TINY, "--folder", folder)
    assert status == 0, err
    assert "decisions it wins" in err and "against random" in err
    kept = json.loads((folder / "config.json").read_text())
    assert (kept["game"], kept["setup"], kept["opponents"]) == ("dice-race", {"turns": 10}, ["random"])
    assert called("train", "--resume", "--folder", folder, "--steps", 256)[0] == 0
    arguments = ["evaluate", folder / "policy.npz", "--game", "dice-race", "--against", "random", "--deals", 2]
    assert called(*arguments)[0] == 0
    assert "plays dice-race, not romans-go-home" in called("evaluate", folder / "policy.npz")[0]
    assert called("train", "--config", folder / "config.json", "--folder", tmp_path / "again")[0] == 0
    assert RunFolder(tmp_path / "again").load_config().rules.setup == DiceSetup()


def test_exploit_and_go_on(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    folder = tmp_path / "run"
    status, out, err = called("exploit", "random", *TINY, "--deals", 4, "--folder", folder)
    assert status == 0, err
    assert "Responses to random on 10 turns" in out
    assert json.loads((folder / "exploit.json").read_text())["setup"] == {"turns": 10}
    assert called("exploit", "random", "--resume", "--deals", 4, "--folder", folder)[0] == 0


def test_replay_in_words_and_as_a_page(called, record_file, tmp_path):
    actions = [action for _, action in replay(load_record(record_file)).actions]
    _, everything, _ = called("replay", record_file)
    _, seen, _ = called("replay", record_file, "--as", "player_1")
    assert [f"player_{k % 2} {action}" in everything for k, action in enumerate(actions)] == [True] * 4
    assert everything.splitlines()[:3] == ["player_0: random", "player_1: human", "The game begins."]
    assert [f"player_{k % 2} {action}" in seen for k, action in enumerate(actions)] == [False, True] * 2
    assert seen.count("player_0 has chosen.") == 2
    for text in (everything, seen):
        assert text.partition("The record stops before the end of the game:\n")[2].startswith("turn: 4\n")
    assert '"bonus"' not in seen and "bonus: [null, " in seen and "bonus: [null, " not in everything
    page = tmp_path / "game.html"
    status, _, err = called("replay", record_file, "--html", page, "--agent", "random")
    assert status == 0, err
    assert "Dice Race" in page.read_text(encoding="utf-8")


def test_a_person_plays_a_whole_game(called, monkeypatch, tmp_path):
    answers = iter(["?", "w", "h", "name:0", "u", *["1"] * 4, ""])
    monkeypatch.setattr("click.prompt", lambda *args, **kwargs: next(answers))
    record = tmp_path / "game.json"
    status, out, err = called("play", "--game", "dice-race", "--seed", 1, "--save", record)
    assert status == 0, err
    assert out.startswith("Dice Race, 10 turns, seed 1\n")
    assert "Shows the position again." in out and "What do you choose (name)?" in out
    assert "random would name:" in out
    refusal = "There is nothing to take back: another player has decided since your last choice."
    assert refusal in " ".join(out.split())
    assert out.count("random has chosen.") == 5 and "random name:" not in out and "player_" not in out
    assert " won.\n" in out and re.search(
        r"(You win|You share the win|random wins).*\. Points: you \d+, random \d+", out
    )
    game = replay(load_record(record))
    assert game.is_over and game.agents == {"player_0": "human", "player_1": "random"}
    assert next(answers, None) is None


def test_a_setting_of_the_setup_is_given_by_its_name(called, tmp_path):
    arguments = ["evaluate", "random", "--game", "dice-race", "--deals", 4, "--json", tmp_path / "results.json"]
    for against in ([], ["--against", "random"]):
        status, out, _ = called(*arguments, *against, "--setup", "turns=4")
        (line,) = [line for line in out.splitlines() if "4 turns" in line]
        assert status == 0 and line.split("|")[2].strip() == "random"  # the opponents of the game
        (written,) = json.loads((tmp_path / "results.json").read_text())
        assert (written["table"], written["num_games"]) == ("4 turns", 8)
    for pair, says in (("turns", "'turns' is not NAME=VALUE"), ("turns=0", "1 to 100 turns"), ("suit=1", "'suit'")):
        assert says in called(*arguments, "--setup", pair)[2].strip().splitlines()[-1]


@pytest.fixture
def league_run(tmp_path):
    """A run of self-play with two setups, one of them twice as often, and a snapshot in its league."""
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    from romans_training.learn import trainer

    config = TrainConfig(
        game="dice-race",
        setup={"turns": 2},
        setups=({"setup": {"turns": 2}, "weight": 2}, {"setup": {"turns": 4}}),
        self_play=0.5,
        snapshot_every=128,
        num_envs=24,
        rollout_length=4,
        minibatch_size=32,
        hidden_layers=(8,),
        threads=1,
        steps=256,
        evaluation_deals=2,
    )
    run = RunFolder(tmp_path / "league")
    trainer.train(config, run)
    return run


def test_self_play_with_several_setups_and_a_policy_of_another_game_in_its_league(league_run):
    from romans_agents.romans_go_home.trained.legate import LEGATE_FILE
    from romans_training.learn import trainer

    results = json.loads(league_run.league.read_text())["members"][0]["results"]
    assert set(results) == {"2 turns", "4 turns"}
    assert results["2 turns"]["games"] > results["4 turns"]["games"]
    snapshot = next((league_run.path / "league").glob("past-*.npz"))
    snapshot.write_bytes(Path(LEGATE_FILE).read_bytes())
    with pytest.raises(RunFolderError, match=r"a policy of the league, plays romans-go-home, not dice-race"):
        trainer.resume(league_run, steps=512)


def test_settings_of_another_game_are_refused(called, tmp_path):
    for wrong, says in (
        ({"setup": {"num_neutrals": 1}}, "unknown setting 'num_neutrals'"),
        ({"num_neutrals": 1}, "unknown settings num_neutrals"),
        ({"game": "romans-go-home", "setup": {"turns": 1}}, "unknown setting 'turns'; the settings are num_players, "),
        ({"setup": {"turns": 0}}, "a dice race has 2 players and 1 to 100 turns"),
        ({"self_play": 0.5, "setups": ["2+0"]}, "dice-race has no names for its setups; give objects"),
    ):
        with pytest.raises(ConfigError, match=says):
            TrainConfig.from_json({"game": "dice-race", **wrong})
    (tmp_path / "settings.toml").write_text('game = "dice-race"\n')
    _, _, err = called("train", "--config", tmp_path / "settings.toml", "--table", "2+0")
    assert "the settings file is for dice-race: with options for the setup, add --game dice-race" in err
