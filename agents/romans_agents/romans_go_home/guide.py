"""Rollouts at random for the game-neutral searches."""

from __future__ import annotations

from romans_agents.loops import uniform_guide
from romans_env.engine.loops import compile_for
from romans_env.romans_go_home import step

compile_for(globals(), uniform_guide, game=step)
