"""How the policy in the package is made from its runs."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

import agents
from agents import Policy
from training.make_legate import CUT, main, mean_policy


def network(seed):
    """A random network of the shape of a policy, with two hidden layers of 4."""
    rng = np.random.default_rng(seed)
    like = agents.make("legate").policy

    def layers(last):
        sizes = ((4, like.scale.size), (4, 4), (last, 4))
        return [
            (rng.normal(size=shape).astype(np.float32), rng.normal(size=shape[0]).astype(np.float32)) for shape in sizes
        ]

    notes = {"activation": "relu", "game": "romans-go-home", "trained_steps": seed}
    return Policy(layers(like.pi[-1][1].size), layers(1), like.scale, notes)


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_weights_lie_between_those_of_the_two(share):
    first, second = network(1), network(2)
    mean = mean_policy(first, second, share)
    for name in ("pi", "vf"):
        for found, one, other in zip(getattr(mean, name), getattr(first, name), getattr(second, name), strict=True):
            for k in range(2):
                np.testing.assert_allclose(found[k], one[k] + share * (other[k] - one[k]), atol=1e-6)
    assert mean.meta["trained_steps"] == 2


def test_the_command_writes_a_policy_that_draws(tmp_path):
    for seed in (1, 2):
        network(seed).save(tmp_path / f"{seed}.npz")
    made = tmp_path / "made.npz"
    arguments = [str(tmp_path / "1.npz"), str(tmp_path / "2.npz"), "--share", "0.5", "--to", str(made)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    with np.load(made) as file:
        assert file["pi_0_weight"].dtype == np.float16
    agent = agents.make(str(made))
    assert (agent.sample, agent.cut, agent.policy.meta["share_of_last_run"]) == (True, CUT, 0.5)
    assert agents.make("legate").cut == CUT
