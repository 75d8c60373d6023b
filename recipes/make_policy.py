"""Makes a policy of the package from the policies of its runs, with weights in half precision.

    python -m recipes.make_policy legate.npz runs/legate/policy.npz --sample
    python -m recipes.make_policy legate_1.npz runs/legate-1-second/policy.npz runs/legate-1/policy.npz \\
        --shares 0.6,0.4 --sample --cut 0.3
    python -m recipes.make_policy quaestor.npz runs/quaestor-10/policies/{15,20,25}*.npz runs/quaestor-10/policy.npz

Of several policies it writes the mean of the weights, often better than each of them where these come from one run or
some from others (Wortsman et al. 2022, "Model soups").
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
@click.option("--shares", help="Of each policy's weights, such as 0.6,0.4.  [default: equal ones]")
@click.option("--sample", is_flag=True, help="It is played by drawing, not by its most likely action.")
@click.option("--cut", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="As of a policy's agent.")
def main(to: Path, policies: tuple[str, ...], shares: str | None, sample: bool, cut: float) -> None:
    """Write the mean of POLICIES, whose last one gives the notes, to the file TO."""
    parts = [float(share) for share in shares.split(",")] if shares else [1 / len(policies)] * len(policies)
    if len(parts) != len(policies) or abs(sum(parts) - 1) > 1e-6:
        raise click.UsageError(f"--shares are {len(policies)} numbers with the sum 1, one for each policy")
    policy = mean_policy([Policy.load(one) for one in policies], parts)
    policy.meta |= {"sample": True, "cut": cut} if sample else {"sample": False}
    if shares:
        policy.meta["shares"] = parts
    policy.save(to, dtype="float16")
    click.echo(f"{to}: {to.stat().st_size:,} bytes")


def mean_policy(policies: Sequence[Policy], shares: Sequence[float]) -> Policy:
    """The policy whose weights are a weighted mean of those of policies of one shape.

    Args:
        policies: one or more; the notes and the scale of the last one are kept.
        shares: of each one's weights, which add up to 1.
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
