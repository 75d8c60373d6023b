"""Training: a run leaves a policy that plays, stops and resumes exactly, and refuses what it cannot do."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import romans_agents
from romans_agents import Policy
from romans_env import Table
from romans_env.envs.sb3 import RomansVecEnv
from romans_training.learn import trainer, training_run
from romans_training.learn.config import TrainConfig
from romans_training.learn.curves import Curves
from romans_training.learn.masked_ppo_run import MaskablePPORun, _EndedGames
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.learn.torch_networks import exported
from romans_training.measure.evaluation import evaluate
from tests.training.runs import SMALL, Stop, cut_off_after, same


def learned(folder):
    """The table of metrics without what the clock says."""
    clock = ("seconds", "steps_per_second")
    return [{name: value for name, value in row.items() if name not in clock} for row in folder.load_metrics()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that came to its end undisturbed, and its policy."""
    folder = RunFolder(tmp_path_factory.mktemp("runs") / "whole")
    return folder, trainer.train(SMALL, folder)


def test_a_run_leaves_a_policy_that_plays_and_its_settings(whole):
    folder, policy = whole
    assert same(policy, Policy.load(folder.policy))
    learner = romans_agents.make(str(folder.policy))
    assert evaluate(learner, [romans_agents.make("random")], Table(2, 0), num_deals=5).num_games == 10
    assert TrainConfig.load(folder.config) == dataclasses.replace(SMALL, bfloat16=trainer.has_bfloat16())


@pytest.mark.parametrize("size", [(1, 1), (3, 0)])
def test_a_run_of_points_is_evaluated_at_its_start_and_after_every_tenth(tmp_path, size):
    setup = {"num_players": size[0], "num_neutrals": size[1]}
    config = dataclasses.replace(SMALL, setup=setup, steps=2560, reward="points", evaluate_every=None)
    config, folder = dataclasses.replace(config, evaluate_at_start=True, evaluation_deals=2), RunFolder(tmp_path)
    trainer.train(config, folder)
    steps = dict.fromkeys(int(row["steps"]) for row in folder.load_evaluations())
    assert list(steps) == list(range(0, 2561, 256))


def test_an_evaluation_at_the_start_is_of_the_untrained_policy_and_changes_nothing_else(tmp_path):
    short = dataclasses.replace(SMALL, steps=512, evaluate_every=512)
    folder, plain = (RunFolder(tmp_path / name) for name in "ab")
    policy = trainer.train(dataclasses.replace(short, evaluate_at_start=True, keep_policies=True), folder)
    assert same(policy, trainer.train(short, plain))
    assert [row["steps"] for row in folder.load_evaluations()] == ["0", "0", "512", "512"]
    assert folder.load_evaluations()[2:] == plain.load_evaluations()
    assert not same(policy, trainer.train(dataclasses.replace(short, seed=2), RunFolder(tmp_path / "c")))
    untrained = Policy.load(folder.policy_after(0))
    assert untrained.meta["trained_steps"] == 0
    assert not same(untrained, policy)
    curves = Curves.of(folder.load_evaluations(), folder.load_metrics())
    assert curves.minutes_at(np.array([0.0])) == 0


@pytest.mark.parametrize("cut", [100, 1700])
def test_a_run_that_was_cut_off_resumes_to_the_same_end(whole, tmp_path, cut):
    undisturbed, policy = whole
    folder = RunFolder(tmp_path / "cut")
    with pytest.raises(Stop):
        trainer.train(SMALL, folder, cut_off_after(cut))
    assert same(trainer.resume(folder), policy)  # after 100 decisions by its seed alone: there is no checkpoint yet
    assert folder.evaluations.read_text() == undisturbed.evaluations.read_text()
    assert learned(folder) == learned(undisturbed)


def test_a_run_that_was_asked_to_stop_resumes_to_the_same_end(whole, tmp_path):
    folder, seen = RunFolder(tmp_path / "stopped"), []
    with pytest.raises(trainer.TrainingStopped):
        trainer.train(SMALL, folder, lambda progress: seen.append(progress.steps), lambda: seen[-1:] > [700])
    reached = Policy.load(folder.policy).meta["trained_steps"]
    assert reached == 768  # between two checkpoints
    assert same(trainer.resume(folder), whole[1])


class Clock:
    """Stands for the time: a tenth of a second a step of all games. Give it as the run's report."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(training_run, "time", SimpleNamespace(perf_counter=lambda: self.now))

    def __call__(self, progress):
        self.progress = progress
        self.now += 0.1


SIX_SECONDS = dataclasses.replace(SMALL, minutes=0.1, steps=1, evaluate_every=1000)


def test_a_run_of_minutes_ends_with_the_first_rollout_after_them(tmp_path, monkeypatch):
    clock, folder = Clock(monkeypatch), RunFolder(tmp_path / "run")
    trainer.train(SIX_SECONDS, folder, clock)
    # 8 steps a rollout are 0.8 seconds, of 256 decisions, and showing an evaluation is another tenth.
    assert clock.progress.steps == 8 * 256
    assert clock.progress.done == 1.0
    assert [row["steps"] for row in folder.load_evaluations()][::2] == ["1024", "2048"]
    assert Policy.load(folder.policy).meta["trained_steps"] == 2048
    for row in folder.load_metrics():
        done = min(float(row["seconds"]) / 6, 1.0)
        assert float(row["learning_rate"]) == pytest.approx(SMALL.learning_rate * (1 - 0.9 * done))


def test_a_run_of_minutes_goes_on_with_what_is_left_of_them(tmp_path, monkeypatch):
    whole = trainer.train(SIX_SECONDS, RunFolder(tmp_path / "whole"), Clock(monkeypatch))
    folder, clock = RunFolder(tmp_path / "stopped"), Clock(monkeypatch)
    with pytest.raises(trainer.TrainingStopped):
        trainer.train(SIX_SECONDS, folder, clock, lambda: clock.now > 3)
    assert same(trainer.resume(folder, report=Clock(monkeypatch)), whole)
    assert same(trainer.resume(folder, report=Clock(monkeypatch)), whole)  # nothing is left


def test_a_run_gets_a_new_end_in_minutes_or_steps(tmp_path, monkeypatch):
    clock, folder = Clock(monkeypatch), RunFolder(tmp_path / "run")
    trainer.train(dataclasses.replace(SMALL, steps=1024), folder, clock)  # 4 rollouts: 3.2 seconds
    with pytest.raises(RunFolderError, match=r"has trained for 0\.1 minutes already"):
        trainer.resume(folder, minutes=0.05)
    trainer.resume(folder, report=clock, minutes=0.1)
    assert clock.progress.steps == 2048
    assert TrainConfig.load(folder.config).minutes == 0.1
    trainer.resume(folder, steps=2560)
    assert (TrainConfig.load(folder.config).minutes, TrainConfig.load(folder.config).steps) == (None, 2560)
    assert Policy.load(folder.policy).meta["trained_steps"] == 2560
    with pytest.raises(ValueError, match="not both"):
        trainer.resume(folder, steps=4096, minutes=1)


def test_metrics_are_of_whole_games():
    callback = _EndedGames(lambda: None)
    callback.locals = {"infos": [{"episode": 1}, {"episode": 2, "restarted": 1}, {}], "dones": np.array([1, 1, 0])}
    assert callback._on_step() and callback.games == [1]


def test_the_options_of_the_learner_are_those_of_maskable_ppo(tmp_path):
    given = {
        "num_envs": 12,
        "rollout_length": 11,
        "gamma": 0.5,
        "gae_lambda": 0.25,
        "minibatch_size": 33,
        "epochs": 3,
        "learning_rate": 0.125,
        "entropy": 0.0625,
    }
    model = MaskablePPORun(dataclasses.replace(SMALL, **given), RunFolder(tmp_path)).model
    names = ("n_envs", "n_steps", "gamma", "gae_lambda", "batch_size", "n_epochs", "learning_rate", "ent_coef")
    assert [getattr(model, name) for name in names] == list(given.values())
    buffer = model.rollout_buffer
    assert (buffer.n_envs, buffer.buffer_size, buffer.gamma, buffer.gae_lambda) == (12, 11, 0.5, 0.25)
    assert [layer.out_features for layer in model.policy.mlp_extractor.policy_net[::2]] == [16, 16]


def test_the_exported_policy_is_the_trained_one(tmp_path):
    import torch

    model = MaskablePPORun(SMALL, RunFolder(tmp_path)).model
    policy = exported(model, {"game": "romans-go-home"})
    env = RomansVecEnv(16, opponents=["random"], seed=1)
    observations = env.reset()
    masks = env.action_masks()
    tensor = torch.as_tensor(observations)
    with torch.no_grad():
        distribution = model.policy.get_distribution(tensor, action_masks=masks)
        values = model.policy.predict_values(tensor)[:, 0].numpy()
    np.testing.assert_allclose(policy.probabilities(observations, masks), distribution.distribution.probs, atol=1e-5)
    np.testing.assert_allclose(policy.values(observations), values, atol=1e-5)
