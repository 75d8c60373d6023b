"""``romans tournament FOLDER --html PAGE``: who takes part, what it takes to run their code, and the page."""

import json
import re
from html.parser import HTMLParser

import gymnasium
import pettingzoo
import pytest

from romans_agents.external import hosted_agent
from romans_env.core.games import rules_of
from romans_training.compare.tournament.page import page_of
from romans_training.compare.tournament.result import FaultReport
from tests.toy.in_a_file import write_game
from tests.training.tournaments import result_with

FIRST = "class Bot:\n    def act(self, view):\n        print('x')\n        return view.legal_actions()[0]\n"
LAST = FIRST.replace("[0]", "[-1]")
CRASHES = "def act(view):\n    return view.missing\n"
OWN_GAME = """
from romans_env import GameSpec

SPEC = GameSpec(name="dice-race", title="Dice Race", rules=DiceRace, env_id="DiceRace-v0")
"""
EVIL = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def forgotten():
    """The environments of the file's game are forgotten after the test."""
    yield
    for registry in (gymnasium.registry, pettingzoo.aec_registry, pettingzoo.parallel_registry):
        registry.pop("DiceRace-v0", None)


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A folder of files in the working directory."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "bots"
    folder.mkdir()
    for name, text in {"ann": FIRST, "bob": LAST, "cy": CRASHES, "dan": "def ("}.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


class Page(HTMLParser):
    """The texts of cells and items of a page, and the names of its elements."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.texts += [""] * (tag in ("td", "th", "li", "p", "h1"))

    def handle_data(self, data):
        if self.texts:
            self.texts[-1] += data.strip("\n")


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "my_game.py:SPEC"])
def test_files_play_under_their_names_and_faults_are_lost_games(called, bots, game, own_games, monkeypatch):
    write_game(OWN_GAME)
    monkeypatch.setattr(hosted_agent, "_host", hosted_agent._HostProcess())  # it learns of games when it starts
    arguments = ("tournament", "bots", "random", "--game", game, "--deals", 2, "--jobs", 1, "--allow-code")
    status, out, err = called(*arguments, "--folder", "cup", "--html", "class.html")
    assert status == 0, (out, err)
    assert "dan.py does not take part: cannot load it: SyntaxError: invalid syntax (dan.py, line 1)" in err
    standings = json.loads((bots.parent / "cup/tournament.json").read_text())["standings"]
    assert {one["label"] for one in standings} == {"ann", "bob", "cy", "random"}
    (cy,) = [one for one in standings if one["label"] == "cy"]
    assert cy["win_share"]["mean"] == 0 and sum(one["games"] for one in cy["faults"]) == cy["games"]
    said = "AttributeError: 'View' object has no attribute 'missing' (cy.py, line 2)"
    page = Page((bots.parent / "class.html").read_text(encoding="utf-8"))
    for texts in (" ".join(out.split()), " ".join(page.texts)):
        assert f"cy lost {cy['games']} of {cy['games']} games by an error, first: {said}" in texts
    assert "dan.py: cannot load it: SyntaxError: invalid syntax (dan.py, line 1)" in page.texts
    assert "x" not in out.splitlines()
    assert called(*arguments, "--folder", "cup")[2].count("played before") == 1


def test_without_the_permission_nothing_runs(called, bots):
    (bots / "eve.py").write_text(f"open({str(bots / 'ran')!r}, 'w')\n{FIRST}")
    status, _, _ = called("tournament", "bots", "--deals", 2)
    assert status == (
        "romans: bots contains 5 files of code, which would run with your rights: code may not be loaded here. Give "
        "--allow-code if you trust the authors"
    )
    assert not (bots / "ran").exists()


@pytest.mark.parametrize(
    ("files", "line"),
    [
        ({}, "bots holds no agent: put files such as my_bot.py or policy.npz there"),
        ({"a.py": "x = 1"}, "there; it has no agent: it has no class with an act(self, view), and no function"),
        ({"a.py": FIRST}, "name at least two agents; for a mirror match name one twice"),
    ],
)
def test_too_few_agents_are_an_error_of_a_line(called, bots, files, line):
    for path in bots.iterdir():
        path.unlink()
    for name, text in files.items():
        (bots / name).write_text(text)
    status, _, _ = called("tournament", "bots", "--deals", 2, "--allow-code", "--folder", "cup")
    assert line in status and "\n" not in status


def test_a_decision_has_a_second_unless_it_is_said(called, bots):
    (bots / "ann.py").write_text("import time\n" + FIRST.replace("print('x')", "time.sleep(0.3)"))
    arguments = ("tournament", "bots/", "--deals", 2, "--jobs", 1, "--allow-code")
    assert "running over its time" not in called(*arguments, "--folder", "slow")[1]
    out = " ".join(called(*arguments, "--folder", "fast", "--move-time", 0.1)[1].split())
    assert re.search(r"ann lost \d+ of \d+ games by running over its time, first: ", out)


def test_names_and_messages_on_the_page_are_no_html():
    result = result_with([(EVIL, "</td>", False)]).renamed({"</td>": "'\"&"})
    worst = result.standings[0]
    object.__setattr__(worst, "faults", (FaultReport("error", 3, EVIL),))
    object.__setattr__(result, "shares", ((None, worst.win_share), (worst.win_share, None)))
    text = page_of(result, rules_of("romans-go-home").setup, {EVIL: EVIL})
    page = Page(text)
    assert not {"script", "img", "link", "iframe"} & set(page.elements)
    assert "default-src 'none'" in text and not re.search(r"https?:|url\(|@import", text)
    assert page.texts.count(EVIL) == 2 and page.texts.count("'\"&") == 2
    assert f"{EVIL}: {EVIL}" in page.texts
