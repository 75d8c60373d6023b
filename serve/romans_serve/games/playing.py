"""Plays the actions of people and agents in served games.

Every action is first written to the database, then played and shown to the viewers. The event loop runs nothing else in
between.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from romans_env.core.game import Game, View
from romans_env.core.games import spec_of
from romans_env.core.records import Record
from romans_env.errors import IllegalActionError, in_one_line
from romans_serve.errors import BadRequestError, ConflictError, NotFoundError, TooManyError, UnavailableError
from romans_serve.games.agent_runs import kept, play_agents
from romans_serve.games.live import Live
from romans_serve.games.readiness import Readiness
from romans_serve.games.served_game import PendingAction, ServedFrame, ServedGame
from romans_serve.games.spectator import SPECTATOR
from romans_serve.games.store import GameEntry, GameStore
from romans_serve.games.typed_actions import understood
from romans_serve.thinking import Hint, Kind, Reviewed, ReviewPart, Thinker, ThinkingError

PACES = (-1.0, 0.0, 0.3, 1.0, 3.0)
"""The paces to choose from: seconds between two decisions of agents. A negative pace pauses the agents."""
MOST_WORDS = 64
"""Maximum number of words, which name actions, in a plan."""
_LOG = logging.getLogger(__name__)
Frames = dict[str, list[ServedFrame]]
"""New frames by viewer."""


class Playing:
    """Plays the actions of people and agents.

    Args:
        store: the database.
        thinker: creates and asks the agents.
        readiness: prepares the agents.
        advisers: spec of the agent that gives hints by default, by game.
        extras: maximum number of hints and undone actions of one game.
        now: function that returns the time in seconds since 1970.
    """

    def __init__(
        self,
        store: GameStore,
        thinker: Thinker,
        readiness: Readiness,
        advisers: Mapping[str, str],
        extras: int,
        now: Callable[[], float],
    ):
        self._store, self._thinker, self._readiness = store, thinker, readiness
        self._advisers, self._extras, self._now = advisers, extras, now

    def act(self, live: Live, seat: int, move: int, plan: str) -> dict[str, Any]:
        """Play one action of a seat, or a plan of several actions.

        Args:
            live: the game.
            seat: the seat that acts; the caller has checked its token.
            move: number of the decision that the first action answers.
            plan: names of actions, as in records, separated by spaces.

        Returns:
            A dictionary with ``played`` (number of actions played), ``unused`` (list of words that were not played
            because other seats are to act), ``error`` (reason why the plan stopped, or None) and ``move`` (number of
            the seat's next decision).

        Raises:
            ConflictError: if the seat is at another decision, or is not to act.
            BadRequestError: if the first word is not a legal action.
            UnavailableError: if the first action cannot be saved; nothing is changed.
        """
        self._check_move(live, seat, move)
        words = [word for word in plan.split() if word != live.served.rules.players[seat]]
        if not 1 <= len(words) <= MOST_WORDS:
            raise BadRequestError(f"name 1 to {MOST_WORDS} actions, separated by spaces")
        played, error = 0, None
        for word in words:
            ahead = live.served.ahead(seat)
            if live.served.game.seat_to_act != seat and (ahead is None or ahead.is_complete):
                break
            try:
                if ahead is None:
                    self.commit(live, live.served.pending(understood(word, live.served.game)))
                else:
                    self._hold(live, seat, ahead.game.action_name(understood(word, ahead.game)))
            except IllegalActionError as wrong:
                if played == 0:
                    raise BadRequestError(in_one_line(wrong)) from None
                error = in_one_line(wrong)
                break
            except UnavailableError:
                if played == 0:
                    raise
                error = "the game cannot be saved right now: play the other actions in a moment"
                break
            played += 1
        self.wake(live)
        return {"played": played, "unused": words[played:], "error": error, "move": live.served.moves[seat]}

    def undo(self, live: Live, seat: int, move: int) -> dict[str, Any]:
        """Take back the latest choice of a seat; return a dictionary with ``move``, the number of its next decision.

        Raises:
            ConflictError: if the seat is at another decision or is not to act, or the choice cannot be taken back.
            UnavailableError: if the change cannot be saved; nothing is changed.
        """
        self._check_extras(live)
        if live.served.held[seat] and live.served.game.seat_to_act != seat:
            self._check_number(live, seat, move)
            self._write(live, [GameEntry("released", seat, None)], live.served.game, is_seen=False)
            live.served.release(seat)
            live.show_held(seat)
            return {"move": live.served.moves[seat]}
        self._check_move(live, seat, move)
        why = live.served.why_not_undo(seat)
        if why is not None:
            raise ConflictError(why, view=live.view(live.served.rules.players[seat]))
        changed = live.served.seen_of_undo()
        self._write(live, [GameEntry("undo", seat, None)], live.served.game, SPECTATOR in changed)
        live.served.take_back(seat)
        for stream in live.streams:
            if stream.viewer in changed:
                stream.put("view", live.view(stream.viewer, stream.is_narrow))
        return {"move": live.served.moves[seat]}

    async def hint(self, live: Live, seat: int, move: int, agent: str | None) -> dict[str, Any]:
        """Return an agent's hint for a seat's decision, and note in the record that it was given.

        Raises:
            ConflictError: if the seat is at another decision, or is not to act.
            BadRequestError: if there is no such agent, or the agent gives no hint.
            TooManyError: if another hint for the seat is being prepared, or the game has reached its limit.
        """
        self._check_move(live, seat, move)
        spec = agent or self._advisers[live.stored.game]
        try:
            self._thinker.check(spec, live.stored.game)
        except ValueError as error:
            raise BadRequestError(in_one_line(error)) from None
        self._check_extras(live)
        if seat in live.hints:
            raise TooManyError("a hint for this seat is already being prepared: wait for it")
        ahead = live.served.ahead(seat)
        view = (live.served.game if ahead is None else ahead.game).view(seat)
        live.hints.add(seat)
        try:
            await self._prepare("hint", live, spec, view, [live.served.rules.players[seat]])
            hint: Hint = await self._thinker.hint(spec, view, live.seed_of(seat))
        except ThinkingError as error:
            raise BadRequestError(f"{spec} gives no hint: {in_one_line(error)}") from None
        finally:
            live.hints.discard(seat)
        self._check_move(live, seat, move)
        said = hint.as_json()
        await kept(lambda: self.add(live, GameEntry("hint", seat, said)))
        return said

    def set_pace(self, live: Live, pace: float) -> None:
        """Change the seconds between decisions of agents; raise BadRequestError if the pace is not one of `PACES`."""
        if pace not in PACES:
            raise BadRequestError(f"the pace is one of {', '.join(map(str, PACES))}, not {pace}")
        self._store.set_pace(live.stored.id, pace)
        live.stored = live.stored._replace(pace=pace)
        live.pace_changed.set()
        for stream in live.streams:
            stream.put("pace", {"pace": pace})

    # -- keeping

    def commit(self, live: Live, pending: PendingAction) -> None:
        """Save an action, play it, and show it to the viewers.

        Raises:
            UnavailableError: if the database cannot be written; nothing is changed.
            ConflictError: if another process has continued the game; the game is then reloaded.
        """
        if pending.before is not live.served.game:
            raise ConflictError("the game has moved on: reload the page")
        shown = self._played(live, pending)
        try:
            shown = self._with_held(live, shown)
        finally:
            live.show(shown)

    def _played(self, live: Live, pending: PendingAction) -> Frames:
        """Save an action and play it; return the new frames."""
        self._write(live, pending.entries, pending.game, is_seen=bool(pending.frames[SPECTATOR]))
        live.served.play(pending)
        return {viewer: list(frames) for viewer, frames in pending.frames.items()}

    def _hold(self, live: Live, seat: int, name: str) -> None:
        """Save an action that is to be played when the seat's turn comes, and show it to that seat only."""
        self._write(live, [GameEntry("held", seat, name)], live.served.game, is_seen=False)
        live.served.hold(seat, name)
        live.show_held(seat)

    def _with_held(self, live: Live, shown: Frames) -> Frames:
        """Play actions chosen ahead as long as their seats are to act; return ``shown`` with the new frames added."""
        served = live.served
        while (seat := served.game.seat_to_act) is not None and served.held[seat]:
            try:
                pending = served.pending(served.game.action_id(served.held[seat][0]))
            except IllegalActionError:  # the decision turned out to be another one, so the seat decides again
                for _ in tuple(served.held[seat]):
                    self._write(live, [GameEntry("released", seat, None)], served.game, is_seen=False)
                    served.release(seat)
                break
            try:
                played = self._played(live, pending)
            except UnavailableError:  # the rest is played with the next request for the game
                break
            own = served.rules.players[seat]
            # The seat has already seen its own choices, so it is shown only the outcome of the last one.
            first, *more = played[own]
            lines = [line for frame in shown[own] for line in frame.lines]
            start = shown[own][0].start if shown[own] else first.start
            played[own] = [replace(first, lines=(*lines, *first.lines), start=start), *more]
            shown = {viewer: frames if viewer == own else shown[viewer] + frames for viewer, frames in played.items()}
        return shown

    def add(self, live: Live, entry: GameEntry) -> None:
        """Save a hint or a remark; this raises the same errors as `commit`."""
        self._write(live, [entry], live.served.game, is_seen=False)
        live.served.add(entry)

    async def ask(self, live: Live, spec: str, view: View) -> int:
        """Return the id of an agent's action; raise `ThinkingError` if the agent chooses no action."""
        await self._prepare("act", live, spec, view, live.served.viewers)
        return await self._thinker.act(spec, view, live.seed_of(view.seat))

    async def review(self, live: Live, on_part: Callable[[ReviewPart], object]) -> Reviewed:
        """Return a review of a finished game; ``on_part`` is called with the progress, as by `Thinker.review`."""
        rules, record = live.served.rules, cast(Record, live.served.record())
        reviewer, view = spec_of(rules.name).reviewer, live.served.game.view(0)
        await self._prepare("review", live, reviewer, view, live.served.viewers)
        return await self._thinker.review(rules, record, on_part)

    def _write(self, live: Live, entries: Sequence[GameEntry], game: Game, is_seen: bool) -> None:
        """Write entries to the database, before the game in memory changes.

        Args:
            live: the game.
            entries: the entries to add.
            game: the game as it will be after these entries.
            is_seen: whether spectators see anything of the entries.
        """
        moves = sum(live.served.moves) + sum(entry.kind in ("action", "undo") for entry in entries)
        changed, result = self._now() if is_seen else None, game.result()
        try:
            self._store.append(live.stored.id, live.served.entries, entries, moves, result, changed)
        except sqlite3.IntegrityError:
            self._load_anew(live)
            raise ConflictError("another server has continued this game: reload the page") from None
        live.stored = live.stored._replace(changed=changed or live.stored.changed, moves=moves, result=result)

    def _load_anew(self, live: Live) -> None:
        """Reload the game from the database, and show it to the viewers."""
        stored = self._store.game(live.stored.id)
        if stored is None:
            raise NotFoundError("this game no longer exists")
        before = live.served.frames
        live.stored, live.served = stored, ServedGame(live.served.rules, stored.seats, self._store.entries(stored.id))
        for stream in live.streams:
            # A viewer who sees nothing of the new actions must not learn that there were new actions.
            if live.served.frames[stream.viewer].serial != before[stream.viewer].serial:
                stream.put("view", live.view(stream.viewer, stream.is_narrow))
        self.wake(live)

    # -- agents

    def wake(self, live: Live) -> None:
        """Play actions chosen ahead whose turn has come, and let the agents continue if one of them is to act."""
        with contextlib.suppress(UnavailableError, ConflictError):
            live.show(self._with_held(live, {viewer: [] for viewer in live.served.viewers}))
        seat = live.served.game.seat_to_act
        if seat is not None and live.served.seats[seat].agent is not None and live.runner is None:
            live.runner = asyncio.create_task(self._run_agents(live))

    async def _run_agents(self, live: Live) -> None:
        try:
            await play_agents(live, self)
        except Exception:  # the agents continue with the next request for the game
            _LOG.exception("game %s: its agents stopped", live.stored.id)
        finally:
            live.runner = None

    async def _prepare(self, kind: Kind, live: Live, spec: str, view: View, viewers: Iterable[str]) -> None:
        """Wait until an agent is prepared; while functions are compiled, show the progress to ``viewers``."""
        try:
            await self._readiness.agent(kind, spec, view, lambda count: live.show_preparing(viewers, count))
        finally:
            live.show_preparing((), None)

    def _check_move(self, live: Live, seat: int, move: int) -> None:
        ahead = live.served.ahead(seat)
        if live.served.game.seat_to_act != seat and (ahead is None or ahead.is_complete):
            why = (
                "it is not your turn"
                if ahead is None
                else "your plan is complete: it is played once the others have made theirs"
            )
            raise ConflictError(why, view=live.view(live.served.rules.players[seat]))
        self._check_number(live, seat, move)

    def _check_number(self, live: Live, seat: int, move: int) -> None:
        if live.served.moves[seat] != move:
            view = live.view(live.served.rules.players[seat])
            raise ConflictError("this decision has already been made", view=view)

    def _check_extras(self, live: Live) -> None:
        if live.served.undone + len(live.served.hints) >= self._extras:
            raise TooManyError("this game has reached its limit of hints and choices taken back")
