"""``romans tournament``, called as a user does."""

import importlib
import json

import numpy as np
import pytest

from romans_env import Table
from romans_training.compare.tournament import tournament
from romans_training.compare.tournament.picture import figure_of, save_picture
from romans_training.figures import short_label
from tests.training.tournaments import without_times


def test_it_prints_tables_and_writes_json_and_a_picture(called, tmp_path):
    arguments = ["tournament", "greedy", "random", "greedy", "--table", "2+1", "--deals", 40, "--jobs", 1]
    status, out, err = called(*arguments, "--folder", tmp_path)
    assert status == 0
    assert out.startswith("2+1, 40 deals with every seating, 3 line-ups, 240 games; with 95 % intervals")
    result = json.loads((tmp_path / "tournament.json").read_text(encoding="utf-8"))
    for standing in result["standings"]:
        rate = standing["win_share"]
        cell = f"{100 * rate['mean']:.1f} [{100 * rate['low']:.1f}, {100 * rate['high']:.1f}]"
        assert any(standing["label"] in line and cell in line for line in out.splitlines())
    assert "significant (95 %, Holm's correction for 3 pairs), except between greedy" in " ".join(out.split())
    assert "The mean of Elo is 0." in " ".join(out.split())
    assert (tmp_path / "tournament.png").read_bytes().startswith(b"\x89PNG")
    assert "240 games" in err
    drawing, data = tmp_path / "some" / "drawing.svg", tmp_path / "data.json"
    status, _, err = called(*arguments, "--folder", tmp_path, "--picture", drawing, "--json", data)
    assert status == 0
    assert "240 games, 240 of them played before" in err
    assert without_times(json.loads(data.read_text())) == without_times(result)
    assert "<svg" in drawing.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("writer", "name"),
    [
        ("romans_training.cli.tournament.write_text", "tournament.json"),
        ("romans_training.figures.atomic_write", "tournament.png"),
        ("romans_env.render.replay_page.write_text", "games.html"),
    ],
)
def test_a_disk_that_is_full_in_the_end_is_an_error_with_the_file(called, writer, name, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    importlib.import_module(writer.rpartition(".")[0])
    monkeypatch.setattr(writer, full)
    arguments = ["tournament", "greedy", "random", "--deals", 2, "--jobs", 1, "--folder", tmp_path]
    status, _, _ = called(*arguments, "--replays", tmp_path / "games.html")
    assert f"cannot write {tmp_path / name}: No space left on device; the games are kept" in status
    assert "\n" not in status


def test_a_picture_has_every_agent_and_share(tmp_path):
    result = tournament(["greedy", "random", "greedy", "random:seed=3"], Table(2, 0), 10, tmp_path)
    figure = figure_of(result)
    matrix, ratings = figure.axes
    for labels in (matrix.get_xticklabels(), matrix.get_yticklabels()):
        assert [label.get_text() for label in labels] == [standing.label for standing in result.standings]
    shown = [text.get_text() for text in matrix.texts]
    assert shown.count("·") == 4
    shares = [share for row in result.shares for share in row if share is not None]
    assert sorted(text for text in shown if text != "·") == sorted(f"{100 * share.mean:.0f}" for share in shares)
    assert np.allclose(ratings.lines[0].get_xdata(), [standing.elo.mean for standing in result.standings])
    save_picture(result, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_long_labels_are_shortened_in_the_middle():
    long = "policy:runs/a-very-long-name-of-a-run/policy.npz,sample=true"
    assert short_label("greedy") == "greedy"
    assert len(short_label(long)) == 32
    assert short_label(long).startswith("policy:runs/a-v")
    assert short_label(long).endswith("npz,sample=true")
