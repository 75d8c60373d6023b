"""One value for one thing: pages show what the result file has, marked; and the reading path is short enough."""

import json
import re
import runpy
from pathlib import Path

import pytest

from benchmarks.pages import without_generated

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = runpy.run_path(str(ROOT / "docs" / "scripts" / "make_figures.py"))
MEASURED = json.loads(SCRIPT["FIGURES"].read_text(encoding="utf-8"))
FIGURES = MEASURED["figures"]


def texts_of(name):
    """What pages may show of a figure with an interval, so that it can be told from other numbers."""
    figure = FIGURES[name]
    return [SCRIPT["shown_figure"](MEASURED, name, None)] if {"mean", "mirrored", "run"} & set(figure) else []


@pytest.mark.parametrize("page", SCRIPT["PAGES"], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_a_page_marks_is_what_the_result_file_has(page):
    text = page.read_text(encoding="utf-8")
    assert SCRIPT["with_figures"](text, MEASURED) == text, "run: python docs/scripts/make_figures.py"
    rest = SCRIPT["without_figures"](text)
    assert re.findall(r"<!-- /?(?:figure|table)\b[^>]*-->", rest) == [], "a mark is not closed"


@pytest.mark.parametrize("page", SCRIPT["READ_FIRST"], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_measured_value_stands_nowhere_unmarked(page):
    rest = SCRIPT["without_figures"](page.read_text(encoding="utf-8"))
    for name, figure in FIGURES.items():
        unmarked = [] if figure.get("is_common") else texts_of(name)
        for text in (*unmarked, *figure.get("superseded", ())):
            assert text not in rest, f"{text} is <!-- figure {name} -->"


@pytest.mark.parametrize("name", [name for name, figure in FIGURES.items() if "table" in figure])
def test_a_value_is_that_of_the_table_it_was_taken_from(name):
    (text,) = texts_of(name)
    assert text in (ROOT / FIGURES[name]["table"]).read_text(encoding="utf-8")


def test_every_measured_value_has_its_source():
    for name, figure in FIGURES.items():
        assert figure["of"], name
        if not {"mirrored", "file", "run"} & set(figure):
            assert {"command", "commit", "date"} <= set(figure), name


def test_every_measured_value_is_shown():
    shown = {mark["name"] for page in SCRIPT["PAGES"] for mark in SCRIPT["_FIGURE"].finditer(page.read_text("utf-8"))}
    assert set(FIGURES) == shown | {figure["mirrored"] for figure in FIGURES.values() if "mirrored" in figure}


def words_of(pages):
    """Words that people write: with a letter or a digit, outside of comments and of what programs write."""
    text = "\n".join(without_generated(page.read_text(encoding="utf-8")) for page in pages)
    text = re.sub(r"<!-- table .*?<!-- /table -->|<!--.*?-->", "", text, flags=re.DOTALL)
    return sum(bool(re.search(r"\w", word)) for word in text.split())


GUIDES = [page for page in SCRIPT["READ_FIRST"] if not page.stem.endswith(("_rules", "_encoding"))]
RESEARCH = [page for page in SCRIPT["PAGES"] if page.parent.name == "research"]


def test_pages_have_no_more_words_than_they_may():
    assert words_of([*GUIDES, ROOT / "CONTRIBUTING.md"]) <= 25_000
    assert words_of(page for page in RESEARCH if not page.stem.endswith(("_speed", "_statistics"))) <= 10_000


def test_the_page_of_iterations_has_the_tables_of_the_results():
    script = runpy.run_path(str(ROOT / "docs" / "scripts" / "make_iterations.py"))
    games = json.loads((ROOT / "docs" / "scripts" / "iterations.json").read_text(encoding="utf-8"))
    page = script["PAGE"].read_text(encoding="utf-8")
    for iterations in games.values():
        assert script["table_of"](iterations) in page
