"""A game of OpenSpiel is played here as OpenSpiel plays it; faults of the adapter would be noticed."""

import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

from romans_env import Game, replay
from romans_env.core.games import spec_of
from romans_env.core.protocol import CHANCE
from romans_env.errors import CannotSampleError
from romans_env.openspiel import places, weights
from romans_env.testing import check_game
from romans_training.compare.leaderboard.exploitability import exact_exploitability
from tests.openspiel.playthroughs import SMALL, check_playthrough, rules_of


@pytest.mark.parametrize("text", [*SMALL, "tic_tac_toe", "goofspiel(num_cards=3)"])
def test_a_playthrough_is_openspiels_own(text):
    rules = rules_of(text)
    assert sum(check_playthrough(rules, seed) for seed in range(6)) > 6


def test_a_history_is_found_again_after_it_was_forgotten(monkeypatch):
    monkeypatch.setattr(places, "MOST_KNOWN", 2)
    check_playthrough(rules_of("leduc_poker"), 3)


@pytest.mark.parametrize("text", SMALL)
def test_check_game_finds_nothing(text):
    assert check_game(spec_of(f"openspiel:{text}")) == []


# -- records, copies and chance


def finished(rules, seed):
    game = Game(rules, seed=seed)
    while not game.is_over:
        game.act(game.legal_actions()[-1])
    return game


def test_a_record_of_a_game_replays_with_its_chance():
    game = finished(rules_of("kuhn_poker(players=3)"), 4)
    record = game.record()
    assert record["format"] == "openspiel:kuhn_poker(players=3)/1"
    assert len(record["deal"]["outcomes"]) == 3 and len(set(record["deal"]["outcomes"])) == 3
    again = replay(record)
    assert again.states.tobytes() == game.states.tobytes() and again.points() == game.points()
    with pytest.raises(ValueError, match="there is no chance outcome 9 here"):
        replay({**record, "deal": {"outcomes": [9]}})


def test_rules_and_games_are_copied_and_pickled():
    game = Game(rules_of("leduc_poker", returns="points"), seed=2)
    game.act(game.legal_actions()[0])
    for twin in (copy.deepcopy(game), pickle.loads(pickle.dumps(game)), game.clone()):
        assert twin.rules.setup == game.rules.setup and twin.states.tobytes() == game.states.tobytes()
        twin.act(twin.legal_actions()[-1])
        assert twin.history != game.history


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ((0.25, 0.5, 0.25), (1, 2, 1)),
        ((1 / 3, 1 / 3, 1 / 3), (1, 1, 1)),
        (tuple([1 / 52] * 52), tuple([1] * 52)),
        ((0.1, 0.2, 0.7), (1, 2, 7)),
        ((4 / 51, 47 / 51), (4, 47)),
        ((1e-12, 1 - 1e-12), (1, weights.MOST)),
    ],
)
def test_weights_of_probabilities_are_exact_where_they_can_be(chances, expected):
    assert weights.weights_of(chances) == expected


def test_moves_without_a_choice_are_not_asked_for():
    rules = rules_of("goofspiel(num_cards=2)")
    states = rules.new_states(1)
    seat = rules.begin(states, 0)
    while seat == CHANCE:
        seat = rules.act_chance(states, 0, rules.chance_outcomes(states, 0)[0][0])
    assert rules.legal_actions(states, 0) == [0, 1]
    assert rules.act(states, 0, 0) == 1 and rules.act(states, 0, 1) < 0, "the last cards play themselves"


# -- scores


def test_returns_are_shares_of_the_win_or_openspiels_own():
    by = {returns: finished(rules_of("leduc_poker", returns=returns), 2) for returns in ("win", "points")}
    points = by["win"].points()
    assert by["points"].points() == points and sorted(points.values()) != [-1, 1]
    winner = max(points, key=points.__getitem__)
    assert by["win"].winners() == by["points"].winners() == [winner]
    assert by["win"].returns()[winner] == 1.0
    assert by["points"].returns() == pytest.approx({player: own / 13 for player, own in points.items()})


def test_a_game_that_is_not_zero_sum_has_no_points_as_returns():
    with pytest.raises(ValueError, match="openspiel:bargaining is not zero-sum: its returns cannot be its points"):
        rules_of("bargaining", returns="points")
    with pytest.raises(ValueError, match="has 2 players, not 3"):
        rules_of("bargaining", num_players=3)
    game = finished(rules_of("bargaining"), 3)
    assert sum(game.returns().values()) == 0 and min(game.points().values()) >= 0


def test_returns_that_are_not_whole_are_points_in_thousandths():
    rules = rules_of("skat")
    assert rules.facts.points_per_return == 1000
    points = [finished(rules, seed).points() for seed in range(4)]
    assert all(abs(sum(one.values())) <= 2 for one in points) and any(any(one.values()) for one in points)


def test_exploitability_of_a_policy_is_openspiels_own_in_its_unit():
    game = pyspiel.load_game("kuhn_poker")
    expected = exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) / 2
    rules = rules_of("kuhn_poker", returns="points")
    assert 2 * exact_exploitability("random", rules.setup) == pytest.approx(expected)


# -- what a seat does not know


def test_determinizations_are_what_the_seat_cannot_tell_apart_and_their_histories_lead_there():
    for text in ("universal_poker", "hearts"):
        rules = rules_of(text)
        for seed in range(2):
            game, seen = Game(rules, seed=seed), set()
            for player in range(2):
                view = game.view(player)
                for draw in range(12):
                    sample = view.sample_game(np.random.default_rng(draw))
                    seen.add((player, sample.states["history"].tobytes()))
                    assert sample.view(player).states.tobytes() == view.states.tobytes()
                    forgetful = rules_of(text)  # plays the history again
                    assert forgetful.redacted_for(sample.states, 0, player).tobytes() == view.states.tobytes()
            assert len(seen) > 2


def test_samples_whose_histories_are_those_of_the_true_game_are_not_taken():
    """OpenSpiel's gin rummy moves the cards of a copy about, whose history still tells how they were dealt."""
    view = Game(rules_of("gin_rummy"), seed=1).view(0)
    assert not view.states["history"].any()
    with pytest.raises(CannotSampleError, match="gives states to which their own histories do not lead"):
        view.sample_game(np.random.default_rng(1))


def choice_in(view, seed):
    """Return the first choice in a determinization."""
    sample = view.sample_game(np.random.default_rng(seed))
    return int(np.frombuffer(view.rules.place_of(sample.states, 0).history, dtype=places.ENTRY)[0])


def test_choices_at_the_same_time_are_hidden_until_all_have_chosen():
    rules, shown = rules_of("matrix_rps"), set()
    for first in range(3):
        game = Game(rules)
        game.act(first)
        shown.add(game.view(1).states.tobytes())
        assert {choice_in(game.view(1), seed) for seed in range(30)} == {0, 1, 2}
        assert choice_in(game.view(0), 1) == first
    assert len(shown) == 1
