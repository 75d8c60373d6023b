"""Digests of games, to compare compiled and interpreted rules: ``python -m tests.roma.digest`` prints them as JSON."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from romans_env import Game
from romans_env.batch import Batch, play_out
from tests.roma.stages import RULES, Lcg, new_game

SEEDS = tuple(range(8))


def digests() -> dict[str, str]:
    """Digests of some games, and of a batch."""
    return {f"game {seed}": digest_of(new_game(seed), seed) for seed in SEEDS} | {"batch": digest_of_batch()}


def digest_of(game: Game, seed: int) -> str:
    """A digest of all that the engine computes in a game played at random."""
    digest, lcg = hashlib.sha256(), Lcg(seed)
    number = 0
    while True:
        seat = number % 2
        view = game.view(seat)
        digest.update(game.states.tobytes() + game.global_state().tobytes())
        digest.update(game.observation(seat).tobytes() + view.states.tobytes())
        digest.update(view.sample_game(np.random.default_rng(number)).states.tobytes())
        digest.update(json.dumps(game.position()).encode())
        if game.is_over:
            break
        game.act(lcg.pick(game.legal_actions()))
        number += 1
    digest.update(json.dumps(game.record()).encode())
    return digest.hexdigest()


def digest_of_batch() -> str:
    """A digest of all that the batch's loops write."""
    digest, batch = hashlib.sha256(), Batch(RULES, 3)
    batch.start(seed=4)
    for _ in range(40):
        digest.update(batch.step_randomly().tobytes() + batch.states.tobytes())
        digest.update(b"".join(array.tobytes() for array in batch.out))
    returns, lengths = play_out(RULES, batch.states, np.random.default_rng(1))
    digest.update(returns.tobytes() + lengths.tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    print(json.dumps(digests()))
