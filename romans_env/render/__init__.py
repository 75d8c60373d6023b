"""Drawing: a folder for each game."""

from __future__ import annotations

from romans_env.protocol import Rules
from romans_env.render.renderer import Renderer


def renderer_of(rules: Rules) -> Renderer:
    """How a game is shown."""
    # Imported here: what a game's folder draws with lies in this package.
    from romans_env.render.romans_go_home.renderer import RENDERER

    return {"romans-go-home": RENDERER}[rules.name]
