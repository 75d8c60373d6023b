"""Translated functions return what they return in Python."""

import json
import shutil
import subprocess

import pytest

from tests.release.docs import translated

NAMES = ("numbers", "texts", "collections", "lazily", "instances", "calls", "other")
RUN = "import * as $ from './python.js'; import fs from 'node:fs';\n"


def results(tmp_path, names):
    """What functions return when they are translated."""
    from translating.program import Program

    program = Program({})
    named = {name: program.add(f"{translated.__name__}:{name}") for name in names}
    calls = ", ".join(f"{name}: $.as_json({own}())" for name, own in named.items())
    script = f"{RUN}{program.text()}\nfs.writeFileSync('found.json', JSON.stringify({{ {calls} }}));\n"
    (tmp_path / "program.mjs").write_text(script)
    subprocess.run(["node", "program.mjs"], cwd=tmp_path, check=True)
    return json.loads((tmp_path / "found.json").read_text())


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_functions_return_what_they_return_in_python(site_modules, tmp_path):
    shutil.copy(site_modules / "play" / "python.js", tmp_path)
    (tmp_path / "package.json").write_text('{ "type": "module" }')
    found = results(tmp_path, NAMES)
    for name in NAMES:
        there = json.loads(json.dumps(getattr(translated, name)()))
        for here, expected in zip(found[name], there, strict=True):
            assert here == expected, name


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f():\n    with open('x') as file:\n        return file", "line 2: With is not translated"),
        ("def f():\n    return b'x'", "line 2: the constant b'x' is not translated"),
        ("def f():\n    for k in ():\n        pass\n    else:\n        return 1", "line 2: For is not translated"),
        ("X = object()\ndef f():\n    x = X\n    x **= 2", "line 4: this assignment is not translated"),
    ],
)
def test_what_is_not_translated_is_said_with_its_line(site_modules, tmp_path, monkeypatch, source, said):
    from translating.modules import TranslationError, module
    from translating.program import Program

    module.cache_clear()
    name = f"wrong_{said.split()[1][:-1]}_{len(source)}"
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(TranslationError, match=f"{name}, {said}"):
        Program({}).add(f"{name}:f")


def test_a_bundle_says_which_module_it_cannot_take(site_modules, tmp_path):
    from bundle import BundleError, bundled

    (tmp_path / "start.js").write_text('import { one } from "./other.js";\none();\n')
    with pytest.raises(BundleError, match=r"no folder has the module other\.js"):
        bundled("start.js", [tmp_path])
    (tmp_path / "other.js").write_text("export default 1;\n")
    with pytest.raises(BundleError, match=r"other\.js imports or exports in a way"):
        bundled("start.js", [tmp_path])
