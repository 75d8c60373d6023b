"""Executes the notebooks, each in a clean kernel, and keeps their outputs.

    python notebooks/execute.py            # writes all of them anew (make notebooks)
    python notebooks/execute.py 01 07      # writes those whose names begin so
    python notebooks/execute.py --check    # writes nothing; says which fail or keep outputs that are stale

Compared are texts and tables; numbers with a point may differ a little, as machines round differently. Of a picture it
counts that there is one. Of a cell with the tag ``varies``, whose numbers depend on the machine, it counts that its
outputs are of the same kinds. What takes long there is smaller in a check: the metadata ``smaller`` of a cell, such as
``{"150_000": "20_000"}``, say which parts of its source are replaced.
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
"""The order of sums depends on how many threads share them, and that of rows that are nearly equal on the sums."""
_AT_ONCE = 2
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PICTURE = re.compile(r"data:image/png;base64,[^\"]*")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_ROUNDING = 0.002


def notebooks() -> list[Path]:
    """The notebooks, in their order."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    """A notebook as it is kept."""
    return nbformat.read(path, as_version=4)


def executed(notebook: Any) -> Any:
    """The notebook with the outputs of a new kernel in an empty folder; what goes to standard error is not kept.

    Args:
        notebook: as `read` gives it; it is left alone.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell failed.
    """
    fresh = nbformat.from_dict(notebook)
    # As in a hub or an editor: the folder of the environment's commands is not on the PATH.
    places = os.environ.get("PATH", "").split(os.pathsep)
    commands = os.pathsep.join(place for place in places if Path(place) != Path(sys.executable).parent)
    # As in JupyterLab, what is beside a notebook can be imported, and nothing of the checkout but what is installed.
    path = os.pathsep.join([str(FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])])
    # A profile of its own: nobody's own settings count.
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
    """One line for every code cell whose kept outputs are not those of `executed`."""
    pairs = zip(_code_cells(kept), _code_cells(fresh), strict=True)
    return [
        f"cell {number}, {_first_line(now.source)!r}: its output is now another one"
        for number, (before, now) in enumerate(pairs, 1)
        if not _agree(_outputs(before), _outputs(now))
    ]


def smaller(notebook: Any) -> Any:
    """The notebook as a check executes it, with what takes long replaced.

    Raises:
        ValueError: a cell does not have what its metadata replace.
    """
    made = nbformat.from_dict(notebook)
    for cell in _code_cells(made):
        for text, shorter in cell.metadata.get(SMALLER, {}).items():
            if text not in cell.source:
                raise ValueError(f"a cell does not have {text}, which {shorter} is to replace: {cell.source}")
            cell.source = cell.source.replace(text, shorter)
    return made


def problems(path: Path) -> list[str]:
    """What is wrong with a kept notebook: where it fails, or what is stale."""
    kept = read(path)
    try:
        return differences(kept, executed(smaller(kept)))
    except CellExecutionError as error:
        return [f"it fails: {error.ename}: {error.evalue}"]


def _code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _in_one_part(outputs: list[Any]) -> list[Any]:
    """Outputs in which a text that came in several parts is one, without the colours of a terminal."""
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
    """What is compared of a cell's outputs, JSON-able."""
    varies = VARIES in cell.metadata.get("tags", [])
    found: list[Any] = []
    for output in cell.outputs:
        if output.output_type == "stream":
            # One text may come in several parts.
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
    """Execute a notebook and write it with its outputs; what is wrong with it, as of `problems`."""
    try:
        write_text(path, nbformat.writes(executed(read(path))) + "\n")
    except CellExecutionError as error:
        return [f"it fails: {error.ename}: {error.evalue}"]
    return []


def main(arguments: list[str]) -> int:
    """Execute notebooks, two at once; returns the exit status."""
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
