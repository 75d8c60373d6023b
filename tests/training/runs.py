"""Small training runs for tests."""

import numpy as np

from romans_training.learn.config import TrainConfig

SMALL = TrainConfig(
    steps=2048,
    num_envs=32,
    rollout_length=8,
    minibatch_size=128,
    epochs=2,
    hidden_layers=(16, 16),
    threads=1,
    evaluate_every=1024,
    evaluate_at_start=False,
    evaluation_deals=10,
    evaluate_against=("greedy", "random"),
    checkpoint_every=512,
    restarts=0.25,
)


class Stop(Exception):
    """Stands for a run that is cut off."""


def cut_off_after(steps):
    def report(progress):
        if progress.steps >= steps:
            raise Stop

    return report


def weights(policy):
    return [array for layers in (policy.pi, policy.vf) for pair in layers for array in pair]


def same(one, two):
    return all(np.array_equal(a, b) for a, b in zip(weights(one), weights(two), strict=True))
