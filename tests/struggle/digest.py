"""Digests of games, to compare compiled and interpreted rules: ``python -m tests.struggle.digest`` prints JSON."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from romans_env import Game
from romans_env.batch import Batch, play_out
from tests.struggle.stages import SETTINGS, Lcg, new_game, rules_of


def digests() -> dict[str, str]:
    """Digests of a game and a batch of each of some settings."""
    games = {f"game {k}": digest_of(new_game(k, **SETTINGS[k]), k) for k in range(len(SETTINGS))}
    return games | {f"batch {k}": digest_of_batch(SETTINGS[k]) for k in (0, 3)}


def digest_of(game: Game, seed: int) -> str:
    """A digest of all that the engine computes in a game played at random."""
    digest, lcg = hashlib.sha256(), Lcg(seed)
    number = 0
    while not game.is_over:
        seat = number % game.rules.num_players
        if number % 5 == 0:
            view = game.view(seat)
            digest.update(game.states.tobytes() + game.global_state().tobytes())
            digest.update(game.observation(seat).tobytes() + view.states.tobytes())
            digest.update(view.sample_game(np.random.default_rng(number)).states.tobytes())
            digest.update(json.dumps(game.position()).encode())
        digest.update(json.dumps(game.legal_actions()).encode())
        game.act(lcg.pick(game.legal_actions()))
        number += 1
    digest.update(json.dumps(game.record()).encode() + json.dumps(game.returns()).encode())
    return digest.hexdigest()


def digest_of_batch(settings: dict[str, Any]) -> str:
    """A digest of all that the batch's loops write."""
    rules = rules_of(**settings)
    digest, batch = hashlib.sha256(), Batch(rules, 2)
    batch.start(seed=4)
    for _ in range(60):
        digest.update(batch.step_randomly().tobytes() + batch.states.tobytes())
        digest.update(b"".join(array.tobytes() for array in batch.out))
    returns, lengths = play_out(rules, batch.states, np.random.default_rng(1))
    digest.update(returns.tobytes() + lengths.tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    print(json.dumps(digests()))
