"""The second trained policy, a fixed opponent: `legate_2.npz`; `legate_2.md` says what it is and how strong."""

from __future__ import annotations

from pathlib import Path

from romans_agents.romans_go_home.trained.legate import LegateAgent

LEGATE_2_FILE = Path(__file__).with_suffix(".npz")


class Legate2Agent(LegateAgent):
    """Plays by the network that was `legate` second, and never changes, so that figures stay comparable."""

    name = "legate-2"
    file = LEGATE_2_FILE
