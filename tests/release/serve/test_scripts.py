"""Scripts in whatever a stranger may write: names, agent specs, hints, remarks, records. None runs in a Chromium."""

import random
import shutil

import pytest

from romans_env import replay_page
from romans_serve.games.served_game import ServedGame
from romans_serve.games.service import Service
from romans_serve.games.store import HOST, GameEntry, GameStore, Seat, StoredGame
from tests.serve.servers import OFFERS, InProcess, rules_of, serving

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
sync_api = pytest.importorskip("playwright.sync_api", reason="pages are opened with Playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="pages are opened in Chromium")

SCRIPTS = (
    "<script>hit()</script>",
    '"><img src=x onerror=hit()>',
    "'><svg onload=hit()>",
    "</script><script>hit()//",
    "</text></svg><img src=x onerror=hit()>",
    "&lt;img src=x onerror=hit()&gt;",
    "<a href=javascript:hit()>player_0</a>",
    "{{script}}${hit()}<header><script>hit()</script>",
    "<iframe srcdoc='<script>parent.hit()</script>'>",
    "</style><style>@import url(http://elsewhere.example)</style>",
)
FOUND = """() => [...document.querySelectorAll('*')].filter((one) =>
  [...one.attributes].some(({ name, value }) => name.startsWith('on') || /javascript:|^x$/.test(value))
  || ['IFRAME', 'OBJECT', 'EMBED', 'BASE'].includes(one.tagName)
  || (one.tagName === 'STYLE' && /@import/.test(one.textContent))
).map((one) => one.outerHTML.slice(0, 200))"""


def written(game, setup, scripts, actions, agents=False):
    """A game with scripts in all its texts, and its entries."""
    rules, rng = rules_of(game, setup), random.Random(1)
    seats = [Seat(script, script if agents else None) for script in scripts[: rules.num_players]]
    served = ServedGame(rules, seats)
    entries = served.first_entries()
    for number in range(actions):
        if served.game.is_over:
            break
        if number == 3:
            said = {"agent": scripts[-1], "probabilities": dict.fromkeys(scripts, 0.1), "value": 0.0}
            entries += [GameEntry("hint", 0, said), *(GameEntry("note", 0, script) for script in scripts)]
        entries += served.act(rng.choice(served.game.legal_actions())).entries
    id = f"{game}-{scripts.index(scripts[0])}-{agents}"
    return StoredGame(
        id, 1.0, 2.0, game, rules.setup.as_json(), tuple(seats), True, -1.0, 1, 5, served.game.result()
    ), entries


@pytest.fixture
def opened():
    """Open pages; none of them runs a script of a stranger, or asks another place."""
    seen = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.add_init_script("window.hits = 0; window.hit = () => { window.hits += 1; };")
        # An address that is answered by 404 is a line, too.
        page.on("console", lambda message: message.text.startswith("Failed to load") or seen.append(message.text))
        page.on("dialog", lambda dialog: seen.append(dialog.message))
        page.on("request", lambda request: "elsewhere" in request.url and seen.append(request.url))

        def looked_at(address, ready, *clicks):
            page.goto(address)
            page.locator(ready).first.wait_for()
            for place, shown in clicks:
                page.click(place)
                page.locator(shown).first.wait_for()
            page.wait_for_timeout(200)
            assert (page.evaluate("() => window.hits"), page.evaluate(FOUND), seen) == (0, [], []), address
            return page.content()

        yield looked_at
        browser.close()


def test_no_script_of_a_stranger_runs_on_the_pages_of_a_server(opened, tmp_path):
    """A database may be a stranger's: what is typed in a page is shorter."""
    store = GameStore(tmp_path / "games.sqlite")
    ids = []
    for first in (0, 4, 8):
        scripts = SCRIPTS[first:] + SCRIPTS[:first]
        running, entries = written("romans-go-home", "4+0", scripts, 40)
        running = running._replace(id=f"running-{first}")
        store.create(running, {HOST: "h", 0: "token"}, entries)
        over, entries = written("roma", None, scripts, 10**6, agents=True)
        over = over._replace(id=f"over-{first}")
        store.create(over, {HOST: "h"}, entries)
        ids += [(running.id, over.id)]
    with serving(Service(store, InProcess(), OFFERS)) as address:
        assert "script" in opened(address, "html[data-ready=yes]", ("#older summary", "#older-list a"))
        for running, over in ids:
            opened(f"{address}/games/{running}", "html[data-shown]", ("#menu-open", "#menu-close"))
            opened(f"{address}/games/{running}#token", "html[data-shown]")
            opened(f"{address}/games/{over}", "#end:not([hidden])")
            opened(f"{address}/api/games/{over}/replay", "#board rect")
        opened(f"{address}/api/games/{ids[0][1]}/review/page", "#review-text span")
        opened(f"{address}/games/x#<img src=x onerror=hit()>", "body")


def test_no_script_of_a_stranger_runs_in_the_page_of_a_record(opened, tmp_path):
    for first in range(0, len(SCRIPTS), 2):
        _, entries = written("romans-go-home", "2+0", SCRIPTS[first:], 10**6)
        served = ServedGame(rules_of("romans-go-home"), [Seat("a"), Seat("b")], entries)
        record = served.record()
        record["agents"] = dict(zip(record["agents"], SCRIPTS[first:], strict=False))
        page = tmp_path / f"{first}.html"
        replay_page(record).save(page)
        opened(page.as_uri(), "#board rect")
