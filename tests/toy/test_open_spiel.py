"""The toy game in OpenSpiel: chance nodes in the middle of play, and information states made of observations."""

from collections import defaultdict

import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import expected_game_score, exploitability  # noqa: E402

import romans_agents  # noqa: E402
from romans_env import IllegalActionError  # noqa: E402
from romans_env.core.base_rules import BaseRules  # noqa: E402
from romans_env.envs import open_spiel_game as module  # noqa: E402
from romans_env.envs.open_spiel_game import open_spiel_game, tabular_policy  # noqa: E402
from tests.toy.rules import DiceRace, DiceSetup  # noqa: E402


def weighted(monkeypatch):
    """Let 6 come up three times as often as any other face."""
    monkeypatch.setattr(DiceRace, "chance_outcomes", lambda *_: [(face, 3 if face == 6 else 1) for face in range(1, 7)])


def walked(state):
    """The place and all after it, two outcomes of every chance node and three actions of every decision at most."""
    yield state
    if not state.is_terminal():
        few = state.legal_actions()
        for action in few[::5][:2] if state.is_chance_node() else few[::4][:3]:
            yield from walked(state.child(action))


def test_chance_nodes_stand_where_chance_answers_with_its_weights(monkeypatch):
    weighted(monkeypatch)
    kinds = defaultdict(int)
    for state in walked(open_spiel_game(DiceSetup(3)).new_initial_state()):
        kinds[state.get_type()] += 1
        if state.is_chance_node():
            assert [state.action_to_string(number) for number, _ in state.chance_outcomes()] == list("123456")
            assert [chance for _, chance in state.chance_outcomes()] == pytest.approx([*[1 / 8] * 5, 3 / 8])
            assert not any(state.observation_tensor(0)) and "chance" in state.information_state_string(0)
            with pytest.raises(ValueError, match="at a chance node there is no view"):
                state.view(0)
        else:
            assert state.chance_outcomes() == []
    # Two bonuses and the first die, then a die after each decision but the last.
    assert kinds[pyspiel.StateType.CHANCE] == 1 + 2 + 4 + 8 * 3 + 8 * 3 * 2 * 3


def test_an_information_state_is_what_the_seat_has_observed_and_done():
    game = open_spiel_game(DiceSetup(3))
    looks, paths, tensors = {}, {}, {}
    for state in walked(game.new_initial_state()):
        if state.current_player() < 0:
            continue
        player, past, here = state.current_player(), [], game.new_initial_state()
        for one in state.full_history():
            if one.player == player:
                past.append((here.information_state_string(player), one.action))
            if here.current_player() >= 0:
                past.append(tuple(here.observation_tensor(player)))
            here.apply_action(one.action)
        string = state.information_state_string(player)
        assert "null" not in str(state) and "null" in state.observation_string(player)
        look = (tuple(state.observation_tensor(player)), tuple(state.legal_actions()))
        tensor = tuple(state.information_state_tensor(player))
        assert len(tensor) == game.information_state_tensor_size() == 5 + 4 * 105
        assert looks.setdefault(string, look) == look
        assert paths.setdefault(string, past) == past  # perfect recall
        assert tensors.setdefault(tensor, string) == string and tensors[tensor] == string
    assert len({tuple(map(str, past)) + look for past, look in zip(paths.values(), looks.values(), strict=True)}) == (
        len(tensors)
    )
    first = game.new_initial_state().child(1).child(3).child(4)
    assert first.information_state_string(0) == "player_0 | 2=5 4=2"
    second = first.child(65).child(0)
    assert second.information_state_string(0) == "player_0 | 2=5 4=2 | name:65 | 0=2 2=1 3=1"
    assert second.information_state_string(1) == "player_1 | 2=5 4=4 | 1=2 2=1 3=1"


def test_an_exact_value_and_best_responses():
    game = open_spiel_game(DiceSetup(1))
    uniform = tabular_policy(game, romans_agents.make("random", game="dice-race"))
    root = game.new_initial_state()
    values = expected_game_score.policy_value(root, [uniform, uniform])
    assert values[0] == pytest.approx(-values[1])
    assert values[0] > 0.3  # player_0 alone names a number
    assert exploitability.nash_conv(game, uniform) > 0.1


def test_settings_that_are_left_out_have_their_defaults():
    open_spiel_game(DiceSetup())
    assert pyspiel.load_game("python_dice_race").rules.setup == DiceSetup()
    with pytest.raises(ValueError, match="1 to 100 turns"):
        pyspiel.load_game("python_dice_race", {"setup": '{"turns": 0}'})


def test_what_cannot_be_played(monkeypatch):
    game = open_spiel_game(DiceSetup(2))
    state = game.new_initial_state().child(0).child(0).child(4)
    with pytest.raises(IllegalActionError, match="name:3 is not legal: player_0 must decide 'name'"):
        state.apply_action(3)
    monkeypatch.setattr(module, "MOST_OUTCOMES", 5)
    with pytest.raises(ValueError, match="a chance event has 6 outcomes: too many for OpenSpiel"):
        open_spiel_game(DiceSetup(3))
    monkeypatch.setattr(DiceRace, "chance_outcomes", BaseRules.chance_outcomes)
    with pytest.raises(ValueError, match="the chance events of dice-race are drawn, not listed"):
        open_spiel_game(DiceSetup(4))


def test_a_tensor_that_would_be_too_large_is_not_offered(monkeypatch):
    monkeypatch.setattr(module, "MOST_ENTRIES", 1000)
    assert open_spiel_game(DiceSetup(4)).get_type().provides_information_state_tensor
    game = open_spiel_game(DiceSetup(10))
    assert not game.get_type().provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
