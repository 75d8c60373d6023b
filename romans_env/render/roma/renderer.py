"""Roma as the environments render it."""

from __future__ import annotations

from romans_env.render.renderer import Renderer
from romans_env.render.roma.drawing import draw
from romans_env.render.roma.replay_frames import replayed_game
from romans_env.render.roma.sheets import sheets
from romans_env.render.roma.text import WORDING

RENDERER = Renderer(
    "Roma",
    WORDING.text,
    replayed_game,
    WORDING.story,
    draw,
    WORDING.position,
    position_keys=("stock", "players"),
    position_name="the discs and the hands",
    sheets=sheets,
    style="romans_env.render.roma.palette:STYLE",
    terminal="romans_env.render.roma.terminal:TERMINAL",
)
