"""What learners of stable-baselines3 reach with their defaults, in the environments as `gymnasium.make` gives them.

    python -m benchmarks.sb3_defaults                                    # all games, learners and three seeds
    python -m benchmarks.sb3_defaults --game roma --learner ppo --seeds 1
    python -m benchmarks.sb3_defaults --picture docs/sb3_defaults.png    # draws what has been measured

MaskablePPO uses the action masks; PPO and DQN do not, and have ``illegal_actions="random"``. Opponents are the game's
default pool. A run that is in the file of results is not repeated, so that a run of many can be stopped.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
import gymnasium
import numpy as np
import sb3_contrib
import stable_baselines3
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor

import romans_env
from romans_env.files import write_text
from romans_env.games import names, spec_of

LEARNERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "maskable-ppo": (sb3_contrib.MaskablePPO, {}),
    "ppo": (stable_baselines3.PPO, {}),
    # The default buffer of a million transitions takes some GB.
    "dqn": (stable_baselines3.DQN, {"buffer_size": 100_000}),
}
RESULTS = Path(__file__).with_name("sb3_defaults.json")
_GAMES = 500
_EVERY = 10_000


class Curve(BaseCallback):
    """Notes the win rate of the episodes that ended since it last did, every so many decisions."""

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
        if self.num_timesteps % _EVERY == 0:
            seconds = round(time.perf_counter() - self._started, 1)
            win_rate, illegal = float(np.mean(self._won or [0])), self._illegal / _EVERY
            self.points.append(
                {"steps": self.num_timesteps, "seconds": seconds, "win_rate": win_rate, "illegal": illegal}
            )
            self._won, self._illegal = [], 0
        return True


def environment(game: str, learner: str, seed: int) -> Monitor[Any, Any]:
    """A game as a newcomer makes it."""
    settings = {} if learner == "maskable-ppo" else {"illegal_actions": "random"}
    env_id = spec_of(game).env_id
    assert env_id is not None
    env = Monitor(gymnasium.make(env_id, **settings))
    env.reset(seed=seed)
    return env


def measured(game: str, learner: str, seed: int, steps: int) -> dict[str, Any]:
    """One run: its curve, and what the trained policy wins over 500 games against the pool; or random actions."""
    torch.set_num_threads(1)
    curve, model = Curve(), None
    if learner != "random":
        kind, settings = LEARNERS[learner]
        model = kind("MlpPolicy", environment(game, learner, seed), seed=seed, device="cpu", **settings)
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


def win_rate(model: Any, env: Monitor[Any, Any]) -> float:
    """The share of 500 games that a model wins; without a model, of random legal actions."""
    won, rng = 0, np.random.default_rng(0)
    for _ in range(_GAMES):
        (observation, info), ended = env.reset(), False
        while not ended:
            mask = info["action_mask"].astype(bool)
            if model is None:
                action = rng.choice(np.flatnonzero(mask))
            elif isinstance(model, sb3_contrib.MaskablePPO):
                action, _ = model.predict(observation, action_masks=mask)
            else:
                action, _ = model.predict(observation, deterministic=not isinstance(model, stable_baselines3.PPO))
            observation, _, ended, _, info = env.step(int(action))
        won += info["is_success"]
    return won / _GAMES


@click.command()
@click.option("--game", "games", type=click.Choice(names()), multiple=True, default=names(), help="Default: all.")
@click.option("--learner", "learners", type=click.Choice(list(LEARNERS)), multiple=True, default=list(LEARNERS))
@click.option("--seeds", type=click.IntRange(min=1), default=3, show_default=True, help="Runs of each.")
@click.option("--steps", type=click.IntRange(min=_EVERY), default=200_000, show_default=True, help="Decisions of each.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="The file of results.")
@click.option("--picture", type=click.Path(path_type=Path), default=None, help="Draw all results, and measure none.")
def main(
    games: tuple[str, ...], learners: tuple[str, ...], seeds: int, steps: int, results: Path, picture: Path | None
) -> None:
    """Measure what is not in the file of results yet, and print all of it."""
    found = json.loads(results.read_text()) if results.exists() else []
    if picture is not None:
        draw(found, picture)
        return
    runs = [(game, "random", 1) for game in games]
    runs += [(game, learner, seed) for seed in range(1, seeds + 1) for game in games for learner in learners]
    for run in runs:
        if not any((one["game"], one["learner"], one["seed"]) == run for one in found):
            found.append(measured(*run, steps))
            write_text(results, json.dumps(found, indent=1) + "\n")
    for row in found:
        seconds = f", {row['curve'][-1]['seconds']:.0f} s" if row["curve"] else ""
        click.echo(f"{row['game']} {row['learner']} seed {row['seed']}: {row['won']:.1%} of {_GAMES} games{seconds}")


def draw(found: list[dict[str, Any]], path: Path) -> None:
    raise NotImplementedError


if __name__ == "__main__":
    main()
