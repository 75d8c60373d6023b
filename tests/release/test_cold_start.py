"""The benchmark of cold starts, with a function that compiles in a moment: processes compile it once."""

import numba
import pytest

pytest.importorskip("resource", reason="processor time of child processes is measured on Unix")

from benchmarks.cold_start import measure

PROGRAM = """
import pathlib
from romans_env.compiling import decorators

def tripled(number):
    return 3 * number

tripled.__globals__["__file__"] = {path!r}
function = decorators.cached_jit(tripled)
assert function(2) == 6
with pathlib.Path({path!r}).with_suffix(".log").open("a") as log:
    log.write(f"{{sum(function.stats.cache_misses.values())}}\\n")
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the rules are interpreted")
def test_processes_that_start_at_once_compile_once(tmp_path):
    path = tmp_path / "program.py"
    program = PROGRAM.format(path=str(path))
    path.write_text(program)
    measured = measure(f"exec(compile({program!r}, {str(path)!r}, 'exec'))", 4, str(tmp_path / "kept"))
    assert measured.processor_seconds > 0
    assert sorted((path.with_suffix(".log")).read_text().split()) == ["0", "0", "0", "1"]


def test_a_process_that_fails_is_named(tmp_path):
    with pytest.raises(RuntimeError, match="no such thing"):
        measure("raise SystemExit('no such thing')", 1, str(tmp_path))
