"""Struggle for Rome as the environments render it."""

from __future__ import annotations

from romans_env.game import Game
from romans_env.render.renderer import Renderer
from romans_env.render.struggle.drawing import board_of, draw
from romans_env.render.struggle.replay import replayed_game
from romans_env.render.struggle.spots import spots
from romans_env.render.struggle.text import position_lines, render_text
from romans_env.render.struggle.words import in_words


# Environments are pickled with their renderer, so these have names.
def _story(game: Game, viewer: str | None = None) -> list[str]:
    return in_words(game.events(), viewer, board_of(game.position(viewer)))


def _position_lines(game: Game, viewer: str | None = None) -> list[str]:
    return position_lines(game.position(viewer))


RENDERER = Renderer(
    "Struggle for Rome",
    render_text,
    replayed_game,
    _story,
    draw,
    _position_lines,
    position_keys=("legion", "markers", "cities"),
    position_name="the map and the seats",
    spots=spots,
    terminal="romans_env.render.struggle.terminal:TERMINAL",
)
