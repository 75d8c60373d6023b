"""Transcripts of whole games, pinned: what all games' golden folders share."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from romans_env import Game


def transcript_of(
    game: Game, head: list[str], shown: Callable[[Any], list[str]], legal: Callable[[Game], Iterable[str]]
) -> str:
    """A whole game: a head, and every decision with the position, what was legal and what was played."""
    again, lines = Game.of_deal(game.rules, game.deal()), [*head, ""]
    for _, action in game.actions:
        lines += [*shown(again.position()), f"  legal: {' '.join(legal(again))}", f"  > {action}", ""]
        again.act(action)
    points = " ".join(f"{player} {points}" for player, points in game.points().items())
    return "\n".join([*lines, *shown(game.position()), f"  points: {points}; {' and '.join(game.winners())} won", ""])


def played_on(game: Game, text: str) -> Game:
    """The game, with the actions of a transcript."""
    for line in text.splitlines():
        if line.startswith("  > "):
            game.act(line.removeprefix("  > "))
    return game


def listed(counts: dict[str, int]) -> str:
    """Cards and their numbers."""
    return " ".join(name if count == 1 else f"{name}*{count}" for name, count in counts.items()) or "none"


def write_all(texts: dict[Path, Callable[[], str]]) -> None:
    """Write files anew."""
    for path, text in texts.items():
        path.write_text(text(), encoding="utf-8", newline="\n")
        print(path.name)
