"""The benchmark of pages, in a process of its own: it starts a server and a browser."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="pages are opened with Playwright")


@pytest.mark.skipif(not any(map(shutil.which, ("chromium", "google-chrome", "chromium-browser"))), reason="no Chromium")
def test_pages_are_opened_and_measured():
    command = [sys.executable, "-m", "benchmarks.page_load", "--times", "1", "--game", "romans-go-home"]
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    cells = [cell.strip() for cell in done.stdout.strip().splitlines()[-1].split("|")[1:-1]]
    assert cells[0] == "romans-go-home"
    assert all(float(cell) > 0 for cell in cells[1:]) and float(cells[-1]) < 300
