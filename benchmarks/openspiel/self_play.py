"""Exploitability during self-play: this library's learner and OpenSpiel's, with the same training time.

    python -m benchmarks.openspiel.self_play --minutes 10     # hours; runs that are in the file are not repeated
    python -m benchmarks.openspiel.self_play --games kuhn_poker --minutes 0.2 --seeds 1 --out trial.json

Every run has one thread. The time to compute exploitability does not count.
"""

from __future__ import annotations

import contextlib
import itertools
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.pytorch import nfsp, policy_gradient

from benchmarks.openspiel.exact import ExactExploitability
from benchmarks.openspiel.tabular import exact_response
from benchmarks.pages import complete
from romans_agents import Policy
from romans_training.learn import trainer
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder

GAMES = ("kuhn_poker", "leduc_poker", "liars_dice(dice_sides=5,numdice=1)")
FILE = Path(__file__).with_suffix(".json")
POINTS = 20
"""Number of times that exploitability is computed in a run."""
OURS: dict[str, Any] = {
    "self_play": 1.0,
    "num_envs": 512,
    "rollout_length": 32,
    "minibatch_size": 1024,
    "hidden_layers": (128, 128),
    "learning_rate": 1e-3,
    "entropy": 0.1,
    "final_entropy": 0.02,
    "magnet": 0.1,
    "magnet_horizon": 1_000_000,
    "gamma": 1.0,
    "gae_lambda": 1.0,
    "evaluate_every": 32_768,
    "threads": 1,
    "bfloat16": False,
}


class Point(NamedTuple):
    """A point of a curve: seconds of training, decisions of all seats, and exploitability."""

    seconds: float
    decisions: int
    exploitability: float


def ours(
    game: str, seconds: float, seed: int, exact: ExactExploitability, **settings: Any
) -> tuple[list[Point], list[Point]]:
    """Train by the self-play of ``romans train``, with the game's own returns as rewards.

    Returns:
        The curve of the policy, and the curve of the running average of its weights. A run stores the latter as
        ``average.npz``; here it averages the policies of the evaluations.
    """
    found: list[Point] = []
    averages: list[Point] = []
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder(Path(folder, "run"))
        config = TrainConfig(
            game=f"openspiel:{game}",
            setup={"returns": "points"},
            seed=seed,
            minutes=seconds / 60,
            evaluate_against=("random",),
            evaluation_deals=2,
            keep_policies=True,
            **{**OURS, **settings},
        )
        trainer.train(config, run)
        times = {int(row["steps"]): float(row["seconds"]) for row in run.load_metrics()}
        steps = [step for step in sorted(times) if run.policy_after(step).exists()]
        chosen = np.linspace(0, len(steps) - 1, min(POINTS, len(steps))).round().astype(int)
        average, before = Policy.load(run.policy_after(steps[0])), 0
        for k, step in enumerate(steps):
            policy = Policy.load(run.policy_after(step))
            average = between(average, policy, float(1 - np.exp((before - step) / config.magnet_horizon)))
            before = step
            if k in chosen:
                found.append(Point(times[step], step, exact.of(policy)))
                averages.append(Point(times[step], step, exact.of(average)))
    return found, averages


def between(first: Policy, second: Policy, share: float) -> Policy:
    """Return a policy with weights interpolated between two others; ``share`` is the weight of the second."""

    def mixed(own: Any, others: Any) -> Any:
        pairs = [zip(*layers, strict=True) for layers in zip(own, others, strict=True)]
        return [tuple((1 - share) * one + share * other for one, other in pair) for pair in pairs]

    return Policy(mixed(first.pi, second.pi), mixed(first.vf, second.vf), first.scale, first.meta)


def learners_of_openspiel(game: Any, make: Callable[[int, int, int], Any]) -> tuple[Any, list[Any]]:
    """Return OpenSpiel's environment of a game, and a learner for each seat."""
    env = rl_environment.Environment(game)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    return env, [make(seat, size, actions) for seat in range(env.num_players)]


def by_openspiel(
    game: Any, seconds: float, exact: ExactExploitability, env: Any, agents: list[Any], mode: Callable[[Any], Any]
) -> list[Point]:
    """Train OpenSpiel learners against each other.

    Args:
        game: the OpenSpiel game.
        seconds: the training time.
        exact: computes exploitability.
        env: the environment, from `learners_of_openspiel`.
        agents: the learners.
        mode: returns a context in which a learner plays its final policy, such as its average policy.
    """
    found: list[Point] = []
    spent, decisions = 0.0, 0
    while len(found) < POINTS:
        started, until = time.perf_counter(), seconds * (len(found) + 1) / POINTS
        while spent + time.perf_counter() - started < until:
            step = env.reset()
            while not step.last():
                step = env.step([agents[step.observations["current_player"]].step(step).action])
                decisions += 1
            for agent in agents:
                agent.step(step)
        spent += time.perf_counter() - started
        table = exact.table
        for row, state in enumerate(table.states):
            seat = state.current_player()
            observed = {
                "info_state": [state.information_state_tensor(player) for player in range(len(agents))],
                "legal_actions": [state.legal_actions(player) for player in range(len(agents))],
                "current_player": seat,
            }
            asked = rl_environment.TimeStep(observed, None, None, None)
            with mode(agents[seat]):
                table.action_probability_array[row] = agents[seat].step(asked, is_evaluation=True).probs
        found.append(Point(spent, decisions, exact_response(game, table)))
    return found


def by_nfsp(game: Any, seconds: float, exact: ExactExploitability) -> list[Point]:
    """Train by NFSP (Heinrich and Silver 2016), with the settings of OpenSpiel's example for Leduc poker."""
    settings = {
        "replay_buffer_capacity": 200_000,
        "reservoir_buffer_capacity": 2_000_000,
        "min_buffer_size_to_learn": 1000,
        "anticipatory_param": 0.1,
        "batch_size": 128,
        "learn_every": 64,
        "rl_learning_rate": 0.01,
        "sl_learning_rate": 0.01,
        "optimizer_str": "sgd",
        "loss_str": "mse",
        "update_target_network_every": 19_200,
        "discount_factor": 1.0,
        "epsilon_decay_duration": 20_000_000,
        "epsilon_start": 0.06,
        "epsilon_end": 0.001,
    }
    env, agents = learners_of_openspiel(game, lambda *sizes: nfsp.NFSP(*sizes, [128], **settings))
    average = nfsp.MODE.AVERAGE_POLICY
    return by_openspiel(game, seconds, exact, env, agents, lambda agent: agent.temp_mode_as(average))


def by_rpg(game: Any, seconds: float, exact: ExactExploitability) -> list[Point]:
    """Train by regret policy gradients (Srinivasan et al. 2018), with OpenSpiel's settings."""

    def make(*sizes: int) -> Any:
        return policy_gradient.PolicyGradient(*sizes, loss_str="rpg", hidden_layers_sizes=(128,), batch_size=32)

    env, agents = learners_of_openspiel(game, make)
    return by_openspiel(game, seconds, exact, env, agents, lambda agent: contextlib.nullcontext())


LEARNERS = {"romans train": None, "NFSP": by_nfsp, "RPG": by_rpg}


def measured(game: str, learner: str, seed: int, minutes: float) -> dict[str, Any]:
    """Run a learner and return its result with the curve."""
    np.random.seed(seed)  # noqa: NPY002 - OpenSpiel's learners draw from it
    torch.manual_seed(seed)
    loaded = pyspiel.load_game(game)
    exact, run = ExactExploitability(loaded), LEARNERS[learner]
    row: dict[str, Any] = {"game": game, "learner": learner, "seed": seed, "minutes": minutes}
    if run is None:
        row["points"], row["averages"] = ours(game, 60 * minutes, seed, exact)
    else:
        row["points"] = run(loaded, 60 * minutes, exact)
    ends = ", ".join(f"{row[name][-1].exploitability:.4f}" for name in ("points", "averages") if name in row)
    click.echo(f"{game}, {learner}, seed {seed}: {ends} after {row['points'][-1].decisions:,} decisions")
    return row


@click.command()
@click.option("--games", multiple=True, default=GAMES)
@click.option("--learners", multiple=True, default=tuple(LEARNERS))
@click.option("--minutes", type=float, default=10.0)
@click.option("--seeds", type=int, default=3)
@click.option("--out", type=click.Path(path_type=Path), default=FILE)
def main(games: tuple[str, ...], learners: tuple[str, ...], minutes: float, seeds: int, out: Path) -> None:
    """Run what is missing in the file."""
    torch.set_num_threads(1)
    jobs = itertools.product(games, learners, range(seeds), [minutes])
    complete(out, ("game", "learner", "seed", "minutes"), jobs, measured)


if __name__ == "__main__":
    main()
