"""Draws the pictures of docs/measuring/analysis.md and docs/research/analysis.md.

python docs/scripts/make_analysis.py                    # all of them
python docs/scripts/make_analysis.py decision losses    # some
"""

from __future__ import annotations

import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from notebooks.anatomy.romans_go_home import placement
from romans_env import Roma, Table
from romans_env.struggle import StruggleForRome
from romans_training import analysis
from romans_training.figures import save_figure

FOLDER = Path(__file__).resolve().parent
PICTURE_FOLDER = FOLDER.parent / "pictures"
ROMA, STRUGGLE = ("quaestor", "raider"), ("chieftain", "plunderer", "kingdom-builder", "trader")


@cache
def of_roma() -> analysis.PlayedGames:
    return analysis.played(ROMA, Roma(), 100)


@cache
def of_go_home() -> analysis.PlayedGames:
    return analysis.played(["legate-1", "schemer"], Table(2, 1), 200)


def disagreements() -> analysis.AnalysisResult:
    games = analysis.played(STRUGGLE, StruggleForRome(), 5)
    return analysis.disagreements(analysis.compared("chieftain", "trader", games), drawn=1)


def losses() -> analysis.AnalysisResult:
    return analysis.losses(of_roma(), most=100, rows=of_roma().frame.query("agent == 'raider'").index)


def decision() -> analysis.AnalysisResult:
    row = of_go_home().frame.query("kind == 'take'").index[0]
    return analysis.decision(of_go_home().views[row], "legate-1")


def progress() -> analysis.AnalysisResult:
    """Train for half a minute, and draw the progress of the snapshots."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"steps": 300_000, "evaluate-every": 60_000, "evaluation-deals": 10, "folder": f"{folder}/run"}
        options = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        command = [Path(sys.executable).with_name("romans"), "train", "--keep-policies", *options]
        subprocess.run(command, check=True)
        return analysis.progress(f"{folder}/run", ["random", "greedy", "legate-1"])


PICTURES: dict[str, Callable[[], analysis.AnalysisResult]] = {
    "agreement": lambda: analysis.agreement(analysis.compared("legate-1", "schemer", of_go_home())),
    "disagreements": disagreements,
    "choices": lambda: analysis.choices(of_roma(), "quaestor", drawn=10),
    "calibration": lambda: analysis.calibration("legate-1", of_go_home()),
    "values": lambda: analysis.values_along(of_roma().records[0], ["quaestor"]),
    "losses": losses,
    "progress": progress,
    "decision": decision,
    "placement": lambda: placement(of_go_home(), "fort"),
}


if __name__ == "__main__":
    drawn = [PICTURE_FOLDER / f"analysis-{name}.png" for name in sys.argv[1:] or PICTURES]
    for path in drawn:
        save_figure(PICTURES[path.stem.partition("-")[2]]().figure, path, dpi=80)
    runpy.run_path(str(FOLDER / "shown.py"))["record"](drawn)
