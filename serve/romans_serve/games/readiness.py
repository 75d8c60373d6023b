"""Compiles or loads games and agents in a useful order: games in progress come before games not yet begun."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from romans_env.core.game import Game, View
from romans_env.core.games import rules_of, spec_of
from romans_env.core.protocol import Rules
from romans_env.errors import CannotSampleError
from romans_serve.games.served_game import ServedGame
from romans_serve.games.store import Seat
from romans_serve.games.views import view_of
from romans_serve.thinking import Count, GameOffer, Kind, Thinker

MOST_PREPARED = 1000
"""Maximum number of agents that are remembered as prepared; older ones are forgotten."""
_LOOK = 0.1
"""Seconds between two checks for urgent work while agents are prepared ahead."""
_LOG = logging.getLogger(__name__)
Listener = Callable[[Count], object]


class _Key(NamedTuple):
    """An agent of a game, and the purpose for which it is prepared."""

    kind: Kind
    spec: str
    game: str


class _Preparing:
    """An agent that is being prepared.

    Attributes:
        task: the task that prepares the agent.
        listeners: functions that are called with the progress.
        count: the latest progress.
    """

    task: asyncio.Task[None]

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.count: Count | None = None

    def tell(self, count: Count) -> None:
        """Report the progress to all listeners."""
        self.count = count
        for listener in tuple(self.listeners):
            listener(count)


class Readiness:
    """Prepares every game and every agent once.

    Args:
        thinker: creates the agents.
        offers: the offers of games, by game.

    Attributes:
        counts: progress of compilation, by game; only for games for which functions are being compiled.
    """

    def __init__(self, thinker: Thinker, offers: Mapping[str, GameOffer]):
        self._thinker = thinker
        self.counts: dict[str, Count] = {}
        self._loaded: set[str] = set()
        self._loads: dict[str, asyncio.Task[None]] = {}
        self._loading = asyncio.Lock()
        self._prepared: dict[_Key, None] = {}
        self._preparing: dict[_Key, _Preparing] = {}
        self._urgent: dict[asyncio.Task[None], str] = {}
        # Opponents are needed first, then the agent for hints, then the reviewer.
        specs = [{game: offer.opponent for game, offer in offers.items()}]
        specs.append({game: offer.adviser for game, offer in offers.items()})
        specs.append({game: spec_of(game).reviewer for game in offers})
        self._ahead = list(
            dict.fromkeys(_Key("ahead", spec, game) for of_games in specs for game, spec in of_games.items())
        )

    def is_ready(self, game: str) -> bool:
        """Return whether a game can begin at once."""
        return game in self._loaded

    # -- urgent work, which someone waits for

    async def rules(self, rules: Rules) -> None:
        """Wait until a game's compiled code is loaded; a separate thread loads it."""
        game = rules.name
        if game in self._loaded:
            return
        if game not in self._loads:
            self._loads[game] = self._urgently(self._load(rules), game)
        loading = self._loads[game]
        try:
            await asyncio.shield(loading)
        except Exception:
            # The next request tries again.
            if self._loads.get(game) is loading:
                del self._loads[game]
            raise

    def begin(self, rules: Rules, agents: Iterable[str]) -> None:
        """Start to prepare the agents of a game in progress, before their first decisions."""
        for spec in dict.fromkeys(agents):
            self._prepare(_Key("act", spec, rules.name), _view_of(rules))

    async def agent(self, kind: Kind, spec: str, view: View, told: Listener) -> None:
        """Wait until an agent is prepared; ``told`` is called with the progress while functions are compiled.

        Raises:
            ThinkingError: if the agent cannot be prepared.
        """
        preparing = self._prepare(_Key(kind, spec, view.rules.name), view)
        if preparing is not None:
            preparing.listeners.add(told)
            if preparing.count is not None:
                told(preparing.count)
            try:
                await asyncio.shield(preparing.task)
            finally:
                preparing.listeners.discard(told)

    def _prepare(self, key: _Key, view: View) -> _Preparing | None:
        """Start to prepare an agent unless this is under way already; return None if the agent is already prepared."""
        if key in self._prepared:
            return None
        if key not in self._preparing:
            preparing = self._preparing[key] = _Preparing()
            preparing.listeners.add(lambda count: self.counts.update({key.game: count}))
            preparing.task = self._urgently(self._prepared_for(key, view, preparing), key.game)
            preparing.task.add_done_callback(lambda _: self._preparing.pop(key))
        return self._preparing[key]

    async def _prepared_for(self, key: _Key, view: View, preparing: _Preparing) -> None:
        await self._thinker.prepare(key.kind, key.spec, view, preparing.tell)
        self._prepared[key] = None
        if len(self._prepared) > MOST_PREPARED:
            del self._prepared[next(iter(self._prepared))]

    def _urgently(self, what: Coroutine[Any, Any, None], game: str) -> asyncio.Task[None]:
        """Start urgent work for a game. Meanwhile, work ahead pauses; afterwards it continues with this game."""
        self._ahead.sort(key=lambda key: key.game != game)
        task = asyncio.create_task(what)
        self._urgent[task] = game

        def ended(task: asyncio.Task[None]) -> None:
            del self._urgent[task]
            if game not in self._urgent.values():
                self.counts.pop(game, None)
            # Mark an error as retrieved, because no caller may be left that waits for the task.
            if not task.cancelled():
                task.exception()

        task.add_done_callback(ended)
        return task

    async def _load(self, rules: Rules) -> None:
        # One at a time, so that the first game requested is ready sooner.
        async with self._loading:
            await asyncio.to_thread(_load_code, rules)
        self._loaded.add(rules.name)

    # -- work ahead, which no one waits for yet

    async def prepare_ahead(self) -> None:
        """Prepare all offered games and agents in a separate process; urgent work interrupts this."""
        while self._ahead:
            if self._urgent:
                await asyncio.wait(self._urgent)
                continue
            key = self._ahead[0]
            try:
                is_prepared = await self._is_prepared_ahead(key)
            except Exception as error:  # any error: whoever begins the game will be told
                _LOG.warning("%s of %s is not prepared: %s", key.spec, key.game, error)
                is_prepared = True
            if is_prepared and key in self._ahead:
                self._ahead.remove(key)
        await self._thinker.rest()

    async def _is_prepared_ahead(self, key: _Key) -> bool:
        """Prepare an agent and load its game; return False if urgent work interrupted the preparation."""
        rules = rules_of(spec_of(key.game).make_setup())
        told = self.counts.update
        preparing = asyncio.create_task(
            self._thinker.prepare(key.kind, key.spec, _view_of(rules), lambda count: told({key.game: count}))
        )
        try:
            while not preparing.done():
                if self._urgent:
                    return False
                await asyncio.wait({preparing}, timeout=_LOOK)
            await preparing
        finally:
            preparing.cancel()
            self.counts.pop(key.game, None)
        await self.rules(rules)
        return True


def _view_of(rules: Rules) -> View:
    """Return a view of an empty state, which is enough to prepare an agent."""
    return View(rules, rules.new_states(1), 0)


def _load_code(rules: Rules) -> None:
    """Play some actions of a game and render its views, so that the compiled code is loaded."""
    seats = [Seat(player, "random") for player in rules.players]
    served, choose = ServedGame(rules, seats), random.Random(0)
    for _ in range(40):
        game = served.game
        if game.is_over:
            break
        seat = game.seat_to_act
        assert seat is not None
        served.act(choose.choice(game.legal_actions()))
        if served.may_undo(seat):
            try:
                served.undo(seat)
            except ValueError:
                continue
            served.act(choose.choice(served.game.legal_actions()))
    for viewer in served.viewers:
        view_of(served, viewer)
    # Deciding ahead uses determinizations, so load their code as well.
    with contextlib.suppress(CannotSampleError):
        Game(rules, seed=0).view(0).sample_game(np.random.default_rng(0))
