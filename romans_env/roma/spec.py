"""Roma as the library knows it."""

from __future__ import annotations

from romans_env.games import GameSpec

SPEC = GameSpec(
    name="roma",
    title="Roma",
    rules="romans_env.roma.rules:Roma",
    setup="romans_env.roma.setup:RomaSetup",
    batch_kernels="romans_env.roma.batch_kernels",
    agents="romans_agents.roma.agents:AGENTS",
    kernels="romans_agents.roma.game_kernels",
    search_kernels="romans_agents.roma.search_kernels",
    default_opponent="forum-runner",
    training={"opponents": ("forum-runner", "raider", "denier", "random")},
    renderer="romans_env.render.roma.renderer:RENDERER",
    env_id="Roma-v0",
    env_module="romans_env.roma_v0",
)
