"""The documentation agrees with the code."""

import json
import re
import runpy
from pathlib import Path

import pytest

import romans_env
from romans_env.romans_go_home.material import COPIES, DEFAULT_FORT_DECK, FORTS, POINTS, STRENGTH, WARRIORS
from tests.pages import DOCS, run_python_of
from tests.release.docs.blocks import PAGES, ROOT


def test_the_python_of_the_page_about_small_tables_runs(capsys):
    pytest.importorskip("pyspiel")
    run_python_of("measuring/small_table.md")
    greedy, after_cfr = map(float, capsys.readouterr().out.split())
    assert after_cfr < greedy / 4


def test_the_python_of_the_page_about_analyses_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    run_python_of("measuring/analysis.md")
    assert (tmp_path / "choices.png").stat().st_size > 10_000
    told = capsys.readouterr().out
    assert "discard" in told and "charm" in told


def test_the_changelog_is_of_this_version():
    assert romans_env.__version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", ["", "roma_", "struggle_"])
def test_the_page_about_the_encoding_is_what_the_code_makes(game):
    script = runpy.run_path(str(DOCS / "scripts" / "make_encoding.py"))
    page = script[f"{game}PAGE".upper()].read_text(encoding="utf-8")
    assert page == script[f"{game}page"](), "run: python docs/scripts/make_encoding.py"


def test_the_python_of_the_page_about_pictures_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_python_of("environments/pictures.md", slice(-1, None))
    assert (tmp_path / "game.html").exists()


@pytest.mark.parametrize("name", ["position", "roma_position"])
def test_the_picture_of_a_position_is_what_the_code_draws(name):
    script = runpy.run_path(str(DOCS / "scripts" / "make_pictures.py"))
    assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == script[name](), (
        "run: python docs/scripts/make_pictures.py"
    )


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "struggle"])
def test_the_picture_of_a_game_on_the_first_screen_is_what_the_code_draws(game):
    script = runpy.run_path(str(DOCS / "scripts" / "make_stills.py"))
    kept = (script["FOLDER"] / f"{game}.svg").read_text(encoding="utf-8")
    assert kept == script["still"](game), "run: python docs/scripts/make_stills.py"


def test_the_picture_that_moves_is_what_the_code_draws():
    script = runpy.run_path(str(DOCS / "scripts" / "make_attack.py"))
    kept = (DOCS / "pictures" / "attack.svg").read_text(encoding="utf-8")
    assert kept == script["attack"](), "run: python docs/scripts/make_attack.py"
    assert len(kept.encode()) < 400_000


@pytest.mark.parametrize("name", ["play", "roma_play", "struggle_play"])
def test_the_picture_of_a_game_at_the_terminal_says_what_the_code_says(name):
    script = runpy.run_path(str(DOCS / "scripts" / "make_terminal.py"))
    kept = (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    # How a picture is made depends on the release of rich: the words do not.
    kept_words, words = (re.findall(r">([^<]+)</text>", picture) for picture in (kept, script[name]()))
    assert kept_words == words, "run: python docs/scripts/make_terminal.py"
    assert len(words) > 20 and "@font-face" not in kept


def test_the_figures_of_speed_are_those_that_were_measured():
    script = runpy.run_path(str(DOCS / "scripts" / "make_benchmarks.py"))
    advice = "run: python docs/scripts/make_benchmarks.py"
    for figures, page in script["PAGES"].items():
        measured = json.loads(figures.read_text(encoding="utf-8"))
        assert page.read_text(encoding="utf-8") == script["page"](measured, figures), advice
    measured = json.loads(script["FIGURES"].read_text(encoding="utf-8"))
    speed = script["SPEED"].read_text(encoding="utf-8")
    assert speed == script["with_summary"](speed, measured), advice
    assert script["summary"](measured) in speed


def test_the_rules_page_gives_every_warrior_its_strength():
    rules = (DOCS / "environments" / "romans_go_home_rules.md").read_text(encoding="utf-8")
    for warrior, strength, copies in zip(WARRIORS, STRENGTH, COPIES, strict=True):
        row = re.search(rf"\| [^|]*\| `{warrior}` \| (\d) \|", rules)
        assert row is not None, warrior
        assert int(row[1]) == strength
        assert ("two copies" in row[0]) == (copies == 2)


def test_the_rules_page_gives_the_default_deck():
    rules = (DOCS / "environments" / "romans_go_home_rules.md").read_text(encoding="utf-8")
    for names, points, copies in re.findall(
        r"\| [^|]*\| ((?:`[a-z]+-\d`(?:, )?)+) \| ([-\d, ]+) \| ([\d, ]+) \|", rules
    ):
        kinds = re.findall(r"`([a-z]+-\d)`", names)
        for kind, value, count in zip(kinds, points.split(","), copies.split(","), strict=True):
            assert POINTS[FORTS.index(kind)] == int(value)
            assert DEFAULT_FORT_DECK.count(kind) == int(count)
    assert all(f"`{kind}`" in rules for kind in FORTS)


def anchors_of(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> list[str]:
    """The links of a page to files or headings that there are not."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if "://" not in link and not (target.exists() and (not anchor or anchor in anchors_of(target))):
            broken.append(f"{page.relative_to(ROOT)}: {link}")
    return broken


def test_links_lead_somewhere():
    assert [link for page in (*PAGES, ROOT / "CHANGELOG.md") for link in broken_links(page)] == []
