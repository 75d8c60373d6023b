"""The first trained policy, a fixed opponent: `legate_1.npz`; `legate_1.md` says what it is and how strong."""

from __future__ import annotations

from pathlib import Path

from romans_agents.policies.policy import PackagedPolicyAgent

LEGATE_1_FILE = Path(__file__).with_suffix(".npz")


class Legate1Agent(PackagedPolicyAgent):
    """Plays by the network that was `legate` first, and never changes, so that figures stay comparable."""

    name = "legate-1"
    file = LEGATE_1_FILE
