"""`quaestor`, the trained policy of Roma: the policy file is `quaestor.npz`, the model card `quaestor.md`."""

from __future__ import annotations

from pathlib import Path

from romans_agents.policies.policy import PackagedPolicyAgent

QUAESTOR_FILE = Path(__file__).with_suffix(".npz")


class QuaestorAgent(PackagedPolicyAgent):
    """Plays a policy network that was trained by self-play and against the scripted agents."""

    name = "quaestor"
    file = QUAESTOR_FILE
