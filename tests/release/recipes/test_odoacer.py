"""The player of few rollouts: it is legal, the same twice, and plays none where a rollout must be worth more."""

import numpy as np
import pytest
from click.testing import CliRunner

from recipes.odoacer.fit_networks import main
from romans_agents.struggle.selective_rollouts import expected_gain, load_prior
from romans_agents.struggle.trained.odoacer import ODOACER_FILE, WIN_CHANCE_FILE, OdoacerAgent
from romans_agents.struggle.win_chance import load_win_chance
from romans_env.struggle import load_board
from tests.struggle.boards import small_board
from tests.struggle.stages import new_game


@pytest.mark.parametrize("is_packaged", [True, False])
def test_it_plays_legally_and_the_same_twice(is_packaged, tmp_path):
    for name in () if is_packaged else ("win_chance", "prior"):
        options = ["--output", str(tmp_path / f"{name}.npz"), "--games", "3", "--of-round", "2"]
        assert "3 games: loss" in CliRunner().invoke(main, [name.replace("_", "-"), *options]).output
    agent, again, never = players = OdoacerAgent(), OdoacerAgent(), OdoacerAgent(9.0)
    for one in () if is_packaged else players:
        one.prior, one.fitted = load_prior(tmp_path / "prior.npz"), load_win_chance(tmp_path / "win_chance.npz")
    game = new_game(1)
    while (seat := game.seat_to_act) is not None:
        view = game.view(seat)
        action = agent.act(view)
        assert action == again.act(view) and never.act(view) in game.legal_actions()
        game.act(action)
    assert agent.rollouts == again.rollouts > 0 == never.rollouts


@pytest.mark.parametrize(("file", "load"), [(ODOACER_FILE, load_prior), (WIN_CHANCE_FILE, load_win_chance)])
def test_a_file_that_is_no_such_network_is_refused_in_one_line(file, load, tmp_path):
    whole, path = file.read_bytes(), tmp_path / "bad.npz"
    with np.load(file) as arrays:
        good, last = dict(arrays), list(arrays)[-1]
    wrong = np.array([None]), np.full(good[last].shape, np.nan), good[last][:0], good[last][None], np.float64(1)
    damaged = b"", b"text", whole[:9000], b"\x93NUMPY" + whole[:-9], whole.replace(b"\x08\x00", b"\x63\x00", 3)
    for bad in (*wrong, *damaged):
        path.write_bytes(bad) if isinstance(bad, bytes) else np.savez(path, **{**good, last: bad})
        with pytest.raises(ValueError, match=r"^.*bad\.npz is no network of [^\n]*$"):
            load(path)


def test_the_expected_gain_is_that_of_a_normal_number():
    drawn = np.random.default_rng(1).normal(-0.5, 2.0, size=200_000)
    assert abs(expected_gain(-0.5, 2.0) - np.maximum(drawn, 0.0).mean()) < 0.01
    assert expected_gain(-0.5, 0.0) == 0.0


def test_on_another_board_it_says_what_it_plays_on():
    game = new_game(1, board=load_board(small_board()))
    agent = OdoacerAgent()
    assert not agent.plays(game.rules) and agent.plays(new_game(1, num_players=3).rules)
    with pytest.raises(ValueError, match="odoacer plays only on the stand-in board; trader plays on every board"):
        agent.act(game.view(game.seat_to_act))
