"""What a training run reports, and how it is stopped, with any learner."""

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
        done: the part of the run that is done, from 0 to 1.
        steps_per_second: in this process, evaluations included.
        evaluations: the newest ones, one for each opponent.
        passed: the opponents that these were the first to pass.
    """

    steps: int
    done: float
    steps_per_second: float
    evaluations: list[Evaluation] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)


Report = Callable[[TrainingProgress], None]
"""What is called with the progress of a run."""


class TrainingStopped(Exception):
    """The run was asked to stop; the checkpoint that `resume` continues from has been saved."""


def falling_rate(config: TrainConfig) -> LinearSchedule:
    """Return the schedule of the learning rate, called with the part of the run that is left."""
    return LinearSchedule(config.learning_rate, config.learning_rate / 10, 1.0)
