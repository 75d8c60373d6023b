"""Many games of Roma at once: the same games as one by one, whatever the number of games and threads."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from romans_env import Game
from romans_env.base_rules import ChanceRules
from romans_env.batch import Batch, play_out
from romans_env.chance import ChanceSource, draw_outcome
from romans_env.engine import batch_loops
from romans_env.engine.loops import interpret_for
from romans_env.engine.random_stream import WORDS
from romans_env.protocol import CHANCE, GAME_OVER
from romans_env.python_step import PythonStep
from romans_env.roma import batch_kernels
from tests.roma.stages import RULES

INTERPRETED = SimpleNamespace(**interpret_for(batch_loops, game=PythonStep(RULES)))


def called_one_by_one(num_games):
    """A batch whose loops call the rules from Python."""
    batch = Batch(RULES, num_games)
    batch._kernels = INTERPRETED
    return batch


def written(batch):
    return [array.tobytes() for array in batch.out]


def test_the_compiled_loops_play_what_the_rules_play():
    compiled, plain = Batch(RULES, 6), called_one_by_one(6)
    compiled.start(seed=3), plain.start(seed=3)
    ended = 0
    for _ in range(250):
        assert written(compiled) == written(plain)
        assert compiled.states.tobytes() == plain.states.tobytes()
        assert np.array_equal(compiled.step_randomly(), plain.step_randomly())
        ended += int(compiled.out.ends.sum())
    assert ended > 5 and np.array_equal(compiled.words, plain.words)


def test_an_illegal_action_ends_a_game():
    compiled, plain = Batch(RULES, 3), called_one_by_one(3)
    for batch in (compiled, plain):
        batch.start(seed=5)
        batch.step(np.array([0, 300, -1]))
    assert written(compiled) == written(plain)
    assert compiled.out.ends[1:].tolist() == [2, 2] and compiled.out.rewards[1].tolist() == [-1, 0]


def test_a_game_of_the_batch_is_the_game_of_its_words():
    batch = Batch(RULES, 2)
    batch.start(seed=8)
    states = RULES.new_states(1)
    chance, seat = ChanceSource(batch.words[1:2].copy()), RULES.begin(states, 0)
    while seat == CHANCE:
        seat = chance.answer(RULES, states)[1]
    game = Game.of_states(RULES, states, chance)
    while not game.is_over:
        assert game.states.tobytes() == batch.states[1:2].tobytes()
        assert game.observation(game.seat_to_act).tobytes() == batch.out.observations[1].tobytes()
        assert game.action_mask(game.seat_to_act).tobytes() == batch.out.masks[1].tobytes()
        game.act(int(batch.step_randomly()[1]))
    assert batch.out.ends[1] == 1 and batch.out.rewards[1].tolist() == list(game.returns().values())


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_does_not_matter(threads):
    one, many = Batch(RULES, 7), Batch(RULES, 7, threads=threads)
    one.start(seed=1), many.start(seed=1)
    for _ in range(60):
        one.step_randomly(), many.step_randomly()
        assert written(one) == written(many)


def test_playing_out_is_what_the_rules_play():
    batch = Batch(RULES, 5)
    batch.start(seed=2)
    for _ in range(20):
        batch.step_randomly()
    results = []
    for kernels in (batch_kernels, INTERPRETED):
        streams, words = np.random.default_rng(3).integers(0, 2**32, size=(2, 5, WORDS), dtype=np.int64)
        states, returns, lengths = batch.states.copy(), np.zeros((5, 2), np.float32), np.zeros(5, np.int64)
        kernels.play_out_games(states, streams, words, returns, lengths, 0, 5)
        results.append((states.tobytes(), returns.tolist(), lengths.tolist()))
    assert results[0] == results[1]
    assert play_out(RULES, batch.states.copy(), np.random.default_rng(1))[1].min() > 0


def test_random_actions_are_uniform():
    batch = Batch(RULES, 4000)
    batch.start(seed=[7] * 4000)
    batch._choice_streams[:] = np.random.default_rng(0).integers(0, 2**32, size=(4000, WORDS))
    legal = batch.out.masks[0].nonzero()[0].tolist()
    counts = np.bincount(batch.step_randomly(), minlength=301)
    assert counts[legal].sum() == 4000
    expected = 4000 / len(legal)
    assert ((counts[legal] - expected) ** 2 / expected).sum() < 20


def test_keys_of_events_differ_and_outcomes_are_those_of_every_game():
    words = np.random.default_rng(1).integers(0, 2**32, size=(3, WORDS), dtype=np.int64)
    for row in range(3):
        states, keys = RULES.new_states(1), []
        seat = RULES.begin(states, 0)
        while seat != GAME_OVER:
            if seat == CHANCE:
                keys.append(RULES.chance_key(states, 0))
                outcome = draw_outcome(RULES, states, 0, words, row)
                assert outcome == ChanceRules.draw_outcome(RULES, states, 0, words, row)
                seat = RULES.act_chance(states, 0, outcome)
            else:
                legal = RULES.legal_actions(states, 0)
                seat = RULES.act(states, 0, legal[len(keys) % len(legal)])
        assert len(set(keys)) == len(keys) > 20 and min(keys) >= 0 and max(keys) < 2**62
