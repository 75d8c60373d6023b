"""Write the golden transcripts of Roma again: ``python -m tests.roma.golden.regenerate``.

Do so after a change that is meant to alter how a game goes, and read the difference before committing it.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

from romans_env import Game
from romans_env.render.roma.text import render_text
from romans_env.render.roma.text import transcript as transcript_in_words
from tests.golden import listed, played_on, transcript_of, write_all
from tests.roma.stages import PLAYERS, decisions, legal_names, new_game, played

FOLDER = Path(__file__).parent
SEEDS = (23, 75)


def transcript(game: Game) -> str:
    """A whole game, with its outcomes."""
    return transcript_of(game, [f"# outcomes {json.dumps(game.deal()['outcomes'])}"], shown, legal_names)


def played_again(text: str) -> Game:
    """The game of a transcript, from the text alone."""
    return played_on(new_game(outcomes=json.loads(text.splitlines()[0].removeprefix("# outcomes "))), text)


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


GAMES = {
    FOLDER / f"game-{seed}.txt": partial(lambda seed: transcript(played(new_game(seed), seed)), seed) for seed in SEEDS
}
TEXTS = {FOLDER / "log-23.txt": log_text, FOLDER / "positions-75.txt": position_texts}
"""What the files of games, and of texts for people, must hold."""

if __name__ == "__main__":
    write_all(GAMES | TEXTS)
