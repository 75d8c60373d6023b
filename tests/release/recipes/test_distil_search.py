"""How a policy of Roma learns from searched decisions: the games, the files and the fit."""

import math

import numpy as np
import pytest
import torch
from click.testing import CliRunner

import romans_agents
from recipes.quaestor import distil_search, searched_games
from recipes.quaestor.batched_rollouts import evaluate_many
from recipes.quaestor.distil_search import Networks, fit, losses_of, report_of, together
from recipes.quaestor.searched_games import CANDIDATES, TURNS, improved, load
from romans_agents.loops.compiled_networks import networks_of
from romans_agents.searches.search import streams_for
from romans_env import Game
from romans_env.roma import Roma
from romans_env.roma.actions import NUM_ACTIONS

PLAY = ["--shards", "3", "--games", "6", "--samples", "4"]
SPEC = "policy-rollouts:turns=3,candidates=10,prior_floor=0.01"


@pytest.fixture(scope="module")
def policy():
    return romans_agents.policy_of("quaestor", game="roma")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("searched")
    done = CliRunner().invoke(searched_games.main, [str(folder), *PLAY])
    assert done.exit_code == 0, done.output
    assert done.output.count("decisions of 6 games") == 3
    return folder


def test_the_batch_has_the_rollouts_of_the_agent(policy):
    agent, games = romans_agents.make(SPEC, game="roma"), [Game(Roma(), seed=seed) for seed in range(4)]
    for game in games:
        for _ in range(5 * len(game.history) + 9):
            game.act(agent.candidates(game.view(game.seat_to_act))[0][0])
    views = [game.view(game.seat_to_act) for game in games]
    states, found = np.concatenate([view.states for view in views]), np.zeros((4, 2, CANDIDATES))
    actions, counts = np.zeros((4, CANDIDATES), dtype=np.int64), np.zeros(4, dtype=np.int64)
    expected = np.zeros((4, CANDIDATES))
    for k, view in enumerate(views):
        candidates, _ = agent.candidates(view)
        counts[k] = len(candidates)
        actions[k, : counts[k]] = candidates
        agent.rollouts(view, candidates)(expected[k, : counts[k]], 6)
    streams = np.concatenate([streams_for(view, 0, 1) for view in views])
    evaluate_many(states, np.arange(4), actions, counts, np.full(4, 6), TURNS, streams, found, networks_of(policy))
    np.testing.assert_allclose(found.sum(axis=1), expected, atol=1e-4)
    assert (expected != 0).sum() == counts.sum()


def test_a_shard_that_exists_is_not_played_again(folder):
    files = sorted(folder.iterdir())
    before = [path.stat().st_mtime_ns for path in files]
    lost = load(files[1])
    files[1].unlink()
    done = CliRunner().invoke(searched_games.main, [str(folder), *PLAY])
    assert done.output.startswith("0001.npz") and done.output.count("\n") == 1
    assert [path.stat().st_mtime_ns for path in files[::2]] == before[::2]
    for one, other in zip(load(files[1]), lost, strict=True):
        np.testing.assert_array_equal(one, other)


def test_searched_decisions_are_legal_and_their_targets_improve_the_policy(folder):
    searched = load(folder / "0000.npz")
    is_candidate = searched.candidates >= 0
    is_legal = np.unpackbits(searched.masks, axis=1, count=NUM_ACTIONS).astype(bool)
    assert np.take_along_axis(is_legal, np.maximum(searched.candidates, 0), axis=1)[is_candidate].all()
    assert (is_candidate.sum(axis=1) == np.minimum(is_legal.sum(axis=1), CANDIDATES)).all()
    assert np.abs(searched.means).max() <= 1.0 and set(np.unique(searched.outcomes)) <= {-1.0, 0.0, 1.0}
    assert set(searched.games) == set(range(6))
    means = searched.means.mean(axis=1)
    targets, prior = (improved(searched.logs, means, is_candidate, weight) for weight in (60.0, 0.0))
    for probabilities in (targets, prior):
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
        assert (probabilities[~is_candidate] == 0.0).all()
    best = np.where(is_candidate, means, -np.inf).argmax(axis=1)
    rows = np.arange(len(best))
    assert (targets[rows, best] >= prior[rows, best]).all()
    assert (targets[rows, best] > prior[rows, best] + 0.1).any()
    assert (prior * is_candidate).max() < 1.0 and prior[is_candidate].min() > 0.01 / CANDIDATES


def test_the_loss_is_least_for_the_improved_policy(folder, policy):
    networks, searched = Networks(policy), load(folder / "0000.npz")
    batch = distil_search.batch_of(searched, slice(0, 50))
    means, size = batch.means.mean(dim=1).numpy(), CANDIDATES
    logs = batch.logs.numpy() / distil_search.TEMPERATURE
    floor = math.log(distil_search.FLOOR) / distil_search.TEMPERATURE
    scores = np.maximum(logs, logs[:, :1] + floor) + distil_search.WEIGHT / distil_search.TEMPERATURE * means
    logits = torch.zeros(50, NUM_ACTIONS)
    for row in range(50):
        count = int(batch.is_candidate[row].sum())
        logits[row, batch.candidates[row, :count]] = torch.from_numpy(scores[row, :count])
    losses = []
    for change in (0.0, 0.3, 0.6):
        noise = change * torch.randn(50, NUM_ACTIONS, generator=torch.Generator().manual_seed(1))
        networks.pi = torch.nn.Sequential(Constant(logits + noise))
        losses.append(float(losses_of(networks, batch)[0]))
    assert losses[0] < losses[1] < losses[2] and size == 10


class Constant(torch.nn.Module):
    """A network with the same output for every input."""

    def __init__(self, output):
        super().__init__()
        self.output = output

    def forward(self, _):
        return self.output


def test_a_fit_lowers_the_loss_and_finds_better_actions(folder, policy):
    searched, networks = together([load(path) for path in sorted(folder.iterdir())]), Networks(policy)
    assert len(set(searched.games)) == 18
    before = report_of(networks, searched)
    assert before.gain == before.changed == 0.0
    fit(networks, searched, 40, 1e-3, np.random.default_rng(0))
    after = report_of(networks, searched)
    assert after.loss < before.loss and after.error < before.error
    assert after.gain > 0.001 and after.changed > 0.005


def test_the_command_writes_a_policy_that_plays(folder, tmp_path):
    files = [str(path) for path in sorted(folder.iterdir())]
    to = tmp_path / "distilled.npz"
    done = CliRunner().invoke(distil_search.main, [str(to), *files, "--epochs", "2"])
    assert done.exit_code == 0, done.output
    assert "before: loss" in done.output and "after: loss" in done.output
    agent, game = romans_agents.make(str(to), game="roma"), Game(Roma(), seed=1)
    while (seat := game.seat_to_act) is not None:
        view = game.view(seat)
        action = agent.act(view)
        assert action in view.legal_actions()
        game.act(action)


def test_without_a_step_the_policy_is_written_unchanged(folder, policy, tmp_path):
    files, to = [str(path) for path in sorted(folder.iterdir())], tmp_path / "same.npz"
    assert CliRunner().invoke(distil_search.main, [str(to), *files, "--epochs", "0"]).exit_code == 0
    same = romans_agents.policy_of(str(to), game="roma")
    for name in ("pi", "vf"):
        for (weight, bias), (other, another) in zip(getattr(policy, name), getattr(same, name), strict=True):
            np.testing.assert_allclose(weight, other, rtol=1e-6)
            np.testing.assert_allclose(bias, another, rtol=1e-6)


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        (searched_games.main, ["--samples", "3"], "--samples must be even"),
        (distil_search.main, ["FILE"], "more files than --tests"),
    ],
)
def test_options_that_do_not_fit(folder, tmp_path, command, options, message):
    options = [str(folder / "0000.npz") if option == "FILE" else option for option in options]
    done = CliRunner().invoke(command, [str(tmp_path / "to"), *options])
    assert done.exit_code == 2 and message in done.output
