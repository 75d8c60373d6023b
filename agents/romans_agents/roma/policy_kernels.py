"""The rollouts of a policy, compiled for this game."""

from __future__ import annotations

from romans_agents.loops import policy_loops
from romans_env.engine.loops import compile_for
from romans_env.roma import step

compile_for(globals(), policy_loops, game=step)
