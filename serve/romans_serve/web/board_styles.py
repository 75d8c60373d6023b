"""The style sheets of the games' pictures, for a page."""

from __future__ import annotations

import re
from functools import cache

from romans_env.core.game import Game
from romans_env.core.games import imported, spec_of
from romans_env.render.renderer import renderer_of


@cache
def style_of(game: str) -> str:
    """Return the style sheet of a game's pictures, for the themes of the page."""
    spec = spec_of(game)
    renderer = renderer_of(spec.name)
    # To draw a picture, the game's compiled code would be loaded, and all else would wait.
    if renderer.style is None:
        style = renderer.draw(Game(spec.make_rules(), seed=0).position()).style
    else:
        style = imported(renderer.style)
    # The board is given the scope of its game by the page, under one name.
    sheet = f".{style.scope}{{font-family:{style.font}}}{style.rules_for_page}"
    # The name of a game of OpenSpiel has signs that mean something in a selector.
    selector = re.sub(r"[^\w-]", r"\\\g<0>", f"board-{game}")
    return sheet.replace(f".{style.scope}", f".{selector}")
