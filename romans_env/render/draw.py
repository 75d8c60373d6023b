"""Drawing a position of any game."""

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
    """Draw a position as a picture; cards unknown in the position are drawn face-down.

    Args:
        position: the result of ``game.position()`` or ``game.position(agent)``; or a game or a view, whose position is
            drawn.
        viewer: the player from whose seat the position is seen, who is named in the picture; None for the full state.
            If ``position`` is a game, only what this player may know is drawn. If it is a view, leave this out: a view
            has its own viewer.
        winners: players to mark as winners. If empty and ``position`` is a game, the winners of that game are marked.
        theme: ``"light"``, ``"dark"``, or ``"auto"``, which follows the reader's system.
        game: the name of the game, such as ``"roma"``. None for the game that a `Game` or view belongs to, or for
            ``"romans-go-home"`` if the position is a mapping.

    Raises:
        ValueError: if the game, viewer or theme is unknown, or the position belongs to another game.
    """
    if isinstance(position, (Game, View)):
        name = position.rules.name
        if game not in (None, name):
            raise ValueError(f"the position belongs to {name}, not to {game}")
        if isinstance(position, View):
            if viewer not in (None, position.agent):
                raise ValueError(f"the view belongs to {position.agent}, not to {viewer}")
            shown, viewer = position.position(), position.agent
        else:
            shown, winners = position.position(viewer), winners or position.winners()
    else:
        name, shown = game or DEFAULT_GAME, dict(position)
    renderer = renderer_of(name)
    missing = [key for key in renderer.position_keys if key not in shown]
    if missing:
        raise ValueError(
            f"this is not a position of {name}: it lacks {', '.join(missing)}; for another game, name it: "
            'draw(position, game="roma")'
        )
    picture: Picture = renderer.draw(shown, viewer, winners, theme)
    return picture
