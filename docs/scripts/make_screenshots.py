"""Takes screenshots of the browser page with Playwright and Chromium, for docs/start/serving.md or into a folder.

python docs/scripts/make_screenshots.py                        # those of docs/start/serving.md
python docs/scripts/make_screenshots.py --folder pictures  # first screen, planning, middle and end of every game
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from romans_env import Game
from romans_env.core.games import spec_of
from romans_serve.games.service import Service
from romans_serve.games.store import HOST, GameEntry, GameStore, Seat, StoredGame
from romans_serve.thinkers.offers import offer_of
from romans_serve.thinkers.workers import Workers
from romans_serve.web.app import make_app

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
TOKEN = "a-private-link-of-docs"
SIZES = {"wide": (1280, 800), "phone": (360, 740)}
SHOWN_IN_DOCS = (
    "home-wide-light",
    "romans-go-home-middle-wide-light",
    "romans-go-home-plan-phone-light",
    "roma-middle-wide-dark",
    "struggle-middle-wide-light",
    "struggle-middle-phone-light",
)


class Shown(NamedTuple):
    """A game of which screenshots are taken.

    Attributes:
        name: name of the game.
        seed: seed of its deal.
        middle: number of the person's decisions before the screenshot of the middle.
        says: text on the board at that point.
        rivals: agent specs of the opponents.
    """

    name: str
    seed: int
    middle: int
    says: str
    rivals: tuple[str, ...]


GAMES = (
    Shown("romans-go-home", 5, 7, ", turn", ("greedy",)),
    Shown("roma", 3, 14, "Turn", ("forum-runner",)),
    Shown("struggle", 5, 24, "phase 3", ("trader", "plunderer", "chieftain")),
)


def stored(store: GameStore, id: str, name: str, seed: int, setup: dict[str, Any], *agents: str) -> None:
    """Store a new game with a given deal, for a person in the first seat and agents."""
    game = Game(spec_of(name).make_rules(**setup), seed=seed)
    seats = (Seat("Ada"), *(Seat(agent, agent) for agent in agents))
    entries = [GameEntry("chance", None, outcome) for outcome in game.outcomes]
    kept = StoredGame(id, time.time(), time.time(), name, game.rules.setup.as_json(), seats, True, 0.0, seed)
    store.create(kept, {HOST: f"{TOKEN}-host", 0: TOKEN}, entries)


@contextlib.contextmanager
def serving(service: Service) -> Iterator[str]:
    """Run a server in a thread; yield its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(make_app(service), log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


def opened(browser: Browser, address: str, size: str, scheme: str, speed: int = 0) -> Page:
    """Open a page in a browser of its own."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="reduce",
        has_touch=size == "phone",
    )
    settings = {"speed": str(speed), "coach is off": "yes"}
    for name, value in settings.items():
        context.add_init_script(f"if (!localStorage.getItem('{name}')) localStorage.setItem('{name}', '{value}')")
    if "#" in address:
        # The page also has the cookie of the game's creator.
        path = address.partition("#")[0].replace("/games/", "/api/games/")
        context.request.post(f"{path}/join", data={"token": f"{TOKEN}-host"})
    page = context.new_page()
    page.goto(address)
    page.locator("html[data-ready=yes]").wait_for()
    return page


def choose(page: Page, number: int) -> bool:
    """Take the choice with a number, modulo the length of the list; return whether the game goes on."""
    shown = page.get_attribute("html", "data-shown")
    if page.locator("#choices .quiet", has_text="on the board").count():
        page.click("#choices .quiet")
    choices = page.locator("#answers button[data-action]")
    choices.nth(number % choices.count()).click()
    page.locator(f'html:not([data-shown="{shown}"])').wait_for(timeout=600_000)
    page.locator("#answers button, #end:not([hidden])").first.wait_for(timeout=600_000)
    return page.locator("#end:not([hidden])").count() == 0


class Camera:
    """Takes screenshots.

    Args:
        folder: folder for the pictures.
        names: names of the pictures to take; None for all.
    """

    def __init__(self, folder: Path, names: tuple[str, ...] | None):
        self._folder, self._names = folder, names

    def wants(self, *parts: str) -> bool:
        """Return whether a picture whose name begins so is wanted."""
        start = "-".join(parts)
        return self._names is None or any(name.startswith(start) for name in self._names)

    def take(self, page: Page, *parts: str) -> None:
        """Take what the window shows."""
        name = "-".join(parts)
        if self._names is None or name in self._names:
            page.evaluate("() => document.activeElement.blur()")
            page.wait_for_timeout(400)
            page.screenshot(path=self._folder / f"{'serving-' if self._names else ''}{name}.png")


def first_screen(browser: Browser, address: str, camera: Camera) -> None:
    """Take the first screen."""
    for size, scheme in product(SIZES, ("light", "dark")):
        if camera.wants("home", size, scheme):
            page = opened(browser, address, size, scheme)
            drawn = "() => [...document.querySelectorAll('#home svg')].every((svg) => svg.children.length)"
            page.wait_for_function(drawn, timeout=600_000)
            camera.take(page, "home", size, scheme)
            page.context.close()


def game_pictures(browser: Browser, address: str, shown: Shown, camera: Camera) -> None:
    """Take the first decision, the middle and the end of a game, at every size and in every theme."""

    def all_sizes(moment: str) -> None:
        for size, scheme in product(SIZES, ("light", "dark")):
            if camera.wants(shown.name, moment, size, scheme):
                page = opened(browser, address, size, scheme)
                page.locator("#answers button, #end:not([hidden])").first.wait_for(timeout=600_000)
                camera.take(page, shown.name, moment, size, scheme)
                page.context.close()

    page = opened(browser, address, "wide", "light")
    page.locator("#answers button").first.wait_for(timeout=600_000)
    all_sizes("plan")
    number, goes_on = 0, True
    while goes_on and number < shown.middle:
        goes_on = choose(page, number)
        number += 1
    while goes_on and number < shown.middle + 60 and shown.says not in page.locator("#sheets").text_content():
        goes_on = choose(page, number)
        number += 1
    all_sizes("middle")
    while goes_on and camera.wants(shown.name, "end"):
        goes_on = choose(page, -1)
    all_sizes("end")
    page.context.close()


def main() -> None:
    """Take the screenshots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--folder", type=Path, help="folder for all pictures; by default only those of docs/start/serving.md are taken"
    )
    parser.add_argument("--game", choices=[shown.name for shown in GAMES], help="take the pictures of this game only")
    given = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("the pictures are taken in Chromium; install it")
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
    camera = Camera(given.folder or PICTURES, None if given.folder else SHOWN_IN_DOCS)
    games = [shown for shown in GAMES if given.game in (None, shown.name)]
    store, workers = GameStore(":memory:"), Workers(1, 60.0)
    for shown in games:
        stored(store, shown.name, shown.name, shown.seed, {}, *shown.rivals)
    service = Service(store, workers, [offer_of(shown.name) for shown in GAMES])
    try:
        with serving(service) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            if given.game is None:
                first_screen(browser, address, camera)
            for shown in games:
                game_pictures(browser, f"{address}/games/{shown.name}#{TOKEN}", shown, camera)
            browser.close()
    finally:
        workers.close()


if __name__ == "__main__":
    main()
