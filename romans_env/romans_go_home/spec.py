"""The `romans_env.core.games.GameSpec` of Romans Go Home!"""

from __future__ import annotations

from romans_env.core.games import GameSpec

SPEC = GameSpec(
    name="romans-go-home",
    title="Romans Go Home!",
    rules="romans_env.romans_go_home.rules:RomansGoHome",
    setup="romans_env.romans_go_home.setup:Table",
    step="romans_env.romans_go_home.step",
    renderer="romans_env.render.romans_go_home.renderer:RENDERER",
    env_id="RomansGoHome-v0",
    env_module="romans_env.romans_go_home_v0",
    open_spiel="romans_env.envs.romans_go_home.open_spiel_part:PART",
    agents="romans_agents.romans_go_home.agents:AGENTS",
    players="romans_agents.romans_go_home.compiled_agents",
    evaluator="romans_agents.romans_go_home.evaluator",
    best_responder="romans_agents.romans_go_home.rounds.responder:BestResponder",
    control_variates="romans_agents.romans_go_home.control_variates.rounds:RoundVariates",
    reviewer="round-response",
    luck="romans_agents.romans_go_home.rounds.luck:luck_of",
    text_env="romans_agents.romans_go_home.text_env:RomansGoHomeTextEnv",
    default_opponent="greedy",
    default_pool=("skirmisher", "random", "hoarder", "greedy"),
    training={"opponents": ("greedy", "random")},
    command_line="romans_training.romans_go_home.command_line:OPTIONS",
)
