"""Struggle for Rome as the library knows it."""

from __future__ import annotations

from romans_env.games import GameSpec

SPEC = GameSpec(
    name="struggle",
    title="Struggle for Rome",
    rules="romans_env.struggle.rules:StruggleForRome",
    setup="romans_env.struggle.setup:StruggleSetup",
    batch_kernels="romans_env.struggle.batch_kernels",
    renderer="romans_env.render.struggle.renderer:RENDERER",
    default_players=4,
    agents="romans_agents.struggle.agents:AGENTS",
    kernels="romans_agents.struggle.game_kernels",
    default_opponent="chieftain",
    env_id="Struggle-v0",
    env_module="romans_env.struggle_v0",
)
