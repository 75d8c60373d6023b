"""Romans Go Home! as the environments render it."""

from __future__ import annotations

from romans_env.game import Game
from romans_env.render.renderer import Renderer
from romans_env.render.romans_go_home.drawing import draw
from romans_env.render.romans_go_home.moments import looks_after
from romans_env.render.romans_go_home.replay import replayed_game
from romans_env.render.romans_go_home.spots import spots
from romans_env.render.romans_go_home.text import position_lines, render_text
from romans_env.render.romans_go_home.words import in_words


# Environments are pickled with their renderer, so these have names.
def _story(game: Game, viewer: str | None = None) -> list[str]:
    return in_words(game.events(), viewer)


def _position_lines(game: Game, viewer: str | None = None) -> list[str]:
    return position_lines(game.position(viewer))


RENDERER = Renderer(
    "Romans Go Home!",
    render_text,
    replayed_game,
    _story,
    draw,
    _position_lines,
    position_keys=("wall", "clans"),
    position_name="the wall and the clans",
    moments=looks_after,
    spots=spots,
    terminal="romans_env.render.romans_go_home.terminal:TERMINAL",
)
