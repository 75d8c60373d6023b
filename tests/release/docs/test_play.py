"""The page "Play": a module with the rules, a network and a board, all equal to what Python has."""

import gzip
import hashlib
import json
import runpy
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from romans_agents import PolicyAgent, make
from romans_env import Game, RomansGoHome, Table, load_record, replay
from romans_env.batch import Batch
from romans_env.games import spec_of

ROOT = Path(__file__).resolve().parents[3]
SITE, AXE = ROOT / "docs" / "site", ROOT / "tests" / "release" / "serve" / "axe" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
PAGE = """<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Play</title>
<link rel="stylesheet" href="board.css"><script defer src="board.js"></script></head>
<body data-theme="{theme}" style="margin: 1rem"><main><h1>Play</h1><div class="romans-play"></div></main></body></html>"""


@pytest.fixture(scope="module")
def play(tmp_path_factory):
    """The folder of the page's files."""
    pytest.importorskip("sphinx", reason="the documentation is not built: install the extra 'docs'")
    folder = tmp_path_factory.mktemp("play")
    runpy.run_path(str(SITE / "play_files.py"))["write_files"](folder)
    for theme in ("light", "dark"):
        (folder / f"{theme}.html").write_text(PAGE.format(theme=theme))
    return folder


@node
@pytest.mark.parametrize(
    ("game", "setup", "fewest"),
    [("romans-go-home", {}, 70_000), ("romans-go-home", {"num_neutrals": 1}, 30_000), ("roma", {}, 1_000)],
)
def test_games_in_a_module_are_those_of_the_engine_byte_for_byte(tmp_path, game, setup, fewest):
    module = SITE / "play" / "romans-go-home.wasm"
    if game == "roma":
        pytest.importorskip("ziglang")
        module = tmp_path / "roma.wasm"
        subprocess.run([sys.executable, SITE / "wasm.py", "--game", game, "--to", module], check=True)
    rules, games = spec_of(game).make_rules(**setup), 1024
    batch = Batch(rules, games)
    batch.start(7)
    streams = {"deal": batch._deal_streams, "choice": batch._choice_streams, "words": batch.words}
    arrays = {"states": batch.states, **streams, **batch.out._asdict()}
    for name, array in arrays.items():
        (tmp_path / f"{name}.bin").write_bytes(array.tobytes())
    digests, ended = [], 0
    while ended < fewest:
        batch.step_randomly()
        ended += int((batch.out.ends == 1).sum())
        digests.append(hashlib.sha256(b"".join(array.tobytes() for array in arrays.values())).hexdigest())
    sizes = {name: array.nbytes // games for name, array in arrays.items()}
    spec = {"games": games, "steps": len(digests), "players": rules.num_players, "sizes": sizes}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    subprocess.run(["node", Path(__file__).with_name("play_games.js"), module, tmp_path], check=True)
    assert (tmp_path / "digests.txt").read_text().split("\n") == digests


@node
def test_the_network_thinks_what_it_thinks_in_python_and_seeds_mean_the_same(play):
    policy, rng, positions = PolicyAgent(str(SITE / "play" / "tiro.npz")).policy, np.random.default_rng(3), []
    for neutrals in (0, 1):
        batch = Batch(RomansGoHome(Table(2, neutrals)), 50)
        batch.start(5)
        for _ in range(10):
            batch.step_randomly()
            for seen, mask in zip(batch.out.observations.tolist(), batch.out.masks, strict=True):
                positions.append({"observation": seen, "legal": mask.nonzero()[0].tolist(), "draw": rng.random()})
    games = [{"table": f"2+{seed % 2}", "seed": seed} for seed in (*range(40), 123_456_789, 2**32 - 1)]
    (play / "asked.json").write_text(json.dumps({"positions": positions, "games": games}))
    subprocess.run(["node", Path(__file__).with_name("play_page.js"), play], check=True)
    answered = json.loads((play / "answered.json").read_text())
    seen = np.array([one["observation"] for one in positions], dtype=np.int8)
    masks = np.zeros((len(positions), 56), dtype=np.int8)
    for row, one in zip(masks, positions, strict=True):
        row[one["legal"]] = 1
    wins = (1 + policy.values(seen).clip(-1, 1)) / 2
    for one, opinion, expected, win in zip(
        positions, answered["opinions"], policy.probabilities(seen, masks), wins, strict=True
    ):
        likely = expected[one["legal"]].astype(float)
        assert np.allclose(opinion["probabilities"], likely, atol=1e-5) and abs(opinion["win"] - win) < 1e-5
        assert np.argmax(opinion["probabilities"]) == likely.argmax()
        assert opinion["action"] == one["legal"][min((likely.cumsum() <= one["draw"]).sum(), len(likely) - 1)]
    for game, record in zip(games, answered["records"], strict=True):
        played = replay(record)
        rules, greedy = RomansGoHome(Table(2, int(game["table"][-1]))), make("greedy")
        assert played.is_over and dict(played.record()) == record
        again = Game(rules, seed=game["seed"])
        assert again.deal() == record["deal"]
        for player, action in played.actions:
            if player == "player_0":
                assert again.rules.action_names[greedy.act(again.view(player))] == action
            again.act(action)


def test_the_page_is_small_and_made_here(play):
    files = [play / name for name in ("board.css", "board.js", "engine.js", "pieces.js", "rules.js", "network.js")]
    assert sum(path.stat().st_size for path in files) < 400_000
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 300_000
    assert sum(len((SITE / "play" / path.name).read_text().splitlines()) for path in files[:4]) <= 600
    assert len((SITE / "wasm.py").read_text().splitlines()) <= 200


@pytest.mark.skipif(CHROMIUM is None, reason="the page is tested in Chromium")
@pytest.mark.parametrize(
    ("size", "theme", "table", "rival"), [((360, 740), "light", "2+0", "tiro"), ((1280, 800), "dark", "2+1", "greedy")]
)
def test_a_whole_game_is_played_without_a_network_and_its_record_is_replayed(play, called, size, theme, table, rival):
    sync_api = pytest.importorskip("playwright.sync_api", reason="the page is tested with Playwright")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(
            viewport=dict(zip(("width", "height"), size, strict=True)), offline=True, has_touch=size[0] < 500
        )
        page, errors = context.new_page(), []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("file:", "blob:")) or errors.append(request.url))
        began = time.monotonic()
        page.goto(f"{(play / theme).as_uri()}.html")
        page.locator(".rp-choices button").first.wait_for()
        assert time.monotonic() - began < 2
        for name, value in (("pace", "0"), ("table", table), ("against", rival)):
            page.select_option(f"[name={name}]", value)
        page.fill("[name=seed]", "42")
        page.keyboard.press("Enter")
        for number in range(1, 100):
            page.locator(f'.romans-play[data-asked="{number}"]').wait_for()
            if page.locator(".rp-end:not([hidden])").count():
                break
            other = page.locator(".rp-clan").first.inner_text() + page.locator(".rp-clan").first.inner_html()
            assert "in hand" in other or "face-down" in other or "turn 6" in page.locator(".rp-title").inner_text()
            assert "data-action" not in other
            if number == 3:
                page.evaluate(AXE.read_text(encoding="utf-8"))
                found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
                assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
                width = page.evaluate("() => document.documentElement.scrollWidth")
                assert width <= size[0]
            if size[0] < 500:
                page.locator("button.rp-cell.can, .rp-choices button").first.tap()
            else:
                page.keyboard.press(str(1 + number % page.locator(".rp-choices button").count()))
        assert page.locator(".rp-after tbody tr").count() == number - 1
        with page.expect_download() as download:
            page.click("a[download]")
        path = play / download.value.suggested_filename
        download.value.save_as(path)
        browser.close()
    assert errors == []
    record = load_record(path)
    assert replay(record).is_over and record["agents"] == {"player_0": None, "player_1": rival}
    assert Game(RomansGoHome(Table(2, int(table[-1]))), seed=42).deal() == record["deal"]
    code, told, _ = called("replay", path)
    assert code == 0 and f"player_1: {rival}" in told
