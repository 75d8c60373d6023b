"""The trained policy that comes with the package: `legate.npz`; `legate.md` says what it is and how strong."""

from __future__ import annotations

from pathlib import Path

from romans_agents.packaged_policy import PackagedPolicyAgent

LEGATE_FILE = Path(__file__).with_suffix(".npz")


class LegateAgent(PackagedPolicyAgent):
    """Plays by a network that learned in self-play at all tables.

    It draws its actions: one who always lays the same plan is predictable.
    """

    name = "legate"
    file = LEGATE_FILE
