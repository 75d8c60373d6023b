"""A class hands in thirty files: they play a tournament, and its page is shown on the wall."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.release.docs.blocks import ROOT, blocks_of

AXE = Path(__file__).parent / "serve" / "axe" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
PLAYS = """
import random

class Bot:
    \"\"\"Plays its {rank}th weakest legal action, but for some that it draws.\"\"\"

    def act(self, view):
        print("I see", view.position()["decision"])
        legal = view.legal_actions()
        return random.choice(legal) if random.random() < 0.{noise} else legal[min({rank}, len(legal) - 1)]
"""
ODD = {
    "crash": "class Bot:\n    def act(self, view):\n        return view.legal_actions()[99]\n",
    "silent": "import time\n\nclass Bot:\n    def act(self, view):\n        time.sleep(10_000)\n",
    "syntax": "class Bot\n    def act(self, view): return 0\n",
    "empty": "# my agent will be here\n",
    "exits": "import sys\n\nclass Bot:\n    def act(self, view):\n        sys.exit(1)\n",
    "killer": "import os\n\nclass Bot:\n    def act(self, view):\n        os._exit(1)\n",
    "threads": "import threading, time\n\nclass Bot:\n    def act(self, view):\n"
    "        threading.Thread(target=time.sleep, args=(10_000,)).start()\n        return view.legal_actions()[0]\n",
}
HTML_NAME = "<img src=x onerror=document.title='hacked'>"


def hand_in(folder):
    """Write thirty files: of those that play one has a name of HTML, and one is a function."""
    folder.mkdir()
    names = [f"student_{k:02}" for k in range(1, 29 - len(ODD))] + [HTML_NAME if os.name != "nt" else "student_99"]
    files = {name: PLAYS.format(rank=k % 4, noise=k % 10) for k, name in enumerate(names)} | ODD
    files["function"] = "def policy(view):\n    return view.action_name(view.legal_actions()[-1])\n"
    assert len(files) == 30
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


def play(folder, *words):
    """Run ``romans`` in a folder as a class does, whose environment's ``bin`` is not on the PATH."""
    return subprocess.run(
        [sys.executable, "-m", "romans_training", *map(str, words)],
        cwd=folder,
        env={**os.environ, "PATH": os.defpath, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=900,
    )


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """The folder in which the tournament was played, and what it printed."""
    folder = tmp_path_factory.mktemp("class")
    hand_in(folder / "bots")
    (block,) = [one for one in blocks_of(ROOT / "docs/start/teaching.md") if "--html" in one.text]
    (words,) = [words for words in block.commands() if "--html" in words]
    done = play(folder, *words[1:], "--deals", 2, "--folder", "cup")
    assert done.returncode == 0, done.stderr
    return folder, done


def test_all_that_bring_an_agent_take_part_and_every_fault_is_told(handed_in):
    folder, done = handed_in
    result = json.loads((folder / "cup/tournament.json").read_text(encoding="utf-8"))
    standings = {one["label"]: one for one in result["standings"]}
    assert len(standings) == 28 and {"function", "student_01"} < set(standings)
    assert not {"syntax", "empty"} & set(standings)
    told = " ".join(done.stderr.split())
    assert "syntax.py does not take part: cannot load it: SyntaxError: " in told
    assert "empty.py does not take part: it has no agent: " in told
    faults = {name: one["faults"] for name, one in standings.items() if one["faults"]}
    said = {name: (fault["kind"], fault["message"]) for name, (fault,) in faults.items()}
    assert said == {
        "crash": ("error", "IndexError: list index out of range (crash.py, line 3)"),
        "silent": ("time", "made no first decision in 10 s"),
        "exits": ("error", "SystemExit: 1 (exits.py, line 5)"),
        "killer": ("error", "its process ended with status 1"),
        "threads": ("error", "leaves a thread running, which would take time from other agents"),
    }
    for name in said:
        assert standings[name]["win_share"]["mean"] < min(
            one["win_share"]["mean"] for other, one in standings.items() if other not in said
        )
        assert re.search(rf"{name} lost \d+ of 108 games by ", " ".join(done.stdout.split()))
    assert "I see" not in done.stdout + done.stderr


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_read_from_the_wall_and_loads_nothing(handed_in, scheme):
    sync_api = pytest.importorskip("playwright.sync_api", reason="the page is opened with Playwright")
    folder, _ = handed_in
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1920, "height": 1080}, color_scheme=scheme, bypass_csp=True)
        page, asked, wrong = context.new_page(), [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto((folder / "class.html").as_uri())
        assert len(asked) == 1 and not wrong
        assert page.title() == "Romans Go Home!: a tournament of 28 agents"
        assert page.locator(".ranking tbody tr").count() == page.locator(".pairs tbody tr").count() == 28
        if os.name != "nt":
            assert page.locator(".ranking tbody th", has_text=HTML_NAME).inner_text() == HTML_NAME
        # A name is a fortieth of the screen's height, as on slides.
        size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.ranking tbody th')).fontSize)")
        assert size >= 1080 / 40
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        left = {page.evaluate(f"document.querySelectorAll('li')[{k}].textContent.split(/[ :]/)[0]") for k in range(7)}
        assert left == {"crash", "silent", "exits", "killer", "threads", "syntax.py", "empty.py"}
        page.add_script_tag(path=AXE)
        found = page.evaluate("axe.run()")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
        browser.close()
