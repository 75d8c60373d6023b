"""Streams of chance from seeds: deals and choices never draw the same numbers."""

import numpy as np

from romans_env.engine.random_stream import WORDS
from romans_env.engine.seeds import deal_and_play_streams


def test_deals_and_choices_have_streams_of_their_own():
    deals, choices = deal_and_play_streams([np.random.SeedSequence(seed) for seed in range(50)])
    assert deals.shape == choices.shape == (50, WORDS)
    assert len(np.unique(np.concatenate([deals, choices]), axis=0)) == 100


def test_the_streams_follow_from_the_seed_alone():
    alone = [deal_and_play_streams([np.random.SeedSequence(seed)]) for seed in (3, 4)]
    together = deal_and_play_streams([np.random.SeedSequence(seed) for seed in (3, 4)])
    for kind in range(2):
        assert np.array_equal(np.concatenate([of_seed[kind] for of_seed in alone]), together[kind])
