"""Write the golden transcripts again: ``python -m tests.romans_go_home.golden.regenerate``.

Do so after a change that is meant to alter how a game goes or how it is told, and read the difference before
committing it.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

from romans_env import Game
from romans_env.render.romans_go_home.text import transcript
from tests.golden import write_all
from tests.romans_go_home.stages import TABLES, new_game, table_id
from tests.tools import played

FOLDER = Path(__file__).parent


def cases() -> list[tuple[Path, tuple[Any, ...], int]]:
    """File, table and seed of every golden game."""
    return [(FOLDER / f"{table_id(table)}.txt", table, seed) for seed, table in enumerate(TABLES, 1)]


def text_of(game: Game, seed: int) -> str:
    """The transcript of a game, below a header that has all it takes to play it again."""
    header = {
        "table": game.rules.setup.as_json(),
        "seed": seed,
        "deal": game.deal(),
        "actions": game.record()["actions"],
    }
    lines = [f"# {key} {json.dumps(value)}" for key, value in header.items()]
    return "\n".join([*lines, "", transcript(game)])


def golden_text(table: tuple[Any, ...], seed: int) -> str:
    """What the file of a golden game must hold."""
    return text_of(played(new_game(table, seed), seed), seed)


if __name__ == "__main__":
    write_all({path: partial(golden_text, table, seed) for path, table, seed in cases()})
