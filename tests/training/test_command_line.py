"""The command line, called as a user does."""

import dataclasses
import json

import pytest

import romans_agents
from romans_env import Table
from romans_training.cli.evaluate import print_results
from romans_training.cli.options import split_specs
from romans_training.measure.evaluation import Evaluation, evaluate
from romans_training.measure.intervals import Estimate

pytestmark = pytest.mark.usefixtures("no_curves")


def test_every_command_has_help(called):
    _, overview, _ = called("--help")
    for command in ("train", "evaluate", "exploit", "play", "rules", "agents", "replay"):
        status, out, _ = called(command, "--help")
        assert status == 0
        assert out.startswith(f"Usage: romans {command}")
        assert command in overview


def test_evaluate_prints_a_line_for_each_table_and_opponent(called, tmp_path):
    results = tmp_path / "results.json"
    status, out, _ = called(
        "evaluate",
        "greedy",
        "--against",
        "random,greedy",
        "--table",
        "2+0",
        "--table",
        "1+1",
        "--deals",
        20,
        "--json",
        results,
    )
    assert status == 0
    assert [[cell.strip() for cell in line.split("|")[1:3]] for line in out.splitlines() if "+" in line[:6]] == [
        ["2+0", "random"],
        ["2+0", "greedy"],
        ["1+1", "no opponent"],
    ]
    written = json.loads(results.read_text())
    assert [entry["table"] for entry in written] == ["2+0", "2+0", "1+1"]
    assert all(entry["win_rate"]["low"] <= entry["win_rate"]["mean"] <= entry["win_rate"]["high"] for entry in written)
    assert f"{100 * written[0]['win_rate']['mean']:.1f}" in out


def test_an_agent_that_raises_is_one_line(called, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def act(self, view):\n        raise RuntimeError('tired')\n", encoding="utf-8")
    status, _, _ = called("evaluate", f"{bot}:Bot", "--against", "random", "--deals", 2)
    assert status == f"romans: the agent {bot}:Bot raised RuntimeError: tired (bot.py, line 3)"


def test_numbers_of_games_and_draws_where_they_matter(called, capsys):
    _, out, _ = called("evaluate", "greedy", "--against", "random", "--deals", 20)
    assert out.splitlines()[0] == "greedy, 40 games, with 95 % intervals"
    assert "draw" not in out and "| games" not in out
    _, out, _ = called("evaluate", "greedy", "--against", "random", "--deals", 20, "--table", "2+0", "--table", "3+0")
    assert out.splitlines()[0] == "greedy, 40 to 60 games a row, with 95 % intervals"
    assert [line.split("|")[-2].strip() for line in out.splitlines() if "+0" in line[:6]] == ["40", "60"]
    drawn = evaluate(romans_agents.make("greedy"), [romans_agents.make("greedy")], Table(2, 0), 20)
    print_results("greedy", [dataclasses.replace(drawn, draw_rate=Estimate(0.1, 0.0, 0.2))])
    assert "draw rate %" in capsys.readouterr().out


def test_a_line_up_puts_different_opponents_on_one_table(called):
    status, out, _ = called("evaluate", "greedy", "--against", "random+greedy", "--table", "3+0", "--deals", 3)
    assert status == 0
    assert "random+greedy" in out


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ("a",)),
        ("a,b", ("a", "b")),
        ("policy:x.npz,sample=true,greedy", ("policy:x.npz,sample=true", "greedy")),
        ("a:k=1,l=2,b:m=3", ("a:k=1,l=2", "b:m=3")),
        ("my_bot.py:MyBot,greedy", ("my_bot.py:MyBot", "greedy")),
        ("greedy,my_bot.py:MyBot:k=1,l=2,~/b/a.py:B", ("greedy", "my_bot.py:MyBot:k=1,l=2", "~/b/a.py:B")),
        (r"C:\bots\my_bot.py:MyBot:k=1,l=2,C:\x=1\a.py:A", (r"C:\bots\my_bot.py:MyBot:k=1,l=2", r"C:\x=1\a.py:A")),
        ("my_bot.py:MyBot,runs/rate=1/policy.npz", ("my_bot.py:MyBot", "runs/rate=1/policy.npz")),
        (" a , b ", ("a", "b")),
        ("", ()),
    ],
)
def test_commas_separate_agents_and_options(text, parts):
    assert split_specs(text) == parts


def test_training_on_the_command_line_and_resuming(called, tmp_path):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    small = ["--num-envs", 16, "--rollout-length", 8, "--minibatch-size", 64, "--evaluation-deals", 5, "--threads", 1]
    folder = tmp_path / "run"
    status, out, err = called("train", "--folder", folder, "--steps", 256, *small)
    assert status == 0, err
    assert out.strip() == f"trained: {folder / 'policy.npz'}"
    assert "after 256 decisions it wins" in err
    status, _, _ = called("train", "--folder", folder)
    assert "holds a run; continue it with --resume" in status
    status, _, err = called("train", "--folder", folder, "--resume", "--steps", 512)
    assert not status, err
    assert json.loads((folder / "config.json").read_text())["steps"] == 512
    status, _, err = called("train", "--folder", folder, "--resume")
    assert not status
    assert "is complete already" in err
    status, _, _ = called("train", "--folder", folder, "--resume", "--steps", 256)
    assert "has made 512 decisions already" in status


def test_a_run_says_once_whom_it_passes(called, tmp_path, monkeypatch):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    from romans_training.learn import training_run

    def measured(policy, config):
        # 2+0: of these, random has been passed from the start on, and greedy by 512 decisions.
        lows = {"random": 0.6, "greedy": 0.55 if policy.meta["trained_steps"] == 512 else 0.5}
        rates = {against: Estimate(low + 0.1, low, low + 0.2) for against, low in lows.items()}
        return [Evaluation("learner", (against,), "2+0", 9, 18, *[rate] * 4) for against, rate in rates.items()]

    monkeypatch.setattr(training_run, "evaluate_policy", measured)
    small = ["--num-envs", 16, "--rollout-length", 8, "--minibatch-size", 64, "--threads", 1]
    folder = tmp_path / "run"
    _, _, err = called("train", "--folder", folder, "--steps", 256, "--evaluate-every", 128, *small)
    said = "it passes {}: more than a fair share, by the whole 95 % interval\n"
    assert err.count("it passes") == err.count(said.format("random")) == 1
    # Not before anything has been learned.
    assert err.index("after 128 decisions") < err.index("it passes") < err.index("after 256 decisions")
    _, _, err = called("train", "--folder", folder, "--resume", "--steps", 640)
    assert err.count("it passes") == err.count(said.format("greedy")) == 1


def test_too_little_memory_is_one_line(called, monkeypatch):
    def short_of_memory(*arguments, **settings):
        raise MemoryError

    monkeypatch.setattr("romans_training.cli.evaluate.evaluate", short_of_memory)
    status, _, _ = called("evaluate", "greedy", "--against", "random", "--deals", 2)
    assert status == "romans: there is not enough memory for this command"
