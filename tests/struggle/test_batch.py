"""Many games of Struggle for Rome at once: the same games as one by one, whatever the number of games and threads."""

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
from romans_env.struggle import batch_kernels
from tests.struggle.boards import small_board
from tests.struggle.stages import FOUR, SETTINGS, rules_of


def interpreted(rules):
    """The loops that call the rules from Python."""
    return SimpleNamespace(**interpret_for(batch_loops, game=PythonStep(rules)))


def written(batch):
    return [array.tobytes() for array in batch.out]


@pytest.mark.parametrize("settings", [*SETTINGS, {"board": small_board()}])
def test_the_compiled_loops_play_what_the_rules_play(settings):
    rules = rules_of(**{**settings, "max_rounds": 2})
    compiled, plain = Batch(rules, 3), Batch(rules, 3)
    plain._kernels = interpreted(rules)
    compiled.start(seed=3), plain.start(seed=3)
    ended = 0
    for _ in range(150):
        assert written(compiled) == written(plain)
        assert compiled.states.tobytes() == plain.states.tobytes()
        assert np.array_equal(compiled.step_randomly(), plain.step_randomly())
        ended += int(compiled.out.ends.sum())
    assert ended >= 2 and np.array_equal(compiled.words, plain.words)


def test_an_illegal_action_ends_a_game():
    compiled, plain = Batch(FOUR, 3), Batch(FOUR, 3)
    plain._kernels = interpreted(FOUR)
    for batch in (compiled, plain):
        batch.start(seed=5)
        batch.step(np.array([int(batch.out.masks[0].argmax()), 399, -1]))
    assert written(compiled) == written(plain)
    assert compiled.out.ends.tolist() == [0, 2, 2] and sorted(compiled.out.rewards[1].tolist()) == [-1, 0, 0, 0]


def test_a_game_of_the_batch_is_the_game_of_its_words():
    rules = rules_of(num_players=3, max_rounds=10)
    batch = Batch(rules, 2)
    batch.start(seed=8)
    states = rules.new_states(1)
    chance, seat = ChanceSource(batch.words[1:2].copy()), rules.begin(states, 0)
    while seat == CHANCE:
        seat = chance.answer(rules, states)[1]
    game = Game.of_states(rules, states, chance)
    while not game.is_over:
        assert game.states.tobytes() == batch.states[1:2].tobytes()
        assert game.observation(game.seat_to_act).tobytes() == batch.out.observations[1].tobytes()
        assert game.action_mask(game.seat_to_act).tobytes() == batch.out.masks[1].tobytes()
        game.act(int(batch.step_randomly()[1]))
    assert batch.out.ends[1] == 1 and np.allclose(batch.out.rewards[1], list(game.returns().values()))


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_does_not_matter(threads):
    one, many = Batch(FOUR, 7), Batch(FOUR, 7, threads=threads)
    one.start(seed=1), many.start(seed=1)
    for _ in range(100):
        one.step_randomly(), many.step_randomly()
        assert written(one) == written(many)


def test_playing_out_is_what_the_rules_play():
    rules = rules_of(max_rounds=6)
    batch = Batch(rules, 3)
    batch.start(seed=2)
    for _ in range(20):
        batch.step_randomly()
    results = []
    for kernels in (batch_kernels, interpreted(rules)):
        streams, words = np.random.default_rng(3).integers(0, 2**32, size=(2, 3, WORDS), dtype=np.int64)
        states, returns, lengths = batch.states.copy(), np.zeros((3, 4), np.float32), np.zeros(3, np.int64)
        kernels.play_out_games(states, streams, words, returns, lengths, 0, 3)
        results.append((states.tobytes(), returns.tolist(), lengths.tolist()))
    assert results[0] == results[1]
    assert play_out(rules, batch.states.copy(), np.random.default_rng(1))[1].min() > 0


def test_random_actions_are_uniform():
    batch = Batch(FOUR, 4000)
    batch.start(seed=[7] * 4000)
    seen = set()
    for _ in range(60):
        batch.states[:] = batch.states[0]
        batch.step(np.full(4000, int(batch.out.masks[0].argmax())))
        batch.states[:], batch.words[:] = batch.states[0], batch.words[0]
        legal = FOUR.legal_actions(batch.states, 0)
        kind = FOUR.decision_kind(batch.states, 0)
        if kind in seen or len(legal) > 150:
            continue
        seen.add(kind)
        batch._choice_streams[:] = np.random.default_rng(len(seen)).integers(0, 2**32, size=(4000, WORDS))
        kept = batch.states.copy(), batch.words.copy()
        counts = np.bincount(batch.step_randomly(), minlength=399)
        batch.states[:], batch.words[:] = kept
        assert counts[legal].sum() == 4000
        expected = 4000 / len(legal)
        chi_square = ((counts[legal] - expected) ** 2 / expected).sum()
        assert chi_square < len(legal) - 1 + 5 * (2 * len(legal)) ** 0.5
    assert {"build", "tribe"} <= seen


@pytest.mark.parametrize("settings", SETTINGS)
def test_keys_of_events_differ_and_outcomes_are_those_of_every_game(settings):
    rules = rules_of(**settings)
    words = np.random.default_rng(1).integers(0, 2**32, size=(2, WORDS), dtype=np.int64)
    kinds = set()
    for row in range(2):
        states, keys = rules.new_states(1), []
        seat, number = rules.begin(states, 0), 0
        while seat != GAME_OVER:
            if seat == CHANCE:
                keys.append(rules.chance_key(states, 0))
                outcome = draw_outcome(rules, states, 0, words, row)
                assert outcome == ChanceRules.draw_outcome(rules, states, 0, words, row)
                kinds.add(outcome)
                seat = rules.act_chance(states, 0, outcome)
            else:
                legal = rules.legal_actions(states, 0)
                number += 1
                seat = rules.act(states, 0, legal[number * 7 % len(legal)])
        assert len(set(keys)) == len(keys) > 20 and min(keys) >= 0 and max(keys) < 2**62
    assert {1, 6, "cattle", "horse"} <= kinds


def test_both_seatings_of_a_deal_meet_the_same_counters_and_dice():
    # The same words, other choices: what a seat draws first in a turn does not depend on what others drew.
    words = np.random.default_rng(5).integers(0, 2**32, size=(1, WORDS), dtype=np.int64)
    drawn = {}
    for stride in (1, 3, 7, 11):
        states = FOUR.new_states(1)
        seat, number = FOUR.begin(states, 0), 0
        while seat != GAME_OVER:
            if seat == CHANCE:
                key, outcomes = FOUR.chance_key(states, 0), tuple(FOUR.chance_outcomes(states, 0))
                outcome = draw_outcome(FOUR, states, 0, words, 0)
                assert drawn.setdefault((key, outcomes), outcome) == outcome
                seat = FOUR.act_chance(states, 0, outcome)
            else:
                legal = FOUR.legal_actions(states, 0)
                number += stride
                seat = FOUR.act(states, 0, legal[number % len(legal)])
    assert len(drawn) > 500
