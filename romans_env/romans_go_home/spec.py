"""Romans Go Home! as the library knows it."""

from __future__ import annotations

from romans_env.games import GameSpec
from romans_env.romans_go_home.cards import LINE_SIZE, NUM_ROUNDS

SPEC = GameSpec(
    name="romans-go-home",
    title="Romans Go Home!",
    rules="romans_env.romans_go_home.rules:RomansGoHome",
    setup="romans_env.romans_go_home.table:Table",
    batch_kernels="romans_env.romans_go_home.batch_kernels",
    renderer="romans_env.render.romans_go_home.renderer:RENDERER",
    env_id="RomansGoHome-v0",
    env_module="romans_env.romans_go_home_v0",
    agents="romans_agents.romans_go_home.agents:AGENTS",
    kernels="romans_agents.romans_go_home.compiled_kernels:CompiledKernels",
    default_opponent="greedy",
    no_opponent="neutrals",
    nobody="the neutral clans",
    training={
        "opponents": ("greedy", "random"),
        "num_players": 2,
        "num_neutrals": 0,
        "variant": "standard",
        "fort_deck": None,
        "warriors": None,
        "line_size": LINE_SIZE,
        "num_rounds": NUM_ROUNDS,
    },
    command_line="romans_training.romans_go_home.command_line:OPTIONS",
)
