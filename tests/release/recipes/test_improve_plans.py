"""Plans that are played against each other and improved."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import romans_agents
from benchmarks.plan_regret import main as print_regrets
from benchmarks.plan_regret import plan_regrets, planner_of
from recipes.legate.improve_plans import CHECKPOINT, POLICY, main
from recipes.legate.plan_learner import PlanLearner, Settings
from recipes.legate.plan_payoffs import (
    Sizes,
    advantages_of,
    draw_hands,
    payoffs_against_schemers,
    payoffs_between,
)
from recipes.legate.plan_updates import Part
from romans_agents import Policy
from romans_agents.romans_go_home.rounds.drawn_plans import draw_plans
from romans_env import Table
from romans_training.checkpoint import load_checkpoint, save_checkpoint
from tests.policies import even_agent
from tests.romans_go_home.stages import new_game

SIZES = Sizes(hands=5, plans=4)


def round_start(players=2, seed=4):
    return new_game((players, 0), seed=seed).states.copy()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_payoffs_are_those_of_a_game_that_one_wins_and_others_lose(players):
    table, rng, root = Table(players, 0), np.random.default_rng(1), round_start(players)
    probabilities = even_agent().policy.probabilities
    plans = np.stack(
        [draw_plans(probabilities, root, k, draw_hands(1, table, SIZES, rng), table, rng)[0] for k in range(players)]
    )
    payoffs = payoffs_between(root, plans, table, rng)
    assert payoffs.shape == (players, 20)
    assert np.abs(payoffs).max() <= 1.0
    if players == 2:
        assert payoffs.mean(axis=1).sum() == pytest.approx(0.0, abs=1e-9)


def test_plans_win_less_against_schemers_than_against_each_other():
    table, rng, differences = Table(2, 0), np.random.default_rng(1), []
    for seed in range(8):
        root = round_start(seed=seed)
        hands = [draw_hands(1, table, SIZES, rng) for _ in range(2)]
        drawn = [draw_plans(even_agent().policy.probabilities, root, k, hands[k], table, rng)[0] for k in range(2)]
        among = payoffs_between(root, np.stack(drawn), table, rng)[1]
        against = payoffs_against_schemers(root, 1, drawn[1], table, rng)
        assert against.shape == among.shape == (20,)
        differences.append(among.mean() - against.mean())
    assert np.mean(differences) > 0.1


def test_an_advantage_is_over_the_other_plans_of_the_hand():
    payoffs = np.array([0.0, 0.0, 0.0, 1.0, 5.0, 5.0, 5.0, 5.0])
    found = advantages_of(payoffs, Sizes(hands=2, plans=4))
    assert found.tolist() == pytest.approx([-1 / 3] * 3 + [1.0] + [0.0] * 4)


def rounds_of_two(count):
    return np.concatenate([round_start(seed=seed) for seed in range(count)])


def test_one_who_always_lays_the_same_plan_regrets_more():
    policy, roots = even_agent().policy, rounds_of_two(6)
    rng = np.random.default_rng(1)
    loose, certain = (
        plan_regrets(planner_of(one.probabilities, rng), roots, rng).mean() for one in (policy, sharp_agent().policy)
    )
    assert 0.0 < loose < certain


def test_the_command_prints_regrets():
    result = CliRunner().invoke(print_regrets, ["legate-1", "--rounds", "2"], catch_exceptions=False)
    assert result.exit_code == 0
    row = next(line for line in result.output.splitlines() if "legate-1" in line)
    assert row.count("[") == 3


def learned_from(agent, steps, rounds=2, **settings):
    """A learner after some steps on 2+0, and the figures of each."""
    settings = {"learning_rate": 1e-2, "entropy": 0.01, "final_entropy": 0.01, "held": 1.0, **settings}
    learner = PlanLearner(
        agent,
        Settings(average=10, threads=1, **settings),
        [Part(Table(2, 0), games=50, rounds=rounds, every=1, schemers=0.0)],
    )
    return learner, [learner.step(0.0) for _ in range(steps)]


def mean_win(policy, other):
    """What plans of a policy win against those of another one, as a mean over rounds and seats."""
    table, rng, wins = Table(2, 0), np.random.default_rng(1), []
    for seed in range(12):
        root = round_start(seed=seed)
        hands = draw_hands(1, table, SIZES, rng)
        plans = [
            draw_plans(one.probabilities, root, seat, hands, table, rng)[0] for seat, one in enumerate((policy, other))
        ]
        wins.append(payoffs_between(root, np.stack(plans), table, rng)[0].mean())
    return np.mean(wins)


def test_learning_makes_plans_that_win_against_the_first_ones_and_leaves_other_decisions():
    agent = even_agent()
    learner, figures = learned_from(agent, 40)
    assert figures[0].entropy > figures[-1].entropy
    assert figures[-1].divergence < 0.05
    assert mean_win(learner.policy, agent.policy) > 0.03
    assert learner.policy.meta["improved_plans"]["steps"] == 40


def sharp_agent():
    """One who always lays the same plan."""
    agent = even_agent()
    policy = agent.policy
    last = tuple(1000 * part for part in policy.pi[-1])
    agent.policy = Policy([*policy.pi[:-1], last], policy.vf, policy.scale, policy.meta)
    return agent


@pytest.mark.parametrize("players", [2, 3])
def test_the_schemers_opponent_learns_too(players):
    parts = [Part(Table(players, 0), games=20, rounds=2, every=1, schemers=1.0)]
    learner = PlanLearner(even_agent(), Settings(threads=1), parts)
    decisions = learner.step(0.0).decisions
    # One seat learns in each of the rounds.
    assert 2 * 12 * 8 * 5 <= decisions <= 2 * 12 * 8 * 6


def quick(folder, *options):
    arguments = ["legate-1", str(folder), "--games", "8", "--threads", "1", *options]
    return CliRunner().invoke(main, arguments)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path):
    folder = tmp_path / "run"
    assert quick(folder, "--minutes", "0.02").exit_code == 0
    first = Policy.load(folder / POLICY)
    again = quick(folder, "--minutes", "0.02")
    assert again.exit_code == 2 and "go on with --resume" in again.output
    assert quick(folder, "--minutes", "0.08", "--resume").exit_code == 0
    policy = Policy.load(folder / POLICY)
    assert policy.meta["improved_plans"]["steps"] > first.meta["improved_plans"]["steps"] > 0
    observations = np.zeros((1, policy.scale.size), dtype=np.int8)
    assert policy.logits(observations) != pytest.approx(first.logits(observations), abs=1e-7)
    assert np.array_equal(policy.vf[0][0], romans_agents.make("legate-1").policy.vf[0][0])


def test_a_checkpoint_gives_the_same_steps_again(tmp_path):
    parts = [Part(Table(2, 0), games=8, rounds=2, every=1, schemers=0.5)]
    learners = [PlanLearner(even_agent(), Settings(threads=1), parts) for _ in range(2)]
    learners[0].step(0.0)
    save_checkpoint(tmp_path / CHECKPOINT, *learners[0].checkpoint())
    learners[1].restore(*load_checkpoint(tmp_path / CHECKPOINT))
    one, other = (learner.step(0.5) for learner in learners)
    assert one == other
    weights = [learner.policy.pi[0][0] for learner in learners]
    assert np.array_equal(*weights)


def test_what_cannot_be_improved_or_gone_on_from_is_refused(tmp_path):
    result = CliRunner().invoke(main, ["greedy", str(tmp_path / "run")])
    assert result.exit_code == 2 and "greedy is no policy" in result.output
    missing = quick(tmp_path / "none", "--resume")
    assert missing.exit_code == 1 and "there is no checkpoint" in missing.output
    folder = tmp_path / "damaged"
    folder.mkdir()
    (folder / CHECKPOINT).write_bytes(b"PK nothing")
    damaged = quick(folder, "--resume")
    assert damaged.exit_code == 1 and "cannot be gone on from" in damaged.output
    assert (folder / CHECKPOINT).read_bytes() == b"PK nothing"
