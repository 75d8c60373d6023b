"""Policies for tests."""

from __future__ import annotations

import itertools

import numpy as np

import romans_agents
from romans_agents import Policy


def random_policy(hidden_layers: tuple[int, ...], seed: int) -> Policy:
    """A policy of drawn weights; its notes name the seed as its training."""
    rng = np.random.default_rng(seed)
    like = romans_agents.make("legate").policy

    def layers(last: int):
        sizes = (like.scale.size, *hidden_layers, last)
        return [
            (rng.normal(size=(n, m)).astype(np.float32), rng.normal(size=n).astype(np.float32))
            for m, n in itertools.pairwise(sizes)
        ]

    notes = {"activation": "relu", "game": "romans-go-home", "trained_steps": seed}
    return Policy(layers(like.pi[-1][1].size), layers(1), like.scale, notes)
