"""The example of a game of one's own, as docs/project/adding_a_game.md has it: an installed package, every command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "own_game"
SMALL = "--steps 256 --num-envs 8 --rollout-length 16 --minibatch-size 64 --hidden-layers 8 --evaluation-deals 2"

pytest.importorskip("hatchling", reason="needs hatchling; install the extra 'dev'")
pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the installed package; what is run in it finds the game by its entry point."""
    folder = tmp_path_factory.mktemp("own_game")
    words = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder / "installed")]
    subprocess.run([sys.executable, "-m", "pip", "install", *words, str(EXAMPLE)], check=True)
    return folder


def run(folder, *words, text=""):
    """What a command prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "installed"), str(ROOT)]), "COLUMNS": "200"},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def romans(folder, *words, text=""):
    return run(folder, "-c", "from romans_training.cli.main import main; main()", *words, text=text)


def test_its_own_tests_pass(installed):
    assert "9 passed" in run(installed, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull, EXAMPLE / "tests")


def test_every_command_of_the_page_takes_it(installed):
    assert "Tollgate (2 players) passes 24 checks" in romans(installed, "check-game", "tollgate", "--games", "1")
    seen = romans(installed, "play", "--game", "tollgate", "--seed", "1", text="1\nq\n")
    assert "Your hand: [" in seen and "random is dealt: cards 3 hidden" in seen and "random plays: card " in seen
    assert "\n4. The player with the most points wins; " in romans(installed, "rules", "--game", "tollgate")
    romans(installed, "train", "--game", "tollgate", *SMALL.split())
    policy = "runs/train/policy.npz"
    found = romans(installed, "evaluate", policy, "--game", "tollgate", "--against", "random", "--deals", "4")
    assert "2 players" in found
    rated = romans(installed, "benchmark", policy, "--game", "tollgate", "--deals", "2")
    assert "on tollgate/own" in rated and "The scale is this game's own" in rated


def test_libraries_make_its_environments(installed):
    code = (
        "import gymnasium, pettingzoo, romans_env\n"
        "assert gymnasium.make('Tollgate-v0').reset(seed=1)[0].shape == (33,)\n"
        "env = pettingzoo.make('aec', 'Tollgate-v0', num_players=4); env.reset(seed=1); print(len(env.agents))\n"
    )
    assert run(installed, "-c", code) == "4\n"
