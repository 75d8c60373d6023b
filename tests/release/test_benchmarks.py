"""The benchmark measures what it says. Nothing here is timed: the chunks of its cases count calls of a false clock."""

import json

import pytest

from benchmarks import gate
from benchmarks.speed import engine, timing
from benchmarks.speed.__main__ import PARTS, main
from benchmarks.speed.report import in_short, print_measurements, rows_of
from benchmarks.speed.timing import Case, Measurement, measure
from romans_env.core.games import spec_of
from romans_env.romans_go_home.state import STATE

ROMANS = spec_of("romans-go-home")


@pytest.fixture
def clock(monkeypatch):
    """Time that passes only when a chunk says so."""

    class Clock:
        now = 0.0

        def perf_counter(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(timing, "time", clock)
    return clock


def worker(clock, seconds, steps=100):
    def chunk():
        clock.now += seconds
        return steps

    return lambda: chunk


def nowhere():
    import a_package_that_nobody_has  # type: ignore[import-not-found]

    return a_package_that_nobody_has


def test_cases_give_rates_ratios_and_say_what_is_missing(clock):
    fast = Case("fast", worker(clock, 0.25), compared_with="slow")
    slow = Case("slow", worker(clock, 1.0), is_baseline=True)
    absent = Case("absent", nowhere, is_baseline=True)
    order = []
    measured = measure("engine", [fast, slow, absent], runs=3, seconds=2.0, on_case=order.append)
    assert order == ["fast", "slow", "absent"] + ["fast", "slow"] * 3
    first, second, third = measured
    assert (first.rates, first.median, first.ratio) == ([400.0] * 3, 400.0, 4.0)
    assert (second.rates, second.ratio) == ([100.0] * 3, None)
    assert (third.rates, third.median, third.missing) == ([], None, "a_package_that_nobody_has is not installed")
    assert rows_of(measured) == [("1", "fast", "400", "400 - 400", "4 x #2"), ("2", "slow", "100", "100 - 100", "")]


def test_no_ratio_to_what_is_missing_and_the_table_says_what_was_left_out(clock, capsys):
    ours = Case("ours", worker(clock, 1.0), compared_with="absent")
    measured = measure("engine", [ours, Case("absent", nowhere)], runs=2, seconds=1.0)
    assert (measured[0].rates, measured[0].ratio) == ([100.0] * 2, None)
    print_measurements("Engine", measured)
    assert "left out, as a_package_that_nobody_has is not installed: 1" in capsys.readouterr().out
    assert Measurement("engine", "x", rates=[1.0, 100.0, 3.0]).median == 3.0


@pytest.mark.parametrize(("rate", "text"), [(12_340_000, "12.3 M"), (45_600, "45.6 k"), (789, "789"), (999_999, "1 M")])
def test_rates_are_short(rate, text):
    assert in_short(rate) == text


def test_names_and_references_are_sound_and_those_of_the_page():
    measured = json.loads((gate.RECORDED.parent / "figures.json").read_text(encoding="utf-8"))["measurements"]
    every = [[one.name for one in cases(ROMANS)] for cases in PARTS.values()]
    assert sorted(one["name"] for one in measured) == sorted(name for names in every for name in names)
    for names, cases in zip(every, PARTS.values(), strict=True):
        assert len(set(names)) == len(names)
        assert {one.compared_with for one in cases(ROMANS)} <= {*names, None}


def test_a_game_for_three_and_more_is_measured_beside_another_one():
    found = {game: [case.name for case in PARTS["aec"](spec_of(game))] for game in ("roma", "struggle")}
    assert [name for name in found["struggle"] if "Catanatron" in name]
    assert not [name for name in found["roma"] if "Catanatron" in name]


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
    chunk = next(one for one in engine.cases(ROMANS) if one.name == name).prepare()
    steps = chunk()
    assert steps == chunk() >= 32_768
    assert steps % 64 == 0


def test_the_command_measures_prints_and_writes(tmp_path, capsys):
    figures = tmp_path / "figures.json"
    arguments = ["aec", "--runs", "2", "--seconds", "0.01", "--only", "env()", "--json", str(figures)]
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0
    assert "PettingZoo AEC" in capsys.readouterr().out
    written = json.loads(figures.read_text())
    assert written["machine"]["cores"] >= 1
    assert "numba" in written["versions"]
    assert (written["game"], written["bytes_per_game"]) == ("romans-go-home", STATE.itemsize)
    ours = [one for one in written["measurements"] if not one["is_baseline"]]
    assert len(ours) == 5
    assert all(len(one["rates"]) == 2 and min(one["rates"]) > 0 for one in ours)


def test_the_gate_finds_what_is_slower():
    recorded = {"a": 3.0, "b": 1.0}
    assert gate.slower({"a": 2.1, "b": 1.2}, recorded) == {}
    assert gate.slower({"a": 1.9, "b": 1.2}, recorded) == {"a": pytest.approx(3.0 / 1.9)}
    with pytest.raises(ValueError, match="not recorded: c"):
        gate.slower({"c": 1.0}, recorded)


def test_everything_that_is_guarded_is_recorded():
    guarded = {one.name for one in gate.cases() if one.compared_with}
    assert set(json.loads(gate.RECORDED.read_text())) == guarded
