"""Digests of what notebooks and pictures show, to tell which are stale after a change of drawings, texts or replays.

python docs/scripts/shown.py    # lists the stale files and the commands that update them

A digest covers the drawings and texts of short games, not the code: changed code with the same output makes nothing
stale. The programs that write the files call `record`.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from romans_env import Game, Opinion, replay_page
from romans_env.core.files import json_of, read_text, write_text
from romans_env.core.games import spec_of
from romans_env.render.language import describe, introduce
from romans_env.render.text_interface import text_interface_of

ROOT = Path(__file__).resolve().parents[2]
DIGESTS = ROOT / "docs" / "scripts" / "shown.json"

_GO_HOME = ("romans-go-home drawing", "romans-go-home page")
KEPT = {
    "make notebooks": {
        "notebooks/01_tour.ipynb": _GO_HOME,
        "notebooks/02_own_agent.ipynb": _GO_HOME,
        "notebooks/06_anatomy.ipynb": ("romans-go-home page",),
        "notebooks/07_roma.ipynb": ("roma drawing", "roma page"),
        "notebooks/08_struggle.ipynb": ("struggle drawing",),
        "notebooks/09_language_model.ipynb": ("roma words",),
    },
    "python docs/scripts/make_analysis.py disagreements losses decision": {
        "docs/pictures/analysis-disagreements.png": ("struggle drawing",),
        "docs/pictures/analysis-losses.png": ("roma drawing",),
        "docs/pictures/analysis-decision.png": ("romans-go-home drawing",),
    },
    "python docs/scripts/make_pictures.py": {
        "docs/pictures/position.svg": ("romans-go-home drawing",),
        "docs/pictures/roma_position.svg": ("roma drawing",),
    },
    "python docs/scripts/make_pictures.py --struggle": {"docs/pictures/struggle.png": ("struggle drawing",)},
    "python docs/scripts/make_pictures.py --replay legate-1": {"docs/pictures/replay.png": _GO_HOME},
    "python docs/scripts/make_front.py": dict.fromkeys(
        ("docs/pictures/three_games.svg", "docs/site/static/card.png"),
        ("romans-go-home drawing", "roma drawing", "struggle drawing"),
    ),
    "python docs/scripts/make_attack.py": {
        "docs/pictures/attack.svg": ("romans-go-home drawing", "romans-go-home words")
    },
    "python docs/scripts/make_terminal.py": {
        "docs/pictures/play.svg": ("romans-go-home words",),
        "docs/pictures/roma_play.svg": ("roma words",),
        "docs/pictures/struggle_play.svg": ("struggle words",),
    },
}
"""The files by the command that writes them, with the digests that each depends on."""
_SETUPS = {"romans-go-home": {"num_players": 2, "num_neutrals": 1}, "roma": {}, "struggle": {"max_rounds": 2}}
_LONGEST = 40
"""Number of actions in a game whose output is digested."""


@cache
def _game(name: str) -> Game:
    """Return a game of random play, or the beginning of one; callers must not change it."""
    game, rng = Game(spec_of(name).make_rules(**_SETUPS[name]), seed=5), random.Random(5)
    while not game.is_over and len(game.actions) < _LONGEST:
        game.act(rng.choice(game.legal_actions()))
    return game


def _positions(name: str, every: int) -> Iterator[Game]:
    whole = _game(name)
    game = Game.of_deal(whole.rules, whole.deal())
    for number, (_, action) in enumerate(whole.actions):
        if number % every == 0:
            yield game
        game.act(action)
    yield game


def _drawing(name: str) -> Iterator[str]:
    """Yield pictures of positions as the player to act sees them, and of the full state at the end."""
    for game in _positions(name, 30):
        player = game.agent_to_act
        yield (game if player is None else game.view(player))._repr_svg_()


def _words(name: str) -> Iterator[str]:
    """Yield positions, choices and events in words, and the introduction to the game."""
    yield introduce(name)
    for game in _positions(name, 6):
        if game.agent_to_act is not None:
            yield describe(game.view(game.agent_to_act))
    yield from text_interface_of(name).story(game, game.players[0])


def _page(name: str) -> Iterator[str]:
    """Yield a replay page with an agent's opinions."""
    opinions = []
    for game in _positions(name, 1):
        names = [game.action_name(action) for action in game.legal_actions()]
        opinions.append(Opinion("random", {action: 1 / len(names) for action in names}, value=0.5))
    page = replay_page(game, opinions=opinions[: len(game.actions)])
    # The page holds compressed games, and not every machine compresses them to the same bytes.
    before, letters, after = re.split(r'(?<=type="text/plain">)([^<]*)', page.html, maxsplit=1)
    yield before + gzip.decompress(base64.b64decode(letters)).decode() + after


@cache
def digest_of(artefact: str) -> str:
    """Return the digest of an output of a game, such as ``roma drawing``."""
    name, kind = artefact.split()
    digest = hashlib.sha256()
    for text in {"drawing": _drawing, "words": _words, "page": _page}[kind](name):
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:16]


def record(files: Iterable[Path]) -> None:
    """Note that these files are up to date; files that show nothing of a game are ignored."""
    artefacts = {file: shown for kept in KEPT.values() for file, shown in kept.items()}
    names = [Path(file).resolve().relative_to(ROOT).as_posix() for file in files]
    now = {name: {artefact: digest_of(artefact) for artefact in artefacts[name]} for name in names if name in artefacts}
    write_text(DIGESTS, json.dumps({**json_of(read_text(DIGESTS)), **now}, indent=1, sort_keys=True) + "\n")


def stale() -> list[str]:
    """Return one line for every stale file, with the command that updates it."""
    then = json_of(read_text(DIGESTS))
    lines = []
    for command, kept in KEPT.items():
        for file, artefacts in kept.items():
            known = then.get(file, {})
            changed = [artefact for artefact in artefacts if known.get(artefact) != digest_of(artefact)]
            if changed:
                lines.append(f"{file} is stale ({', '.join(changed)}): run {command}")
    return lines


if __name__ == "__main__":
    print("\n".join(stale()) or "nothing is stale")
