"""A game as the frames of a replay: a picture and the lines of a log for every moment, for everybody who looks on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from romans_env.event import Event
from romans_env.game import Game
from romans_env.render.replay_by_action import FULL_STATE, choice_in_words, names_of, title_of
from romans_env.render.replay_page import Frame, Opinion, ReplayedGame, Shown, check_request
from romans_env.render.romans_go_home.drawing import draw
from romans_env.render.romans_go_home.legend import legend_of
from romans_env.render.romans_go_home.moments import Moment, moments_of
from romans_env.render.romans_go_home.words import in_words


def replayed_game(
    game: Game,
    viewer: str | None = None,
    opinions: Sequence[Opinion | None] | None = None,
    title: str | None = None,
    start: int = 0,
) -> ReplayedGame:
    """Return a game for a replay page.

    Args:
        game: the game with its past; it may still run.
        viewer: a player, from whose seat alone it is shown: nothing else is in the page. None: from every seat, and the
            full state.
        opinions: for every action of the game what is thought of the decision, or None.
        title: the title on the page; None for the table and the agents.
        start: the action before which the page opens the game; 0 for the deal.

    Raises:
        ValueError: a viewer who does not play, opinions of another number than actions, a start that the game has not,
            or a determinization.
    """
    check_request(game, viewer, opinions, start)
    moments = list(moments_of(game))
    opens_at = next(number for number, moment in enumerate(moments) if moment.action == start)
    if viewer is not None:
        frames = _frames(game, moments, viewer, opinions)
        opens_at = max(0, sum(frame.moment <= opens_at for frame in frames) - 1)
        shown = [Shown(viewer, _numbered_anew(frames))]
    else:
        shown = [Shown(who or FULL_STATE, _frames(game, moments, who, opinions)) for who in (None, *game.players)]
    legend = legend_of(tuple(game.rules.seats))
    return ReplayedGame(title or title_of(game, str(game.rules.setup)), shown, names_of(game), opens_at, legend)


def _frames(
    game: Game, moments: Sequence[Moment], viewer: str | None, opinions: Sequence[Opinion | None] | None
) -> list[Frame]:
    frames = []
    events: list[Event] = []
    for number, moment in enumerate(moments):
        events += moment.events
        if viewer is not None and moment.is_kept_from(viewer):
            continue
        frames.append(_frame(game, moment, number, events, viewer, opinions))
        events = []
    return frames or [_frame_as_dealt(game, moments[0], viewer)]


def _frame_as_dealt(game: Game, opening: Moment, viewer: str | None) -> Frame:
    """Return what a viewer sees that has not been asked yet: the wall and its cards, before anybody has planned.

    How far the others are, and so who was asked, must not be seen. The deal says what everybody holds.
    """
    position = {**opening.game.position(viewer), "decision": None}
    dealt = game.deal()["rounds"][position["round"] - 1]
    clans = dict(position["clans"])
    for player in game.players:
        hand = sorted(dealt[player]) if player == viewer else [None] * len(dealt[player])
        clans[player] = {**clans[player], "hand": hand, "hidden": [], "set_aside": None}
    position["clans"] = clans
    return Frame(
        moment=0,
        section=f"Round {position['round']}",
        turn=position["turn"],
        picture=draw(position, viewer),
        lines=_lines(opening.events, viewer),
    )


def _lines(events: Sequence[Event], viewer: str | None) -> list[str]:
    """Return the events in words, without the wall, which is in the picture."""
    return [line.partition(" wall ")[0] for line in in_words(events, viewer)]


def _numbered_anew(frames: Sequence[Frame]) -> list[Frame]:
    """Return frames numbered anew: gaps in the numbers would reveal how often the others were asked (RULES 4.14)."""
    return [replace(frame, moment=number) for number, frame in enumerate(frames)]


def _frame(
    game: Game,
    moment: Moment,
    number: int,
    events: list[Event],
    viewer: str | None,
    opinions: Sequence[Opinion | None] | None,
) -> Frame:
    position = moment.game.position(viewer)
    is_the_end = moment.action is not None and moment.game.is_over
    picture = draw(position, viewer, moment.game.winners() if is_the_end else ())
    chosen, opinion = _next_choice(game, moment, viewer, opinions)
    return Frame(
        moment=number,
        section=f"Round {position['round']}",
        turn=position["turn"],
        picture=picture,
        lines=_lines(events, viewer),
        chosen=chosen,
        opinion=opinion,
    )


def _next_choice(
    game: Game, moment: Moment, viewer: str | None, opinions: Sequence[Opinion | None] | None
) -> tuple[str | None, Opinion | None]:
    """Return the next action and what is thought of it, to the deciding seat alone, as both reveal its cards."""
    action = moment.action
    if action is None or action >= len(game.actions) or viewer not in (None, moment.game.agent_to_act):
        return None, None
    return choice_in_words(moment.game, game.actions[action][1], None if opinions is None else opinions[action])
