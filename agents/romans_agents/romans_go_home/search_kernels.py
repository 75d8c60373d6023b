"""The game-neutral searches, compiled for this game."""

from __future__ import annotations

from romans_agents.loops import search_loops
from romans_agents.romans_go_home import guide
from romans_env.engine.loops import compile_for
from romans_env.romans_go_home import step

compile_for(globals(), search_loops, game=step, guide=guide)
