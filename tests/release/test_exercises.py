"""Exercises in the notebooks: each has a task, an empty place, a check in a line, and a solution that passes it."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("nbformat", reason="needs nbformat; install the extra 'notebooks'")
pytest.importorskip("pandas", reason="needs pandas; install the extra 'analysis'")

import nbformat
import numpy as np
import pandas as pd

import romans_agents
from romans_env import Game, RomansGoHome, Table
from romans_training import evaluate

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
BOT = "class MyBot:\n    def act(self, view):\n        return view.legal_actions()[0]\n"


def exercises():
    """The cells of every exercise: task, answer, check, solution; by their names."""
    found = {}
    for path in sorted(FOLDER.glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        for k, cell in enumerate(cells):
            if "exercise" in cell.metadata.get("tags", []):
                found[cell.id.removesuffix("-answer")] = (path.stem, *cells[k - 1 : k + 3])
    return found


EXERCISES = exercises()


def of_table(rows):
    return pd.DataFrame(rows, columns=["steps", "against", "win_rate", "win_rate_low"])


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the cells before an exercise have defined, as far as its cells need it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text(BOT)
    game = Game(RomansGoHome(Table(num_players=2)), seed=3)
    for _ in range(3):
        game.act(game.legal_actions()[0])
    masks = np.zeros((128, 56), dtype=np.int8)
    masks[:, 10:17] = np.random.default_rng(1).integers(2, size=(128, 7))
    masks[:, 3] = 1
    own = {
        "romans_agents": romans_agents,
        "evaluate": evaluate,
        "Table": Table,
        "np": np,
        "view": game.view("player_0"),
    }
    frame = pd.DataFrame({"agent": ["a", "b", "c"], "win_share_low": [0.6, 0.4, 0.1], "win_share": [0.7, 0.6, 0.2]})
    rows = [(0, "random", 0.4, 0.3), (10, "greedy", 0.9, 0.8), (20, "random", 0.6, 0.45), (30, "random", 0.7, 0.6)]
    return {
        **own,
        "bot": romans_agents.make("my_bot.py:MyBot"),
        "greedy": romans_agents.make("greedy"),
        "env": SimpleNamespace(action_masks=lambda: masks),
        "evaluations": of_table(rows),
        "result": SimpleNamespace(frame=frame),
    }


def checked(cells, names, answer):
    """The line that the check of an exercise says about an answer; None leaves the place empty."""
    _, _, place, check, _ = cells
    text = place.source if answer is None else answer
    if place.source.startswith("%%writefile"):
        file, _, body = place.source.removeprefix("%%writefile ").partition("\n")
        Path(file).write_text(body if answer is None else answer, encoding="utf-8")
        text = ""
    names, said = dict(names), io.StringIO()
    with redirect_stdout(said):
        exec(text, names)
        exec(check.source, names)
    (line,) = said.getvalue().splitlines()
    return line


def test_there_are_five_in_notebooks_02_to_05_at_most_two_in_each():
    notebooks = [cells[0][:2] for cells in EXERCISES.values()]
    assert notebooks == ["02", "02", "03", "04", "05"]


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_has_a_task_and_a_folded_solution_and_its_check_is_hidden(name):
    _, task, place, check, solution = EXERCISES[name]
    assert task.source.startswith("### Now you: ") and "..." in place.source
    # Folded in JupyterLab, and on the site.
    assert check.metadata["jupyter"] == {"source_hidden": True} and check.metadata["tags"] == ["check", "hide-input"]
    assert solution.source.startswith("<details><summary>A solution</summary>\n\n```python\n")
    # As it is kept, nobody has answered.
    assert "".join(output.text for output in check.outputs).startswith("Not answered yet: ")


@pytest.mark.parametrize("name", EXERCISES)
def test_the_check_says_that_nothing_is_there_and_takes_the_solution(name, names):
    cells = EXERCISES[name]
    assert checked(cells, names, None).startswith("Not answered yet: ")
    (solution,) = re.findall(r"```python\n(.*?)\n```", cells[-1].source, re.DOTALL)
    assert checked(cells, names, solution).startswith("Right: ")


@pytest.mark.parametrize(
    ("name", "answer", "line"),
    [
        ("own-agent-exercise-1", "def strongest(view): return view.legal_actions()[0]", "legal, but not the strongest"),
        ("own-agent-exercise-1", "def strongest(view): return 'place:legion'", "'place:legion' is no legal action"),
        ("own-agent-exercise-2", BOT.replace("MyBot", "MyOwnBot"), "% against greedy; MyBot has"),
        ("own-agent-exercise-2", "class MyOwnBot:\n    def act(self, view): return 1 / 0", "division by zero"),
        ("own-agent-exercise-2", "class MyOwnBot:\n    def act(self, view): return 9999", "9999"),
        ("own-agent-exercise-2", "class MyOwnBot(", "SyntaxError: '(' was never closed (my_own_bot.py, line 1)"),
        ("stable-baselines3-exercise", "def random_legal(masks, rng): return 3", "has shape (128,), not ()"),
        (
            "stable-baselines3-exercise",
            "def random_legal(masks, rng): return (1 - masks).argmax(axis=1)",
            "are illegal",
        ),
        ("stable-baselines3-exercise", "def random_legal(masks, rng): return masks.argmax(axis=1)", "more often"),
        ("romans-train-exercise", "first = 20", "the interval is not; look at win_rate_low"),
        ("romans-train-exercise", "first = 10", "10 is not the first of the rows against random"),
        ("tournament-exercise", "good = ['a', 'b']", "look again at b: is the lower end"),
        ("tournament-exercise", "good = 'a'", "good is a list of names in the column agent, not 'a'"),
    ],
)
def test_the_check_says_in_a_line_what_is_wrong(name, answer, line, names):
    said = checked(EXERCISES[name], names, answer)
    assert said.startswith("Not yet: ") and line in said


def test_no_command_of_a_notebook_needs_a_shell_or_a_path():
    for path in FOLDER.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                assert not re.search(r"^(%%(bash|sh|script)|!|%sx)", cell.source, re.MULTILINE), path.name
