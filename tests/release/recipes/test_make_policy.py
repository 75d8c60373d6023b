"""How the policy in the package is made from its runs."""

import numpy as np
import pytest
from click.testing import CliRunner

import romans_agents
from recipes.make_policy import main, mean_policy
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


def test_the_command_writes_the_mean_of_policies_that_is_drawn_from(runs, tmp_path):
    made = tmp_path / "made.npz"
    done = CliRunner().invoke(main, [str(made), *runs, "--shares", "0.5,0.5", "--sample", "--cut", "0.3"])
    assert done.exit_code == 0, done.output
    with np.load(made) as file:
        assert file["pi_0_weight"].dtype == np.float16
    agent = romans_agents.make(str(made))
    assert (agent.sample, agent.cut, agent.policy.meta["shares"]) == (True, 0.3, [0.5, 0.5])


def test_of_one_run_it_writes_the_policy_itself(runs, tmp_path):
    made = tmp_path / "made.npz"
    done = CliRunner().invoke(main, [str(made), runs[1]])
    assert done.exit_code == 0, done.output
    agent = romans_agents.make(str(made))
    assert not agent.sample
    np.testing.assert_array_equal(agent.policy.pi[0][0], random_policy((4, 4), 2).pi[0][0].astype(np.float16))


@pytest.mark.parametrize("shares", ["0.5", "0.5,0.6", "1,1,1"])
def test_shares_that_are_no_shares(runs, tmp_path, shares):
    done = CliRunner().invoke(main, [str(tmp_path / "made.npz"), *runs, "--shares", shares])
    assert done.exit_code == 2
    assert "one for each policy" in done.output
    assert not (tmp_path / "made.npz").exists()
