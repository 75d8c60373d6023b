"""A game as the frames of a replay: a picture and the lines of a log before every action, for every viewer."""

from __future__ import annotations

from collections.abc import Sequence

from romans_env.game import Game
from romans_env.games import spec_of
from romans_env.render.replay_by_action import Look, replayed_by_action, title_of
from romans_env.render.replay_page import Opinion, ReplayedGame
from romans_env.render.roma.drawing import draw
from romans_env.render.roma.words import in_words
from romans_env.roma.events import Event


def replayed_game(
    game: Game,
    viewer: str | None = None,
    opinions: Sequence[Opinion | None] | None = None,
    title: str | None = None,
    start: int = 0,
) -> ReplayedGame:
    """A game for a replay page: a frame before every action, and one where the game stands.

    Arguments and errors are those of `romans_env.render.replay_by_action.replayed_by_action`; without a title it is
    the game and the agents.
    """
    title = title or title_of(game, spec_of(game.rules.name).title)
    return replayed_by_action(game, viewer, opinions, title, start, _look)


def _look(game: Game, events: Sequence[Event], viewer: str | None) -> Look:
    position = game.position(viewer)
    turn = position["turn"]
    picture = draw(position, viewer, game.winners())
    return Look(f"Turn {turn}" if turn else "Opening", turn, picture, in_words(events, viewer))
