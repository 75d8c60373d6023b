"""A warm-up plays a little with everything that commands need, of any game."""

import json

from romans_agents import warm_up
from romans_env.compiling import decorators
from romans_env.compiling.progress import CachedFunction
from tests.toy.rules import DiceSetup


def texts_of(agents=(), parts=("game",)):
    warm_up.warm_up(DiceSetup(), agents, parts)
    return [text for text, _ in warm_up.steps(DiceSetup(), agents, parts)]


def test_the_parts():
    assert texts_of() == ["Dice Race: the rules"]
    assert texts_of(["random"], ["game", "matches"]) == [
        "Dice Race: the rules",
        "Dice Race: random",
        "Dice Race: matches",
    ]
    assert texts_of([], ["training"]) == ["Dice Race: environments of many games", "Dice Race: batches"]


def test_every_agent_of_the_game_that_needs_no_option():
    agents = warm_up.usual_agents("dice-race")
    assert {"random", "flat-mc", "mo-ismcts"} <= set(agents) and "policy" not in agents
    texts_of(agents, ["game", "matches"])


def test_searches_have_the_least_budget(monkeypatch):
    budgets = []

    def act(agent, view):
        budgets.append((agent.iterations, agent.seconds))
        return view.legal_actions()[0]

    monkeypatch.setattr("romans_agents.searches.flat_mc.FlatMCAgent.act", act)
    texts_of(["flat-mc:seconds=100"], ["game", "matches"])
    assert len(budgets) > 5 and set(budgets) == {(1, None)}


def test_code_of_the_user_does_not_run(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("raise SystemExit('it ran')\n")
    assert texts_of([f"{path}:Bot"]) == ["Dice Race: the rules"]


def test_the_command(called, monkeypatch, tmp_path):
    functions = {"one": CachedFunction("one", tmp_path / "cache" / "compiled-1")}
    monkeypatch.setattr(decorators.progress, "functions", functions)
    code, _, err = called("warm-up", "--game", "dice-race", "--agents", "random,flat-mc:iterations=5")
    assert code == 0
    assert err.strip().splitlines()[-1] == f"compiled code is in {tmp_path / 'cache'}"
    # In an image, code that is not kept is a failure.
    functions["other"] = CachedFunction("other", None)
    code, _, _ = called("warm-up", "--game", "dice-race", "--agents", "random")
    assert "cannot be kept" in code and "NUMBA_CACHE_DIR" in code


def test_workers_of_a_tournament_start_after_the_warm_up(called, monkeypatch, tmp_path):
    from romans_training.compare.tournament import run

    order = []
    monkeypatch.setattr(run, "warm_up", lambda *arguments: order.append(("warm-up", arguments[1], arguments[2])))
    monkeypatch.setattr(
        run, "played_in_processes", lambda chunks, jobs: order.append("workers") or run.played_here(chunks)
    )
    arguments = ["random", "flat-mc:iterations=1", "--game", "dice-race", "--deals", "2", "--folder", tmp_path / "run"]
    code, _, err = called("tournament", *arguments, "--jobs", "2")
    assert code == 0, err
    assert order == [("warm-up", ["random", "flat-mc:iterations=1"], ["game", "matches"]), "workers"]


def test_a_process_that_helps_imports_nothing_of_the_working_directory(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    (tmp_path / "numpy.py").write_text("raise SystemExit('a stranger wrote this')\n")
    nothing = {"game": "roma", "setup": {}, "agents": [], "parts": [], "first": 0}
    assert warm_up.helper(json.dumps(nothing)).wait(300) == 0
