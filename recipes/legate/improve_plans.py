"""Improves the plans of a trained policy (`plan_learner`), and writes a policy file.

    python -m recipes.legate.improve_plans legate-2 runs/planned --minutes 55

The folder gets ``policy.npz`` and ``checkpoint.ckpt``, every two minutes and at the end. A run that was stopped goes on
with ``--resume``.
"""

from __future__ import annotations

import time
from pathlib import Path

import click
import torch

from recipes.legate.plan_learner import PARTS, PlanLearner, Settings
from recipes.legate.policy_argument import PolicyArgument
from romans_agents import PolicyAgent
from romans_training.checkpoint import CheckpointError, load_checkpoint, save_checkpoint

POLICY, CHECKPOINT = "policy.npz", "checkpoint.ckpt"
SAVED_EVERY = 120.0
"""Seconds between two checkpoints."""
REPORTED_EVERY = 100
"""Steps between two lines."""


@click.command()
@click.argument("agent", type=PolicyArgument())
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=Settings.minutes, show_default=True)
@click.option("--learning-rate", type=click.FloatRange(min=0), default=Settings.learning_rate, show_default=True)
@click.option("--entropy", type=click.FloatRange(min=0, min_open=True), default=Settings.entropy, show_default=True)
@click.option(
    "--final-entropy", type=click.FloatRange(min=0, min_open=True), default=Settings.final_entropy, show_default=True
)
@click.option("--threads", type=click.IntRange(min=1), default=Settings.threads, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=Settings.seed, show_default=True)
@click.option("--games", type=click.IntRange(min=8), help="Games of each table that rounds are taken from.")
@click.option("--resume", is_flag=True, help="Go on from the folder's checkpoint.")
def main(agent: PolicyAgent, folder: Path, games: int | None, resume: bool, **options: float) -> None:
    """Improve the plans of the policy AGENT, and write it into FOLDER."""
    if (folder / CHECKPOINT).exists() and not resume:
        raise click.UsageError(f"{folder} has a run already: go on with --resume, or name another folder")
    settings = Settings(**options)  # type: ignore[arg-type]
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    agent.seed(settings.seed)
    parts = PARTS if games is None else tuple(part._replace(games=games) for part in PARTS)
    learner, before = PlanLearner(agent, settings, parts), 0.0
    if resume:
        before = restored(learner, folder / CHECKPOINT)
    folder.mkdir(parents=True, exist_ok=True)
    learn(learner, folder, settings.minutes * 60.0, before)
    click.echo(f"written: {folder / POLICY}")


def learn(learner: PlanLearner, folder: Path, seconds: float, before: float) -> None:
    """Learn until the time is over.

    Args:
        learner: learns.
        folder: gets the files.
        seconds: of the whole run.
        before: seconds of it that are over.
    """
    began = saved = time.monotonic()
    while (elapsed := before + time.monotonic() - began) < seconds:
        figures = learner.step(elapsed / seconds)
        if learner.steps % REPORTED_EVERY == 0:
            click.echo(
                f"{elapsed:.0f} s, step {learner.steps}: entropy {figures.entropy:.3f}, divergence of other decisions "
                f"{figures.divergence:.4f}, spread {figures.spread:.3f}, {figures.decisions:,} decisions"
            )
        if time.monotonic() - saved > SAVED_EVERY:
            save(learner, folder, elapsed)
            saved = time.monotonic()
    save(learner, folder, elapsed)


def save(learner: PlanLearner, folder: Path, elapsed: float) -> None:
    """Write the policy and a checkpoint."""
    weights, state = learner.checkpoint()
    save_checkpoint(folder / CHECKPOINT, weights, {**state, "elapsed": elapsed})
    learner.policy.save(folder / POLICY)


def restored(learner: PlanLearner, path: Path) -> float:
    """Go on from a checkpoint; the seconds that are over.

    Raises:
        click.ClickException: it cannot be read.
    """
    try:
        weights, state = load_checkpoint(path)
        learner.restore(weights, state)
        return float(state["elapsed"])
    except FileNotFoundError:
        raise click.ClickException(f"there is no checkpoint {path} to go on from") from None
    except (CheckpointError, OSError, KeyError, RuntimeError, ValueError) as error:
        raise click.ClickException(f"{path} cannot be gone on from: {str(error).partition(chr(10))[0]}") from None


if __name__ == "__main__":
    main()
