"""The loop of a training run, shared by all learners: iterations, metrics, evaluations, checkpoints, progress, end.

A checkpoint is taken between two iterations and holds everything that decides how the run continues: a run that is
stopped and resumed with the same number of threads ends with exactly the policy it would have reached without the
stop. A run with a time limit continues with the time that is left.

With several processes, all go through the loop in step (`processes`). The first one writes the run folder, evaluates
and reports; the others take the elapsed time and the decision to stop from the group.
"""

from __future__ import annotations

import contextlib
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

import romans_agents
from romans_agents import Policy
from romans_training.learn.checkpoint import packed, unpacked
from romans_training.learn.config import TrainConfig
from romans_training.learn.processes import ALONE, Processes
from romans_training.learn.progress import Report, TrainingProgress, TrainingStopped
from romans_training.learn.recorder import Recorder, evaluate_policy
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.measure.evaluation import Evaluation


class TrainingRun(ABC):
    """A run, new or resumed from a checkpoint; each subclass is a learning algorithm.

    Args:
        config: the settings.
        folder: where the run is stored.
        processes: the processes that train together.
    """

    def __init__(self, config: TrainConfig, folder: RunFolder, processes: Processes = ALONE):
        self.config, self.folder, self.processes = config, folder, processes
        self._seconds_before = 0.0
        self._started = time.perf_counter()
        self._decisions_before = 0
        self._evaluations: list[Evaluation] = []
        self._newly_passed: list[str] = []
        self._recorder: Recorder | None = None
        self._send: Report = lambda progress: None
        self._should_stop: Callable[[], bool] = lambda: False

    # -- what a learning algorithm defines

    @property
    @abstractmethod
    def decisions(self) -> int:
        """The number of decisions of the learner so far."""

    @abstractmethod
    def begin(self, start: Policy | None) -> None:
        """Start a new run, from random weights or from the weights of ``start``."""

    @abstractmethod
    def policy(self) -> Policy:
        """Return the current policy."""

    @abstractmethod
    def _iterate(self) -> dict[str, float | None]:
        """Collect a rollout and update, reporting progress; return metrics by name, None where one is unknown."""

    @abstractmethod
    def _state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the learner's tensors, for ``torch.save``, and everything else that decides how the run continues."""

    @abstractmethod
    def _restore(self, learner: dict[str, Any], state: dict[str, Any]) -> None:
        """Restore what `_state` returned."""

    def _prepare(self) -> None:  # noqa: B027
        """Hook before an iteration; a no-op by default."""

    def _finish(self, before: int) -> None:  # noqa: B027
        """Hook after an iteration that began at ``before`` decisions, ahead of its checkpoint; a no-op by default."""

    # -- the run

    @property
    def seconds(self) -> float:
        """Training time since the start of the run in seconds, evaluations included."""
        return self._seconds_before + time.perf_counter() - self._started

    @property
    def done(self) -> float:
        """The fraction of the run that is done, by this process's clock; 1 or more at its end."""
        return self.config.part_done(self.decisions, self.seconds)

    def _done_for_all(self) -> float:
        """Return the fraction of the run that is done by the first process's clock (a call that all processes make)."""
        return self.processes.of_the_first(self.done)

    def _must_stop(self) -> bool:
        """Return whether any process was asked to stop (a call that all processes make)."""
        return bool(self.processes.gather([self._should_stop()]).any())

    def resume(self) -> None:
        """Restore the run from its checkpoint.

        Raises:
            RunFolderError: if the checkpoint is damaged or was made with other settings.
        """
        learner, state = self.folder.load_checkpoint(self.config)
        try:
            if not self.processes.is_first:
                state |= unpacked(state["others"][self.processes.rank - 1].tobytes())
            self._restore(learner, state)
            self._seconds_before = float(state["seconds"])
        except (RunFolderError, romans_agents.UnknownAgentError, romans_agents.PolicyFileError):
            raise
        except Exception as error:  # state that does not fit may fail anywhere in torch, numpy or this package
            raise self.folder.cannot_go_on(error) from None

    def train(self, report: Report, should_stop: Callable[[], bool]) -> Policy:
        """Train to the end of the run and return the policy.

        Raises:
            TrainingStopped: if ``should_stop`` returned True; a checkpoint has been saved.
        """
        self._send, self._should_stop = report, should_stop
        self._started, self._decisions_before = time.perf_counter(), self.decisions
        with self._recording() as self._recorder:
            before, self._tenths = self.decisions, int(10 * self.done)
            if self.decisions == 0 and self.config.evaluate_at_start:
                self._evaluate()
            while True:
                is_stopped = self._must_stop()
                if self.decisions and (is_stopped or self._passed(before, self.config.checkpoint_every)):
                    self.save_checkpoint()
                if is_stopped:
                    self._stop()
                if self._evaluation_is_due():
                    self._evaluate()
                if self.decisions and self._done_for_all() >= 1:
                    break
                self._prepare()
                before, started = self.decisions, time.perf_counter()
                metrics = self._iterate()
                rate = (self.decisions - before) / max(time.perf_counter() - started, 1e-9)
                metrics = {"steps_per_second": round(rate, 1), **metrics}
                if self._recorder is not None:
                    self._recorder.record_metrics(self.decisions, self.seconds, metrics)
                self._finish(before)
            self.save_checkpoint()
            if self._recorder is not None:
                if self._recorder.last_evaluation < self.decisions:
                    self._evaluate()
                self._recorder.write_summary()
        return self.policy()

    def _recording(self) -> contextlib.AbstractContextManager[Recorder | None]:
        """Return a context manager with the recorder of the run's files; with None in all processes but the first."""
        if not self.processes.is_first:
            return contextlib.nullcontext()
        return contextlib.closing(Recorder(self.config, self.folder, self.decisions))

    def save_checkpoint(self) -> None:
        """Save the policy and everything that decides how the run continues, in all processes."""
        learner, state = self._state()
        others = self.processes.bring(packed(state) if not self.processes.is_first else b"")
        if not self.processes.is_first:
            return
        if others:
            state["others"] = [np.frombuffer(one, dtype=np.uint8) for one in others]
        self.folder.save_checkpoint(self.config, learner, {**state, "seconds": self.seconds})
        self.policy().save(self.folder.policy)

    def _evaluate(self) -> None:
        """Evaluate the policy against the fixed opponents, always on the same deals; only in the first process."""
        if self._recorder is None:
            return
        policy = self.policy()
        if self.config.keep_policies:
            policy.save(self.folder.policy_after(self.decisions))
        with _unchanged_generators():
            self._evaluations = evaluate_policy(policy, self.config)
        self._newly_passed = self._recorder.record_evaluations(self.decisions, self._evaluations)
        self._report()

    def _evaluation_is_due(self) -> bool:
        """Return whether an evaluation is due: every ``evaluate_every`` decisions, or every tenth of the run."""
        if self._recorder is None:
            return False
        last, config = self._recorder.last_evaluation, self.config
        if config.evaluate_every is not None or config.minutes is None:
            return self._passed(last, config.evaluate_every or max(1, config.steps // 10))
        before, self._tenths = self._tenths, int(10 * self.done)
        return self._tenths > before

    def _stop(self) -> None:
        if self._recorder is not None:
            self._recorder.write_summary()
        raise TrainingStopped

    def _report(self) -> None:
        rate = (self.decisions - self._decisions_before) / max(time.perf_counter() - self._started, 1e-9)
        self._send(TrainingProgress(self.decisions, min(1.0, self.done), rate, self._evaluations, self._newly_passed))

    def _passed(self, before: int, every: int | None) -> bool:
        """Return whether a multiple of ``every`` lies in the interval (``before``, decisions so far]."""
        return every is not None and before // every < self.decisions // every

    def _meta(self) -> dict[str, Any]:
        """Return the metadata of the policy file."""
        return {"game": self.config.game, "trained_steps": self.decisions, "config": self.config.as_json()}


def global_generators() -> dict[str, Any]:
    """Return the states of the global random generators of Python, numpy and torch, as plain values and arrays."""
    version, words, gauss = random.getstate()
    # stable-baselines3 shuffles with numpy's global generator.
    shuffling = np.random.get_state(legacy=False)  # noqa: NPY002
    return {"python": [version, words, gauss], "numpy": shuffling, "torch": torch.get_rng_state().numpy()}


def restore_global_generators(states: dict[str, Any]) -> None:
    """Restore the states that `global_generators` returned."""
    version, words, gauss = states["python"]
    random.setstate((version, tuple(words), gauss))
    np.random.set_state(states["numpy"])  # noqa: NPY002
    torch.set_rng_state(torch.from_numpy(states["torch"]))


@contextlib.contextmanager
def _unchanged_generators() -> Iterator[None]:
    states = global_generators()
    try:
        yield
    finally:
        restore_global_generators(states)
