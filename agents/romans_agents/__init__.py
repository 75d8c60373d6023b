"""Players: random, scripted, learned, and the registry that turns a text into one.

``romans_agents.make("greedy")``, or ``romans_agents.make("my_bot.py:MyBot")`` for one of your own; `Agent` says what
more than an ``act`` it can have, and `register` makes it a name.
"""

from romans_agents.base import Agent, BatchAgent
from romans_agents.errors import UnknownAgentError
from romans_agents.policy import Policy, PolicyAgent, PolicyFileError
from romans_agents.random_agent import RandomAgent
from romans_agents.registry import make, names, policy_of, register
from romans_agents.romans_go_home.flat_mc import FlatMCAgent
from romans_agents.romans_go_home.ismcts import ISMCTSAgent
from romans_agents.romans_go_home.scripted import (
    GreedyAgent,
    HoarderAgent,
    LegionaryAgent,
    MixerAgent,
    SchemerAgent,
    SkirmisherAgent,
)
from romans_agents.trained.legate import LegateAgent

register("random", RandomAgent)
for _scripted in (GreedyAgent, HoarderAgent, LegionaryAgent, SkirmisherAgent, MixerAgent, SchemerAgent):
    register(_scripted.name, _scripted)
register("policy", PolicyAgent)
register("legate", LegateAgent)
register("flat-mc", FlatMCAgent)
register("ismcts", ISMCTSAgent)

__all__ = [
    "Agent",
    "BatchAgent",
    "FlatMCAgent",
    "GreedyAgent",
    "HoarderAgent",
    "ISMCTSAgent",
    "LegateAgent",
    "LegionaryAgent",
    "MixerAgent",
    "Policy",
    "PolicyAgent",
    "PolicyFileError",
    "RandomAgent",
    "SchemerAgent",
    "SkirmisherAgent",
    "UnknownAgentError",
    "make",
    "names",
    "policy_of",
    "register",
]
