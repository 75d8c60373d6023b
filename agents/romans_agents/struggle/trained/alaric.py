"""The trained policy of Struggle for Rome in the package: `alaric.npz`; `alaric.md` says what it is and how strong."""

from __future__ import annotations

from pathlib import Path

from romans_agents.policy import Policy, PolicyAgent

ALARIC_FILE = Path(__file__).with_suffix(".npz")


class AlaricAgent(PolicyAgent):
    """Plays by a network that learned in self-play; numpy alone, no torch. It is for the stand-in board.

    Args:
        sample: draw actions from the policy's probabilities; otherwise take the most likely one.
        cut: actions less likely than this part of the most likely one are not drawn; None: as the file says.
        seed: of the draws; None for a fresh generator.
    """

    name = "alaric"

    def __init__(self, sample: bool = False, cut: float | None = None, seed: int | None = None):
        # The file is a part of the package, and so always allowed.
        self._set_up(Policy.load(ALARIC_FILE), sample, cut, seed)
