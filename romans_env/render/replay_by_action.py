"""A game as the frames of a replay, one before every action, and one where the game stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from romans_env.game import Game
from romans_env.games import spec_of
from romans_env.render.picture import Picture
from romans_env.render.replay_page import Frame, Opinion, ReplayedGame, Shown, SymbolGroup, check_request
from romans_env.render.terminal import phrases_of

FULL_STATE = "the full state"


class Look(NamedTuple):
    """What a viewer is shown of a position.

    Attributes:
        section: of the replay, such as ``Turn 3``.
        turn: number of the turn, or of what the game has in its place.
        picture: the position.
        lines: what happened since the frame before.
    """

    section: str
    turn: int
    picture: Picture
    lines: list[str]


Looking = Callable[[Game, Sequence[Any], "str | None"], Look]
"""``looking(game, events, viewer)``: the game as the viewer sees it, after some events."""


def replayed_by_action(
    game: Game,
    viewer: str | None = None,
    opinions: Sequence[Opinion | None] | None = None,
    title: str | None = None,
    start: int = 0,
    *,
    looking: Looking,
    titled: Callable[[Game], str] | None = None,
    legend_of: Callable[[tuple[str, ...]], Sequence[SymbolGroup]] | None = None,
) -> ReplayedGame:
    """Return a game for a replay page: a frame before every action, and one where the game stands.

    A game's folder gives the last three arguments.

    Args:
        game: the game with its past; it may still run.
        viewer: a player, from whose seat alone it is shown: nothing else is in the page. None: from every seat, and the
            full state.
        opinions: for every action of the game what is thought of the decision, or None.
        title: the title of the game on the page; None for what `titled` says.
        start: the action before which the page opens the game.
        looking: a function that shows a position to a viewer.
        titled: a function that returns the title of a game; None for the game's, the agents and who won.
        legend_of: a function that returns the legend of the pictures' symbols, by the players; None for no legend.

    Raises:
        ValueError: a viewer who does not play, opinions of another number than actions, a start that the game has not,
            or a determinization.
    """
    check_request(game, viewer, opinions, start)
    events = list(game.events_by_action())
    viewers = [viewer] if viewer is not None else [None, *game.players]
    shown = [Shown(who or FULL_STATE, _frames(game, events, who, opinions, looking)) for who in viewers]
    if not title:
        title = titled(game) if titled else title_of(game, spec_of(game.rules.name).title)
    return ReplayedGame(title, shown, names_of(game), start, legend_of(game.players) if legend_of else ())


def names_of(game: Game) -> dict[str, str]:
    """Return the names of the agents that the game knows, by seat."""
    return {player: agent for player, agent in (game.agents or {}).items() if agent}


def seats_in_words(game: Game) -> str:
    """Return the agents in the order of their seats, or the seat where the agent is not known."""
    names = names_of(game)
    return ", ".join(names.get(player, player) for player in game.players)


def title_of(game: Game, what: str) -> str:
    """Return what was played by whom, and who won."""
    won = f"; {' and '.join(game.winners())} won" if game.is_over else "; not over"
    return f"{what}: {seats_in_words(game)}{won}"


def _frames(
    game: Game,
    events: Sequence[Sequence[Any]],
    viewer: str | None,
    opinions: Sequence[Opinion | None] | None,
    looking: Looking,
) -> list[Frame]:
    again = Game.of_deal(game.rules, game.deal())
    frames, actions = [], game.actions
    for number, happened in enumerate(events):
        look = looking(again, happened, viewer)
        if number == len(actions):
            frames.append(Frame(number, *look))
            break
        # The action that comes next, and what is thought of it, show the deciding seat's cards.
        player, action = actions[number]
        may_know = viewer in (None, player)
        opinion = opinions[number] if opinions is not None else None
        frames.append(Frame(number, *look, *(choice_in_words(again, action, opinion) if may_know else ())))
        again.act(action)
    return frames


def choice_in_words(game: Game, action: str, opinion: Opinion | None) -> tuple[str, Opinion | None]:
    """Return the action chosen next, and what is thought of the decision, as the player would say them."""
    assert game.agent_to_act is not None
    names = [action, *(opinion.probabilities if opinion is not None else ())]
    phrases = phrases_of(game, game.agent_to_act, [game.action_id(name) for name in names])
    if opinion is not None:
        said = {phrases[name]: share for name, share in opinion.probabilities.items()}
        opinion = replace(opinion, probabilities=said)
    return phrases[action], opinion
