"""Writes the files of a run with any learner: starts, metrics, evaluations and summary."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from torch.utils.tensorboard import SummaryWriter

import romans_agents
from romans_agents import Policy, PolicyAgent
from romans_training.learn.config import EVALUATION_SEED, TrainConfig
from romans_training.learn.metrics_file import append_row, drop_rows_after, passed, read_rows, write_rows
from romans_training.learn.provenance import start_note
from romans_training.learn.run_folder import RunFolder
from romans_training.measure.evaluation import Evaluation, evaluate
from romans_training.reporting import NO_OPPONENT


def evaluate_policy(policy: Policy, config: TrainConfig) -> list[Evaluation]:
    """Evaluate a policy against every fixed opponent of the run, always on the same deals.

    Args:
        policy: the policy; plays the run's setup.
        config: the settings; each of ``fixed_opponents`` in turn plays all other seats.
    """
    learner, seats = PolicyAgent.of(policy, name="learner"), config.num_players - 1
    line_ups = [(text,) * seats for text in config.fixed_opponents] if seats else [()]
    return [
        evaluate(
            learner,
            [romans_agents.make(text, game=config.game) for text in texts],
            config.rules,
            config.evaluation_deals,
            EVALUATION_SEED,
        )
        for texts in line_ups
    ]


_PAUSE = 10.0
"""Minimum time between two summaries in seconds, except before the last one: drawing one takes about half a second."""


class Recorder:
    """Writes the metrics, evaluations, TensorBoard files and summary of a run.

    Construction notes a start of the run, and drops rows that were written after its checkpoint: the run will repeat
    them.

    Args:
        config: the settings.
        folder: the run folder.
        steps: the number of decisions at the checkpoint that the run continues from; 0 for a new run.
    """

    def __init__(self, config: TrainConfig, folder: RunFolder, steps: int = 0):
        self._folder, self._fair_share = folder, 1 / config.num_players
        folder.add_start(start_note(config, steps))
        self._passed = {*passed(folder.load_evaluations(), self._fair_share)}
        for file in (folder.metrics, folder.evaluations):
            drop_rows_after(file, steps)
        self.last_evaluation = max((int(row["steps"]) for row in read_rows(folder.evaluations)), default=0)
        """Number of decisions at the latest evaluation; 0 if there is none."""
        self._last_summary = time.monotonic()
        self._writer = SummaryWriter(str(folder.tensorboard), purge_step=steps + 1)

    def record_metrics(self, steps: int, seconds: float, metrics: Mapping[str, float | None]) -> None:
        """Append a row to the metrics, and write it to TensorBoard under ``train/``.

        Args:
            steps: number of decisions so far.
            seconds: training time so far, evaluations included.
            metrics: values by name; None if unknown. The names become columns; learners that use the same names have
                their curves under the same headings in the summary.
        """
        append_row(self._folder.metrics, {"steps": steps, "seconds": round(seconds, 3), **metrics})
        for name, value in metrics.items():
            if value is not None:
                self._writer.add_scalar(f"train/{name}", value, steps)
        self._writer.flush()

    def record_evaluations(self, steps: int, results: Sequence[Evaluation]) -> list[str]:
        """Record results of `evaluate_policy`, replacing earlier rows with the same ``steps``, and update the summary.

        Returns:
            The opponents that the run has passed for the first time; rows that were dropped on resuming count as
            earlier.
        """
        rows: list[dict[str, Any]] = [row for row in read_rows(self._folder.evaluations) if int(row["steps"]) < steps]
        for result in results:
            against = "+".join(result.opponents) or NO_OPPONENT
            row = {"steps": steps, "against": against, "games": result.num_games, "win_rate": result.win_rate.mean}
            row |= {"win_rate_low": result.win_rate.low, "win_rate_high": result.win_rate.high}
            rows.append(
                row | {name: getattr(result, name).mean for name in ("draw_rate", "mean_points", "mean_return")}
            )
            self._writer.add_scalar(f"evaluation/win_rate_against_{against}", result.win_rate.mean, steps)
            self._writer.add_scalar(f"evaluation/points_against_{against}", result.mean_points.mean, steps)
        self._writer.flush()
        write_rows(self._folder.evaluations, rows)
        self.last_evaluation = steps
        if time.monotonic() - self._last_summary >= _PAUSE:
            self.write_summary()
        new = [against for against in passed(rows, self._fair_share) if against not in self._passed]
        self._passed.update(new)
        return new

    def write_summary(self) -> None:
        """Write the summary from the current files."""
        # Imported here so that training does not wait for matplotlib at its start.
        from romans_training.learn.summary import write_summary

        write_summary(self._folder)
        self._last_summary = time.monotonic()

    def close(self) -> None:
        """Close the TensorBoard file."""
        self._writer.close()
