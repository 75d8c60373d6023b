"""Every command that plays takes Roma by its name, with its defaults."""

from __future__ import annotations

import json

import pytest

from romans_training.config import TrainConfig
from romans_training.settings import ConfigError

TINY = ["--game", "roma", "--num-envs", 16, "--rollout-length", 8, "--minibatch-size", 64, "--threads", 1]
TINY += ["--hidden-layers", 8, "--steps", 256, "--evaluate-every", 256, "--evaluation-deals", 3]


def test_evaluate_meets_random_and_forum_runner(called, tmp_path):
    results = tmp_path / "results.json"
    status, out, err = called("evaluate", "expectimax", "--game", "roma", "--deals", 4, "--json", results)
    assert status == 0, err
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in out.splitlines() if "[" in line]
    assert rows == [["Roma", "random"], ["Roma", "forum-runner"]]
    assert [row["num_games"] for row in json.loads(results.read_text())] == [8, 8]


def test_a_tournament_and_its_page(called, tmp_path):
    page, folder = tmp_path / "games.html", tmp_path / "results"
    arguments = ["tournament", "random", "raider", "mo-ismcts:iterations=5", "--game", "roma", "--deals", 3]
    status, out, err = called(*arguments, "--search-deals", 2, "--jobs", 1, "--folder", folder, "--replays", page)
    assert status == 0, err
    assert "Roma, 3 deals (2 with agents that search) with every seating, 3 line-ups, 14 games" in " ".join(out.split())
    assert "<title>3 games" in page.read_text(encoding="utf-8")
    assert (folder / "tournament.png").stat().st_size > 10_000


def test_train_against_the_pool_of_the_game_and_go_on(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    folder = tmp_path / "run"
    status, _, err = called("train", *TINY, "--folder", folder)
    assert status == 0, err
    for opponent in ("forum-runner", "random"):
        assert f"% against {opponent}" in " ".join(err.split())
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
