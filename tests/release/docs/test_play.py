"""The page "Play": a module with the rules, a network and a board, all equal to what Python has."""

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
from romans_env import Game, Roma, RomansGoHome, Table, load_record, replay
from romans_env.core.batch import Batch
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES

HERE = Path(__file__).parent
SITE, AXE = HERE.parents[2] / "docs" / "site", HERE.parent / "serve" / "axe" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


@pytest.fixture(scope="module")
def play(tmp_path_factory):
    pytest.importorskip("sphinx", reason="the documentation is not built: install the extra 'docs'")
    folder = tmp_path_factory.mktemp("play")
    runpy.run_path(str(SITE / "play_files.py"))["write_files"](folder)
    return folder


@node
@pytest.mark.parametrize(
    ("rules", "fewest"), [(RomansGoHome(Table(2, 0)), 70_000), (RomansGoHome(Table(2, 1)), 30_000), (Roma(), 1_000)]
)
def test_games_in_a_module_are_those_of_the_engine_byte_for_byte(tmp_path, rules, fewest):
    module = SITE / "play" / f"{rules.name}.wasm"
    if not module.exists() and pytest.importorskip("ziglang"):
        module = tmp_path / module.name
        subprocess.run([sys.executable, SITE / "wasm.py", "--game", rules.name, "--to", module], check=True)
    batch = Batch(rules, 1024)
    batch.start(7)
    kept = {"states": batch.states, "words": batch.words, "deal": batch._deal_streams, "choice": batch._choice_streams}
    arrays = {**kept, **batch.out._asdict()}
    for name, array in arrays.items():
        (tmp_path / f"{name}.bin").write_bytes(array.tobytes())
    digests, ended = [], 0
    while ended < fewest:
        batch.step_randomly()
        ended += int((batch.out.ends == 1).sum())
        digests.append(hashlib.sha256(b"".join(array.tobytes() for array in arrays.values())).hexdigest())
    spec = {"games": 1024, "steps": len(digests), "players": rules.num_players}
    spec["sizes"] = {name: array.nbytes // 1024 for name, array in arrays.items()}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    subprocess.run(["node", HERE / "play_games.js", module, tmp_path], check=True)
    assert (tmp_path / "digests.txt").read_text().split("\n") == digests


@node
def test_networks_scripted_players_seeds_and_records_are_those_of_python(play):
    policy, rng, seen, masks = PolicyAgent(str(SITE / "play" / "tiro.npz")).policy, np.random.default_rng(3), [], []
    for neutrals in (0, 1):
        batch = Batch(RomansGoHome(Table(2, neutrals)), 50)
        batch.start(5)
        for _ in range(10):
            batch.step_randomly()
            seen.append(batch.out.observations.copy())
            masks.append(batch.out.masks.copy())
    seen, masks, draws = np.concatenate(seen), np.concatenate(masks), rng.random(1000)
    asked = {"observations": seen.tolist(), "masks": masks.tolist(), "draws": draws.tolist()}
    games = [{"table": f"2+{seed % 2}", "seed": seed} for seed in (*range(40), 123_456_789, 2**32 - 1)]
    (play / "asked.json").write_text(json.dumps({**asked, "games": games}))
    subprocess.run(["node", HERE / "play_page.js", play], check=True)
    answered = json.loads((play / "answered.json").read_text())
    likely = policy.probabilities(seen, masks).astype(float)
    found = np.zeros_like(likely)
    found[masks > 0] = np.concatenate([one["probabilities"] for one in answered["opinions"]])
    np.testing.assert_allclose(found, likely, atol=1e-5)
    assert (found.argmax(axis=1) == likely.argmax(axis=1)).all()
    drawn = (likely.cumsum(axis=1) <= draws[:, None]).sum(axis=1)
    assert [one["action"] for one in answered["opinions"]] == drawn.tolist()
    wins = (1 + policy.values(seen).clip(-1, 1)) / 2
    np.testing.assert_allclose([one["win"] for one in answered["opinions"]], wins, atol=1e-5)
    for game, record in zip(games, answered["records"], strict=True):
        played, again = replay(record), Game(RomansGoHome(Table(2, int(game["table"][-1]))), seed=game["seed"])
        assert played.is_over and dict(played.record()) == record and again.deal() == record["deal"]
        for player, action in played.actions:
            assert player == "player_1" or again.rules.action_names[make("greedy").act(again.view(player))] == action
            again.act(action)


def test_the_page_is_small(play):
    files = [
        play / name
        for name in ("board.css", "board.js", "engine.js", "pieces.js", "alone.html", "rules.js", "network.js")
    ]
    assert sum(path.stat().st_size for path in files) < 400_000
    assert sum(path.read_text().count("\n") for path in files[:5]) <= 600


def likelihoods(record):
    """In percent, how likely tiro finds each choice of player_0 in a record."""
    policy, played = PolicyAgent(str(SITE / "play" / "tiro.npz")).policy, replay(record)
    again, found = Game(played.rules, seed=42), []
    for player, action in played.actions:
        view = again.view(player)
        if player == "player_0":
            found.append(
                100 * policy.probabilities(view.observation[None], view.action_mask[None])[0, again.action_id(action)]
            )
        again.act(action)
    return found


@pytest.mark.skipif(CHROMIUM is None, reason="the page is tested in Chromium")
@pytest.mark.parametrize("how", [(360, "light", "2+0", "tiro"), (1280, "dark", "2+1", "greedy")], ids=str)
def test_a_game_is_played_without_a_network_and_its_record_is_replayed(play, called, how):
    width, theme, table, rival = how
    sync_api = pytest.importorskip("playwright.sync_api", reason="the page is tested with Playwright")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        look = {"viewport": {"width": width, "height": 740}, "color_scheme": theme, "has_touch": width < 500}
        page, wrong = browser.new_page(**look, offline=True), []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("file:", "blob:")) or wrong.append(request.url))
        times = []
        for _ in range(3):
            began = time.monotonic()
            page.goto((play / "alone.html").as_uri())
            page.locator(".rp-choices button").first.wait_for()
            times.append(time.monotonic() - began)
        assert min(times) < 2
        for name, value in (("pace", "0"), ("table", table), ("against", rival)):
            page.select_option(f"[name={name}]", value)
        page.fill("[name=seed]", "42")
        page.keyboard.press("Enter")
        for number in range(1, 100):
            page.locator(f'.romans-play[data-asked="{number}"]').wait_for()
            if page.locator(".rp-end:not([hidden])").count():
                break
            if number == 3:
                page.evaluate(AXE.read_text(encoding="utf-8"))
                found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
                assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
                assert page.evaluate("() => document.documentElement.scrollWidth") <= width
                theirs = page.locator(".rp-clan").first.inner_html()  # nobody has revealed a card yet
                assert not [title for title in WARRIOR_TITLES.values() if title in theirs]
            if width < 500:
                page.locator("button.rp-cell.can, .rp-choices button").first.tap()
            else:
                page.keyboard.press(str(1 + number % page.locator(".rp-choices li").count()))
        assert page.locator(".rp-after tbody tr").count() == number - 1
        shares = [float(share.rstrip(" %")) for share in page.locator(".rp-after td:nth-child(3)").all_inner_texts()]
        with page.expect_download() as download:
            page.click("a[download]")
        path = play / download.value.suggested_filename
        download.value.save_as(path)
    record, (code, told, _) = load_record(path), called("replay", path)
    assert replay(record).is_over and Game(RomansGoHome(Table(2, int(table[-1]))), seed=42).deal() == record["deal"]
    assert (wrong, code, f"player_1: {rival}" in told) == ([], 0, True)
    assert shares == pytest.approx(likelihoods(record), abs=0.6)
