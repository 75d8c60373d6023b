"""Struggle for Rome in OpenSpiel: chance nodes in play, and a playthrough that is the game's own."""

from __future__ import annotations

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from romans_env import Game  # noqa: E402
from romans_env.envs.open_spiel_game import open_spiel_game  # noqa: E402
from romans_env.struggle import StruggleSetup  # noqa: E402


@pytest.mark.parametrize("setup", [StruggleSetup(3, max_rounds=1), StruggleSetup(max_rounds=1)], ids=str)
def test_openspiels_random_simulations(setup):
    game = open_spiel_game(setup)
    assert game.get_type().short_name == "python_struggle" and game.num_players() == setup.num_players
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_playthrough_is_the_games_own():
    setup, rng = StruggleSetup(3, max_rounds=2), np.random.default_rng(3)
    state, outcomes, actions = open_spiel_game(setup).new_initial_state(), [], []
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        if state.is_chance_node():
            text = state.action_to_string(action)
            outcomes.append(int(text) if text.isdigit() else text)
        else:
            actions.append(state.action_to_string(action))
        state.apply_action(action)
    from romans_env.struggle import StruggleForRome

    game = Game(StruggleForRome(setup), deal={"outcomes": outcomes})
    for action in actions:
        game.act(action)
    assert game.is_over and list(game.returns().values()) == pytest.approx(state.returns())
    assert game.deal()["outcomes"] == outcomes
