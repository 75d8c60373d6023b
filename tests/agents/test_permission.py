"""What agent specs may load: nothing of a record's, no code of a settings file's, whatever is nested in them."""

import re
import sys
from itertools import product
from pathlib import Path

import pytest

import romans_agents
from romans_agents import UnknownAgentError
from romans_agents.permission import FileNotAllowedError, allowing, require
from romans_agents.romans_go_home.agents import RoundISMCTSAgent
from romans_env import save_record
from romans_training.compare.annotations import agents_of
from tests.policies import random_policy
from tests.romans_go_home.stages import random_game

NESTINGS = [
    "{}",
    "round-ismcts:policy={}",
    "plan-mc:policy={}",
    "round-ismcts:policy={},iterations=5",
    "round-ismcts:iterations=5,policy={}",
    "round-ismcts:iterations=5\n,policy={}",
    "plan-mc:iterations=5\n,policy={}",
    "\nismcts:policy={}",
    "round-ismcts:policy=round-ismcts:policy={}",
    "policy:{}",
    "policy:path={}",
]


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """A folder to stand in, with a file that leaves a trace when it is run."""
    trace = "import pathlib\npathlib.Path('ran').touch()\n"
    (tmp_path / "evil.py").write_text(f"{trace}class Bot:\n    def act(self, view):\n        return 0\n")
    random_policy((8,), seed=1).save(tmp_path / "policy.npz")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "ran"


@pytest.mark.parametrize("files", ["none", "policies"])
def test_no_code_is_run_unless_it_is_allowed(evil, files):
    for nesting in NESTINGS:
        with pytest.raises((UnknownAgentError, romans_agents.PolicyFileError)):
            romans_agents.make(nesting.format("evil.py:Bot"), files)
        assert not evil.exists(), nesting
    romans_agents.make("evil.py:Bot")
    assert evil.exists()  # the trace that it leaves where code is allowed


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (f"process:{sys.executable} evil.py", "a program, which would run with your rights: it may not be"),
        ("llm:model", "a server, which would be asked with your key"),
    ],
    ids=["program", "server"],
)
def test_no_program_is_started_and_no_server_asked_unless_it_is_allowed(evil, spec, why):
    for files, nesting in product(("none", "policies"), ("{}", "round-ismcts:policy={}")):
        with pytest.raises(FileNotAllowedError, match=why):
            romans_agents.make(nesting.format(spec), files)
    assert not evil.exists()


@pytest.mark.usefixtures("evil")
def test_policy_files_are_loaded_with_permission_alone():
    for nesting in (nesting for nesting in NESTINGS if "\n" not in nesting):
        with pytest.raises(FileNotAllowedError, match=r"policy\.npz"):
            romans_agents.make(nesting.format("policy.npz"), "none")


def test_policy_files_and_what_is_built_on_them_need_less_than_code(evil):
    assert isinstance(romans_agents.make("policy.npz", "policies"), romans_agents.PolicyAgent)
    assert isinstance(romans_agents.make("round-ismcts:policy=policy.npz,iterations=2", "policies"), RoundISMCTSAgent)
    assert isinstance(romans_agents.make("round-ismcts:policy=legate,iterations=2", "none"), RoundISMCTSAgent)


def test_an_agent_of_ones_own_hands_the_permission_on(evil, own_registry):
    romans_agents.register("relay", lambda inner: romans_agents.make(inner))
    with pytest.raises(FileNotAllowedError):
        romans_agents.make("relay:evil.py:Bot", "policies")
    assert not evil.exists()
    romans_agents.make("relay:evil.py:Bot")
    assert evil.exists()


def test_a_permission_inside_another_gives_no_more_than_that():
    with allowing("policies"), allowing("code"), pytest.raises(FileNotAllowedError):
        require("code", "x.py")
    require("code", "x.py")
    with pytest.raises(ValueError, match="files is one of 'none', 'policies', 'code', not 'all'"):
        romans_agents.make("random", files="all")


def test_a_record_runs_no_code_and_opens_no_file(called, evil):
    game = random_game((2, 0, "standard"), seed=1)
    for number, nesting in enumerate(NESTINGS):
        game.agents = {"player_0": nesting.format("evil.py:Bot"), "player_1": nesting.format("policy.npz")}
        assert agents_of(game) == {}
        save_record(game.record(), f"{number}.json")
    for number in (0, 5):  # specs of their own, and with a line's end
        called("replay", f"{number}.json", "--html", "page.html")
    assert not evil.exists()


def test_a_page_says_whose_probabilities_are_missing(called, evil):
    game = random_game((2, 0, "standard"), seed=1)
    game.agents = {"player_0": "policy.npz", "player_1": "a person"}
    save_record(game.record(), "game.json")
    status, _, err = called("replay", "game.json", "--html", "page.html")
    assert status == 0
    assert "no probabilities for player_0: a record may not load files; name its agent with --agent" in err
    assert "player_1" not in err


def test_control_characters_are_refused_in_one_line():
    for character in ("\n", "\r", "\0", "\x1b", "\x7f", "\x85", "\u2028", "\ud800"):
        for spec in (f"greedy{character}", f"my{character}.py:Bot", f"round-ismcts:iterations=5{character}"):
            with pytest.raises(UnknownAgentError, match="control character") as refused:
                romans_agents.make(spec)
            assert len(str(refused.value).splitlines()) == 1


def test_an_endless_spec_is_refused_and_not_quoted():
    with pytest.raises(UnknownAgentError, match="at most 4096 characters") as refused:
        romans_agents.make("x" * 100_000)
    assert len(str(refused.value)) < 200


def test_no_product_code_but_the_registry_loads_agents_from_files():
    """A class of a file is loaded in one place, which has the permission."""
    found = {
        path.as_posix()
        for folder in ("romans_env", "agents", "training")
        for path in Path(folder).rglob("*.py")
        if re.search(r"(?<!def )\bload_factory\(", path.read_text(encoding="utf-8"))
    }
    assert found == {"agents/romans_agents/specs/registry.py"}
