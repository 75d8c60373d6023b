"""How a game is shown, for environments and notebooks, which know no cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from romans_env.core.game import Game
from romans_env.core.games import spec_of
from romans_env.core.protocol import Outcome, Rules, States
from romans_env.render.picture import Picture
from romans_env.render.replay_page import ReplayedGame
from romans_env.render.sheets import DrawSheets

Moments = Iterable[tuple[States, Sequence[Any]]]
"""Records to be looked at, shape (1,) each, with the events since the one before."""


@dataclass(frozen=True)
class Renderer:
    """What a game's folder offers.

    Attributes:
        title: the title of windows.
        text: ``text(game, viewer, since)``: the position and what happened, from event ``since`` on; lately for
            None.
        replay: ``replay(game, viewer, opinions, title, start)``: the whole game, for a page.
        story: ``story(game, viewer)``: all that happened, as lines that only grow in number while the game goes on.
        draw: ``draw(position, viewer, winners, theme)``: a position that is plain data, as a picture. The viewer is a
            player, None for the full state, or another name for somebody who sees what all players know.
        position_lines: ``position_lines(game, viewer)``: the position as lines of text.
        position_keys: keys that every position of the game has, and none of another.
        position_name: what ``position_lines`` shows, in words.
        moments: ``moments(rules, states, action, outcomes)``: what is to be seen from an action, which is legal in the
            one record of ``states``, and the outcomes of chance after it to the next decision, which is the last; None:
            the next decision alone.
        sheets: ``sheets(position, viewer, winners, actions, is_narrow)``: a position as it is played in a browser, with
            the areas in which the legal actions, by name, are chosen; for a narrow screen it is 360 wide, with letters
            of 12 pixels and more. None: as it is drawn, and nothing is chosen there.
        style: ``"module:attribute"`` of the style of all pictures of the game, named so that copies of environments are
            without it; None: a picture has to be drawn to know it.
        text_interface: ``"module:attribute"`` of a `romans_env.render.text_interface.TextInterface`, imported
            when somebody plays at a terminal; None: a plain one.
    """

    title: str
    text: Callable[..., str]
    replay: Callable[..., ReplayedGame]
    story: Callable[..., list[str]]
    draw: Callable[..., Picture]
    position_lines: Callable[..., list[str]]
    position_keys: tuple[str, ...] = ()
    position_name: str = "the position"
    moments: Callable[[Rules, States, int, Sequence[Outcome]], Moments] | None = None
    sheets: DrawSheets | None = None
    style: str | None = None
    text_interface: str | None = None

    def picture(self, game: Game, viewer: str | None = None) -> Picture:
        """Draw the position of a game. The viewer is a player, or None for the full state."""
        return self.draw(game.position(viewer), viewer, game.winners())

    def moments_after(
        self, rules: Rules, before: States, action: int, outcomes: Sequence[Outcome], after: States
    ) -> Moments:
        """Yield the moments from an action to the next decision, whose record is ``after``; see ``moments``."""
        if self.moments is None:
            yield after, rules.events(before, 0, action, outcomes)
        else:
            *between, (_, events) = self.moments(rules, before, action, outcomes)
            yield from between
            yield after, events


def renderer_of(game: str) -> Renderer:
    """Return the renderer of a game, by the game's name.

    Raises:
        ValueError: there is no such game.
    """
    return cast(Renderer, spec_of(game).part("renderer"))
