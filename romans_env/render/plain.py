"""How a game is shown that has no drawing of its own: its position as lines of text."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from romans_env.core.game import Game
from romans_env.core.games import spec_of
from romans_env.render.picture import Band, Picture, Style, Theme
from romans_env.render.renderer import Renderer
from romans_env.render.replay_frames import replayed_in_frames, seats_in_words
from romans_env.render.replay_page import Frame
from romans_env.render.svg import letters

_WIDTH, _LINE, _MARGIN = 600, 20, 14
_STYLE = Style(
    "plain",
    "'DejaVu Sans', sans-serif",
    {},
    {"bg": {"fill": "#fbf9f5"}, "ink": {"fill": "#1f2329"}},
    {"bg": {"fill": "#1f2329"}, "ink": {"fill": "#fbf9f5"}},
)
_BEGINNING = "The game begins."


def render_text(game: Game, viewer: str | None = None, since: int | None = None) -> str:
    """Return the position, an entry a line, below what happened from event ``since`` on (None: nothing)."""
    events = [] if since is None else [str(event) for event in game.events()[since:]]
    return "\n".join([*events, *position_lines(game, viewer)])


def position_lines(game: Game, viewer: str | None = None) -> list[str]:
    """Return the position, an entry a line. The viewer is a player, or None for the full state."""
    return _lines(game.position(viewer))


def story(game: Game, viewer: str | None = None) -> list[str]:
    """Return a line for every action, and one at the end; actions of others, maybe hidden, are kept from a viewer."""
    lines = [_BEGINNING, *(_in_words(player, action, viewer) for player, action in game.actions)]
    return [*lines, *_ending(game)]


def draw(
    position: Mapping[str, Any], viewer: str | None = None, winners: Sequence[str] = (), theme: Theme = "auto"
) -> Picture:
    """Draw the lines of a position as a picture, see `romans_env.draw`; they name neither viewer nor winners."""
    lines = [part for line in _lines(position) for part in textwrap.wrap(line, 80, drop_whitespace=False) or [""]]
    bands = [Band(_LINE, (letters(line, _MARGIN, 0.75 * _LINE, 13, class_="ink"),)) for line in lines]
    return Picture((Band(_MARGIN, ()), *bands, Band(_MARGIN, ())), _WIDTH, _STYLE, theme)


def _lines(position: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for name, value in position.items():
        # A text of several lines, such as a board, is shown as it is.
        is_drawn = isinstance(value, str) and "\n" in value
        lines += value.splitlines() if is_drawn else [f"{name}: {json.dumps(value)}"]
    return lines


def _title(game: Game) -> str:
    return f"{spec_of(game.rules.name).title}: {seats_in_words(game)}"


def _frame(game: Game, events: Sequence[Any], viewer: str | None) -> Frame:
    # Decisions of others are shown when they have been made: what they chose may be hidden.
    actions = game.actions
    lines = [_in_words(*actions[-1], viewer)] if actions else [_BEGINNING]
    return Frame("Game", len(actions), draw(game.position(viewer)), [*lines, *_ending(game)])


def _in_words(player: str, action: str, viewer: str | None) -> str:
    return f"{player} {action}" if viewer in (None, player) else f"{player} has chosen."


def _ending(game: Game) -> list[str]:
    return [f"{' and '.join(game.winners())} won."] if game.is_over else []


replayed_game = partial(replayed_in_frames, frame_of=_frame, titled=_title)
"""A game for a replay page; arguments and errors are those of `replayed_in_frames`."""
RENDERER = Renderer("Game", render_text, replayed_game, story, draw, position_lines)
