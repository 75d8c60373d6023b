"""What pages say that training reaches is what was measured over seeds, and a measured run is not repeated."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import training_runs
from benchmarks.pages import complete, kept, write_generated
from romans_training.run_folder import RunFolder

DOCS = Path(__file__).resolve().parents[2] / "docs"
MEASURED = kept(training_runs.RESULTS)


def result(seed, wins, run="romans-go-home", decisions=8_000_000):
    row = {"player": "", "table": "2+0", "against": "greedy", "games": 2000, "wins": wins}
    return {"run": run, "seed": seed, "decisions": decisions, "seconds": 120.0 + 60 * seed, "results": [row]}


def test_the_page_has_the_table_of_the_results():
    assert training_runs.table(MEASURED) in (DOCS / "training.md").read_text(encoding="utf-8")


def test_every_seed_is_in_the_results_once_and_played_what_others_played():
    assert len({(one["run"], one["seed"]) for one in MEASURED}) == len(MEASURED)
    for name in {one["run"] for one in MEASURED}:
        rows = [[(*row.values(),)[:-1] for row in one["results"]] for one in MEASURED if one["run"] == name]
        assert rows.count(rows[0]) == len(rows)


def test_figures_name_runs_of_enough_seeds():
    for name, figure in json.loads((DOCS / "figures.json").read_text(encoding="utf-8"))["figures"].items():
        if "run" in figure:
            evaluations = training_runs.RUNS[figure["run"]].evaluations
            assert figure["result"][0] in evaluations, name
            shares = training_runs.wins_over_seeds(MEASURED, figure["run"], figure["result"])
            assert len(shares) >= training_runs.ENOUGH, name


def test_the_interval_is_students_over_seeds():
    found = [result(seed, wins) for seed, wins in enumerate((0.87, 0.88, 0.89))]
    shares = training_runs.wins_over_seeds(found, "romans-go-home", ["", "2+0", "greedy"])
    # 4.303 is Student's t of two degrees of freedom, and 1 % the deviation of the seeds.
    assert training_runs.interval_over_seeds(shares).high == pytest.approx(0.88 + 4.303 * 0.01 / 3**0.5, abs=1e-4)
    assert training_runs.in_words(shares) == "88.0 [85.5, 90.5]"
    assert training_runs.in_words(shares[:2]) == "87.5 (2 seeds)"
    assert training_runs.in_words(shares[:1]) == "87.0 (1 seed)"
    assert training_runs.in_words([]) == "-"
    assert training_runs.in_words([0.95, 1.0, 1.0]).endswith(", 100.0]")


def test_a_row_of_the_table():
    found = [result(seed, wins) for seed, wins in enumerate((0.87, 0.88, 0.89))]
    *_, row = training_runs.table([*found, result(0, 0.6, "cleanrl", None)]).splitlines()
    assert row == "| CleanRL style, 500,000 decisions | 2.0 |  | `greedy`, 2+0 | 1 | 60.0 (1 seed) |  |"
    row = training_runs.table(found).splitlines()[-1]
    assert row == "| `make train` | 3.0 | 8.0 | `greedy`, 2+0 | 3 | 88.0 [85.5, 90.5] | 87.0, 89.0 |"


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


def test_only_what_was_generated_is_written_anew(tmp_path):
    page = tmp_path / "page.md"
    begin, end = "<!-- generated by benchmarks.some -->\n", "<!-- end of what is generated -->\n"
    page.write_text(f"# Before\n{begin}old\n{end}after\n{end}", encoding="utf-8")
    write_generated(page, "benchmarks.some", "new\n")
    assert page.read_text(encoding="utf-8") == f"# Before\n{begin}new\n{end}after\n{end}"


def test_commands_that_pages_show_are_those_that_are_measured():
    """A page's command and the benchmark's differ by the seed and the folder alone."""
    shown = "\n".join(path.read_text(encoding="utf-8") for path in (*DOCS.glob("*.md"), DOCS.parent / "Makefile"))
    for name in ("cleanrl", "torchrl", "rllib"):
        (command,) = training_runs.RUNS[name].commands
        assert re.sub(r" --seed \{seed\} --folder \{folder\}", f" --folder runs/{name}", command) in shown
    assert "romans train --game roma" in shown
