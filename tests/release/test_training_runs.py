"""What pages say that training reaches is what was measured over seeds, and a measured run is not repeated."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import training_runs
from benchmarks.pages import complete, kept
from romans_training.learn.run_folder import RunFolder

DOCS = Path(__file__).resolve().parents[2] / "docs"
MEASURED = kept(training_runs.RESULTS)


def test_the_page_has_the_table_of_the_results():
    assert training_runs.table(MEASURED) in (DOCS / "training" / "romans_train.md").read_text(encoding="utf-8")


def test_every_seed_is_in_the_results_once_and_played_what_others_played():
    assert len({(one["run"], one["seed"]) for one in MEASURED}) == len(MEASURED)
    for name in {one["run"] for one in MEASURED}:
        rows = [[(*row.values(),)[:-1] for row in one["results"]] for one in MEASURED if one["run"] == name]
        assert rows.count(rows[0]) == len(rows)


def test_figures_name_runs_of_enough_seeds():
    for name, figure in json.loads((DOCS / "scripts" / "figures.json").read_text(encoding="utf-8"))["figures"].items():
        if "run" in figure:
            evaluations = training_runs.RUNS[figure["run"]].evaluations
            assert figure["result"][0] in evaluations, name
            shares = training_runs.wins_over_seeds(MEASURED, figure["run"], figure["result"])
            assert len(shares) >= training_runs.ENOUGH, name


@pytest.fixture
def calls(monkeypatch):
    """Stand in for the commands: what was called, as a user would type it."""
    made = []

    def call(command, *arguments):
        made.append(command)
        if arguments:
            rates = {"win_rate": {"mean": 0.5}, "draw_rate": {"mean": 0.1}}
            row = {"table": "2+0", "opponents": ["greedy"], "num_games": 2000, **rates}
            Path(arguments[-1]).write_text(json.dumps([row]), encoding="utf-8")
        elif "--folder" in command:
            Path(command.split("--folder ")[1].split()[0]).mkdir(parents=True, exist_ok=True)
        return ""

    monkeypatch.setattr(training_runs, "call", call)
    return made


def test_a_measured_run_is_not_repeated_and_a_stopped_one_goes_on(tmp_path, calls):
    options = ["--run", "exploit-greedy", "--folder", str(tmp_path), "--results", str(tmp_path / "results.json")]

    def run(*more):
        done = CliRunner().invoke(training_runs.main, [*options, *more])
        assert done.exit_code == 0, done.output

    run("--seeds", "1")
    assert [command.split()[:3] for command in calls] == [
        ["romans", "exploit", "greedy"],
        ["romans", "evaluate", str(tmp_path / "exploit-greedy-0/response.npz")],
    ]
    calls.clear()
    run("--seeds", "1")
    assert calls == []
    stopped = RunFolder(tmp_path / "exploit-greedy-1")
    stopped.path.mkdir()
    stopped.config.write_text("{}", encoding="utf-8")
    run("--seeds", "2")
    assert [command.split()[-1] for command in calls if "exploit " in command] == ["--resume"]
    first, second = kept(tmp_path / "results.json")
    assert (first["seed"], second["seed"]) == (0, 1)
    assert first["results"][0]["wins"] == 0.55
    assert str(tmp_path) not in json.dumps([first["commands"], second["commands"]])


def test_results_that_came_meanwhile_are_kept(tmp_path):
    path = tmp_path / "results.json"

    def measure(seed):
        path.write_text(json.dumps([{"seed": 7}]), encoding="utf-8")
        return {"seed": seed}

    assert complete(path, ("seed",), [(0,)], measure) == [{"seed": 7}, {"seed": 0}]


def test_commands_that_pages_show_are_those_that_are_measured():
    """A page's command and the benchmark's differ by the seed and the folder alone."""
    shown = "\n".join(path.read_text(encoding="utf-8") for path in (*DOCS.rglob("*.md"), DOCS.parent / "Makefile"))
    for name, folder in (("cleanrl", "tensors"), ("torchrl", "torchrl"), ("rllib", "rllib")):
        (command,) = training_runs.RUNS[name].commands
        assert command.replace(" --seed {seed} --folder {folder}", f" --folder runs/{folder}") in shown
    assert "romans train --game roma" in shown
