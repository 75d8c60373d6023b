"""``romans benchmark``: one number, the same everywhere, that its file proves and a broken agent does not get."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

import romans_agents
from romans_training.benchmark import protocols as protocols_module
from romans_training.benchmark import verify as verify_module
from romans_training.benchmark.protocols import protocol_of, protocols
from romans_training.benchmark.rating import Rating, expected_share, rating_of
from romans_training.benchmark.result import digest_of_result, packed, rating_in, share_of, unpacked
from romans_training.benchmark.run import benchmark_steps
from romans_training.intervals import Estimate

NAME = "romans-go-home/2+0/1"
THREE = {"random": 0.0, "hoarder": 325.3, "greedy": 1000.0}
SMALL = replace(protocols()[NAME], panel=THREE, copies=THREE, deals=120, quick_deals=60, variance_reduction="none")
BOT = """
import os, time
from romans_agents import Agent

class Bot(Agent):
    name = "bot"
    def seed(self, seed): pass
    def act(self, view):
        {does}
"""


@pytest.fixture
def small(monkeypatch):
    """A protocol that takes a second, in the place of the first one."""
    for module in (protocols_module, verify_module):
        monkeypatch.setattr(module, "protocols", lambda: {NAME: SMALL})
    return SMALL


def played(agent, protocol, folder, deals, jobs=1):
    """The result, and how many games had been played before."""
    steps = benchmark_steps(agent, protocol, folder, deals, jobs)
    first = next(steps)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value, first.games


def without_machine(result):
    return json.dumps({**result.as_json(), "machine": None})


# -- the rating


@pytest.mark.parametrize("num_players", [2, 4])
def test_the_rating_is_where_the_model_expects_the_share(num_players):
    panel, unit = [0.0, 400.0, 1000.0], 0.002
    for wanted in (-300.0, 0.0, 650.0, 2000.0):
        share = expected_share(unit * wanted, unit * np.array(panel), num_players)
        found = rating_of(Estimate(share, share - 0.05, share + 0.01), panel, num_players, unit)
        assert found.mean == pytest.approx(wanted, abs=1e-6)
        assert found.low < found.mean < found.high
    # Equal strength wins a fair share.
    assert expected_share(5.0, np.array([5.0]), num_players) == pytest.approx(1 / num_players)


def test_a_rating_has_no_bound_where_everything_or_nothing_was_won():
    rating = rating_of(Estimate(1.0, 0.9, 1.0), [0.0, 1000.0], 2, 0.002)
    assert (rating.mean, rating.high) == (None, None) and rating.low is not None
    assert rating_of(Estimate(-0.01, -0.02, 0.0), [0.0, 1000.0], 2, 0.002) == Rating(None, None, None)


def test_intervals_hold_the_rating_as_often_as_they_say():
    """Of a thousand benchmarks of an agent with a known share, whose two games of a deal go together."""
    rng, true = np.random.default_rng(1), {"random": 0.87, "hoarder": 0.8, "greedy": 0.45}
    expected = rating_in(SMALL, Estimate(*[np.mean(list(true.values()))] * 3)).mean
    held = 0
    for _ in range(1000):
        values = []
        for share in true.values():
            # Correlated over seatings, as the same deal is.
            luck = rng.normal(size=100)
            draws = 0.5 * luck[:, None] + np.sqrt(0.75) * rng.normal(size=(100, 2))
            values.append((draws < norm.ppf(share)).mean(axis=1))
        low, high = rating_in(SMALL, share_of(values, SMALL))[1:]
        held += low <= expected <= high
    assert 930 <= held <= 970


# -- protocols


@pytest.mark.parametrize("reduction", ["none", "aivat"])
def test_an_agent_that_wins_two_deals_may_lose_others(reduction):
    share = share_of([np.ones(2)] * len(THREE), replace(SMALL, variance_reduction=reduction))
    assert share.mean == 1 and share.low < 0.7


@pytest.mark.parametrize("protocol", protocols().values(), ids=protocols())
def test_a_panel_goes_from_weak_to_strong_by_agents_that_do_not_change(protocol):
    ratings = list(protocol.panel.values())
    assert ratings == sorted(ratings) and protocol.panel["random"] == 0.0 and protocol.panel[protocol.reference] == 1000
    for spec in protocol.panel:
        # `legate` may be another policy one day.
        assert romans_agents.make(spec, game=protocol.game) and spec != "legate"
    assert list(protocol.copies) == list(protocol.panel)
    assert protocol.name.startswith(protocol.game) and protocol.quick_deals < protocol.deals


def test_unknown_protocols_are_told(called):
    for arguments, suggestion in (
        (("greedy", "--protocol", "romans-go-home/2+0/11"), "did you mean 'romans-go-home/2+0/1'?"),
        (("gredy",), "did you mean 'greedy'?"),
        (("random", "--protocol", "roma/2"), "there is no benchmark 'roma/2' (did you mean 'roma/1'?)"),
        (("random", "--game", "struggle", "--protocol", "roma/1"), "struggle has no benchmark 'roma/1'"),
        # The protocol says which game.
        (("greedy", "--protocol", "roma/1"), "unknown agent 'greedy'"),
    ):
        message, _, _ = called("benchmark", *arguments)
        assert suggestion in message
    assert protocol_of("roma").name == "roma/1"


# -- results


@pytest.mark.parametrize(("agent", "reduction"), [("random", "none"), ("greedy", "aivat")])
def test_the_same_result_whatever_the_number_of_processes(tmp_path, agent, reduction):
    protocol = replace(SMALL, variance_reduction=reduction)
    one, _ = played(agent, protocol, tmp_path / "one", 30, jobs=1)
    two, _ = played(agent, protocol, tmp_path / "two", 30, jobs=2)
    assert without_machine(one) == without_machine(two)
    assert one.games == 30 * 2 * 3 and one.rating is not None


def test_a_benchmark_goes_on_where_it_stopped(tmp_path):
    quick, before = played("greedy", SMALL, tmp_path, 60)
    whole, kept = played("greedy", SMALL, tmp_path, 120)
    again, all_kept = played("greedy", SMALL, tmp_path, 120)
    assert (before, kept, all_kept) == (0, quick.games, whole.games)
    assert without_machine(whole) == without_machine(again)
    assert whole.opponents[0].digests[0] == quick.opponents[0].digests[0]


def test_the_reference_against_itself_wins_half(tmp_path):
    result, _ = played("greedy", SMALL, tmp_path, 60)
    shares = {one.spec: one.share.mean for one in result.opponents}
    assert shares["greedy"] == 0.5 and shares["random"] > shares["hoarder"] > 0.5
    assert result.rating.low < 1000 < result.rating.high


def test_an_agent_that_searches_plays_fewer_deals(tmp_path):
    two = {"random": 0.0, "greedy": 1000.0}
    protocol = replace(SMALL, panel=two, copies=two, search_deals=2)
    result, _ = played("flat-mc:iterations=2", protocol, tmp_path, 60)
    assert result.deals == 2 and result.games == 8


# -- files of results


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """That of ``greedy``."""
    return played("greedy", SMALL, tmp_path_factory.mktemp("games"), 60)[0].as_json()


def test_the_command_says_one_number_and_writes_a_file_that_proves_it(small, called, result, tmp_path):
    path = tmp_path / "greedy.json"
    status, out, _ = called(
        "benchmark", "greedy", "--quick", "--json", path, "--jobs", 1, "--folder", tmp_path / "games"
    )
    assert status == 0 and out.splitlines()[1].startswith("rating ") and "worst opponent is greedy" in out
    written = json.loads(path.read_text(encoding="utf-8"))
    assert {**written, "machine": None} == {**result, "machine": None}
    status, out, _ = called("benchmark", "--verify", path, "--jobs", 1)
    assert status == 0 and "300 of its games were played once more" in out


def signed(result):
    return {**result, "digest": digest_of_result(result)}


def changed_share(result):
    result["opponents"][0]["share"]["mean"] += 0.01
    return signed(result)


def changed_game(result):
    values = unpacked(result["opponents"][1]["values"]).copy()
    k = np.flatnonzero(values != 0.5)[0]
    values[k] = 1.0 - values[k]
    result["opponents"][1]["values"] = packed(values)
    return signed(result)


def changed_games(result):
    """Shares, and the rating, follow from games that nobody played."""
    values = []
    for one in result["opponents"]:
        values.append(np.clip(unpacked(one["values"]) + 0.1, None, 1.0))
        one["values"] = packed(values[-1])
        one["share"] = share_of(values[-1:], SMALL)._asdict()
        one["digests"] = ["0123456789abcdef" for _ in one["digests"]]
    share = share_of(values, SMALL)
    return signed({**result, "share": share._asdict(), "rating": rating_in(SMALL, share)._asdict()})


def changed_opponent(result):
    result["opponents"][2]["spec"] = "skirmisher"
    return signed(result)


def changed_rating(result):
    result["rating"]["mean"] += 50
    return signed(result)


def changed_agent(result):
    return signed({**result, "agent": "hoarder"})


def changed_version(result):
    return {**result, "version": "9.9.9"}


def test_a_slow_agent_plays_few_deals_first_and_more_later(small, called, tmp_path):
    arguments = ("benchmark", "greedy", "--jobs", 1, "--folder", tmp_path / "games")
    status, out, _ = called(*arguments, "--deals", 4)
    assert status == 0 and "24 games, 4 of 120 deals" in out
    status, out, err = called(*arguments, "--deals", 6)
    assert status == 0 and "36 games, 6 of 120 deals" in out
    for wrong in (("--deals", 121), ("--deals", 6, "--quick")):
        status, _, err = called(*arguments, *wrong)
        assert status == 2 and "--deals is at most 120" in err


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (changed_share, "the share against random is not that of its games"),
        (changed_game, "the share against hoarder is not that of its games"),
        (changed_games, "the games against random are not those of greedy"),
        (changed_opponent, "its opponents are not those of romans-go-home/2+0/1: skirmisher"),
        (changed_rating, "its rating is not that of its shares"),
        (changed_agent, "the games against random are not those of hoarder"),
        (changed_version, "its digest is of another result"),
        (lambda result: {**result, "format": "other"}, "no result of the format romans-benchmark/1"),
        (lambda result: {**result, "protocol": "chess"}, "there is no protocol 'chess'"),
    ],
)
def test_a_changed_file_is_refused_by_what_differs(small, called, result, tmp_path, change, line):
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(change(copy.deepcopy(result))), encoding="utf-8")
    message, _, _ = called("benchmark", "--verify", path, "--jobs", 1)
    assert line in message and "\n" not in message


# -- broken agents


@pytest.mark.parametrize(
    ("does", "kind"),
    [
        ("raise ValueError('at fault')", "errors"),
        ("return -1", "illegal actions"),
        ("time.sleep(2)", "decisions that took too long"),
        ("os._exit(3)", "the end of their process"),
    ],
)
def test_a_broken_agent_gets_no_number(small, called, tmp_path, monkeypatch, does, kind):
    monkeypatch.setattr(protocols_module, "MOVE_TIME", 0.01)
    (tmp_path / "bot.py").write_text(BOT.format(does=does), encoding="utf-8")
    arguments = (f"{tmp_path}/bot.py:Bot", "--jobs", 1, "--folder", tmp_path / "games", "--json", tmp_path / "x.json")
    status, out, err = called("benchmark", *arguments)
    assert status == 1 and "No rating" in out and f"Games lost by {kind}: " in out, (status, out, err)
    result = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert result["rating"] is None and result["faults"]
    message, _, _ = called("benchmark", "--verify", tmp_path / "x.json")
    assert "stopped because of its faults" in message
