"""The review of a game: what each choice was worth by an agent that searches, and what chance gave to whom.

Every choice is compared with others by an agent that sees what the seat saw at the time, and nothing else
(`romans_agents.searches.comparison`); its loss is what the best of them is worth more, as a share of the win. Luck is
the chance part of AIVAT (`romans_agents.variates.luck`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Any

import numpy as np

from romans_agents import Agent
from romans_agents.searches.comparison import Comparing
from romans_agents.specs.registry import agent_of
from romans_agents.variates.luck import Luck
from romans_env import Game, Opinion
from romans_env import replay as replayed
from romans_env.core.games import spec_of
from romans_env.core.records import Record
from romans_env.render.renderer import renderer_of
from romans_env.render.replay_page import Assessment, ReplayPage
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import Choice, text_interface_of
from romans_training.compare.judged_decision import Actions as Actions
from romans_training.compare.judged_decision import Decision as Decision
from romans_training.compare.judged_decision import mistakes_in
from romans_training.compare.review_words import sentences_of
from romans_training.settings import ConfigError

SHOWN = 6
"""Choices whose shares a page shows, the best ones."""


class ReviewError(ConfigError):
    """A game that cannot be reviewed."""


@dataclass(frozen=True)
class Review:
    """The review of a game.

    Attributes:
        game: with its past.
        reviewer: the spec of the agent that compared the choices.
        decisions: in order.
        luck: of the chance events, in order; None where the game does not say.
    """

    game: Game
    reviewer: str
    decisions: Sequence[Decision]
    luck: Sequence[Luck] | None

    def worst(self, player: str | None = None, count: int = 3) -> list[Decision]:
        """Return the choices that were not good, those that cost most first; of one player, or of all."""
        found = [one for one in self.decisions if player in (None, one.player) and one.grade != "good"]
        return sorted(found, key=lambda one: -one.loss)[:count]

    def totals(self) -> dict[str, dict[str, float]]:
        """Return by reviewed player shares of a win, ``share``, ``luck`` and ``loss``, and counts of choices.

        ``luck`` is nan where it is not known; ``choices`` counts all, ``doubtful`` and ``wrong`` such ones.
        """
        winners, found = self.game.winners(), {}
        for seat, player in enumerate(self.game.players):
            own = [one for one in self.decisions if one.player == player]
            if own:
                grades = [one.grade for one in own]
                found[player] = {
                    "share": (player in winners) / max(1, len(winners)),
                    "luck": np.nan if self.luck is None else sum(one.shares[seat] for one in self.luck),
                    "loss": sum(one.loss for one in own),
                    "choices": len(own),
                    "doubtful": grades.count("doubtful"),
                    "wrong": grades.count("wrong"),
                }
        return found

    def mistakes(self, player: str | None = None) -> list[Decision]:
        """Return the choices that were wrong, those that cost most first; of one player, or of all."""
        return mistakes_in(one for one in self.decisions if player in (None, one.player))

    def sentences(self) -> list[str]:
        """Return sentences about the game as a whole; see `romans_training.compare.review_words.sentences_of`."""
        return sentences_of(self.game, self.decisions, self.luck)

    def opinions(self) -> list[Opinion | None]:
        """Return what a page of the game shows at every action."""
        found: list[Opinion | None] = [None] * len(self.game.actions)
        for one in self.decisions:
            ranked = sorted(one.words, key=lambda choice: (choice != one.best, -one.shares[choice]))
            said = {one.words[choice]: one.shares[choice] for choice in ranked}
            assessment = Assessment(one.player, one.grade, one.loss, said, one.words[one.played])
            found[one.action] = Opinion(self.reviewer, {}, None, assessment)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the review as plain data, an object a game."""
        return {
            "game": self.game.rules.name,
            "reviewer": self.reviewer,
            "totals": self.totals(),
            "luck": None
            if self.luck is None
            else [{"action": one.action, "event": one.event, "shares": one.shares} for one in self.luck],
            "decisions": [
                {
                    **asdict(replace(one, shares={}, words={})),
                    "grade": one.grade,
                    "shares": [[list(choice), share] for choice, share in one.shares.items()],
                    "words": one.words[one.played],
                    "best_words": one.words[one.best],
                }
                for one in self.decisions
            ],
        }


def review(
    record: Record | Game,
    players: Sequence[str] | None = None,
    reviewer: str | None = None,
    seed: int = 0,
    on_progress: Callable[[int], object] = lambda done: None,
    on_decision: Callable[[Decision], object] = lambda decision: None,
) -> Review:
    """Review a game.

    Args:
        record: the record of a game that is over, or the game with its past.
        players: the players whose choices are reviewed; None for all.
        reviewer: the spec of an agent that compares choices; None: the game's own (`GameSpec.reviewer`).
        seed: the seed of all samples.
        on_progress: a function called with the number of actions that are done.
        on_decision: a function called with every choice as soon as it is judged.

    Raises:
        romans_env.RecordError: a record that does not fit the rules.
        ReviewError: the game is not over, a player that there is not, or an agent that does not compare choices.
        romans_agents.UnknownAgentError: no such agent.
    """
    game = record if isinstance(record, Game) else replayed(record)
    if not game.is_over:
        raise ReviewError("the game is not over: a review is of whole games")
    for player in players or ():
        if player not in game.players:
            raise ReviewError(f"there is no {player!r}; the players are {', '.join(game.players)}")
    spec = spec_of(game.rules.name)
    decisions = []
    for one in _decisions(game, players or game.players, reviewer or spec.reviewer, seed, on_progress):
        decisions.append(one)
        on_decision(one)
    find_luck = spec.part("luck")
    return Review(game, reviewer or spec.reviewer, decisions, None if find_luck is None else find_luck(game, seed))


def judge_of(reviewer: str | Agent, game: str, seed: int) -> Comparing:
    """Return the agent that compares choices, by itself or its spec; ReviewError for one that does not."""
    agent = agent_of(reviewer, game)
    if not isinstance(agent, Comparing):
        raise ReviewError(f"{agent.name} does not compare choices; agents that search do")
    agent.seed(seed)
    return agent


def _decisions(
    game: Game, players: Sequence[str], reviewer: str, seed: int, on_progress: Callable[[int], object]
) -> Iterator[Decision]:
    judge = judge_of(reviewer, game.rules.name, seed)
    again, covered = Game(game.rules, deal=game.deal()), 0
    for number, (player, name) in enumerate(game.actions):
        if number >= covered and player in players:
            coming = takewhile(lambda one: one[0] == player, game.actions[number:])  # noqa: B023
            yield (found := judged(judge, again, [game.rules.action_id(action) for _, action in coming]))
            covered = number + len(found.played)
        again.act(name)
        on_progress(number + 1)


def judged(judge: Comparing, game: Game, played: Sequence[int]) -> Decision:
    """Judge a choice in a game with its past: the first of the actions that the player plays before others, or several.

    Raises:
        ReviewError: a position that the judge cannot compare choices in.
    """
    player = str(game.agent_to_act)
    try:
        found = judge.compare(game.view(player), played)
    except ValueError as error:  # such as a board for which a network was not trained
        raise ReviewError(f"{error}; name another reviewer, such as flat-mc") from None
    choices = [tuple(game.action_name(action) for action in choice) for choice in found.choices]
    means = found.shares.mean(axis=0)
    shown = {0, found.best, *np.argsort(-means, kind="stable")[:SHOWN].tolist()}
    words = {choices[k]: _in_words(game, player, found.choices[k]) for k in sorted(shown)}
    shares = dict(zip(choices, means.tolist(), strict=True))
    best, number = choices[found.best], len(game.actions)
    return Decision(number, player, choices[0], best, float(means[found.best]), *found.loss, shares, words)


def _in_words(game: Game, player: str, choice: Sequence[int]) -> str:
    """Return a choice of the player to act in words: its first action as a phrase, and what follows as a list."""
    again, said = Game.of_states(game.rules, game.states.copy()), list[Choice]()
    seat_names = SeatNames({name: name for name in game.rules.seats}, reader=player, ascii_only=True)
    choices = text_interface_of(game.rules.name).choices
    for number, action in enumerate(choice, 1):
        said += choices(again, player, [action], seat_names)
        if number < len(choice):
            again.act(action)
    rest = ", ".join(one.item for one in said[1:])
    return f"{said[0].phrase}, then {rest}" if rest else said[0].phrase


def review_page(reviews: Sequence[Review]) -> ReplayPage:
    """Return reviews as a page on which the games can be stepped through, seen from every seat."""
    games = []
    for one in reviews:
        shown = renderer_of(one.game.rules.name).replay(one.game, None, one.opinions())
        games.append(replace(shown, review=one.sentences()))
    return ReplayPage(games)
