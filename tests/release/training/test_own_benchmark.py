"""A benchmark on the spot: a game without a protocol has a scale of its own; and benchmarks from Python."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import romans_agents
import romans_training
from romans_env.core.registration import load
from romans_training.compare.leaderboard import panel
from romans_training.compare.leaderboard.panel import fitted, scale_of
from romans_training.compare.leaderboard.protocols import BenchmarkError
from romans_training.compare.tournament import tournament
from romans_training.measure.evaluation import evaluate
from tests.toy.in_a_file import write_game

SPEC = """
from romans_env import GameSpec

SPEC = GameSpec(name="dice-race", title="Dice Race", rules=DiceRace)
"""
PANEL = ("random", "mo-ismcts:iterations=20", "mo-ismcts:iterations=40")
ODD = "<script>x</script>"


@pytest.fixture
def own_game(tmp_path, monkeypatch, own_games):
    """A game in a file; its panel is small, and plays few deals."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(panel, "PANEL", PANEL)
    monkeypatch.setattr(panel, "PANEL_DEALS", 12)
    write_game(SPEC, turns=4)
    return "my_game.py:SPEC"


def highest(view):
    """Names the multiple whose remainder counts most."""
    return max(view.legal_actions(), key=lambda action: action % 7)


def test_a_game_of_a_file_has_a_scale_of_its_own(own_game, called):
    Path("bot.py").write_text("def highest(view):\n    return max(view.legal_actions(), key=lambda one: one % 7)\n")
    words = ["benchmark", "bot.py:highest", "--game", own_game, "--quick", "--json", "result.json", "--jobs", "1"]
    status, out, err = called(*words)
    assert status == 0, err
    said = " ".join(out.split())
    assert "dice-race/own: 60 games, 10 of 40 deals" in said and "random has 0 and mo-ismcts" in said
    assert "The scale is this game's own" in said and "To beat" not in said
    assert "the scale is this game's own, so there is no leaderboard" in err
    result = json.loads(Path("result.json").read_text())
    assert result["rating"]["mean"] is None or result["rating"]["mean"] > 500
    assert result["scale"]["opponents"]["random"] == 0 and max(result["scale"]["opponents"].values()) == 1000
    assert [one["spec"] for one in result["opponents"]] == list(result["scale"]["opponents"])
    again = called(*words)
    assert again[1] == out, "nothing is played twice"
    status, _, err = called("benchmark", "--verify", "result.json")
    assert "it has a scale of its own" in f"{status} {err}"


def test_another_version_of_the_game_plays_its_games_anew(own_game, called):
    words = ["benchmark", "random", "--game", own_game, "--deals", "2", "--jobs", "1"]
    assert called(*words)[0] == 0
    folders = {path.name for path in Path("runs/benchmark").iterdir()}
    text = Path("my_game.py").read_text()
    Path("my_game.py").write_text(text.replace("action % 7", "action % 5"))
    assert called(*words)[0] == 0
    assert len({path.name for path in Path("runs/benchmark").iterdir()} - folders) == 2


def test_a_game_without_a_better_player_has_no_scale(own_game, called):
    Path("my_game.py").write_text(Path("my_game.py").read_text().replace("action % 7", "0 * action"))
    status, _, err = called("benchmark", "random", "--game", own_game, "--jobs", "1")
    assert "no search wins more than random in dice-race, so there is no scale" in f"{status} {err}"


def test_the_scale_is_fitted_to_the_shares():
    shares = np.array([[0.5, 0.2, 0.05], [0.8, 0.5, 0.25], [0.95, 0.75, 0.5]])
    alone, copies = fitted(shares, 2, 10**6)
    odds = 1 / (1 + np.exp(copies[None, :] - alone[:, None]))
    assert np.allclose(odds, shares, atol=0.02)
    scale = scale_of(["random", "a", "b"], (alone, copies), "b")
    assert scale.opponents["random"] == 0 and scale.opponents["b"] == 1000 and 400 < scale.opponents["a"] < 700


def test_whatever_decides_is_measured_in_python(own_game):
    load(own_game)
    result = romans_training.benchmark(highest, game="dice-race", deals=4)
    assert result.agent == "highest" and result.games == 4 * 2 * len(PANEL)
    assert list(result.frame["against"]) == [one.spec for one in result.opponents]
    assert (result.frame["wins_low"] <= result.frame["wins"]).all()
    page = result._repr_html_()
    assert "on a scale of its own" in page and page.count("<tr>") == 1 + len(PANEL) and "data:image/png" in page
    for wrong in ({"folder": "x"}, {"jobs": 2}):
        with pytest.raises(BenchmarkError, match="an agent in memory plays in this process"):
            romans_training.benchmark(highest, game="dice-race", deals=4, **wrong)
    with pytest.raises(BenchmarkError, match="deals must be at most 40 on dice-race/own"):
        romans_training.benchmark(highest, game="dice-race", deals=41)


def test_a_track_is_measured_in_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = romans_training.benchmark("random", "tiny", deals=2)
    assert result.protocol == "romans-go-home/tiny/1" and "rating" in result.heading()
    again = romans_training.benchmark("random", "tiny", deals=2)
    assert again.as_json()["digest"] == result.as_json()["digest"]
    with pytest.raises(BenchmarkError, match="no benchmark 'nix'"):
        romans_training.benchmark("random", "nix")


# -- results in a notebook


class Odd(romans_agents.Agent):
    name = ODD

    def act(self, view):
        return view.legal_actions()[0]


def test_results_show_themselves_as_a_table_and_a_picture(own_game):
    spec = load(own_game)
    setup = spec.make_setup()
    results = [
        evaluate(Odd(), ["random"], setup, 3),
        tournament([Odd(), "random"], setup, 3),
        romans_training.benchmark(Odd(), game="dice-race", deals=2),
    ]
    for result in results:
        page = result._repr_html_()
        assert "<table>" in page and "data:image/png" in page and "<script" not in page
        assert len(result.frame) == len(result.rows()) == page.count("<tr>") - 1
        numbers = [name for name in result.frame if name.endswith("_low")]
        assert numbers and all(re.sub("_low$", "", name) in result.frame for name in numbers)
    assert "against random" in results[0].heading() and ODD in results[0].heading()
