"""Where a run's network starts: from chance, or from a policy that has been trained before."""

from __future__ import annotations

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

import romans_agents
from romans_agents import Policy
from romans_training.config import TrainConfig
from romans_training.networks import ACTIVATION, linear_layers
from romans_training.settings import ConfigError


def starting_policy(config: TrainConfig) -> Policy | None:
    """The policy that ``start_from`` names; None where the settings name none.

    Raises:
        ConfigError: a network of another shape than the settings'.
        romans_agents.UnknownAgentError: no such agent, or one without a network.
        romans_agents.policy.PolicyFileError: a file that cannot be read.
    """
    if config.start_from is None:
        return None
    policy = romans_agents.policy_of(config.start_from, game=config.game)
    sizes = [tuple(bias.size for _, bias in layers[:-1]) for layers in (policy.pi, policy.vf)]
    if set(sizes) != {config.hidden_layers} or policy.meta["activation"] != ACTIVATION:
        raise ConfigError(
            f"{config.start_from!r} has {policy.meta['activation']} layers of {sizes[0]} for the policy and {sizes[1]} "
            f"for the value; the run has {ACTIVATION} layers of {config.hidden_layers} for both: set hidden_layers"
        )
    return policy


@torch.no_grad()
def give_weights(network: MaskableActorCriticPolicy, policy: Policy) -> None:
    """Give a network the weights of a policy of its shape; `networks.exported_network` gives them back."""
    network.features_extractor.scale.copy_(torch.from_numpy(policy.scale))
    parts = (
        (network.mlp_extractor.policy_net, network.action_net, policy.pi),
        (network.mlp_extractor.value_net, network.value_net, policy.vf),
    )
    for hidden, last, layers in parts:
        for layer, (weight, bias) in zip(linear_layers(hidden, last), layers, strict=True):
            layer.weight.copy_(torch.from_numpy(weight))
            layer.bias.copy_(torch.from_numpy(bias))
