"""Makes the pictures of the browser page's first screen: a position of every game, drawn before any code is compiled.

python docs/scripts/make_stills.py
"""

from __future__ import annotations

import random
from pathlib import Path

from romans_env import Game
from romans_env.core.games import names, spec_of
from romans_env.render.renderer import renderer_of
from romans_env.render.seat_names import SeatNames
from romans_serve.games.views import picture_as_json, sheets_of

FOLDER = Path(__file__).resolve().parents[2] / "serve" / "romans_serve" / "page"
SEED, ACTIONS = 3, 28


def still(name: str) -> str:
    """Return the table of a game after some random actions, as the first player sees it, as SVG with both themes."""
    game, choose = Game(spec_of(name).make_rules(), seed=SEED), random.Random(SEED)
    while len(game.actions) < ACTIONS or game.agent_to_act != game.players[0]:
        game.act(choose.choice(game.legal_actions()))
    viewer, *rivals = game.rules.seats
    seat_names = SeatNames(
        {viewer: "you", **{rival: f"rival {number}" for number, rival in enumerate(rivals, 1)}}, viewer
    )
    # The area next to the board would be too small to read.
    drawn = sheets_of(renderer_of(name), game.position(viewer), viewer)[:1]
    (picture, _), height, content = drawn[0], 0, ""
    for high, svg in picture_as_json(drawn, seat_names)["bands"]:
        content += f'<g transform="translate(0 {height})">{svg}</g>'
        height += high
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width} {height}" class="{picture.style.scope}" '
        f'font-family="{picture.style.font}"><style>{picture.style.rules_for_both}</style>'
        f'<rect width="{picture.width}" height="{height}" class="bg"/>{content}</svg>\n'
    )


def main() -> None:
    """Write the pictures."""
    for name in names():
        (FOLDER / f"{name}.svg").write_text(still(name), encoding="utf-8")


if __name__ == "__main__":
    main()
