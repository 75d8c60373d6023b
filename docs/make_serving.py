"""Makes the pictures of games in the browser that docs/serving.md shows, with Playwright and Chromium.

python docs/make_serving.py
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
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from romans_env import Game
from romans_env.games import spec_of
from romans_env.serve.app import make_app
from romans_env.serve.service import Service
from romans_env.serve.store import HOST, Entry, Seat, Store, StoredGame
from romans_training.serving.offers import offer_of
from romans_training.serving.workers import Workers

FOLDER = Path(__file__).parent
SEED, ROMA_SEED, STRUGGLE_SEED = 12, 3, 5
TOKEN = "a-private-link-of-docs"


def stored(store: Store, id: str, name: str, seed: int, setup: dict[str, Any], *agents: str) -> None:
    """Keep a game that begins, with a given deal: a person in the first seat, and agents."""
    game = Game(spec_of(name).make_rules(**setup), seed=seed)
    seats = (Seat("Ada"), *(Seat(agent, agent) for agent in agents))
    entries = [Entry("chance", None, outcome) for _, outcome in game.history]
    if not game.rules.chance_in_play:
        entries = [Entry("deal", None, game.deal())]
    kept = StoredGame(id, time.time(), time.time(), name, game.rules.setup.as_json(), seats, True, 0.0, seed)
    store.create(kept, {HOST: f"{TOKEN}-host", 0: TOKEN}, entries)


@contextlib.contextmanager
def serving(service: Service) -> Iterator[str]:
    """A server in a thread; its address."""
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


def opened(browser: Browser, address: str, size: tuple[int, int], speed: int, dark: bool = False) -> Page:
    """A page of a browser of its own, in the first seat."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    context.add_init_script(f"localStorage.setItem('speed', '{speed}')")
    page = context.new_page()
    page.goto(address)
    page.locator("#choices button").first.wait_for(timeout=600_000)
    return page


def plan(page: Page, words: str) -> None:
    """Play a plan in words."""
    page.fill("#plan", words)
    page.keyboard.press("Enter")


def choose(page: Page, number: int) -> None:
    """Take a choice by its place in the list, from the end, and wait for what follows."""
    shown = page.get_attribute("html", "data-shown")
    page.locator("#choices button").nth(-number).click()
    page.locator(f'html:not([data-shown="{shown}"])').wait_for()
    page.locator("#choices button, #end:not([hidden])").first.wait_for(timeout=600_000)


def taken(page: Page, name: str) -> None:
    """Take a picture of what the window shows."""
    page.evaluate("() => document.activeElement.blur()")
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"{name}.png")


def main() -> None:
    """Write the pictures."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("the pictures are taken in Chromium; install it")
    store, workers = Store(":memory:"), Workers(1, 60.0)
    stored(store, "plan", "romans-go-home", SEED, {"num_players": 2, "num_neutrals": 1}, "greedy")
    stored(store, "end", "romans-go-home", SEED, {"num_players": 2}, "greedy")
    stored(store, "roma", "roma", ROMA_SEED, {}, "forum-runner")
    stored(store, "struggle", "struggle", STRUGGLE_SEED, {"num_players": 3}, "trader", "plunderer")
    service = Service(store, workers, [offer_of(name) for name in ("romans-go-home", "roma", "struggle")])
    try:
        with serving(service) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            planning_and_attack(browser, f"{address}/games/plan#{TOKEN}")
            end(browser, f"{address}/games/end#{TOKEN}")
            roma(browser, f"{address}/games/roma#{TOKEN}")
            struggle(browser, f"{address}/games/struggle#{TOKEN}")
            browser.close()
    finally:
        workers.close()


def planning_and_attack(browser: Browser, address: str) -> None:
    """A plan with a hint, on a wide screen and on a phone; and the attack that follows."""
    page = opened(browser, address, (1280, 800), 2600)
    for _ in range(3):
        choose(page, 2)
    page.keyboard.press("h")
    page.locator("#hinted", has_text="would").wait_for(timeout=600_000)
    page.locator(".spot.can:not(.place)").nth(1).focus()
    taken(page, "serving-plan")
    phone = opened(browser, address, (360, 740), 2600, dark=True)
    taken(phone, "serving-phone")
    phone.close()
    while page.locator("#status", has_text="It is your turn").count() and "Planning" in page.inner_text("#question"):
        page.locator("#choices button").last.click()
        page.wait_for_timeout(700)
    page.locator("#log div", has_text="Turn 2, for").wait_for(timeout=600_000)
    page.wait_for_timeout(3_500)
    taken(page, "serving-attack")


def end(browser: Browser, address: str) -> None:
    """The end of a game."""
    page = opened(browser, address, (1280, 800), 0)
    while page.locator("#end:not([hidden])").count() == 0:
        choose(page, 1)
    taken(page, "serving-end")


def roma(browser: Browser, address: str) -> None:
    """A turn of Roma, in the dark."""
    page = opened(browser, address, (1280, 860), 0, dark=True)
    for number in range(60):
        choices = page.locator("#choices button").count()
        if number > 14 and choices > 6:
            break
        choose(page, 1 + number % choices)
    page.locator(".spot.can").last.focus()
    taken(page, "serving-roma")


def struggle(browser: Browser, address: str) -> None:
    """A turn of Struggle for Rome, with places of the map to choose."""
    page = opened(browser, address, (1280, 900), 0)
    for number in range(80):
        page.locator("#choices button").first.wait_for(timeout=600_000)
        if number > 20 and page.locator(".spot.can").count() > 8:
            break
        choose(page, 1 + number % page.locator("#choices button").count())
    page.locator(".spot.can").last.focus()
    taken(page, "serving-struggle")


if __name__ == "__main__":
    main()
