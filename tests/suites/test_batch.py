"""Many games at once: the same games as one by one, whatever the number of games and threads."""

import copy
import pickle

import numpy as np
import pytest

from romans_env import Game
from romans_env.compiling.templates import bound
from romans_env.core.base_rules import BaseRules
from romans_env.core.batch import Batch, BatchArrays, play_out
from romans_env.core.chance import ChanceSource
from romans_env.core.protocol import CHANCE, GAME_OVER
from romans_env.core.python_step import PythonStep
from romans_env.engine import batch_loops
from romans_env.engine.random_stream import WORDS
from tests.harness import ROMANS_GO_HOME, SMALL_BOARD, each_game, each_setup
from tests.tools import Lcg

pytestmark = pytest.mark.usefixtures("toy")

COMPILED = [param for param in each_setup.args[1] if param.values[0].is_compiled]
IN_PLAY = [param for param in each_setup.args[1] if param.values[0].in_play]


def batches(game, setup, num_games, threads=1):
    """A batch, and one whose loops call the rules from Python."""
    rules = game.rules(**setup)
    batch, plain = Batch(rules, num_games, threads=threads), Batch(rules, num_games)
    plain._loops = bound(batch_loops, game=PythonStep(rules))
    return batch, plain


def written(batch, num_games=None):
    return [array[:num_games].tobytes() for array in batch.out]


def game_in(batch, i):
    """A game of the batch, as it stands, with the chance that is to come."""
    chance = ChanceSource(batch.words[i : i + 1].copy())
    return Game.of_states(batch.rules, batch.states[i : i + 1].copy(), chance)


@each_game
def test_a_batch_plays_the_games_that_single_games_play(game):
    for setup in game.setups:
        batch, ended = Batch(game.rules(**{**setup, **game.short}), 3), 0
        batch.start(seed=1)
        games = [game_in(batch, i) for i in range(3)]
        for _ in range(120):
            for i, one in enumerate(games):
                assert one.states.tobytes() == batch.states[i : i + 1].tobytes()
                assert one.seat_to_act == batch.out.seats[i]
                assert one.observation(one.seat_to_act).tobytes() == batch.out.observations[i].tobytes()
                assert one.action_mask(one.seat_to_act).tobytes() == batch.out.masks[i].tobytes()
            actions = batch.step_randomly()
            for i, one in enumerate(games):
                one.act(int(actions[i]))
                assert batch.out.rewards[i].tolist() == pytest.approx(list(one.returns().values()))
                assert batch.out.ends[i] == int(one.is_over)
                if one.is_over:
                    ended += 1
                    games[i] = game_in(batch, i)
        assert ended >= 2


@pytest.mark.parametrize(("game", "setup"), [*COMPILED, SMALL_BOARD])
def test_the_compiled_loops_play_what_the_rules_play(game, setup):
    compiled, plain = batches(game, {**setup, **game.short}, 3)
    compiled.start(seed=3), plain.start(seed=3)
    for _ in range(120):
        assert written(compiled) == written(plain)
        assert compiled.states.tobytes() == plain.states.tobytes()
        assert np.array_equal(compiled.step_randomly(), plain.step_randomly())
    assert np.array_equal(compiled.words, plain.words)
    results = []
    for batch in (compiled, plain):
        streams, words = np.random.default_rng(3).integers(0, 2**32, size=(2, 3, WORDS), dtype=np.int64)
        states, lengths = compiled.states.copy(), np.zeros(3, dtype=np.int64)
        returns = np.zeros((3, batch.rules.num_players), dtype=np.float32)
        batch._loops.play_out_games(states, streams, words, returns, lengths, 0, 3)
        results.append((states.tobytes(), returns.tolist(), lengths.tolist()))
        assert all(batch.rules.is_over(states, i) for i in range(3))
    assert results[0] == results[1] and min(results[0][2]) > 0


@each_game
def test_an_illegal_action_ends_that_game_with_the_loss_of_the_offender(game):
    compiled, plain = batches(game, {}, 5)
    for batch in (compiled, plain):
        batch.start(seed=6)
        while batch.out.seats[1] == 0 or batch.out.masks[3].all():  # the offender is not the first seat
            batch.step_randomly()
        actions, seats, before = batch.out.masks.argmax(axis=1), batch.out.seats.copy(), batch.states.copy()
        actions[1:4] = game.num_actions, -1, batch.out.masks[3].argmin()
        batch.step(actions)
    assert written(compiled) == written(plain)
    out, players = compiled.out, range(compiled.rules.num_players)
    assert out.ends.tolist() == [0, 2, 2, 2, 0] and out.masks.any(axis=1).all()
    for i in range(5):
        assert out.rewards[i].tolist() == [-1.0 if out.ends[i] and seat == seats[i] else 0.0 for seat in players]
        assert compiled.states[i].tobytes() != before[i].tobytes()


@each_game
def test_a_game_is_the_same_whatever_is_beside_it_and_however_it_goes_on(game):
    """Other numbers of games and threads, given actions, nobody who watches, and copies change nothing."""
    rules = game.rules(**game.short)
    few, many, most, given, unwatched = (
        Batch(rules, number, threads=threads) for number, threads in ((3, 1), (4, 2), (9, 3), (3, 2), (3, 1))
    )
    for batch in (few, many, most, given, unwatched):
        batch.start(seed=7)
    for number in range(90):
        if number == 30:
            twins = copy.deepcopy(few), pickle.loads(pickle.dumps(few))
        actions = few.step_randomly()
        given.step(actions)
        for batch in (many, most, *(twins if number >= 30 else ())):
            batch.step_randomly()
            assert written(batch, 3) == written(few)
        unwatched.step_randomly(watches=False)
        assert written(given) == written(few)
        assert unwatched.states.tobytes() == few.states.tobytes()
        assert np.array_equal(unwatched.out.rewards, few.out.rewards)


@each_game
def test_playing_out_is_stepping_to_the_end(game):
    batch = Batch(game.rules(**game.short), 8)
    batch.start(seed=1)
    batch.step_randomly()
    states, streams, words = batch.states.copy(), batch._choice_streams.copy(), batch.words.copy()
    returns, lengths = np.zeros((8, batch.rules.num_players), dtype=np.float32), np.zeros(8, dtype=np.int64)
    batch._loops.play_out_games(states, streams, words, returns, lengths, 0, 8)
    left = np.ones(8, dtype=bool)
    for step in range(1, int(lengths.max()) + 1):
        batch.step_randomly()
        ended = left & (batch.out.ends == 1)
        assert ended.tolist() == (lengths == step).tolist()
        assert batch.out.rewards[ended].tolist() == returns[ended].tolist()
        left &= ~ended
    assert not left.any()


@each_game
def test_playing_out_depends_on_the_generator_alone(game):
    rules = game.rules(**game.short)
    batch = Batch(rules, 12)
    batch.start(seed=2)
    batch.step_randomly()
    ends = []
    for seed, threads in ((1, 1), (1, 3), (2, 1)):
        states = batch.states.copy()
        returns, lengths = play_out(rules, states, np.random.default_rng(seed), threads)
        expected = [[rules.game_return(states, i, seat) for seat in range(rules.num_players)] for i in range(12)]
        assert np.allclose(returns, expected) and abs(returns.sum()) < 1e-4
        ends.append((states.tobytes(), returns.tolist(), lengths.tolist()))
    assert ends[0] == ends[1] != ends[2]
    assert [len(part) for part in play_out(rules, batch.states[:0], np.random.default_rng(1))] == [0, 0]


@each_game
def test_the_choices_and_the_chance_of_games_that_are_played_out_are_drawn_apart(game):
    rules = game.rules(**game.short)
    batch = Batch(rules, 6)
    batch.start(seed=4)
    ends = []
    streams, words = np.random.default_rng(5).integers(0, 2**32, size=(2, 6, WORDS), dtype=np.int64)
    for chance in (words, streams):
        states, returns = batch.states.copy(), np.zeros((6, rules.num_players), dtype=np.float32)
        lengths = np.zeros(6, dtype=np.int64)
        batch._loops.play_out_games(states, streams.copy(), chance.copy(), returns, lengths, 0, 6)
        ends.append(states.tobytes())
    states = batch.states.copy()
    play_out(rules, states, np.random.default_rng(5))
    assert states.tobytes() == ends[0]
    assert (ends[0] != ends[1]) == game.in_play, "with the same words for both, the chance is another"


@each_game
def test_random_actions_are_legal_and_each_as_likely(game):
    batch = Batch(game.rules(), 4000)
    batch.start(seed=[7] * 4000)
    batch._choice_streams[:] = np.random.default_rng(0).integers(0, 2**32, size=(4000, WORDS))
    legal = batch.out.masks[0].nonzero()[0]
    counts = np.bincount(batch.step_randomly(), minlength=game.num_actions)[legal]
    expected = 4000 / len(legal)
    assert counts.sum() == 4000
    assert ((counts - expected) ** 2 / expected).sum() < len(legal) - 1 + 5 * (2 * len(legal)) ** 0.5


@pytest.mark.parametrize(("game", "setup"), IN_PLAY)
def test_keys_of_events_differ_and_outcomes_follow_from_them(game, setup):
    rules = game.rules(**setup)
    words = np.random.default_rng(1).integers(0, 2**32, size=(2, WORDS), dtype=np.int64)
    drawn = {}
    for number in range(6):
        # Whatever was chosen before, the same event has the same outcome: all seatings of a deal meet the same luck.
        states, keys, lcg, row = rules.new_states(1), [], Lcg(number), number % 2
        seat = rules.begin(states, 0)
        while seat != GAME_OVER:
            if seat == CHANCE:
                key, outcomes = rules.chance_key(states, 0), tuple(rules.chance_outcomes(states, 0))
                keys.append(key)
                outcome = rules.draw_outcome(states, 0, words, row)
                assert outcome == BaseRules.draw_outcome(rules, states, 0, words, row)
                assert drawn.setdefault((row, key, outcomes), outcome) == outcome
                seat = rules.act_chance(states, 0, outcome)
            else:
                seat = rules.act(states, 0, lcg.pick(rules.legal_actions(states, 0)))
        assert len(set(keys)) == len(keys) > 4 and min(keys) >= 0 and max(keys) < 2**62
    assert len(set(drawn.values())) >= 5


def batch_of(num_games, **kwargs):
    return Batch(ROMANS_GO_HOME.rules(), num_games, **kwargs)


def test_it_writes_into_the_arrays_of_the_caller():
    out = BatchArrays.new(ROMANS_GO_HOME.rules(), 4)
    batch = batch_of(4, out=out)
    assert batch.start(seed=6).observations is out.observations and out.masks.any(axis=1).all()
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
    with pytest.raises(ValueError, match=field):
        batch_of(4, out=BatchArrays.new(ROMANS_GO_HOME.rules(), 4)._replace(**{field: array}))


def test_seeds_one_for_each_game():
    together, apart = batch_of(3), batch_of(3)
    together.start(seed=10), apart.start(seed=[10, 11, 12])
    assert together.states.tobytes() == apart.states.tobytes()
    with pytest.raises(ValueError, match="one seed for each of the 3 games"):
        apart.start(seed=[1, 2])


def test_bad_calls_are_told():
    started, actions = batch_of(3), np.zeros(3, dtype=int)
    started.start(seed=1)
    for error, why, call in (
        (RuntimeError, "start", lambda: batch_of(3).step(actions)),
        (TypeError, "integers", lambda: started.step(np.zeros(3))),
        (ValueError, "one action for each of the 3 games", lambda: started.step(np.zeros(4, dtype=int))),
        (ValueError, "num_games", lambda: batch_of(0)),
        (ValueError, "threads", lambda: batch_of(3, threads=0)),
    ):
        with pytest.raises(error, match=why):
            call()
