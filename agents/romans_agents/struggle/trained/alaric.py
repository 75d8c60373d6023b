"""The trained policy of Struggle for Rome in the package: `alaric.npz`; `alaric.md` says what it is and how strong."""

from __future__ import annotations

from pathlib import Path

from romans_agents.packaged_policy import PackagedPolicyAgent

ALARIC_FILE = Path(__file__).with_suffix(".npz")


class AlaricAgent(PackagedPolicyAgent):
    """Plays by a network that learned in self-play. It is for the stand-in board."""

    name = "alaric"
    file = ALARIC_FILE
