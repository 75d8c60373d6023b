"""Many games at once: the same games as one by one, whatever the number of games and threads."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from romans_env import Game, RomansGoHome, Table
from romans_env.batch import Batch, BatchArrays, play_out
from romans_env.romans_go_home import batch_kernels as kernels
from tests.romans_go_home.stages import SMALL_TABLES, TABLES, table_id


def batch_of(table, num_games, **kwargs):
    return Batch(RomansGoHome(Table(*table)), num_games, **kwargs)


def written(batch):
    return [array.copy() for array in batch.out]


def game_in(batch, i):
    return Game(batch.rules, deal=batch.rules.deal_as_json(batch.states, i))


@pytest.mark.parametrize("table", [*TABLES, *SMALL_TABLES], ids=table_id)
def test_a_batch_plays_the_games_that_single_games_play(table):
    batch = batch_of(table, 5)
    batch.start(seed=1)
    games = [game_in(batch, i) for i in range(5)]
    ended = 0
    for _ in range(150):
        for i, game in enumerate(games):
            seat = game.seat_to_act
            assert seat == batch.out.seats[i]
            assert game.observation(seat).tolist() == batch.out.observations[i].tolist()
            assert game.action_mask(seat).tolist() == batch.out.masks[i].tolist()
        actions = batch.step_randomly()
        for i, game in enumerate(games):
            game.act(int(actions[i]))
            returns = list(game.returns().values())
            assert batch.out.rewards[i].tolist() == pytest.approx(returns)
            assert batch.out.ends[i] == int(game.is_over)
            if game.is_over:
                ended += 1
                games[i] = game_in(batch, i)
    assert ended >= 5


@pytest.mark.parametrize("table", [(1, 1), (2, 0), (3, 1), (4, 0), SMALL_TABLES[1]])
def test_playing_out_is_stepping_to_the_end(table):
    batch = batch_of(table, 16)
    batch.start(seed=1)
    for _ in range(7):
        batch.step_randomly()
    states, streams = batch.states.copy(), batch._choice_streams.copy()
    returns, lengths = np.zeros((16, table[0]), dtype=np.float32), np.zeros(16, dtype=np.int64)
    kernels.play_out_games(states, streams, batch.words, returns, lengths, 0, 16)
    assert all(batch.rules.is_over(states, i) for i in range(16))
    left = np.ones(16, dtype=bool)
    for step in range(1, int(lengths.max()) + 1):
        batch.step_randomly()
        ended = left & (batch.out.ends == 1)
        assert ended.tolist() == (lengths == step).tolist()
        assert batch.out.rewards[ended].tolist() == returns[ended].tolist()
        left &= ~ended
    assert not left.any()


def test_playing_out_depends_on_the_generator_alone():
    batch = batch_of((3, 0), 64)
    batch.start(seed=2)
    played = [
        play_out(batch.rules, batch.states.copy(), np.random.default_rng(seed), threads)
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    ]
    assert played[0][1].tolist() == played[1][1].tolist() != played[2][1].tolist()
    assert played[0][0].tolist() == played[1][0].tolist()
    assert abs(played[0][0].sum()) < 1e-5  # zero-sum (RULES 7.4)
    assert [len(part) for part in play_out(batch.rules, batch.states[:0], np.random.default_rng(1))] == [0, 0]


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("num_games", [3, 8, 64])
def test_a_game_is_the_same_whatever_the_number_of_games_and_threads(num_games, threads):
    few, many = batch_of((3, 0), 3), batch_of((3, 0), num_games, threads=threads)
    few.start(seed=7)
    many.start(seed=7)
    for _ in range(120):
        few.step_randomly()
        many.step_randomly()
        for one, other in zip(few.out, many.out, strict=True):
            assert np.array_equal(one, other[:3])


def test_given_actions_are_played_like_chosen_ones():
    chosen, given = batch_of((2, 1), 16), batch_of((2, 1), 16, threads=2)
    chosen.start(seed=2)
    given.start(seed=2)
    for _ in range(100):
        given.step(chosen.step_randomly())
        for one, other in zip(chosen.out, given.out, strict=True):
            assert np.array_equal(one, other)


def test_games_go_on_unwatched():
    watched, unwatched = batch_of((4, 0), 16), batch_of((4, 0), 16)
    watched.start(seed=3)
    unwatched.start(seed=3)
    for _ in range(100):
        watched.step_randomly()
        unwatched.step_randomly(watches=False)
    assert watched.states.tobytes() == unwatched.states.tobytes()
    assert np.array_equal(watched.out.rewards, unwatched.out.rewards)


def test_random_actions_are_legal_and_each_as_likely():
    batch = batch_of((2, 0), 6000)
    batch.start(seed=4)
    masks = batch.out.masks.copy()
    actions = batch.step_randomly()
    assert masks[np.arange(6000), actions].all()
    expected = (masks / masks.sum(axis=1, keepdims=True)).sum(axis=0)
    counts = np.bincount(actions, minlength=56)
    spread = np.sqrt(np.maximum(expected, 1e-9))
    assert (np.abs(counts - expected) <= 4 * spread).all()


def test_an_illegal_action_ends_that_game_with_the_loss_of_the_offender():
    batch = batch_of((3, 0), 4)
    batch.start(seed=5)
    actions = batch.out.masks.argmax(axis=1)
    actions[1], actions[2] = 55, -1
    seat = batch.out.seats[1]
    before = batch.rules.deal_as_json(batch.states, 1)
    batch.step(actions)
    assert batch.out.ends.tolist() == [0, 2, 2, 0]
    assert batch.out.rewards[1].tolist() == [-1.0 if player == seat else 0.0 for player in range(3)]
    assert batch.out.rewards[0].tolist() == [0.0, 0.0, 0.0]
    assert batch.rules.deal_as_json(batch.states, 1) != before
    assert batch.out.masks.any(axis=1).all()


def test_it_writes_into_the_arrays_of_the_caller():
    rules = RomansGoHome()
    out = BatchArrays.new(rules, 4)
    batch = Batch(rules, 4, out=out)
    assert batch.start(seed=6).observations is out.observations
    assert out.masks.any(axis=1).all()
    batch.step(out.masks.argmax(axis=1).astype(np.int32))
    assert batch.out is out


@pytest.mark.parametrize(
    ("field", "array"),
    [
        ("observations", np.zeros((4, 10), dtype=np.int8)),
        ("masks", np.zeros((4, 56))),
        ("seats", np.zeros(5, dtype=np.int8)),
        ("rewards", np.zeros((2, 4), dtype=np.float32).T),
    ],
)
def test_arrays_that_do_not_fit_are_refused(field, array):
    rules = RomansGoHome()
    with pytest.raises(ValueError, match=field):
        Batch(rules, 4, out=BatchArrays.new(rules, 4)._replace(**{field: array}))


def test_a_pickled_batch_goes_on():
    batch = batch_of((2, 0), 8, threads=2)
    batch.start(seed=8)
    for _ in range(30):
        batch.step_randomly()
    twin = pickle.loads(pickle.dumps(batch))
    for _ in range(60):
        batch.step_randomly()
        twin.step_randomly()
        assert all(np.array_equal(one, other) for one, other in zip(written(batch), written(twin), strict=True))


def test_seeds_one_for_each_game():
    together, apart = batch_of((2, 0), 3), batch_of((2, 0), 3)
    together.start(seed=10)
    apart.start(seed=[10, 11, 12])
    assert together.states.tobytes() == apart.states.tobytes()
    with pytest.raises(ValueError, match="one seed for each of the 3 games"):
        apart.start(seed=[1, 2])


def test_bad_calls_are_told():
    batch = batch_of((2, 0), 3)
    with pytest.raises(RuntimeError, match="start"):
        batch.step(np.zeros(3, dtype=int))
    batch.start(seed=1)
    with pytest.raises(TypeError, match="integers"):
        batch.step(np.zeros(3))
    with pytest.raises(ValueError, match="one action for each of the 3 games"):
        batch.step(np.zeros(4, dtype=int))
    with pytest.raises(ValueError, match="num_games"):
        batch_of((2, 0), 0)
    with pytest.raises(ValueError, match="threads"):
        batch_of((2, 0), 3, threads=0)
