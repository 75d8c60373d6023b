"""A changed rule is never played from a stale cache, in whatever folder the function is that holds it."""

import shutil
from pathlib import Path

import pytest

import romans_agents.romans_go_home
import romans_env.romans_go_home
from romans_env.compiling.cache_folder import digest_of_sources, source_folders
from tests.release.compiling.processes import compiles, run

# A game of three folders: the rules, helpers that hold a rule, and agents whose compiled function holds a helper.
RULES = """
from romans_env.compiling.decorators import inlined
from some_game.constants import STRENGTH

@inlined
def strength(warrior):
    return STRENGTH + warrior
"""
HELPERS = """
from romans_env.compiling.decorators import inlined
from some_game.rules import strength

@inlined
def value(warrior):
    return strength(warrior)
"""
KERNELS = """
from romans_env.compiling.decorators import cached_jit
from some_helpers.values import value
from some_tables import SIZE

@cached_jit
def choose(warrior):
    return value(warrior)
"""
PROGRAM = """
from some_agents.kernels import choose
value = choose(2)
print(value, sum(choose.stats.cache_hits.values()), sum(choose.stats.cache_misses.values()))
"""


@pytest.fixture
def game(tmp_path):
    """The folder of such a game."""
    files = {
        "some_game/__init__.py": "",
        "some_game/constants.py": "STRENGTH = 5\n",
        "some_game/rules.py": RULES,
        "some_helpers/__init__.py": "",
        "some_helpers/values.py": HELPERS,
        "some_agents/__init__.py": "",
        "some_agents/kernels.py": KERNELS,
        "some_tables/__init__.py": "SIZE = 3\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def output_of(game):
    return run(PROGRAM, game, game / "kept").stdout.strip()


@compiles
def test_a_change_of_a_rule_is_seen_by_a_function_two_folders_away(game):
    assert output_of(game) == "7 0 1"
    (game / "some_game" / "constants.py").write_text("STRENGTH = 6\n")
    assert output_of(game) == "8 0 1"
    rules = game / "some_game" / "rules.py"
    rules.write_text(RULES.replace("+ warrior", "- warrior"))
    assert [output_of(game) for _ in range(2)] == ["4 0 1", "4 1 0"]


def test_equal_sources_have_one_digest_wherever_they_lie(game, tmp_path, monkeypatch):
    """An installed copy beside its checkout, and a process that takes a part from each, throw away nothing."""
    monkeypatch.syspath_prepend(str(game))
    before = digest_of_sources(game / "some_agents")
    copy = tmp_path / "installed"
    shutil.copytree(game, copy, ignore=shutil.ignore_patterns("installed"))
    assert digest_of_sources(copy / "some_agents") == before
    assert digest_of_sources(copy / "some_agents", game / "some_game") == before
    # A copy that differs counts, and so does the place of a source in its package.
    rules = copy / "some_game" / "rules.py"
    rules.write_text(RULES.replace("+ warrior", "- warrior"))
    assert (
        before != digest_of_sources(copy / "some_agents") != digest_of_sources(copy / "some_agents", game / "some_game")
    )
    rules.write_text(RULES)
    rules.rename(copy / "some_game" / "other_rules.py")
    assert digest_of_sources(copy / "some_agents") != before


def test_the_digest_follows_imports_into_compiled_code_alone(game, monkeypatch):
    monkeypatch.syspath_prepend(str(game))
    folders = {folder.name for folder in source_folders(game / "some_agents")}
    assert folders == {"some_agents", "some_helpers", "some_game", "compiling"}
    before = digest_of_sources(game / "some_agents")
    (game / "some_tables" / "__init__.py").write_text("SIZE = 4\n")
    assert digest_of_sources(game / "some_agents") == before


def test_agents_of_the_game_depend_on_its_rules_and_on_what_is_below_them():
    agents, rules = (
        Path(package.__file__).resolve().parent for package in (romans_agents.romans_go_home, romans_env.romans_go_home)
    )
    below = {rules.parent / "compiling", rules.parent / "engine"}
    assert source_folders(agents) == {agents, agents.parent / "loops", rules, *below}
    assert source_folders(rules) == {rules, *below}
