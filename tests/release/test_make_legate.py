"""How the policy in the package is made from its runs."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

import romans_agents
from romans_training.mean_policy import mean_policy
from romans_training.romans_go_home.make_legate import CUT, main
from tests.policies import random_policy


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_weights_lie_between_those_of_the_two(share):
    first, second = random_policy((4, 4), 1), random_policy((4, 4), 2)
    mean = mean_policy([first, second], [1 - share, share])
    for name in ("pi", "vf"):
        for found, one, other in zip(getattr(mean, name), getattr(first, name), getattr(second, name), strict=True):
            for k in range(2):
                np.testing.assert_allclose(found[k], one[k] + share * (other[k] - one[k]), atol=1e-6)
    assert mean.meta["trained_steps"] == 2


@pytest.fixture
def runs(tmp_path):
    for seed in (1, 2):
        random_policy((4, 4), seed).save(tmp_path / f"{seed}.npz")
    return [str(tmp_path / "1.npz"), str(tmp_path / "2.npz")]


def test_the_command_writes_a_policy_that_draws(runs, tmp_path):
    made = tmp_path / "made.npz"
    done = CliRunner().invoke(main, [*runs, "--share", "0.5", "--cut", "0.3", "--to", str(made)])
    assert done.exit_code == 0, done.output
    with np.load(made) as file:
        assert file["pi_0_weight"].dtype == np.float16
    agent = romans_agents.make(str(made))
    assert (agent.sample, agent.cut, agent.policy.meta["share_of_last_run"]) == (True, 0.3, 0.5)


def test_of_one_run_it_writes_the_policy_itself(runs, tmp_path):
    made = tmp_path / "made.npz"
    done = CliRunner().invoke(main, [runs[1], "--to", str(made)])
    assert done.exit_code == 0, done.output
    agent = romans_agents.make(str(made))
    assert (agent.sample, agent.cut) == (True, CUT)
    np.testing.assert_array_equal(agent.policy.pi[0][0], random_policy((4, 4), 2).pi[0][0].astype(np.float16))
    assert romans_agents.make("legate").cut == CUT


@pytest.mark.parametrize("policies", [1, 2])
def test_a_share_is_for_two_policies(runs, tmp_path, policies):
    arguments = [*runs[:policies], *(("--share", "0.5") if policies == 1 else ())]
    done = CliRunner().invoke(main, [*arguments, "--to", str(tmp_path / "made.npz")])
    assert done.exit_code == 2
    assert "--share is for two policies" in done.output
    assert not (tmp_path / "made.npz").exists()
