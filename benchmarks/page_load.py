"""How long the page of a game takes to open in Chromium, and how many bytes it loads.

python -m benchmarks.page_load

A server is started, and a game of each kind, against its default opponent, is opened again and again, each time in a
browser context without a cache. The first time is a column of its own: the server has drawn no such game before.
"""

from __future__ import annotations

import shutil
import statistics
import time
from typing import NamedTuple

import click
import httpx2
from playwright.sync_api import Browser, sync_playwright

from benchmarks.serve_load import running
from romans_env.games import spec_of
from romans_training.reporting import markdown_grid, print_whole

SETUPS = {"romans-go-home": ("2+0", 2), "roma": ("Roma", 2), "struggle": ("4 players", 4)}
"""By game the setup, as the page of new games calls it, and how many players it has."""


class Opened(NamedTuple):
    """A page that was opened.

    Attributes:
        loaded: seconds to the load event.
        playable: seconds until choices are shown.
        size: bytes that were loaded.
    """

    loaded: float
    playable: float
    size: int


def new_game(address: str, game: str) -> str:
    """Create a game of a person against agents; the address of the person's page."""
    setup, players = SETUPS[game]
    rivals = [{"agent": spec_of(game).default_opponent}] * (players - 1)
    seats = [{"name": "a person", "here": False}, *rivals]
    with httpx2.Client(base_url=address, timeout=600) as http:
        reply = http.post("/api/games", json={"game": game, "setup": setup, "seats": seats, "pace": 0})
    if reply.status_code != 201:
        raise click.ClickException(f"the server answers {reply.status_code}: {reply.text[:300]}")
    (link,) = reply.json()["links"]
    return f"{address}{link['path']}"


def open_page(browser: Browser, address: str) -> Opened:
    """Open a page in a context of its own."""
    context = browser.new_context()
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(address)
    loaded = time.perf_counter() - begun
    page.locator("#choices button").first.wait_for(timeout=600_000)
    playable = time.perf_counter() - begun
    entries = "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
    size = page.evaluate(f"() => {entries}.reduce((sum, one) => sum + one.transferSize, 0)")
    context.close()
    return Opened(loaded, playable, int(size))


@click.command()
@click.option("--times", type=click.IntRange(min=1), default=9, show_default=True, help="How often a page is opened.")
@click.option(
    "--game", "games", type=click.Choice(list(SETUPS)), multiple=True, default=list(SETUPS), help="[default: all]"
)
def main(times: int, games: tuple[str, ...]) -> None:
    """Print medians."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
    if chromium is None:
        raise click.ClickException("pages are opened in Chromium; install it")
    grid = markdown_grid(("game",), ("load event, s", "choices shown, s", "first time, s", "kB"))
    module = ("romans_training.cli.launch", "serve")
    with running(*module) as (_, address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for game in games:
            link = new_game(address, game)
            first, *later = (open_page(browser, link) for _ in range(times + 1))
            loaded, playable, size = (statistics.median(column) for column in zip(*later, strict=True))
            grid.add_row(game, f"{loaded:.2f}", f"{playable:.2f}", f"{first.playable:.2f}", f"{size / 1000:.0f}")
        browser.close()
    print_whole(grid)


if __name__ == "__main__":
    main()
