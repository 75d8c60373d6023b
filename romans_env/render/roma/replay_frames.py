"""A game as the frames of a replay: a picture and the lines of a log before every action, for every viewer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from romans_env.event import Event
from romans_env.game import Game
from romans_env.render.replay_frames import Look, replayed_in_frames
from romans_env.render.roma.drawing import draw
from romans_env.render.roma.words import in_words


def _look(game: Game, events: Sequence[Event], viewer: str | None) -> Look:
    position = game.position(viewer)
    turn = position["turn"]
    picture = draw(position, viewer, game.winners())
    return Look(f"Turn {turn}" if turn else "Opening", turn, picture, in_words(game, events, viewer))


replayed_game = partial(replayed_in_frames, looking=_look)
"""A game for a replay page; arguments and errors are those of `replayed_in_frames`."""
