"""The learners of other libraries train with their defaults, tiny, and what they write plays legal actions."""

import json

import pytest

import romans_agents
from recipes.other_libraries.__main__ import LEARNERS, main
from romans_env import Table
from romans_training.measure.evaluation import evaluate


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_trains_says_what_it_cost_and_plays(learner, tmp_path, monkeypatch, request):
    module = f"recipes.other_libraries.{LEARNERS[learner][1]}"
    pytest.importorskip(
        module, reason=f"needs {LEARNERS[learner][2]} (docs/training/other_stacks.md)", exc_type=ImportError
    )
    monkeypatch.chdir(request.config.rootpath)
    main([learner, "--minutes", "0.001", "--seed", "3", "--folder", str(tmp_path)], standalone_mode=False)
    cost = json.loads((tmp_path / "cost.json").read_text())
    assert (cost["budget"], cost["seed"], cost["cores"]) == (0.001, 3, 1) and cost["decisions"] > 0
    assert cost["title"] == LEARNERS[learner][0] and learner in cost["command"] and cost["minutes"] >= 0
    played_by = {"agilerl": f"recipes/other_libraries/agilerl_ppo.py:AgileRLAgent:{tmp_path}"}
    agent = romans_agents.make(played_by.get(learner, f"{tmp_path}/policy.npz"))
    assert evaluate(agent, [romans_agents.make("random")], Table(2, 0), num_deals=5).num_games == 10
