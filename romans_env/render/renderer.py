"""The renderer of a game, through which environments and notebooks show it without knowing its cards."""

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
"""Pairs of a record to be shown, shape ``(1,)``, and the events since the previous one."""


@dataclass(frozen=True)
class Renderer:
    """The functions with which a game is shown, provided by the game's folder.

    Attributes:
        title: the title of windows.
        text: ``text(game, viewer, since)`` returns the events from number ``since`` on (None: recent ones) and the
            position.
        replay: ``replay(game, viewer, opinions, title, start)`` returns the whole game for a replay page.
        story: ``story(game, viewer)`` returns all that happened as a list of lines, which only grows while the game
            goes
            on.
        draw: ``draw(position, viewer, winners, theme)`` draws a position given as plain data. The viewer is a player,
            None
            for the full state, or any other name for a spectator who sees what all players know.
        position_lines: ``position_lines(game, viewer)`` returns the position as lines of text.
        position_keys: keys that each position of the game has, and no position of another game.
        position_name: a phrase for what ``position_lines`` shows.
        moments: ``moments(rules, states, action, outcomes)`` yields what can be shown from a legal action in the one
            record of ``states`` to the next decision, which comes last, with the chance outcomes that followed. None if
            only the next decision is shown.
        sheets: ``sheets(position, viewer, winners, actions, is_narrow)`` draws a position for play in a browser, with
            the
            areas that select the legal actions, given by name; for a narrow screen it is 360 wide, with a font size of
            at least 12 pixels. None for the ordinary drawing without such areas.
        style: ``"module:attribute"`` of the style of all pictures of the game, given by name so that copies of
            environments do not contain it. None if the style is known only from a picture.
        text_interface: ``"module:attribute"`` of a `romans_env.render.text_interface.TextInterface`, imported when
            it is needed; None for a plain one.
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
        """Draw the position of a game; the viewer is a player, or None for the full state."""
        return self.draw(game.position(viewer), viewer, game.winners())

    def moments_after(
        self, rules: Rules, before: States, action: int, outcomes: Sequence[Outcome], after: States
    ) -> Moments:
        """Yield the moments from an action to the next decision; see ``moments``.

        Args:
            rules: the rules of the game.
            before: the record in which the action is legal, shape ``(1,)``.
            action: an action id.
            outcomes: the chance outcomes that followed the action.
            after: the record of the next decision, shape ``(1,)``, which is yielded last.
        """
        if self.moments is None:
            yield after, rules.events(before, 0, action, outcomes)
        else:
            *between, (_, events) = self.moments(rules, before, action, outcomes)
            yield from between
            yield after, events


def renderer_of(game: str) -> Renderer:
    """Return the renderer of a game, given by its name.

    Raises:
        ValueError: if there is no such game.
    """
    return cast(Renderer, spec_of(game).part("renderer"))
