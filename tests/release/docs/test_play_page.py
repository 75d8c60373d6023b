"""The page that plays without a server, in Chromium with the network off: whole games, by touch and by keyboard."""

import json
import re
import shutil
from pathlib import Path

import pytest

from romans_env import Game, load_record, replay
from romans_env.core.games import spec_of
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES

HERE = Path(__file__).parent
AXE = HERE.parent / "serve" / "axe" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
SEED = 42
MOST = 900
"""Decisions of a person in a game."""
SERIOUS = ("serious", "critical")
GOES_ON = """before => document.documentElement.dataset.shown !== before
  && (document.body.classList.contains('asked') || document.body.classList.contains('over'))"""
NEAR = """() => [...document.querySelectorAll('.spot.can[data-action]')].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect(), middle = [left + width / 2, top + height / 2];
  return document.elementFromPoint(...middle) === one && middle;
}).find(Boolean)"""
"""The middle of a place on the board that can be chosen and is on the screen, where there is one."""
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="the page is tested in Chromium")


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="the page is tested with Playwright")
    with sync_api.sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def opened(browser, play):
    """Opens the page from the disk, and notes what goes wrong or would be loaded from elsewhere."""
    wrong = []

    def open_page(width, theme, query=""):
        look = {"viewport": {"width": width, "height": 740}, "color_scheme": theme, "has_touch": width < 500}
        page = browser.new_page(**look, offline=True)
        page.add_init_script("localStorage.setItem('speed', '0')")
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("file:", "blob:")) or wrong.append(request.url))
        page.goto((play / "index.html").as_uri() + query)
        page.locator("html[data-ready]").wait_for()
        return page

    yield open_page
    assert wrong == []


def check_with_axe(page):
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    assert [one["id"] for one in found if one["impact"] in SERIOUS] == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= page.viewport_size["width"]


def check_nothing_is_betrayed(page, name):
    """Check that no card of the rival alone is anywhere on the page, as a seat's private view has none."""
    game, titles = Game(spec_of(name).make_rules(), seed=SEED), WARRIOR_TITLES
    if name == "roma":
        hands = [set(one["hand"]) for one in game.position()["players"].values()]
    else:
        hands = [{titles[card] for card in one["hand"]} for one in game.position()["clans"].values()]
    shown = re.sub(r"(?s)<script.*?</script>", "", page.content())
    hidden = hands[1] - hands[0]
    assert hidden and hands[0]
    assert not [card for card in hidden if re.search(rf"\b{re.escape(card)}\b", shown)]
    assert all(re.search(rf"\b{re.escape(card)}\b", shown.replace("&#x27;", "'")) for card in hands[0])


def answer(page, number):
    """Make a choice of the decision that is shown: by touch, on the board or below it, or by the keys of its number."""
    is_touch = page.viewport_size["width"] < 500
    listed = page.locator("#answers button[data-action]")
    if is_touch and number % 3 == 0 and (middle := page.evaluate(NEAR)):
        # The first touch reads what the card does.
        page.touchscreen.tap(*middle)
        if page.evaluate("() => document.documentElement.dataset.shown === window.before"):
            page.touchscreen.tap(*(page.evaluate(NEAR) or middle))
        return
    while not listed.count():
        page.locator("#answers button").first.click()
    chosen = listed.nth(number * 7 % listed.count())
    if is_touch:
        chosen.tap()
    else:
        for digit in chosen.get_attribute("data-number"):
            page.keyboard.press(digit)
        page.keyboard.press("Enter")


@pytest.mark.parametrize(
    "how",
    [
        ("romans-go-home", 360, "light", "greedy"),
        ("romans-go-home", 1280, "dark", "tiro"),
        ("roma", 360, "dark", "denier"),
        ("roma", 1280, "light", "raider"),
        ("struggle", 360, "light", "chieftain"),
        ("struggle", 1280, "dark", "chieftain"),
    ],
    ids=str,
)
def test_a_game_is_played_to_its_end_and_its_record_is_replayed(opened, tmp_path, how):
    name, width, theme, rival = how
    page = opened(width, theme, f"?game={name}&against={rival}&seed={SEED}")
    if name != "struggle":
        check_nothing_is_betrayed(page, name)
    for number in range(MOST):
        page.wait_for_function(GOES_ON, arg=page.evaluate("() => window.before ?? null"))
        if page.evaluate("() => document.body.classList.contains('over')"):
            break
        if number in (0, 4):
            check_with_axe(page)
        page.evaluate("() => { window.before = document.documentElement.dataset.shown; }")
        answer(page, number)
    check_with_axe(page)
    assert re.search(r"\b(wins?|share)\b", page.locator("#question").inner_text())
    assert "Points: " in page.locator("#why").inner_text()
    with page.expect_download() as download:
        page.click("#record")
    download.value.save_as(tmp_path / "record.json")
    record = load_record(tmp_path / "record.json")
    played = replay(record)
    assert played.is_over and record["agents"]["player_1"] == rival
    again = Game(played.rules, seed=SEED)
    for _, action in played.actions:
        again.act(action)
    assert again.deal() == record["deal"]
    if rival == "tiro":
        rows = page.locator("#thoughts tbody tr").count()
        assert rows == sum(player == "player_0" for player, _ in played.actions)


def test_a_game_is_chosen_and_its_rules_are_a_key_away(opened):
    page = opened(1280, "light")
    check_with_axe(page)
    assert page.locator("#games li").count() == 3
    assert not re.search(r"\d\+\d", page.locator("body").inner_text())
    card = page.locator("#games li", has=page.locator("h2", has_text="Roma").nth(0)).nth(1)
    card.locator("summary").click()
    card.locator("input").fill("x")
    card.locator(".play").click()
    assert "A seed is an integer from 0 to 4294967295" in page.locator("#message").inner_text()
    card.locator("input").fill(" 7 ")
    card.locator(".play").click()
    page.locator("body.asked").wait_for()
    assert page.locator("html").get_attribute("data-seed") == "7"
    page.keyboard.press("?")
    page.locator("#rules[open]").wait_for()
    text = page.locator("#rules-text").inner_text()
    for said in ("Have more points than your rival", "You pay 1 point for each of your free discs"):
        assert said in text
    check_with_axe(page)
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.locator("#hinted:not(:empty)").wait_for()
    assert page.locator("#hinted").inner_text().startswith("Raider would ")


def test_three_rivals_are_three_different_ones(opened):
    page = opened(1280, "light", f"?game=struggle&seed={SEED}")
    page.locator("body.asked").wait_for()
    page.locator("#menu-open").click()
    names = page.locator("#players li").all_inner_texts()
    assert len({re.sub(r"\W", "", name) for name in names}) == 4
    assert json.dumps(names).count("you") == 1
