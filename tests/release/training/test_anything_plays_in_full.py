"""Whatever can decide, where it takes long: in worker processes, answered by search, and asked at every position."""

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

from romans_env import Table
from romans_training import exploit
from romans_training.compare.leaderboard.exploitability import exact_exploitability
from romans_training.compare.leaderboard.protocols import protocol_of
from tests.training.brought import LEARNER

FILES = pytest.mark.parametrize("name", ["class in a file", "function in a file", "policy file", "zip", "sb3 spec"])


@FILES
def test_a_tournament_plays_it_in_worker_processes(given, called, name):
    status, out, err = called("tournament", given[name], "random", "--deals", 2, "--jobs", 2)
    assert status == 0 and given[name] in out.replace("\n", ""), err


@FILES
def test_a_response_by_search_is_measured(given, called, name):
    words = ("--by", "search", "--effort", "light", "--search-deals", 2)
    status, out, err = called("exploit", given[name], *words)
    assert status == 0 and "by search, light" in out, err


@pytest.mark.parametrize("name", ["agent", "object", "function", "module", "network", "model", "q-network"])
def test_a_response_by_search_is_measured_in_python(given, name):
    assert exploit(given[name], Table(2, 0), "search", search_deals=2, effort="light").searched.num_games == 4


@pytest.mark.parametrize("name", ["class in a file", "policy file", "zip", "agent", "module", "network", "model"])
def test_a_policy_is_trained_against_it(given, name):
    assert exploit(given[name], Table(2, 0), "learning", deals=2, **LEARNER).learned.response.num_games == 4


@pytest.mark.parametrize("name", ["function in a file", "zip"])
def test_its_exploitability_is_computed_exactly(given, called, name):
    pytest.importorskip("pyspiel")
    status, out, err = called("benchmark", given[name], "--track", "tiny", "--deals", "2", "--jobs", "1")
    assert status == 0 and "Exact exploitability" in out and "not computed" not in out, err


def test_exploitability_of_an_agent_without_chance_of_its_own():
    pytest.importorskip("pyspiel")
    assert exact_exploitability("greedy", protocol_of(None, "tiny").setup) == pytest.approx(0.84, abs=5e-6)
