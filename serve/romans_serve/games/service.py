"""The service that creates, loads and lists games and opens streams to watch them, independent of HTTP.

A game is loaded on the first request for it, and its agents then continue to play.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from romans_env.core.games import rules_of, spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.errors import in_one_line, is_control_character, looks_of, shortened
from romans_env.render.text_interface import text_interface_of
from romans_serve.errors import BadRequestError, NotFoundError, TooManyError
from romans_serve.games.live import Live
from romans_serve.games.playing import PACES, Playing
from romans_serve.games.puzzle import entries_before
from romans_serve.games.readiness import Readiness
from romans_serve.games.served_game import ServedGame
from romans_serve.games.store import HOST, GameEntry, GameStore, GameStoreError, Seat, StoredGame
from romans_serve.games.streams import Stream, Streams
from romans_serve.games.views import names_of
from romans_serve.thinking import GameOffer, Thinker

TOKEN_BYTES = 16
LONGEST_NAME = 24


@dataclass(frozen=True)
class Limits:
    """Limits of a server.

    Attributes:
        games: maximum number of games in the database.
        loaded: number of games in memory above which games that are not being watched or played are unloaded.
        streams: maximum number of event streams of all games; it is below the maximum number of connections, so that
            other requests get through.
        streams_of_game: maximum number of event streams of one game.
        extras: maximum number of hints and undone actions of one game, all of which are replayed when it is loaded.
    """

    games: int = 100_000
    loaded: int = 200
    streams: int = 600
    streams_of_game: int = 64
    extras: int = 2_000


class NewSeat(NamedTuple):
    """A seat of a game to be created.

    Attributes:
        agent: agent spec; None for a person.
        name: display name of the person; None for a name made from the number of the seat.
    """

    agent: str | None = None
    name: str | None = None


class Created(NamedTuple):
    """A game that was created.

    Attributes:
        id: id of the game.
        tokens: secret tokens of people's seats and of the game's creator, by seat or `HOST`.
    """

    id: str
    tokens: dict[int, str]


class Service:
    """The games of a server.

    Args:
        store: the database.
        thinker: creates and asks the agents.
        offers: the games that can be played.
        limits: limits of the server.
        now: function that returns the time in seconds since 1970.

    Attributes:
        readiness: compiles and loads the code of games and agents.
        playing: plays the actions of people and agents.
    """

    def __init__(
        self,
        store: GameStore,
        thinker: Thinker,
        offers: Sequence[GameOffer],
        limits: Limits = Limits(),
        now: Callable[[], float] = time.time,
    ):
        self.store, self.thinker, self.limits, self._now = store, thinker, limits, now
        self.offers = {offer.game: offer for offer in offers}
        advisers = {offer.game: offer.adviser for offer in offers}
        self.readiness = Readiness(thinker, self.offers)
        self.playing = Playing(store, thinker, self.readiness, advisers, limits.extras, now)
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._streams = Streams()

    async def close(self) -> None:
        """Stop the agents and close the database, which already holds everything that was played."""
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
            game: name of the game.
            setup: name of an offered setup.
            fields: values of the settings that are offered separately from the setup.
            seats: the player of each seat.
            is_open: whether the game is listed and anyone may watch it.
            pace: seconds between decisions of agents, one of `PACES`. None stands for no pause if people play, and for
                one second otherwise.

        Raises:
            BadRequestError: if the request names a game, setup, value or agent that is not offered.
            TooManyError: if the database is full.
        """
        offer = self.offers.get(game)
        if offer is None:
            raise BadRequestError(f"there is no game {shortened(game)}; the games are {', '.join(self.offers)}")
        try:
            made = spec_of(game).make_setup(**offer.settings(setup, fields))
        except ValueError as error:
            raise BadRequestError(in_one_line(error)) from None
        if len(seats) != made.num_players:
            raise BadRequestError(f"the game has {made.num_players} seats, not {len(seats)}")
        kept = tuple(self._checked_seat(number, seat, game) for number, seat in enumerate(seats))
        return await self._create(game, made, kept, is_open, pace)

    async def again(self, live: Live, is_stronger: bool = False) -> Created:
        """Create a game with the setup and the seats of another game.

        Args:
            live: the other game.
            is_stronger: whether to replace every agent by an agent of the next higher level, if there is one.
        """
        stored = live.stored
        seats = self._stronger(stored) if is_stronger else stored.seats
        return await self._create(stored.game, live.served.rules.setup, seats, stored.is_open, stored.pace)

    def _stronger(self, stored: StoredGame) -> tuple[Seat, ...]:
        """Return the seats of a game, in which an agent of the next higher level, if there is one, replaces each agent.

        Levels were measured with the default setup, and an agent of another level may be unable to play other setups.
        """
        offer = self.offers[stored.game]
        if offer.default_setup() != _rules_of(stored).setup:
            return stored.seats
        found = [offer.stronger(seat.agent) if seat.agent else None for seat in stored.seats]
        return tuple(
            self._checked_seat(number, NewSeat(agent.spec), stored.game) if agent else seat
            for number, (seat, agent) in enumerate(zip(stored.seats, found, strict=True))
        )

    async def puzzle(self, live: Live, mistake: dict[str, Any]) -> Created:
        """Create a game that begins before a mistake of a finished game; agents play all other seats.

        Args:
            live: the finished game.
            mistake: the mistake, in the form of `romans_training.compare.review_words.mistake_as_json`.
        """
        game, players = live.stored.game, live.served.rules.players
        seat = players.index(mistake["player"])
        opponent = self.offers[game].opponent
        kept = [one if one.agent else Seat(opponent[:LONGEST_NAME], opponent) for one in live.served.seats]
        kept[seat] = Seat(live.served.seats[seat].name) if live.served.seats[seat].agent is None else Seat("player")
        entries = [*entries_before(live.served.game, mistake["action"]), GameEntry("puzzle", seat, mistake)]
        return await self._create(game, live.served.rules.setup, tuple(kept), False, None, entries)

    async def _create(
        self,
        game: str,
        made: Setup,
        kept: tuple[Seat, ...],
        is_open: bool,
        pace: float | None,
        entries: Sequence[GameEntry] = (),
    ) -> Created:
        people = [number for number, seat in enumerate(kept) if seat.agent is None]
        if pace is None:
            pace = 0.0 if people else 1.0
        if pace not in PACES:
            raise BadRequestError(f"the pace is one of {', '.join(map(str, PACES))}, not {pace}")
        if self.store.count() >= self.limits.games:
            raise TooManyError("the server's database is full: remove old games from it")
        rules = rules_of(made)
        self.readiness.begin(rules, [seat.agent for seat in kept if seat.agent])
        await self.readiness.rules(rules)
        served = ServedGame(rules, kept, entries)
        tokens = {seat: secrets.token_urlsafe(TOKEN_BYTES) for seat in (HOST, *people)}
        now = self._now()
        # Hints reveal random choices of agents whose seeds derive from this one, so it must be too long to guess.
        id, seed = secrets.token_urlsafe(9), secrets.randbits(63)
        stored = StoredGame(id, now, now, game, made.as_json(), kept, is_open, pace, seed)
        self.store.create(stored, tokens, entries or served.first_entries())
        self.playing.wake(self._keep(id, Live(stored, served, tokens, self.offers[game].levels)))
        return Created(id, tokens)

    def _checked_seat(self, number: int, seat: NewSeat, game: str) -> Seat:
        if seat.agent is not None:
            try:
                self.thinker.check(seat.agent, game)
            except ValueError as error:
                raise BadRequestError(f"seat {number}: {in_one_line(error)}") from None
            return Seat(seat.agent.partition(":")[0][:LONGEST_NAME] or "agent", seat.agent)
        name = " ".join((seat.name or f"player {number + 1}").split())
        if not name or len(name) > LONGEST_NAME or any(c == "#" or is_control_character(c) for c in name):
            raise BadRequestError(f"a name has 1 to {LONGEST_NAME} letters, no # and no control characters")
        return Seat(f"{name} (player)" if looks_of(name) in ("you", "your") else name)

    async def live(self, id: str) -> Live:
        """Return the game with an id, loading it if necessary.

        Raises:
            NotFoundError: if there is no such game.
        """
        found = self._live.get(id)
        if found is not None:
            self._live.move_to_end(id)
            self.playing.wake(found)
            return found
        stored = self.store.game(id)
        if stored is None or stored.game not in self.offers:
            raise NotFoundError("there is no such game")
        rules = _rules_of(stored)
        await self.readiness.rules(rules)
        if id in self._live:  # it was loaded while this call waited
            return self._live[id]
        served = ServedGame(rules, stored.seats, self.store.entries(id))
        live = self._keep(id, Live(stored, served, self.store.tokens(id), self.offers[stored.game].levels))
        self.playing.wake(live)
        return live

    def _keep(self, id: str, live: Live) -> Live:
        self._live[id] = live
        idle = [key for key, one in self._live.items() if not one.is_needed and key != id]
        for key in idle[: max(0, len(self._live) - self.limits.loaded)]:
            runner = self._live.pop(key).runner
            if runner is not None:
                runner.cancel()
        return live

    def listed(self, limit: int = 100) -> list[dict[str, Any]]:
        """Return summaries of the open games, most recently changed first."""
        shown = self.store.games(limit, lambda stored: self.summary(stored) if stored.game in self.offers else None)
        return [summary for summary in shown if summary is not None]

    def summary(self, stored: StoredGame) -> dict[str, Any]:
        """Return a summary of a game, which anyone who has the game's id may see."""
        rules = _rules_of(stored)
        names, levels = names_of(rules, stored.seats), self.offers[stored.game].levels
        return {
            "id": stored.id,
            "game": stored.game,
            "title": spec_of(stored.game).title,
            "setup": str(rules.setup),
            "setup_in_words": text_interface_of(stored.game).setup_in_words(rules.setup),
            "players": [
                {"player": player, "name": names[player], "agent": seat.agent, "level": levels.get(seat.agent or "")}
                for player, seat in zip(rules.players, stored.seats, strict=True)
            ],
            "created": stored.created,
            "changed": stored.changed,
            "is_open": stored.is_open,
            "is_over": stored.result is not None,
            "winners": [names[winner] for winner in stored.result["winners"]] if stored.result else [],
            "has_stronger": any(seat.agent is None for seat in stored.seats) and self._stronger(stored) != stored.seats,
        }

    # -- watching

    def check_streams(self, live: Live) -> None:
        """Raise TooManyError if no stream can be opened: too many streams are open, or their queues are full."""
        if len(self._streams.open) >= self.limits.streams or len(live.streams) >= self.limits.streams_of_game:
            raise TooManyError("too many pages show this game: close another one")
        if self._streams.are_full:
            raise TooManyError("too many browsers are slow to receive what they are sent: try again in a minute")

    def open_stream(self, live: Live, viewer: str, is_narrow: bool = False) -> Stream:
        """Open a stream of a game's events; `close_stream` closes it."""
        if not live.served.game.is_over:
            self.readiness.begin(live.served.rules, [seat.agent for seat in live.served.seats if seat.agent])
        stream = Stream(viewer, is_narrow, self._streams)
        live.streams.add(stream)
        return stream

    def close_stream(self, live: Live, stream: Stream) -> None:
        """Close a stream of a game's events."""
        live.streams.discard(stream)
        stream.close()


def _rules_of(stored: StoredGame) -> Rules:
    """Return the rules of a stored game; raise `GameStoreError` if the stored values do not fit them."""
    try:
        rules: Rules = spec_of(stored.game).part("rules").from_json(stored.setup)
        winners = set(stored.result["winners"]) if stored.result else set()
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise GameStoreError(f"the game is damaged in the database: {in_one_line(error)}") from None
    if len(stored.seats) != rules.num_players or not winners <= set(rules.players):
        raise GameStoreError("the game is damaged in the database: its players do not fit its setup")
    return rules
