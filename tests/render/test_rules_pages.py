"""The pages of rules: one source, in the docs of a checkout and in the wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from romans_env.games import names
from romans_env.render.terminal import page_beside, terminal_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"romans-go-home": "rules.md", "roma": "roma_rules.md", "struggle": "struggle_rules.md"}


def test_every_game_has_its_page_of_the_docs():
    assert {game: terminal_of(game).rules_page for game in names()} == {
        game: ROOT / "docs" / page for game, page in PAGES.items()
    }


def test_a_page_beside_the_module_comes_first(tmp_path):
    module = tmp_path / "terminal.py"
    assert page_beside(str(module), "rules.md") == ROOT / "docs" / "rules.md"
    (tmp_path / "rules.md").write_text("# Rules\n")
    assert page_beside(str(module), "rules.md") == tmp_path / "rules.md"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    with ZipFile(built) as archive:
        yield archive


def test_the_pages_are_in_the_wheel(wheel):
    for game, page in PAGES.items():
        packaged = wheel.read(f"romans_env/render/{game.replace('-', '_')}/rules.md")
        assert packaged == (ROOT / "docs" / page).read_bytes()


@pytest.mark.parametrize("name", ["board.json", "board.schema.json"])
def test_the_board_is_in_the_wheel(wheel, name):
    assert wheel.read(f"romans_env/struggle/{name}") == (ROOT / "romans_env" / "struggle" / name).read_bytes()
