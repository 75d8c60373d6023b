"""Romans Go Home! as the library knows it."""

from __future__ import annotations

from romans_env.games import GameSpec

SPEC = GameSpec(
    name="romans-go-home",
    title="Romans Go Home!",
    rules="romans_env.romans_go_home.rules:RomansGoHome",
    setup="romans_env.romans_go_home.table:Table",
    renderer="romans_env.render.romans_go_home.renderer:RENDERER",
    env_id="RomansGoHome-v0",
    env_module="romans_env.romans_go_home_v0",
    agents="romans_agents.romans_go_home.agents:AGENTS",
    kernels="romans_agents.romans_go_home.compiled_kernels:CompiledKernels",
    default_opponent="greedy",
    no_opponent="neutrals",
    nobody="the neutral clans",
    training={"opponents": ("greedy", "random")},
    command_line="romans_training.romans_go_home.command_line:OPTIONS",
)
