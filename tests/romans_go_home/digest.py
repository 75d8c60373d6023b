"""Digests of games, to compare compiled and interpreted rules (``python -m tests.romans_go_home.digest``: as JSON)."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from romans_env import Game
from tests.romans_go_home.stages import SMALL_TABLES, TABLES, new_game, table_id
from tests.tools import Lcg

SEEDS = (20, 21)


def digests() -> dict[str, str]:
    """Digests of two games for each table and variant."""
    return {
        f"{table_id(table)} {seed}": digest_of(new_game(table, seed), seed)
        for table in (*TABLES, *SMALL_TABLES)
        for seed in SEEDS
    }


def digest_of(game: Game, seed: int) -> str:
    """A digest of all that the engine computes in a game played at random.

    At every decision: the record, the global state and the events so far; and for one seat in turn, to save time, the
    observation, the redacted state and a determinization from a fixed stream.
    """
    digest, lcg = hashlib.sha256(), Lcg(seed)
    number = 0
    while True:
        seat = number % len(game.players)
        view = game.view(seat)
        digest.update(game.states.tobytes() + game.global_state().tobytes())
        digest.update(game.observation(seat).tobytes() + view.states.tobytes())
        # The compiled engine draws from a generator's words; those of a fixed one are the same everywhere.
        digest.update(view.sample_game(np.random.default_rng(number)).states.tobytes())
        if game.is_over:
            break
        game.act(lcg.pick(game.legal_actions()))
        number += 1
    told = [(event.kind, event.details) for event in game.events()]
    digest.update(json.dumps([told, game.points(), game.winners(), game.returns()]).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(json.dumps(digests()))
