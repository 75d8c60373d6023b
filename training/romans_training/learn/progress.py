"""Reports of a training run with any learner, and the way to stop it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from stable_baselines3.common.utils import LinearSchedule

from romans_training.learn.config import TrainConfig
from romans_training.measure.evaluation import Evaluation


@dataclass
class TrainingProgress:
    """The progress of a run, for display.

    Attributes:
        steps: decisions made so far.
        done: the fraction of the run that is done, from 0 to 1.
        steps_per_second: decisions per second since this process started or resumed the run, evaluations included.
        evaluations: the results of the latest evaluation, one per opponent.
        passed: the opponents that the learner passed for the first time in it.
    """

    steps: int
    done: float
    steps_per_second: float
    evaluations: list[Evaluation] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)


Report = Callable[[TrainingProgress], None]
"""A function that is called with the progress of a run."""


class TrainingStopped(Exception):
    """The run was stopped on request; a checkpoint was saved, from which `resume` continues."""


def falling_rate(config: TrainConfig) -> LinearSchedule:
    """Return the learning rate schedule: a function of the fraction of the run that is left, from 1 to 0."""
    return LinearSchedule(config.learning_rate, config.learning_rate / 10, 1.0)
