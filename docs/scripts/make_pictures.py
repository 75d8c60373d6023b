"""Makes the pictures of positions and of a replay that the documentation shows.

python docs/scripts/make_pictures.py                  # position.svg and roma_position.svg
python docs/scripts/make_pictures.py --replay legate  # and replay.png, with Chromium and that agent's probabilities
python docs/scripts/make_pictures.py --struggle       # struggle.png alone
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import romans_agents
from romans_env import Game, RomansGoHome, Table, draw, replay_page
from romans_env.render.picture import Picture, Theme
from romans_env.render.replay_page import Frame
from romans_env.roma import Roma
from romans_env.struggle import StruggleForRome
from romans_training.compare.annotations import annotations_of

FOLDER = Path(__file__).resolve().parents[1] / "pictures"
SEED, ROMA_SEED, STRUGGLE_SEED = 11, 3, 7
_EAGERNESS = {"plunder": 20.0, "conquer": 20.0, "end": 0.05, "offer": 0.02, "rest": 2.0}
"""Weights of the actions of Struggle for Rome in random play, by their kind."""
CHROMIUM_OPTIONS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --hide-scrollbars --force-device-scale-factor=1.5 --virtual-time-budget=5000 --window-size=1240,790"
)


def some_game(texts: tuple[str, ...], neutrals: int) -> Game:
    """Return a whole game of Romans Go Home! between agents."""
    return played(Game(RomansGoHome(Table(len(texts), neutrals)), seed=SEED), texts)


def played(game: Game, texts: tuple[str, ...]) -> Game:
    """Return the game after agents have played it to its end."""
    players = [romans_agents.make(text, game=game.rules.name) for text in texts]
    for number, player in enumerate(players):
        player.seed(SEED + number)
    game.agents = {name: player.name for name, player in zip(game.players, players, strict=True)}
    while not game.is_over:
        seat = game.seat_to_act
        assert seat is not None
        game.act(players[seat].act(game.view(seat)))
    return game


def romans_go_home_game() -> Game:
    """Return a game of Romans Go Home! in the middle of a round."""
    game = some_game(("greedy", "hoarder", "skirmisher"), 1)
    again = Game(game.rules, deal=game.deal())
    for _, action in game.actions:
        here = again.position()
        if here["round"] == 2 and here["turn"] >= 3 and here["this_turn"]["captor"]:
            break
        again.act(action)
    return again


def roma_game() -> Game:
    """Return a game of Roma in which a player chooses an opposing disc in the middle of a turn."""
    game = played(Game(Roma(), seed=ROMA_SEED), ("raider", "forum-runner"))
    again = Game(game.rules, deal=game.deal())
    for _, action in game.actions:
        here = again.position()
        if here["turn"] >= 8 and here["decision"]["kind"] == "rival" and here["dice"]:
            break
        again.act(action)
    return again


def struggle_game() -> Game:
    """Return a game of Struggle for Rome at the moment when every seat owns cities."""
    game, rng = Game(StruggleForRome(), seed=STRUGGLE_SEED), random.Random(STRUGGLE_SEED)
    while not game.is_over:
        here = game.position()
        owners = {city["owner"] for city in here["cities"].values()}
        if {*game.players} <= owners and here["decision"]["kind"] == "build" and here["diplomacy"]:
            break
        names = [game.action_name(action) for action in game.legal_actions()]
        game.act(rng.choices(names, [_EAGERNESS.get(name.partition(":")[0], 1.0) for name in names])[0])
    return game


def seen(game: Game, theme: Theme = "auto") -> Picture:
    """Return the position of a game as the player to act sees it."""
    player = game.agent_to_act
    return draw(game.position(player), player, theme=theme, game=game.rules.name)


def position() -> str:
    """Return a position in the middle of a round as a player sees it, as SVG."""
    return seen(romans_go_home_game()).svg + "\n"


def roma_position() -> str:
    """Return a position of Roma in which a player chooses an opposing disc, as SVG."""
    return seen(roma_game()).svg + "\n"


def least_sure(frames: Sequence[Frame]) -> int:
    """Return the step, from 1, of the least certain decision in the middle of a round after the first."""
    sure = {
        k: max(frame.opinion.probabilities.values())
        for k, frame in enumerate(frames, 1)
        if frame.opinion and frame.section != "Round 1" and 2 <= frame.turn <= 5
    }
    return min(sure, key=lambda k: sure[k])


def main() -> None:
    """Write the pictures."""
    from shown import record

    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument(
        "--replay", metavar="AGENT", help="also make the picture of a replay, with this agent's probabilities"
    )
    options.add_argument("--struggle", action="store_true", help="make only the picture of Struggle for Rome")
    given = options.parse_args()
    agent = given.replay
    if given.struggle:
        seen(struggle_game(), "light").save(FOLDER / "struggle.png", scale=1.25)
        record([FOLDER / "struggle.png"])
        return
    (FOLDER / "position.svg").write_text(position(), encoding="utf-8")
    (FOLDER / "roma_position.svg").write_text(roma_position(), encoding="utf-8")
    record([FOLDER / "position.svg", FOLDER / "roma_position.svg"])
    if agent is None:
        return
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        options.error("the picture of a replay is taken by Chromium; install it")
    game = some_game((agent, "greedy"), 1)
    opinions = list(annotations_of(game, dict.fromkeys(game.players, romans_agents.make(agent))))
    page = replay_page(game, opinions=opinions)
    frames = page.games[0].first_frames
    wanted = least_sure(frames)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "replay.html"
        page.save(file)
        where = [f"--user-data-dir={folder}/profile", f"--screenshot={FOLDER / 'replay.png'}"]
        subprocess.run([chromium, *CHROMIUM_OPTIONS.split(), *where, f"{file.as_uri()}#{wanted}"], check=True)
    record([FOLDER / "replay.png"])


if __name__ == "__main__":
    main()
