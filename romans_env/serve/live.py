"""A game in memory, with those who look on."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Mapping

from romans_env.serve.served_game import ServedGame
from romans_env.serve.store import StoredGame
from romans_env.serve.streams import Stream


class Live:
    """A game in memory.

    Attributes:
        stored: what is kept beside its entries.
        served: the game.
        tokens: by seat, with that of `romans_env.serve.store.HOST`.
        streams: of those who look on.
        runner: plays for the agents; None where none is to act.
        thinks: the player whose agent has been thinking for a while.
        hints: the seats for which one is being made.
        pace_changed: set when agents are to play faster or slower.
    """

    def __init__(self, stored: StoredGame, served: ServedGame, tokens: Mapping[int, str]):
        self.stored, self.served, self.tokens = stored, served, dict(tokens)
        self.streams: set[Stream] = set()
        self.runner: asyncio.Task[None] | None = None
        self.thinks: str | None = None
        self.hints: set[int] = set()
        self.pace_changed = asyncio.Event()

    @property
    def is_needed(self) -> bool:
        """Whether somebody looks on, or an agent is asked; one that waits for another pace is not."""
        return bool(self.streams or self.hints) or (self.runner is not None and self.stored.pace >= 0)

    def is_of(self, seat: int, token: str | None) -> bool:
        """Whether a token is that of a seat."""
        own = self.tokens.get(seat)
        return own is not None and token is not None and secrets.compare_digest(own.encode(), token.encode())

    def seed_of(self, seat: int) -> int:
        """A seed that no other decision of a game has: an agent that is asked again after a restart answers alike."""
        text = f"{self.stored.seed} {seat} {self.served.moves[seat]}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1

    def show_thinking(self, player: str | None) -> None:
        """Show everybody whose agent takes its time."""
        if player != self.thinks:
            self.thinks = player
            for stream in self.streams:
                stream.put("thinks", {"player": player})
