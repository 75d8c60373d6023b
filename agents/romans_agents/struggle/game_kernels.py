"""The loops of `romans_agents.kernels.Kernels`, compiled for this game."""

from __future__ import annotations

from romans_agents.loops import game_loops
from romans_agents.struggle import compiled_agents
from romans_env.engine.loops import compile_for
from romans_env.struggle import step

compile_for(globals(), game_loops, game=step, players=compiled_agents)
