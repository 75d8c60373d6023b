"""Speed of environment APIs: PettingZoo's AEC loop, Gymnasium's vector environment, stable-baselines3's ``VecEnv``."""

from __future__ import annotations

import importlib
import random
from functools import partial
from typing import Any

import gymnasium
import numpy as np

from benchmarks.speed import baselines
from benchmarks.speed.setups import rules_by_players, solo_settings
from benchmarks.speed.timing import Case, Chunk
from romans_env.core.games import GameSpec
from romans_env.envs.opponents import line_up_of
from romans_env.envs.rewards import SeatState
from romans_env.envs.vector import GameVectorEnv

_CONNECT_FOUR = "PettingZoo connect_four"
_BASELINES = (
    (_CONNECT_FOUR, "pettingzoo.classic.connect_four_v3"),
    ("PettingZoo leduc_holdem", "pettingzoo.classic.leduc_holdem_v4"),
)

_MANY = 3
"""Smallest number of players for a comparison with Catanatron."""


def aec_cases(spec: GameSpec) -> list[Case]:
    """Return the cases of an AEC loop: ``last()``, a choice, ``step()``.

    The documented choice is ``action_space(agent).sample(mask)``.
    """
    loops = (
        ("raw_env", "cheap choice", cheap_loop),
        ("env", "cheap choice", cheap_loop),
        ("env", "documented loop", documented_loop),
    )
    found = []
    is_for_many = all(rules.num_players >= _MANY for rules in rules_by_players(spec))
    if spec.env_module is not None:
        for maker, choice, loop in loops:
            name = f"{maker}(), {choice}"
            peer = baselines.CATANATRON if is_for_many and loop is cheap_loop else f"{_CONNECT_FOUR} {name}"
            found.append(Case(name, partial(_aec, loop, spec.env_module, maker), peer))
        own = partial(_aec, cheap_loop, spec.env_module, "env", reward=reward_function)
        found.append(Case("env() with a reward function, cheap choice", own))
        for rules in rules_by_players(spec)[1:][-1:]:
            prepare = partial(_aec, cheap_loop, spec.env_module, "env", num_players=rules.num_players)
            found.append(Case(f"env() on {rules.setup}, cheap choice", prepare))
    for title, module in _BASELINES:
        for maker, choice, loop in loops:
            found.append(Case(f"{title} {maker}(), {choice}", partial(_aec, loop, module, maker), is_baseline=True))
    if is_for_many:
        found.append(baselines.catanatron())
    return found


def vector_cases(spec: GameSpec) -> list[Case]:
    """Return the cases of one learner per game; actions are chosen beforehand, so only the environment is timed."""
    if spec.env_id is None:
        return []
    size = 4096 if spec.step else 64
    solo, others = solo_settings(spec), [spec.default_opponent] * (spec.make_rules().num_players - 1)
    every = [{"opponents": others}] if solo is None else [{"opponents": [], **solo}, {"opponents": others}]
    found = [
        Case(f"{title} {_described(spec, settings, size)}", partial(_steps, maker, spec, size, settings))
        for title, maker in (("make_vec", _make_vec), ("SB3 VecEnv", _sb3))
        for settings in every
    ]
    usual = {"opponents": others}
    shaped = {**usual, "reward": reward_function}
    return [
        *found,
        Case(
            f"make_vec {_described(spec, usual, size)}, a reward function",
            partial(_steps, _make_vec, spec, size, shaped),
        ),
        Case(f"gymnasium.make {_described(spec, usual)}", partial(_single, spec.env_id, usual)),
        Case(f"gymnasium.make {_described(spec, usual)}, a reward function", partial(_single, spec.env_id, shaped)),
    ]


def reward_function(before: SeatState, after: SeatState) -> float:
    """Compute the reward ``"points"`` as a user would write it."""
    return after.points - before.points


def _described(spec: GameSpec, settings: dict[str, Any], size: int | None = None) -> str:
    """Return the setup, the number of games and the opponents as text."""
    rest = {name: value for name, value in settings.items() if name != "opponents"}
    rules, opponents, _ = line_up_of(GameVectorEnv, spec.name, settings["opponents"], None, rest)
    games = "" if size is None else f", N = {size}"
    return f"{rules.setup}{games}, " + (f"{opponents[0]} inside" if opponents else "no opponents")


def _aec(loop: Any, module: str, maker: str, **settings: Any) -> Chunk:
    chunk: Chunk = loop(getattr(importlib.import_module(module), maker)(**settings))
    return chunk


def cheap_loop(env: Any) -> Chunk:
    """Return steps of an AEC environment, with actions drawn from the mask by ``random.random``."""
    env.reset(seed=1)

    def chunk() -> int:
        steps = 0
        while steps < 1000:
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.reset()
                continue
            env.step(_random_action(observation["action_mask"]))
            steps += 1
        return steps

    return chunk


def documented_loop(env: Any) -> Chunk:
    """Return steps of an AEC environment, in the loop of PettingZoo's documentation."""
    env.reset(seed=1)

    def chunk() -> int:
        steps = 0
        while steps < 500:
            for agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                is_over = termination or truncation
                env.step(None if is_over else env.action_space(agent).sample(observation["action_mask"]))
                steps += not is_over
            env.reset()
        return steps

    return chunk


def _random_action(mask: Any) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(random.random() * len(legal))])


def _make_vec(spec: GameSpec, size: int, settings: dict[str, Any]) -> Any:
    env = gymnasium.make_vec(str(spec.env_id), num_envs=size, **settings)
    env.reset(seed=1)
    return env


def _sb3(spec: GameSpec, size: int, settings: dict[str, Any]) -> Any:
    from romans_env.envs.sb3 import RomansVecEnv

    env = RomansVecEnv(size, seed=1, game=spec.name, **settings)
    env.reset()
    return env


def _steps(make: Any, spec: GameSpec, size: int, settings: dict[str, Any]) -> Chunk:
    start = make(spec, size, settings)
    env, rng, chosen = start.clone(), np.random.default_rng(1), []
    for _ in range(100):
        masks = env.action_masks()
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        chosen.append(actions)
        env.step(actions)

    def chunk() -> int:
        env = start.clone()
        for actions in chosen:
            env.step(actions)
        return len(chosen) * size

    return chunk


def _single(env_id: str, settings: dict[str, Any]) -> Chunk:
    env = gymnasium.make(env_id, **settings)
    _, info = env.reset(seed=1)

    def chunk() -> int:
        nonlocal info
        for _ in range(200):
            _, _, terminated, _, info = env.step(_random_action(info["action_mask"]))
            if terminated:
                _, info = env.reset()
        return 200

    return chunk
