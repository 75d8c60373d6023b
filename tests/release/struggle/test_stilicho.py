"""The trained player of Struggle for Rome: rollouts of `trader`, ended by a fitted chance to win."""

import numpy as np
import pytest

import romans_agents
from recipes.stilicho.teacher import write_inputs
from romans_agents.searches.search import streams_for
from romans_agents.struggle import rollouts
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.trained.stilicho import STILICHO_FILE, packaged
from romans_agents.struggle.value import write_values
from romans_agents.struggle.win_chance import load_win_chance, share_won, win_chance_of
from romans_env.engine.random_stream import WORDS
from romans_env.struggle import load_board
from tests.struggle.boards import small_board
from tests.struggle.stages import new_game, opened, played

WEIGHTS = STYLES[TRADER]


def stilicho(options=""):
    return romans_agents.make(f"stilicho{':' if options else ''}{options}", game="struggle")


def sums_of(game, actions, fitted, num_samples=3, turns=2, seed=1):
    """Sums of chances of actions, as a search of a seed finds them."""
    view = game.view(game.seat_to_act)
    records, sums = np.repeat(view.states, rollouts.NUM_RECORDS), np.zeros(len(actions))
    words = np.zeros((len(records), WORDS), dtype=np.int64)
    seen = np.empty((1, game.rules.observation_size), dtype=np.int16)
    streams = streams_for(view, seed, 1)
    rollouts.evaluate_actions(
        records, view.seat, np.array(actions), sums, num_samples, turns, streams, words, seen, WEIGHTS, fitted
    )
    return sums


def test_without_weight_of_the_chances_it_is_trader():
    agent, trader = stilicho("iterations=2,turns=1,value_weight=0"), romans_agents.make("trader", game="struggle")
    for seed in range(12):
        view = (game := opened(9 * seed, seed)).view(game.seat_to_act)
        assert agent.act(view) == trader.act(view)


def test_the_chances_decide_where_their_weight_is_large():
    game = opened(60, 4)
    view, agent = game.view(game.seat_to_act), stilicho("iterations=24,turns=3,value_weight=1e9,seed=6")
    actions, _ = agent.candidates(view)
    assert 2 <= len(actions) <= 6 and set(actions.tolist()) <= set(view.legal_actions())
    sums = sums_of(game, actions, packaged(), num_samples=round(24 / len(actions)), turns=3, seed=6)
    assert agent.act(view) == actions[sums.argmax()]


def test_a_network_of_zeros_leaves_the_chances_of_the_value():
    """A rollout of one action that ends a turn at once: the chance is a sigmoid of the log-odds of the value."""
    game = opened(60, 5)
    size = game.rules.observation_size
    layers = [(np.zeros((3, size)), np.zeros(3)), (np.zeros((3, 3)), np.zeros(3)), (np.zeros((1, 3)), np.zeros(1))]
    scale, actions = np.ones(size, dtype=np.float32), game.legal_actions()[:3]
    found = [sums_of(game, actions, win_chance_of(np.array(line), scale, layers)) / 3 for line in ((1, 0), (0, 0))]
    assert (found[0] > 0).all() and (found[0] < 1).all() and len(set(found[0].tolist())) > 1
    assert found[1] == pytest.approx(0.5)


def test_inputs_are_the_observations_and_the_value_of_every_seat():
    game = opened(80, 7)
    players, size = game.rules.num_players, game.rules.observation_size
    observations, log_odds = np.empty((players, size), dtype=np.int16), np.empty(players)
    states = game.states.copy()
    write_inputs(states, np.array([0]), WEIGHTS, observations, log_odds)
    returns = np.empty(players)
    write_values(states[0], WEIGHTS, returns)
    for seat in range(players):
        assert np.array_equal(observations[seat], game.view(seat).observation)
        chance = (3.0 * returns[seat] + 1.0) / 4.0
        assert log_odds[seat] == pytest.approx(np.log(chance / (1.0 - chance)))


def test_a_game_that_is_over_is_worth_the_share_of_the_win():
    game = played(new_game(11, max_rounds=3), 11)
    assert game.is_over
    shares = [share_won(game.states, 0, seat) for seat in range(4)]
    assert sum(shares) == pytest.approx(1.0)
    assert shares == pytest.approx([(3.0 * value + 1.0) / 4.0 for value in game.returns().values()])


def test_it_is_the_player_of_the_card():
    """The card says how strong it is; here it is known by its chances."""
    game = opened(60, 5)
    sums = sums_of(game, game.legal_actions(), packaged(), num_samples=2)
    assert sums / 2 == pytest.approx([0.373, 0.374], abs=0.005)


def test_on_another_board_it_says_what_it_plays_on():
    board = load_board(small_board())
    game = new_game(1, board=board)
    with pytest.raises(ValueError, match="stilicho plays only on the stand-in board"):
        stilicho().act(game.view(game.seat_to_act))


def test_a_file_that_is_none_is_refused(tmp_path):
    (tmp_path / "short.npz").write_bytes(STILICHO_FILE.read_bytes()[:1000])
    (tmp_path / "empty.npz").write_bytes(b"")
    np.savez(tmp_path / "other.npz", line=np.zeros(2))
    for name in ("short", "empty", "other"):
        with pytest.raises(ValueError, match=f"{name}.npz is no network of winning chances"):
            load_win_chance(tmp_path / f"{name}.npz")
