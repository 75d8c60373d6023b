"""Adapters that turn other objects into an `Agent`: objects with an ``act`` method, functions of a view, networks."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.base import Agent
from romans_agents.errors import UnknownAgentError
from romans_agents.policies.policy import Policy, PolicyAgent
from romans_env import Game, View
from romans_env.core.games import spec_of
from romans_env.errors import error_line, shortened


class AdaptedAgent(Agent):
    """Adapts an object with an ``act`` method that is not an `Agent`.

    Args:
        player: an object with ``act(view)`` and, optionally, ``seed(number)`` and ``searches``, like those of `Agent`.
    """

    def __init__(self, player: Any):
        self.player = player
        self.searches = bool(getattr(player, "searches", False))
        self.name = type(player).__name__

    def seed(self, seed: int) -> None:
        if callable(getattr(self.player, "seed", None)):
            self.player.seed(seed)

    def act(self, view: View) -> int:
        return self.player.act(view)


class FunctionAgent(Agent):
    """Adapts a function that takes a view and returns a legal action or its name."""

    def __init__(self, player: Callable[[View], Any]):
        self.player = player
        self.name = getattr(player, "__name__", "function")

    def act(self, view: View) -> int:
        return self.player(view)


class Network(NamedTuple):
    """The mark of a function that is a network; a function without it is taken for a function of a view."""

    computes: Any


def network(computes: Any) -> Any:
    """Mark a function as a network, so that its agent plays the legal action with the highest logit.

    A ``torch.nn.Module`` or a stable-baselines3 model needs no mark.

    Args:
        computes: the function. It is called with observations, float32, shape ``(n, observation_size)``. It returns
            logits, shape ``(n, num_actions)``, or a pair of logits and expected returns, shape ``(n,)``, as arrays or
            tensors. The action mask is applied to the logits afterwards.

    Returns:
        The marked function, which can be used wherever an agent is expected.
    """
    return Network(computes)


class NetworkPolicy(Policy):
    """A policy computed by a function, a ``torch.nn.Module`` or a stable-baselines3 model.

    Its values are NaN if the network returns logits only.

    Args:
        computes: the network; see `network`.
        game: the name of the game.

    Raises:
        UnknownAgentError: if the network does not fit the game's observations or actions.
    """

    def __init__(self, computes: Any, game: str):
        self.network, self.game, self.meta = getattr(computes, "policy", computes), game, {}
        rules = spec_of(game).make_rules()
        expected = f"{game} has observations of {rules.observation_size} numbers and {rules.num_actions} actions"
        try:
            # The test uses a real observation, because a function may fail on numbers that no seat can observe.
            found = self.logits(Game(rules, seed=0).view(0).observation[None]).shape
        except Exception as error:
            raise UnknownAgentError(f"the network cannot be evaluated ({error_line(error)}): {expected}") from error
        if found != (1, rules.num_actions):
            raise UnknownAgentError(f"the network gives logits of shape {found} for one observation: {expected}")

    def logits(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        return self._computed(observations)[0]

    def values(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        return self._computed(observations)[1].reshape(-1)

    def _computed(self, observations: npt.NDArray[Any]) -> list[npt.NDArray[np.float32]]:
        computes, seen = self.network, observations.astype(np.float32)
        found: Any
        if not hasattr(computes, "parameters"):
            found = computes(seen)
        else:
            import torch

            is_in_training = computes.training
            try:
                with torch.no_grad():
                    tensor = torch.from_numpy(seen).to(next(computes.train(False).parameters()).device)
                    if hasattr(computes, "predict_values"):
                        found = computes.get_distribution(tensor).distribution.logits, computes.predict_values(tensor)
                    else:
                        found = _values_of_actions(computes, tensor)
            finally:
                computes.train(is_in_training)
        both: tuple[Any, ...] = found if isinstance(found, tuple) else (found, np.full(len(seen), np.nan))
        return [np.asarray(one.cpu() if hasattr(one, "cpu") else one, dtype=np.float32) for one in both]


def _values_of_actions(computes: Any, observations: Any) -> Any:
    """Return the output of a module; for a DQN or QR-DQN policy of stable-baselines3, the Q-values of its network."""
    if hasattr(computes, "quantile_net"):
        return computes.quantile_net(observations).mean(dim=1)
    return getattr(computes, "q_net", computes)(observations)


def adapted(player: Any, game: str, name: str | None = None) -> Agent:
    """Return an agent whose actions the given object decides.

    Args:
        player: an `Agent`, a `Policy`, an object with ``act(view)``, a function of a view, a `network`, a
            ``torch.nn.Module``, or a stable-baselines3 model or its policy.
        game: the name of the game.
        name: the agent's name in tables and records; None for the object's own name or the name of its class.

    Raises:
        TypeError: if ``player`` is none of these objects.
        UnknownAgentError: if a network or policy does not fit the game.
    """
    if isinstance(player, type):
        raise TypeError(f"an agent is an object, not a class: give {player.__name__}()")
    if isinstance(player, Agent):
        agent = player if name is None else copy.copy(player)
    elif isinstance(player, Policy):
        if player.game != game:
            raise UnknownAgentError(f"the policy plays {player.game}, not {game}")
        agent = PolicyAgent.of(player, "policy")
    elif callable(getattr(player, "act", None)):
        agent = AdaptedAgent(player)
    elif isinstance(player, Network) or hasattr(player, "policy") or callable(getattr(player, "parameters", None)):
        computes = player.computes if isinstance(player, Network) else player
        agent = PolicyAgent.of(NetworkPolicy(computes, game), getattr(computes, "__name__", type(computes).__name__))
    elif callable(player):
        agent = FunctionAgent(player)
    else:
        raise TypeError(
            "an agent is an agent spec, the path of a policy file, a romans_agents.Agent, an object with act(view), a "
            f"function of a view, or a network (romans_agents.network), not {shortened(player)}"
        )
    agent.name = agent.name if name is None else name
    return agent
