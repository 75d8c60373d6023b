"""The battles of a tournament, and the scale of ratings that an earlier version had."""

import csv
import json

import pytest


@pytest.mark.parametrize("game", ["romans-go-home", "struggle"])
def test_the_command_writes_battles(game, called, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ("random", "greedy", "hoarder") if game == "romans-go-home" else ("random", "chieftain")
    deals = 6 if game == "romans-go-home" else 2
    options = ["--game", game, "--deals", deals, "--jobs", 1, "--battles", "battles.csv"]
    code, _, err = called("tournament", *names, *options, "--folder", "cup")
    assert code == 0, err
    result = json.loads((tmp_path / "cup" / "tournament.json").read_text())
    rows = list(csv.DictReader((tmp_path / "battles.csv").open()))
    assert {row["winner"] for row in rows} <= {"model_a", "model_b", "tie"}
    if game == "romans-go-home":
        assert len(rows) == result["num_games"]
        first, second = (standing["label"] for standing in result["standings"][:2])
        won = sum(
            {"model_a": row["model_a"] == first, "model_b": row["model_b"] == first}.get(row["winner"], 0.5)
            for row in rows
            if {row["model_a"], row["model_b"]} == {first, second}
        )
        assert won / 12 == pytest.approx(result["shares"][0][1]["mean"])


def test_the_nash_ratings_of_an_earlier_version_are_refused_and_its_folder_is_read(called, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["tournament", "random", "greedy", "--deals", 2, "--jobs", 1, "--folder", "cup"]
    for ratings in ("nash", "elo,nash"):
        code, _, err = called(*command, "--ratings", ratings)
        said = " ".join(f"{code} {err}".split())
        assert "docs/measuring/tournaments.md says how to rate" in said and not (tmp_path / "cup").exists()
    assert called(*command)[0] == 0
    file = tmp_path / "cup" / "tournament.json"
    result = json.loads(file.read_text())
    file.write_text(json.dumps({**result, "nash": {"ratings": [], "weights": [], "unexplained": 0.0, "cycle": None}}))
    code, _, err = called(*command, "--ratings", "elo")
    assert code == 0 and "4 of them played before" in err
    again = json.loads(file.read_text())
    assert again.keys() == result.keys() and again["shares"] == result["shares"]
