"""Settings that both environments of many games refuse: the settings, the error, and what it says."""

from __future__ import annotations

from romans_agents import UnknownAgentError

WRONG_SETTINGS = [
    ({"num_envs": 0}, ValueError, "at least 1, not 0"),
    ({"seat": 2}, ValueError, "seat is None .* or 0 to 1, not 2"),
    ({"opponents": ["caesar"]}, UnknownAgentError, "unknown agent 'caesar'"),
    ({"opponents": ["random"] * 4}, ValueError, "no table has 5 players and 0 neutrals"),
    ({"opponents": ["random"], "num_players": 3}, ValueError, "opponents is a list of 2 for 3 players"),
    ({"opponents": "random", "num_players": 2}, ValueError, "opponents is a list of agents, such as"),
    ({"opponents": [], "num_players": 2, "mix_opponents": True}, ValueError, "at least one opponent"),
    ({"variant": "chess"}, ValueError, "unknown variant 'chess'"),
    ({"reward": "gold"}, ValueError, "reward is one of 'win', 'points', not 'gold'"),
]
