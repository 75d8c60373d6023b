"""The review of a game: the value of each choice, as judged by a search agent, and the luck of each player.

Each choice is compared with alternatives by an agent that sees only what the seat could see at the time
(`romans_agents.searches.comparison`). Its loss is how much less win share it can expect than the best of them. Luck is
the chance contribution of AIVAT (`romans_agents.variates.luck`).
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
"""Number of best choices whose win shares a page shows."""


class ReviewError(ConfigError):
    """A game that cannot be reviewed."""


@dataclass(frozen=True)
class Review:
    """The review of a game.

    Attributes:
        game: the game with its past.
        reviewer: the spec of the agent that compared the choices.
        decisions: the judged choices, in order.
        luck: the contribution of each chance event, in order; None if the game cannot compute it.
    """

    game: Game
    reviewer: str
    decisions: Sequence[Decision]
    luck: Sequence[Luck] | None

    def worst(self, player: str | None = None, count: int = 3) -> list[Decision]:
        """Return the inaccurate choices of one player or of all, costliest first."""
        found = [one for one in self.decisions if player in (None, one.player) and one.grade != "good"]
        return sorted(found, key=lambda one: -one.loss)[:count]

    def totals(self) -> dict[str, dict[str, float]]:
        """Return sums for each reviewed player, by name.

        Returns:
            For each player: ``share`` (of the win, in the result), ``luck`` and ``loss`` as shares of a win (``luck``
            is NaN if unknown), and the numbers of ``choices``, of ``doubtful`` and of ``wrong`` ones.
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
        """Return the wrong choices of one player or of all, costliest first."""
        return mistakes_in(one for one in self.decisions if player in (None, one.player))

    def sentences(self) -> list[str]:
        """Return sentences about the game as a whole, as made by `review_words.sentences_of`."""
        return sentences_of(self.game, self.decisions, self.luck)

    def opinions(self) -> list[Opinion | None]:
        """Return the annotation of every action for a page of the game; None for actions that were not reviewed."""
        found: list[Opinion | None] = [None] * len(self.game.actions)
        for one in self.decisions:
            ranked = sorted(one.words, key=lambda choice: (choice != one.best, -one.shares[choice]))
            said = {one.words[choice]: one.shares[choice] for choice in ranked}
            assessment = Assessment(one.player, one.grade, one.loss, said, one.words[one.played])
            found[one.action] = Opinion(self.reviewer, {}, None, assessment)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the review as plain JSON."""
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
        reviewer: the spec of an agent that compares choices; None for the game's default (`GameSpec.reviewer`).
        seed: seed of all samples.
        on_progress: called with the number of actions processed so far.
        on_decision: called with every choice as soon as it is judged.

    Raises:
        romans_env.RecordError: if the record violates the rules.
        ReviewError: if the game is not over, there is no such player, or the agent does not compare choices.
        romans_agents.UnknownAgentError: if there is no such agent.
    """
    game = record if isinstance(record, Game) else replayed(record)
    if not game.is_over:
        raise ReviewError("the game is not over; only complete games can be reviewed")
    for player in players or ():
        if player not in game.players:
            raise ReviewError(f"there is no player {player!r}; the players are {', '.join(game.players)}")
    spec = spec_of(game.rules.name)
    decisions = []
    for one in _decisions(game, players or game.players, reviewer or spec.reviewer, seed, on_progress):
        decisions.append(one)
        on_decision(one)
    find_luck = spec.part("luck")
    return Review(game, reviewer or spec.reviewer, decisions, None if find_luck is None else find_luck(game, seed))


def judge_of(reviewer: str | Agent, game: str, seed: int) -> Comparing:
    """Return the reviewer, given as an agent or its spec; raise ReviewError if it does not compare choices."""
    agent = agent_of(reviewer, game)
    if not isinstance(agent, Comparing):
        raise ReviewError(f"{agent.name} does not compare choices; name an agent that searches, such as flat-mc")
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
    """Judge a choice in a game with its past.

    Args:
        judge: the agent that compares choices.
        game: the game at the choice.
        played: ids of the actions that the player played from here on before another player acted, at least one.

    Raises:
        ReviewError: if the judge cannot compare choices in this position.
    """
    player = str(game.agent_to_act)
    try:
        found = judge.compare(game.view(player), played)
    except ValueError as error:  # for instance, a board that the judge's network was not trained for
        raise ReviewError(f"{error}; name another reviewer, such as flat-mc") from None
    choices = [tuple(game.action_name(action) for action in choice) for choice in found.choices]
    means = found.shares.mean(axis=0)
    shown = {0, found.best, *np.argsort(-means, kind="stable")[:SHOWN].tolist()}
    words = {choices[k]: _in_words(game, player, found.choices[k]) for k in sorted(shown)}
    shares = dict(zip(choices, means.tolist(), strict=True))
    best, number = choices[found.best], len(game.actions)
    return Decision(number, player, choices[0], best, float(means[found.best]), *found.loss, shares, words)


def _in_words(game: Game, player: str, choice: Sequence[int]) -> str:
    """Describe a choice of the player to act: its first action as a phrase, the following ones as a list."""
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
    """Return reviews as a page on which the games can be stepped through, from every seat's view."""
    games = []
    for one in reviews:
        shown = renderer_of(one.game.rules.name).replay(one.game, None, one.opinions())
        games.append(replace(shown, review=one.sentences()))
    return ReplayPage(games)
