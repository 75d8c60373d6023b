"""The faces: PettingZoo's loop, gymnasium's vector environment, stable-baselines3's VecEnv."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from romans_env import romans_go_home_v0
from romans_training.benchmark.contest import Chunk, Contestant

_CONNECT_FOUR = "PettingZoo connect_four"
_SIZE = 4096


def aec_contestants() -> list[Contestant]:
    """A loop of ``last()``, a choice, and ``step()``; the documented choice is ``action_space(agent).sample(mask)``."""
    ours = [
        Contestant(
            "raw_env(), cheap choice", lambda: cheap_loop(_ours("raw_env")), f"{_CONNECT_FOUR} raw_env(), cheap choice"
        ),
        Contestant("env(), cheap choice", lambda: cheap_loop(_ours("env")), f"{_CONNECT_FOUR} env(), cheap choice"),
        Contestant(
            "env(), documented loop", lambda: documented_loop(_ours("env")), f"{_CONNECT_FOUR} env(), documented loop"
        ),
        Contestant("env() on 4+0, cheap choice", lambda: cheap_loop(romans_go_home_v0.env(num_players=4))),
    ]
    peers = []
    for title, module in ((_CONNECT_FOUR, "connect_four_v3"), ("PettingZoo leduc_holdem", "leduc_holdem_v4")):
        for maker in ("raw_env", "env"):
            peers.append(_peer(f"{title} {maker}(), cheap choice", module, maker, cheap_loop))
        peers.append(_peer(f"{title} env(), documented loop", module, "env", documented_loop))
    return [*ours, *peers]


def vector_contestants() -> list[Contestant]:
    """Steps of one learner in each game; the actions lie ready, so that the environment alone is timed."""
    alone = {"opponents": [], "num_neutrals": 1}
    against = {"opponents": ["greedy"]}
    return [
        Contestant(f"make_vec 1+1, N = {_SIZE}, no opponents", lambda: _steps(_make_vec(alone))),
        Contestant(f"make_vec 2+0, N = {_SIZE}, greedy inside", lambda: _steps(_make_vec(against))),
        Contestant(f"SB3 VecEnv 1+1, N = {_SIZE}, no opponents", lambda: _steps(_sb3(alone))),
        Contestant(f"SB3 VecEnv 2+0, N = {_SIZE}, greedy inside", lambda: _steps(_sb3(against))),
        Contestant("gymnasium.make 2+0, greedy inside", _single),
    ]


def _ours(maker: str) -> Any:
    return getattr(romans_go_home_v0, maker)()


def _peer(name: str, module: str, maker: str, loop: Callable[[Any], Chunk]) -> Contestant:
    def prepare() -> Chunk:
        return loop(getattr(importlib.import_module(f"pettingzoo.classic.{module}"), maker)())

    return Contestant(name, prepare, is_peer=True)


def cheap_loop(env: Any) -> Chunk:
    env.reset(seed=1)

    def chunk() -> int:
        steps = 0
        while steps < 1000:
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(random.random() * len(legal))]))
            steps += 1
        return steps

    return chunk


def documented_loop(env: Any) -> Chunk:
    env.reset(seed=1)

    def chunk() -> int:
        steps = 0
        while steps < 500:
            for agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                action = (
                    None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
                )
                env.step(action)
                steps += action is not None
            env.reset()
        return steps

    return chunk


def _make_vec(settings: dict[str, Any]) -> Any:
    env = gymnasium.make_vec("RomansGoHome-v0", num_envs=_SIZE, **settings)
    env.reset(seed=1)
    return env


def _sb3(settings: dict[str, Any]) -> Any:
    from romans_env.envs.sb3 import RomansVecEnv

    env = RomansVecEnv(_SIZE, seed=1, **settings)
    env.reset()
    return env


def _steps(start: Any) -> Chunk:
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
        return len(chosen) * _SIZE

    return chunk


def _single() -> Chunk:
    env = gymnasium.make("RomansGoHome-v0", opponents=["greedy"])
    _, info = env.reset(seed=1)

    def chunk() -> int:
        nonlocal info
        for _ in range(200):
            legal = info["action_mask"].nonzero()[0]
            _, _, terminated, _, info = env.step(int(legal[int(random.random() * len(legal))]))
            if terminated:
                _, info = env.reset()
        return 200

    return chunk
