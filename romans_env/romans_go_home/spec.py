"""Romans Go Home! as the library knows it."""

from __future__ import annotations

from romans_env.games import GameSpec

SPEC = GameSpec(
    name="romans-go-home",
    title="Romans Go Home!",
    rules="romans_env.romans_go_home.rules:RomansGoHome",
    renderer="romans_env.render.romans_go_home.renderer:RENDERER",
    agents="romans_agents.romans_go_home.agents:AGENTS",
    kernels="romans_agents.romans_go_home.inside:KERNELS",
    default_opponent="greedy",
    training={"opponents": ("greedy", "random")},
    command_line="romans_training.romans_go_home.command_line:OPTIONS",
)
