"""A numba with an internal of another name: one line says so, and its own cache serves; nothing is silent."""

import os

import pytest

from romans_env.compiling.self_check import VARIABLE
from tests.release.compiling.processes import CALLS, CHECKED, UNITS, compiles, run, said, variables

pytestmark = compiles

# Every use in numba itself has the new name, too, so that numba works.
SITE = """
import importlib.machinery
import re
import sys

class Renamed(importlib.machinery.SourceFileLoader):
    def get_code(self, name):
        source = self.get_data(self.path).decode()
        renamed = re.sub(r"\\b{name}\\b", "moved", source)
        return super().get_code(name) if renamed == source else compile(renamed, self.path, "exec")

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path, target) if name.startswith("numba.") else None
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Renamed(name, spec.origin)
        return spec

sys.meta_path.insert(0, Finder)
"""
INTERNALS = {
    "JITCodeLibrary": "a class that is imported",
    "_final_module": "what a method of a unit uses while it compiles",
    "abi_tags": "an argument of what numba calls while it compiles",
    "get_executable": "a method that loads",
    "reload_init": "an argument of what loads",
}


@pytest.fixture
def called(tmp_path):
    """Call a function that calls a unit, in a process with another numba: what it gave, and what was said."""

    def call(name: str = "no_such_name", **more: str) -> tuple[str, list[str]]:
        (tmp_path / "units.py").write_text(UNITS.format(more=1))
        # Not beside the units, whose digest it would change.
        site = tmp_path / "site" / "sitecustomize.py"
        site.parent.mkdir(exist_ok=True)
        site.write_text(SITE.format(name=name))
        path = f"{site.parent}{os.pathsep}{variables(tmp_path, tmp_path)['PYTHONPATH']}"
        done = run(CALLS, tmp_path, tmp_path / "kept", **{"PYTHONPATH": path, VARIABLE: "check", **more})
        return done.stdout.strip(), said(done.stderr)

    return call


@pytest.mark.parametrize("name", INTERNALS)
def test_a_line_says_so_and_the_second_process_loads(called, name):
    number, (line,) = called(name)
    assert number == "46 [1, 1]"
    assert line.startswith("romans_env: separate compilation does not work with numba")
    assert name in line or "moved" in line
    assert called(name) == ("46 [0, 0]", [])


def test_numba_as_it_is_passes(called):
    assert [called(), called()] == [("46 [1, 1]", []), ("46 [0, 0]", [])]


def test_what_cannot_be_loaded_though_the_check_has_passed_is_said_once(called):
    called(**CHECKED)
    number, (line,) = called("get_executable", **CHECKED)
    assert number == "46 [1, 1]"
    assert line.startswith("romans_env: compiled code cannot be loaded (AttributeError: ")
    assert "'get_executable'" in line and "so every start compiles anew" in line
