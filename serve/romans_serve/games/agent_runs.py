"""Plays for the agents of a game, without showing how often one is asked in secret.

How many decisions a hidden plan took tells which cards are equal (RULES 4.14). What viewers are sent therefore follows
from what they see alone: an agent's pause, the sign that it is thinking and a remark that it failed come once for all
its decisions up to the first of which others see something, its run. In a run of which others must not know how long it
is, the agent is asked as often as it could have been, whatever it was asked for: so it takes as long, and keeps a
process from other games as long.
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
"""Seconds after which viewers are shown that an agent is still thinking."""
GRID = 0.25
"""Seconds: others see the end of a run of hidden decisions at whole multiples, counted from its start."""
RETRY = 0.5
"""Seconds until an action is played again that the database could not keep."""
_LOG = logging.getLogger(__name__)


class Keeper(Protocol):
    """What asks the agents, and writes down what they decide: a `romans_serve.games.playing.Playing`."""

    def commit(self, live: Live, pending: PendingAction) -> None:
        """Write an action to the database, and show it to those who look on."""

    def add(self, live: Live, entry: GameEntry) -> None:
        """Write an entry to the database."""

    async def ask(self, live: Live, spec: str, view: View) -> int:
        """Return the action of an agent; raise `ThinkingError` if it gives none."""
        ...


async def play_agents(live: Live, keeper: Keeper) -> None:
    """Play as long as a seat without a person must decide."""
    while (seat := live.served.game.seat_to_act) is not None:
        spec = live.served.seats[seat].agent
        if spec is None:
            return
        await _wait_for_pace(live)
        try:
            await _Run(live, keeper, seat, spec).play()
        except ConflictError:  # another server went on with the game, which was loaded anew
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
    """An agent's decisions up to the first of which others see something."""

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
        """Play the run; raise `ConflictError` if another server has played it."""
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
            # Why is in the record: an agent's error may name its cards.
            text = f"{self._spec} failed: random actions are played in its place, and the record will say why"
            for stream in live.streams:
                stream.put("note", {"text": text})

    def _is_seen(self, pending: PendingAction) -> bool:
        own = self._live.served.rules.players[self._seat]
        return any(frames for viewer, frames in pending.frames.items() if viewer != own)

    async def _wait_for_the_longest(self) -> None:
        """Let as much time pass as the most decisions would have taken."""
        if self._most < 2:
            return
        while self._asked < self._most:
            with contextlib.suppress(ThinkingError):
                await self._ask(self._latest)
        passed = self._loop.time() - self._started
        # The margin keeps errors of rounding from deciding where the time is a multiple itself.
        await asyncio.sleep((math.floor(passed / GRID + 1e-6) + 1) * GRID - passed)

    async def _ask(self, view: View) -> int:
        self._asked, self._latest = self._asked + 1, view
        return await self._keeper.ask(self._live, self._spec, view)

    async def _decided(self) -> PendingAction:
        """Return the action that the agent decides on, or a random one, with a remark, if it gives none."""
        served = self._live.served
        view = served.game.view(self._seat)
        try:
            action = await self._ask(view)
            if action not in view.legal_actions():
                raise ThinkingError(f"it answers with {shortened(action)}, which is not legal")
        except ThinkingError as error:
            action = secrets.choice(view.legal_actions())
            remark = f"{self._spec}: {in_one_line(error, 200)}; a random action was played in its place"
            _LOG.warning("game %s: %s", self._live.stored.id, remark)
            await kept(lambda: self._keeper.add(self._live, GameEntry("note", self._seat, remark)))
            self._has_failed = True
        return served.pending(int(action))


async def kept(keep: Callable[[], None]) -> None:
    """Keep something as soon as the database takes it."""
    while True:
        try:
            return keep()
        except UnavailableError:
            await asyncio.sleep(RETRY)
