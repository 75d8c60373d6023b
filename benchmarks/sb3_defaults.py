"""Results of stable-baselines3 learners with default settings, against the environments' default opponents.

    python -m benchmarks.sb3_defaults                                    # all games and learners, three seeds
    python -m benchmarks.sb3_defaults --game roma --learner ppo --seeds 1
    python -m benchmarks.sb3_defaults --page docs/environments/interfaces.md        # writes the results into the page

MaskablePPO uses the action masks. PPO and DQN do not; they have ``illegal_actions="replace"``, with and without a
reward of -1 for each illegal action. Opponents are the game's default pool. Runs that are in the file of results are
not repeated, so the benchmark can be stopped at any time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import sb3_contrib
import stable_baselines3
import torch
from matplotlib.figure import Figure
from stable_baselines3.common.callbacks import BaseCallback

import romans_env
from benchmarks.pages import complete, kept, picture_of, write_generated
from romans_env.core.games import names, spec_of
from romans_env.envs.sb3 import RomansVecEnv
from romans_training.figures import save_figure, styled


@dataclass(frozen=True)
class Learner:
    """A learner with its defaults.

    Attributes:
        title: the title in the table.
        kind: its class; None for random legal actions.
        settings: settings that replace an unsuitable default.
        num_envs: the number of games played in parallel.
        illegal_actions: settings of its environment for illegal actions; empty for a learner that uses the masks.
    """

    title: str
    kind: Any
    settings: Mapping[str, Any]
    num_envs: int
    illegal_actions: Mapping[str, Any] = field(default_factory=dict)


# With eight games, this gives the default size of a rollout with one game: 2,048 decisions.
_ROLLOUT = {"n_steps": 256}
# The default buffer of a million transitions would take several GB.
_BUFFER = {"buffer_size": 100_000}
_REPLACE: dict[str, Any] = {"illegal_actions": "replace"}
_PENALTY = {**_REPLACE, "illegal_reward": -1.0}
LEARNERS = {
    "maskable-ppo": Learner("MaskablePPO", sb3_contrib.MaskablePPO, _ROLLOUT, 8),
    "ppo": Learner("PPO, no mask", stable_baselines3.PPO, _ROLLOUT, 8, _REPLACE),
    "dqn": Learner("DQN, no mask", stable_baselines3.DQN, _BUFFER, 1, _REPLACE),
    "ppo-penalty": Learner("PPO, -1 for illegal actions", stable_baselines3.PPO, _ROLLOUT, 8, _PENALTY),
    "dqn-penalty": Learner("DQN, -1 for illegal actions", stable_baselines3.DQN, _BUFFER, 1, _PENALTY),
}
_RANDOM = Learner("random legal actions", None, {}, 1)
RESULTS = Path(__file__).with_name("sb3_defaults.json")
_GAMES = 500
_EVERY = 10_000


class Curve(BaseCallback):
    """Records the win rate and the rate of illegal actions over every 10,000 decisions."""

    def __init__(self) -> None:
        super().__init__()
        self.points: list[dict[str, float]] = []
        self._won: list[int] = []
        self._illegal = 0

    def _on_training_start(self) -> None:
        self._started = time.perf_counter()

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            self._illegal += info.get("illegal_action", 0)
            if "is_success" in info:
                self._won.append(info["is_success"])
        if self.num_timesteps >= _EVERY * (len(self.points) + 1):
            seconds = round(time.perf_counter() - self._started, 1)
            win_rate, illegal = float(np.mean(self._won or [0])), self._illegal / _EVERY
            self.points.append(
                {"steps": self.num_timesteps, "seconds": seconds, "win_rate": win_rate, "illegal": illegal}
            )
            self._won, self._illegal = [], 0
        return True


def environment(game: str, learner: str, seed: int, num_envs: int = 1) -> RomansVecEnv:
    """Return an environment as a new user would make it, with default opponents."""
    return RomansVecEnv(num_envs, game=game, seed=seed, **LEARNERS.get(learner, _RANDOM).illegal_actions)


def measured(game: str, learner: str, seed: int, steps: int) -> dict[str, Any]:
    """Run a learner; return its curve, and its win rate over 500 games against the pool."""
    torch.set_num_threads(1)
    curve, model = Curve(), None
    how = LEARNERS.get(learner, _RANDOM)
    if how.kind is not None:
        env = environment(game, learner, seed, how.num_envs)
        model = how.kind("MlpPolicy", env, seed=seed, device="cpu", **how.settings)
        model.learn(steps, callback=curve)
    return {
        "game": game,
        "learner": learner,
        "seed": seed,
        "steps": steps,
        "curve": curve.points,
        "games": _GAMES,
        "won": win_rate(model, environment(game, learner, seed + 1000)),
        "version": romans_env.__version__,
    }


def win_rate(model: Any, env: RomansVecEnv) -> float:
    """Return a model's win rate over 500 games; without a model, that of random legal actions."""
    won: list[bool] = []
    observations: Any = env.reset()
    rng = np.random.default_rng(0)
    while len(won) < _GAMES:
        masks = env.action_masks()
        if model is None:
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        elif isinstance(model, sb3_contrib.MaskablePPO):
            actions, _ = model.predict(observations, action_masks=masks)
        else:
            actions, _ = model.predict(observations)
        observations, _, _, infos = env.step(actions)
        won += [info["is_success"] for info in infos if "is_success" in info]
    return float(np.mean(won[:_GAMES]))


@click.command()
@click.option("--game", "games", type=click.Choice(names()), multiple=True, default=names(), help="Default: all.")
@click.option("--learner", "learners", type=click.Choice(list(LEARNERS)), multiple=True, default=list(LEARNERS))
@click.option("--seeds", type=click.IntRange(min=1), default=3, show_default=True, help="Number of seeds.")
@click.option("--steps", type=click.IntRange(min=_EVERY), default=200_000, show_default=True, help="Decisions per run.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="File of results.")
@click.option("--page", type=click.Path(path_type=Path), default=None, help="Only write the results into this page.")
def main(
    games: tuple[str, ...], learners: tuple[str, ...], seeds: int, steps: int, results: Path, page: Path | None
) -> None:
    """Run what is missing in the file of results, and print all of them."""
    if page is not None:
        write_generated(page, "benchmarks.sb3_defaults", table(kept(results)))
        draw(kept(results), picture_of(page.with_stem("sb3_defaults")))
        return
    runs = [(game, "random", 1) for game in games]
    runs += [(game, learner, seed) for seed in range(1, seeds + 1) for game in games for learner in learners]
    for row in complete(results, ("game", "learner", "seed"), runs, partial(measured, steps=steps)):
        seconds = f", {row['curve'][-1]['seconds']:.0f} s" if row["curve"] else ""
        click.echo(f"{row['game']} {row['learner']} seed {row['seed']}: {row['won']:.1%} of {_GAMES} games{seconds}")


def table(found: list[dict[str, Any]]) -> str:
    """Return a table with a row for each game and learner: means over seeds, lowest and highest in brackets."""
    lines = [
        "| | learner | decisions | seeds | wins, % | decisions to 60 % | illegal actions at the end, % |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for game in names():
        for learner, how in {"random": _RANDOM, **LEARNERS}.items():
            runs = [one for one in found if (one["game"], one["learner"]) == (game, learner)]
            if not runs:
                continue
            curves = [one["curve"] for one in runs if one["curve"]]
            reached = [[point["steps"] for point in curve if point["win_rate"] >= 0.6] for curve in curves]
            cells = [
                spec_of(game).title,
                how.title,
                f"{runs[0]['steps']:,}" if curves else "",
                str(len(runs)) if curves else "",
                _over_seeds([one["won"] for one in runs]),
                f"{np.median([min(steps) for steps in reached]):,.0f}" if curves and all(reached) else "-",
                _over_seeds([curve[-1]["illegal"] for curve in curves]) if how.illegal_actions else "",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _over_seeds(shares: list[float]) -> str:
    """Return the mean in %, with the lowest and the highest."""
    mean, low, high = (f"{100 * value:.0f}" for value in (np.mean(shares), min(shares), max(shares)))
    return mean if len(shares) == 1 else f"{mean} [{low}, {high}]"


@styled
def draw(found: list[dict[str, Any]], path: Path) -> None:
    """Draw the win rate over every 10,000 decisions by learner, a panel for each game."""
    games = [game for game in names() if any(one["game"] == game for one in found)]
    figure = Figure(figsize=(4 * len(games), 3.8), layout="constrained")
    panels = figure.subplots(1, len(games), sharey=True, squeeze=False)
    for axes, game in zip(panels[0], games, strict=True):
        of_game = [one for one in found if one["game"] == game]
        for number, (learner, how) in enumerate(LEARNERS.items()):
            curves = [one["curve"] for one in of_game if one["learner"] == learner]
            if not curves:
                continue
            steps = np.array([point["steps"] for point in curves[0]]) / 1000
            rates = 100 * np.array([[point["win_rate"] for point in curve] for curve in curves])
            axes.fill_between(steps, rates.min(axis=0), rates.max(axis=0), color=f"C{number}", alpha=0.18, linewidth=0)
            # A point marks the end of training, because some learners had fewer decisions.
            axes.plot(steps, rates.mean(axis=0), "o-", color=f"C{number}", markevery=[-1], label=how.title)
        for one in of_game:
            if one["learner"] == "random":
                axes.axhline(100 * one["won"], color="grey", linestyle=":", label="random legal actions")
        axes.set(title=spec_of(game).title, xlabel="decisions (thousands)", ylim=(0, 100))
    panels[0][0].set_ylabel("games won, %")
    # A learner may be missing in a panel.
    handles = {line.get_label(): line for axes in panels[0] for line in axes.get_legend_handles_labels()[0]}
    figure.legend(handles=list(handles.values()), loc="outside lower center", ncols=len(handles))
    figure.suptitle(
        "Means over seeds, in a band from the lowest to the highest; a point is the end of training, "
        "which was shorter for MaskablePPO",
        weight="normal",
    )
    save_figure(figure, path)


if __name__ == "__main__":
    main()
