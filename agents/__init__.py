"""Players: random, scripted, learned, and the registry that turns a text into one.

``agents.make("greedy")``; `Agent` is what to derive from to add your own, `register` what makes it a name.
"""

from agents.base import Agent, BatchAgent
from agents.policy import Policy, PolicyAgent, PolicyFileError
from agents.random_agent import RandomAgent
from agents.registry import UnknownAgentError, make, names, register
from agents.romans_go_home.greedy import GreedyAgent

register("random", RandomAgent)
register("greedy", GreedyAgent)
register("policy", PolicyAgent)

__all__ = [
    "Agent",
    "BatchAgent",
    "GreedyAgent",
    "Policy",
    "PolicyAgent",
    "PolicyFileError",
    "RandomAgent",
    "UnknownAgentError",
    "make",
    "names",
    "register",
]
