"""Draws the pictures of analysis.md: ``schemer`` beside ``greedy``, and the notebooks' small policy against it."""

from __future__ import annotations

from pathlib import Path

from agents import Policy, PolicyAgent
from romans_env import Table
from romans_env.files import written_whole
from training.analysis import Finding, agreement, compared, placement, played_games, set_aside

FOLDER = Path(__file__).resolve().parent
TABLE, DEALS = Table(2, 1), 200
POLICY = FOLDER.parent / "notebooks" / "small_policy.npz"


def pictures() -> dict[str, Finding]:
    """What is drawn, by name of the file."""
    games = played_games(["schemer", "greedy"], TABLE, DEALS)
    policy = PolicyAgent.of(Policy.load(POLICY), "small policy")
    of_policy = played_games([policy, "greedy"], TABLE, DEALS)
    return {
        "analysis-set-aside.png": set_aside(games),
        "analysis-placement.png": placement(games, by="fort"),
        "analysis-agreement.png": agreement(compared(policy, "greedy", of_policy)),
    }


if __name__ == "__main__":
    for name, finding in pictures().items():
        with written_whole(FOLDER / name) as temporary:
            finding.figure().savefig(temporary, dpi=110)
