"""Replays as pages: what is shown is what happened, to those who may know it, with nothing from anywhere else."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest

from romans_env import Game, Opinion, draw, load_record, replay, replay_page, save_record
from romans_env.render.replay_by_action import FULL_STATE
from romans_env.render.romans_go_home.moments import moments_of
from romans_env.render.romans_go_home.replay import replayed_game
from romans_env.render.romans_go_home.text import transcript
from romans_env.render.romans_go_home.words import WARRIOR_TITLES
from tests.pages import data_of
from tests.romans_go_home.stages import SMALL_TABLES, TABLES, random_game, table_id

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def opinions_on(game):
    """Made-up ones: the n-th legal action is likely as 1/n, and the value falls with every decision."""
    again, opinions = Game(game.rules, deal=game.deal()), []
    for number, (_, action) in enumerate(game.actions):
        names = [again.action_name(legal) for legal in again.legal_actions()]
        opinions.append(Opinion("oracle", {name: 1 / (k + 1) for k, name in enumerate(names)}, 1 - number / 50))
        again.act(action)
    return opinions


def games_by_action(game):
    """Copies of the game as it stood before every action and at its end."""
    again = Game(game.rules, deal=game.deal())
    yield again.clone()
    for _, action in game.actions:
        again.act(action)
        yield again.clone()


# -- the frames


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_moments_are_the_game(table):
    game = random_game(table, seed=1)
    moments = list(moments_of(game))
    assert [event for moment in moments for event in moment.events] == game.events()
    decided = [moment.game.position() for moment in moments if moment.action is not None]
    assert decided == [copy.position() for copy in games_by_action(game)]
    for moment in moments:
        if moment.action is None:
            position = moment.game.position()
            assert position["decision"] is None and moment.events
            for event in moment.events:
                if event.kind == "reveal":
                    assert event.details["warriors"] == position["this_turn"]["revealed"]
                elif event.kind == "totals":
                    totals = {clan: total for clan, total in event.details["totals"].items() if total is not None}
                    assert totals.items() <= position["this_turn"]["totals"].items()
                elif event.kind == "capture":
                    assert event.details["clan"] == position["this_turn"]["captor"]
                    assert event.details["fort"] in position["clans"][event.details["clan"]]["forts"] or any(
                        later.kind == "pays" for later in moment.events
                    )


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_frames_are_the_positions_of_the_record(table):
    record = random_game(table, seed=2).record()
    game = replay(record)
    shown = {one.viewer: one.frames for one in replayed_game(game).shown}
    assert list(shown) == [FULL_STATE, *game.players]
    moments = list(moments_of(game))
    for viewer, frames in shown.items():
        player = None if viewer == FULL_STATE else viewer
        stood = list(games_by_action(game))
        for frame in frames:
            action = moments[frame.moment].action
            if action is not None:
                position = stood[action].position(player)
                assert frame.picture == draw(position, player, stood[action].winners())
                assert (frame.section, frame.turn) == (f"Round {position['round']}", position["turn"])
    assert [frame.moment for frame in shown[FULL_STATE]] == list(range(len(moments)))


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_the_log_is_the_transcript(table):
    game = random_game(table, seed=3)
    for one in replayed_game(game).shown:
        viewer = None if one.viewer == FULL_STATE else one.viewer
        assert [line for frame in one.frames for line in frame.lines] == transcript(game, viewer).splitlines()


@pytest.mark.parametrize("table", [(2, 0, "standard"), (4, 0, "vogel")], ids=table_id)
def test_a_seat_sees_nothing_of_the_others_secret_decisions(table):
    game = random_game(table, seed=4)
    moments = list(moments_of(game))
    for one in replayed_game(game, opinions=opinions_on(game)).shown[1:]:
        for frame in one.frames:
            assert frame.opinion is None or moments[frame.moment].game.agent_to_act == one.viewer
            assert not any(
                line.startswith(f"  {other} chooses {kind}:")
                for line in frame.lines
                for other in set(game.players) - {one.viewer}
                for kind in ("discard", "place", "reorder")
            )


def test_a_page_for_a_seat_holds_that_seat_alone():
    game = random_game((2, 0, "standard"), seed=5)
    (data,) = data_of(replay_page(game.record(), viewer="player_1").html)
    assert [view["viewer"] for view in data["views"]] == ["player_1"]
    # In the first picture the only names are those of the viewer's hand.
    first = "".join(data["bands"][number] for number in data["views"][0]["frames"][0]["bands"])
    hand = game.deal()["rounds"][0]["player_1"]
    for warrior, title in WARRIOR_TITLES.items():
        assert html.unescape(first).count(f">{title}<") == hand.count(warrior)


def test_a_page_for_a_seat_does_not_tell_how_often_the_others_were_asked():
    game = random_game((2, 0, "standard"), seed=5)
    (data,) = data_of(replay_page(game.record(), viewer="player_1").html)
    planning = [frame for frame in data["views"][0]["frames"] if frame["turn"] == 0 and frame["section"] == "Round 1"]
    asked = [action for player, action in game.actions[:12] if player == "player_1"]
    assert [frame["chosen"] for frame in planning] == asked[: len(planning)]
    assert [frame["moment"] for frame in planning] == list(range(len(planning)))


# -- the page


def test_a_page_is_small_and_needs_nothing_else():
    game = random_game((4, 0, "standard"), seed=6)
    page = replay_page(game, opinions=opinions_on(game)).html
    assert len(page.encode()) < 1_000_000
    for loads in ("src=", "@import", "url(", '<link rel="stylesheet"', "fetch(", "XMLHttpRequest", "import("):
        assert loads not in page
    assert set(re.findall(r"https?://[^\s\"'`]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page
    assert "{{" not in page


def test_opinions_and_choices_are_on_the_page():
    game = random_game((2, 1, "standard"), seed=7)
    opinions = opinions_on(game)
    (data,) = data_of(replay_page(game, opinions=opinions).html)
    truth = data["views"][0]["frames"]
    told = [frame["opinion"] for frame in truth if "opinion" in frame]
    assert [frame["chosen"] for frame in truth if "chosen" in frame] == [action for _, action in game.actions]
    assert len(told) == len(opinions)
    for said, opinion in zip(told, opinions, strict=True):
        assert said["agent"] == "oracle"
        assert said["value"] == pytest.approx(opinion.value, abs=1e-3)
        assert dict(said["probabilities"]) == pytest.approx(dict(opinion.probabilities), abs=1e-4)
    for view in data["views"][1:]:
        own = [opinion for (player, _), opinion in zip(game.actions, opinions, strict=True) if player == view["viewer"]]
        assert sum("opinion" in frame for frame in view["frames"]) == len(own)


def test_several_games_on_one_page():
    games = [random_game((2, 0, "standard"), seed=8), random_game((3, 1, "vogel"), seed=9)]
    games[0].agents = {"player_0": "greedy", "player_1": "a <b> & 'c'"}
    page = replay_page([game.record() for game in games])
    first, second = data_of(page.html)
    assert first["agents"] == {"player_0": "greedy", "player_1": "a <b> & 'c'"}
    assert [len(first["views"]), len(second["views"])] == [3, 4]
    assert repr(page) == "<ReplayPage, 2 games>"
    assert "a <b>" not in page.html


def test_names_in_a_record_cannot_break_out_of_the_page():
    game = random_game((2, 0, "standard"), seed=8)
    game.agents = {"player_0": "</script><script>alert(1)</script>", "player_1": "</title><b>"}
    page = replay_page(game.record()).html
    assert "alert(1)" not in re.sub(r"<title>.*?</title>", "", page)
    assert "&lt;/script&gt;" in page
    assert page.count("<script") == 2 and page.count("</title>") == 1


@pytest.mark.parametrize("name", ["{{script}}", "{{games}}{{style}}", "{{title}}", "{{nothing}}", r"\1 \g"])
def test_names_in_a_record_are_no_placeholders(name):
    game = random_game((2, 0, "standard"), seed=8)
    game.agents = {"player_0": name, "player_1": "greedy"}
    page = replay_page(game.record()).html
    assert f": {name}, greedy" in re.search(r"<title>(.*?)</title>", page)[1]
    game.agents["player_0"] = "greedy"
    assert abs(len(page) - len(replay_page(game.record()).html)) < 100


def other_hidden_cards(game, viewer):
    """A deal that the viewer cannot tell from the game's while it plans for the first time."""
    deal, on_the_wall = game.deal(), len(game.position()["wall"])
    for seed in range(1000, 1100):
        other = Game(game.rules, seed=seed).deal()
        other["rounds"][0][viewer] = deal["rounds"][0][viewer]
        other["forts"] = [*deal["forts"][:on_the_wall], *reversed(deal["forts"][on_the_wall:])]
        if all(other["rounds"][0][clan] != deal["rounds"][0][clan] for clan in game.rules.seats if clan != viewer):
            return other
    raise AssertionError("there is no other deal")


@pytest.mark.parametrize("num_actions", range(7))
@pytest.mark.parametrize("table", [(2, 0, "standard"), (3, 1, "vogel"), (1, 2, "standard"), SMALL_TABLES[3]])
def test_a_record_that_stops_early_is_shown_to_everybody(table, num_actions):
    game = random_game(table, seed=5, stop_after=num_actions)
    whole = random_game(table, seed=5)
    (data,) = data_of(replay_page(game.record()).html)
    assert [view["viewer"] for view in data["views"]] == [FULL_STATE, *game.players]
    assert all(view["frames"] for view in data["views"])
    for viewer in game.players:
        page = replay_page(game.record(), viewer=viewer, start=num_actions).html
        (data,) = data_of(page)
        first = data["views"][0]["frames"][0]
        assert (first["moment"], first["section"], first["turn"], data["start"] < len(data["views"][0]["frames"])) == (
            *(0, "Round 1", 0),
            True,
        )
        drawn = html.unescape("".join(data["bands"][number] for number in first["bands"]))
        hand = game.deal()["rounds"][0][viewer]
        for warrior, title in WARRIOR_TITLES.items():
            assert drawn.count(f">{title}<") == hand.count(warrior)
        asked = [number for number, (player, _) in enumerate(whole.actions) if player == viewer]
        if num_actions < asked[0]:
            # Neither how many actions the others have made nor what is hidden is to be seen.
            assert "decides" not in drawn
            assert page == replay_page(Game(game.rules, deal=game.deal()), viewer=viewer).html
            other = Game(game.rules, deal=other_hidden_cards(game, viewer))
            assert page == replay_page(other, viewer=viewer).html


def test_a_game_that_still_runs():
    game = Game(random_game((2, 0, "standard"), seed=1).rules, seed=3)
    game.act(game.legal_actions()[0])
    (data,) = data_of(replay_page(game.record()).html)
    assert "not over" in data["title"]
    assert len(data["views"][0]["frames"]) == 2


def test_a_page_opens_where_it_is_told_to():
    games = [random_game((2, 0, "standard"), seed=8), random_game((3, 1, "vogel"), seed=9)]
    for game, start, data in zip(games, (0, 17), data_of(replay_page(games, start=[0, 17]).html), strict=True):
        assert list(moments_of(game))[data["start"]].action == start
    game = games[1]
    frames = replayed_game(game).shown[2].frames
    # A page draws the whole game anew, so not every start has one; these meet decisions of all players.
    for start in range(0, len(game.actions) + 1, 5):
        (whole,) = data_of(replay_page(game, start=start).html)
        (data,) = data_of(replay_page(game, viewer="player_1", start=start).html)
        opened = frames[data["start"]]
        assert opened.moment <= max(whole["start"], frames[0].moment)
        if start < len(game.actions) and game.actions[start][0] == "player_1":
            assert opened.moment == whole["start"]


def test_what_cannot_be_shown_is_refused():
    game = random_game((2, 0, "standard"), seed=1)
    with pytest.raises(ValueError, match="there is no game to show"):
        replay_page([])
    with pytest.raises(ValueError, match=r"there is no 'player_2'; the players are player_0, player_1"):
        replay_page(game, viewer="player_2")
    with pytest.raises(ValueError, match=r"1 opinions for \d+ actions"):
        replay_page(game, opinions=[None])
    with pytest.raises(ValueError, match="opinions on 1 games for 2 games"):
        replay_page([game, game], opinions=[None])
    with pytest.raises(ValueError, match=r"a game of \d+ actions starts at one of them, not at 1000"):
        replay_page(game, start=1000)
    with pytest.raises(ValueError, match="1 starts for 2 games"):
        replay_page([game, game], start=[0])
    with pytest.raises(ValueError, match="a determinization has no record"):
        replay_page(game.view(0).sample_game(np.random.default_rng(0)))


def test_notebooks_show_records(tmp_path):
    game = random_game((2, 0, "standard"), seed=2)
    save_record(game.record(), tmp_path / "game.json")
    record = load_record(tmp_path / "game.json")
    assert record == game.record()
    shown = record._repr_html_()
    assert shown.startswith('<iframe srcdoc="')
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', shown)[1]) == replay_page(game).html
    record["actions"] = record["actions"][5:]
    assert record._repr_html_() is None


# -- in a browser


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


def names_in_text(text, longest):
    """A text of the page with the agents of the test below beside the names of their players."""
    long = "a-long-name:option=value"
    for player, agent in (("player_0", "oracle"), ("player_2", "greedy"), ("player_3", f"{long[: longest - 1]}…")):
        text = text.replace(player, f"{agent} ({player})")
    return text


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: the page is not opened in a browser")
def test_the_page_in_a_browser(tmp_path):
    game = random_game((4, 0, "standard"), seed=6)
    game.agents = {"player_0": "oracle", "player_1": None, "player_2": "greedy", "player_3": "a-long-name:option=value"}
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
    shown = replayed_game(game, opinions=opinions_on(game)).shown
    agents = ["oracle", None, "greedy", "a-long-name:option=value"]
    names = {f"player_{k}": f"player_{k} ({agent})" if agent else f"player_{k}" for k, agent in enumerate(agents)}
    assert [view["name"] for view in report["views"]] == [names.get(one.viewer, one.viewer) for one in shown]
    assert report["symbols"] == 8 + 5 + 4
    assert [f"{names_in_text(name, 22)} won" in report["title"] for name in game.winners()] == [True]
    for view, one in zip(report["views"], shown, strict=True):
        viewer = None if one.viewer == FULL_STATE else one.viewer
        assert view["log"] == [names_in_text(line.strip(), 22) for line in transcript(game, viewer).splitlines()]
        assert view["decisions"] == [frame.chosen is not None for frame in one.frames]
        assert len(view["pictures"]) == len(one.frames)
        for words, bars, frame in zip(view["pictures"], view["bars"], one.frames, strict=True):
            root = ElementTree.fromstring(frame.picture.svg)
            drawn = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
            assert words == [names_in_text(text, 12) for text in drawn]
            assert bars == (0 if frame.opinion is None else 1 + len(frame.opinion.probabilities))
    assert report["second"].startswith("Round 2")
    assert "Stop" in report["playing"]


def test_the_legend_names_every_symbol_of_the_table():
    game = random_game((2, 1, "standard"), seed=7)
    (data,) = data_of(replay_page(game).html)
    assert [(symbols["title"], len(symbols["entries"])) for symbols in data["legend"]] == [
        ("Warriors", 8),
        ("Forts", 5),
        ("Clans", 3),
    ]
    for symbol, text in (entry for symbols in data["legend"] for entry in symbols["entries"]):
        assert symbol.startswith("<g") and text
    assert data["legend"][0]["entries"][0][1] == "Qween, strength 1"


# -- from the wheel


def test_the_parts_of_the_page_are_in_the_wheel(tmp_path):
    pytest.importorskip("hatchling")
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import romans_env; assert sys.argv[1] in romans_env.__file__\n"
        "page = romans_env.replay_page(romans_env.load_record(sys.argv[2])).html\n"
        "print(len(page))"
    )
    game = random_game((2, 0, "standard"), seed=2)
    save_record(game.record(), tmp_path / "game.json")
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    command = [sys.executable, "-c", script, str(tmp_path / "installed"), str(tmp_path / "game.json")]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # compiling anew would take a minute
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(len(replay_page(game).html)), done.stderr
