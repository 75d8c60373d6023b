"""Write the golden transcripts again: ``python -m tests.romans_go_home.golden.regenerate``.

Do so after a change that is meant to alter how a game goes or how it is told, and read the difference before
committing it.
"""

import json
from functools import partial
from pathlib import Path

from romans_env import Game, Table
from romans_env.render.romans_go_home.text import transcript as transcript_in_words
from tests.golden import write_all
from tests.romans_go_home.stages import TABLES, new_game, table_id
from tests.tools import act_each, played

FOLDER = Path(__file__).parent


def transcript(game: Game) -> str:
    """The transcript of a game, below a header that has all it takes to play it again."""
    rules, record = game.rules, game.record()
    header = {"table": rules.setup.as_json(), "seed": SEEDS[rules.setup], "deal": game.deal()}
    lines = [f"# {key} {json.dumps(value)}" for key, value in {**header, "actions": record["actions"]}.items()]
    return "\n".join([*lines, "", transcript_in_words(game)])


def played_again(text: str) -> Game:
    """The game of a transcript, from its header alone: a deal and the actions are a whole game (RULES 2.3)."""
    header = dict(line[2:].split(" ", 1) for line in text.splitlines() if line.startswith("# "))
    table, deal, actions = (json.loads(header[key]) for key in ("table", "deal", "actions"))
    return act_each(new_game(tuple(table.values()), deal=deal), actions)


SEEDS = {Table(*table): seed for seed, table in enumerate(TABLES, 1)}
GAMES = {
    FOLDER / f"{table_id(table)}.txt": partial(lambda *of: transcript(played(new_game(*of), of[1])), table, seed)
    for seed, table in enumerate(TABLES, 1)
}
"""What the files must hold."""

if __name__ == "__main__":
    write_all(GAMES)
