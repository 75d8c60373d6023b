"""Compiled code that came with the package: loaded where it fits, and otherwise compiled anew and kept."""

import shutil
from pathlib import Path

import pytest

from romans_env.compiling import shipped_code
from tests.release.compiling.damages import damage
from tests.release.compiling.processes import CALLS, CHECKED, UNITS, compiles, run

pytestmark = compiles

SHIPPED = """
import sys
from pathlib import Path
import numba
{first}
from romans_env.compiling import decorators, shipped_code
shipped_code.SHIPPED = decorators.SHIPPED = Path(sys.argv[1])
{then}
"""


class Shipped:
    """A folder with code that a wheel would bring, and a folder in which a process keeps its own."""

    def __init__(self, folder: Path):
        self.folder, self.shipped, self.kept = folder, folder / "shipped", folder / "kept"
        (folder / "units.py").write_text(UNITS.format(more=1))
        level = shipped_code.level()
        self.call(NUMBA_CACHE_DIR=str(folder / "built"), NUMBA_CPU_NAME=level.cpu, NUMBA_CPU_FEATURES="")
        shutil.copytree(folder / "built" / "romans_env", self.shipped)

    def call(self, first: str = "", then: str = "", **variables: str) -> str:
        program = SHIPPED.format(first=first, then=then) + CALLS
        variables = {"NUMBA_CACHE_DIR": str(self.kept), **CHECKED, **variables}
        return run(program, self.folder, self.kept, str(self.shipped), **variables).stdout.strip()

    def num_kept(self) -> int:
        return len(list(self.kept.rglob("*.code")))


@pytest.fixture
def shipped(tmp_path):
    if shipped_code.level() is None:
        pytest.skip("no wheel brings code for this platform")
    return Shipped(tmp_path)


def test_what_came_with_the_package_is_loaded(shipped):
    assert (shipped.call(), shipped.num_kept()) == ("46 [0, 0]", 0)
    # So it is where nothing can be kept, and where what is there cannot be changed.
    for path in shipped.shipped.rglob("*"):
        path.chmod(0o555)
    assert shipped.call(then="decorators.cache_folder = lambda *folders: None") == "46 [0, 0]"


@pytest.mark.parametrize("name", ["cut at 0.5", "removed"])
def test_what_came_damaged_is_compiled_anew_and_kept(shipped, name):
    for path in shipped.shipped.rglob("*.code"):
        damage(path, name)
    assert [shipped.call(), shipped.call()] == ["46 [1, 1]", "46 [0, 0]"]
    assert shipped.num_kept() == 2


def test_a_unit_that_came_damaged_is_compiled_for_those_that_came_whole(shipped):
    (path,) = shipped.shipped.rglob("*.squared.*.code")
    damage(path, "garbage")
    assert [shipped.call(), shipped.num_kept()] == ["46 [1, 0]", 1]


OLDER = "shipped_code.usable_level.cache_clear(); shipped_code.llvm.get_host_cpu_features = lambda: {'sse2': True}"
UNKNOWN = "shipped_code.level = lambda: None"
SILENT = """
def silent():
    raise RuntimeError("LLVM does not know this processor")
shipped_code.usable_level.cache_clear()
shipped_code.llvm.get_host_cpu_features = silent
"""


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param("numba.__version__ = '0.0'", "", id="another numba"),
        pytest.param("import llvmlite; llvmlite.__version__ = '0.0'", "", id="another llvmlite"),
        pytest.param("import sysconfig; sysconfig.get_config_vars()['SOABI'] = 'cpython-399'", "", id="another Python"),
        pytest.param("", OLDER, id="an older processor"),
        pytest.param("", SILENT, id="a processor that LLVM does not know"),
        pytest.param("", UNKNOWN, id="a platform without a level"),
        pytest.param("", "decorators.leave_shipped_code_alone()", id="for this exact CPU"),
    ],
)
def test_what_does_not_fit_is_compiled_anew(shipped, first, then):
    if then in (OLDER, SILENT) and not shipped_code.level().needs:
        pytest.skip("every processor of this platform is of the level")
    assert [shipped.call(first, then), shipped.num_kept()] == ["46 [1, 1]", 2]


def test_code_of_other_sources_is_left_alone(shipped):
    (shipped.folder / "units.py").write_text(UNITS.format(more=2))
    assert shipped.call() == "47 [1, 1]"


def test_code_in_the_place_of_another_functions_is_compiled_anew(shipped):
    (one,), (other,) = (shipped.shipped.rglob(f"*.{name}.*.code") for name in ("squared", "total"))
    shutil.copyfile(one, other)
    assert shipped.call() == "46 [0, 1]"
