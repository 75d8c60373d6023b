"""What environments with a learner refuse: the settings, the error, and what it says, in one line."""

from __future__ import annotations

import gymnasium
import pytest

from romans_agents import UnknownAgentError
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env.envs.sb3 import RomansVecEnv
from romans_env.envs.vector import GameVectorEnv

ALL, ONE = (RomansVecEnv, GameVectorEnv, gymnasium.make), (gymnasium.make,)


@pytest.mark.parametrize(
    ("makers", "settings", "error", "why"),
    [
        (ALL[:2], {"num_envs": 0}, ValueError, "at least 1, not 0"),
        (ALL, {"seat": 2}, ValueError, "seat is None .* or 0 to 1, not 2"),
        (ALL, {"opponents": ["caesar"]}, UnknownAgentError, "unknown agent 'caesar'"),
        (ALL, {"opponents": ["random"] * 4}, ValueError, "no table has 5 players and 0 neutrals"),
        (ALL, {"opponents": ["random"], "num_players": 3}, ValueError, "opponents is a list of 2 for 3 players"),
        (ALL, {"opponents": "random", "num_players": 2}, ValueError, "opponents is a list of agents, such as"),
        (ALL, {"opponents": [], "num_players": 2, "mix_opponents": True}, ValueError, "at least one opponent"),
        (ALL, {"variant": "chess"}, ValueError, "unknown variant 'chess'"),
        (ALL, {"reward": "gold"}, ValueError, "reward is one of 'win', 'points', not 'gold'"),
        (ONE, {"seat": "0"}, ValueError, "seat is None .* or 0 to 1, not '0'"),
        (ONE, {"opponents": ["greedy:iq=3"]}, UnknownAgentError, "agent 'greedy' has no option 'iq=3'"),
        (ONE, {"opponents": ["nowhere.npz"]}, ValueError, "cannot read the policy file nowhere.npz"),
        (ONE, {"opponents": []}, ValueError, "no table has 1 players and 0 neutrals.*the learner and its .*, here 1"),
        (ONE, {"opponents": [GreedyAgent]}, TypeError, "give an object of that class"),
        (ONE, {"opponents": [3]}, TypeError, "an agent spec or a romans_agents.Agent, not 3"),
        (ONE, {"fort_deck": ["tax-8"] * 18}, ValueError, "4 Legion forts"),
    ],
    ids=lambda part: str(part) if isinstance(part, dict) else "",
)
def test_wrong_settings_are_refused_in_one_line(makers, settings, error, why):
    for make in makers:
        given = {"num_envs": 2, **settings} if make is RomansVecEnv else settings
        with pytest.raises(error, match=why) as refused:
            make(*["RomansGoHome-v0"] * (make is gymnasium.make), **given)
        assert "\n" not in str(refused.value)
