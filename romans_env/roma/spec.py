"""Roma as the library knows it."""

from __future__ import annotations

from romans_env.games import GameSpec

SPEC = GameSpec(
    name="roma",
    title="Roma",
    rules="romans_env.roma.rules:Roma",
    setup="romans_env.roma.setup:RomaSetup",
    env_id="Roma-v0",
    env_module="romans_env.roma_v0",
)
