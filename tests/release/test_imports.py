"""What importing the package brings in: a fresh interpreter says."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def output_of(script):
    """What a fresh interpreter prints that runs a script."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stdout


def test_importing_prints_nothing_and_brings_in_no_more_than_is_used():
    script = """
import sys

def assert_absent(*names):
    assert not set(names) & set(sys.modules), set(names) & set(sys.modules)

learning = ("torch", "stable_baselines3", "sb3_contrib", "romans_training")
import romans_env
assert_absent(*learning, "romans_agents", "matplotlib", "pygame")
from romans_env import romans_go_home_v0
romans_go_home_v0.env().reset(seed=1)
assert_absent(*learning, "romans_agents", "matplotlib", "pygame")
import gymnasium
gymnasium.make("RomansGoHome-v0", opponents=["greedy"]).reset(seed=1)
assert "romans_agents" in sys.modules
assert_absent(*learning)
"""
    assert output_of(script) == ""


def test_packages_of_two_copies_say_so_in_a_line(tmp_path):
    """As in the root of a checkout where a wheel is installed: Python finds `romans_env` there, and nothing else."""
    site = tmp_path / "site"
    for package in (ROOT / "romans_env", ROOT / "agents" / "romans_agents"):
        shutil.copytree(package, site / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    said = []
    for places in ((ROOT, site), (ROOT, ROOT / "agents"), (site,)):
        lines = f"import sys; sys.path[:0] = {[str(place) for place in places]!r}; import romans_agents"
        done = subprocess.run(
            [sys.executable, "-c", lines],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stderr)
    (line,) = said[0].splitlines()
    assert f"imported from {ROOT}, and romans_agents from {site}: two copies" in line and "pip install -e ." in line
    assert said[1:] == ["", ""]


def test_commands_that_need_no_training_need_no_package_of_the_extra():
    script = """
import importlib.abc, sys

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in "torch stable_baselines3 sb3_contrib tensorboard".split():
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Refuse())
from romans_training.cli.main import main
for command in ("--version", "evaluate random --against random --deals 4", "train --steps 100"):
    try:
        main(command.split())
    except SystemExit as stop:
        print("status", stop.code)
"""
    ends = [line for line in output_of(script).splitlines() if line.startswith("status ")]
    assert ends[:2] == ["status 0"] * 2
    assert ends[2].startswith("status romans: training needs ")
