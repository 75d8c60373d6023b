"""Roma in OpenSpiel: chance nodes for dice and draws."""

from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from romans_env.envs.open_spiel_game import open_spiel_game
from romans_env.roma.setup import RomaSetup


def test_chance_nodes_have_the_weights_of_the_rules():
    # 2.1, 3.1: the opening deals a card at a time, and each kind counts as often as the pile has it.
    state = open_spiel_game(RomaSetup()).new_initial_state()
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
