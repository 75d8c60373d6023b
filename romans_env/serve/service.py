"""Games that are served: created, played, watched and kept, whatever carries the requests.

Everything that changes a game runs without an interruption on the event loop: it is played, written to the database,
and shown to those who look on. A game is loaded when it is asked for, and agents play on in it from there.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from romans_env.errors import IllegalActionError, in_one_line, is_control_character, shortened
from romans_env.game import Game, View
from romans_env.games import rules_of, spec_of
from romans_env.protocol import Rules
from romans_env.serve.agent_runs import kept, play_agents
from romans_env.serve.errors import (
    BadRequestError,
    ConflictError,
    ForbiddenError,
    NotFoundError,
    TooManyError,
    UnavailableError,
)
from romans_env.serve.live import Live
from romans_env.serve.plans import understood
from romans_env.serve.served_game import DamagedGameError, Look, ServedGame, Step
from romans_env.serve.spectator import SPECTATOR
from romans_env.serve.store import HOST, Entry, Seat, Store, StoredGame
from romans_env.serve.streams import Stream
from romans_env.serve.thinking import GameOffer, Hint, Thinker, ThinkingError
from romans_env.serve.views import look_of, names_of, players_as_json, view_of

TOKEN_BYTES = 16
PACES = (-1.0, 0.0, 0.3, 1.0, 3.0)
"""Seconds between decisions of agents that can be chosen; negative: they wait."""
LONGEST_NAME = 24
MOST_WORDS = 64
"""Words of a plan."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """What a server bears.

    Attributes:
        games: in the database.
        loaded: games that are kept in memory while nobody looks on.
        streams: of events, in all.
        streams_of_game: of one game.
        extras: hints, and actions taken back, of one game, which is rebuilt from all of them.
    """

    games: int = 100_000
    loaded: int = 200
    streams: int = 2_000
    streams_of_game: int = 64
    extras: int = 2_000


class NewSeat(NamedTuple):
    """A seat of a game that is created.

    Attributes:
        agent: the agent spec; None for a person.
        name: what the person is called; None for a name by the number of the seat.
        is_here: whether the person plays in the browser that creates the game, not by a private link.
    """

    agent: str | None = None
    name: str | None = None
    is_here: bool = True


class Created(NamedTuple):
    """A game that was created.

    Attributes:
        id: of the game.
        tokens: by seat, with that of `HOST`.
    """

    id: str
    tokens: dict[int, str]


class Service:
    """The games of a server.

    Args:
        store: the database.
        thinker: makes and asks the agents.
        offers: what can be played.
        limits: what the server bears.
        now: the seconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        thinker: Thinker,
        offers: Sequence[GameOffer],
        limits: Limits = Limits(),
        now: Callable[[], float] = time.time,
    ):
        self.store, self.thinker, self.limits, self._now = store, thinker, limits, now
        self.offers = {offer.game: offer for offer in offers}
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._ready: dict[str, asyncio.Task[None]] = {}
        self._prepared: set[tuple[str, str]] = set()
        self._num_streams = 0

    async def close(self) -> None:
        """Stop the agents; all that was played is in the database."""
        for live in self._live.values():
            if live.runner is not None:
                live.runner.cancel()
        self.store.close()

    # -- games

    async def create(
        self,
        game: str,
        setup: str,
        fields: Mapping[str, Any],
        seats: Sequence[NewSeat],
        is_open: bool = True,
        pace: float | None = None,
    ) -> Created:
        """Create a game.

        Args:
            game: its name.
            setup: one of the setups offered.
            fields: values of the settings offered beside it.
            seats: who plays, by seat.
            is_open: whether it is listed, and everybody may watch.
            pace: one of `PACES`; None for no pause where people play, else for one second.

        Raises:
            BadRequestError: what is not offered.
            TooManyError: the database holds as many games as it may.
        """
        offer = self.offers.get(game)
        if offer is None:
            raise BadRequestError(f"there is no game {shortened(game)}; there are {', '.join(self.offers)}")
        try:
            made = spec_of(game).make_setup(**offer.settings(setup, fields))
        except ValueError as error:
            raise BadRequestError(in_one_line(error)) from None
        if len(seats) != made.num_players:
            raise BadRequestError(f"{len(seats)} seats are given, and the game has {made.num_players}")
        kept = tuple(self._checked_seat(number, seat, game) for number, seat in enumerate(seats))
        people = [number for number, seat in enumerate(kept) if seat.agent is None]
        if pace is None:
            pace = 0.0 if people else 1.0
        if pace not in PACES:
            raise BadRequestError(f"the pace is one of {', '.join(map(str, PACES))}, not {pace}")
        if self.store.count() >= self.limits.games:
            raise TooManyError("this server keeps as many games as it may: remove old ones from its database")
        rules = rules_of(made)
        await self.ready(rules)
        served = ServedGame(rules, kept)
        tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in (HOST, *people)}
        now = self._now()
        stored = StoredGame(
            secrets.token_urlsafe(9),
            now,
            now,
            game,
            made.as_json(),
            kept,
            is_open,
            pace,
            secrets.randbits(31),
        )
        self.store.create(stored, tokens, served.first_entries())
        self._wake(self._keep(stored.id, Live(stored, served, tokens)))
        return Created(stored.id, tokens)

    def _checked_seat(self, number: int, seat: NewSeat, game: str) -> Seat:
        if seat.agent is not None:
            try:
                self.thinker.check(seat.agent, game)
            except ValueError as error:
                raise BadRequestError(f"seat {number}: {in_one_line(error)}") from None
            return Seat(seat.agent.partition(":")[0][:LONGEST_NAME] or "agent", seat.agent)
        name = " ".join((seat.name or f"player {number + 1}").split())
        if not name or len(name) > LONGEST_NAME or any(map(is_control_character, name)):
            raise BadRequestError(f"a name has 1 to {LONGEST_NAME} letters, and no control characters")
        return Seat(f"{name} (player)" if name.lower() in ("you", "your") else name)

    async def live(self, id: str) -> Live:
        """The game of an id.

        Raises:
            NotFoundError: the game does not exist.
        """
        found = self._live.get(id)
        if found is not None:
            self._live.move_to_end(id)
            self._wake(found)
            return found
        stored = self.store.game(id)
        if stored is None or stored.game not in self.offers:
            raise NotFoundError("there is no such game")
        rules: Rules = spec_of(stored.game).part("rules").from_json(stored.setup)
        await self.ready(rules)
        if id in self._live:  # it was loaded while this call waited
            return self._live[id]
        try:
            served = ServedGame(rules, stored.seats, self.store.entries(id))
        except DamagedGameError as error:
            raise NotFoundError(str(error)) from None
        live = self._keep(id, Live(stored, served, self.store.tokens(id)))
        self._wake(live)
        return live

    def _keep(self, id: str, live: Live) -> Live:
        self._live[id] = live
        idle = [key for key, one in self._live.items() if not one.is_needed and key != id]
        for key in idle[: max(0, len(self._live) - self.limits.loaded)]:
            runner = self._live.pop(key).runner
            if runner is not None:
                runner.cancel()
        return live

    async def ready(self, rules: Rules) -> None:
        """Wait until the compiled code of a game is loaded, which happens beside the event loop."""
        if rules.name not in self._ready:
            self._ready[rules.name] = asyncio.create_task(asyncio.to_thread(_load_code, rules))
        loading = self._ready[rules.name]
        try:
            await asyncio.shield(loading)
        except Exception:
            # Whoever asks next tries again.
            if self._ready.get(rules.name) is loading:
                del self._ready[rules.name]
            raise

    def listed(self, limit: int = 100) -> list[dict[str, Any]]:
        """The open games, those that changed last first."""
        return [self._summary(stored) for stored in self.store.games(limit) if stored.game in self.offers]

    async def summary(self, id: str) -> dict[str, Any]:
        """What everybody who knows a game's id may know of it."""
        live = await self.live(id)
        return self._summary(live.stored)

    def _summary(self, stored: StoredGame) -> dict[str, Any]:
        rules: Rules = spec_of(stored.game).part("rules").from_json(stored.setup)
        names = names_of(rules, stored.seats)
        return {
            "id": stored.id,
            "game": stored.game,
            "title": spec_of(stored.game).title,
            "setup": str(rules.setup),
            "players": [
                {"player": player, "name": names[player], "agent": seat.agent}
                for player, seat in zip(rules.players, stored.seats, strict=True)
            ],
            "created": stored.created,
            "changed": stored.changed,
            "is_open": stored.is_open,
            "is_over": stored.result is not None,
            "winners": [names[winner] for winner in stored.result["winners"]] if stored.result else [],
        }

    # -- seats

    def viewer(self, live: Live, seat: int | None, token: str | None, is_known: bool = False) -> str:
        """The viewer that a request names; None for a seat is a spectator.

        Args:
            live: the game.
            seat: the number of a seat, or None.
            token: of that seat.
            is_known: whether the request comes from a player, or from the creator of the game.

        Raises:
            ForbiddenError: the token is not the seat's.
            NotFoundError: the game is not open, and the request comes from a stranger.
        """
        if seat is not None and live.is_of(seat, token):
            return live.served.rules.players[seat]
        if not live.stored.is_open and not is_known:
            raise NotFoundError("there is no such game")
        if seat is None:
            return SPECTATOR
        raise ForbiddenError("this seat is not yours: open its private link first")

    def seat_of(self, live: Live, token: str, is_known: bool = False) -> int:
        """The seat of a private link, or `HOST`; ForbiddenError: it is no link of this game; NotFoundError as above."""
        for seat in live.tokens:
            if live.is_of(seat, token):
                return seat
        self.viewer(live, None, None, is_known)
        raise ForbiddenError("this is no private link of this game: ask for it again")

    def require_host(self, live: Live, token: str | None, is_known: bool = False) -> None:
        """ForbiddenError unless the token is that of who created the game; NotFoundError as above."""
        if not live.is_of(HOST, token):
            self.viewer(live, None, None, is_known)
            raise ForbiddenError("only who created the game may do that")

    def view(self, live: Live, viewer: str) -> dict[str, Any]:
        """All that a viewer may see, see `romans_env.serve.views.view_of`; also who plays and how fast."""
        return {
            "id": live.stored.id,
            "game": live.stored.game,
            "title": spec_of(live.stored.game).title,
            "setup": str(live.served.rules.setup),
            "viewer": viewer,
            "players": players_as_json(live.served.rules, live.served.seats, viewer),
            "pace": live.stored.pace,
            "is_open": live.stored.is_open,
            "thinks": live.thinks,
            **view_of(live.served, viewer),
        }

    # -- playing

    def act(self, live: Live, seat: int, move: int, plan: str) -> dict[str, Any]:
        """Play one action, or a plan of several, of a seat.

        Args:
            live: the game.
            seat: whose actions they are; the caller has checked its token.
            move: the number of the decision that the first answers.
            plan: names of actions, as records have them, with spaces between.

        Returns:
            ``played`` (how many actions), ``unused`` (words that were not needed, because others decide) and ``error``
            (why the plan stopped, or None).

        Raises:
            ConflictError: the seat has another decision, or none.
            BadRequestError: the first word is no legal action.
            UnavailableError: the first action cannot be kept; nothing is changed.
        """
        self._check_move(live, seat, move)
        words = [word for word in plan.split() if word != live.served.rules.players[seat]]
        if not 1 <= len(words) <= MOST_WORDS:
            raise BadRequestError(f"name 1 to {MOST_WORDS} actions, such as the first of your choices")
        played, error = 0, None
        for word in words:
            if live.served.game.seat_to_act != seat:
                break
            try:
                self.commit(live, live.served.step(understood(word, live.served.game)))
            except IllegalActionError as wrong:
                if played == 0:
                    raise BadRequestError(in_one_line(wrong)) from None
                error = in_one_line(wrong)
                break
            except UnavailableError:
                if played == 0:
                    raise
                error = "the games cannot be kept just now: play the others in a moment"
                break
            played += 1
        self._wake(live)
        return {"played": played, "unused": words[played:], "error": error, "move": live.served.moves[seat]}

    def undo(self, live: Live, seat: int, move: int) -> dict[str, Any]:
        """Take the latest choice of a seat back.

        Raises:
            ConflictError: the seat has another decision, or none; or the choice cannot be taken back.
            UnavailableError: it cannot be kept; nothing is changed.
        """
        self._check_move(live, seat, move)
        self._check_extras(live)
        why = live.served.why_not_undo(seat)
        if why is not None:
            raise ConflictError(why, view=self._view_of_seat(live, seat))
        changed = live.served.seen_of_undo()
        self._write(live, [Entry("undo", seat, None)], live.served.game, SPECTATOR in changed)
        live.served.take_back(seat)
        for stream in live.streams:
            if stream.viewer in changed:
                stream.put("view", self.view(live, stream.viewer))
        return {"move": live.served.moves[seat]}

    async def hint(self, live: Live, seat: int, move: int, agent: str | None) -> dict[str, Any]:
        """What an agent would do in the place of a seat; the record says that it was asked.

        Raises:
            ConflictError: the seat has another decision, or none.
            BadRequestError: no such agent, or one that does not say.
            TooManyError: another hint for the seat is being made, or as many were given as a game may have.
        """
        self._check_move(live, seat, move)
        spec = agent or self.offers[live.stored.game].adviser
        try:
            self.thinker.check(spec, live.stored.game)
        except ValueError as error:
            raise BadRequestError(in_one_line(error)) from None
        self._check_extras(live)
        if seat in live.hints:
            raise TooManyError("a hint for this seat is being made already: wait for it")
        view = live.served.game.view(seat)
        live.hints.add(seat)
        try:
            await self._prepare(spec, view)
            hint: Hint = await self.thinker.hint(spec, view, live.seed_of(seat))
        except ThinkingError as error:
            raise BadRequestError(f"{spec} gives no hint: {in_one_line(error)}") from None
        finally:
            live.hints.discard(seat)
        self._check_move(live, seat, move)
        said = hint.as_json()
        await kept(lambda: self.add(live, Entry("hint", seat, said)))
        return said

    def set_pace(self, live: Live, pace: float) -> None:
        """Change the seconds between decisions of agents; BadRequestError: none of `PACES`."""
        if pace not in PACES:
            raise BadRequestError(f"the pace is one of {', '.join(map(str, PACES))}, not {pace}")
        self.store.set_pace(live.stored.id, pace)
        live.stored = live.stored._replace(pace=pace)
        live.pace_changed.set()
        for stream in live.streams:
            stream.put("pace", {"pace": pace})

    def record(self, live: Live) -> dict[str, Any]:
        """The record of a game that is over; ConflictError before."""
        if not live.served.game.is_over:
            raise ConflictError("the game is not over: its record would show hidden cards")
        return live.served.record()

    # -- looking on

    def check_streams(self, live: Live) -> None:
        """TooManyError where no more may look on."""
        if self._num_streams >= self.limits.streams or len(live.streams) >= self.limits.streams_of_game:
            raise TooManyError("too many look on: close another page of this game")

    def open_stream(self, live: Live, viewer: str) -> Stream:
        """Look on at a game that was just asked for; `close_stream` ends it."""
        stream = Stream(viewer)
        live.streams.add(stream)
        self._num_streams += 1
        return stream

    def close_stream(self, live: Live, stream: Stream) -> None:
        """Look on no longer."""
        if stream in live.streams:
            live.streams.discard(stream)
            self._num_streams -= 1

    # -- within

    def _check_move(self, live: Live, seat: int, move: int) -> None:
        served = live.served
        if served.game.seat_to_act != seat or served.moves[seat] != move:
            why = "it is not your turn" if served.game.seat_to_act != seat else "this decision was made already"
            raise ConflictError(why, view=self._view_of_seat(live, seat))

    def _check_extras(self, live: Live) -> None:
        if live.served.undone + len(live.served.hints) >= self.limits.extras:
            raise TooManyError("this game has had as many hints and choices taken back as a game may have")

    def _view_of_seat(self, live: Live, seat: int) -> dict[str, Any]:
        return self.view(live, live.served.rules.players[seat])

    def commit(self, live: Live, step: Step) -> None:
        """Keep a step, play it, and show it to those who look on.

        Raises:
            UnavailableError: the database cannot be written; nothing is changed.
            ConflictError: another process went on with the game, which was loaded anew.
        """
        if step.before is not live.served.game:
            raise ConflictError("the game went on meanwhile: reload the page")
        self._write(live, step.entries, step.game, is_seen=bool(step.looks[SPECTATOR]))
        live.served.play(step)
        self._publish(live, step.looks)

    def add(self, live: Live, entry: Entry) -> None:
        """Keep a hint or a remark; errors as of `commit`."""
        self._write(live, [entry], live.served.game, is_seen=False)
        live.served.add(entry)

    async def ask(self, spec: str, view: View, seed: int) -> int:
        """An agent's action; `ThinkingError` where it gives none."""
        await self._prepare(spec, view)
        return await self.thinker.act(spec, view, seed)

    def _write(self, live: Live, entries: Sequence[Entry], game: Game, is_seen: bool) -> None:
        """Write entries before anything is changed.

        Args:
            live: the game.
            entries: that are to be added.
            game: as it is with them.
            is_seen: whether spectators see something of them.
        """
        moves = sum(live.served.moves) + sum(entry.kind in ("action", "undo") for entry in entries)
        changed, result = self._now() if is_seen else None, game.result()
        try:
            self.store.append(live.stored.id, live.served.entries, entries, moves, result, changed)
        except sqlite3.IntegrityError:
            self._load_anew(live)
            raise ConflictError("another server plays this game on: reload the page") from None
        live.stored = live.stored._replace(changed=changed or live.stored.changed, moves=moves, result=result)

    def _load_anew(self, live: Live) -> None:
        """Put what the database has in the place of what is in memory; those who look on see it."""
        stored = self.store.game(live.stored.id)
        assert stored is not None
        before = live.served.sights
        live.stored, live.served = stored, ServedGame(live.served.rules, stored.seats, self.store.entries(stored.id))
        for stream in live.streams:
            # Who sees nothing of what was played is not sent that something was.
            if live.served.sights[stream.viewer].serial != before[stream.viewer].serial:
                stream.put("view", self.view(live, stream.viewer))
        self._wake(live)

    @staticmethod
    def _publish(live: Live, shown: Mapping[str, Sequence[Look]]) -> None:
        for viewer in {stream.viewer for stream in live.streams}:
            sight, looks = live.served.sights[viewer], shown[viewer]
            start = len(sight.lines) - sum(len(look.lines) for look in looks)
            serial = sight.serial - len(looks)
            for look in looks:
                serial += 1
                event = {"serial": serial, **look_of(live.served, viewer, look, start)}
                start += len(look.lines)
                for stream in live.streams:
                    if stream.viewer == viewer:
                        stream.put("look", event)

    # -- agents

    def _wake(self, live: Live) -> None:
        """Let the agents play on, where one of them is to act."""
        seat = live.served.game.seat_to_act
        if seat is not None and live.served.seats[seat].agent is not None and live.runner is None:
            live.runner = asyncio.create_task(self._run_agents(live))

    async def _run_agents(self, live: Live) -> None:
        try:
            await play_agents(live, self)
        except Exception:  # it goes on with the next request for the game
            _LOG.exception("game %s: its agents stopped", live.stored.id)
        finally:
            live.runner = None

    async def _prepare(self, spec: str, view: View) -> None:
        key = (spec, view.rules.name)
        if key not in self._prepared:
            await self.thinker.prepare(spec, view)
            self._prepared.add(key)


def _load_code(rules: Rules) -> None:
    """Play some actions of a game, and look at it, so that what is compiled is loaded."""
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
    Game(rules, seed=0)
