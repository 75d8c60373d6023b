"""Agents for every game, agents of each game, and the registry that creates them from agent specs.

Create an agent with ``romans_agents.make("greedy")``, or your own with ``romans_agents.make("my_bot.py:MyBot")``. An
agent needs a method ``act``; `Agent` lists what else it can offer, and `register` gives it a name of its own. The
agents of one game are in that game's folder.
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
