"""A game as the frames of a replay: the positions before each action, between actions, and at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from romans_env.core.game import Game
from romans_env.core.games import spec_of
from romans_env.core.protocol import CHANCE
from romans_env.render.renderer import renderer_of
from romans_env.render.replay_page import Frame, Opinion, ReplayedGame, SymbolGroup, check_request
from romans_env.render.text_interface import phrases_of

FULL_STATE = "the full state"


FrameOf = Callable[[Game, Sequence[Any], "str | None"], Frame]
"""A function ``frame_of(game, events, viewer)`` that returns the position and events as the viewer sees them."""


@dataclass(frozen=True)
class Moment:
    """A moment of a game: a position to show, at a decision or between two decisions.

    Attributes:
        game: the game at this moment, which must not be changed; between decisions no seat is to act.
        events: the events since the previous moment.
        action: the number of actions before this moment, if the game waits for an action or is over; None in between.
    """

    game: Game
    events: Sequence[Any]
    action: int | None

    def is_kept_from(self, viewer: str) -> bool:
        """Return whether another seat has to make a hidden decision, which could reveal its cards (RULES 4.14)."""
        rules = self.game.rules
        kind = rules.decision_kind(self.game.states, 0)
        return kind in rules.hidden_decisions and self.game.agent_to_act not in (None, viewer)


def moments_of(game: Game) -> Iterator[Moment]:
    """Yield the moments of a game, from its start to the current position.

    Raises:
        ValueError: for a determinization, which has no history.
    """
    rules, history, moments_after = game.rules, game.history, renderer_of(game.rules.name).moments_after
    again = Game.of_deal(rules, game.deal())
    yield Moment(again.clone(), next(game.events_by_action()), 0)
    places = [place for place, (seat, _) in enumerate(history) if seat != CHANCE]
    for number, (place, end) in enumerate(pairwise([*places, len(history)]), 1):
        before, action, outcomes = again.states.copy(), history[place][1], [one for _, one in history[place + 1 : end]]
        again.act(action)
        *between, (_, events) = moments_after(rules, before, action, outcomes, again.states)
        for states, shown in between:
            yield Moment(Game.of_states(rules, states), shown, None)
        yield Moment(again.clone(), events, number)


def replayed_in_frames(
    game: Game,
    viewer: str | None = None,
    opinions: Sequence[Opinion | None] | None = None,
    title: str | None = None,
    start: int = 0,
    *,
    frame_of: FrameOf,
    first_frame: FrameOf | None = None,
    titled: Callable[[Game], str] | None = None,
    legend_of: Callable[[tuple[str, ...]], Sequence[SymbolGroup]] | None = None,
) -> ReplayedGame:
    """Return a game for a replay page, with a frame for each moment that a viewer may know of.

    The last four arguments are provided by the game's folder, not by users.

    Args:
        game: the game with its history; it may be unfinished.
        viewer: the only player from whose seat the game is shown, in which case the page holds nothing hidden from that
            player. None for all seats and the full state.
        opinions: for each action, an opinion on its decision or None.
        title: the title of the game on the page; None for the result of ``titled``.
        start: the number of actions before the position at which the page opens the game.
        frame_of: a function that returns the frame of a position for a viewer.
        first_frame: a replacement for ``frame_of`` at the start of the game, for a viewer who may not know of any
            moment yet because other seats make hidden decisions first; None to use ``frame_of``.
        titled: a function that returns the title of a game; None for a title with the game's name, agents and winners.
        legend_of: a function that returns the legend of the pictures, given the seats; None for no legend.

    Raises:
        ValueError: if the viewer is not a player, if the number of opinions or the start does not fit the game, or if
            the game is a determinization, which has no history.
    """
    check_request(game, viewer, opinions, start)
    moments, actions = list(moments_of(game)), game.actions

    def frames_for(who: str | None) -> list[Frame]:
        frames: list[Frame] = []
        events: list[Any] = []
        for number, moment in enumerate(moments):
            events += moment.events
            if who is None or not moment.is_kept_from(who):
                chosen, opinion = _next_choice(moment, actions, who, opinions)
                frame = frame_of(moment.game, events, who)
                frames.append(replace(frame, moment=number, chosen=chosen, opinion=opinion))
                events = []
        return frames or [(first_frame or frame_of)(moments[0].game, moments[0].events, who)]

    opens_at = next(number for number, moment in enumerate(moments) if moment.action == start)
    if viewer is None:
        shown = {who or FULL_STATE: frames_for(who) for who in (None, *game.players)}
    else:
        frames = frames_for(viewer)
        opens_at = max(0, sum(frame.moment <= opens_at for frame in frames) - 1)
        # Numbered without gaps, which would reveal how many hidden decisions the other seats made.
        shown = {viewer: [replace(frame, moment=number) for number, frame in enumerate(frames)]}
    if not title:
        title = titled(game) if titled else title_of(game, spec_of(game.rules.name).title)
    return ReplayedGame(title, shown, names_of(game), opens_at, legend_of(game.rules.seats) if legend_of else ())


def _next_choice(
    moment: Moment, actions: Sequence[tuple[str, str]], viewer: str | None, opinions: Sequence[Opinion | None] | None
) -> tuple[str | None, Opinion | None]:
    """Return the next action and the opinion on it; for viewers from other seats None, as both reveal cards."""
    number = moment.action
    if number is None or number >= len(actions) or viewer not in (None, actions[number][0]):
        return None, None
    return choice_in_words(moment.game, actions[number][1], None if opinions is None else opinions[number])


def names_of(game: Game) -> dict[str, str]:
    """Return the agents' names by seat, without the seats whose agent the game does not know."""
    return {player: agent for player, agent in (game.agents or {}).items() if agent}


def seats_in_words(game: Game) -> str:
    """Return the agents' names in seat order, separated by commas; a seat with an unknown agent has its own name."""
    names = names_of(game)
    return ", ".join(names.get(player, player) for player in game.players)


def title_of(game: Game, what: str) -> str:
    """Return a title with the game's name ``what``, the agents and the winners."""
    won = f"; {' and '.join(game.winners())} won" if game.is_over else "; not over"
    return f"{what}: {seats_in_words(game)}{won}"


def choice_in_words(game: Game, action: str, opinion: Opinion | None) -> tuple[str, Opinion | None]:
    """Return an action of the seat to act and an opinion on the decision, with all actions in words."""
    assert game.agent_to_act is not None
    names = [action, *(opinion.probabilities if opinion is not None else ())]
    phrases = phrases_of(game, game.agent_to_act, [game.action_id(name) for name in names])
    if opinion is not None:
        said = {phrases[name]: share for name, share in opinion.probabilities.items()}
        opinion = replace(opinion, probabilities=said)
    return phrases[action], opinion
