"""A determinization is a game that its seat cannot tell from the true one. (How likely each is, the games test.)"""

import numpy as np
import pytest

from tests.harness import TOY, each_setup, each_table, every_of
from tests.tools import decisions, played, samples, state_bytes

pytestmark = pytest.mark.usefixtures("toy")


@each_table
def test_a_sample_looks_to_the_seat_like_the_true_game(game, setup):
    check, rng = game.check_scrambled or game.check_invariants, np.random.default_rng(1)
    for seed in range(1, 1 + game.seeds):
        for here in game.positions(seed, every_of(game, setup), **setup):
            for seat, player in enumerate(here.players):
                view = here.view(seat)
                sample = view.sample_game(rng)
                again = sample.view(seat)
                assert again.states.tobytes() == view.states.tobytes()
                assert again.position() == view.position()
                assert again.observation.tobytes() == view.observation.tobytes()
                assert sample.agent_to_act == here.agent_to_act
                if player == here.agent_to_act:
                    assert sample.legal_actions() == here.legal_actions()
                if here.is_over and game is not TOY:  # its bonuses stay hidden
                    assert (sample.winners(), sample.points()) == (here.winners(), here.points())
                check(sample)


@each_setup
def test_a_sample_can_be_played_to_its_end(game, setup):
    for stop_after in (0, 8, 21, 34):
        one = played(game.new_game(stop_after, **{**setup, **game.short}), stop_after, stop_after)
        for player in one.players[-2:]:
            sample = one.view(player).sample_game(np.random.default_rng(stop_after))
            for number, _ in enumerate(decisions(sample, seed=stop_after)):
                if number and number % game.every == 0:
                    game.check_invariants(sample)


@each_setup
def test_the_generator_decides_the_sample_and_nothing_else_changes(game, setup):
    one = played(game.new_game(6, **setup), 6, 2 + 20 * (game.every - 1))
    view = one.view(0)
    before = state_bytes(one), view.states.tobytes()
    first, second, third = (list(samples(view, 20, seed)) for seed in (1, 1, 2))
    assert list(map(state_bytes, first)) == list(map(state_bytes, second)) != list(map(state_bytes, third))
    assert len(set(map(state_bytes, first))) > 1
    # The same generator, the same chance to come.
    assert state_bytes(played(first[0], 1)) == state_bytes(played(second[0], 1))
    assert (state_bytes(one), view.states.tobytes()) == before


@each_setup
def test_a_sample_has_no_past(game, setup):
    sample = played(game.new_game(7, **setup), 7, 2).view(0).sample_game(np.random.default_rng(1))
    assert sample.events() == []
    for look in (sample.record, lambda: sample.actions, sample.clone().record, played(sample, seed=1).record):
        with pytest.raises(ValueError, match="determinization"):
            look()
