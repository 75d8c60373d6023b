"""The mean of the weights of policies: often better than each of them (Wortsman et al. 2022, "Model soups")."""

from __future__ import annotations

from collections.abc import Sequence

from romans_agents import Policy
from romans_agents.policy_file import Layers


def mean_policy(policies: Sequence[Policy], shares: Sequence[float]) -> Policy:
    """The policy whose weights are a weighted mean of those of policies of one shape.

    It is a good policy where these come from one run, or some from others.

    Args:
        policies: one or more; the notes and the scale of the last one are kept.
        shares: of each one's weights, which add up to 1.
    """
    last = policies[-1]
    return Policy(
        _mean([policy.pi for policy in policies], shares),
        _mean([policy.vf for policy in policies], shares),
        last.scale,
        last.meta,
    )


def _mean(networks: Sequence[Layers], shares: Sequence[float]) -> Layers:
    return [
        (
            sum((share * weight for share, (weight, _) in zip(shares, layers, strict=True)), start=0 * layers[0][0]),
            sum((share * bias for share, (_, bias) in zip(shares, layers, strict=True)), start=0 * layers[0][1]),
        )
        for layers in zip(*networks, strict=True)
    ]
