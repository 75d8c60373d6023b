"""Every command that plays takes Roma by its name, with its defaults."""

from __future__ import annotations

import json

import pytest

from romans_env import load_record, replay, save_record
from romans_training.config import TrainConfig
from romans_training.settings import ConfigError
from tests.roma.stages import new_game, played

TINY = ["--game", "roma", "--num-envs", 16, "--rollout-length", 8, "--minibatch-size", 64, "--threads", 1]
TINY += ["--hidden-layers", 8, "--steps", 256, "--evaluate-every", 256, "--evaluation-deals", 3]


@pytest.fixture
def record_file(tmp_path):
    """A record of a game that stops after 12 decisions."""
    game = played(new_game(1), 1, 12)
    game.agents = {"player_0": "random", "player_1": "human"}
    save_record(game.record(), tmp_path / "game.json")
    return tmp_path / "game.json"


def last_line(text):
    return text.strip().splitlines()[-1]


def test_evaluate_meets_random_and_forum_runner(called, tmp_path):
    results = tmp_path / "results.json"
    status, out, err = called("evaluate", "expectimax", "--game", "roma", "--deals", 4, "--json", results)
    assert status == 0, err
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in out.splitlines() if "[" in line]
    assert rows == [["Roma", "random"], ["Roma", "forum-runner"]]
    assert [row["num_games"] for row in json.loads(results.read_text())] == [8, 8]


def test_a_tournament_and_its_page(called, tmp_path):
    page, folder = tmp_path / "games.html", tmp_path / "results"
    arguments = ["tournament", "random", "raider", "ismcts:iterations=5", "--game", "roma", "--deals", 3]
    status, out, err = called(*arguments, "--search-deals", 2, "--jobs", 1, "--folder", folder, "--replays", page)
    assert status == 0, err
    assert "Roma, 3 deals (2 with agents that search) with every seating, 3 line-ups, 14 games" in out
    assert "<title>3 games" in page.read_text(encoding="utf-8")
    assert (folder / "tournament.png").stat().st_size > 10_000


def test_train_against_the_pool_of_the_game_and_go_on(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    folder = tmp_path / "run"
    status, _, err = called("train", *TINY, "--folder", folder)
    assert status == 0, err
    for opponent in ("forum-runner", "random"):
        assert f"% against {opponent}" in err
    kept = json.loads((folder / "config.json").read_text())
    assert (kept["game"], kept["setup"]) == ("roma", {})
    assert kept["opponents"] == ["forum-runner", "raider", "denier"] and kept["self_play"] == 0.85
    assert called("train", "--resume", "--folder", folder, "--steps", 384)[0] == 0
    arguments = ["evaluate", folder / "policy.npz", "--game", "roma", "--against", "random", "--deals", 2]
    assert called(*arguments)[0] == 0
    assert "plays roma, not romans-go-home" in called("evaluate", folder / "policy.npz")[0]


def test_the_defaults_of_the_game_give_way_to_what_is_said():
    default = TrainConfig(game="roma")
    assert (default.self_play, default.gae_lambda, default.hidden_layers) == (0.85, 0.65, (256, 256))
    general = TrainConfig()
    said = TrainConfig(game="roma", gae_lambda=general.gae_lambda, hidden_layers=[8], self_play=0.0)
    assert (said.gae_lambda, said.hidden_layers, said.self_play) == (0.95, (8,), 0.0)
    assert TrainConfig.from_json(said.as_json()) == said
    with pytest.raises(ConfigError, match="magnet: settings of self-play alone"):
        TrainConfig(game="roma", self_play=0.0, magnet=0.5)
    with pytest.raises(TypeError, match="no settings gae_lamda"):
        TrainConfig(gae_lamda=0.9)


def test_train_without_self_play(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    status, _, err = called("train", *TINY, "--self-play", 0, "--folder", tmp_path / "run")
    assert status == 0, err
    assert "% against random" in err


def test_self_play(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    folder = tmp_path / "run"
    status, _, err = called("train", *TINY, "--self-play", 0.5, "--snapshot-every", 128, "--folder", folder)
    assert status == 0, err
    assert list((folder / "league").glob("past-*.npz"))


def test_exploit_and_go_on(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    folder = tmp_path / "run"
    status, out, err = called("exploit", "denier", *TINY, "--deals", 4, "--folder", folder)
    assert status == 0, err
    assert "Responses to denier on Roma" in out
    assert called("exploit", "denier", "--resume", "--deals", 4, "--folder", folder)[0] == 0


def test_replay_in_words_and_as_a_page(called, record_file, tmp_path):
    _, everything, _ = called("replay", record_file)
    _, seen, _ = called("replay", record_file, "--as", "player_1")
    record = load_record(record_file)
    given = [line for line in record["actions"] if line.startswith("player_0 give")]
    assert len(given) == 2
    assert everything != seen and not any(line in seen for line in given)
    page = tmp_path / "game.html"
    status, _, err = called("replay", record_file, "--html", page, "--agent", "forum-runner")
    assert status == 0, err
    assert "Roma" in page.read_text(encoding="utf-8")


def test_a_person_plays_and_stops(called, monkeypatch, tmp_path):
    answers = iter(["1", "w", "1 nothing", "1", "q"])
    monkeypatch.setattr("click.prompt", lambda *args, **kwargs: next(answers))
    record = tmp_path / "game.json"
    status, out, err = called("play", "--game", "roma", "--seed", 1, "--save", record)
    assert status == 0, err
    assert out.startswith("Roma, seed 1\n") and "'nothing' is none of these" in out and out.endswith("stopped\n")
    game = replay(load_record(record))
    assert game.agents == {"player_0": "human", "player_1": "forum-runner"}
    assert len(game.record()["actions"]) >= 3


def test_benchmark(called, tmp_path):
    arguments = ["benchmark", "engine", "--game", "roma", "--only", "N = 1", "--runs", 1, "--seconds", 0.01]
    status, out, err = called(*arguments, "--json", tmp_path / "speed.json")
    assert status == 0, err
    assert "batch Roma, N = 1" in out
    assert json.loads((tmp_path / "speed.json").read_text())["game"] == "roma"


@pytest.mark.parametrize("command", [["evaluate", "random"], ["tournament", "random", "random"], ["play"], ["train"]])
@pytest.mark.parametrize(
    ("option", "says"),
    [
        (["--table", "2+0"], "roma has no names for its setups: leave out --table and --tables"),
        (["--variant", "vogel"], "roma has no --variant: leave it out"),
        (["--setup", "num_neutrals=1"], "'num_neutrals'"),
    ],
)
def test_options_of_another_game_are_refused_in_one_line(called, command, option, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, err = called(*command, *option, "--game", "roma")
    assert says in (last_line(err) if err else status)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [["evaluate", "greedy"], ["tournament", "greedy", "random"], ["exploit", "greedy"]])
def test_an_agent_of_another_game_is_one_line(called, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, _ = called(*command, "--game", "roma")
    assert "unknown agent 'greedy'; there are denier, expectimax" in status and "\n" not in status
    assert not list(tmp_path.iterdir())
