"""A text environment for language models: the model plays a seat by tool calls, against agents.

The public methods are the tools, and their docstrings are the descriptions that the model gets. The exceptions are
``reset`` and ``get_reward``, which are for the trainer. TRL's ``environment_factory`` finds the tools in this form, but
the module depends on no training framework.
"""

from __future__ import annotations

import inspect
import logging
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from romans_agents.base import Agent
from romans_agents.searches.comparison import difference_of_share
from romans_agents.specs.registry import agent_of
from romans_env import Game
from romans_env.core.games import rules_of, spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.engine.random_stream import seed_number
from romans_env.errors import error_line, shortened
from romans_env.render.language import AnswerError, describe, introduce, plan_of
from romans_env.render.text_interface import NO_BREAK, text_interface_of

_LOG = logging.getLogger(__name__)
REWARDS = ("win", "points", "aivat")


class TextEnv:
    """A game in which a language model plays one seat by tool calls; the tools reveal only what the seat may know.

    The seed decides the deal, dice and draws, and the random numbers of the opponents, whatever actions are played. So
    all completions of one prompt, which GRPO compares, face the same chance. The random numbers of an opponent depend
    on the number of its turn. A search with a time budget is not reproducible.

    Args:
        game: the name of the game.
        against: a list of opponents, starting at the seat's left, or one opponent that plays every other seat. An
            opponent is an agent spec or another object that `romans_agents.agent_of` accepts. None for the game's
            default opponent.
        reward: ``"win"`` (the return, in [-1, 1]), ``"points"`` (the seat's points), or ``"aivat"`` (the return minus
            the luck of the seat, see `romans_agents.variates.luck`). Computing the luck takes up to two seconds per
            game. ``"aivat"`` has the same mean as ``"win"``. Its variance is smaller for a seat that plays about as
            well as the agents that estimate the luck, and larger for a seat that always loses.
        setup: rules, a setup, or settings of a setup such as ``{"num_players": 3}``; None for the default setup.

    Attributes:
        num_played: the number of actions that the tools have played in this game.
        num_refused: the number of answers in this game that could not be played.

    Raises:
        ValueError: if a setting does not exist, the number of opponents is wrong, or there is no such reward.
        romans_agents.UnknownAgentError: if a spec names no agent.
    """

    def __init__(
        self,
        game: str = "romans-go-home",
        against: Any = None,
        reward: str = "win",
        setup: Rules | Setup | Mapping[str, Any] | None = None,
    ):
        if reward not in REWARDS:
            raise ValueError(f"reward is one of {', '.join(REWARDS)}, not {shortened(reward)}")
        self._spec, self._reward = spec_of(game), reward
        if reward == "aivat" and self._spec.luck is None:
            raise ValueError(f"{game} has no AIVAT; reward is one of win, points")
        # A model's tool calls may arrive from several threads at once.
        self._lock = threading.RLock()
        self._game: Game | None = None
        self._seat = self._shown = self._seed = self.num_played = self.num_refused = 0
        self._chosen = setup, against or self._spec.default_opponent
        self._rules, self._opponents = self._line_up(*self._chosen)
        self._turns: list[int] = []

    def _line_up(self, setup: Any, against: Any) -> tuple[Rules, list[Agent]]:
        """Return the rules, and the opponents as agents, for the arguments ``setup`` and ``against``."""
        settings = {} if setup is None else setup
        if not isinstance(settings, Mapping) and not hasattr(settings, "game") and not hasattr(settings, "new_states"):
            raise ValueError(f"setup is settings such as {{'num_players': 3}}, not {shortened(settings)}")
        rules = self._spec.make_rules(**settings) if isinstance(settings, Mapping) else rules_of(settings)
        given, others = list(against) if isinstance(against, list | tuple) else [against], rules.num_players - 1
        given = given * others if len(given) == 1 else given
        if len(given) != others:
            raise ValueError(f"{rules.setup} needs {others} opponents, not {len(given)}")
        return rules, [agent_of(one, self._spec.name) for one in given]

    def reset(
        self,
        seed: int | None = None,
        seat: int | None = None,
        against: Any = None,
        setup: Mapping[str, Any] | None = None,
        **row: Any,
    ) -> str:
        """Start a game and play it to the seat's first decision.

        Args:
            seed: the seed that decides all chance; None for a random seed.
            seat: the seat that the model plays, counted from 0; None for a seat that the seed decides.
            against: new opponents for this and later games, in the form that the class takes; None to keep them.
            setup: new settings for this and later games, in the form that the class takes; None to keep them.
            row: other columns of a data set, which are ignored.

        Returns:
            A text that says what has happened and describes the decision.

        Raises:
            ValueError: if there is no such seat, or for the same reasons as the class; the previous game then
                continues.
        """
        with self._lock:
            chosen = self._chosen[0] if setup is None else setup, self._chosen[1] if against is None else against
            is_same = chosen == self._chosen
            rules, opponents = (self._rules, self._opponents) if is_same else self._line_up(*chosen)
            if seat is not None and not 0 <= seat < rules.num_players:
                raise ValueError(f"seat is from 0 to {rules.num_players - 1}, not {seat}")
            number = secrets.randbits(62) if seed is None else seed_number(seed)
            self._chosen, self._rules, self._opponents, self._seed = chosen, rules, opponents, number
            deal, drawn = np.random.SeedSequence(number).generate_state(2, np.uint64)
            self._turns = [0] * len(opponents)
            self._game, self._shown = Game(rules, seed=int(deal)), 0
            self.num_played = self.num_refused = 0
            self._seat = int(drawn % np.uint64(rules.num_players)) if seat is None else seat
            self._play_others()
            return self._news()

    def get_reward(self) -> float:
        """Return the reward of the game. Before its end, this is -1, or the points so far if these are the reward."""
        with self._lock:
            game = self._game
            player = "" if game is None else game.players[self._seat]
            if self._reward == "points":
                return 0.0 if game is None else float(game.points()[player])
            if game is None or not game.is_over:
                return -1.0
            earned = game.returns()[player]
            if self._reward == "aivat":
                luck_of = self._spec.part("luck")
                assert luck_of is not None
                luck = luck_of(game, self._seed)
                earned -= difference_of_share(sum(one.shares[self._seat] for one in luck), self._rules.num_players)
            return float(earned)

    @property
    def is_over(self) -> bool:
        """Whether the game is over; False if no game has been started."""
        return self._game is not None and self._game.is_over

    @property
    def num_players(self) -> int:
        """The number of players, the seat included."""
        return self._rules.num_players

    @property
    def game(self) -> Game:
        """The full state of the game, hidden cards included: for evaluation, not for the player.

        Raises:
            ValueError: if no game has been started.
        """
        if self._game is None:
            raise ValueError("there is no game yet; call reset()")
        return self._game

    @property
    def title(self) -> str:
        """The title of the game."""
        return self._spec.title

    @property
    def tools(self) -> list[Callable[..., str]]:
        """The tools: the public methods except ``reset`` and ``get_reward``."""
        names = [name for name, _ in inspect.getmembers(type(self), inspect.isfunction) if name[0] != "_"]
        return [getattr(self, name) for name in names if name not in ("reset", "get_reward")]

    @property
    def legal_actions(self) -> list[str]:
        """The names of the actions that are legal now, as ``choose`` takes them; empty without a running game."""
        game = self._game
        return [] if game is None or game.is_over else [game.action_name(action) for action in game.legal_actions()]

    # -- tools

    def rules(self) -> str:
        """Tell what the game is about, and what its cards do.

        Returns:
            The rules in short.
        """
        return introduce(self._spec.name)

    def look(self) -> str:
        """Look at the position as you may know it, and at your legal actions.

        Returns:
            The position in words.
        """
        with self._lock:
            return self._current_view()

    def choose(self, action: str) -> str:
        """Play a legal action. You are told what happened up to your next decision.

        Args:
            action: The name of a legal action, as it is listed.

        Returns:
            What happened, your position and your legal actions; or why the action cannot be played.
        """
        return self._play([action])

    # -- the game

    def _play(self, names: Sequence[str]) -> str:
        """Play actions by their names, one after the other while the seat is to act; return the news as text."""
        with self._lock:
            game = self._game
            if game is None or game.is_over:
                return self._current_view()
            try:
                plan = plan_of({"actions": names}, game.view(self._seat))
            except AnswerError as error:
                self.num_refused += 1
                legal = "" if "legal are" in str(error) else f". Legal actions: {', '.join(self.legal_actions)}"
                return f"That cannot be played: {error}{legal}.\n"
            for action in plan.actions:
                game.act(action)
                self.num_played += 1
            self._play_others()
            return self._news()

    def _play_others(self) -> None:
        game, before = self._game, self._seat
        assert game is not None
        while (seat := game.seat_to_act) is not None and seat != self._seat:
            number = (seat - self._seat) % self._rules.num_players - 1
            agent = self._opponents[number]
            if seat != before:
                self._begin_turn(agent, number)
            before = seat
            try:
                game.act(agent.act(game.view(seat)))
            except Exception as error:
                # The message of an agent's error may reveal its cards, so it is logged and not shown to the model.
                _LOG.warning("%s failed, and a random action is played: %s", agent.name, error_line(error))
                game.act(secrets.choice(game.legal_actions()))

    def _begin_turn(self, agent: Agent, number: int) -> None:
        """Seed an opponent for its next turn; seed a search only once per game, as it may reuse earlier results."""
        if not agent.searches or self._turns[number] == 0:
            word = np.random.SeedSequence([self._seed, number, self._turns[number]]).generate_state(1, np.uint64)[0]
            agent.seed(int(word >> np.uint64(1)))
        self._turns[number] += 1

    def _news(self) -> str:
        """Return the events since the last call that the seat may see, followed by its current view."""
        game = self._game
        assert game is not None
        story = text_interface_of(self._rules.name).story(game, game.players[self._seat])
        lines, self._shown = story[self._shown :], len(story)
        lines += ["", ""] if lines else []
        return "\n".join(lines).replace(NO_BREAK, " ") + self._current_view()

    def _current_view(self) -> str:
        """Return the seat's view of the game as text, or the result if the game is over."""
        game = self._game
        if game is None:
            return "There is no game yet; start one.\n"
        if not game.is_over:
            return describe(game.view(self._seat), form="")
        points = ", ".join(f"{player} {points}" for player, points in game.points().items())
        you, winners = game.players[self._seat], game.winners()
        how = "You lose." if you not in winners else "You win." if len(winners) == 1 else "The win is shared."
        return f"The game is over. You are {you}. {how} Points: {points}.\n"


def make_text_env(game: str, **settings: Any) -> TextEnv:
    """Create the text environment of a game, which may have additional tools.

    Args:
        game: the name of the game.
        settings: further arguments of `TextEnv`.

    Raises:
        ValueError, romans_agents.UnknownAgentError: for the same reasons as `TextEnv`.
    """
    return cast(TextEnv, spec_of(game).part("text_env")(game, **settings))


def tasks(game: str, num_deals: int, first_seed: int = 0, num_players: int | None = None) -> list[dict[str, Any]]:
    """Return a data set of games for training or evaluation: one row for each deal and seat.

    Each row has three keys. ``prompt`` is a list with one message that introduces the game; the trainer appends the
    text of `TextEnv.reset` to it. ``seed`` and ``seat`` are arguments of `TextEnv.reset`.

    Args:
        game: the name of the game.
        num_deals: the number of deals.
        first_seed: the seed of the first deal; later deals have consecutive seeds.
        num_players: the number of players; None for the game's default.
    """
    seats = spec_of(game).default_players if num_players is None else num_players
    asked = f"{introduce(game)}\nPlay with the tools until the game is over.\n\n"
    return [
        {"prompt": [{"role": "user", "content": asked}], "seed": first_seed + deal, "seat": seat}
        for deal in range(num_deals)
        for seat in range(seats)
    ]
