"""The renderer of Struggle for Rome, replays included."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from romans_env.core.event import Event
from romans_env.core.game import Game
from romans_env.core.games import spec_of
from romans_env.render.renderer import Renderer
from romans_env.render.replay_frames import replayed_in_frames, title_of
from romans_env.render.replay_page import Frame
from romans_env.render.struggle.drawing import board_of, draw
from romans_env.render.struggle.legend import legend_of
from romans_env.render.struggle.sentences import in_words
from romans_env.render.struggle.sheets import sheets
from romans_env.render.struggle.text import WORDING


def _title(game: Game) -> str:
    """Return the title of the game, with its board and the agents."""
    board = board_of(game.position())
    on = "reconstructed board" if board.is_stand_in else f"board {board.name or 'of a file'}"
    return title_of(game, f"{spec_of(game.rules.name).title} ({on})")


def _frame(game: Game, events: Sequence[Event], viewer: str | None) -> Frame:
    position = game.position(viewer)
    picture = draw(position, viewer, game.winners())
    return Frame(f"Round {position['round']}", position["phase"], picture, in_words(game, events, viewer))


RENDERER = Renderer(
    title="Struggle for Rome",
    text=WORDING.text,
    replay=partial(replayed_in_frames, frame_of=_frame, titled=_title, legend_of=legend_of),
    story=WORDING.story,
    draw=draw,
    position_lines=WORDING.position,
    position_keys=("legion", "markers", "cities"),
    position_name="the map and the seats",
    sheets=sheets,
    style="romans_env.render.struggle.palette:STYLE",
    text_interface="romans_env.render.struggle.text_interface:TEXT_INTERFACE",
)
