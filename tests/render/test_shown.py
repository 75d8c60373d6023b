"""Notebooks and pictures that are kept show what the code shows now: digests say so, and nothing is executed."""

import json
import runpy
from pathlib import Path

import pytest

from romans_env.render.replay_page import ReplayPage

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "scripts" / "shown.py"


@pytest.fixture(scope="module")
def shown():
    """The script that has the digests."""
    return runpy.run_path(str(SCRIPT))


def test_no_notebook_and_no_picture_is_stale(shown):
    assert shown["stale"]() == []


def test_a_notebook_with_drawings_or_replays_has_digests_of_them(shown):
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        shows = [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]
        kinds = {"drawing" for data in shows if "image/svg+xml" in data}
        kinds |= {"page" for data in shows if "srcdoc" in "".join(data.get("text/html", ()))}
        digests = shown["KEPT"]["make notebooks"].get(f"notebooks/{path.name}", ())
        assert kinds == {artefact.split()[1] for artefact in digests} - {"words"}, path.name


def test_a_changed_page_has_another_digest(shown, monkeypatch):
    html, before = ReplayPage.html.fget, shown["digest_of"]("roma page")
    monkeypatch.setattr(ReplayPage, "html", property(lambda page: f"<p>{html(page)}"))
    assert runpy.run_path(str(SCRIPT))["digest_of"]("roma page") != before
