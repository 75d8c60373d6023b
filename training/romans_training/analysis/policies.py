"""Agents of whatever decides: agent specs, policy files, networks of torch, models of stable-baselines3."""

from __future__ import annotations

import copy
import os
from typing import Any

import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents import Agent, Policy, PolicyAgent
from romans_env.errors import shortened


class _Network(Policy):
    """A policy that a function, a module or a policy of stable-baselines3 computes; a value it does not give is nan."""

    def __init__(self, network: Any, game: str):
        self.network, self.game, self.meta = network, game, {}

    def logits(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        return self._computed(observations)[0]

    def values(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        return self._computed(observations)[1].reshape(-1)

    def _computed(self, observations: npt.NDArray[Any]) -> list[npt.NDArray[np.float32]]:
        network, seen = self.network, observations.astype(np.float32)
        if not hasattr(network, "parameters"):
            found = network(seen)
        else:
            import torch

            with torch.no_grad():
                tensor = torch.from_numpy(seen).to(next(network.parameters()).device)
                if hasattr(network, "set_training_mode"):
                    network.set_training_mode(False)
                if hasattr(network, "predict_values"):
                    found = network.get_distribution(tensor).distribution.logits, network.predict_values(tensor)
                else:
                    found = getattr(network, "q_net", network)(tensor)
        both = found if isinstance(found, tuple) else (found, np.full(len(seen), np.nan))
        return [np.asarray(one.cpu() if hasattr(one, "cpu") else one, dtype=np.float32) for one in both]


def agent_of(policy: Any, game: str, name: str | None = None) -> Agent:
    """Return the agent of what decides in a game, given by its name.

    It is an agent, an agent spec or the path of a policy file; a `Policy`; a model of stable-baselines3 or its policy
    (actor-critic or Q-network); or a `torch.nn.Module` or function that gives, for float32 observations of shape
    (n, observation size), logits of shape (n, number of actions), or a pair of these and the expected returns, shape
    (n,). A network plays its most likely legal action. Without a name, that in tables is the spec or the class.
    """
    if isinstance(policy, str | os.PathLike):
        agent = romans_agents.make(os.fspath(policy), game=game)
    elif isinstance(policy, Agent):
        agent = policy if name is None else copy.copy(policy)
    elif isinstance(policy, Policy):
        agent = PolicyAgent.of(policy, "policy")
    elif callable(policy) or hasattr(policy, "policy"):
        network = _Network(getattr(policy, "policy", policy), game)
        agent = PolicyAgent.of(network, getattr(policy, "__name__", type(policy).__name__))
    else:
        raise TypeError(f"a policy is an agent spec, a policy file, a network or an agent, not {shortened(policy)}")
    agent.name = agent.name if name is None else name
    return agent
