"""Makes a policy of the package from the policies of its runs: `legate` from its last, `legate-1` from two.

    python -m romans_training.romans_go_home.make_legate runs/planned/policy.npz
    python -m romans_training.romans_go_home.make_legate runs/legate-1-second/policy.npz runs/legate-1/policy.npz \\
        --share 0.4 --cut 0.3 --to legate_1.npz

Of two policies it writes the mean of the weights: as the third run of `legate-1` started from its second, the mean of
the two is a good policy, too (Wortsman et al. 2022, "Model soups"). Weights are saved in half precision.
"""

from __future__ import annotations

from pathlib import Path

import click

from romans_agents import Policy
from romans_agents.romans_go_home.trained.legate import LEGATE_FILE
from romans_training.mean_policy import mean_policy

CUT = 0.0
"""Actions less likely than this part of the most likely one are not drawn."""


@click.command()
@click.argument("first", type=click.Path(exists=True, dir_okay=False))
@click.argument("second", type=click.Path(exists=True, dir_okay=False), required=False)
@click.option("--share", type=click.FloatRange(0, 1), help="Share of the second policy's weights; with two policies.")
@click.option("--cut", type=click.FloatRange(0, 1), default=CUT, show_default=True, help="As of a policy's agent.")
@click.option("--to", type=click.Path(path_type=Path), default=LEGATE_FILE, help="[default: the file in the package]")
def main(first: str, second: str | None, share: float | None, cut: float, to: Path) -> None:
    """Write a policy, or the mean of two, to be played by drawing."""
    if (second is None) != (share is None):
        raise click.UsageError("--share is for two policies, and needed with two")
    if second is None or share is None:
        policy = Policy.load(first)
    else:
        policy = mean_policy([Policy.load(first), Policy.load(second)], [1 - share, share])
        policy.meta["share_of_last_run"] = share
    policy.meta |= {"sample": True, "cut": cut}
    policy.save(to, dtype="float16")
    click.echo(f"{to}: {to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
