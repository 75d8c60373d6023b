"""A game as the frames of a replay: a picture and the lines of a log before every action, for every viewer."""

from __future__ import annotations

from collections.abc import Sequence

from romans_env.game import Game
from romans_env.games import spec_of
from romans_env.render.plain import FULL_STATE
from romans_env.render.replay_page import Frame, Opinion, ReplayedGame, Shown, check_request
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

    Args:
        game: with its past; it may still run.
        viewer: a player, from whose seat alone it is shown: nothing else is in the page. None: from every seat, and the
            full state.
        opinions: for every action of the game what is thought of the decision, or None.
        title: None for the game and the agents.
        start: the action before which the page opens the game.

    Raises:
        ValueError: a viewer who does not play, opinions of another number than actions, a start that the game has not,
            or a determinization.
    """
    check_request(game, viewer, opinions, start)
    names = {player: agent for player, agent in (game.agents or {}).items() if agent}
    events = list(game.events_by_action())
    viewers = [viewer] if viewer is not None else [None, *game.players]
    shown = [Shown(who or FULL_STATE, _frames(game, events, who, opinions)) for who in viewers]
    return ReplayedGame(title or _title(game, names), shown, names, start, legend_of(game.players))


def _title(game: Game, names: dict[str, str]) -> str:
    agents = ", ".join(names.get(player, player) for player in game.players)
    won = f"; {' and '.join(game.winners())} won" if game.is_over else "; not over"
    board = board_of(game.position())
    on = "reconstructed board" if board.is_stand_in else f"board {board.name or 'of a file'}"
    return f"{spec_of(game.rules.name).title} ({on}): {agents}{won}"


def _frames(
    game: Game, events: Sequence[Sequence[Event]], viewer: str | None, opinions: Sequence[Opinion | None] | None
) -> list[Frame]:
    again = Game.of_deal(game.rules, game.deal())
    frames, actions = [], game.actions
    for number, happened in enumerate(events):
        position = again.position(viewer)
        section = f"Round {position['round']}"
        picture = draw(position, viewer, again.winners())
        lines = in_words(happened, viewer, board_of(position))
        if number == len(actions):
            frames.append(Frame(number, section, position["phase"], picture, lines))
            break
        # The action that comes next, and what is thought of it, show the deciding seat's cards.
        player, action = actions[number]
        may_know = viewer in (None, player)
        opinion = opinions[number] if opinions is not None and may_know else None
        chosen = action if may_know else None
        frames.append(Frame(number, section, position["phase"], picture, lines, chosen, opinion))
        again.act(action)
    return frames
