"""Makes the policy in the package, `legate`, from the policies of its runs.

    python -m romans_training.romans_go_home.make_legate SECOND/policy.npz THIRD/policy.npz --share 0.4

The weights are the mean of those of its second and its third run: as the third started from the second, the mean
of the two is a good policy, too (Wortsman et al. 2022, "Model soups"). It keeps most of the third run's wins against
scripted players, and is no more exploitable than the second. Weights are saved in half precision.
"""

from __future__ import annotations

from pathlib import Path

import click

from romans_agents import Policy
from romans_agents.romans_go_home.trained.legate import LEGATE_FILE
from romans_training.mean_policy import mean_policy

CUT = 0.3
"""Actions less likely than this part of the most likely one are not drawn."""


@click.command()
@click.argument("first", type=click.Path(exists=True, dir_okay=False))
@click.argument("second", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--share", type=click.FloatRange(0, 1), default=0.4, show_default=True, help="Share of the second policy's weights."
)
@click.option("--to", type=click.Path(path_type=Path), default=LEGATE_FILE, help="[default: the file in the package]")
def main(first: str, second: str, share: float, to: Path) -> None:
    """Write the mean of two policies, to be played by drawing."""
    policy = mean_policy([Policy.load(first), Policy.load(second)], [1 - share, share])
    policy.meta |= {"sample": True, "cut": CUT, "share_of_last_run": share}
    policy.save(to, dtype="float16")
    click.echo(f"{to}: {to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
