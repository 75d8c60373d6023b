"""Kept code is that of these sources and this processor; `tests/release/compiling` asks more, in processes."""

import importlib
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.codegen import JITCPUCodegen

from romans_agents.batches.game_arrays import loops_of
from romans_env.compiling.cache_folder import digest_of_sources, source_folders
from romans_env.compiling.decorators import cached_jit
from romans_env.compiling.templates import SOURCES, bound
from romans_env.core.games import spec_of
from romans_env.core.python_step import step_of
from romans_env.engine import batch_loops
from tests.harness import GAMES

compiles = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the rules are interpreted")

RULES = """
from romans_env.compiling.decorators import inlined
from bound_constants import STRENGTH

@inlined
def strength(warrior):
    return STRENGTH + warrior
"""
CONSTANTS = """
from romans_env.compiling.decorators import inlined

STRENGTH = 5
"""
LOOPS = """
from romans_env.compiling.decorators import cached_jit

@cached_jit
def total(warriors):
    found = 0
    for warrior in warriors:
        found += game.strength(warrior)
    return found
"""


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Write packages, import them, and give the modules and their files."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)

    def write(**files):
        paths = {}
        for package, text in files.items():
            paths[package] = tmp_path / package / "__init__.py"
            paths[package].parent.mkdir()
            paths[package].write_text(text)
        return {package: importlib.import_module(package) for package in files}, paths

    return write


@compiles
def test_loops_bound_to_a_game_are_made_anew_when_its_rules_change(sources):
    modules, paths = sources(
        bound_constants=CONSTANTS, bound_rules=RULES, bound_loops=LOOPS, bound_other="STRENGTH = 1\n"
    )
    loops = bound(modules["bound_loops"], game=modules["bound_rules"])
    assert loops.total(np.arange(3)) == 18
    before = digest_of_sources(*vars(loops)[SOURCES])
    assert loops.total.stats.cache_path.endswith(before)
    paths["bound_other"].write_text("STRENGTH = 2\n")
    assert digest_of_sources(*vars(loops)[SOURCES]) == before
    seen = {before}
    for package in ("bound_rules", "bound_constants", "bound_loops"):
        paths[package].write_text(paths[package].read_text() + "\nMORE = 1\n")
        seen.add(digest_of_sources(*vars(loops)[SOURCES]))
    assert len(seen) == 4


@pytest.mark.parametrize("game", [game for game in GAMES if game.is_compiled], ids=lambda game: game.name)
def test_the_loops_of_every_game_depend_on_its_rules_and_its_compiled_agents(game):
    rules, players = game.rules(), spec_of(game.name).part("players")
    for loops, parts in (
        (rules.compiled, [step_of(rules)]),
        (bound(batch_loops, game=step_of(rules)), [step_of(rules)]),
        (loops_of(rules), [step_of(rules), players]),
    ):
        depends = source_folders(*vars(loops)[SOURCES])
        for module in (loops, *parts, importlib.import_module(game.spec.rules.partition(":")[0])):
            assert Path(module.__file__).resolve().parent in depends, module.__name__


@compiles
@pytest.mark.parametrize("part", range(3), ids=["platform", "processor", "features"])
def test_code_made_for_another_processor_is_not_loaded(sources, monkeypatch, part):
    name = f"processor_{part}"
    modules, _ = sources(**{name: "def doubled(number):\n    return 2 * number\n"})

    def loaded():
        """Whether a program that starts now loads the function, and does not compile it."""
        function = cached_jit(modules[name].doubled)
        assert function(21) == 42
        counts = [sum(counted.values()) for counted in (function.stats.cache_hits, function.stats.cache_misses)]
        assert counts in ([1, 0], [0, 1])
        return counts == [1, 0]

    assert [loaded(), loaded()] == [False, True]
    own = JITCPUCodegen.magic_tuple

    def of_another(codegen):
        found = list(own(codegen))
        found[part] += ",+another"
        return tuple(found)

    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(JITCPUCodegen, "magic_tuple", of_another)
        assert [loaded(), loaded()] == [False, True]
    assert loaded()
