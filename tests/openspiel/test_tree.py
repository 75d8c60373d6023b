"""A small game of OpenSpiel in a table is the game that it is without one, and all it hides can be sampled."""

import itertools
import pickle
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from romans_env import Game
from romans_env.core.batch import Batch
from romans_env.core.games import spec_of
from romans_env.core.protocol import GAME_OVER
from romans_env.core.python_step import PythonStep
from romans_env.engine.random_stream import streams_from_seeds
from romans_env.openspiel import tree_steps
from romans_env.openspiel.rules import rules_class
from romans_env.openspiel.tree_rules import OpenSpielTreeRules
from romans_env.testing import check_game
from tests.openspiel.playthroughs import check_playthrough, rules_of

GAMES = (
    ("leduc_poker", "win"),
    ("leduc_poker", "points"),
    ("kuhn_poker(players=3)", "points"),
    ("liars_dice(dice_sides=2)", "win"),
    ("goofspiel(imp_info=True,num_cards=3)", "win"),
    ("goofspiel(num_cards=3)", "points"),
    ("python_kuhn_poker", "win"),
    ("tiny_hanabi", "win"),
    ("misere(game=kuhn_poker())", "points"),
    ("leduc_poker(suit_isomorphism=True)", "win"),
)
"""Hidden cards, dice, choices at the same time, three players, a common aim, weights that differ."""


@pytest.mark.parametrize(("text", "returns"), GAMES)
def test_it_is_the_same_game_with_a_table_and_with_histories(text, returns):
    table = rules_of(text, returns=returns)
    assert isinstance(table, OpenSpielTreeRules) and spec_of(table.name).part("step") is tree_steps
    both = table, rules_class(table.facts)(table.setup)
    for seed in range(8):
        play_in_both(both, seed)


def play_in_both(both, seed):
    """Play a game at random by the same seed in both, and compare all that seats may know."""
    chosen = random.Random(seed)
    states = [rules.new_states(1) for rules in both]
    words = [np.zeros((1, 4), dtype=np.int64) for _ in both]
    seats = {
        rules.start(records, 0, streams_from_seeds([seed]), drawn)
        for rules, records, drawn in zip(both, states, words, strict=True)
    }
    while True:
        (seat,) = seats
        assert same(rules.points_of(records).tolist() for rules, records in zip(both, states, strict=True))
        for player in range(both[0].num_players):
            assert same(seen_by(rules, records, player) for rules, records in zip(both, states, strict=True))
            texts = [told_to(rules, records, player) for rules, records in zip(both, states, strict=True)]
            assert None in texts or same(texts)
        legal = [rules.legal_actions(records, 0) for rules, records in zip(both, states, strict=True)]
        assert same(legal)
        if seat == GAME_OVER:
            return
        action, seats = chosen.choice(legal[0]), set()
        for rules, records, drawn in zip(both, states, words, strict=True):
            following = rules.act(records, 0, action)
            while following == -2:
                following = rules.play_chance(records, 0, drawn, 0)[1]
            seats.add(following)


@pytest.mark.parametrize(("text", "returns"), GAMES[1:3] + GAMES[-2:])
def test_step_functions_say_what_the_rules_say(text, returns):
    rules = rules_of(text, returns=returns)
    for seed in range(4):
        play_by_steps(rules, seed)


def play_by_steps(rules, seed):
    """Play a game by the step functions and by the methods of the rules, and compare what both say of every place."""
    both, chosen, seats = (tree_steps, PythonStep(rules)), random.Random(seed), range(rules.num_players)
    games = [rules.new_states(1) for _ in both]
    words = [np.zeros((1, 4), dtype=np.int64) for _ in both]
    for step, states, drawn in zip(both, games, words, strict=True):
        step.start(states, 0, streams_from_seeds([seed]), drawn)
    while True:
        assert games[0].tobytes() == games[1].tobytes() and np.array_equal(*words)
        scores = [
            [(step.points(states, 0, seat), step.game_return(states, 0, seat)) for seat in seats] for step in both
        ]
        assert same(scores)
        for seat in seats:
            assert same(private_to(step, rules, states, seat) for step, states in zip(both, games, strict=True))
        if rules.seat_to_act(games[0], 0) == GAME_OVER:
            assert same([step.is_winner(states, 0, seat) for seat in seats] for step in both)
            return
        action = chosen.choice(rules.legal_actions(games[0], 0))
        for step, states, drawn in zip(both, games, words, strict=True):
            step.act(states, 0, action, drawn)


def private_to(step, rules, states, seat):
    """Return the record of a private view, what is seen in it, and the view that a determinization of it gives."""
    pair, seen = states.repeat(2), np.empty((1, rules.observation_size), np.float32)
    step.redact(pair, 0, seat)
    step.observe(pair, 0, seat, seen, 0)
    step.determinize(pair, 0, 1, seat, streams_from_seeds([7]), 0)
    drawn = rules.redacted_for(pair[1:], 0, seat)
    return pair[0].tobytes(), seen.tobytes(), int(pair["viewer"][1]), drawn.tobytes()


@pytest.mark.parametrize(
    "text",
    [
        "leduc_poker(suit_isomorphism=True)",
        "liars_dice(dice_sides=2)",
        "dark_hex(board_size=2)",
        "goofspiel(num_cards=3)",
    ],
)
def test_a_seat_tells_apart_what_openspiel_has_it_tell_apart(text):
    rules = rules_of(text)
    sets = {}
    for number, history in enumerate(rules._tree.histories):
        state = rules._places.at(history).state
        if not (state.is_terminal() or state.is_chance_node()):
            for seat in range(2):
                known = seat, state.current_player(), state.information_state_string(seat)
                sets.setdefault(known, set()).add(rules._tree.sets[number, seat])
    numbers = [number for found in sets.values() for number in found]
    assert len(set(numbers)) == len(numbers) == len(sets) < 2 * len(rules._tree.histories)


def same(found):
    first, second = found
    return first == second


def seen_by(rules, states, player):
    observation, mask = np.empty(rules.observation_size, np.float32), np.empty(rules.num_actions, np.int8)
    shown = []
    for records in (states, rules.redacted_for(states, 0, player)):
        rules.observe(records, 0, player, observation, mask)
        shown += [observation.tobytes(), mask.tobytes()]
    return shown, rules.game_return(states, 0, player), rules.winners(states, 0)


def told_to(rules, states, player):
    """Return the text of a private view; of a seat that knows the place, None: it is shown the game."""
    private = rules.redacted_for(states, 0, player)
    return rules.position(private, 0) if private["viewer"][0] else None


@pytest.mark.parametrize("text", ["liars_dice(dice_sides=2)", "goofspiel(imp_info=True,num_cards=3)", "tiny_hanabi"])
def test_check_game_finds_nothing_where_openspiel_cannot_sample(text):
    assert rules_of(text).facts.cannot_sample
    assert [str(one) for one in check_game(spec_of(f"openspiel:{text}"))] == []
    assert sum(check_playthrough(rules_of(text), seed) for seed in range(4)) > 4


def test_determinizations_are_as_likely_as_chance_makes_them():
    """Leduc poker with ranks alone, two cards of each: the other has the own rank in 1 of 5 deals."""
    rules = rules_of("leduc_poker(suit_isomorphism=True)")
    game = Game(rules, seed=1)
    view = game.view(0)
    counts = [Counter(), Counter()]
    rng = np.random.default_rng(3)
    for _ in range(4000):
        counts[0][str(rules.place_of(rules.determinize(view.states, 0, rng), 0).state)] += 1
    pair, streams = view.states.repeat(2), streams_from_seeds([5])
    for _ in range(4000):
        tree_steps.determinize(pair, 0, 1, 0, streams, 0)
        counts[1][str(rules.place_of(pair[1:], 0).state)] += 1
    for found in counts:
        assert sorted(found.values()) == pytest.approx([800, 1600, 1600], abs=120)


def test_what_a_view_holds_is_the_same_for_all_that_a_seat_cannot_tell_apart():
    rules = rules_of("liars_dice(dice_sides=2)")
    shown = {}
    for seed, length in itertools.product(range(30), range(3)):
        game, chosen = Game(rules, seed=seed), random.Random(length)
        while not game.is_over and len(game.history) < length:
            game.act(chosen.choice(game.legal_actions()))
        if not game.is_over:
            for view in map(game.view, range(2)):
                shown.setdefault((view.seat, view.observation.tobytes()), set()).add(view.states.tobytes())
    assert len(shown) > 3 and all(len(views) == 1 for views in shown.values())


def test_a_batch_and_a_pickle_open_in_a_new_process(tmp_path):
    game = Game(rules_of("leduc_poker"), seed=3)
    game.act(1)
    file = tmp_path / "game.pickle"
    file.write_bytes(pickle.dumps(game))
    program = f"import pickle; game = pickle.load(open({str(file)!r}, 'rb')); game.act(1); print(game.states.tobytes())"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    game.act(1)
    assert done.stdout.strip() == repr(game.states.tobytes())
    batch = Batch(game.rules, 4)
    batch.start(1)
    batch.states["tree"] = 7
    with pytest.raises(ValueError, match="the record's table is not published in this process"):
        batch.step([1, 1, 1, 1])


@pytest.mark.parametrize(
    ("text", "num_places"),
    [("kuhn_poker", 58), ("leduc_poker", 9457), ("tic_tac_toe", 0), ("chess", 0), ("first_sealed_auction", 0)],
)
def test_games_with_few_histories_alone_have_a_table(text, num_places):
    assert rules_of(text).facts.num_places == num_places
