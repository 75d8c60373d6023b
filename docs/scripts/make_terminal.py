"""Makes the pictures of games at the terminal: play.svg, roma_play.svg and struggle_play.svg.

python docs/scripts/make_terminal.py
"""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.terminal_theme import MONOKAI

import romans_agents
from romans_env import Game
from romans_env.core.games import spec_of
from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import text_interface_of
from romans_training.cli.play_session import Session
from romans_training.cli.screen import Screen

FOLDER = Path(__file__).resolve().parents[1] / "pictures"
COLUMNS = 80
SEED, ROMA_SEED, STRUGGLE_SEED = 12, 3, 5
# The picture loads nothing from elsewhere, so it uses the reader's own fonts.
_TEMPLATE = inspect.signature(Console.export_svg).parameters["code_format"].default
_FORMAT = re.sub(r"@font-face \{\{.*?\}\}\n", "", _TEMPLATE, flags=re.DOTALL)


def picture(game: str, setup: dict[str, Any], agents: Sequence[str], seed: int, ends: Callable[[Game], bool]) -> str:
    """Return the terminal of the person in seat 0 at a decision, as SVG.

    Args:
        game: name of the game.
        setup: settings of its setup.
        agents: agent spec of each seat; the first one plays for the person.
        seed: seed of the deal and of the agents.
        ends: returns whether a decision is the one to show.
    """
    played = Game(spec_of(game).make_rules(**setup), seed=seed)
    players = [romans_agents.make(spec, game=game) for spec in agents]
    for number, player in enumerate(players):
        player.seed(seed + number)
    names = dict(zip(played.rules.seats, [*agents, "neutral"], strict=False))
    seat_names = SeatNames(names, "player_0")
    console = Console(record=True, width=COLUMNS, force_terminal=True, highlight=False, file=io.StringIO())
    session = Session(played, 0, {}, players[0], text_interface_of(game), Screen(console, seat_names), seat_names)
    while not ends(played):
        seat = played.seat_to_act
        assert seat is not None
        if seat == 0:
            session.show()
        played.act(players[seat].act(played.view(seat)))
    console.export_text()  # forgets what was shown before
    session.show()
    console.print("your choice> ", end="")
    return console.export_svg(title="romans play", theme=MONOKAI, code_format=_FORMAT, unique_id=f"play-{game}") + "\n"


def play() -> str:
    """Return a decision of Romans Go Home! in the middle of a round, as SVG."""
    return picture(
        "romans-go-home",
        {"num_players": 2, "num_neutrals": 1},
        ("greedy", "hoarder"),
        SEED,
        lambda game: game.seat_to_act == 0 and game.position()["turn"] == 3,
    )


def roma_play() -> str:
    """Return a decision of Roma in the middle of a turn, as SVG."""
    return picture(
        "roma",
        {},
        ("raider", "forum-runner"),
        ROMA_SEED,
        lambda game: game.seat_to_act == 0 and game.position()["turn"] >= 5 and len(game.position()["dice"]) == 2,
    )


def struggle_play() -> str:
    """Return a decision of Struggle for Rome in the middle of the game, as SVG."""
    return picture(
        "struggle",
        {"num_players": 3},
        ("trader", "chieftain", "plunderer"),
        STRUGGLE_SEED,
        lambda game: game.seat_to_act == 0 and game.position()["round"] >= 6 and len(game.legal_actions()) > 5,
    )


def main() -> None:
    """Write the pictures."""
    from shown import record

    for make in (play, roma_play, struggle_play):
        path = FOLDER / f"{make.__name__}.svg"
        path.write_text(make(), encoding="utf-8")
        record([path])
        print(f"written: {path}")


if __name__ == "__main__":
    main()
