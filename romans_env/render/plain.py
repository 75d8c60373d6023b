"""The plain renderer, for games without a drawing: positions and events as lines of text.

An event becomes a line such as ``player_1 raises: amount 3``. If no line about a decision begins with the name of its
player, a line with the action precedes those lines: ``player_0 play:5`` for that player and for the full state,
``player_0 has chosen.`` for the other players.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from romans_env.core.event import Event
from romans_env.core.game import Game
from romans_env.core.games import spec_of
from romans_env.render.picture import Band, Picture, Style, Theme
from romans_env.render.renderer import Renderer
from romans_env.render.replay_frames import moments_of, replayed_in_frames, seats_in_words
from romans_env.render.replay_page import Frame, Opinion, ReplayedGame
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
    """Return the events from number ``since`` on (no events if None), followed by the position, one entry per line."""
    events = [] if since is None else event_lines(game.events()[since:], viewer)
    return "\n".join([*events, *position_lines(game, viewer)])


def position_lines(game: Game, viewer: str | None = None) -> list[str]:
    """Return the position as lines, one for each entry; the viewer is a player, or None for the full state."""
    return _lines(game.position(viewer))


def story(game: Game, viewer: str | None = None) -> list[str]:
    """Return what the viewer may know of the game so far, as a list of lines that only grows as the game goes on."""
    return [line for lines in _parts(game, viewer, _kept_from(game, viewer)) for line in lines]


def event_lines(events: Iterable[Any], viewer: str | None = None) -> list[str]:
    """Return events in words, as a viewer may know them.

    Args:
        events: events as the rules return them, see `romans_env.core.event.Event.of`.
        viewer: a player, None for the full state, or any other name for a spectator who sees what all players know.

    Raises:
        EventError: if one of ``events`` is not an event.
    """
    shown = [event for event in map(Event.of, events) if not event.is_kept_from(viewer)]
    return [line for event in shown for line in _line_of(event, viewer).splitlines()]


def replayed_game(
    game: Game,
    viewer: str | None = None,
    opinions: Sequence[Opinion | None] | None = None,
    title: str | None = None,
    start: int = 0,
) -> ReplayedGame:
    """Return a game for a replay page; takes the same arguments and raises the same errors as `replayed_in_frames`."""
    num_actions = len(game.actions)
    to_tell: dict[str | None, tuple[deque[list[str]], set[int]]] = {}

    def frame_of(now: Game, _: Sequence[Any], who: str | None) -> Frame:
        # The lines about a decision are in the frame after it. Decisions that this viewer may not count have no frame.
        if who not in to_tell:
            kept = _kept_from(game, who)
            to_tell[who] = deque(_parts(game, who, kept)), kept
        (parts, kept), done = to_tell[who], len(now.actions)
        lines: list[str] = []
        while len(parts) > num_actions - done:
            lines += parts.popleft()
        return Frame("Game", sum(number not in kept for number in range(done)), draw(now.position(who)), lines)

    return replayed_in_frames(game, viewer, opinions, title, start, frame_of=frame_of, titled=_title)


def draw(
    position: Mapping[str, Any], viewer: str | None = None, winners: Sequence[str] = (), theme: Theme = "auto"
) -> Picture:
    """Draw the lines of a position as a picture; viewer and winners, arguments of all renderers, are not shown."""
    lines = [part for line in _lines(position) for part in textwrap.wrap(line, 80, drop_whitespace=False) or [""]]
    bands = [Band(_LINE, (letters(line, _MARGIN, 0.75 * _LINE, 13, class_="ink"),)) for line in lines]
    return Picture((Band(_MARGIN, ()), *bands, Band(_MARGIN, ())), _WIDTH, _STYLE, theme)


def _lines(position: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for name, value in position.items():
        # Text of several lines, such as a board, is shown unchanged.
        is_drawn = isinstance(value, str) and "\n" in value
        lines += value.splitlines() if is_drawn else [f"{name}: {json.dumps(value)}"]
    return lines


def _title(game: Game) -> str:
    return f"{spec_of(game.rules.name).title}: {seats_in_words(game)}"


def _parts(game: Game, viewer: str | None, kept: set[int]) -> list[list[str]]:
    """Return the lines of the story in parts: one for what precedes the first action, then one for each action.

    ``kept`` are the numbers of the hidden decisions, which get no line of their own, only the lines of their events.
    """
    opening, *happened = game.events_by_action()
    parts = [[_BEGINNING, *event_lines(opening, viewer)]]
    for number, ((player, action), events) in enumerate(zip(game.actions, happened, strict=True)):
        lines = event_lines(events, viewer)
        if number not in kept and not any(re.match(rf"\W*{re.escape(player)}\b", line) for line in lines):
            lines.insert(0, f"{player} {action}" if viewer in (None, player) else f"{player} has chosen.")
        parts.append(lines)
    if game.is_over:
        parts[-1].append(f"{' and '.join(game.winners())} won.")
    return parts


def _kept_from(game: Game, viewer: str | None) -> set[int]:
    """Return the numbers of the other seats' hidden decisions, of which a viewer may not even know the count."""
    if viewer is None or not game.rules.hidden_decisions:
        return set()
    return {one.action for one in moments_of(game) if one.action is not None and one.is_kept_from(viewer)}


def _line_of(event: Event, viewer: str | None) -> str:
    seen = event.seen_by(viewer)
    details = {name: _in_words(value) for name, value in seen.details.items() if name != "player"}
    if seen.secret != event.secret and event.secret in details:
        hidden = seen.details[event.secret]
        details[event.secret] = "hidden" if hidden is None else f"{len(hidden)} hidden"
    who = " ".join(str(one) for one in (seen.details.get("player"), seen.kind) if one not in (None, ""))
    what = "; ".join(f"{name.replace('_', ' ')} {value}" for name, value in details.items())
    return f"{who}: {what}" if what else who


def _in_words(value: Any) -> str:
    """Return a detail of an event in words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_in_words(one)}" for name, one in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_in_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


RENDERER = Renderer("Game", render_text, replayed_game, story, draw, position_lines)
