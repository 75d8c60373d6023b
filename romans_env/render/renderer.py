"""How a game is shown, for environments and notebooks, which know no cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from romans_env.game import Game
from romans_env.render.picture import Picture
from romans_env.render.replay_page import ReplayedGame


@dataclass(frozen=True)
class Renderer:
    """What a game's folder offers.

    Attributes:
        title: the title of windows.
        text: ``text(game, viewer, since)``: the position and what happened, from event ``since`` on; lately for
            None.
        replay: ``replay(game, viewer, opinions, title, start)``: the whole game, for a page.
        story: ``story(game, viewer)``: all that happened, as lines that only grow in number while the game goes on.
        draw: ``draw(position, viewer, winners, theme)``: a position that is plain data, as a picture.
        position_lines: ``position_lines(game, viewer)``: the position as lines of text.
        position_keys: keys that every position of the game has, and none of another.
        position_name: what ``position_lines`` shows, in words.
        terminal: ``"module:attribute"`` of a `romans_env.render.terminal.Terminal`, imported when somebody plays at a
            terminal; None: a plain one.
    """

    title: str
    text: Callable[..., str]
    replay: Callable[..., ReplayedGame]
    story: Callable[..., list[str]]
    draw: Callable[..., Picture]
    position_lines: Callable[..., list[str]]
    position_keys: tuple[str, ...] = ()
    position_name: str = "the position"
    terminal: str | None = None

    def picture(self, game: Game, viewer: str | None = None) -> Picture:
        """The position of a game. The viewer is a player, or None for the full state."""
        return self.draw(game.position(viewer), viewer, game.winners())
