"""Plays for the agents of a game, without revealing how often an agent is asked in secret.

The number of decisions in a hidden plan would reveal which cards are equal (RULES 4.14). The events that viewers
receive therefore depend only on what they see. An agent's decisions up to the first decision that others see form a
run. The pause, the sign that the agent is thinking, and the remark that it failed come once per run. If the length of a
run must stay hidden, the agent is always asked as often as in the longest possible run, so that all runs take the same
time and occupy a process equally long.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
from collections.abc import Callable
from typing import Protocol

from romans_env.core.game import View
from romans_env.errors import in_one_line, shortened
from romans_serve.errors import ConflictError, UnavailableError
from romans_serve.games.live import Live
from romans_serve.games.served_game import PendingAction
from romans_serve.games.store import GameEntry
from romans_serve.thinking import ThinkingError

SLOW = 0.3
"""Seconds after which viewers are told that an agent is still thinking."""
GRID = 0.25
"""Time grid in seconds: other viewers see a run of hidden decisions end at a multiple of it after the run's start."""
RETRY = 0.5
"""Seconds before another attempt to save an action."""
_LOG = logging.getLogger(__name__)


class Keeper(Protocol):
    """An object that asks agents and saves their actions; `romans_serve.games.playing.Playing` implements it."""

    def commit(self, live: Live, pending: PendingAction) -> None:
        """Save an action, play it, and show it to the viewers."""

    def add(self, live: Live, entry: GameEntry) -> None:
        """Save an entry of a game that is not an action, such as a remark."""

    async def ask(self, live: Live, spec: str, view: View) -> int:
        """Return the id of an agent's action; raise `ThinkingError` if the agent chooses no action."""
        ...


async def play_agents(live: Live, keeper: Keeper) -> None:
    """Play the actions of a game's agents until a person is to act or the game is over."""
    while (seat := live.served.game.seat_to_act) is not None:
        spec = live.served.seats[seat].agent
        if spec is None:
            return
        await _wait_for_pace(live)
        try:
            await _Run(live, keeper, seat, spec).play()
        except ConflictError:  # another server has continued the game, which was reloaded
            continue


async def _wait_for_pace(live: Live) -> None:
    while True:
        pace = live.stored.pace
        live.pace_changed.clear()
        try:
            await asyncio.wait_for(live.pace_changed.wait(), None if pace < 0 else pace)
        except asyncio.TimeoutError:
            return


class _Run:
    """A run: an agent's decisions up to the first decision of which other viewers see something."""

    def __init__(self, live: Live, keeper: Keeper, seat: int, spec: str):
        self._live, self._keeper, self._seat, self._spec = live, keeper, seat, spec
        rules = live.served.rules
        kind = rules.decision_kind(live.served.game.states, 0)
        self._most = rules.hidden_decisions.get(kind or "", 1)
        self._loop = asyncio.get_running_loop()
        self._started = self._loop.time()
        self._asked = 0
        self._has_failed = False

    async def play(self) -> None:
        """Play the run; raise `ConflictError` if another server has continued the game."""
        live = self._live
        player = live.served.rules.players[self._seat]
        slow = self._loop.call_later(SLOW, live.show_thinking, player)
        try:
            pending = await self._decided()
            while not self._is_seen(pending):
                await kept(lambda pending=pending: self._keeper.commit(live, pending))  # type: ignore[misc]
                pending = await self._decided()
            await self._wait_for_the_longest()
            await kept(lambda: self._keeper.commit(live, pending))
        finally:
            slow.cancel()
            live.show_thinking(None)
        if self._has_failed:
            # Only the record gives the reason, because an agent's error message may name its cards.
            text = f"{self._spec} failed: random actions are played instead, and the record will say why"
            for stream in live.streams:
                stream.put("note", {"text": text})

    def _is_seen(self, pending: PendingAction) -> bool:
        own = self._live.served.rules.players[self._seat]
        return any(frames for viewer, frames in pending.frames.items() if viewer != own)

    async def _wait_for_the_longest(self) -> None:
        """Ask the agent as often as in the longest possible run, and wait for the next multiple of `GRID`."""
        if self._most < 2:
            return
        while self._asked < self._most:
            with contextlib.suppress(ThinkingError):
                await self._ask(self._latest)
        passed = self._loop.time() - self._started
        # The margin keeps rounding errors out of the decision when the time is itself a multiple.
        await asyncio.sleep((math.floor(passed / GRID + 1e-6) + 1) * GRID - passed)

    async def _ask(self, view: View) -> int:
        self._asked, self._latest = self._asked + 1, view
        return await self._keeper.ask(self._live, self._spec, view)

    async def _decided(self) -> PendingAction:
        """Return the agent's action; if the agent fails, a random action, with a remark in the record."""
        served = self._live.served
        view = served.game.view(self._seat)
        try:
            action = await self._ask(view)
            if action not in view.legal_actions():
                raise ThinkingError(f"it answers with {shortened(action)}, which is not legal")
        except ThinkingError as error:
            action = secrets.choice(view.legal_actions())
            remark = f"{self._spec}: {in_one_line(error, 200)}; a random action was played instead"
            _LOG.warning("game %s: %s", self._live.stored.id, remark)
            await kept(lambda: self._keeper.add(self._live, GameEntry("note", self._seat, remark)))
            self._has_failed = True
        return served.pending(int(action))


async def kept(keep: Callable[[], None]) -> None:
    """Call ``keep``, and repeat the call as long as the database is unavailable."""
    while True:
        try:
            return keep()
        except UnavailableError:
            await asyncio.sleep(RETRY)
