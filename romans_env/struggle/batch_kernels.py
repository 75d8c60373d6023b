"""The loops of `romans_env.batch.Batch`, compiled for this game."""

from __future__ import annotations

from romans_env.engine import batch_loops
from romans_env.engine.loops import compile_for
from romans_env.struggle import step

compile_for(globals(), batch_loops, game=step)
