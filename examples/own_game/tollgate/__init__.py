"""Tollgate: a game with hidden cards for romans-env, to copy for a game of your own."""

from romans_env import GameSpec
from tollgate.rules import Tollgate

SPEC = GameSpec(name=Tollgate.name, title="Tollgate", rules=Tollgate, env_id="Tollgate-v0")

__all__ = ["SPEC", "Tollgate"]
