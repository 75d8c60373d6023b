"""The learners of other libraries train with their defaults, tiny, and what they write plays legal actions."""

import json

import pytest

import romans_agents
from recipes.other_libraries.__main__ import LEARNERS, main
from romans_env import Table
from romans_training.evaluation import evaluate

NEEDED = {
    "maskable-ppo": ("sb3_contrib",),
    "torchrl": ("torch", "torchrl"),
    "rllib": ("ray", "torch", "tree", "pandas", "pyarrow"),
    "agilerl": ("agilerl",),
    "romans-train": ("sb3_contrib",),
}
AGENT = "recipes/other_libraries/agilerl_ppo.py:AgileRLAgent:{folder}"


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_trains_says_what_it_cost_and_plays(learner, tmp_path, monkeypatch, request):
    for library in NEEDED[learner]:
        pytest.importorskip(library, reason=f"needs {library} (docs/other_stacks.md)")
    monkeypatch.chdir(request.config.rootpath)
    main([learner, "--decisions", "16", "--seed", "3", "--folder", str(tmp_path)], standalone_mode=False)
    cost = json.loads((tmp_path / "cost.json").read_text())
    assert (cost["budget"], cost["seed"], cost["cores"]) == (16, 3, 1) and cost["decisions"] >= 16
    assert cost["title"] == LEARNERS[learner][0] and learner in cost["command"] and cost["processor_minutes"] >= 0
    spec = AGENT.format(folder=tmp_path) if learner == "agilerl" else str(tmp_path / "policy.npz")
    agent = romans_agents.make(spec)
    assert evaluate(agent, [romans_agents.make("random")], Table(2, 0), num_deals=5).num_games == 10
