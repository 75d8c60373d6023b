"""`legate-1`, the first trained policy, a fixed opponent: the policy file is `legate_1.npz`, the card `legate_1.md`."""

from __future__ import annotations

from pathlib import Path

from romans_agents.policies.policy import PackagedPolicyAgent

LEGATE_1_FILE = Path(__file__).with_suffix(".npz")


class Legate1Agent(PackagedPolicyAgent):
    """Plays the first policy that was called `legate`; it never changes, so that results stay comparable."""

    name = "legate-1"
    file = LEGATE_1_FILE
