"""A game as the frames of a replay: a picture and the lines of a log before every action, for every viewer."""

from __future__ import annotations

from collections.abc import Sequence

from romans_env.game import Game
from romans_env.games import spec_of
from romans_env.render.replay_by_action import Look, replayed_by_action, title_of
from romans_env.render.replay_page import Opinion, ReplayedGame
from romans_env.render.struggle.drawing import board_of, draw
from romans_env.render.struggle.legend import legend_of
from romans_env.render.struggle.words import in_words
from romans_env.struggle.events import Event


def replayed_game(
    game: Game,
    viewer: str | None = None,
    opinions: Sequence[Opinion | None] | None = None,
    title: str | None = None,
    start: int = 0,
) -> ReplayedGame:
    """A game for a replay page: a frame before every action, and one where the game stands.

    Arguments and errors are those of `romans_env.render.replay_by_action.replayed_by_action`; without a title it is
    the game, its board and the agents.
    """
    title = title or title_of(game, _game_in_words(game))
    return replayed_by_action(game, viewer, opinions, title, start, _look, legend_of(game.players))


def _game_in_words(game: Game) -> str:
    board = board_of(game.position())
    on = "reconstructed board" if board.is_stand_in else f"board {board.name or 'of a file'}"
    return f"{spec_of(game.rules.name).title} ({on})"


def _look(game: Game, events: Sequence[Event], viewer: str | None) -> Look:
    position = game.position(viewer)
    picture = draw(position, viewer, game.winners())
    lines = in_words(events, viewer, board_of(position))
    return Look(f"Round {position['round']}", position["phase"], picture, lines)
