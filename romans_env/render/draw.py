"""Drawing a position, whichever game it is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from romans_env.core.game import Game, View
from romans_env.core.games import DEFAULT_GAME
from romans_env.render.picture import Picture, Theme
from romans_env.render.renderer import renderer_of


def draw(
    position: Mapping[str, Any] | Game | View,
    viewer: str | None = None,
    winners: Sequence[str] = (),
    theme: Theme = "auto",
    game: str | None = None,
) -> Picture:
    """Draw a position as a picture; what the position does not know is drawn face-down.

    Args:
        position: as ``game.position()`` gives it, or ``game.position(agent)``; or a game, or a view, whose position is
            drawn.
        viewer: the player whose position it is, to be named; None for the full state. Of a game, the position is that
            which this player may know; a view has its own.
        winners: players to be marked as the winners; of a game, those it has.
        theme: ``"light"``, ``"dark"``, or ``"auto"``: dark where the reader's system is.
        game: the name of the game, such as ``"roma"``. None: that of the game or the view; of a position alone,
            ``"romans-go-home"``.

    Raises:
        ValueError: an unknown game, viewer or theme, or a position of another game.
    """
    if isinstance(position, (Game, View)):
        name = position.rules.name
        if game not in (None, name):
            raise ValueError(f"the position is one of {name}, not of {game}")
        if isinstance(position, View):
            if viewer not in (None, position.agent):
                raise ValueError(f"the view is that of {position.agent}, not of {viewer}")
            shown, viewer = position.position(), position.agent
        else:
            shown, winners = position.position(viewer), winners or position.winners()
    else:
        name, shown = game or DEFAULT_GAME, dict(position)
    renderer = renderer_of(name)
    missing = [key for key in renderer.position_keys if key not in shown]
    if missing:
        raise ValueError(
            f"this is no position of {name}: it lacks {', '.join(missing)}; name the game of another: "
            'draw(position, game="roma")'
        )
    picture: Picture = renderer.draw(shown, viewer, winners, theme)
    return picture
