"""The benchmark measures what it says. Nothing here is timed: the chunks of a contest count calls of a false clock."""

from __future__ import annotations

import json

import pytest

from benchmarks import gate
from romans_training.benchmark import contest, engine, faces
from romans_training.benchmark.contest import Contest, Contestant, Figure
from romans_training.benchmark.report import in_short, print_figures, rows_of
from romans_training.cli.main import main


@pytest.fixture
def clock(monkeypatch):
    """Time that passes only when a chunk says so."""

    class Clock:
        now = 0.0

        def perf_counter(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(contest, "time", clock)
    return clock


def worker(clock, seconds, steps=100):
    def chunk():
        clock.now += seconds
        return steps

    return lambda: chunk


def nowhere():
    import a_package_that_nobody_has  # type: ignore[import-not-found]

    return a_package_that_nobody_has


def test_a_contest_gives_rates_ratios_and_says_what_is_missing(clock):
    fast = Contestant("fast", worker(clock, 0.25), compared_with="slow")
    slow = Contestant("slow", worker(clock, 1.0), is_peer=True)
    absent = Contestant("absent", nowhere, is_peer=True)
    held = Contest("engine", [fast, slow, absent], runs=3, seconds=2.0)
    turns = list(held.turns())
    assert turns == ["fast", "slow", "absent"] + ["fast", "slow"] * 3
    first, second, third = held.figures
    assert (first.rates, first.median, first.ratio) == ([400.0] * 3, 400.0, 4.0)
    assert (second.rates, second.ratio) == ([100.0] * 3, None)
    assert (third.rates, third.median, third.missing) == ([], None, "a_package_that_nobody_has is not installed")
    assert rows_of(held.figures) == [
        ("1", "fast", "400", "400 - 400", "4 x #2"),
        ("2", "slow", "100", "100 - 100", ""),
    ]


def test_the_table_says_what_was_passed_over(clock, capsys):
    held = Contest("engine", [Contestant("absent", nowhere), Contestant("missing", nowhere)], runs=1, seconds=1.0)
    list(held.turns())
    print_figures(held.figures)
    assert "passed over, as a_package_that_nobody_has is not installed: 2" in capsys.readouterr().out


def test_figures_are_medians():
    assert Figure("engine", "x", rates=[1.0, 100.0, 3.0]).median == 3.0


@pytest.mark.parametrize(("rate", "text"), [(12_340_000, "12.3 M"), (45_600, "45.6 k"), (789, "789"), (999_999, "1 M")])
def test_rates_are_short(rate, text):
    assert in_short(rate) == text


def test_names_and_references_are_sound():
    for contestants in (engine.contestants(), faces.aec_contestants(), faces.vector_contestants()):
        names = [one.name for one in contestants]
        assert len(set(names)) == len(names)
        assert {one.compared_with for one in contestants} <= {*names, None}


@pytest.mark.parametrize(
    "name",
    [
        "batch 2+0, N = 64",
        "batch 4+0, N = 4096, two threads",
        "batch 2+0, N = 4096, neither mask nor observation",
        "batch 2+0, N = 4096, actions from outside, checked",
    ],
)
def test_chunks_of_the_engine_count_their_steps(name):
    chunk = next(one for one in engine.contestants() if one.name == name).prepare()
    steps = chunk()
    assert steps == chunk() >= 32_768
    assert steps % 64 == 0


def test_the_command_measures_prints_and_writes(tmp_path, capsys):
    figures = tmp_path / "figures.json"
    arguments = ["benchmark", "aec", "--runs", "2", "--seconds", "0.01", "--only", "env()", "--json", str(figures)]
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0
    assert "PettingZoo AEC" in capsys.readouterr().out
    written = json.loads(figures.read_text())
    assert written["machine"]["cores"] >= 1
    assert "numba" in written["versions"]
    ours = [one for one in written["figures"] if not one["is_peer"]]
    assert len(ours) == 4
    assert all(len(one["rates"]) == 2 and min(one["rates"]) > 0 for one in ours)


def test_nothing_to_measure(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["benchmark", "aec", "--only", "chess"])
    assert stop.value.code == 2
    assert "no contestant's name contains 'chess'" in capsys.readouterr().err


# -- the gate


def test_the_gate_finds_what_is_slower():
    recorded = {"a": 3.0, "b": 1.0}
    assert gate.slower({"a": 2.1, "b": 1.2}, recorded) == {}
    assert gate.slower({"a": 1.9, "b": 1.2}, recorded) == {"a": pytest.approx(3.0 / 1.9)}
    with pytest.raises(ValueError, match="not recorded: c"):
        gate.slower({"c": 1.0}, recorded)


def test_everything_that_is_guarded_is_recorded():
    guarded = {one.name for one in gate.contestants() if one.compared_with}
    assert set(json.loads(gate.RECORDED.read_text())) == guarded
