"""Makes the policy of Struggle for Rome in the package, `alaric`, from that of its last run.

    python -m romans_training.struggle.make_alaric runs/alaric-2/policy.npz

Weights are saved in half precision, and the most likely action is played.
"""

from __future__ import annotations

from pathlib import Path

import click

from romans_agents import Policy
from romans_agents.struggle.trained.alaric import ALARIC_FILE


@click.command()
@click.argument("policy", type=click.Path(exists=True, dir_okay=False))
@click.option("--to", type=click.Path(path_type=Path), default=ALARIC_FILE, help="[default: the file in the package]")
def main(policy: str, to: Path) -> None:
    """Write the policy, to be played by its most likely action."""
    trained = Policy.load(policy)
    trained.meta |= {"sample": False}
    trained.save(to, dtype="float16")
    click.echo(f"{to}: {to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
