"""Makes the policy of Roma in the package, `quaestor`, from policies of its last run.

    python -m romans_training.roma.make_quaestor runs/quaestor-10/policies/{15,20,25}*.npz runs/quaestor-10/policy.npz

The weights are the mean of theirs, which takes out some of the noise of the last updates. They are saved in half
precision, and the most likely action is played.
"""

from __future__ import annotations

from pathlib import Path

import click

from romans_agents import Policy
from romans_agents.roma.trained.quaestor import QUAESTOR_FILE
from romans_training.mean_policy import mean_policy


@click.command()
@click.argument("policies", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--to", type=click.Path(path_type=Path), default=QUAESTOR_FILE, help="[default: the file in the package]")
def main(policies: tuple[str, ...], to: Path) -> None:
    """Write the mean of POLICIES, the last one of the run at the end, to be played by its most likely action."""
    trained = mean_policy([Policy.load(policy) for policy in policies], [1 / len(policies)] * len(policies))
    trained.meta |= {"sample": False}
    trained.save(to, dtype="float16")
    click.echo(f"{to}: {to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
