"""The renderer of Romans Go Home!, replays included."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from romans_env.core.event import Event
from romans_env.core.game import Game
from romans_env.render.renderer import Renderer
from romans_env.render.replay_frames import replayed_in_frames, title_of
from romans_env.render.replay_page import Frame
from romans_env.render.romans_go_home.drawing import draw
from romans_env.render.romans_go_home.legend import legend_of
from romans_env.render.romans_go_home.moments import moments_after
from romans_env.render.romans_go_home.names import setup_in_words
from romans_env.render.romans_go_home.sentences import in_words
from romans_env.render.romans_go_home.sheets import sheets
from romans_env.render.romans_go_home.text import WORDING
from romans_env.render.sheets import below_each_other


def _title(game: Game) -> str:
    return title_of(game, f"Romans Go Home!, {setup_in_words(game.rules.setup)}")


def _frame(game: Game, events: Sequence[Event], viewer: str | None) -> Frame:
    is_the_end = bool(events) and events[-1].kind == "end"
    return _framed(game, game.position(viewer), events, viewer, game.winners() if is_the_end else ())


def _frame_as_dealt(game: Game, events: Sequence[Event], viewer: str | None) -> Frame:
    """Return the frame of a viewer who has not been asked yet: the wall and its own cards, before any planning.

    The progress of the others must not be visible, as it would reveal who was asked. So the hands are those of the
    deal.
    """
    position = {**game.position(viewer), "decision": None}
    dealt = game.deal()["rounds"][position["round"] - 1]
    clans = dict(position["clans"])
    for player in game.players:
        hand = sorted(dealt[player]) if player == viewer else [None] * len(dealt[player])
        clans[player] = {**clans[player], "hand": hand, "hidden": [], "set_aside": None}
    return _framed(game, {**position, "clans": clans}, events, viewer)


def _framed(
    game: Game, position: dict[str, Any], events: Sequence[Event], viewer: str | None, winners: Sequence[str] = ()
) -> Frame:
    # The wall is left out of the text, as it is in the picture.
    lines = [line.partition(" wall ")[0] for line in in_words(game, events, viewer)]
    picture, narrow = draw(position, viewer, winners), sheets(position, viewer, winners, (), True)
    section = f"Round {position['round']}"
    return Frame(section, position["turn"], picture, lines, narrow=below_each_other(narrow))


replayed_game = partial(
    replayed_in_frames, frame_of=_frame, first_frame=_frame_as_dealt, titled=_title, legend_of=legend_of
)
"""Return a game for a replay page; arguments and errors are those of `replayed_in_frames`."""
RENDERER = Renderer(
    title="Romans Go Home!",
    text=WORDING.text,
    replay=replayed_game,
    story=WORDING.story,
    draw=draw,
    position_lines=WORDING.position,
    position_keys=("wall", "clans"),
    position_name="the wall and the clans",
    moments=moments_after,
    sheets=sheets,
    style="romans_env.render.romans_go_home.palette:STYLE",
    text_interface="romans_env.render.romans_go_home.text_interface:TEXT_INTERFACE",
)
