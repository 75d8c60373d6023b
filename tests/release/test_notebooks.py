"""The notebooks run from a clean kernel, and the outputs they keep are those they give."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("nbclient", reason="needs nbclient; install the extra 'notebooks'")
pytest.importorskip("ipykernel", reason="needs ipykernel; install the extra 'notebooks'")

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.fixture
def execute(monkeypatch):
    """The script that executes notebooks."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("execute")


def test_there_are_notebooks():
    assert [path.name[:3] for path in NOTEBOOKS] == [f"{number:02}_" for number in range(1, 10)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_its_outputs_are_fresh(path, execute):
    for library in ("pandas", "torch", "stable_baselines3", "sb3_contrib"):
        pytest.importorskip(library, reason=f"needs {library}; install the extra 'notebooks'")
    assert execute.problems(path) == [], "after a change that is meant: make notebooks"


def imports_of(path):
    """The lines of a notebook's code that import."""
    cells = nbformat.read(path, as_version=4).cells
    sources = [cell.source for cell in cells if cell.cell_type == "code" and cell.source[:2] != "%%"]
    lines = "\n".join(sources).replace("\\\n", " ").split("\n")
    code = ast.parse("\n".join(line for line in lines if line[:1] not in ("%", "!")))
    return [ast.unparse(node) for node in ast.walk(code) if isinstance(node, (ast.Import, ast.ImportFrom))]


def test_notebooks_import_what_is_installed_or_beside_them_and_nothing_else_of_a_checkout(tmp_path):
    """Only the three packages are installed, as by a wheel; the kernel is started in the folder of the notebooks."""
    for library in ("pandas", "torch", "stable_baselines3", "sb3_contrib"):
        pytest.importorskip(library, reason=f"needs {library}; install the extra 'notebooks'")
    for package in ("romans_env", "agents/romans_agents", "training/romans_training"):
        (tmp_path / Path(package).name).symlink_to(FOLDER.parent / package)
    root = str(FOLDER.parent)
    lines = ["import sys", f"sys.path[:] = [place for place in sys.path if place != {root!r}]"]
    lines += dict.fromkeys(line for path in NOTEBOOKS for line in imports_of(path))
    told = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=FOLDER,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_keeps_its_outputs_and_nothing_of_the_machine(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert sum(bool(cell.outputs) for cell in cells) > len(cells) / 2
    assert not [output for cell in cells for output in cell.outputs if output.get("name") == "stderr"]
    for output in (output for cell in cells for output in cell.outputs):
        for kind in [kind for kind in output.get("data", {}) if kind.startswith("image/")]:
            del output.data[kind]
    text = nbformat.writes(notebook)
    assert not any(place in text for place in ("/tmp/", "/home/", "/root/", f"{FOLDER.parent}/"))


def kept(*cells):
    """A notebook of (source, outputs) with or without tags."""
    return new_notebook(
        cells=[
            new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)}, id=f"cell-{k}")
            for k, (source, outputs, *tags) in enumerate(cells)
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )


def said(text):
    return new_output("stream", name="stdout", text=text)


def shown(**data):
    return new_output("execute_result", data={key.replace("_", "/"): value for key, value in data.items()})


PICTURE = shown(text_plain="<Figure>", image_png="AAAA")
DRAWN = ("train()", [said("51.2"), shown(text_html="<b>5</b>")], "varies")


@pytest.mark.parametrize(
    ("before", "now", "is_same"),
    [
        (("print(2)", [said("2\n")]), ("print(2)", [said("2\n")]), True),
        (("print(2)", [said("2\n")]), ("print(2)", []), False),
        # Rounding is forgiven and nothing else.
        (("x", [said("0.500 of 3")]), ("x", [said("0.501 of 3")]), True),
        (("x", [said("0.500 of 3")]), ("x", [said("0.510 of 3")]), False),
        (("x", [said("0.500 of 3")]), ("x", [said("0.500 of 4")]), False),
        # A text may come in parts.
        (("x", [said("ab")]), ("x", [said("a"), said("b")]), True),
        # Of a picture it counts that there is one.
        (("plot()", [PICTURE]), ("plot()", [shown(text_plain="<other>", image_png="BBBB")]), True),
        (("plot()", [PICTURE]), ("plot()", [shown(text_plain="<Figure>")]), False),
        (("plot()", [PICTURE]), ("plot()", []), False),
        # Where numbers vary, the kinds count.
        (DRAWN, ("train()", [said("60"), shown(text_html="<b>6</b>")], "varies"), True),
        (DRAWN, ("train()", [said("60")], "varies"), False),
    ],
)
def test_a_changed_output_is_found(execute, before, now, is_same):
    assert (not execute.differences(kept(before), kept(now))) == is_same


def test_a_check_replaces_what_takes_long(execute):
    notebook = kept(("train(150_000)", [], "varies"))
    notebook.cells[0].metadata["smaller"] = {"150_000": "20_000"}
    assert execute.smaller(notebook).cells[0].source == "train(20_000)"
    assert notebook.cells[0].source == "train(150_000)"
    notebook.cells[0].source = "train(300_000)"
    with pytest.raises(ValueError, match="a cell does not have 150_000"):
        execute.smaller(notebook)


def test_a_notebook_that_fails_or_is_stale_is_told(execute, tmp_path):
    path = tmp_path / "one.ipynb"
    nbformat.write(kept(("print('kept')", [said("kept\n")]), ("1 / 0", [])), path)
    assert execute.problems(path) == ["it fails: ZeroDivisionError: division by zero"]
    nbformat.write(kept(("print('new')", [said("kept\n")])), path)
    assert execute.problems(path) == ["""cell 1, "print('new')": its output is now another one"""]
    nbformat.write(execute.executed(execute.read(path)), path)
    assert execute.problems(path) == []
