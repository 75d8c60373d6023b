"""What pages show of learners and of the leaderboard is what was measured, and the measuring works."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import leaderboard, panel, sb3_defaults
from romans_training.benchmark.verify import checked

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_of_learners_has_the_table_of_the_results():
    found = json.loads(sb3_defaults.RESULTS.read_text(encoding="utf-8"))
    assert sb3_defaults.table(found) in (DOCS / "environments.md").read_text(encoding="utf-8")


def test_a_learner_is_measured(monkeypatch):
    monkeypatch.setattr(sb3_defaults, "_GAMES", 20)
    run = sb3_defaults.measured("romans-go-home", "ppo", 1, 10_240)
    (point,) = run["curve"]
    assert point["steps"] == 10_000 and 0 < point["win_rate"] < 1 and 0.5 < point["illegal"] < 1
    assert run["won"] * 20 == round(run["won"] * 20)


@pytest.mark.parametrize("path", sorted(leaderboard.RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_a_result_follows_from_its_games(path):
    result, protocol = checked(path)
    assert result["deals"] in (protocol.deals, protocol.search_deals)


def test_the_leaderboard_has_all_results():
    assert leaderboard.tables(leaderboard.results()) in leaderboard.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("num_players", [2, 4])
def test_the_strengths_of_a_panel_are_found_again(num_players):
    alone, copies = np.array([0.0, 0.4, 1.5]), np.array([-0.2, 0.9, 1.1])
    shares = 1 / (1 + (num_players - 1) * np.exp(copies[None, :] - alone[:, None]))
    found, found_copies = panel.fitted(shares, num_players, 1_000_000)
    assert found - found[0] == pytest.approx(alone, abs=1e-3)
    assert found_copies - found[0] == pytest.approx(copies, abs=1e-3)
