"""Creates a policy file of the package from the policies of training runs, with weights in float16.

    python -m recipes.make_policy legate.npz runs/legate/policy.npz --sample
    python -m recipes.make_policy legate_1.npz runs/legate-1-second/policy.npz runs/legate-1/policy.npz \\
        --shares 0.6,0.4 --sample --cut 0.3
    python -m recipes.make_policy quaestor.npz runs/quaestor-10/policies/{15,20,25}*.npz runs/quaestor-10/policy.npz

From several policies it computes the mean of the weights. If they come from one run, or from runs that continue each
other, the mean is often better than each of them (Wortsman et al. 2022, "Model soups").
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from romans_agents import Policy
from romans_agents.policies.policy_file import Layers


@click.command()
@click.argument("to", type=click.Path(path_type=Path))
@click.argument("policies", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--shares", help="Share of each policy in the mean, such as 0.6,0.4.  [default: equal]")
@click.option("--sample", is_flag=True, help="Agents of this policy sample their actions.")
@click.option("--cut", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="The agent's `cut`.")
def main(to: Path, policies: tuple[str, ...], shares: str | None, sample: bool, cut: float) -> None:
    """Write the mean of POLICIES to the file TO, with the notes of the last one."""
    parts = [float(share) for share in shares.split(",")] if shares else [1 / len(policies)] * len(policies)
    if len(parts) != len(policies) or abs(sum(parts) - 1) > 1e-6:
        raise click.UsageError(f"--shares needs {len(policies)} numbers that sum to 1, one for each policy")
    policy = mean_policy([Policy.load(one) for one in policies], parts)
    policy.meta |= {"sample": True, "cut": cut} if sample else {"sample": False}
    if shares:
        policy.meta["shares"] = parts
    policy.save(to, dtype="float16")
    click.echo(f"{to}: {to.stat().st_size:,} bytes")


def mean_policy(policies: Sequence[Policy], shares: Sequence[float]) -> Policy:
    """Return a policy whose weights are the weighted mean of those of several policies.

    Args:
        policies: at least one, all with layers of the same shapes; the last one gives the notes and the scale.
        shares: the share of each policy in the mean; they sum to 1.
    """
    last = policies[-1]
    pi, vf = (_mean([getattr(policy, name) for policy in policies], shares) for name in ("pi", "vf"))
    return Policy(pi, vf, last.scale, last.meta)


def _mean(networks: Sequence[Layers], shares: Sequence[float]) -> Layers:
    return [
        (
            sum((share * weight for share, (weight, _) in zip(shares, layers, strict=True)), start=0 * layers[0][0]),
            sum((share * bias for share, (_, bias) in zip(shares, layers, strict=True)), start=0 * layers[0][1]),
        )
        for layers in zip(*networks, strict=True)
    ]


if __name__ == "__main__":
    main()
