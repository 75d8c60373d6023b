"""A replay page in a browser."""

import html
import json
import re
import shutil
import subprocess

import pytest

from romans_env import replay_page
from romans_env.render.replay_frames import FULL_STATE, moments_of
from romans_env.render.romans_go_home.renderer import replayed_game
from romans_env.render.romans_go_home.text import transcript
from tests.render.pictures import words_of
from tests.romans_go_home.drawing.opinions import opinions_on
from tests.romans_go_home.stages import random_game

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


DRIVER = """
<script>
window.addEventListener("error", (event) => { document.title = "error: " + event.message; });
const wait = setInterval(() => {
  if (document.documentElement.dataset.ready !== "yes") return;
  clearInterval(wait);
  const get = (id) => document.getElementById(id);
  const change = (id, value) => { get(id).value = value; get(id).dispatchEvent(new Event("change")); };
  const report = { load: performance.now(), views: [], requests: performance.getEntriesByType("resource").length };
  report.opened = get("place").value;
  report.title = get("title").textContent;
  for (const option of get("view").options) {
    change("view", option.value);
    get("first").click();
    const view = { name: option.text, pictures: [], bars: [], decisions: [] };
    view.log = [...get("log").children].map((line) => line.textContent);
    const last = Number(get("place").max);
    for (let k = 0; k <= last; k++) {
      view.pictures.push([...get("board").querySelectorAll("text")].map((text) => text.textContent));
      view.bars.push(get("opinion").querySelectorAll(".row").length);
      view.decisions.push(!get("opinion").hidden);
      get("on").click();
    }
    report.views.push(view);
  }
  report.symbols = get("legend").hidden ? 0 : get("legend").querySelectorAll("li svg").length;
  change("view", "0");
  get("sections").children[1].click();
  report.second = get("board").querySelector("text").textContent;
  get("play").click();
  report.playing = get("play").textContent;
  get("theme").click();
  const out = document.createElement("pre");
  out.id = "report";
  out.textContent = JSON.stringify(report);
  document.body.append(out);
}, 20);
</script></body>
"""


LABELS = {"player_0": "MyBot", "player_2": "greedy", "player_3": "a-long-name"}
"""What stands on the board in the place of a player's name: without the file and the options of an agent spec."""


def names_in_text(text, longest):
    """A text of the page with the agents of the test below beside the names of their players."""
    long = "a-long-name:option=value"
    for player, agent in (
        ("player_0", "my_bot.py:MyBot"),
        ("player_2", "greedy"),
        ("player_3", f"{long[: longest - 1]}…"),
    ):
        text = text.replace(player, f"{agent} ({player})")
    return text


def heading(line):
    """A line of the log, where a heading is without its signs."""
    found = re.match(r"== (.*?) ==(?: (.*))?$", line)
    return line if not found else f"{found[1]}: {found[2]}" if found[2] else found[1]


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: the page is not opened in a browser")
def test_the_page_in_a_browser(tmp_path):
    game = random_game((4, 0, "standard"), seed=6)
    agents = ["my_bot.py:MyBot", None, "greedy", "a-long-name:option=value"]
    game.agents = {f"player_{k}": agent for k, agent in enumerate(agents)}
    page = replay_page(game, opinions=opinions_on(game), start=12).html
    (tmp_path / "replay.html").write_text(page.replace("</body>", DRIVER), encoding="utf-8")
    options = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync"
    command = [CHROMIUM, *options.split(), "--disable-component-update", f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom"]
    done = subprocess.run(
        [*command, (tmp_path / "replay.html").as_uri()], capture_output=True, text=True, timeout=120, check=False
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    found = re.search(r'<pre id="report">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found is not None, done.stdout[-2000:]
    report = json.loads(html.unescape(found[1]))
    assert report["requests"] == 0
    assert [moment.action for moment in moments_of(game)][int(report["opened"])] == 12
    shown = replayed_game(game, opinions=opinions_on(game)).frames
    names = {f"player_{k}": f"player_{k} ({agent})" if agent else f"player_{k}" for k, agent in enumerate(agents)}
    assert [view["name"] for view in report["views"]] == [names.get(viewer, viewer) for viewer in shown]
    assert report["symbols"] == 8 + 5 + 4
    assert [f"{names_in_text(name, 22)} won" in report["title"] for name in game.winners()] == [True]
    for view, (name, frames) in zip(report["views"], shown.items(), strict=True):
        viewer = None if name == FULL_STATE else name
        lines = [heading(line.partition(" wall ")[0].strip()) for line in transcript(game, viewer).splitlines()]
        assert view["log"] == [names_in_text(line, 22) for line in lines]
        assert view["decisions"] == [frame.chosen is not None for frame in frames]
        assert len(view["pictures"]) == len(frames)
        for words, bars, frame in zip(view["pictures"], view["bars"], frames, strict=True):
            for word, text in zip(words, words_of(frame.picture.svg), strict=True):
                assert word == re.sub(r"player_\d", lambda player: LABELS.get(player[0], player[0]), text)
            assert bars == (0 if frame.opinion is None else 1 + len(frame.opinion.probabilities))
    assert report["second"].startswith("Round 2")
    assert "Stop" in report["playing"]
