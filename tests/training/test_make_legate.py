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


def test_the_command_writes_a_policy_that_draws(tmp_path):
    for seed in (1, 2):
        random_policy((4, 4), seed).save(tmp_path / f"{seed}.npz")
    made = tmp_path / "made.npz"
    arguments = [str(tmp_path / "1.npz"), str(tmp_path / "2.npz"), "--share", "0.5", "--to", str(made)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    with np.load(made) as file:
        assert file["pi_0_weight"].dtype == np.float16
    agent = romans_agents.make(str(made))
    assert (agent.sample, agent.cut, agent.policy.meta["share_of_last_run"]) == (True, CUT, 0.5)
    assert romans_agents.make("legate").cut == CUT
