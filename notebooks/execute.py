"""Executes the notebooks, each in a clean kernel, and stores their outputs.

    python notebooks/execute.py            # executes and writes all of them (make notebooks)
    python notebooks/execute.py 01 07      # executes and writes those whose names begin so
    python notebooks/execute.py --check    # writes nothing; lists those that fail or are stale

A check compares texts and tables; decimal numbers may differ a little, because machines round differently. A picture
must only exist. Outputs of a cell with the tag ``varies``, whose numbers depend on the machine, must only be of the
same kinds. A check also shortens cells that take long: the metadata ``smaller`` of a cell, such as
``{"150_000": "20_000"}``, says which parts of its source to replace.
"""

from __future__ import annotations

import json
import math
import os
import re
import runpy
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from romans_env.core.files import write_text

FOLDER = Path(__file__).resolve().parent
VARIES, SMALLER = "varies", "smaller"
_SECONDS_A_CELL = 300
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Fixes the number of threads, on which the order of sums depends, and on that the order of nearly equal rows."""
_AT_ONCE = 2
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PICTURE = re.compile(r"data:image/png;base64,[^\"]*")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_ROUNDING = 0.002


def notebooks() -> list[Path]:
    """Return the paths of the notebooks, in order."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    """Read a stored notebook."""
    return nbformat.read(path, as_version=4)


def executed(notebook: Any) -> Any:
    """Execute a copy of a notebook in a new kernel and an empty folder, dropping output on standard error.

    Args:
        notebook: the notebook, which is not changed.

    Raises:
        nbclient.exceptions.CellExecutionError: if a cell fails.
    """
    fresh = nbformat.from_dict(notebook)
    # As on a hub or in an editor, the environment's commands are not on the PATH.
    places = os.environ.get("PATH", "").split(os.pathsep)
    commands = os.pathsep.join(place for place in places if Path(place) != Path(sys.executable).parent)
    # As in JupyterLab, a notebook can import modules in its own folder and installed packages, nothing else.
    path = os.pathsep.join([str(FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])])
    # A fresh profile, so that no personal settings apply.
    with tempfile.TemporaryDirectory() as profile, tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            fresh,
            timeout=_SECONDS_A_CELL,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        own = {"PATH": commands, "PYTHONPATH": path, "IPYTHONDIR": profile}
        client.execute(env={**os.environ, **_ONE_THREAD, **own})
    fresh.metadata = {"kernelspec": fresh.metadata["kernelspec"], "language_info": {"name": "python"}}
    for cell in _code_cells(fresh):
        cell.outputs = _in_one_part([output for output in cell.outputs if output.get("name") != "stderr"])
    return fresh


def differences(kept: Any, fresh: Any) -> list[str]:
    """Return one line for every code cell whose stored outputs differ from those of `executed`."""
    pairs = zip(_code_cells(kept), _code_cells(fresh), strict=True)
    return [
        f"cell {number}, {_first_line(now.source)!r}: its output is now another one"
        for number, (before, now) in enumerate(pairs, 1)
        if not _agree(_outputs(before), _outputs(now))
    ]


def smaller(notebook: Any) -> Any:
    """Return the notebook with the replacements that shorten a check.

    Raises:
        ValueError: if a cell lacks a text that its metadata replaces.
    """
    made = nbformat.from_dict(notebook)
    for cell in _code_cells(made):
        for text, shorter in cell.metadata.get(SMALLER, {}).items():
            if text not in cell.source:
                raise ValueError(f"a cell does not have {text}, which {shorter} is to replace: {cell.source}")
            cell.source = cell.source.replace(text, shorter)
    return made


def problems(path: Path) -> list[str]:
    """Return what is wrong with a stored notebook: the cell that fails, or the stale outputs."""
    kept = read(path)
    try:
        return differences(kept, executed(smaller(kept)))
    except CellExecutionError as error:
        return [f"it fails: {error.ename}: {error.evalue}"]


def _code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _in_one_part(outputs: list[Any]) -> list[Any]:
    """Return the outputs with consecutive texts joined and terminal colours removed."""
    whole: list[Any] = []
    for output in outputs:
        if output.output_type == "stream" and whole and whole[-1].output_type == "stream":
            whole[-1].text += output.text
        else:
            whole.append(output)
    for output in whole:
        if output.output_type == "stream":
            output.text = _COLOUR.sub("", output.text)
    return whole


def _agree(kept: list[Any], fresh: list[Any]) -> bool:
    first, second = (json.dumps(outputs, sort_keys=True) for outputs in (kept, fresh))
    if _DECIMAL.sub("#", first) != _DECIMAL.sub("#", second):
        return False
    pairs = zip(_DECIMAL.findall(first), _DECIMAL.findall(second), strict=True)
    return all(math.isclose(float(one), float(other), rel_tol=_ROUNDING, abs_tol=_ROUNDING) for one, other in pairs)


def _outputs(cell: Any) -> list[Any]:
    """Return the comparable parts of a cell's outputs, as JSON-able data."""
    varies = VARIES in cell.metadata.get("tags", [])
    found: list[Any] = []
    for output in cell.outputs:
        if output.output_type == "stream":
            # One text may arrive in several parts.
            if found and found[-1][0] == output.name:
                found[-1] = (output.name, found[-1][1] + ("" if varies else output.text))
            else:
                found.append((output.name, "" if varies else output.text))
        else:
            data = output.get("data", {})
            is_picture = any(kind.startswith("image/") for kind in data)
            shown = {kind: _PICTURE.sub("", text) if kind == "text/html" else text for kind, text in data.items()}
            found.append((output.output_type, sorted(data) if varies or is_picture else shown))
    return found


def _first_line(source: str) -> str:
    lines = [line for line in source.splitlines() if line and not line.startswith(("#", "%"))]
    return lines[0] if lines else ""


def write(path: Path) -> list[str]:
    """Execute a notebook and write it with its outputs; return what is wrong with it, like `problems`."""
    try:
        write_text(path, nbformat.writes(executed(read(path))) + "\n")
    except CellExecutionError as error:
        return [f"it fails: {error.ename}: {error.evalue}"]
    return []


def main(arguments: list[str]) -> int:
    """Execute notebooks, two at a time; return the exit status."""
    is_check, done = arguments == ["--check"], []
    chosen = [path for path in notebooks() if is_check or not arguments or path.name.startswith(tuple(arguments))]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for path, found in zip(chosen, pool.map(problems if is_check else write, chosen), strict=True):
            print(*(f"{path.name}: {line}" for line in found or ["done"]), sep="\n", flush=True)
            done += [] if found else [path]
    failed = len(done) < len(chosen)
    if not is_check:
        runpy.run_path(str(FOLDER.parent / "docs" / "scripts" / "shown.py"))["record"](done)
    elif failed:
        print("after a change that is meant: make notebooks")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
