"""Learning with sb3-contrib's MaskablePPO: what the environment costs, and what the settings do.

The environment that costs nothing gives arrays that lie ready; its masks are random ones of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from romans_training.benchmark.contest import Chunk, Contestant

_FREE, _TUTORIAL = "rollouts, 1024 environments that cost nothing", "learning, 1 environment, MaskablePPO's defaults"
_STOCK = "learning as romans train does, with sb3-contrib's own parts"
_SMALL = (64, 64)


def contestants() -> list[Contestant]:
    """Decisions of the learner per second, on one thread."""
    return [
        Contestant("rollouts, 1024 games against greedy", lambda: _rollouts(_games(1024)), _FREE),
        Contestant(_FREE, lambda: _rollouts(_free(1024))),
        Contestant("learning, 1024 games, minibatch 1024, 4 epochs", lambda: _learning(_fast(_games(1024))), _TUTORIAL),
        Contestant(_TUTORIAL, lambda: _learning(_defaults())),
        Contestant("learning as romans train does", lambda: _learning(_trained(own_parts=True)), _STOCK),
        Contestant(_STOCK, lambda: _learning(_trained(own_parts=False))),
    ]


def _games(num_envs: int, pool: tuple[str, ...] = ("greedy",)) -> Any:
    from romans_env.envs.sb3 import RomansVecEnv

    return RomansVecEnv(num_envs, num_players=2, opponents=pool, mix_opponents=True, seed=1)


def _free(num_envs: int) -> Any:
    env = _games(num_envs)
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

    from romans_training.masked_ppo import MaskedPolicy, MaskedRolloutBuffer, optimizer_arguments
    from romans_training.networks import policy_arguments

    torch.set_num_threads(1)
    arguments = policy_arguments(layers)
    if own_parts:
        settings["rollout_buffer_class"] = MaskedRolloutBuffer
        arguments |= optimizer_arguments()
    policy = MaskedPolicy if own_parts else "MlpPolicy"
    return MaskablePPO(policy, env, policy_kwargs=arguments, device="cpu", seed=1, **settings)


def _fast(env: Any) -> Any:
    return _model(env, True, _SMALL, n_steps=32, batch_size=1024, n_epochs=4)


def _trained(own_parts: bool) -> Any:
    from romans_training.config import TrainConfig

    config = TrainConfig()
    return _model(
        _games(config.num_envs, config.pool),
        own_parts,
        config.hidden_layers,
        n_steps=config.rollout_length,
        batch_size=config.minibatch_size,
        n_epochs=config.epochs,
    )


def _defaults() -> Any:
    import gymnasium
    from sb3_contrib import MaskablePPO

    import romans_env  # noqa: F401 (registers the environment)

    return MaskablePPO("MlpPolicy", gymnasium.make("RomansGoHome-v0", opponents=["greedy"]), device="cpu", seed=1)


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
        return model.num_timesteps - before

    return chunk
