"""Games of OpenSpiel played here, and beside it by OpenSpiel alone."""

import random

import numpy as np
import pyspiel
import pytest

from romans_env.core.games import spec_of
from romans_env.core.protocol import CHANCE, GAME_OVER

SMALL = ("kuhn_poker", "leduc_poker")
"""For the tests of every day."""
TABLE = (
    *SMALL,
    "kuhn_poker(players=3)",
    "leduc_poker(players=3)",
    "bargaining",
    "goofspiel(imp_info=True,num_cards=4)",
    "goofspiel(num_cards=4)",
    "blotto(coins=5)",
    "matrix_mp",
    "matching_pennies_3p",
    "tic_tac_toe",
    "connect_four",
    "backgammon",
    "liars_dice",
    "phantom_ttt",
    "hearts",
    "skat",
    "python_kuhn_poker",
)
"""All kinds: hidden cards, three players and more, not zero-sum, simultaneous, full information, with dice."""


def rules_of(text, **settings):
    return spec_of(f"openspiel:{text}").make_rules(**settings)


def theirs(rules):
    """OpenSpiel's own state at the start, in turns."""
    if "python_" in rules.facts.text:
        import open_spiel.python.games  # noqa: F401
    game = pyspiel.load_game(rules.facts.text)
    is_simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return (pyspiel.convert_to_turn_based(game) if is_simultaneous else game).new_initial_state()


def forced(state):
    """Play the moves without a choice."""
    while not state.is_terminal() and len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    return state


def check_playthrough(rules, seed):
    """Play a game at random on records, and compare every position with OpenSpiel's own; return its length."""
    chosen, states, state = random.Random(seed), rules.new_states(1), forced(theirs(rules))
    seat, length = rules.begin(states, 0), 0
    while True:
        check_position(rules, states, seat, state)
        if seat == GAME_OVER:
            return length
        if seat == CHANCE:
            move = chosen.choice([outcome for outcome, _ in rules.chance_outcomes(states, 0)])
            seat = rules.act_chance(states, 0, move)
        else:
            move, length = chosen.choice(rules.legal_actions(states, 0)), length + 1
            seat = rules.act(states, 0, move)
        state.apply_action(move)
        forced(state)


def check_position(rules, states, seat, state):
    players = range(rules.num_players)
    assert seat == rules.seat_to_act(states, 0)
    if state.is_chance_node():
        assert seat == CHANCE
        outcomes = rules.chance_outcomes(states, 0)
        total = sum(weight for _, weight in outcomes)
        expected = dict(state.chance_outcomes())
        assert {outcome: weight / total for outcome, weight in outcomes} == {
            outcome: pytest.approx(chance, abs=1e-8) for outcome, chance in expected.items() if chance
        }
        return
    assert seat == (GAME_OVER if state.is_terminal() else state.current_player())
    assert rules.legal_actions(states, 0) == ([] if state.is_terminal() else sorted(state.legal_actions()))
    unit = rules.facts.points_per_return
    returns = state.returns() if state.is_terminal() or rules.facts.pays_as_it_goes else [0] * rules.num_players
    assert [rules.points(states, 0, player) for player in players] == [round(one * unit) for one in returns]
    for player in players:
        observation, mask = np.empty(rules.observation_size, np.float32), np.empty(rules.num_actions, np.int8)
        private = rules.redacted_for(states, 0, player)
        for shown in (states, private):
            rules.observe(shown, 0, player, observation, mask)
            expected = getattr(state, f"{rules.facts.tensor}_tensor")(player)
            assert np.array_equal(observation, np.array(expected, np.float32)), f"another tensor for player {player}"
            assert mask.nonzero()[0].tolist() == (rules.legal_actions(states, 0) if player == seat else [])
        if rules.facts.string and private["viewer"][0]:
            words = getattr(state, f"{rules.facts.string}_string")(player)
            if len(words) < 1000:
                assert rules.position(private, 0)["text"] == words
