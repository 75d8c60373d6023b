"""Compiled code on disk: what is damaged is compiled anew, and what others could have put there is not run."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from romans_env.compiling import decorators, private_folder, shipped_code
from romans_env.compiling.cache_folder import cache_folder

# A function of its own compiles in a moment, where the rules would take a minute. What LLVM makes of damaged code can
# end the process, so it is called in another one, which answers each line by one: how many signatures were read from
# disk, and how many decorators.
PROGRAM = """
import sys
import numpy as np
from romans_env.compiling import decorators

def doubled(number):
    return 2 * number

print("ready", flush=True)
for _ in sys.stdin:
    function = decorators.cached_jit(doubled)
    assert function(21) == 42 and function(1.5) == 3.0 and function(np.arange(3))[2] == 4
    print(sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values()), flush=True)
"""

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the rules are interpreted")


class Program:
    """A running program with a compiled function, and where its code is kept."""

    def __init__(self, folder: Path):
        self.kept = folder / "kept"
        script = folder / "program.py"
        script.write_text(PROGRAM)
        root = str(Path(decorators.__file__).parents[2])
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(self.kept), "PYTHONPATH": root}
        handle, name = tempfile.mkstemp(dir=folder)
        self._errors = Path(name)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": handle}
        self.process = subprocess.Popen([sys.executable, str(script)], env=environment, text=True, **pipes)
        os.close(handle)
        assert self.process.stdout.readline() == "ready\n"

    def call(self) -> str:
        """Call the function as a program that has just started does; how many signatures were read, how many compiled.

        Where the program has ended, what it said on standard error.
        """
        with contextlib.suppress(BrokenPipeError):
            print(file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip() or self.said()

    def said(self) -> str:
        """What it has said on standard error, but for what a slow machine says while it compiles."""
        lines = self._errors.read_text().splitlines(keepends=True)
        # The line after the first one names the folder.
        expected = ("romans_env: compiling", "romans_env: waiting", "  ")
        return "".join(line for line in lines if not line.startswith(expected))

    def end(self) -> None:
        self.process.communicate(timeout=60)

    def files(self) -> list[Path]:
        return sorted(self.kept.rglob("*.code"))


@pytest.fixture
def program(tmp_path):
    program = Program(tmp_path)
    yield program
    program.end()


@pytest.fixture(scope="module")
def running_program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("program"))
    yield program
    program.end()


def emptied(path):
    path.write_bytes(b"")


def cut_at(share):
    def cut(path):
        data = path.read_bytes()
        path.write_bytes(data[: int(share * len(data))])

    return cut


def flipped_at(share):
    def flip(path):
        data = bytearray(path.read_bytes())
        data[int(share * (len(data) - 1))] ^= 0x10
        path.write_bytes(bytes(data))

    return flip


def garbage(path):
    path.write_bytes(bytes(range(256)) * 8)


def zeros(path):
    path.write_bytes(bytes(path.stat().st_size))


def lengthened(path):
    path.write_bytes(path.read_bytes() + b"\0")


def removed(path):
    path.unlink()


DAMAGES = [
    *(emptied, garbage, zeros, lengthened, removed),
    *(cut_at(share) for share in (0.01, 0.5, 0.99)),
    *(flipped_at(share) for share in (0, 0.2, 0.4, 0.6, 0.8, 1)),
]


def test_what_is_damaged_is_compiled_anew(running_program):
    program = running_program
    program.call()
    assert program.call() == "3 0"
    for damage in DAMAGES:
        for path in program.files():
            damage(path)
        assert [program.call(), program.call()] == ["0 3", "3 0"]
    assert program.said() == ""


def test_what_is_whole_is_kept(program):
    program.call()
    garbage(program.files()[1])
    assert [program.call(), program.call()] == ["2 1", "3 0"]
    assert program.said() == ""


def test_a_folder_in_the_place_of_a_file_is_named(program):
    program.call()
    for path in program.files():
        path.unlink()
        path.mkdir()
    assert program.call() == "0 3"
    lines = program.said().splitlines()
    assert len(lines) == 3
    for line in lines:
        assert line.startswith("romans_env: the compiled code is not kept (")
        assert line.endswith(f"if this goes on, delete {program.files()[0].parent}")


def test_a_file_in_the_place_of_the_folder_is_named(program):
    program.call()
    folder = program.files()[0].parent
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    assert program.call() == "0 3"
    assert program.said().count(f"if this goes on, delete {folder}\n") == 3
    assert folder.read_text() == "in the way"


def test_processes_that_compile_at_once(program, tmp_path):
    program.call()
    for path in program.files():
        garbage(path)
    programs = [program, *(Program(tmp_path) for _ in range(2))]
    for one in programs:
        print(file=one.process.stdin, flush=True)
    answers = [one.process.stdout.readline() for one in programs]
    assert all(re.fullmatch(r"\d \d\n", answer) for answer in answers)
    assert sum(int(answer.split()[1]) for answer in answers) == 3  # each signature is compiled once
    assert [one.said() for one in programs] == ["", "", ""]
    for one in programs[1:]:
        one.end()
    program.call()
    assert program.call() == "3 0"


HOLDER = """
import sys, time
from filelock import FileLock
lock = FileLock(sys.argv[1])
lock.acquire()
print("locked", flush=True)
time.sleep(600)
"""


def test_a_process_waits_for_one_that_compiles_and_not_for_one_that_died(program):
    program.call()
    (lock,) = program.kept.rglob("*.lock")
    command = [sys.executable, "-c", HOLDER, str(lock)]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "locked\n"
        for path in program.files():
            garbage(path)
        print(file=program.process.stdin, flush=True)
        waiting = "romans_env: waiting for another process that compiles __main__.doubled ("
        end = time.monotonic() + 60
        while waiting not in program._errors.read_text():
            assert time.monotonic() < end
            time.sleep(0.1)
    finally:
        holder.kill()
        holder.communicate()
    assert program.process.stdout.readline() == "0 3\n"


def test_a_release_of_numba_that_is_built_in_another_way_compiles_by_itself():
    program = """
import warnings
from numba.core.codegen import CPUCodeLibrary
del CPUCodeLibrary._get_module_for_linking
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from romans_env.compiling import decorators
assert any("every start compiles for minutes" in str(one.message) for one in caught)
assert type(decorators.jitted(lambda number: number)).__module__ == "numba.core.registry"
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


# -- who may write there

needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")


def chosen_folder(monkeypatch, numba_folder, tmp_path):
    """Where code is kept, with NUMBA_CACHE_DIR in one place and the user's cache in another."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(numba_folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    cache_folder.cache_clear()
    try:
        return cache_folder(tmp_path)
    finally:
        cache_folder.cache_clear()


@needs_owners
def test_the_folder_is_the_users_own(tmp_path, monkeypatch):
    folder = chosen_folder(monkeypatch, tmp_path / "numba", tmp_path)
    assert folder.parent == tmp_path / "numba/romans_env"
    assert [one.stat().st_mode & 0o777 for one in (folder, folder.parent, folder.parents[1])] == [0o700] * 3
    somebody_else = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody_else)
    with pytest.warns(RuntimeWarning, match="belongs to another user; name a folder of your own"):
        assert chosen_folder(monkeypatch, tmp_path / "numba", tmp_path).parent == tmp_path / "__pycache__"


def writable_by_all(shared):
    shared.chmod(0o777)


def writable_by_a_group(shared):
    shared.chmod(0o770)
    os.chown(shared, -1, next(number for number in [*os.getgroups(), 12345] if number != os.getgid()))


def another_users(shared):
    os.chown(shared, os.geteuid() + 1, -1)


@needs_owners
@pytest.mark.parametrize("share", [writable_by_all, writable_by_a_group, another_users])
@pytest.mark.parametrize("place", [".", "mine", "linked"])
def test_code_is_not_kept_where_others_can_replace_it(tmp_path, monkeypatch, share, place):
    # Whoever may rename a folder above the code could put code of his own in its place, after every check of it.
    shared = tmp_path / "shared"
    (shared / "mine").mkdir(parents=True, mode=0o700)
    (tmp_path / "linked").symlink_to(shared / "mine")
    try:
        share(shared)
    except PermissionError:
        pytest.skip("this user cannot give files away")
    with pytest.warns(RuntimeWarning, match=f"compiled code is not kept in .*{re.escape(str(shared))}"):
        folder = chosen_folder(monkeypatch, tmp_path / "linked" if place == "linked" else shared / place, tmp_path)
    assert folder.parent == tmp_path / "__pycache__"
    assert not list(shared.rglob("compiled-*"))


@needs_owners
def test_a_folder_that_is_writable_by_all_is_not_used_though_it_is_the_users_own(tmp_path, monkeypatch):
    folder = chosen_folder(monkeypatch, tmp_path / "numba", tmp_path)
    folder.chmod(0o777)
    with pytest.warns(RuntimeWarning, match=r"other users may write in .*; take that right away \(chmod go-w\)"):
        assert chosen_folder(monkeypatch, tmp_path / "numba", tmp_path).parent == tmp_path / "__pycache__"


@needs_owners
def test_a_folder_with_the_sticky_bit_protects_those_in_it(tmp_path, monkeypatch):
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    assert chosen_folder(monkeypatch, shared / "numba", tmp_path).parent == shared / "numba/romans_env"


def open_files(program):
    for path in program.files():
        path.chmod(0o666)


def open_folders(program):
    for path in program.files():
        path.parent.chmod(0o777)


def files_of_another_user(program):
    for path in program.files():
        os.chown(path, os.geteuid() + 1, -1)


@needs_owners
@pytest.mark.parametrize("share", [open_files, open_folders, files_of_another_user])
def test_code_that_others_can_change_is_compiled_anew(program, share):
    before = os.umask(0)
    try:
        program.call()
        assert program.call() == "3 0"
        for path in program.files():
            assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        try:
            share(program)
        except PermissionError:
            pytest.skip("this user cannot give files away")
        # A folder is closed again by what is compiled first.
        assert [program.call(), program.call()] == ["2 1" if share is open_folders else "0 3", "3 0"]
    finally:
        os.umask(before)


@needs_owners
def test_a_group_is_the_users_own_where_nobody_else_is_in_it(monkeypatch):
    grp, pwd = pytest.importorskip("grp"), pytest.importorskip("pwd")

    def user(name, number, group):
        return SimpleNamespace(pw_name=name, pw_uid=number, pw_gid=group)

    users = [user("me", os.geteuid(), 7), user("other", os.geteuid() + 1, 8)]
    group = SimpleNamespace(gr_name="me", gr_mem=[])
    monkeypatch.setattr(pwd, "getpwuid", lambda number: users[0])
    monkeypatch.setattr(pwd, "getpwall", lambda: users)
    monkeypatch.setattr(grp, "getgrgid", lambda number: group)
    assert private_folder._is_own_group(7)
    assert not private_folder._is_own_group(8)
    group.gr_mem = ["other"]
    assert not private_folder._is_own_group(7)
    group.gr_mem, users[1].pw_gid = [], 7
    assert not private_folder._is_own_group(7)


@pytest.mark.parametrize(
    "content", [b"no pickle", pickle.dumps("another thing"), pickle.dumps((("another", "key"), 1))]
)
def test_a_file_that_is_whole_and_holds_something_else_is_replaced(program, content):
    program.call()
    for path in program.files():
        path.write_bytes(content + hashlib.sha256(content).digest())
    assert [program.call(), program.call()] == ["0 3", "3 0"]
    assert program.said() == ""


# -- a unit that calls another

UNITS = """
from romans_env.compiling.decorators import cached_jit, inlined, jitted

@jitted
def squared(number):
    return number * number

@inlined
def squared_and_more(number):
    return squared(number) + {more}

@cached_jit
def total(number):
    return squared_and_more(number) + squared(2 * number)
"""
CALLS = """
import units
print(units.total(3), [sum(one.stats.cache_misses.values()) for one in (units.squared, units.total)])
"""


@pytest.fixture
def units(tmp_path):
    """Calls a function that calls a unit, in a process of its own, where sources and code lie in a folder."""

    def call(more: int = 1) -> str:
        (tmp_path / "units.py").write_text(UNITS.format(more=more))
        root = str(Path(decorators.__file__).parents[2])
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONPATH": f"{root}:{tmp_path}"}
        command = [sys.executable, "-c", CALLS]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return call


def kept_of(tmp_path, name):
    return [path for path in tmp_path.rglob("*.code") if f".{name}." in path.name]


def test_units_are_loaded_with_those_that_call_them(units):
    assert [units(), units()] == ["46 [1, 1]", "46 [0, 0]"]


@pytest.mark.parametrize("damage", [garbage, removed])
def test_a_unit_that_is_damaged_is_compiled_for_those_that_are_whole(units, tmp_path, damage):
    units()
    for path in kept_of(tmp_path, "squared"):
        damage(path)
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
    root = str(Path(decorators.__file__).parents[2])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONPATH": f"{root}:{tmp_path}"}
    script = "import lambdas; print(lambdas.doubled(7), lambdas.tripled(7), lambdas.both(1))"
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == "14 21 (5, 6)\n", done.stderr
    # A closure has code of its own in every process; what calls it is compiled anew.
    assert not [path for path in tmp_path.rglob("*.code") if "adding" in path.name]


# -- code that came with the package

SHIPPED = """
import sys
from pathlib import Path
import numba
{first}
from romans_env.compiling import decorators, shipped_code
shipped_code.SHIPPED = decorators.SHIPPED = Path(sys.argv[1])
{then}
import units
print(units.total(3), [sum(one.stats.cache_misses.values()) for one in (units.squared, units.total)])
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
        root = str(Path(decorators.__file__).parents[2])
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(self.kept), "PYTHONPATH": f"{root}:{self.folder}"}
        command = [sys.executable, "-c", SHIPPED.format(first=first, then=then), str(self.shipped)]
        done = subprocess.run(command, env={**environment, **variables}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

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


@pytest.mark.parametrize("damage", [emptied, garbage, cut_at(0.5), flipped_at(0.5), flipped_at(1), removed])
def test_what_came_damaged_is_compiled_anew_and_kept(shipped, damage):
    for path in shipped.shipped.rglob("*.code"):
        damage(path)
    assert [shipped.call(), shipped.call()] == ["46 [1, 1]", "46 [0, 0]"]
    assert shipped.num_kept() == 2


def test_a_unit_that_came_damaged_is_compiled_for_those_that_came_whole(shipped):
    (path,) = kept_of(shipped.shipped, "squared")
    garbage(path)
    assert [shipped.call(), shipped.num_kept()] == ["46 [1, 0]", 1]


OLDER = "shipped_code.usable_level.cache_clear(); shipped_code.llvm.get_host_cpu_features = lambda: {'sse2': True}"
UNKNOWN = "shipped_code.level = lambda: None"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param("numba.__version__ = '0.0'", "", id="another numba"),
        pytest.param("import llvmlite; llvmlite.__version__ = '0.0'", "", id="another llvmlite"),
        pytest.param("import sysconfig; sysconfig.get_config_vars()['SOABI'] = 'cpython-399'", "", id="another Python"),
        pytest.param("", OLDER, id="an older processor"),
        pytest.param("", UNKNOWN, id="a platform without a level"),
        pytest.param("", "decorators.leave_shipped_code_alone()", id="for this very processor"),
    ],
)
def test_what_does_not_fit_is_compiled_anew(shipped, first, then):
    if then == OLDER and not shipped_code.level().needs:
        pytest.skip("every processor of this platform is of the level")
    assert [shipped.call(first, then), shipped.num_kept()] == ["46 [1, 1]", 2]


def test_code_of_other_sources_is_left_alone(shipped):
    (shipped.folder / "units.py").write_text(UNITS.format(more=2))
    assert shipped.call() == "47 [1, 1]"


def test_code_in_the_place_of_another_functions_is_compiled_anew(shipped):
    (one,), (other,) = kept_of(shipped.shipped, "squared"), kept_of(shipped.shipped, "total")
    shutil.copyfile(one, other)
    assert shipped.call() == "46 [0, 1]"


# -- the same in every process

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
    root = str(Path(decorators.__file__).parents[2])

    def call(folder: str, before: str, seed: int) -> str:
        variables = {"NUMBA_CACHE_DIR": str(tmp_path / folder), "PYTHONPATH": f"{root}:{tmp_path}"}
        environment = {**os.environ, **variables, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-c", before + TOTAL]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    assert call("one", "", 1) == call("other", OTHER_NUMBERS, 2) == "5.0 1"
    files = [sorted((tmp_path / one).rglob("*.code")) for one in ("one", "other")]
    kept, others = ([pickle.loads(path.read_bytes())[1] for path in paths] for paths in files)
    assert [path.name for path in files[0]] == [path.name for path in files[1]] and len(kept) == 2
    for one, other in zip(kept, others, strict=True):
        call_of, calls, code, symbols, *_ = one
        assert (call_of, calls, code, symbols) == tuple(other[:4])
    # Types have other numbers in that process.
    assert call("one", OTHER_NUMBERS, 3) == "5.0 0"
