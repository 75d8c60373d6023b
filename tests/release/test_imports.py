"""What importing the package brings in: a fresh interpreter says."""

import os
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
