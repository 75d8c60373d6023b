"""Views of games as plain JSON: the picture of the position, the log and the choices, as one viewer may see them."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from romans_env.core.game import Game
from romans_env.core.protocol import Rules, States
from romans_env.errors import looks_of
from romans_env.render.renderer import Renderer, renderer_of
from romans_env.render.seat_names import MARKS, SeatNames
from romans_env.render.sheets import Sheet, Sheets
from romans_env.render.svg import Element, as_text
from romans_env.render.text_interface import HelpTable, TextInterface, result_in_words, text_interface_of
from romans_serve.games.plan_ahead import Ahead
from romans_serve.games.served_game import ServedFrame, ServedGame
from romans_serve.games.spectator import SPECTATOR, spectators_position
from romans_serve.games.store import Seat

_OF_A_CHOICE = ("item", "phrase", "group", "fold", "is_way_out")
_ROOM = 10
"""Number of letters of a display name that fit into pictures; longer names are drawn smaller."""
_SIZE = re.compile(r'font-size="([0-9.]+)"')


def view_of(served: ServedGame, viewer: str, is_narrow: bool = False) -> dict[str, Any]:
    """Return everything that a viewer may see now, drawn for a wide or a narrow screen.

    Returns:
        A dictionary with these keys:

        - ``serial``: serial number of the frame.
        - ``log``: the log lines, as ``lines``, from line number ``start`` on.
        - ``picture``: the picture, see `picture_as_json`. It consists of sheets, which are cut into horizontal bands.
        - ``spots``: hit areas, each with the number of its sheet and the actions that a click on it chooses.
        - ``is_between``: whether the frame lies between two decisions.
        - ``to_act``: the player to act; None between decisions and after the end.
        - ``is_over``: whether the game is over.
        - ``result`` (who wins), ``why`` (the reason) and ``score`` (a table of points): None before the end.

        The view of a player also has these keys:

        - ``move``: number of the player's next decision.
        - ``may_undo``: whether the player can take back the latest choice.
        - ``is_waiting``: whether the player has made all choices that can be made ahead of the other players' choices.
        - ``choices``, ``question`` and ``decision`` (the kind of decision): empty or None if the player has nothing to
          decide.
        - ``puzzle``: None, except for the player who tries a mistake again: then the ``line`` about the mistake and,
          after the new choice, the ``answer``.
    """
    return frame_as_json(served, viewer, served.frames[viewer], is_narrow)


def frame_as_json(served: ServedGame, viewer: str, frame: ServedFrame, is_narrow: bool = False) -> dict[str, Any]:
    """Return a frame in the form that `view_of` describes.

    Args:
        served: the game.
        viewer: a player, or `SPECTATOR`.
        frame: the frame to show.
        is_narrow: whether to draw for a narrow screen.
    """
    return _Sent(served, viewer, frame).as_json(is_narrow)


class _Sent:
    """A frame, prepared for one viewer. Everything except the result is computed from the viewer's private view."""

    def __init__(self, served: ServedGame, viewer: str, frame: ServedFrame):
        self._served, self._viewer, self._frame = served, viewer, frame
        self._rules: Rules = served.rules
        self._seat = served.rules.players.index(viewer) if viewer != SPECTATOR else None
        self._renderer = renderer_of(self._rules.name)
        self._text_interface: TextInterface = text_interface_of(self._rules.name)
        self._seat_names = seat_names_of(served.rules, served.seats, viewer)
        self._is_latest = not frame.is_between and frame.states is served.frames[viewer].states
        self._private: States | None = None
        self._ahead: Ahead | None = None
        if self._seat is not None:
            # A player that decides ahead sees the game as it will be at that decision.
            self._ahead = served.ahead(self._seat) if self._is_latest else None
            states = frame.states if self._ahead is None else self._ahead.game.states
            self._private = self._rules.redacted_for(states, 0, self._seat)

    def as_json(self, is_narrow: bool) -> dict[str, Any]:
        rules, frame, served = self._rules, self._frame, self._served
        is_still = not frame.is_between
        is_latest, ahead = self._is_latest, self._ahead
        to_act = rules.seat_to_act(frame.states, 0) if is_still else -1
        is_over = is_latest and served.game.is_over
        winners = served.game.winners() if is_over else []
        is_asked = is_latest and self._seat is not None and served.game.seat_to_act == self._seat
        if ahead is not None and not ahead.is_complete:
            assert self._seat is not None
            is_asked, to_act = True, self._seat
        position = self._position()
        choices = self._choices() if is_asked else []
        actions = [choice["action"] for choice in choices]
        result, why = result_in_words(served.game, self._seat_names) if is_over else (None, None)
        drawn = sheets_of(self._renderer, position, self._viewer, winners, actions, is_narrow)
        said: dict[str, Any] = {
            # Every action that a seat has chosen ahead is a separate frame, which only this seat sees.
            "serial": frame.serial + (0 if self._seat is None else served.moves[self._seat]),
            "log": {"start": frame.start, "lines": [self._seat_names.in_words(line) for line in frame.lines]},
            "picture": picture_as_json(drawn, self._seat_names),
            "spots": self._hit_areas(drawn),
            "is_between": frame.is_between,
            "to_act": rules.players[to_act] if to_act >= 0 else None,
            "is_over": is_over,
            "result": result,
            "why": why,
            "score": self._score() if is_over else None,
        }
        if self._seat is not None:
            said["move"] = served.moves[self._seat]
            holds = ahead is not None and bool(served.held[self._seat])
            said["may_undo"] = holds or (is_asked and served.may_undo(self._seat))
            said["is_waiting"] = ahead is not None and ahead.is_complete
            said["choices"] = choices
            asks, own = self._text_interface.question, self._own_game() if is_asked else None
            said["question"] = asks(own, self._viewer, self._seat_names) if own else None
            said["decision"] = rules.decision_kind(own.states, 0) if own else None
            said["puzzle"] = self._puzzle()
        return said

    def _puzzle(self) -> dict[str, Any] | None:
        puzzle = self._served.puzzle
        if puzzle is None or puzzle.seat != self._seat:
            return None
        said = puzzle.as_json(self._served.game)
        return {name: text and self._seat_names.in_words(text) for name, text in said.items()}

    def _score(self) -> dict[str, Any] | None:
        """Return the table that explains the points; None if the game has no such table."""
        table = self._text_interface.points_table(self._served.game, self._seat_names)
        return None if table is None else table_as_json(table)

    def _position(self) -> dict[str, Any]:
        if self._private is None:
            return spectators_position(self._rules, self._frame.states)
        return self._rules.position(self._private, 0)

    def _own_game(self) -> Game:
        """Return the private view as a `Game`, so that questions and choices depend only on what the seat knows."""
        assert self._private is not None
        return Game.of_states(self._rules, self._private)

    def _choices(self) -> list[dict[str, Any]]:
        game = self._own_game()
        legal = game.legal_actions()
        return [
            {"action": game.action_name(action), **{name: getattr(choice, name) for name in _OF_A_CHOICE}}
            for action, choice in zip(
                legal, self._text_interface.choices(game, self._viewer, legal, self._seat_names), strict=True
            )
        ]

    def _hit_areas(self, drawn: Sheets) -> list[dict[str, Any]]:
        return [
            {
                "sheet": number,
                "box": [round(float(side), 1) for side in hit_area[:4]],
                "name": self._seat_names.in_words(hit_area.name),
                "text": self._seat_names.in_words(hit_area.text),
                "actions": list(hit_area.actions),
            }
            for number, sheet in enumerate(drawn)
            for hit_area in sheet.hit_areas
        ]


def table_as_json(table: HelpTable) -> dict[str, Any]:
    """Return a table as plain JSON: ``title``, ``columns`` and ``rows``."""
    return {"title": table.title, "columns": list(table.columns), "rows": [list(row) for row in table.rows]}


def sheets_of(
    renderer: Renderer,
    position: dict[str, Any],
    viewer: str | None,
    winners: Sequence[str] = (),
    actions: Sequence[str] = (),
    is_narrow: bool = False,
) -> Sheets:
    """Return the sheets that form a position's picture; in a game without sheets, the drawing is the only sheet."""
    if renderer.sheets is None:
        return [Sheet(renderer.draw(position, viewer, winners))]
    return renderer.sheets(position, viewer, winners, actions, is_narrow)


def picture_as_json(drawn: Sheets, seat_names: SeatNames) -> dict[str, Any]:
    """Return a picture as plain JSON.

    Args:
        drawn: the sheets of the picture, with the game's own names of the seats.
        seat_names: display names that replace the game's own names.

    Returns:
        A dictionary with ``sheets``, a list of [width, number of bands], and ``bands``, a list of [height, SVG] for the
        bands of all sheets in order.
    """
    name = _namer(seat_names)
    return {
        "sheets": [[sheet.picture.width, len(sheet.picture.bands)] for sheet in drawn],
        "bands": [
            [band.height, name("".join(map(_svg, band.content)))] for sheet in drawn for band in sheet.picture.bands
        ],
    }


@lru_cache(maxsize=4096)
def _svg(part: Element) -> str:
    # The same cards are drawn again and again, and serialising them takes most of the time of an answer.
    return as_text(part)


def _namer(seat_names: SeatNames) -> Callable[[str], str]:
    """Return a function that inserts display names into the texts of an SVG.

    A long display name is drawn smaller if it is the whole text.
    """
    seats = "|".join(map(re.escape, seat_names.seats))
    texts = re.compile(rf"(<t[^>]*>)([^<]*\b(?:{seats})\b[^<]*)")

    def named(found: re.Match[str]) -> str:
        tag, text = found.groups()
        name = seat_names.in_words(html.unescape(text))
        if text in seat_names.seats and len(name) > _ROOM:
            scale = max(0.7, _ROOM / len(name))
            tag = _SIZE.sub(lambda size: f'font-size="{scale * float(size[1]):.4g}"', tag)
        return tag + html.escape(name, quote=False)

    return lambda svg: texts.sub(named, svg)


def seat_names_of(rules: Rules, seats: Sequence[Seat], viewer: str) -> SeatNames:
    """Return the display names of the seats for a viewer, who sees their own seat as "you"."""
    return SeatNames(names_of(rules, seats), viewer if viewer != SPECTATOR else None)


def names_of(rules: Rules, seats: Sequence[Seat]) -> dict[str, str]:
    """Return the display name of every seat, by the game's own name of the seat.

    No two display names look alike: a number is added to a name that looks like an earlier one. The number of the seat
    is added to a name in letters other than A to Z, because it might look like any other name.
    """
    seen: Counter[str] = Counter()
    names: dict[str, str] = {}
    by_rule = [seat.rstrip("0123456789").rstrip("_") for seat in rules.seats[len(seats) :]]
    called = [*(seat.name for seat in seats), *by_rule]
    for number, (seat, name) in enumerate(zip(rules.seats, called, strict=True), 1):
        looks = looks_of(name)
        seen[looks] += 1
        names[seat] = name if looks and seen[looks] == 1 else f"{name} #{seen[looks] if looks else number}"
    return names


def players_as_json(
    rules: Rules, seats: Sequence[Seat], viewer: str, levels: Mapping[str, int] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """Return the seats as a viewer sees them, with names and marks, and with agents' levels.

    Args:
        rules: the rules, with the setup.
        seats: the player of each seat.
        viewer: a player, or `SPECTATOR`.
        levels: level of each agent that has a level, by agent spec.
    """
    names = seat_names_of(rules, seats, viewer)
    shown = []
    for number, name in enumerate(rules.seats):
        kind = "rule" if number >= len(seats) else "agent" if seats[number].agent else "person"
        agent = seats[number].agent if number < len(seats) else None
        mark = MARKS[number % len(MARKS)]
        level = levels.get(agent or "")
        shown.append(
            {"player": name, "name": names.name(name), "kind": kind, "agent": agent, "mark": mark, "level": level}
        )
    return shown
