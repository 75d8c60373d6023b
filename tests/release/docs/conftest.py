"""The page that plays without a server, built; and its modules as a program of node's loads them."""

import runpy
import shutil
import sys
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[3] / "docs" / "site"


@pytest.fixture(scope="session")
def site_modules():
    """The modules of docs/site, which import each other by their names."""
    pytest.importorskip("sphinx", reason="the documentation is not built: install the extra 'docs'")
    sys.path.insert(0, str(SITE))
    yield SITE
    sys.path.remove(str(SITE))


@pytest.fixture(scope="session")
def play(site_modules, tmp_path_factory):
    """The files of the page, and its modules beside them."""
    folder = tmp_path_factory.mktemp("play")
    runpy.run_path(str(SITE / "play_files.py"))["write_files"](folder)
    return folder


@pytest.fixture(scope="session")
def modules(play, tmp_path_factory):
    """The modules that a bundle is made of, with the scripts of the games."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "package.json").write_text('{ "type": "module" }')
    for path in (*play.glob("*.js"), *(SITE / "play").glob("*.js")):
        shutil.copy(path, folder)
    return folder
