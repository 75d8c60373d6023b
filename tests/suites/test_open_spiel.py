"""Games with chance in play in OpenSpiel: a playthrough is the game's own, and a state shows what a view shows."""

import copy
import pickle

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from romans_env import Game  # noqa: E402
from romans_env.envs.open_spiel_game import open_spiel_game  # noqa: E402
from tests.harness import ROMA, STRUGGLE, TOY  # noqa: E402

pytestmark = pytest.mark.usefixtures("toy")

TABLES = [
    pytest.param(ROMA, {}, id="roma"),
    pytest.param(STRUGGLE, {"max_rounds": 1}, id="struggle-4"),
    pytest.param(STRUGGLE, {"num_players": 3, "max_rounds": 2}, id="struggle-3"),
    *(pytest.param(TOY, {"turns": turns}, id=f"dice-race-{turns}") for turns in (1, 3, 10)),
]


@pytest.mark.parametrize(("game", "setup"), TABLES)
def test_openspiels_random_simulations(game, setup):
    rules = game.rules(**setup)
    table = open_spiel_game(rules.setup)
    assert table.get_type().short_name == f"python_{game.name.replace('-', '_')}"
    assert table.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert (table.num_players(), table.num_distinct_actions()) == (rules.num_players, rules.num_actions)
    pyspiel.random_sim_test(table, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("game", "setup"), TABLES)
def test_a_playthrough_is_the_games_own(game, setup):
    rules, rng = game.rules(**setup), np.random.default_rng(3)
    state, outcomes, actions = open_spiel_game(rules.setup).new_initial_state(), [], []
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        if state.is_chance_node():
            text = state.action_to_string(action)
            outcomes.append(int(text) if text.isdigit() else text)
        else:
            if len(actions) % (10 * game.every) < 4:
                one = Game(rules, deal={"outcomes": outcomes})
                for earlier in actions:
                    one.act(earlier)
                check_state(state, one)
            actions.append(action)
        state.apply_action(action)
    one = Game(rules, deal={"outcomes": outcomes})
    for action in actions:
        one.act(action)
    assert one.is_over and one.deal() == {"outcomes": outcomes}
    assert state.returns() == pytest.approx(list(one.returns().values()))
    assert state.moment.states.tobytes() == one.states.tobytes()


def check_state(state, game):
    """A state shows what the game does, and its copies are the same."""
    legal = state.legal_actions()
    assert (state.current_player(), legal) == (game.seat_to_act, game.legal_actions())
    assert list(map(state.action_to_string, legal)) == list(map(game.action_name, legal))
    for seat in range(len(game.players)):
        assert state.observation_tensor(seat) == game.observation(seat).tolist()
        assert state.view(seat).states.tobytes() == game.view(seat).states.tobytes()
    for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert (str(twin), twin.history()) == (str(state), state.history())
