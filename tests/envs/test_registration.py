"""The names under which gymnasium and PettingZoo know the environments, and what importing the package brings in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import gymnasium
import pettingzoo
import pytest

from romans_env import registration, romans_go_home_v0
from romans_env.envs.aec import GameAECEnv
from romans_env.envs.single import SingleSeatEnv
from romans_env.envs.vector import GameVectorEnv
from romans_env.romans_go_home.spec import SPEC

ROOT = Path(__file__).resolve().parents[2]


def output_of(script):
    """What a fresh interpreter prints that runs a script."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", ["romans_go_home_v0", "RomansGoHome-v0"])
def test_pettingzoo_makes_it(name):
    env = pettingzoo.make("aec", name, num_players=3, num_neutrals=1, variant="vogel", reward="points")
    assert isinstance(env.unwrapped, GameAECEnv)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.unwrapped.rules.setup.variant == "vogel"
    assert env.unwrapped.reward == "points"
    env.reset(seed=1)
    env.step(env.unwrapped.legal_actions()[0])


@pytest.mark.parametrize("name", ["romans_go_home_v0", "RomansGoHome-v0"])
def test_pettingzoo_makes_what_the_module_makes(name):
    made, imported = pettingzoo.make("aec", name), romans_go_home_v0.env()
    assert str(type(made)) == str(type(imported))
    made.reset(seed=2)
    imported.reset(seed=2)
    assert made.unwrapped.deal() == imported.unwrapped.deal()


def test_gymnasium_makes_it():
    spec = gymnasium.spec("RomansGoHome-v0")
    assert spec.id == SPEC.env_id == "RomansGoHome-v0"
    assert isinstance(gymnasium.make("RomansGoHome-v0").unwrapped, SingleSeatEnv)
    assert isinstance(gymnasium.make("romans_env:RomansGoHome-v0").unwrapped, SingleSeatEnv)
    assert isinstance(gymnasium.make_vec("RomansGoHome-v0", num_envs=2), GameVectorEnv)


def test_the_specification_of_a_made_environment_makes_it_again():
    env = gymnasium.make("RomansGoHome-v0", opponents=["random", "greedy"], num_neutrals=1, seat=2)
    again = gymnasium.make(env.spec)
    for one in (env, again):
        one.reset(seed=3)
    assert again.unwrapped.record() == env.unwrapped.record()


def test_registering_again_changes_nothing():
    before = gymnasium.spec("RomansGoHome-v0"), dict(pettingzoo.aec_registry)
    registration.register()
    assert (gymnasium.spec("RomansGoHome-v0"), dict(pettingzoo.aec_registry)) == before


@pytest.mark.parametrize(
    "statement",
    ["import romans_env", "from romans_env import romans_go_home_v0; romans_go_home_v0.env().reset(seed=1)"],
)
def test_importing_brings_in_no_learning_library_and_no_agents(statement):
    unwanted = ("torch", "stable_baselines3", "sb3_contrib", "romans_agents", "romans_training", "matplotlib", "pygame")
    loaded = f"import sys; print(*[name for name in {unwanted} if name in sys.modules])"
    assert output_of(f"{statement}\n{loaded}") == ""


def test_agents_bring_in_no_learning_library():
    script = (
        "import gymnasium, sys, romans_env\n"
        "gymnasium.make('RomansGoHome-v0', opponents=['greedy']).reset(seed=1)\n"
        "assert 'romans_agents' in sys.modules\n"
        "unwanted = 'torch', 'stable_baselines3', 'sb3_contrib', 'romans_training'\n"
        "print(*[name for name in unwanted if name in sys.modules])"
    )
    assert output_of(script) == ""


def test_importing_prints_nothing():
    assert output_of("import romans_env, romans_agents") == ""


def test_commands_that_need_no_training_need_no_package_of_the_extra():
    script = (
        "import importlib.abc, sys\n"
        "class Refuse(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name.partition('.')[0] in 'torch stable_baselines3 sb3_contrib tensorboard'.split():\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
        "from romans_training.cli.main import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit as stop:\n"
        "    print('status', stop.code)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def ended(*arguments):
        command = [sys.executable, "-c", script, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        assert "Traceback" not in done.stderr
        return done.stdout.splitlines()[-1]

    assert ended("evaluate", "random", "--against", "random", "--deals", "4") == "status 0"
    assert ended("--version") == "status 0"
    assert ended("train", "--steps", "100").startswith("status romans: training needs ")
