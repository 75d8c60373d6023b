"""The style sheets of the games' pictures, for a page."""

from __future__ import annotations

import re
from functools import cache

from romans_env.core.game import Game
from romans_env.core.games import imported, spec_of
from romans_env.render.renderer import renderer_of


@cache
def style_of(game: str) -> str:
    """Return the style sheet of a game's pictures, with all themes of the page."""
    spec = spec_of(game)
    renderer = renderer_of(spec.name)
    # A style sheet of its own is preferred, because drawing would load compiled code and hold up all other requests.
    if renderer.style is None:
        style = renderer.draw(Game(spec.make_rules(), seed=0).position()).style
    else:
        style = imported(renderer.style)
    # The page gives the board of every game a class of this name, whatever scope the drawing uses.
    sheet = f".{style.scope}{{font-family:{style.font}}}{style.rules_for_page}"
    # Names of OpenSpiel's games contain characters that are special in selectors.
    selector = re.sub(r"[^\w-]", r"\\\g<0>", f"board-{game}")
    return sheet.replace(f".{style.scope}", f".{selector}")
