"""A batch of a game without kernels of its own: the same games as one by one, chance in play included."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from romans_env import Game, replay
from romans_env.batch import Batch, BatchArrays, play_out
from tests.toy.rules import DiceRace

RULES = DiceRace()


def outcomes_at_start(batch, i):
    return [*batch.states["bonus"][i].tolist(), int(batch.states["die"][i])]


def test_a_batch_plays_the_games_that_their_records_replay():
    batch = Batch(RULES, 5, threads=2)
    out = batch.start(seed=1)
    assert (out.observations.dtype, out.observations.shape) == (np.int16, (5, 5))
    outcomes, actions = [outcomes_at_start(batch, i) for i in range(5)], [[] for _ in range(5)]
    deals = []
    for step in range(1, 31):
        masks = out.masks.copy()
        chosen = batch.step_randomly()
        for i in range(5):
            assert masks[i, chosen[i]]
            actions[i].append(int(chosen[i]))
            assert out.ends[i] == (step % 10 == 0)
            if out.ends[i]:
                game = Game(RULES, deal={"outcomes": outcomes[i]})
                for action in actions[i]:
                    game.act(action)
                deals.append(tuple(outcomes[i]))
                assert replay(game.record()).record() == game.record()
                assert out.rewards[i].tolist() == pytest.approx(list(game.returns().values()))
                outcomes[i], actions[i] = outcomes_at_start(batch, i), []
            else:
                outcomes[i].append(int(batch.states["die"][i]))
                game = Game.of_states(RULES, batch.states[i : i + 1].copy())
                assert out.rewards[i].tolist() == [0.0, 0.0]
            game = Game.of_states(RULES, batch.states[i : i + 1].copy())
            assert game.seat_to_act == out.seats[i]
            assert game.observation(game.seat_to_act).tolist() == out.observations[i].tolist()
            assert game.action_mask(game.seat_to_act).tolist() == out.masks[i].tolist()
    assert len(set(deals)) == 15


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copied_batch_goes_on_and_a_game_is_the_same_in_any_batch(twin_of):
    few, many = Batch(RULES, 2), Batch(RULES, 6, threads=3)
    few.start(seed=3)
    many.start(seed=3)
    for _ in range(7):
        few.step_randomly()
        many.step_randomly()
    twin = twin_of(few)
    for _ in range(25):
        for batch in (few, many, twin):
            batch.step_randomly()
        for one, other, third in zip(few.out, many.out, twin.out, strict=True):
            assert np.array_equal(one, other[:2]) and np.array_equal(one, third)


def test_playing_out_depends_on_the_generator_alone():
    batch = Batch(RULES, 20)
    batch.start(seed=2)
    batch.step_randomly()
    played = []
    for seed, threads in ((1, 1), (1, 2), (2, 1)):
        states = batch.states.copy()
        returns, lengths = play_out(RULES, states, np.random.default_rng(seed), threads)
        assert lengths.tolist() == [9] * 20
        assert returns.tolist() == [[RULES.game_return(states, i, seat) for seat in (0, 1)] for i in range(20)]
        played.append(states.tobytes())
    assert played[0] == played[1] != played[2]


def test_an_illegal_action_ends_that_game_with_the_loss_of_the_offender():
    batch = Batch(RULES, 3, out=BatchArrays.new(RULES, 3))
    out = batch.start(seed=4)
    seats, words = out.seats.copy(), batch.words.copy()
    actions = out.masks.argmax(axis=1)
    actions[1] = 100
    batch.step(actions)
    assert out.ends.tolist() == [0, 2, 0]
    assert out.rewards.tolist() == [[0, 0], [-1.0 if seat == seats[1] else 0.0 for seat in range(2)], [0, 0]]
    assert (batch.words != words).any(axis=1).tolist() == [False, True, False]
    assert batch.states["turn"].tolist() == [1, 0, 1]
    with pytest.raises(ValueError, match="observations is int16"):
        Batch(RULES, 3, out=out._replace(observations=out.observations.astype(np.int8)))
