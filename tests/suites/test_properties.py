"""What every game survives under random play."""

import copy
import json
import pickle

import numpy as np
import pytest

from romans_env import Game, GameOverError, IllegalActionError, replay
from romans_env.core.base_rules import BaseRules
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE, each_game, each_setup
from tests.tools import kept, played, state_bytes

pytestmark = pytest.mark.usefixtures("toy")

COPIES = (Game.clone, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game)))
STOPS = (0, 7, 30, 150)
"""After how many decisions a game is looked at."""


@each_setup
def test_the_invariants_hold_at_every_decision(game, setup):
    for seed in range(10, 10 + 2 * game.seeds):
        for here in game.positions(seed, every=1 + game.every // 2, **setup):
            game.check_invariants(here)


@each_setup
@pytest.mark.parametrize("copied", COPIES, ids=["clone", "deepcopy", "pickle"])
def test_a_copy_is_independent_and_goes_on_alike(copied, game, setup):
    for seed, stop in ((1, 0), (2, 30)):
        one = played(game.new_game(seed, **setup), seed, stop)
        one.agents = {one.players[0]: "random"}
        before = kept(one)
        twin, other = copied(one), copied(one)
        assert kept(twin) == before
        played(twin, seed=99)
        assert kept(one) == before
        played(one, seed=99)
        assert kept(one) == kept(twin) and kept(other) == before


@each_setup
def test_returns_are_shares_of_the_win_less_an_even_share(game, setup):
    one = played(game.new_game(2, **{**setup, **game.short}), 2)
    players, winners = one.players, one.winners()
    for seat, player in enumerate(players) if len(players) > 1 else ():
        share = (player in winners) / len(winners)
        expected = (share - 1 / len(players)) / (1 - 1 / len(players))
        for of_game in (type(one.rules).game_return, BaseRules.game_return):
            assert of_game(one.rules, one.states, 0, seat) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("num_players", "winners", "returns"),
    [
        (2, [0, 1], [0, 0]),
        (3, [1], [-1 / 2, 1, -1 / 2]),
        (3, [0, 1], [1 / 4, 1 / 4, -1 / 2]),
        (4, [3], [*[-1 / 3] * 3, 1]),
    ],
)
def test_the_returns_of_a_game_that_leaves_them_to_the_base_add_up_to_nothing(num_players, winners, returns):
    class Decided(BaseRules):
        def winners(self, states, i):
            return [self.players[seat] for seat in winners]

    rules = Decided()
    rules.num_players = num_players
    found = [rules.game_return(None, 0, seat) for seat in range(num_players)]
    assert found == pytest.approx(returns) and sum(found) == pytest.approx(0)


@pytest.mark.parametrize("game", [ROMANS_GO_HOME, ROMA, STRUGGLE], ids=lambda game: game.name)
def test_no_outcome_is_played_where_a_seat_must_decide(game):
    one = game.new_game(1)
    before = state_bytes(one)
    for outcome in (3, "forum", *one.rules.outcomes_of(one.deal())):
        with pytest.raises(ValueError, match="no chance event comes next"):
            one.rules.act_chance(one.states, 0, outcome)
    assert state_bytes(one) == before


@each_setup
def test_a_copy_carries_on_the_chance_of_a_given_deal(game, setup):
    one = played(game.new_game(4, **setup), 4, 60)
    actions = [action for _, action in one.actions]
    for copied in COPIES:
        given = Game(one.rules, deal=one.deal())
        for number, action in enumerate(actions):
            given = copied(given) if number == len(actions) // 2 else given
            given.act(action)
        assert kept(given) == kept(one)


@each_game
@pytest.mark.parametrize("seed", [None, 7])
@pytest.mark.parametrize("copied", COPIES, ids=["clone", "deepcopy", "pickle"])
def test_copies_and_seeds_agree_on_the_chance_after_a_part_of_a_deal(game, seed, copied):
    for known, steps in ((0, 0), (20, 20), (0, 40), (20, 40)):  # up to the end of the part, and past it
        one = played(game.new_game(4), 4, known)
        if seed is not None:
            first, second = (played(Game(one.rules, seed, one.deal()), 4) for _ in range(2))
            assert kept(first) == kept(second)
        given = played(Game(one.rules, seed, one.deal()), 4, steps)
        twin, other = copied(given), copied(given)
        assert kept(played(twin, 5)) == kept(played(other, 5)) == kept(played(given, 5))


@each_game
def test_the_bytes_of_a_state_are_the_game(game):
    one = played(game.new_game(3), 3, 30)
    dtype, end = one.states.dtype, 0
    for name in dtype.names:
        # numpy's copy() copies bytes that belong to no field or not: equal games would have other bytes.
        one_field, offset = dtype.fields[name][:2]
        assert offset == end, f"padding before {name}"
        end += one_field.itemsize
    assert end == dtype.itemsize
    states = np.frombuffer(one.states.tobytes(), dtype=dtype).copy()
    assert Game.of_states(one.rules, states).position() == one.position()


@each_setup
def test_an_illegal_action_is_refused_and_changes_nothing(game, setup):
    for seed, stop in enumerate(STOPS):
        one = played(game.new_game(seed, **setup), seed, stop)
        before, legal, size = kept(one), one.legal_actions(), one.rules.num_actions
        for action in [*range(-1, size + 2), 62, 63, 64, 2**40, -(2**40)]:
            if action not in legal and not one.is_over:
                with pytest.raises(IllegalActionError):
                    one.act(action)
                assert one.states.tobytes() == before[0]
        for action in legal:
            twin = one.clone()
            twin.act(action)
            assert state_bytes(twin) != before[0]
        assert kept(one) == before and one.legal_actions() == legal


@each_setup
def test_nobody_acts_after_the_end(game, setup):
    one = played(game.new_game(11, **setup), 11)
    before = kept(one)
    for action in (0, game.num_actions - 1, one.rules.action_names[0], "nonsense"):
        with pytest.raises(GameOverError):
            one.act(action)
    assert kept(one) == before and one.legal_actions() == [] and one.agent_to_act is None


@each_setup
def test_a_seed_decides_the_game(game, setup):
    deals = []
    for seed in range(2):
        one, other = (played(game.new_game(seed, **setup), 1) for _ in range(2))
        assert kept(one) == kept(other)
        deals.append(one.deal())
    assert deals[0] != deals[1]


@each_setup
def test_a_replayed_game_that_is_reset_has_the_chance_of_its_seed(game, setup):
    for stop in (7, None):
        again = replay(played(game.new_game(1, **setup), 1, stop).record())
        again.reset(seed=2)
        assert kept(played(again, 3)) == kept(played(game.new_game(2, **setup), 3))


@each_setup
def test_looking_changes_nothing(game, setup):
    for seed, stop in enumerate((*STOPS, None)):
        one = played(game.new_game(seed, **setup), seed, stop)
        before = state_bytes(one)
        for player in one.players:
            view = one.view(player)
            hidden = view.states.tobytes()
            json.dumps(view.position()), view.observation, view.action_mask, view.legal_actions()
            view.sample_game(np.random.default_rng(1))
            one.observation(player), one.action_mask(player), one.position(player)
            assert view.states.tobytes() == hidden
        json.dumps(one.position())
        for look in (one.global_state, one.events, one.deal, one.points, one.winners, one.returns):
            look()
        assert state_bytes(one) == before
