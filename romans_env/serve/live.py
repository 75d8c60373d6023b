"""A game in memory: who may ask for it, and those who look on."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from romans_env.games import spec_of
from romans_env.serve.errors import ForbiddenError, NotFoundError
from romans_env.serve.served_game import Look, ServedGame
from romans_env.serve.spectator import SPECTATOR
from romans_env.serve.store import HOST, StoredGame
from romans_env.serve.streams import Stream
from romans_env.serve.views import look_of, players_as_json, view_of


class Live:
    """A game in memory.

    Attributes:
        stored: what is kept beside its entries.
        served: the game.
        tokens: by seat, with that of `romans_env.serve.store.HOST`.
        streams: of those who look on.
        runner: plays for the agents; None where none is to act.
        thinks: the player whose agent has been thinking for a while.
        preparing: the viewers who wait for an agent that is compiled or loaded, which at its first use takes long.
        hints: the seats for which one is being made.
        pace_changed: set when agents are to play faster or slower.
    """

    def __init__(self, stored: StoredGame, served: ServedGame, tokens: Mapping[int, str]):
        self.stored, self.served, self.tokens = stored, served, dict(tokens)
        self.streams: set[Stream] = set()
        self.runner: asyncio.Task[None] | None = None
        self.thinks: str | None = None
        self.preparing: frozenset[str] = frozenset()
        self.hints: set[int] = set()
        self.pace_changed = asyncio.Event()

    @property
    def is_needed(self) -> bool:
        """Whether somebody looks on, or an agent is asked; one that waits for another pace is not."""
        return bool(self.streams or self.hints) or (self.runner is not None and self.stored.pace >= 0)

    def is_of(self, seat: int, token: str | None) -> bool:
        """Return whether a token is that of a seat."""
        own = self.tokens.get(seat)
        return own is not None and token is not None and secrets.compare_digest(own.encode(), token.encode())

    def viewer(self, seat: int | None, token: str | None, is_known: bool = False) -> str:
        """Return the viewer that a request names; None for a seat is a spectator.

        Args:
            seat: the number of a seat, or None.
            token: the token of that seat.
            is_known: whether the request comes from a player, or from the creator of the game.

        Raises:
            ForbiddenError: the token is not the seat's.
            NotFoundError: the game is not open, and the request comes from a stranger.
        """
        if seat is not None and self.is_of(seat, token):
            return self.served.rules.players[seat]
        if not self.stored.is_open and not is_known:
            raise NotFoundError("there is no such game")
        if seat is None:
            return SPECTATOR
        raise ForbiddenError("this seat is not yours: open its private link first")

    def seat_of(self, token: str, is_known: bool = False) -> int:
        """Return the seat of a private link, or `HOST`; raise ForbiddenError for another, NotFoundError as above."""
        for seat in self.tokens:
            if self.is_of(seat, token):
                return seat
        self.viewer(None, None, is_known)
        raise ForbiddenError("this is no private link of this game: ask for it again")

    def require_host(self, token: str | None, is_known: bool = False) -> None:
        """Check that the token is the creator's of the game; raise ForbiddenError otherwise, NotFoundError as above."""
        if not self.is_of(HOST, token):
            self.viewer(None, None, is_known)
            raise ForbiddenError("only who created the game may do that")

    def view(self, viewer: str, is_narrow: bool = False) -> dict[str, Any]:
        """Return all that a viewer may see, see `romans_env.serve.views.view_of`; also who plays and how fast."""
        return {
            "id": self.stored.id,
            "game": self.stored.game,
            "title": spec_of(self.stored.game).title,
            "setup": str(self.served.rules.setup),
            "viewer": viewer,
            "players": players_as_json(self.served.rules, self.served.seats, viewer),
            "pace": self.stored.pace,
            "is_open": self.stored.is_open,
            "thinks": self.thinks,
            "is_preparing": viewer in self.preparing,
            **view_of(self.served, viewer, is_narrow),
        }

    def seed_of(self, seat: int) -> int:
        """Return a seed that no other decision of a game has: an agent asked again after a restart answers alike."""
        text = f"{self.stored.seed} {seat} {self.served.moves[seat]}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1

    def show_thinking(self, player: str | None) -> None:
        """Show everybody who looks on which player's agent takes its time."""
        if player != self.thinks:
            self.thinks = player
            for stream in self.streams:
                stream.put("thinks", {"player": player})

    def show_preparing(self, viewers: Iterable[str]) -> None:
        """Show who waits for an agent that is compiled or loaded; to others nothing is sent."""
        before, self.preparing = self.preparing, frozenset(viewers)
        for stream in self.streams:
            if stream.viewer in before ^ self.preparing:
                stream.put("preparing", {"is_preparing": stream.viewer in self.preparing})

    def show(self, shown: Mapping[str, Sequence[Look]]) -> None:
        """Show those who look on what a step shows to each viewer."""
        for viewer, is_narrow in {(stream.viewer, stream.is_narrow) for stream in self.streams}:
            sight, looks = self.served.sights[viewer], shown[viewer]
            start = len(sight.lines) - sum(len(look.lines) for look in looks)
            serial = sight.serial - len(looks)
            for look in looks:
                serial += 1
                event = {"serial": serial, **look_of(self.served, viewer, look, start, is_narrow)}
                start += len(look.lines)
                for stream in self.streams:
                    if (stream.viewer, stream.is_narrow) == (viewer, is_narrow):
                        stream.put("look", event)
