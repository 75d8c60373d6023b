"""Players: random, scripted, learned, and the registry that turns a text into one.

``agents.make("greedy")``, or ``agents.make("my_bot.py:MyBot")`` for one of your own; `Agent` says what more than an
``act`` it can have, and `register` makes it a name.
"""

from agents.base import Agent, BatchAgent
from agents.errors import UnknownAgentError
from agents.policy import Policy, PolicyAgent, PolicyFileError
from agents.random_agent import RandomAgent
from agents.registry import make, names, register
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
