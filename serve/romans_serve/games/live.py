"""A game in memory: who may ask for it, and those who look on."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from romans_env.core.games import spec_of
from romans_env.render.text_interface import text_interface_of
from romans_serve.errors import ForbiddenError, NotFoundError
from romans_serve.games.served_game import ServedFrame, ServedGame
from romans_serve.games.spectator import SPECTATOR
from romans_serve.games.store import HOST, StoredGame
from romans_serve.games.streams import Stream
from romans_serve.games.views import frame_as_json, players_as_json, view_of
from romans_serve.thinking import Count


def cookie_of(seat: int) -> str:
    """Return the name of the cookie that holds the token of a seat, or of `HOST`."""
    return "host" if seat == HOST else f"seat_{seat}"


class Live:
    """A game in memory.

    Args:
        stored: what is kept beside its entries.
        served: the game.
        tokens: by seat, with that of `romans_serve.games.store.HOST`.
        levels: how strong agents are, by agent spec.

    Attributes:
        stored: see above.
        served: see above.
        tokens: see above.
        streams: of those who look on.
        runner: plays for the agents; None where none is to act.
        thinks: the player whose agent has been thinking for a while.
        preparing: the viewers who wait for an agent that is compiled, which at its first use takes long.
        count: how much of it is ready; None while nobody waits.
        hints: the seats for which one is being made.
        pace_changed: set when agents are to play faster or slower.
    """

    def __init__(self, stored: StoredGame, served: ServedGame, tokens: Mapping[int, str], levels: Mapping[str, int]):
        self.stored, self.served, self.tokens, self._levels = stored, served, dict(tokens), levels
        self.streams: set[Stream] = set()
        self.runner: asyncio.Task[None] | None = None
        self.thinks: str | None = None
        self.preparing: frozenset[str] = frozenset()
        self.count: Count | None = None
        self.hints: set[int] = set()
        self.pace_changed = asyncio.Event()

    @property
    def is_needed(self) -> bool:
        """Whether somebody looks on, or an agent is asked; one that waits for another pace is not."""
        return bool(self.streams or self.hints) or (self.runner is not None and self.stored.pace >= 0)

    def is_of(self, seat: int, cookies: Mapping[str, str]) -> bool:
        """Return whether cookies hold the token of a seat."""
        return self._has_token(seat, cookies.get(cookie_of(seat)))

    def own_seats(self, cookies: Mapping[str, str]) -> list[int]:
        """Return the seats whose tokens cookies hold."""
        return [seat for seat in self.tokens if seat != HOST and self.is_of(seat, cookies)]

    def is_known(self, cookies: Mapping[str, str]) -> bool:
        """Return whether cookies are those of a player, or of the creator of the game."""
        return any(self.is_of(seat, cookies) for seat in self.tokens)

    def viewer(self, seat: int | None, cookies: Mapping[str, str]) -> str:
        """Return the viewer that a request names; None for a seat is a spectator.

        Raises:
            ForbiddenError: the cookies do not hold the seat's token.
            NotFoundError: the game is not open, and the request comes from a stranger.
        """
        if seat is not None and self.is_of(seat, cookies):
            return self.served.rules.players[seat]
        if not self.stored.is_open and not self.is_known(cookies):
            raise NotFoundError("there is no such game")
        if seat is None:
            return SPECTATOR
        raise ForbiddenError("this seat is not yours: open its private link first")

    def seat_of(self, token: str, cookies: Mapping[str, str]) -> int:
        """Return the seat of a private link, or `HOST`; raise ForbiddenError for another, NotFoundError as above."""
        for seat in self.tokens:
            if self._has_token(seat, token):
                return seat
        self.viewer(None, cookies)
        raise ForbiddenError("this is no private link of this game: ask for it again")

    def require_host(self, cookies: Mapping[str, str]) -> None:
        """Check that cookies are of who created the game; raise ForbiddenError otherwise, NotFoundError as above."""
        if not self.is_of(HOST, cookies):
            self.viewer(None, cookies)
            raise ForbiddenError("only who created the game may do that")

    def _has_token(self, seat: int, token: str | None) -> bool:
        own = self.tokens.get(seat)
        return own is not None and token is not None and secrets.compare_digest(own.encode(), token.encode())

    def view(self, viewer: str, is_narrow: bool = False) -> dict[str, Any]:
        """Return all that a viewer may see, see `romans_serve.games.views.view_of`; also who plays and how fast."""
        return {
            "id": self.stored.id,
            "game": self.stored.game,
            "title": spec_of(self.stored.game).title,
            "setup": str(self.served.rules.setup),
            "setup_in_words": text_interface_of(self.stored.game).setup_in_words(self.served.rules.setup),
            "viewer": viewer,
            "players": players_as_json(self.served.rules, self.served.seats, viewer, self._levels),
            "pace": self.stored.pace,
            "is_open": self.stored.is_open,
            "thinks": self.thinks,
            "preparing": self._count_for(viewer),
            **view_of(self.served, viewer, is_narrow),
        }

    def seed_of(self, seat: int) -> int:
        """Return a seed that no other decision of a game has: an agent asked again after a restart answers alike."""
        text = f"{self.stored.seed} {seat} {self.served.moves[seat]}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1

    def show_thinking(self, player: str | None) -> None:
        """Tell all onlookers whose agent has been thinking for a while; None: no agent."""
        if player != self.thinks:
            self.thinks = player
            for stream in self.streams:
                stream.put("thinks", {"player": player})

    def show_preparing(self, viewers: Iterable[str], count: Count | None) -> None:
        """Show who waits for an agent that is compiled how much of it is ready; to others nothing is sent."""
        before = {stream: self._count_for(stream.viewer) for stream in self.streams}
        self.preparing, self.count = frozenset(viewers), count
        for stream, shown in before.items():
            now = self._count_for(stream.viewer)
            if now != shown:
                stream.put("preparing", {"preparing": now})

    def _count_for(self, viewer: str) -> dict[str, int | None] | None:
        return self.count._asdict() if self.count is not None and viewer in self.preparing else None

    def show(self, shown: Mapping[str, Sequence[ServedFrame]]) -> None:
        """Show those who look on what an action shows to each viewer."""
        for viewer, is_narrow in {
            (stream.viewer, stream.is_narrow) for stream in self.streams if stream.viewer in shown
        }:
            for frame in shown[viewer]:
                event = frame_as_json(self.served, viewer, frame, is_narrow)
                for stream in self.streams:
                    if (stream.viewer, stream.is_narrow) == (viewer, is_narrow):
                        stream.put("look", event)

    def show_held(self, seat: int) -> None:
        """Show a seat what it holds; nobody else."""
        viewer = self.served.rules.players[seat]
        frame = self.served.frames[viewer]
        self.show({viewer: [replace(frame, lines=(), start=len(frame.lines))]})
