"""Training on from a policy that has been trained before."""

import numpy as np
import pytest

import romans_agents
from romans_agents.policies.policy import PolicyFileError
from romans_training.learn import trainer
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder
from romans_training.settings import ConfigError
from tests.policies import random_policy

SETTINGS = {
    "num_envs": 8,
    "rollout_length": 8,
    "minibatch_size": 32,
    "steps": 64,
    "evaluation_deals": 2,
    "opponents": ("random",),
    "threads": 1,
}
UNMOVED = {**SETTINGS, "learning_rate": 1e-12}
"""With no step to speak of, a run ends with the weights it began with."""


@pytest.mark.parametrize("self_play", [0.0, 0.5])
def test_a_run_starts_from_the_weights_of_a_policy(tmp_path, self_play):
    first = random_policy((8, 6), 5)
    first.save(tmp_path / "first.npz")
    config = TrainConfig(**UNMOVED, self_play=self_play, hidden_layers=(8, 6), start_from=str(tmp_path / "first.npz"))
    second = trainer.train(config, RunFolder(tmp_path / "run"))
    for mine, its in zip((*first.pi, *first.vf), (*second.pi, *second.vf), strict=True):
        for before, after in zip(mine, its, strict=True):
            np.testing.assert_allclose(after, before, atol=1e-6)
    assert RunFolder(tmp_path / "run").load_config().start_from == str(tmp_path / "first.npz")


@pytest.mark.parametrize("self_play", [0.0, 1.0])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("greedy", "'greedy' has no network: name a policy file"),
        ("legate-1", r"has relu layers of \(256, 256\) for the policy .* the run has relu layers of \(8, 6\)"),
        ("missing.npz", "missing.npz"),
    ],
)
def test_what_cannot_be_started_from_is_told_before_a_folder_is_made(tmp_path, monkeypatch, self_play, text, says):
    monkeypatch.chdir(tmp_path)
    config = TrainConfig(**SETTINGS, self_play=self_play, hidden_layers=(8, 6), start_from=text)
    with pytest.raises((ConfigError, PolicyFileError, romans_agents.UnknownAgentError), match=says):
        trainer.train(config, RunFolder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_without_the_file_it_started_from(tmp_path):
    random_policy((8, 6), 5).save(tmp_path / "first.npz")
    settings = {**SETTINGS, "self_play": 1.0, "hidden_layers": (8, 6), "start_from": str(tmp_path / "first.npz")}
    trainer.train(TrainConfig(**settings), RunFolder(tmp_path / "run"))
    (tmp_path / "first.npz").unlink()
    assert trainer.resume(RunFolder(tmp_path / "run"), steps=128).meta["trained_steps"] >= 128
