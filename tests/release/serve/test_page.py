"""The page, in a Chromium without a window: whole games of every game by mouse and by keyboard, and who can use it."""

import json
import random
import re
import shutil
import time
from pathlib import Path

import pytest

from romans_env import Game
from romans_env.core.games import spec_of
from tests.serve.servers import OFFERS, new_service, serving

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
AXE = Path(__file__).with_name("axe") / "axe.min.js"
sync_api = pytest.importorskip("playwright.sync_api", reason="the page is tested with Playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="the page is tested in Chromium")

OPPONENTS = {"romans-go-home": "greedy", "roma": "raider", "struggle": "random", "dice-race": "random"}
RIVALS = {"struggle": 2}
"""Seats of opponents, where there are more than one."""
HOW_IT_WAS_WON = {
    "romans-go-home": r" (by three Legion forts|on points|with as many points and (more forts|the better fort))",
    "roma": r" (on points|because .+ no points left)",
    "struggle": r" with (\d+ points?|as many points and more gold)",
}
WIDE, NARROW = (1280, 900), (360, 740)
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
LOOK = """() => ({
  isOver: !document.getElementById('end').hidden,
  shown: document.documentElement.dataset.shown,
  isAsked: document.querySelectorAll('#answers button').length > 0,
  question: document.getElementById('question').textContent,
  choices: [...document.querySelectorAll('#answers button')].map((button) => button.dataset.action).filter(Boolean),
  spots: [...document.querySelectorAll('.spot[data-action]')].filter((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === button;
  }).map((button) => button.dataset.action),
  message: document.getElementById('message').textContent,
})"""


@pytest.fixture(scope="module")
def address():
    with serving(new_service()) as found:
        yield found


@pytest.fixture(scope="module")
def chromium():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, address):
    """Open pages of one browser; in the end no line is in its console, and it has asked nothing of other places."""
    lines, requests, contexts = [], [], []

    def open_page(path="/", size=WIDE, context=None, **options):
        if context is None:
            width, height = size
            context = chromium.new_context(viewport={"width": width, "height": height}, **options)
            # A page with a replay is in a sandbox, and has no storage.
            context.add_init_script(
                "try { localStorage.getItem('speed') ?? localStorage.setItem('speed', '0') } catch {}"
            )
            contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: lines.append(message.text))
        page.on("pageerror", lambda error: lines.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address + path)
        page.locator("html[data-ready=yes]").wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert lines == []
    assert [url for url in requests if not url.startswith((address, "data:"))] == []


def start(page, game, *players):
    """Start a game on the first screen; players by seat, as the form has them, where they are not the usual."""
    play = page.locator(f".play[data-game={game}]")
    if players:
        card = page.locator("#games li", has=play)
        card.locator("summary").click()
        card.get_by_role("button", name="Set up…").click()
        for seat, player in enumerate(players):
            if player is not None:
                page.locator("#new-seats select").nth(seat).select_option(player)
        page.click("#new button[type=submit]")
    else:
        play.click()
    page.wait_for_url("**/games/*")
    page.locator("html[data-shown]").wait_for()


def next_look(page, before=None, seconds=60):
    """What the page shows as soon as it asks for something new, or the game is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        look = page.evaluate(LOOK)
        assert look["message"] == "", look["message"]
        is_new = before is None or look["shown"] != before["shown"]
        if look["isOver"] or (is_new and look["isAsked"]):
            return look
        page.wait_for_timeout(10)
    raise AssertionError(f"nothing new is shown: {look}")


def begun(opened, game, *players, **options):
    """A page with a game on it, and what it shows first."""
    page = opened(**options)
    start(page, game, *players)
    return page, next_look(page)


def play(page, choose, most=400):
    """Play to the end."""
    look, decisions = None, 0
    while True:
        look = next_look(page, look)
        if look["isOver"]:
            return decisions
        choose(look)
        decisions += 1
        assert decisions < most


def any_choice(page, rng):
    """Click on any choice."""
    return lambda look: page.locator("#answers button[data-action]").nth(rng.randrange(len(look["choices"]))).click()


def play_once(game):
    """A game without a page: what is compiled for it is not waited for by a page with a time limit."""
    offer = next(offer for offer in OFFERS if offer.game == game)
    rules = spec_of(game).make_rules(**offer.settings(offer.setups[0].name, {}))
    played, rng = Game(rules, seed=1), random.Random(1)
    while not played.is_over:
        played.view(played.agent_to_act)
        played.act(int(rng.choice(played.legal_actions())))


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("game", OPPONENTS)
def test_a_whole_game_is_clicked_through(opened, game, size):
    play_once(game)
    page, rng = opened(size=size, has_touch=size == NARROW), random.Random(3)
    start(page, game, None, *[f"agent:{OPPONENTS[game]}"] * RIVALS.get(game, 1))
    clicked = {"spot": 0, "choice": 0}

    def choose(look):
        while not look["choices"] and not look["spots"]:
            page.locator("#choices .quiet").first.click()
            look.update(page.evaluate(LOOK))
        # Two rounds of a game for three have few decisions about places.
        if not look["choices"] or (look["spots"] and (game in RIVALS or rng.random() < 0.6)):
            name, kind = rng.choice(look["spots"]), "spot"
            spot = page.locator(f'.spot[data-action="{name}"]').first
            spot.tap(force=True) if size == NARROW else spot.click(force=True)
            # The first touch of a card is for reading what it does.
            if size == NARROW and page.locator(".spot.read").count():
                assert page.locator("#about").inner_text().endswith("touch again.")
                spot.tap(force=True)
        else:
            # Ends of turns come last in a list: games of this player do not take long.
            name, kind = rng.choice(look["choices"][-3:]), "choice"
            choice = page.locator(f'#answers button[data-action="{name}"]')
            choice.tap() if size == NARROW else choice.click()
        clicked[kind] += 1

    decisions = play(page, choose)
    assert decisions >= 5
    how = HOW_IT_WAS_WON.get(game, "")
    assert re.search(rf"wins?{how}\.$|share the win", page.locator("#question").inner_text())
    assert "Points: you " in page.locator("#why").inner_text()
    players = [one["name"] for one in summary_of(page)["players"]]
    heads = page.locator("#score tbody th").all_inner_texts()
    assert heads == (["you", *players[1:]] if game != "dice-race" else [])
    assert all(row["height"] < 260 for row in page.evaluate(SCORE_ROWS))
    assert page.locator("#log div").count() > 5
    if game != "dice-race":
        assert min(clicked.values()) >= 1
    assert page.evaluate(OVERFLOW) <= 0
    with page.expect_download() as download:
        page.click("#record")
    record = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert record["result"]["winners"]


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "struggle"])
def test_a_whole_game_is_played_by_keyboard_alone(opened, game):
    play_once(game)
    page, rng = opened(), random.Random(5)
    page.keyboard.press("Tab")
    for _ in range(40):
        if page.evaluate("() => document.activeElement.dataset.game") == game:
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*")
    page.locator("html[data-shown]").wait_for()

    page.keyboard.press("?")
    page.locator("#rules[open] h3").first.wait_for()
    page.keyboard.press("Escape")

    def choose(look):
        while not look["choices"]:
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
            look.update(page.evaluate(LOOK))
        numbers = page.evaluate(NUMBERS)
        # Ends of turns come last in a list: games of this player do not take long.
        number = rng.choice(numbers[-3:])
        page.wait_for_timeout(5 if len(numbers) < 10 else 1000)
        for key in number:
            page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.dataset.number") == number
        page.keyboard.press("Enter")

    assert play(page, choose) >= 6


SCORE_ROWS = "() => [...document.querySelectorAll('#score tr')].map((row) => row.getBoundingClientRect())"
NUMBERS = "() => [...document.querySelectorAll('[data-number]')].map((one) => one.dataset.number)"


def test_keys_choose_move_and_take_back(opened):
    page, look = begun(opened, "romans-go-home")
    page.keyboard.press("2")
    assert page.evaluate("() => document.activeElement.dataset.action") == look["choices"][1]
    page.keyboard.press("ArrowDown")
    assert page.evaluate("() => document.activeElement.dataset.action") == look["choices"][2]
    page.keyboard.press("Enter")
    placed = next_look(page, look)
    assert placed["question"] != look["question"]
    page.keyboard.press("u")
    back = next_look(page, placed)
    assert (back["question"], back["choices"]) == (look["question"], look["choices"])


def test_a_card_is_dragged_to_its_place(opened):
    page, look = begun(opened, "romans-go-home")
    card = page.locator('.spot[data-action^="discard:"]').nth(3)
    action = card.get_attribute("data-action")
    place = page.locator('.spot[aria-label*="set aside"]').last
    here, there = card.bounding_box(), place.bounding_box()
    page.mouse.move(here["x"] + 10, here["y"] + 10)
    page.mouse.down()
    page.mouse.move(there["x"] + 20, there["y"] + 20, steps=4)
    assert page.locator("#ghost").count() == 1
    page.mouse.up()
    after = next_look(page, look)
    assert page.locator("#ghost").count() == 0
    warrior = action.partition(":")[2]
    kept = [name.partition(":")[2] for name in after["choices"]]
    assert look["choices"].count(f"discard:{warrior}") == 1
    assert warrior not in kept or warrior == "chariott"


def test_a_plan_in_words_is_played_and_a_wrong_word_is_named(opened):
    page, look = begun(opened, "romans-go-home")
    page.click("#menu-open")
    page.fill("#plan", f"{look['choices'][0]} nobody")
    page.keyboard.press("Enter")
    page.locator("#message", has_text="1 of 2 choices were made: 'nobody' is not legal now").wait_for()
    assert page.input_value("#plan") == "nobody"


@pytest.mark.parametrize("game", ["romans-go-home", "roma"])
def test_a_hint_moves_nothing_and_pushes_nothing_out_of_the_window(opened, game):
    play_once(game)
    page, look = begun(opened, game, size=(1280, 800))
    page.click("#coach-off")
    # At Roma's opening there are more than a dozen choices, which the board offers itself.
    while game == "roma" and look["choices"]:
        page.locator("#choices button").first.click()
        look = next_look(page, look)
    place = "() => document.getElementById('sheets').getBoundingClientRect().toJSON()"
    before = page.evaluate(place)
    page.click("#hint")
    page.locator("#hinted", has_text="random would").wait_for()
    assert page.evaluate(place) == before
    assert page.locator("#choices .best").count() == 1
    if game == "romans-go-home":
        assert page.locator("#choices .share").count() == page.locator("#choices button").count()
    bottoms = page.evaluate(
        "() => [...document.querySelectorAll('.spot')].map((one) => one.getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= 800


def test_the_first_screen_says_how_much_of_a_game_is_compiled_and_nothing_where_nothing_is(opened, address):
    page, answers = opened(), [{"is_ready": False, "preparing": {"ready": 9, "of": 14}}]
    page.route("**/api/ready/roma", lambda route: route.fulfill(json=answers[-1]))
    page.goto(address)
    tiles = page.locator("#games li")
    status = tiles.filter(has=page.locator("[data-game=roma]")).locator("[role=status]")
    status.get_by_text("Preparing for the first use: 9 of 14 parts ready").wait_for()
    assert page.get_by_text("Preparing").count() == 1
    answers.append({"is_ready": True, "preparing": None})
    status.get_by_text("2 players").wait_for()
    assert page.get_by_text("Preparing").count() == 0
    sizes = page.evaluate("() => [...document.querySelectorAll('#games img')].map((image) => image.naturalWidth)")
    assert len(sizes) == 3 and min(sizes) > 100


def test_what_a_card_does_is_read_by_pointing_and_by_focus(opened):
    page, _ = begun(opened, "romans-go-home")
    fort = page.locator('.spot[aria-label^="Slot 1,"]')
    fort.hover()
    assert "point" in page.locator("#about").inner_text()
    card = page.locator('.spot[data-action^="discard:"]').first
    card.focus()
    assert "Strength" in page.locator("#about").inner_text()
    assert "set" in card.get_attribute("aria-label") and "Strength" in card.get_attribute("aria-label")


def test_a_curtain_is_between_two_people_at_one_screen(opened):
    page = opened()
    start(page, "romans-go-home", "here", "here")
    rng = random.Random(1)
    for seat in (0, 1):
        page.locator("#curtain", has_text=f"player {seat + 1} is next").wait_for()
        assert page.locator(".spot").count() == 0 and page.locator("#sheets").inner_html() == ""
        page.click("#curtain-lift")
        look = None
        for _ in range(8):
            look = next_look(page, look)
            page.locator(f'#choices button[data-action="{rng.choice(look["choices"])}"]').click()
            page.wait_for_timeout(150)
            if page.evaluate("() => document.getElementById('curtain').open") or seat:
                break
    assert page.locator("#question").inner_text()


def test_a_game_is_reviewed_at_its_end_and_played_again_with_the_same_opponent(opened):
    page, rng = opened(), random.Random(2)
    start(page, "dice-race", None, "agent:random")
    first = page.url
    for number in range(2):
        play(page, any_choice(page, rng))
        page.click("#review")
        page.locator("#review-page").wait_for()
        lines = page.locator("#review-text li").all_inner_texts()
        assert re.match(r"You (won|lost|shared the win) ", lines[0])
        title, mistakes = page.locator("#mistakes-title").inner_text(), page.locator("#mistakes li")
        assert title.startswith(str(mistakes.count() or "No")) and page.locator("#review-bar").is_hidden()
        assert any(line.startswith("In the 2 games reviewed in this browser") for line in lines) == (number == 1)
        assert not page.locator("#review").is_visible()
        if number == 0:
            page.click("#again")
            page.wait_for_url(lambda url: "/games/" in url and url != first)
            assert [one["agent"] for one in summary_of(page)["players"]] == [None, "random"]
    page.click("#review-page")
    page.locator("html[data-ready=yes]").wait_for()
    assert page.locator("#review").is_visible() and page.locator("#curve circle").count() >= 3
    assert page.locator("#curve text").all_text_contents() == ["0 %", "50 %", "100 %"]
    said = page.locator("#review").inner_text()
    assert "You " in said and "human (player" not in said
    sides = [page.locator(name).bounding_box() for name in ("#board", "#curve")]
    assert all(side["y"] + side["height"] <= WIDE[1] for side in sides)
    # The worst choices are in order, and open the game where they were made.
    losses = [re.search(r"[\d.]+(?= % to win)", text)[0] for text in page.locator("#worst button").all_inner_texts()]
    assert losses == sorted(losses, key=float, reverse=True)
    if losses:
        page.locator("#worst button").first.click()
        assert f"{losses[0]} % to win" in page.locator("#opinion").inner_text()
    page.get_by_role("link", name="Back to the game").click()
    page.locator("#end:not([hidden])").wait_for()
    assert "Points: you " in page.locator("#why").inner_text()


def summary_of(page):
    return page.evaluate("() => fetch('/api' + location.pathname).then((reply) => reply.json())")


NUMBERS_SHOWN = """() => [...document.querySelectorAll('#answers button')]
  .map((one) => getComputedStyle(one, '::before').content).filter((content) => content !== 'none')"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.sheet text')].map((text) => (
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)))"""


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "struggle"])
def test_letters_and_cards_on_a_phone_are_large_enough(opened, game):
    play_once(game)
    page, _ = begun(
        opened, game, None, *[f"agent:{OPPONENTS[game]}"] * RIVALS.get(game, 1), size=NARROW, has_touch=True
    )
    assert page.evaluate(SMALLEST) > 11.9
    assert page.evaluate(OVERFLOW) <= 0
    boxes = page.evaluate(
        "() => [...document.querySelectorAll('.spot.can:not(.ring), #answers button, #coach button')]"
        ".map((one) => one.getBoundingClientRect())"
    )
    assert boxes and all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    # Answers wrap, and none has the number of a key.
    assert page.evaluate("() => choices.scrollWidth - choices.clientWidth") <= 0
    assert page.evaluate(NUMBERS_SHOWN) == []


def test_a_map_is_made_larger_by_two_fingers_and_shown_whole_by_a_button(opened):
    play_once("struggle")
    players = [None, "agent:random", "agent:random"]
    page, _ = begun(opened, "struggle", *players, size=NARROW, has_touch=True, reduced_motion="reduce")
    page.click("#coach-close")
    width = "() => document.querySelector('.stage').getBoundingClientRect().width"
    usual = page.evaluate(width)
    touch = page.context.new_cdp_session(page)

    def fingers(kind, *xs):
        points = [{"x": x, "y": 200, "id": int(x > 180)} for x in xs]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 150, 210)
    for apart in (20, 40, 60):
        fingers("touchMove", 150 - apart, 210 + apart)
    fingers("touchEnd")
    larger = page.evaluate(width)
    assert larger > 1.5 * usual
    page.click("#whole")
    assert page.evaluate(width) <= 360


def test_a_coach_says_at_each_of_the_first_decisions_what_was_not_said_before(opened):
    page, look = begun(opened, "romans-go-home")
    aim, lesson = page.locator("#coach-aim li"), page.locator("#coach-lesson")
    page.locator("#coach").wait_for()
    assert aim.count() == 3 and "one stays out" in lesson.inner_text()
    # A page that is loaded again has said it.
    page.reload()
    next_look(page)
    page.wait_for_timeout(300)
    assert page.locator("#coach").is_hidden()
    said = []
    for _ in range(3):
        page.locator("#choices button").first.click()
        look = next_look(page, look)
        said.append(lesson.inner_text() if page.locator("#coach").is_visible() else None)
    assert "face-down" in said[0] and "counts again" in said[1] and said[2] is None
    assert aim.count() == 0
    # Another game of this kind has nothing to say of these decisions, and one of another kind begins anew.
    page.goto(page.url.partition("/games")[0])
    start(page, "romans-go-home")
    next_look(page)
    assert page.locator("#coach").is_hidden()
    page.goto(page.url.partition("/games")[0])
    start(page, "roma")
    page.locator("#coach").wait_for()
    assert aim.count() == 3


def test_a_coach_is_switched_off_and_on_again_and_a_game_without_one_is_silent(opened):
    page, _ = begun(opened, "dice-race")
    page.wait_for_timeout(300)
    assert page.locator("#coach").is_hidden()
    page.goto(page.url.partition("/games")[0])
    start(page, "romans-go-home")
    look = next_look(page)
    page.click("#coach-off")
    page.locator("#choices button").first.click()
    next_look(page, look)
    assert page.locator("#coach").is_hidden()
    page.click("#menu-open")
    page.check("#coach-on")
    page.click("#menu-close")
    assert page.locator("#coach-aim li").count() == 3 and "face-down" in page.locator("#coach-lesson").inner_text()
    page.click("#coach-close")
    assert page.locator("#coach").is_hidden()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_way_out_of_a_turn_is_apart_from_other_answers(opened, size):
    play_once("roma")
    page, look = begun(opened, "roma", size=size, has_touch=size == NARROW)
    while page.locator("#way-out button").count() == 0:
        button = page.locator("#choices button[data-action]").first
        if button.count() == 0:
            page.locator("#choices .quiet").first.click()
        button.click()
        look = next_look(page, look)
    assert page.locator("#way-out button").get_attribute("data-action") == "end"
    assert page.locator('#choices button[data-action="end"]').count() == 0
    edge = page.locator("#way-out button").bounding_box()
    assert edge["x"] + edge["width"] > size[0] - 20
    page.locator("#way-out button").click()
    next_look(page, look)


def test_offers_of_trade_are_behind_a_button_by_what_is_given(opened):
    play_once("struggle")
    page, look = begun(opened, "struggle", None, "agent:random", "agent:random")
    fold = page.locator("#choices .quiet", has_text="Offer a trade")
    rng, decisions = random.Random(1), 0
    while fold.count() == 0 and not look["isOver"]:
        buttons = page.locator("#answers button[data-action]")
        if buttons.count() == 0:
            page.locator("#choices .quiet").first.click()
        buttons.nth(rng.randrange(buttons.count())).click()
        look = next_look(page, look)
        decisions += 1
        assert decisions < 100
    assert not any(name.startswith("offer:") for name in look["choices"])
    number = int(re.search(r"\((\d+)\)", fold.inner_text())[1])
    fold.click()
    groups = page.locator("#choices .quiet").all_inner_texts()
    if groups:
        assert all(text.startswith("Offer ") for text in groups)
        assert sum(int(re.search(r"\((\d+)\)", text)[1]) for text in groups) == number
        page.locator("#choices .quiet").first.click()
    offers = page.evaluate(LOOK)["choices"]
    assert offers and all(name.startswith("offer:") for name in offers)
    assert len({name.split(":")[1] for name in offers}) == 1
    page.keyboard.press("Escape")
    assert page.evaluate(LOOK)["choices"] == look["choices"]


def test_all_panels_of_four_seats_are_in_sight_beside_the_map_and_the_log_pushes_nothing(opened):
    play_once("struggle")
    page, _ = begun(opened, "struggle", None, *["agent:random"] * 2, size=(1280, 800))
    beside = page.locator(".sheet").nth(1)
    room, scale = beside.bounding_box(), 330 / 330
    assert room["height"] >= scale * (64 + 4 * 168) and room["y"] + room["height"] <= 800
    place = "() => document.querySelector('.sheet').getBoundingClientRect().toJSON()"
    before = page.evaluate(place)
    page.click("#story summary")
    assert page.locator("#log").is_visible()
    assert page.evaluate(place) == before


def test_setups_and_levels_are_in_words(opened):
    page = opened()
    page.locator("#games summary").first.click()
    page.get_by_role("button", name="Set up…").first.click()
    assert "1 player, 1 neutral clan" in page.locator("#new-setup").inner_text()
    assert not re.search(r"\d\+\d", page.locator("body").inner_text())
    page.click("#setup-close")
    start(page, "romans-go-home")
    next_look(page)
    assert page.locator("#title").inner_text() == "Romans Go Home! · 2 players, no neutral clan · greedy ●●●○○"
    page.click("#menu-open")
    assert "greedy ●●●○○" in page.locator("#players").inner_text()
    assert not re.search(r"\d\+\d", page.locator("body").inner_text())
    page.goto(page.url.partition("/games")[0])
    entry = page.locator("#list a").first
    assert "no neutral clan" in entry.inner_text() and "greedy ●●●○○" in entry.inner_text()


def test_the_end_offers_the_next_stronger_rival(opened):
    page, rng = opened(), random.Random(7)
    start(page, "romans-go-home", None, "agent:random")
    first = page.url
    play(page, any_choice(page, rng))
    page.click("#stronger")
    page.wait_for_url(lambda url: "/games/" in url and url != first)
    page.locator("html[data-shown]").wait_for()
    assert [one["agent"] for one in summary_of(page)["players"]] == [None, "greedy"]
    play(page, any_choice(page, rng))
    assert page.locator("#again").is_visible() and page.locator("#stronger").is_hidden()


@pytest.mark.parametrize("game", ["romans-go-home", "roma"])
def test_the_replay_of_a_game_has_the_form_of_a_phone(opened, game):
    play_once(game)
    page, rng = opened(size=(390, 844), has_touch=True), random.Random(2)
    start(page, game, None, f"agent:{OPPONENTS[game]}")

    def choose(look):
        if not page.locator("#answers button[data-action]").count():
            page.locator("#choices .quiet").first.click()
        any_choice(page, rng)(page.evaluate(LOOK))

    play(page, choose)
    page.click("#replay")
    page.locator("html[data-ready=yes]").wait_for()
    width = "() => document.getElementById('board').viewBox.baseVal.width"
    assert page.evaluate(width) == 360
    assert page.evaluate(SMALLEST.replace(".sheet text", "#board text")) > 11.9
    assert page.evaluate(OVERFLOW) <= 0 and not re.search(r"\d\+\d", page.locator("#title").inner_text())
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function(f"() => ({width})() > 360")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cards_move_unless_less_motion_is_asked_for(opened, motion):
    page = opened(reduced_motion=motion)
    page.evaluate("() => localStorage.setItem('speed', '600')")
    start(page, "romans-go-home")
    look = next_look(page)
    page.evaluate("""() => {
      const animate = Element.prototype.animate;
      window.moved = [];
      Element.prototype.animate = function (...given) {
        window.moved.push(this.dataset.key);
        return animate.apply(this, given);
      };
    }""")
    card = look["choices"][0]
    page.locator(f'#choices button[data-action="{card}"]').click()
    next_look(page, look)
    moved = page.evaluate("() => window.moved")
    assert (f"0 {card.partition(':')[2]}" in moved) == (motion == "no-preference")
    assert moved or motion == "reduce"


def test_a_finger_reads_a_card_first_and_plays_it_at_the_second_touch(opened):
    page, look = begun(opened, "romans-go-home", size=NARROW, has_touch=True)
    first, second = page.locator(".spot.can").nth(0), page.locator(".spot.can").nth(1)
    for card in (first, second):
        card.tap()
        assert "Strength" in page.locator("#about").inner_text()
        assert page.locator(".spot.read").count() == 1
    assert page.evaluate(LOOK)["shown"] == look["shown"]
    second.tap()
    assert next_look(page, look)["question"] != look["question"]


def test_a_finger_that_stays_reads_a_card_and_plays_nothing(opened):
    page, look = begun(opened, "romans-go-home", size=NARROW, has_touch=True)
    page.click("#coach-close")
    box = page.locator(".spot.can").first.bounding_box()
    touch = page.context.new_cdp_session(page)
    point = {"x": box["x"] + 20, "y": box["y"] + 20}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.locator("#about:not([hidden])", has_text="Strength").wait_for()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)
    assert page.evaluate(LOOK)["shown"] == look["shown"]


def test_friends_play_by_private_link_and_others_look_on(opened):
    host, friend = opened(), None
    start(host, "dice-race", "here", "link")
    link = host.locator("#link-list input").nth(1).input_value()
    host.click("#menu-close")
    path = link[link.index("/games/") :]
    friend, watching = opened(path), opened(path.partition("#")[0])
    assert "#" not in friend.url
    look = next_look(host)
    assert friend.locator("#question").inner_text() == "Player 1 is deciding."
    assert watching.locator("#question").inner_text() == "Player 1 is deciding."
    host.locator("#choices button").nth(1).click()
    theirs = next_look(friend)
    assert theirs["choices"] and theirs["choices"][0] == "name:0"
    for page in (host, watching):
        page.locator("#question", has_text="Player 2 is deciding.").wait_for()
    # A second page of the host's browser, and a reload of the friend's, go on where the game is.
    friend.reload()
    assert next_look(friend)["choices"] == theirs["choices"]
    assert look["choices"]


def test_agents_play_each_other_while_one_looks_on(opened):
    page = opened()
    start(page, "dice-race", "agent:random", "agent:random")
    page.click("#menu-open")
    page.select_option("#pace", "0")
    page.click("#menu-close")
    page.locator("#end:not([hidden])").wait_for(timeout=20_000)
    page.click("#brand")
    page.click("#older summary")
    page.locator("#older-list a", has_text="won by").first.wait_for()


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (WIDE, "dark"), ((320, 640), "light")])
def test_a_checker_of_accessibility_finds_nothing_serious(opened, size, scheme):
    page = opened(size=size, color_scheme=scheme, reduced_motion="reduce")
    assert serious(page) == []
    page.locator("#games summary").first.click()
    page.get_by_role("button", name="Set up…").first.click()
    assert serious(page) == []
    page.click("#setup-close")
    start(page, "romans-go-home")
    look = next_look(page)
    page.locator("#coach").wait_for()
    assert serious(page) == []
    page.keyboard.press("?")
    page.locator("#rules h3").first.wait_for()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.click("#menu-open")
    assert serious(page) == []
    page.keyboard.press("Escape")
    while not look["isOver"]:
        page.locator(f'#choices button[data-action="{look["choices"][0]}"]').click()
        look = next_look(page, look)
    assert serious(page) == []
    assert page.evaluate(OVERFLOW) <= 0


@pytest.mark.parametrize(("game", "scheme"), [("roma", "dark"), ("struggle", "light"), ("struggle", "dark")])
def test_a_checker_of_accessibility_finds_nothing_serious_at_other_tables(opened, game, scheme):
    play_once(game)
    players = [None, *["agent:random"] * RIVALS.get(game, 1)]
    page, _ = begun(opened, game, *players, color_scheme=scheme, reduced_motion="reduce")
    page.locator("#coach").wait_for()
    assert serious(page) == []


def serious(page):
    """What axe finds on a page that is serious or critical: the rule and the elements."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    # A heading that is read aloud is a minor finding, and was one here.
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical") or one["id"] == "aria-allowed-role"
    ]


def test_the_page_opens_in_under_a_second(opened):
    page = opened()
    times = []
    for _ in range(3):
        begun = time.monotonic()
        page.reload()
        page.locator("html[data-ready=yes]").wait_for()
        page.locator("#games li").first.wait_for()
        times.append(time.monotonic() - begun)
    assert min(times) < 1


def test_a_choice_that_cannot_be_kept_is_sent_again(chromium, address):
    # A page of its own: Chromium writes each answer of 503 to its console.
    page = chromium.new_page()
    refusals = [503, 503]

    def answer(route):
        if refusals:
            route.fulfill(status=refusals.pop(), json={"error": "the games cannot be saved right now"})
        else:
            route.continue_()

    try:
        page.goto(address)
        page.route("**/act", answer)
        start(page, "romans-go-home")
        before = next_look(page)
        page.locator("#choices button").first.click()
        message = page.locator("#message", has_text="The page keeps trying")
        message.wait_for()
        page.wait_for_function("before => document.documentElement.dataset.shown !== before", arg=before["shown"])
        message.wait_for(state="hidden")
        assert next_look(page)["choices"] and not refusals
    finally:
        page.close()


PLAY_ANYTHING = """async () => {
  const api = `/api${location.pathname}`, headers = { "content-type": "application/json" };
  for (let number = 0; ; number++) {
    const { is_over, choices, move } = await (await fetch(`${api}/view?seat=0`)).json();
    if (is_over) return;
    const choice = choices[(7 * number) % Math.max(1, choices.length)];
    const body = choice && JSON.stringify({ seat: 0, move, plan: choice.action });
    await (choice ? fetch(`${api}/act`, { method: "POST", headers, body }) : new Promise((go) => setTimeout(go, 20)));
  }
}"""
"""The game of the page is played to its end by its person's seat, whatever comes."""


def test_a_mistake_is_tried_again_and_the_answer_says_what_is_better(opened):
    page = opened()
    start(page, "roma", None, "agent:random")
    first = page.url
    page.evaluate(PLAY_ANYTHING)
    page.locator("#review").click()
    page.locator("#review-page").wait_for()
    costs = [re.search(r"(\d+) %", text)[1] for text in page.locator("#mistakes b").all_inner_texts()]
    assert costs and costs == sorted(costs, key=int, reverse=True)
    better = page.locator("#mistakes li").first.locator("p").nth(1).inner_text().partition(": ")[2]
    page.locator("#mistakes button").first.click()
    page.wait_for_url(lambda url: "/games/" in url and url != first)
    next_look(page)
    assert (
        page.locator("#puzzle").inner_text().startswith("Try this choice again (")
        and page.locator("#undo").is_disabled()
    )
    page.locator("#answers button").first.click()
    page.wait_for_function("() => !document.getElementById('puzzle').textContent.startsWith('Try this choice')")
    said = page.locator("#puzzle").inner_text()
    assert better in said or "the best choice found" in said


def test_two_friends_plan_at_the_same_time(opened):
    host = opened()
    start(host, "romans-go-home", "here", "link")
    assert "start it with romans serve --host 0.0.0.0" in host.locator("#links-here").inner_text()
    link = host.locator("#link-list input").nth(1).input_value()
    host.click("#menu-close")
    before = host.evaluate(LOOK)
    friend, look = opened(link[link.index("/games/") :]), None
    while True:
        look = next_look(friend, look)
        friend.locator("#answers button").first.click()
        friend.wait_for_timeout(300)
        if friend.locator("#question", has_text="Your plan is complete").count():
            break
    assert friend.locator("#undo").is_enabled() and host.evaluate(LOOK) == before
    look = None
    while "Planning" in host.locator("#question").inner_text():
        look = next_look(host, look)
        host.locator("#answers button").first.click()
        host.wait_for_timeout(300)
    friend.locator("#log", has_text="Turn 1").wait_for(state="attached")
