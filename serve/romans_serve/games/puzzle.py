"""Puzzles: games that begin before a mistake in a finished game, so that a person can try the decision again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from romans_env.core.game import Game
from romans_env.core.protocol import CHANCE
from romans_serve.games.store import GameEntry


def entries_before(game: Game, action: int) -> list[GameEntry]:
    """Return the entries of a game before one of its actions; a game made from these entries is at that decision.

    Args:
        game: the game with its history.
        action: the index of the action.
    """
    chance, played = list[GameEntry](), 0
    for seat, outcome in game.history:
        if seat == CHANCE:
            chance.append(GameEntry("chance", None, outcome))
        elif played == action:
            break
        else:
            played += 1
    return chance + [GameEntry("action", game.players.index(player), name) for player, name in game.actions[:action]]


class Puzzle:
    """A mistake in a finished game, before which a new game begins.

    Args:
        seat: the seat that made the mistake.
        mistake: the mistake, in the form of `romans_training.compare.review_words.mistake_as_json`.
    """

    def __init__(self, seat: int, mistake: dict[str, Any]):
        self.seat, self._mistake = seat, mistake
        self.action = int(mistake["action"])
        self._better = tuple(mistake["better_actions"])
        self._shares = {tuple(choice): float(share) for choice, share in mistake["shares"]}

    def as_json(self, game: Game) -> dict[str, Any]:
        """Return the puzzle as the seat may see it, as plain JSON.

        The keys are ``line``, a sentence about the mistake, and ``answer``, which says what was better. The answer is
        None until the seat has made its choice.
        """
        return {"line": self._mistake["line"], "answer": self._answer(self._answered(game))}

    def _answered(self, game: Game) -> tuple[str, ...] | None:
        """Return the actions that the seat has played instead of the mistake; None until its choice is complete."""
        own = list[str]()
        for player, name in game.actions[self.action :]:
            if player != game.players[self.seat]:
                break
            own.append(name)
        is_complete = len(own) >= len(self._better) or game.seat_to_act != self.seat
        return tuple(own) if own and is_complete else None

    def _answer(self, answered: Sequence[str] | None) -> str | None:
        if answered is None:
            return None
        better, best = self._mistake["better"], f"{round(100 * self._mistake['better_share'])} %"
        for choice, share in self._shares.items():
            if tuple(answered[: len(choice)]) == choice:
                if choice == self._better:
                    return f"That was the best choice found: {best} to win."
                return f"That leaves {round(100 * share)} % to win. Better, with {best}: {better}."
        return f"That choice was not examined. The best of those examined, with {best} to win: {better}."
