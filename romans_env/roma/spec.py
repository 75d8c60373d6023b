"""The `romans_env.core.games.GameSpec` of Roma."""

from __future__ import annotations

from romans_env.core.games import GameSpec

SPEC = GameSpec(
    name="roma",
    title="Roma",
    rules="romans_env.roma.rules:Roma",
    setup="romans_env.roma.setup:RomaSetup",
    step="romans_env.roma.step",
    agents="romans_agents.roma.agents:AGENTS",
    players="romans_agents.roma.compiled_agents",
    evaluator="romans_agents.roma.evaluator",
    control_variates="romans_agents.variates.chance_variates:ChanceVariates",
    reviewer="policy-rollouts:iterations=1600",
    luck="romans_agents.variates.chance_variates:luck_of",
    default_opponent="forum-runner",
    default_pool=("random", "random", "random", "forum-runner"),
    training={
        "opponents": ("forum-runner", "raider", "denier"),
        "steps": 20_000_000,
        "self_play": 0.85,
        "num_envs": 2048,
        "gae_lambda": 0.65,
        "hidden_layers": (256, 256),
        "entropy": 0.008,
        "final_entropy": 0.0015,
    },
    renderer="romans_env.render.roma.renderer:RENDERER",
    env_id="Roma-v0",
    env_module="romans_env.roma_v0",
)
