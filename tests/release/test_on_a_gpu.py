"""The script for a machine with a GPU: parts that fail or run out of time stop no other. Nothing here is timed."""

import json

import pytest

pytest.importorskip("torch", reason="needs torch: pip install '.[train]'")

from benchmarks import on_a_gpu
from benchmarks.on_a_gpu import PARTS, Job, main, measured


def test_all_parts_on_a_processor_in_one_file(tmp_path):
    folder, path = tmp_path / "probe", tmp_path / "found.json"
    folder.mkdir()
    (folder / "device_probe.py").write_text("import sys\nprint('equal', *sys.argv[1:])")
    (folder / "roma.ptx").touch()
    main(["--device", "cpu", "--minutes", "1", "--probe", str(folder), "--json", str(path)], standalone_mode=False)
    found = json.loads(path.read_text())["parts"]
    assert list(found) == list(PARTS) and all(part["rows"] or part["error"] for part in found.values())
    assert found["probe"]["rows"] == [{"kernel": "roma", "printed": ["equal roma.ptx roma.npz"]}]
    assert measured("machine", Job("cpu", 0.01, None))["error"].startswith("(ended after")


@pytest.mark.parametrize("name", ["self-play", "processes", "scripted", "tensors"])
def test_a_part(name):
    rows = list(PARTS[name][0](Job("cpu", 1.0, None)))
    assert rows and all(row["decisions_per_second"] > 0 for row in rows)


def test_a_run_that_is_killed_keeps_what_it_had(tmp_path, monkeypatch):
    path = tmp_path / "found.json"
    monkeypatch.setattr(on_a_gpu, "measured", lambda name, job: {"probe": {"rows": [1]}}[name])
    with pytest.raises(KeyError, match="tensors"):
        main(["--part", "probe", "--part", "tensors", "--json", str(path)], standalone_mode=False)
    assert json.loads(path.read_text())["parts"] == {"probe": {"rows": [1]}}
