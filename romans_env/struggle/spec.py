"""The `romans_env.core.games.GameSpec` of Struggle for Rome."""

from __future__ import annotations

from romans_env.core.games import GameSpec

SPEC = GameSpec(
    name="struggle",
    title="Struggle for Rome",
    rules="romans_env.struggle.rules:StruggleForRome",
    setup="romans_env.struggle.setup:StruggleSetup",
    step="romans_env.struggle.step",
    renderer="romans_env.render.struggle.renderer:RENDERER",
    default_players=4,
    agents="romans_agents.struggle.agents:AGENTS",
    players="romans_agents.struggle.compiled_agents",
    evaluator="romans_agents.struggle.evaluator",
    control_variates="romans_agents.variates.chance_variates:ChanceVariates",
    reviewer="stilicho:iterations=240",
    luck="romans_agents.variates.chance_variates:luck_of",
    default_opponent="chieftain",
    default_pool=(*["random"] * 15, "chieftain"),
    training={
        "opponents": ("trader", "chieftain", "plunderer"),
        "steps": 20_000_000,
        "self_play": 0.5,
        "num_envs": 512,
        "rollout_length": 64,
        "gae_lambda": 0.8,
        "hidden_layers": (192, 192),
        "entropy": 0.01,
        "final_entropy": 0.001,
        "evaluation_deals": 30,
    },
    env_id="Struggle-v0",
    env_module="romans_env.struggle_v0",
)
