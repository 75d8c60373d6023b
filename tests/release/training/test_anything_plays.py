"""Whatever can decide is an agent wherever one is wanted: each way to give one, in each place that takes one."""

import asyncio
import io
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import gymnasium
import torch

import romans_agents
import romans_training
from romans_agents import UnknownAgentError, agent_of
from romans_agents.external.text_env import make_text_env
from romans_agents.permission import FileNotAllowedError
from romans_agents.romans_go_home.rounds import responder
from romans_env import Game, Table
from romans_env.core.games import spec_of
from romans_env.envs.sb3 import RomansVecEnv
from romans_training import evaluate, exploit, tournament
from romans_training.compare.leaderboard import report
from romans_training.settings import ConfigError
from tests.training.brought import LEARNER, RULES, Plain, first, module

GAME = "romans-go-home"
BARELY = responder.ResponseBudget(2, 4, 2, 1, 4, 200, 200)
"""A response by search that answers whatever it is given, in a tenth of the time of ``light``."""


@pytest.fixture(autouse=True)
def barely(monkeypatch):
    """The response by search looks no further than it must."""
    monkeypatch.setitem(responder.EFFORTS, "light", BARELY)


NAMES = [
    "spec",
    "class in a file",
    "function in a file",
    "policy file",
    "path",
    "zip",
    "sb3 spec",
    "agent",
    "policy",
    "object",
    "function",
    "module",
    "network",
    "model",
    "q-network",
]


@pytest.mark.parametrize("name", NAMES)
def test_in_python_everything_takes_it(given, name):
    player = given[name]
    found = evaluate(player, ["random"], Table(2, 0), 2, seed=1)
    assert found.num_games == 4 and evaluate("random", [player], Table(2, 0), 2).num_games == 4
    assert evaluate(agent_of(player, GAME), ["random"], Table(2, 0), 2, seed=1).win_rate == found.win_rate
    result = tournament([player, "random"], Table(2, 0), 2)
    assert sum(one.games for one in result.standings) == 8
    assert exploit(player, Table(2, 0), "search", search_deals=2, effort="light").searched.num_games == 4
    env = gymnasium.make("RomansGoHome-v0", opponents=[player])
    env.reset(seed=1)
    assert make_text_env(GAME, against=player).reset(seed=1, seat=1)
    batch = RomansVecEnv(2, opponents=[player], seed=1)
    batch.reset()


@pytest.mark.parametrize("name", ["spec", "class in a file", "function in a file", "policy file", "zip", "sb3 spec"])
@pytest.mark.parametrize(
    "command",
    [
        "evaluate {} --deals 2",
        "evaluate random --against {} --deals 2",
        "tournament {} random --deals 2 --jobs 1",
        "exploit {} --by search --effort light --search-deals 2",
        "play --against {} --seed 1",
    ],
)
def test_on_the_command_line_every_command_takes_it(given, called, name, command, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nq\n"))
    status, out, err = called(*command.format(given[name]).split())
    assert (status == 0 or command.startswith("play")) and out and "Traceback" not in err, err


def test_a_server_offers_it_and_its_workers_decide(given):
    pytest.importorskip("starlette", reason="needs the extra: pip install '.[serve]'")
    from romans_serve.thinkers.offers import offer_of
    from romans_serve.thinkers.workers import Workers

    specs = [given[name] for name in NAMES if isinstance(given[name], str)]
    assert {*specs} <= {one.spec for one in offer_of(GAME, specs).agents}
    view, workers = Game(RULES, seed=1).view(0), Workers(1, trusted=specs)
    try:
        for spec in specs:
            assert asyncio.run(workers.act(spec, view, 1)) in view.legal_actions(), spec
    finally:
        workers.close()


@pytest.mark.parametrize("name", ["object", "function", "module", "model"])
def test_a_benchmark_in_python_takes_it(given, name):
    rated = romans_training.benchmark(given[name], "tiny", deals=2)
    assert rated.deals == 2 and not rated.faults


@pytest.mark.parametrize("name", ["object", "function in a file"])
def test_a_policy_is_trained_against_it(given, name):
    found = exploit(given[name], Table(2, 0), "learning", deals=2, **LEARNER)
    assert (found.learned.trained_steps, found.learned.response.num_games) == (64, 4)
    assert found.bound.mean_return.low == found.frame.mean_return_low[0]
    shown = found._repr_html_()
    assert found.agent in shown and "data:image/png" in shown
    assert not set(romans_agents.names()) & {"Plain", "first"} and not Path("runs").exists()


def test_an_exploit_in_python_refuses_what_makes_no_sense(given, tmp_path):
    for player, settings, message in (
        ("greedy", {"by": "chance"}, "by must be 'search', 'learning' or 'both', not 'chance'"),
        ("greedy", {"by": "search", "minutes": 1.0}, "by 'search' trains nothing: leave out minutes"),
        ("greedy", {"by": "search", "effort": "none"}, "effort must be one of 'full', 'light', not 'none'"),
        (first, {"folder": tmp_path}, "an agent in memory plays in this process only, and its run cannot be resumed"),
        (first, {"processes": 2}, "leave out folder and processes, or name a file, such as my_bot.py:MyBot"),
        ("greedy", {"minuets": 1.0}, "TrainConfig has no settings minuets"),
    ):
        with pytest.raises((ConfigError, TypeError), match=message):
            exploit(player, Table(2, 0), **settings)
    assert not list(Path("runs").glob("*"))


def test_a_benchmark_on_the_command_line_takes_a_function_in_a_file(given, called, monkeypatch):
    """In a process of its own; tests/release has a model, and exploitability that is computed."""
    asked = []
    monkeypatch.setattr(report, "exact_exploitability", lambda spec, setup: asked.append(spec) or 0.5)
    spec = given["function in a file"]
    status, out, err = called("benchmark", spec, "--track", "tiny", "--deals", "2", "--jobs", "1")
    assert status == 0 and "rating" in out and "Exact exploitability 0.50000" in out, err
    assert asked == [spec]


def test_every_learner_of_stable_baselines3_is_read_and_plays_its_best_legal_action(models, tmp_path):
    for name, model in models.items():
        model.save(tmp_path / f"{name}.zip")
        agent = romans_agents.make(str(tmp_path / f"{name}.zip"))
        for seed in range(3):
            view = Game(RULES, seed=seed).view(0)
            seen = torch.from_numpy(view.observation[None].astype(np.float32))
            with torch.no_grad():
                policy = model.policy
                if hasattr(policy, "quantile_net"):
                    values = policy.quantile_net(seen).mean(dim=1)
                elif hasattr(policy, "q_net"):
                    values = policy.q_net(seen)
                else:
                    values = policy.get_distribution(seen).distribution.logits
            best = np.where(view.action_mask, values[0].numpy(), -np.inf).argmax()
            assert agent.act(view) == agent_of(model, GAME).act(view) == best, name


def test_a_network_or_model_of_another_game_is_refused_when_it_is_named(given):
    sizes = "roma has observations of 564 numbers and 301 actions"
    for player in (given["module"], given["network"], given["model"], "model.zip", given["q-network"]):
        with pytest.raises(UnknownAgentError, match=sizes):
            agent_of(player, "roma")
    with pytest.raises(UnknownAgentError, match="the policy plays romans-go-home, not roma"):
        agent_of(given["policy"], "roma")
    assert spec_of("roma").make_rules().observation_size == 564


def test_what_is_no_agent_is_refused_with_what_would_be():
    with pytest.raises(TypeError, match=r"an agent is an object, not a class: give Plain\(\)"):
        evaluate(Plain, ["random"], Table(2, 0), 2)
    with pytest.raises(TypeError, match=r"an object with act\(view\), a function of a view, or a network"):
        agent_of(7, GAME)
    with pytest.raises(ValueError, match="leave out folder, jobs and ray, or name a file"):
        tournament([first, "random"], Table(2, 0), 2, jobs=2)


def test_names_in_tables_are_those_of_objects_and_nothing_stays_registered():
    result = tournament([first, Plain(), first, "random"], Table(2, 0), 2)
    assert {one.label for one in result.standings} == {"first", "Plain", "first-2", "random"}
    assert not {"first", "Plain", "first-2"} & set(romans_agents.names())
    assert agent_of(first, GAME, name="mine").name == "mine"


def test_a_model_is_code_and_a_file_that_is_none_is_refused_in_one_line(given, tmp_path):
    for spec in ("model.zip", "sb3:model.zip", "sb3:path=model.zip"):
        for files in ("none", "policies"):
            with pytest.raises(FileNotAllowedError, match=r"names 'model.zip', a stable-baselines3 model, which"):
                romans_agents.make(spec, files)
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    (tmp_path / "empty.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    for name in ("broken.zip", "empty.zip", "gone.zip"):
        with pytest.raises(UnknownAgentError, match=f"cannot read the model {name}: "):
            romans_agents.make(name)


def test_objects_in_a_tournament_are_copied_and_stay_as_they_were():
    search = romans_agents.make("flat-mc:iterations=9")
    names = search.name, search.made_from
    tournament([search, "random"], Table(2, 0), 2)
    assert (search.iterations, search.name, search.made_from) == (9, *names)

    class Failing:
        def act(self, view):
            raise ValueError("oops")

    result = tournament([Failing(), "random"], Table(3, 0), 2)
    (fault,) = next(one.faults for one in result.standings if one.label == "Failing")
    assert fault.kind == "error"
    net = module().train()
    agent_of(net, GAME)
    assert net.training
