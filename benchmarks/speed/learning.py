"""Speed of learning with sb3-contrib's MaskablePPO: the cost of the environment, and the effect of the settings.

The environment that costs nothing returns prepared arrays, with random masks of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.speed.timing import Case, Chunk
from romans_env.core.games import GameSpec

_TUTORIAL = "learning, 1 environment, MaskablePPO's defaults"
_STOCK = "learning as romans train does, with sb3-contrib's own parts"


def cases(spec: GameSpec) -> list[Case]:
    """Return the cases of the learner's decisions per second, on one thread."""
    if spec.env_id is None:
        return []
    size = 1024 if spec.step else 64
    free = f"rollouts, {size} environments that cost nothing"
    return [
        Case(f"rollouts, {size} games against {spec.default_opponent}", lambda: _rollouts(_games(spec, size)), free),
        Case(free, lambda: _rollouts(_free(spec, size))),
        Case(
            f"learning, {size} games, minibatch 1024, 4 epochs", lambda: _learning(_fast(_games(spec, size))), _TUTORIAL
        ),
        Case(_TUTORIAL, lambda: _learning(_defaults(spec))),
        Case("learning as romans train does", lambda: _learning(_trained(spec, own_parts=True)), _STOCK),
        Case(_STOCK, lambda: _learning(_trained(spec, own_parts=False))),
    ]


def _games(spec: GameSpec, num_envs: int, pool: tuple[str, ...] | None = None) -> Any:
    from romans_env.envs.sb3 import RomansVecEnv

    opponents = pool or (spec.default_opponent,)
    return RomansVecEnv(num_envs, opponents=opponents, mix_opponents=True, seed=1, rules=spec.make_rules())


def _free(spec: GameSpec, num_envs: int) -> Any:
    env = _games(spec, num_envs)
    env.reset()
    masks, observations = [], []
    rng = np.random.default_rng(1)
    for _ in range(16):
        mask = env.action_masks()
        masks.append(mask)
        observations.append(env.step((mask * rng.random(mask.shape)).argmax(axis=1))[0])
    turn = 0

    def step_wait() -> Any:
        nonlocal turn
        turn = (turn + 1) % 16
        return observations[turn], rewards, ends, [{} for _ in range(num_envs)]

    rewards, ends = np.zeros(num_envs, dtype=np.float32), np.zeros(num_envs, dtype=bool)
    env.step_wait = step_wait
    env.action_masks = lambda: masks[turn]
    return env


def _model(env: Any, own_parts: bool, layers: tuple[int, ...], **settings: Any) -> Any:
    import torch
    from sb3_contrib import MaskablePPO

    from romans_training.learn.masked_ppo import MaskedPolicy, MaskedRolloutBuffer, optimizer_arguments
    from romans_training.learn.torch_networks import policy_arguments

    torch.set_num_threads(1)
    arguments = policy_arguments(layers)
    if own_parts:
        settings |= {"rollout_buffer_class": MaskedRolloutBuffer, "normalize_advantage": False}
        arguments |= optimizer_arguments()
    policy = MaskedPolicy if own_parts else "MlpPolicy"
    return MaskablePPO(policy, env, policy_kwargs=arguments, device="cpu", seed=1, **settings)


_fast = partial(_model, own_parts=True, layers=(64, 64), n_steps=32, batch_size=1024, n_epochs=4)


def _trained(spec: GameSpec, own_parts: bool) -> Any:
    from romans_training.learn.config import TrainConfig
    from romans_training.learn.trainer import has_bfloat16

    config = TrainConfig(game=spec.name)
    model = _model(
        _games(spec, config.num_envs, config.pool),
        own_parts,
        config.hidden_layers,
        n_steps=config.rollout_length,
        batch_size=config.minibatch_size,
        n_epochs=config.epochs,
    )
    model.policy.in_bfloat16 = own_parts and has_bfloat16()
    return model


def _defaults(spec: GameSpec) -> Any:
    import gymnasium
    from sb3_contrib import MaskablePPO

    opponents = [spec.default_opponent] * (spec.make_rules().num_players - 1)
    env = gymnasium.make(str(spec.env_id), opponents=opponents)
    return MaskablePPO("MlpPolicy", env, device="cpu", seed=1)


def _learning(model: Any) -> Chunk:
    return _counted(model, lambda: model.learn(model.n_steps * model.n_envs, reset_num_timesteps=False))


def _rollouts(env: Any) -> Chunk:
    model = _fast(env)
    _, callback = model._setup_learn(model.n_steps * model.n_envs)
    return _counted(model, lambda: model.collect_rollouts(model.env, callback, model.rollout_buffer, model.n_steps))


def _counted(model: Any, work: Callable[[], Any]) -> Chunk:
    def chunk() -> int:
        before = model.num_timesteps
        work()
        return int(model.num_timesteps - before)

    return chunk
