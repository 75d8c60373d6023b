"""Agents: random, searching and learned ones for every game, those of each game, and the registry of agent specs.

``romans_agents.make("greedy")``, or ``romans_agents.make("my_bot.py:MyBot")`` for one of your own; `Agent` says what
more than an ``act`` it can have, and `register` makes it a name. The agents of a game are in a folder of their own.
"""

from romans_agents.base import Agent, BatchAgent
from romans_agents.errors import AgentError, NoAnswerError, SlowAgentError, UnknownAgentError
from romans_agents.external.llm_agent import LLMAgent
from romans_agents.external.process_agent import ProcessAgent
from romans_agents.external.sb3_agent import SB3Agent
from romans_agents.policies.policy import Policy, PolicyAgent
from romans_agents.policies.policy_file import PolicyFileError
from romans_agents.random_agent import RandomAgent
from romans_agents.searches.flat_mc import FlatMCAgent
from romans_agents.searches.mo_ismcts import MOISMCTSAgent
from romans_agents.specs.adapted import network
from romans_agents.specs.registry import agent_of, make, names, policy_of, register
from romans_env.core.one_copy import warn_of_another_copy as _warn_of_another_copy

_warn_of_another_copy(__name__, __file__)
for _factory in (RandomAgent, PolicyAgent, SB3Agent, ProcessAgent, LLMAgent, FlatMCAgent, MOISMCTSAgent):
    register(_factory.name, _factory)

__all__ = [
    "Agent",
    "AgentError",
    "BatchAgent",
    "FlatMCAgent",
    "LLMAgent",
    "MOISMCTSAgent",
    "NoAnswerError",
    "Policy",
    "PolicyAgent",
    "PolicyFileError",
    "ProcessAgent",
    "RandomAgent",
    "SB3Agent",
    "SlowAgentError",
    "UnknownAgentError",
    "agent_of",
    "make",
    "names",
    "network",
    "policy_of",
    "register",
]
