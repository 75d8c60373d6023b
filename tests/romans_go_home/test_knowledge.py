"""A seat is shown all that it may know of Romans Go Home!; the suites say that it is shown no more."""

from functools import partial

import pytest

from tests.harness import ROMANS_GO_HOME, id_of
from tests.romans_go_home.stages import new_game
from tests.tools import decisions


@pytest.mark.parametrize("setup", ROMANS_GO_HOME.all_setups, ids=partial(id_of, ROMANS_GO_HOME))
def test_a_seat_is_shown_all_that_it_may_know(setup):
    for game in ROMANS_GO_HOME.positions(7, **setup):
        truth = game.position()
        for player in game.players:
            seen = game.position(player)
            for key in ("round", "turn", "wall", "decision", "this_turn", "lost_forts"):
                assert seen[key] == truth[key]
            assert seen["clans"][player] == truth["clans"][player]
            for clan, cards in seen["clans"].items():
                for key in ("face_up", "forts", "points"):
                    assert cards[key] == truth["clans"][clan][key]
                if clan != player:
                    # how many cards lie face-down is seen, which ones is not
                    assert cards["hand"] == [None] * len(truth["clans"][clan]["hand"])
                    assert cards["hidden"] == [None] * len(truth["clans"][clan]["hidden"])
                    assert cards["set_aside"] is None
            if player == game.agent_to_act:
                assert game.view(player).legal_actions() == game.legal_actions()
            else:
                assert game.view(player).legal_actions() == []


def test_a_seat_knows_the_warriors_revealed_in_past_rounds_and_no_more():
    game = new_game((2, 0, "standard"), seed=8)
    for _ in decisions(game, seed=8):
        if game.position()["round"] == 3:
            break
    hidden, state = game.view("player_1").states[0], game.states[0]
    for past in range(2):
        dealt = state.dealt[past, 0].tolist()
        dealt.remove(int(state.set_aside[past, 0]))
        assert hidden.dealt[past, 0].tolist() == [*sorted(dealt), -2]
        assert hidden.set_aside[past, 0] == -2
        assert hidden.dealt[past, 1].tolist() == state.dealt[past, 1].tolist()
        assert hidden.set_aside[past, 1] == state.set_aside[past, 1]
