"""Units on disk: they are loaded with those that call them, and are the same in every process."""

import pickle

import pytest

from tests.release.compiling.damages import damage
from tests.release.compiling.processes import CALLS, CHECKED, UNITS, compiles, run

pytestmark = compiles


@pytest.fixture
def units(tmp_path):
    """Calls a function that calls a unit, in a process of its own, where sources and code lie in a folder."""

    def call(more: int = 1) -> str:
        (tmp_path / "units.py").write_text(UNITS.format(more=more))
        return run(CALLS, tmp_path, tmp_path / "kept", **CHECKED).stdout.strip()

    return call


def kept_of(tmp_path, name):
    return [path for path in tmp_path.rglob("*.code") if f".{name}." in path.name]


@pytest.mark.parametrize("name", ["garbage", "removed"])
def test_a_unit_that_is_damaged_is_compiled_for_those_that_are_whole(units, tmp_path, name):
    units()
    for path in kept_of(tmp_path, "squared"):
        damage(path, name)
    assert [units(), units()] == ["46 [1, 0]", "46 [0, 0]"]


def test_code_that_calls_a_unit_of_other_sources_is_compiled_anew(units, tmp_path):
    units()
    (old,) = kept_of(tmp_path, "total")
    kept = old.read_bytes()
    assert units(more=2) == "47 [1, 1]"
    (new,) = (path for path in kept_of(tmp_path, "total") if path.parent != old.parent)
    new.write_bytes(kept)
    assert [units(more=2), units(more=2)] == ["47 [0, 1]", "47 [0, 0]"]


LAMBDAS = """
import sys
from romans_env.compiling.decorators import cached_jit, jitted

def adding(number):
    return jitted(lambda other: other + number)

doubled, tripled = cached_jit(lambda number: 2 * number), cached_jit(lambda number: 3 * number)
four, five = adding(4), adding(5)

@cached_jit
def both(number):
    return four(number), five(number)
"""


def test_functions_of_one_name_are_told_apart(tmp_path):
    (tmp_path / "lambdas.py").write_text(LAMBDAS)
    script = "import lambdas; print(lambdas.doubled(7), lambdas.tripled(7), lambdas.both(1))"
    for _ in range(2):
        assert run(script, tmp_path, tmp_path / "kept", **CHECKED).stdout == "14 21 (5, 6)\n"
    # A closure has code of its own in every process; what calls it is compiled anew.
    assert not [path for path in tmp_path.rglob("*.code") if "adding" in path.name]


RECORDS = """
import numpy as np
from romans_env.compiling.decorators import cached_jit, inlined, jitted

@inlined
def first(values):
    return values[0]

@jitted
def sum_of(state):
    return state.a + first(state.b)

@cached_jit
def total(states):
    return sum_of(states[0]) + 3.0
"""
OTHER_NUMBERS = """
import numba
import numpy as np
for k in range(1, 30):
    numba.typeof(np.zeros(k, dtype=[(f"f{k}", np.int8)]))
numba.njit(lambda array: np.sort(array).sum())(np.arange(3.0))
"""
TOTAL = """
import numpy as np
import records
states = np.ones(2, dtype=[("a", np.int64), ("b", np.int64, 4)])
print(records.total(states), sum(records.total.stats.cache_misses.values()))
"""


def test_code_is_the_same_in_every_process(tmp_path, monkeypatch):
    (tmp_path / "records.py").write_text(RECORDS)
    monkeypatch.syspath_prepend(str(tmp_path))  # what is kept names the module

    def call(folder: str, before: str, seed: int) -> str:
        return run(before + TOTAL, tmp_path, tmp_path / folder, PYTHONHASHSEED=str(seed), **CHECKED).stdout.strip()

    assert call("one", "", 1) == call("other", OTHER_NUMBERS, 2) == "5.0 1"
    files = [sorted((tmp_path / one).rglob("*.code")) for one in ("one", "other")]
    kept, others = ([pickle.loads(path.read_bytes())[1] for path in paths] for paths in files)
    assert [path.name for path in files[0]] == [path.name for path in files[1]] and len(kept) == 2
    for one, other in zip(kept, others, strict=True):
        call_of, calls, code, symbols, *_ = one
        assert (call_of, calls, code, symbols) == tuple(other[:4])
    # Types have other numbers in that process.
    assert call("one", OTHER_NUMBERS, 3) == "5.0 0"


TABLE = """
import numpy as np
from romans_env.compiling.decorators import jitted
from romans_env.compiling.tables import entry, publish, table_of, word

publish(5, np.array([7, 0, 0, 0], dtype=np.int16))
print(*jitted(lambda: (entry(table_of(5), 0), word(table_of(5), 0)))())
"""


@pytest.mark.parametrize("disable", ["0", "1"])
def test_another_process_reads_a_table_of_its_own(tmp_path, disable):
    # Compiled code that is kept on disk holds no address of this process.
    assert run(TABLE, tmp_path, tmp_path / "kept", NUMBA_DISABLE_JIT=disable).stdout.split() == ["7", "7"]
