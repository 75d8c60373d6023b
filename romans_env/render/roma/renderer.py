"""Roma as the environments render it."""

from __future__ import annotations

from romans_env.game import Game
from romans_env.render.renderer import Renderer
from romans_env.render.roma.drawing import draw
from romans_env.render.roma.replay import replayed_game
from romans_env.render.roma.spots import spots
from romans_env.render.roma.text import position_lines, render_text
from romans_env.render.roma.words import in_words


# Environments are pickled with their renderer, so these have names.
def _story(game: Game, viewer: str | None = None) -> list[str]:
    return in_words(game.events(), viewer)


def _position_lines(game: Game, viewer: str | None = None) -> list[str]:
    return position_lines(game.position(viewer), viewer)


RENDERER = Renderer(
    "Roma",
    render_text,
    replayed_game,
    _story,
    draw,
    _position_lines,
    position_keys=("stock", "players"),
    position_name="the discs and the hands",
    spots=spots,
    terminal="romans_env.render.roma.terminal:TERMINAL",
)
