"""Struggle for Rome as the environments render it."""

from __future__ import annotations

from romans_env.render.renderer import Renderer
from romans_env.render.struggle.drawing import draw
from romans_env.render.struggle.replay_frames import replayed_game
from romans_env.render.struggle.sheets import sheets
from romans_env.render.struggle.text import WORDING

RENDERER = Renderer(
    "Struggle for Rome",
    WORDING.text,
    replayed_game,
    WORDING.story,
    draw,
    WORDING.position,
    position_keys=("legion", "markers", "cities"),
    position_name="the map and the seats",
    sheets=sheets,
    style="romans_env.render.struggle.palette:STYLE",
    terminal="romans_env.render.struggle.terminal:TERMINAL",
)
