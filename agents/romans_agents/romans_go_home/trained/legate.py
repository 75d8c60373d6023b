"""The trained policy that comes with the package: `legate.npz`; `legate.md` says what it is and how strong."""

from __future__ import annotations

from pathlib import Path

from romans_agents.policy import Policy, PolicyAgent

LEGATE_FILE = Path(__file__).with_suffix(".npz")


class LegateAgent(PolicyAgent):
    """Plays by a network that learned in self-play at all tables; numpy alone, no torch.

    Args:
        sample: draw actions from the policy's probabilities; otherwise take the most likely one. Its plans are meant to
            be drawn: one who always lays the same one is predictable.
        cut: actions less likely than this part of the most likely one are not drawn; None: as it was measured.
        seed: of the draws; None for a fresh generator.
    """

    name = "legate"

    def __init__(self, sample: bool = True, cut: float | None = None, seed: int | None = None):
        # The file is a part of the package, and so always allowed.
        self._set_up(Policy.load(LEGATE_FILE), sample, cut, seed)
