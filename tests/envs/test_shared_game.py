"""Games and threads: a game that several threads play at once neither hangs nor leaves the rules."""

import subprocess
import sys

import pytest

from romans_env.compiling.templates import bound
from romans_env.engine import batch_loops
from romans_env.romans_go_home import RomansGoHome, step

# Every thread plays legal actions as it last saw them, and starts the game anew where it finds it over. Threads change
# rarely in one half of the rounds, and as often as can be in the other.
PLAY_TOGETHER = """
import os, random, sys, threading, time
from romans_env import GameOverError, romans_go_home_v0

def play(env, seed):
    chance = random.Random(seed)
    for _ in range(2000):
        try:
            if all(env.terminations.values()):
                env.reset(seed=seed)
            else:
                env.step(chance.choice(env.legal_actions() or [0]))
        except (ValueError, GameOverError):  # somebody else has played meanwhile
            pass

env = romans_go_home_v0.raw_env()
env.reset(seed=0)
env.step(env.legal_actions()[0])
end, rounds = time.monotonic() + 25, 0
while rounds < 12 and time.monotonic() < end:
    rounds += 1
    sys.setswitchinterval(5e-3 if rounds % 2 else 1e-6)
    env.reset(seed=rounds)
    threads = [threading.Thread(target=play, args=(env, 8 * rounds + k), daemon=True) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
        if thread.is_alive():
            print("round", rounds, "hangs", flush=True)
            os._exit(1)
print("played on")
"""


def test_threads_that_play_one_game_do_not_hang():
    command = [sys.executable, "-c", PLAY_TOGETHER]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "played on\n", "")


def test_functions_over_one_game_keep_the_gil_and_those_over_many_release_it():
    def options(module):
        return {
            name: bool(function.targetoptions.get("nogil"))
            for name, function in vars(module).items()
            if hasattr(function, "targetoptions") and function.__module__ == module.__name__
        }

    compiled, loops = RomansGoHome.compiled, bound(batch_loops, game=step)
    if not hasattr(compiled.act, "targetoptions"):
        pytest.skip("the rules are interpreted")
    assert not any(options(compiled).values())
    assert len(options(compiled)) > 10
    for name in ("start_games", "step_games", "play_out_games"):
        assert options(loops)[name]
