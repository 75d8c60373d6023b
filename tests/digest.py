"""Digests of games, compiled or not: ``python -m tests.digest [NAME]`` prints them (of short games without a name)."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from romans_env import Game
from romans_env.core.batch import Batch, play_out
from romans_env.core.protocol import Rules
from tests.harness import GAMES, Harness, id_of
from tests.tools import Lcg

ROOT = Path(__file__).resolve().parents[1]
COMPILED = tuple(game for game in GAMES if game.is_compiled)


def digests(game: Harness) -> dict[str, str]:
    """Digests of games at some tables, and of a batch at fewer."""
    found = {}
    for setup in game.setups:
        setup = {**setup, "max_rounds": 10} if "max_rounds" in game.short else setup
        for seed in range(20, 20 + max(1, 2 * game.seeds // game.every)):
            found[f"{id_of(game, setup)} {seed}"] = digest_of(game.new_game(seed, **setup), seed, game.every)
    for setup in game.setups[::3]:
        found[f"{id_of(game, setup)} batch"] = digest_of_batch(game.rules(**{**setup, **game.short}))
    return found


def shortest(game: Harness) -> str:
    """The digest of one short game."""
    return digest_of(game.new_game(20, **{**game.setups[0], **game.short}), 20, game.every)


def digest_of(game: Game, seed: int, every: int) -> str:
    """A digest of all that the engine computes in a game played at random.

    At a decision: all that is written of the game, and for one seat in turn, to save time, what it is shown.
    """
    digest, lcg, number = hashlib.sha256(), Lcg(seed), 0
    while True:
        seat = number % len(game.players)
        if number % every == 0 or game.is_over:
            view = game.view(seat)
            digest.update(game.states.tobytes() + game.global_state().tobytes())
            digest.update(game.observation(seat).tobytes() + view.states.tobytes())
            # The compiled engine draws from a generator's words; those of a fixed one are the same everywhere.
            digest.update(view.sample_game(np.random.default_rng(number)).states.tobytes())
            digest.update(json.dumps(game.position()).encode())
        if game.is_over:
            break
        digest.update(json.dumps(game.legal_actions()).encode())
        game.act(lcg.pick(game.legal_actions()))
        number += 1
    told = [(event.kind, event.details) for event in game.events()]
    digest.update(json.dumps([told, game.points(), game.returns(), game.record()]).encode())
    return digest.hexdigest()


def digest_of_batch(rules: Rules) -> str:
    """A digest of all that the batch's loops write."""
    digest, batch = hashlib.sha256(), Batch(rules, 2)
    batch.start(seed=4)
    for _ in range(60):
        digest.update(batch.step_randomly().tobytes() + batch.states.tobytes())
        digest.update(b"".join(array.tobytes() for array in batch.out))
    returns, lengths = play_out(rules, batch.states, np.random.default_rng(1))
    digest.update(returns.tobytes() + lengths.tobytes())
    return digest.hexdigest()


def printed_interpreted(*arguments: str, overflows_in: str | None = None) -> str:
    """What Python prints with these arguments, such as ``-m tests.digest``, where nothing is compiled.

    An overflow is silent in compiled code and a RuntimeWarning in numpy's scalars: here it is an error.

    Args:
        arguments: of Python.
        overflows_in: a module whose overflows are meant, as those of a hash are.
    """
    warnings = ["-W", "error::RuntimeWarning"]
    if overflows_in is not None:
        warnings += ["-W", f"ignore::RuntimeWarning:{overflows_in}"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, *warnings, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


if __name__ == "__main__":
    named = [digests(game) for game in COMPILED if game.name in sys.argv]
    print(json.dumps(named[0] if named else [shortest(game) for game in COMPILED]))
