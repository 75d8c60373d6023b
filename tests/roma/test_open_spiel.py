"""Roma in OpenSpiel: chance nodes for dice, battles and draws, and information states of a game with hidden hands."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from romans_env import Game, IllegalActionError  # noqa: E402
from romans_env.envs.open_spiel_game import open_spiel_game  # noqa: E402
from romans_env.roma.setup import RomaSetup  # noqa: E402

ROMA = open_spiel_game(RomaSetup())


def played(seed, stop=10_000):
    """A state after a random playthrough of at most so many actions and outcomes, with what the engine played."""
    rng = np.random.default_rng(seed)
    state, outcomes, actions = ROMA.new_initial_state(), [], []
    while not state.is_terminal() and len(state.full_history()) < stop:
        action = int(rng.choice(state.legal_actions()))
        if state.is_chance_node():
            outcomes.append(state.action_to_string(action))
        else:
            actions.append(action)
        state.apply_action(action)
    return state, outcomes, actions


def test_openspiels_random_simulation():
    assert ROMA.get_type().short_name == "python_roma"
    assert ROMA.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert (ROMA.num_players(), ROMA.num_distinct_actions()) == (2, 301)
    pyspiel.random_sim_test(ROMA, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("seed", range(3))
def test_a_playthrough_is_the_games_own(seed):
    state, outcomes, actions = played(seed)
    prescribed = [int(one) if one.isdigit() else one for one in outcomes]
    game = Game(ROMA.rules, deal={"outcomes": prescribed})
    for action in actions:
        game.act(action)
    assert game.is_over and game.deal() == {"outcomes": prescribed}
    assert state.returns() == list(game.returns().values())
    assert state.moment.states.tobytes() == game.states.tobytes()


def test_chance_nodes_have_the_weights_of_the_rules():
    # 2.1, 3.1: the opening deals a card at a time, and each kind counts as often as the pile has it.
    state = ROMA.new_initial_state()
    for left in range(52, 44, -1):
        assert state.is_chance_node()
        chances = {state.action_to_string(number): chance for number, chance in state.chance_outcomes()}
        assert sum(chances.values()) == pytest.approx(1)
        assert all(Fraction(chance).limit_denominator(52) * left % 1 == 0 for chance in chances.values())
        state.apply_action(state.chance_outcomes()[0][0])
    assert not state.is_chance_node()
    dice = 0
    state, rng = state.clone(), np.random.default_rng(1)
    while dice < 9 and not state.is_terminal():
        if state.is_chance_node():
            names = [state.action_to_string(number) for number, _ in state.chance_outcomes()]
            if names == list("123456"):
                assert [chance for _, chance in state.chance_outcomes()] == pytest.approx([1 / 6] * 6)
                dice += 1
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert dice == 9


def test_a_state_shows_a_seat_what_its_view_shows():
    for stop in (12, 40, 70):
        state, outcomes, actions = played(4, stop)
        while state.is_chance_node():
            outcomes.append(state.action_to_string(state.legal_actions()[0]))
            state.apply_action(state.legal_actions()[0])
        assert not state.is_terminal()
        game = Game(ROMA.rules, deal={"outcomes": [int(one) if one.isdigit() else one for one in outcomes]})
        for action in actions:
            game.act(action)
        assert (state.current_player(), state.legal_actions()) == (game.seat_to_act, game.legal_actions())
        assert [state.action_to_string(a) for a in state.legal_actions()] == list(
            map(game.action_name, game.legal_actions())
        )
        for seat in (0, 1):
            assert state.observation_tensor(seat) == game.observation(seat).tolist()
            assert state.view(seat).states.tobytes() == game.view(seat).states.tobytes()
        for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert (str(twin), twin.history()) == (str(state), state.history())


def test_an_illegal_action_is_refused():
    state, _, _ = played(5, 8)
    legal = state.legal_actions()
    before, wrong = str(state), next(action for action in range(301) if action not in legal)
    with pytest.raises(IllegalActionError, match="is not legal: player_0 must decide 'give'"):
        state.apply_action(wrong)
    assert str(state) == before
