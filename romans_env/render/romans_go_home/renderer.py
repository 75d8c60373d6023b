"""Romans Go Home! as the environments render it."""

from __future__ import annotations

from romans_env.render.renderer import Renderer
from romans_env.render.romans_go_home.drawing import draw
from romans_env.render.romans_go_home.moments import looks_after
from romans_env.render.romans_go_home.replay_frames import replayed_game
from romans_env.render.romans_go_home.sheets import sheets
from romans_env.render.romans_go_home.text import WORDING

RENDERER = Renderer(
    "Romans Go Home!",
    WORDING.text,
    replayed_game,
    WORDING.story,
    draw,
    WORDING.position,
    position_keys=("wall", "clans"),
    position_name="the wall and the clans",
    moments=looks_after,
    sheets=sheets,
    style="romans_env.render.romans_go_home.palette:STYLE",
    terminal="romans_env.render.romans_go_home.terminal:TERMINAL",
)
