"""Players: random, scripted, learned, and the registry that turns a text into one.

``agents.make("greedy")``, or ``agents.make("my_bot.py:MyBot")`` for one of your own; `Agent` says what more than an
``act`` it can have, and `register` makes it a name.
"""

from agents.base import Agent, BatchAgent
from agents.errors import UnknownAgentError
from agents.policy import Policy, PolicyAgent, PolicyFileError
from agents.random_agent import RandomAgent
from agents.registry import make, names, policy_of, register
from agents.romans_go_home.flat_mc import FlatMCAgent
from agents.romans_go_home.ismcts import ISMCTSAgent
from agents.romans_go_home.scripted import (
    GreedyAgent,
    HoarderAgent,
    LegionaryAgent,
    MixerAgent,
    SchemerAgent,
    SkirmisherAgent,
)
from agents.trained.legate import LegateAgent

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
