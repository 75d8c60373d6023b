"""A game in memory, with the permissions of its clients and the streams to its viewers."""

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
        stored: the game's row in the database, which has everything except the entries.
        served: the game.
        tokens: secret tokens of the seats and of the game's creator, by seat or `romans_serve.games.store.HOST`.
        levels: level of each agent that has a level, by agent spec.

    Attributes:
        stored: the game's row in the database, kept up to date.
        served: the game.
        tokens: secret tokens, as for the constructor.
        streams: the event streams of the game's viewers.
        runner: task that plays for the agents; None while no agent is to act.
        thinks: the player whose agent has been thinking for a while; None if there is no such player.
        preparing: the viewers who wait for an agent to be compiled, which takes long at its first use.
        count: progress of this compilation; None while no viewer waits.
        hints: the seats for which a hint is being prepared.
        pace_changed: event that is set when the pace changes.
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
        """Whether the game has a viewer, an agent that prepares a hint, or agents that play and are not paused."""
        return bool(self.streams or self.hints) or (self.runner is not None and self.stored.pace >= 0)

    def is_of(self, seat: int, cookies: Mapping[str, str]) -> bool:
        """Return whether the cookies hold the token of a seat."""
        return self._has_token(seat, cookies.get(cookie_of(seat)))

    def own_seats(self, cookies: Mapping[str, str]) -> list[int]:
        """Return the seats whose tokens the cookies hold."""
        return [seat for seat in self.tokens if seat != HOST and self.is_of(seat, cookies)]

    def is_known(self, cookies: Mapping[str, str]) -> bool:
        """Return whether the cookies belong to a player or to the creator of the game."""
        return any(self.is_of(seat, cookies) for seat in self.tokens)

    def viewer(self, seat: int | None, cookies: Mapping[str, str]) -> str:
        """Return the viewer for a request: the player of a seat, or a spectator if ``seat`` is None.

        Raises:
            ForbiddenError: if the cookies do not hold the seat's token.
            NotFoundError: if the game is not open and the client is neither a player nor the game's creator.
        """
        if seat is not None and self.is_of(seat, cookies):
            return self.served.rules.players[seat]
        if not self.stored.is_open and not self.is_known(cookies):
            raise NotFoundError("there is no such game")
        if seat is None:
            return SPECTATOR
        raise ForbiddenError("this seat is not yours: open its private link first")

    def seat_of(self, token: str, cookies: Mapping[str, str]) -> int:
        """Return the seat, or `HOST`, to which the token of a private link belongs.

        Raises the same errors as `viewer`.
        """
        for seat in self.tokens:
            if self._has_token(seat, token):
                return seat
        self.viewer(None, cookies)
        raise ForbiddenError("this is not a private link of this game: ask for a new one")

    def require_host(self, cookies: Mapping[str, str]) -> None:
        """Check that the client created the game; otherwise, raise the same errors as `viewer`."""
        if not self.is_of(HOST, cookies):
            self.viewer(None, cookies)
            raise ForbiddenError("only the creator of the game may do that")

    def _has_token(self, seat: int, token: str | None) -> bool:
        own = self.tokens.get(seat)
        return own is not None and token is not None and secrets.compare_digest(own.encode(), token.encode())

    def view(self, viewer: str, is_narrow: bool = False) -> dict[str, Any]:
        """Return everything that a viewer may see.

        These are the keys of `romans_serve.games.views.view_of`, the game's title and setup, the players and the pace.
        """
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
        """Return a seed for the seat's current decision, so that an agent gives the same answer after a restart."""
        text = f"{self.stored.seed} {seat} {self.served.moves[seat]}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1

    def show_thinking(self, player: str | None) -> None:
        """Tell all viewers which player's agent has been thinking for a while; None for no agent."""
        if player != self.thinks:
            self.thinks = player
            for stream in self.streams:
                stream.put("thinks", {"player": player})

    def show_preparing(self, viewers: Iterable[str], count: Count | None) -> None:
        """Send the progress of compiling an agent to the viewers who wait for it."""
        before = {stream: self._count_for(stream.viewer) for stream in self.streams}
        self.preparing, self.count = frozenset(viewers), count
        for stream, shown in before.items():
            now = self._count_for(stream.viewer)
            if now != shown:
                stream.put("preparing", {"preparing": now})

    def _count_for(self, viewer: str) -> dict[str, int | None] | None:
        return self.count._asdict() if self.count is not None and viewer in self.preparing else None

    def show(self, shown: Mapping[str, Sequence[ServedFrame]]) -> None:
        """Send the new frames of each viewer to this viewer's streams."""
        for viewer, is_narrow in {
            (stream.viewer, stream.is_narrow) for stream in self.streams if stream.viewer in shown
        }:
            for frame in shown[viewer]:
                event = frame_as_json(self.served, viewer, frame, is_narrow)
                for stream in self.streams:
                    if (stream.viewer, stream.is_narrow) == (viewer, is_narrow):
                        stream.put("look", event)

    def show_held(self, seat: int) -> None:
        """Send a seat the view with the actions that it has chosen ahead; no other viewer gets it."""
        viewer = self.served.rules.players[seat]
        frame = self.served.frames[viewer]
        self.show({viewer: [replace(frame, lines=(), start=len(frame.lines))]})
