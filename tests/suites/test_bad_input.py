"""Bad input to a game of any kind is refused in one line that says what is wrong, and changes nothing."""

import re

import numpy as np
import pytest

from romans_env import Game, IllegalActionError
from tests.harness import ROMA, STRUGGLE, each_game
from tests.tools import decisions, played, state_bytes

pytestmark = pytest.mark.usefixtures("toy")

UNKNOWN = {
    "romans-go-home": ("discard", "discard:caesar", "take:0", "take:7", "charm:+4"),
    "roma": ("give", "give:", "give:Forum", "lay:forum:7", "lay:forum", "end ", "buy:35"),
    "struggle": ("offer", "plunder:", "plunder:Roma", "move:158", "legion:-1", "end ", "rob:+0"),
    "dice-race": ("name", "name:100"),
}


@each_game
def test_an_action_that_is_none(game):
    one, size = game.new_game(4), game.num_actions
    before = state_bytes(one)
    for action in (-1, size, 1000, 2**70, -(2**70)):
        with pytest.raises(IllegalActionError, match=f"there is no action {action}; the ids run from 0 to {size - 1}"):
            one.act(action)
    for action in (*UNKNOWN[game.name], "", "nonsense"):
        with pytest.raises(IllegalActionError, match="there is no action"):
            one.act(action)
        with pytest.raises(ValueError, match=re.escape(repr(action))):
            one.action_id(action)
    for action in (None, 1.5, [1], b"1", True, False, np.bool_(True)):
        with pytest.raises(IllegalActionError):
            one.act(action)
    for action in (-1, size):
        with pytest.raises(ValueError, match=str(action)):
            one.action_name(action)
    assert state_bytes(one) == before


@each_game
def test_an_illegal_action_is_named_with_the_decision_and_what_would_be_legal(game):
    one = next(here for here in decisions(game.new_game(4), 4) if not here.action_mask(here.seat_to_act).all())
    illegal = one.action_name(int(one.action_mask(one.seat_to_act).argmin()))
    with pytest.raises(IllegalActionError) as refused:
        one.act(illegal)
    kind = one.rules.decision_kind(one.states, 0)
    said = f"{illegal} is not legal: {one.agent_to_act} must decide '{kind}'; legal are "
    assert str(refused.value).startswith(said)
    assert all(one.action_name(action) in str(refused.value) for action in one.legal_actions()[:10])


@each_game
def test_an_unknown_player(game):
    one = game.new_game(4)
    for agent in (f"player_{len(one.players)}", "neutral_0", "", len(one.players), -1):
        for look in (one.view, one.position, one.observation, one.action_mask):
            with pytest.raises(ValueError, match="there is no player"):
                look(agent)


@each_game
def test_a_seed_that_is_none(game):
    one = played(game.new_game(5), 5, 5)
    record = one.record()
    for seed, error in ((-1, ValueError), *((odd, TypeError) for odd in ("seven", 1.5, np.float64(1), [], True))):
        with pytest.raises(error, match="a seed is an integer >= 0, not"):
            Game(one.rules, seed=seed)
        with pytest.raises(error):
            one.reset(seed=seed)
    assert one.record() == record


@pytest.mark.parametrize("game", [ROMA, STRUGGLE], ids=lambda game: game.name)
def test_an_impossible_outcome_is_an_error_of_the_call_that_needs_it_and_changes_nothing(game):
    whole = played(game.new_game(3, **game.short), 3)
    ahead = game.new_game(3, **game.short)
    possible = whole.outcomes[: len(ahead.outcomes) + 1]
    one = Game(whole.rules, deal={"outcomes": [*possible, "nonsense"]})
    for _, action in whole.actions:
        ahead.act(action)
        if len(ahead.outcomes) > len(possible):
            break
        one.act(action)
    before, said = (state_bytes(one), one.actions, one.legal_actions()), f"outcome {len(possible) + 1} of the deal"
    for call, why in (
        *((lambda: one.act(action), said),) * 2,
        (lambda: one.reset(deal={"outcomes": ["nonsense"]}), "outcome 1 of the deal"),
    ):
        with pytest.raises(ValueError, match=why):
            call()
        assert (state_bytes(one), one.actions, one.legal_actions()) == before


@pytest.mark.parametrize(("game", "numbers"), [(ROMA, "2 players"), (STRUGGLE, "3 or 4 players")])
def test_a_wrong_number_of_players(game, numbers):
    for players in (0, 1, 5, "2", "4", 2.5, 3.0, True, [2], [3]):
        for make in (type(game.rules().setup), game.spec.make_rules):
            with pytest.raises(ValueError, match=rf"is a game for {numbers}, not .* \((ROMA|STRUGGLE) 1\.1\)"):
                make(num_players=players)
