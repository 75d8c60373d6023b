"""Rounds solved as hidden games, and a policy that learns the solutions."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import torch

from romans_agents import Policy
from romans_agents.romans_go_home.rounds.beliefs import possible_hands
from romans_agents.romans_go_home.rounds.double_oracle import DoubleOracle, Search
from romans_agents.romans_go_home.rounds.drawn_plans import decisions_of, draw_plans
from romans_env import Table
from romans_env.romans_go_home.cards import NUM_WARRIORS
from romans_training.romans_go_home import learn_solutions, solve_rounds
from romans_training.romans_go_home.learn_solutions import Settings, SolutionLearner, examples_of
from romans_training.romans_go_home.plan_payoffs import Sizes, draw_hands, payoffs_between
from romans_training.romans_go_home.policy_network import PolicyNetwork
from romans_training.romans_go_home.solve_rounds import load_rounds, save_rounds, solved_rounds
from tests.policies import even_agent, random_policy
from tests.romans_go_home.stages import new_game

TABLE = Table(2, 0)
QUICK = Search(own=2, random=24, first=4, second=8, added=3, repeats=1, iterations=60)


def round_start(players=2, neutrals=0, seed=4):
    return new_game((players, neutrals), seed=seed).states.copy()


def drawn(mix, count, rng):
    _, chances = possible_hands(TABLE)
    shares = chances[mix.types] * mix.weights
    return mix.plans[rng.choice(len(shares), count, p=shares / shares.sum())]


@pytest.fixture(scope="module")
def solved():
    return solved_rounds(even_agent(), 6, 12, QUICK, np.random.default_rng(1))


@pytest.mark.parametrize("table", [Table(2, 0), Table(2, 1), Table(4, 0)])
def test_decisions_of_plans_are_those_by_which_they_were_drawn(table):
    rng, root = np.random.default_rng(1), round_start(table.num_players, table.num_neutrals)
    for seat in range(table.num_players):
        hands = draw_hands(1, table, Sizes(5, 4), rng)
        plans, drawn = draw_plans(even_agent().policy.probabilities, root, seat, hands, table, rng)
        for column, again in zip(drawn, decisions_of(root, seat, plans, table), strict=True):
            assert np.array_equal(column, again)


def test_a_solution_has_a_mixture_of_plans_for_every_hand():
    hands, _ = possible_hands(TABLE)
    root = round_start()
    before = root.copy()
    for mix in DoubleOracle(root, TABLE, QUICK, np.random.default_rng(1)).solve(even_agent().policy.probabilities):
        assert np.array_equal(np.sort(mix.plans, axis=1), hands[mix.types])
        assert np.bincount(mix.types, mix.weights, len(hands)) == pytest.approx(1.0)
        assert (mix.weights >= 0.0).all() and (np.diff(mix.types) >= 0).all()
    assert root.tobytes() == before.tobytes()


def test_a_solution_wins_against_the_policy_that_it_began_with():
    rng, wins, policy = np.random.default_rng(1), [], even_agent().policy
    for seed in range(4):
        root = round_start(seed=seed)
        mix = DoubleOracle(root, TABLE, QUICK, rng).solve(policy.probabilities)[0]
        plans = drawn(mix, 100, rng)
        others, _ = draw_plans(policy.probabilities, root, 1, draw_hands(1, TABLE, Sizes(100, 1), rng), TABLE, rng)
        wins.append(payoffs_between(root, np.stack([plans, others]), TABLE, rng)[0].mean())
    assert np.mean(wins) > 0.1


def test_more_repeats_win_against_fewer():
    policy, gains = even_agent().policy, []
    for seed in range(4):
        root, rng = round_start(seed=seed), np.random.default_rng(seed)
        searches = (QUICK._replace(repeats=repeats, random=96) for repeats in (0, 3))
        rough, fine = (DoubleOracle(root, TABLE, search, rng).solve(policy.probabilities) for search in searches)
        plans = [[drawn(mix, 200, rng) for mix in mixes] for mixes in (rough, fine)]
        first = payoffs_between(root, np.stack([plans[1][0], plans[0][1]]), TABLE, rng)[0].mean()
        second = payoffs_between(root, np.stack([plans[0][0], plans[1][1]]), TABLE, rng)[0].mean()
        gains.append(first - second)
    assert np.mean(gains) > 0.0


def test_files_of_rounds_are_read_as_they_were_written(tmp_path, solved):
    path = tmp_path / "rounds-00000.npz"
    save_rounds(solved, path)
    for column, again in zip(solved, load_rounds(path), strict=True):
        assert column.tobytes() == again.tobytes() and column.dtype == again.dtype
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match="is no file of solved rounds"):
        load_rounds(path)


def test_examples_weigh_decisions_by_the_plans_they_lead_to(solved):
    examples = examples_of(solved)
    assert examples.weights.mean() == pytest.approx(1.0, abs=1e-4)
    # The first decision of a plan is what it sets aside. Of each round and seat, these have one sum.
    aside = np.unpackbits(examples.masks, axis=1)[:, :NUM_WARRIORS].any(axis=1)
    sums = np.bincount(examples.rounds[aside], examples.weights[aside], 3)
    rounds = np.bincount(solved.roots["round_index"], minlength=3)
    assert sums[rounds > 0] / sums.sum() == pytest.approx(rounds[rounds > 0] / rounds.sum(), rel=1e-2)


def test_learning_lowers_the_cross_entropy_and_leaves_other_decisions(solved):
    agent = even_agent()
    settings = Settings(epochs=12, learning_rate=1e-2, minibatch=256, held_minibatch=128, held=1.0, average=5)
    learner = SolutionLearner(agent, examples_of(solved), settings, {TABLE: 20, Table(3, 0): 10})
    before = learner.cross_entropy(examples_of(solved))
    divergences = [learner.learn_epoch() for _ in range(settings.epochs)]
    seen = before > 0.0
    assert (learner.cross_entropy(examples_of(solved))[seen] < before[seen] - 0.1).all()
    assert divergences[-1] < 0.1
    assert learner.policy.meta["solved_rounds"]["epochs"] == 12


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_network_of_a_policy_decides_as_the_policy_does(activation):
    policy, rng = even_agent().policy, np.random.default_rng(1)
    policy = Policy(policy.pi, policy.vf, policy.scale, {**policy.meta, "activation": activation})
    observations = rng.integers(0, 5, (20, policy.scale.size)).astype(np.int8)
    masks = (rng.random((20, 56)) < 0.5).astype(np.int8)
    masks[:, 0] = 1
    network = PolicyNetwork(policy)
    logs = network(torch.from_numpy(observations), torch.from_numpy(masks)).detach().numpy()
    assert np.exp(logs) == pytest.approx(policy.probabilities(observations, masks), abs=0.02)
    again = network.policy(policy, {"note": 1})
    assert np.array_equal(again.probabilities(observations, masks), policy.probabilities(observations, masks))
    assert again.meta["note"] == 1


def test_the_commands_solve_rounds_and_teach_a_policy(tmp_path):
    folder, to = tmp_path / "rounds", tmp_path / "policy.npz"
    agent = f"policy:path={tmp_path / 'small.npz'}"
    random_policy((16,), seed=3).save(tmp_path / "small.npz")

    def solve(minutes):
        arguments = [agent, str(folder), "--minutes", minutes, "--jobs", "1", "--rounds", "1"]
        return CliRunner().invoke(solve_rounds.main, arguments, catch_exceptions=False)

    assert solve("0.001").exit_code == 0
    (first,) = folder.iterdir()
    written = first.stat().st_mtime_ns
    few = CliRunner().invoke(learn_solutions.main, [agent, str(folder), str(to)])
    assert few.exit_code == 2 and "two are needed" in few.output
    # A run that was stopped goes on with the next file.
    assert solve("0.001").exit_code == 0
    assert len(list(folder.iterdir())) == 2 and first.stat().st_mtime_ns == written
    arguments = [agent, str(folder), str(to), "--epochs", "1", "--threads", "1"]
    learned = CliRunner().invoke(learn_solutions.main, arguments, catch_exceptions=False)
    assert learned.exit_code == 0 and "cross entropy at first" in learned.output
    assert Policy.load(to).meta["solved_rounds"]["epochs"] == 1
    first.write_bytes(b"PK nothing")
    damaged = CliRunner().invoke(learn_solutions.main, arguments)
    assert damaged.exit_code == 1 and "is no file of solved rounds" in damaged.output


@pytest.mark.parametrize("command", [solve_rounds.main, learn_solutions.main])
def test_players_without_a_policy_are_refused(command, tmp_path):
    rest = [str(tmp_path / "policy.npz")] if command is learn_solutions.main else []
    result = CliRunner().invoke(command, ["greedy", str(tmp_path), *rest])
    assert result.exit_code == 2 and "greedy is no policy" in result.output
    unknown = CliRunner().invoke(command, ["legat", str(tmp_path), *rest])
    assert unknown.exit_code == 2 and "unknown agent 'legat'" in unknown.output
