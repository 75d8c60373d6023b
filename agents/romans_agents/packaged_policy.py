"""Trained policies that come with the package, each in a file beside its agent's class."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from romans_agents.policy import Policy, PolicyAgent


class PackagedPolicyAgent(PolicyAgent):
    """Plays a policy file of the package, with numpy alone; a subclass names the file.

    Args:
        sample, cut, seed: as for `PolicyAgent`.
    """

    file: ClassVar[Path]

    def __init__(self, sample: bool | None = None, cut: float | None = None, seed: int | None = None):
        # A part of the package is always allowed.
        self._set_up(Policy.load(self.file), sample, cut, seed)
