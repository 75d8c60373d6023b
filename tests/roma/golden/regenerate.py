"""Write the golden transcripts of Roma again: ``python -m tests.roma.golden.regenerate``.

Do so after a change that is meant to alter how a game goes, and read the difference before committing it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from romans_env import Game
from romans_env.render.roma.text import render_text
from romans_env.render.roma.text import transcript as transcript_in_words
from tests.roma.stages import PLAYERS, RULES, decisions, legal_names, new_game, played

FOLDER = Path(__file__).parent
SEEDS = (23, 75)


def path_of(seed: int) -> Path:
    return FOLDER / f"game-{seed}.txt"


def golden_text(seed: int) -> str:
    """What the file of a golden game must hold."""
    return transcript(played(new_game(seed), seed))


def transcript(game: Game) -> str:
    """A whole game: its outcomes, and every decision with the position, what was legal and what was played."""
    again = Game.of_deal(RULES, game.deal())
    lines = [f"# outcomes {json.dumps(game.deal()['outcomes'])}", ""]
    for _, action in game.actions:
        lines += [*shown(again.position()), f"  legal: {' '.join(legal_names(again))}", f"  > {action}", ""]
        again.act(action)
    points = " ".join(f"{player} {points}" for player, points in game.points().items())
    return "\n".join([*lines, *shown(game.position()), f"  points: {points}; {' and '.join(game.winners())} won", ""])


def shown(position: dict[str, Any]) -> list[str]:
    """A position in a few lines."""
    decision = position["decision"]
    head = f"turn {position['turn']}"
    if decision:
        head += f", {decision['agent']} decides {decision['kind']}"
        head += "".join(f", {key} {decision[key]}" for key in ("effect", "disc", "value") if decision[key] is not None)
    table = f"  stock {position['stock']}, dice {position['dice']}, essedum {position['essedum']}"
    table += f", pile {position['pile_size']}, discard pile: {listed(position['discard'])}"
    return [head, table, *(seat_line(player, position["players"][player]) for player in PLAYERS)]


def seat_line(player: str, one: dict[str, Any]) -> str:
    discs = " ".join(card or "-" for card in one["discs"])
    line = f"  {player}: {one['points']} points, {one['money']} sestertii, [{discs}], hand: {listed(one['hand'])}"
    line += "".join(f", {key}: {listed(one[key])}" for key in ("aside", "known") if one[key])
    return line + "".join(f", {key}: {one[key]}" for key in ("face_down", "blocked") if one[key])


def listed(counts: dict[str, int]) -> str:
    return " ".join(name if count == 1 else f"{name}*{count}" for name, count in counts.items()) or "none"


def log_text() -> str:
    """The words of a whole game, as one player may know it."""
    return transcript_in_words(played(new_game(23), 23), "player_0")


def position_texts() -> str:
    """Every tenth position of a game as text, for one player, with what happened lately."""
    texts = []
    for number, game in enumerate(decisions(new_game(75), 75)):
        if number % 10 == 5:
            texts.append(render_text(game, "player_1"))
    return "\n".join([*texts, ""])


TEXTS = {"log-23.txt": log_text, "positions-75.txt": position_texts}
"""Texts for people, by the name of their file."""


def main() -> None:
    for seed in SEEDS:
        path_of(seed).write_text(golden_text(seed), encoding="utf-8", newline="\n")
        print(path_of(seed).name)
    for name, text in TEXTS.items():
        (FOLDER / name).write_text(text(), encoding="utf-8", newline="\n")
        print(name)


if __name__ == "__main__":
    main()
