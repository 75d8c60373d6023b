"""The network that is trained, and its conversion to a numpy policy."""

from __future__ import annotations

from typing import Any, cast

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from romans_agents.policies.policy import Policy
from romans_agents.policies.policy_file import Layers
from romans_env.core.base_rules import scale_of_bounds

ACTIVATION = "relu"


class ScaledObservation(BaseFeaturesExtractor):
    """Scales every entry of the observation to a similar magnitude.

    Args:
        observation_space: the environment's observation space.
        scale: the factor of each entry, float32, shape ``(observation_size,)``, such as a game's ``observation_scale``;
            None derives it from the bounds of the space.
    """

    def __init__(self, observation_space: gymnasium.spaces.Box, scale: npt.NDArray[np.float32] | None = None):
        super().__init__(observation_space, observation_space.shape[0])
        if scale is None:
            scale = scale_of_bounds(observation_space.low, observation_space.high)
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(scale.copy()))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Scale observations: float32, shape ``(n, observation_size)``, both given and returned."""
        return observations * self.scale


def policy_arguments(hidden_layers: tuple[int, ...], scale: npt.NDArray[np.float32] | None = None) -> dict[str, Any]:
    """Return ``policy_kwargs`` of the network: separate policy and value layers over the scaled observation.

    Args:
        hidden_layers: the sizes of the hidden layers, the same for policy and value.
        scale: as for `ScaledObservation`: float32, shape ``(observation_size,)``.
    """
    return {
        "features_extractor_class": ScaledObservation,
        "features_extractor_kwargs": {"scale": scale},
        "net_arch": {"pi": list(hidden_layers), "vf": list(hidden_layers)},
        "activation_fn": nn.ReLU,
    }


def exported(model: MaskablePPO, meta: dict[str, Any]) -> Policy:
    """Return the model's policy and value networks as a numpy policy.

    Args:
        model: a model made with `policy_arguments`.
        meta: JSON-able metadata of the policy file.
    """
    return exported_network(model.policy, meta)


def exported_network(network: MaskableActorCriticPolicy, meta: dict[str, Any]) -> Policy:
    """Return the policy and value networks of an SB3 policy as a numpy policy; arguments as for `exported`."""
    return Policy(
        pi=layers_of(network.mlp_extractor.policy_net, network.action_net),
        vf=layers_of(network.mlp_extractor.value_net, network.value_net),
        scale=_scale_of(network).cpu().numpy(),
        meta={**meta, "activation": ACTIVATION},
    )


@torch.no_grad()
def give_weights(network: MaskableActorCriticPolicy, policy: Policy) -> None:
    """Copy the weights of a policy into a network of the same shape; the inverse of `exported_network`."""
    _scale_of(network).copy_(torch.from_numpy(policy.scale))
    parts = (
        (network.mlp_extractor.policy_net, network.action_net, policy.pi),
        (network.mlp_extractor.value_net, network.value_net, policy.vf),
    )
    for hidden, last, layers in parts:
        for layer, (weight, bias) in zip(_linear_layers(hidden, last), layers, strict=True):
            layer.weight.copy_(torch.from_numpy(weight))
            layer.bias.copy_(torch.from_numpy(bias))


def _scale_of(network: MaskableActorCriticPolicy) -> torch.Tensor:
    return cast(ScaledObservation, network.features_extractor).scale


def _linear_layers(*parts: nn.Module) -> list[nn.Linear]:
    return [layer for part in parts for layer in part.modules() if isinstance(layer, nn.Linear)]


def layers_of(*parts: nn.Module) -> Layers:
    """Return copies of weight and bias of all linear layers in some modules, in order, as `Policy` takes them."""
    return [
        (layer.weight.detach().cpu().numpy().copy(), layer.bias.detach().cpu().numpy().copy())
        for layer in _linear_layers(*parts)
    ]


def sequential_of(layers: Layers) -> nn.Sequential:
    """Return a network with relu between linear layers, which start from copies of some weights; see `layers_of`."""
    modules: list[nn.Module] = []
    for weight, bias in layers:
        linear = nn.Linear(weight.shape[1], weight.shape[0])
        linear.weight.data, linear.bias.data = torch.from_numpy(weight.copy()), torch.from_numpy(bias.copy())
        modules += [linear, nn.ReLU()]
    return nn.Sequential(*modules[:-1])
