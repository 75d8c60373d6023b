"""The trained policy of Roma in the package: `quaestor.npz`; `quaestor.md` says what it is and how strong."""

from __future__ import annotations

from pathlib import Path

from romans_agents.policies.policy import PackagedPolicyAgent

QUAESTOR_FILE = Path(__file__).with_suffix(".npz")


class QuaestorAgent(PackagedPolicyAgent):
    """Plays by a network that learned in self-play and against the scripted agents."""

    name = "quaestor"
    file = QUAESTOR_FILE
