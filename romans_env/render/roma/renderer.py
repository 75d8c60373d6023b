"""The renderer of Roma, replays included."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from romans_env.core.event import Event
from romans_env.core.game import Game
from romans_env.render.renderer import Renderer
from romans_env.render.replay_frames import replayed_in_frames
from romans_env.render.replay_page import Frame
from romans_env.render.roma.drawing import draw
from romans_env.render.roma.sentences import in_words
from romans_env.render.roma.sheets import sheets
from romans_env.render.roma.text import WORDING
from romans_env.render.sheets import below_each_other


def _frame(game: Game, events: Sequence[Event], viewer: str | None) -> Frame:
    position = game.position(viewer)
    turn = position["turn"]
    picture = draw(position, viewer, game.winners())
    narrow = below_each_other(sheets(position, viewer, game.winners(), (), True))
    lines = in_words(game, events, viewer)
    return Frame(f"Turn {turn}" if turn else "Opening", turn, picture, lines, narrow=narrow)


RENDERER = Renderer(
    title="Roma",
    text=WORDING.text,
    replay=partial(replayed_in_frames, frame_of=_frame),
    story=WORDING.story,
    draw=draw,
    position_lines=WORDING.position,
    position_keys=("stock", "players"),
    position_name="the discs and the hands",
    sheets=sheets,
    style="romans_env.render.roma.palette:STYLE",
    text_interface="romans_env.render.roma.text_interface:TEXT_INTERFACE",
)
