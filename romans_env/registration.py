"""The names under which gymnasium and PettingZoo know the environments; importing the package registers them."""

from __future__ import annotations

import gymnasium
import pettingzoo

GYMNASIUM_ID = "RomansGoHome-v0"
PETTINGZOO_IDS = ("RomansGoHome-v0", "romans_go_home_v0")
"""The name that gymnasium has too, and the name of the module, as PettingZoo's own environments are called."""


def register() -> None:
    """Register the environments with both; entry points are texts, so nothing is imported before it is made."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="romans_env.romans_go_home_v0:single_env",
            vector_entry_point="romans_env.envs.vector:RomansGoHomeVectorEnv",
        )
    for name in PETTINGZOO_IDS:
        if pettingzoo.EnvSpec(name).id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point="romans_env.romans_go_home_v0:env")
