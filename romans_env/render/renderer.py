"""The renderer of a game: the functions with which environments and notebooks show any game."""

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
"""Pairs of a game state to show, a record array of shape ``(1,)``, and the events since the previous pair."""


@dataclass(frozen=True)
class Renderer:
    """The functions that show a game; each game's folder provides its own.

    Attributes:
        title: the title of windows.
        text: ``text(game, viewer, since)`` returns the events from number ``since`` on (recent events if None) and the
            position, as text.
        replay: ``replay(game, viewer, opinions, title, start)`` returns the whole game for a replay page.
        story: ``story(game, viewer)`` returns the events so far as a list of lines, which only grows while the game
            goes on.
        draw: ``draw(position, viewer, winners, theme)`` draws a position given as plain data. The viewer is a player,
            None for the full state, or any other name for a spectator who sees what all players know.
        position_lines: ``position_lines(game, viewer)`` returns the position as lines of text.
        position_keys: keys that all positions of the game have and that no position of another game has.
        position_name: a phrase for the content of ``position_lines``, such as ``the position``.
        moments: ``moments(rules, states, action, outcomes)`` yields the states to show after a legal action in the
            one record of ``states``, given the chance outcomes that followed; the last one is the next decision. None
            if only the next decision is shown.
        sheets: ``sheets(position, viewer, winners, actions, is_narrow)`` draws a position for play in a browser, with
            areas that select the legal actions; ``actions`` are their names. For a narrow screen the drawing is 360
            pixels wide, with a font size of at least 12. None for the ordinary drawing, without such areas.
        style: ``"module:attribute"``, the location of the style of all pictures of the game, so that copies of
            environments do not contain the style itself. None if the style can only be read from a picture.
        text_interface: ``"module:attribute"``, the location of a `romans_env.render.text_interface.TextInterface`,
            which is imported when it is needed; None for a plain text interface.
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
        """Yield the states to show from an action to the next decision, each with the events since the previous one.

        Args:
            rules: the rules of the game.
            before: the state in which the action is chosen, a record array of shape ``(1,)``.
            action: the id of the action.
            outcomes: the chance outcomes that followed the action.
            after: the state at the next decision, a record array of shape ``(1,)``; it is yielded last.
        """
        if self.moments is None:
            yield after, rules.events(before, 0, action, outcomes)
        else:
            *between, (_, events) = self.moments(rules, before, action, outcomes)
            yield from between
            yield after, events


def renderer_of(game: str) -> Renderer:
    """Return the renderer of the game with the given name.

    Raises:
        ValueError: if there is no such game.
    """
    return cast(Renderer, spec_of(game).part("renderer"))
