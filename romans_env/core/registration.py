"""The names under which Gymnasium and PettingZoo know the environments; importing the package registers them."""

from __future__ import annotations

import gymnasium
import pettingzoo

from romans_env.core.games import GameSpec, names, spec_of


def register() -> None:
    """Register the environments of all games; entry points are strings, so nothing is imported before it is created."""
    for name in names():
        register_environments(spec_of(name))


def register_environments(spec: GameSpec) -> None:
    """Register the environments of a game: Gymnasium's id, which PettingZoo has too, and the name of the module."""
    if spec.env_id is None or spec.env_module is None:
        return
    if spec.env_id not in gymnasium.registry:
        gymnasium.register(
            spec.env_id,
            entry_point="romans_env.envs.single:SingleSeatEnv",
            vector_entry_point="romans_env.envs.vector:GameVectorEnv",
            kwargs={"game": spec.name},
        )
    for name in (spec.env_id, spec.env_module.rpartition(".")[2]):
        if pettingzoo.EnvSpec(name).id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point=f"{spec.env_module}:env")
