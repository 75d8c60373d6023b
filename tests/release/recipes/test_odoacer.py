"""The player of few rollouts: it is legal, the same twice, and plays none where a rollout must be worth more.

An iteration starts from the networks that it is given, learns from games of the searching seat, and records its result.
"""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from recipes.odoacer import iterate
from recipes.odoacer.fit_networks import load_fit, main
from romans_agents.struggle.selective_rollouts import expected_gain, load_prior
from romans_agents.struggle.trained.odoacer import ODOACER_FILE, WIN_CHANCE_FILE, OdoacerAgent
from romans_agents.struggle.win_chance import load_win_chance
from romans_env.struggle import load_board
from romans_env.struggle.observation import slices_of
from tests.struggle.boards import small_board
from tests.struggle.stages import new_game

PACKAGED = ODOACER_FILE, WIN_CHANCE_FILE


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


def test_networks_that_are_loaded_for_training_are_saved_unchanged(tmp_path):
    iterate.load_prior_fit(ODOACER_FILE).save(tmp_path / "prior.npz")
    load_fit(WIN_CHANCE_FILE).save(tmp_path / "win_chance.npz")
    for file, packaged in (("prior.npz", ODOACER_FILE), ("win_chance.npz", WIN_CHANCE_FILE)):
        with np.load(tmp_path / file) as saved, np.load(packaged) as arrays:
            assert set(saved) == set(arrays)
            assert all(np.array_equal(saved[name], arrays[name].astype(saved[name].dtype)) for name in arrays)


def test_positions_are_those_of_the_searching_seat():
    player = iterate.Player(load_prior(ODOACER_FILE), load_win_chance(WIN_CHANCE_FILE), [1])
    ends = player.turn_ends(8)
    assert len(ends.shares) > 40 and set(ends.shares) <= {np.float32(1 / k) for k in (1, 2, 3, 4)} | {0.0}
    (active,) = (one for one in slices_of(load_board()) if one.name == "active")
    turns = ends.observations[:, active.start : active.stop].sum(axis=0)
    assert turns[0] < turns[1:].sum(), "the turns of the observing seat have just ended"
    seen, actions, scores, valid, chances = (column.numpy() for column in player.positions(4))
    assert len(seen) > 10 and (valid[:, :2] == 1.0).all() and (np.diff(scores, axis=1)[valid[:, 1:] == 1.0] <= 0).all()
    assert (chances[:, :, :2] > 0.0).any() and not (chances * (valid[:, None] == 0.0)).any()
    assert all(len(set(row[kept == 1.0])) == kept.sum() for row, kept in zip(actions, valid, strict=True))


def test_an_iteration_starts_from_a_folder_and_records_its_result(tmp_path):
    few = ["--games", "4", "--searched", "2", "--deals", "2", "--least-worth", "0.02"]
    folders = [str(tmp_path / name) for name in ("first", "again", "second")]
    for folder, start in zip(folders, ([], [], ["--start", folders[0]]), strict=True):
        result = CliRunner().invoke(iterate.main, [folder, *start, *few], catch_exceptions=False)
        assert result.exit_code == 0 and "new_against_trader" in result.output
    files = [[(tmp_path / name / file.name) for name in ("first", "again", "second")] for file in PACKAGED]
    for packaged, (first, again, second) in zip(PACKAGED, files, strict=True):
        assert differ(packaged, first) and not differ(first, again) and differ(first, second)
    record = json.loads((tmp_path / "second" / "record.json").read_text(encoding="utf-8"))
    assert record["games"] == 4 and record["new_ms"] > 0.0 and 0.0 <= record["changed"] <= 1.0
    assert all(0.0 <= record[f"{name}_against_trader"][0] <= 1.0 for name in ("new", "former"))


def differ(file, other):
    with np.load(file) as arrays, np.load(other) as others:
        return any(not np.array_equal(arrays[name], others[name]) for name in arrays)
