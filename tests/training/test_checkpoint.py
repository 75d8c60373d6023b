"""Checkpoints: numbers and texts, refused in one line where they are damaged, old, or of another run."""

from __future__ import annotations

import dataclasses
import io
import json
import pickle
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from romans_training import trainer
from romans_training.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from romans_training.config import TrainConfig
from romans_training.run_folder import RunFolder, RunFolderError

PPO = TrainConfig(
    opponents=("greedy", "random"),
    steps=512,
    num_envs=16,
    rollout_length=8,
    minibatch_size=64,
    hidden_layers=(8,),
    threads=1,
    checkpoint_every=128,
    evaluate_every=256,
    evaluation_deals=5,
)
SELF_PLAY = dataclasses.replace(PPO, self_play=0.5, snapshot_every=200)
LEARNER = {"weights": torch.arange(3.0)}


class Evil:
    """Leaves a trace when it is unpickled."""

    def __reduce__(self):
        return (open, ("ran", "w"))


@pytest.fixture(scope="module", params=[PPO, SELF_PLAY], ids=["ppo", "self-play"])
def finished(request, tmp_path_factory):
    folder = RunFolder(tmp_path_factory.mktemp("run") / "run")
    trainer.train(request.param, folder)
    return folder


@pytest.fixture
def run(finished, tmp_path):
    """A copy of a finished run."""
    shutil.copytree(finished.path, tmp_path / "run")
    return RunFolder(tmp_path / "run")


def contents(run):
    return {path: path.read_bytes() for path in sorted(run.path.rglob("*")) if path.is_file()}


def members_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_members(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def test_a_checkpoint_gives_back_what_was_saved(tmp_path):
    rng = np.random.default_rng(3)
    state = {
        "rng": rng.bit_generator.state,
        "nested": [{"x": np.arange(6).reshape(2, 3)}, None, True, 1.5, "text"],
        "empty": np.zeros((0, 4), dtype=np.int8),
        "records": np.zeros(2, dtype=[("a", np.int64), ("b", np.int8, (3,))]),
    }
    save_checkpoint(tmp_path / "c.zip", LEARNER, state)
    learner, found = load_checkpoint(tmp_path / "c.zip")
    assert torch.equal(learner["weights"], LEARNER["weights"])
    assert found["rng"] == state["rng"]
    np.testing.assert_array_equal(found["nested"][0]["x"], state["nested"][0]["x"])
    assert found["nested"][1:] == state["nested"][1:]
    assert (found["empty"].shape, found["records"].dtype) == ((0, 4), state["records"].dtype)


def test_what_is_neither_plain_nor_an_array_is_not_written(tmp_path):
    for wrong in ({"x": object()}, {1: 2}, {"$array": 3}):
        with pytest.raises(TypeError):
            save_checkpoint(tmp_path / "c.zip", LEARNER, wrong)
    with pytest.raises(ValueError, match="Object arrays"):
        save_checkpoint(tmp_path / "c.zip", LEARNER, {"x": np.array([Evil()], dtype=object)})
    assert not list(tmp_path.iterdir())


def evil_members(good):
    objects = io.BytesIO()
    np.save(objects, np.array([Evil()], dtype=object), allow_pickle=True)
    weights = io.BytesIO()
    torch.save({"policy": Evil()}, weights)
    return [
        {**good, "learner.pt": pickle.dumps(Evil())},
        {**good, "learner.pt": weights.getvalue()},
        {**good, "arrays/0.npy": objects.getvalue()},
        {**good, "rest.pickle": pickle.dumps(Evil())},
        {"model.zip": b"", "rest.pickle": pickle.dumps(Evil())},
    ]


@pytest.mark.parametrize("number", range(5))
def test_no_code_in_a_checkpoint_is_run(run, number, monkeypatch):
    monkeypatch.chdir(run.path.parent)
    write_members(run.checkpoint, evil_members(members_of(run.checkpoint))[number])
    before = contents(run)
    with pytest.raises(RunFolderError, match="is not a whole checkpoint") as refused:
        trainer.resume(run, steps=1024)
    assert "\n" not in str(refused.value)
    assert not Path("ran").exists()
    assert {path: data for path, data in contents(run).items() if path.name != "run.lock"} == {
        path: data for path, data in before.items() if path.name != "run.lock"
    }


def test_an_earlier_checkpoint_is_said_to_be_one(run):
    write_members(run.checkpoint, {"model.zip": b"", "rest.pickle": b""})
    with pytest.raises(RunFolderError, match="written by an earlier version"):
        trainer.resume(run, steps=1024)


def damaged(data):
    members = zipfile.ZipFile(io.BytesIO(data))
    middle = data[: len(data) // 2]
    yield "empty", b""
    yield "truncated", middle
    yield "one byte", middle + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]
    yield "no archive", b"garbage" * 100
    for name in ("state.json", "learner.pt", "arrays/1.npy"):
        for what, replacement in (("gone", None), ("empty", b""), ("garbage", b"garbage"), ("list", b"[1]")):
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w") as archive:
                for other in members.namelist():
                    content = members.read(other) if other != name else replacement
                    if content is not None:
                        archive.writestr(other, content)
            yield f"{name} {what}", file.getvalue()


def test_every_damage_is_refused_in_one_line_and_changes_nothing(run):
    good = run.checkpoint.read_bytes()
    for what, data in damaged(good):
        run.checkpoint.write_bytes(data)
        before = contents(run)
        with pytest.raises(RunFolderError, match=r"checkpoint\.zip") as refused:
            trainer.resume(run, steps=1024)
        assert "\n" not in str(refused.value), what
        assert len(str(refused.value)) < 700, what
        assert contents(run) == before, what


def state_changed(run, change):
    members = members_of(run.checkpoint)
    tree = json.loads(members["state.json"])
    change(tree["state"])
    write_members(run.checkpoint, {**members, "state.json": json.dumps(tree)})


@pytest.mark.parametrize("key", ["seconds", "config"])
def test_a_checkpoint_that_lacks_something_is_refused(run, key):
    state_changed(run, lambda state: state.pop(key))
    with pytest.raises(RunFolderError, match=r"checkpoint\.zip"):
        trainer.resume(run, steps=1024)
    assert run.load_config().steps == 512


def test_a_checkpoint_of_the_other_method_is_refused(tmp_path):
    for name, config in (("ppo", PPO), ("self-play", SELF_PLAY)):
        trainer.train(config, RunFolder(tmp_path / name))
    shutil.copy(tmp_path / "ppo" / "checkpoint.zip", tmp_path / "self-play" / "checkpoint.zip")
    with pytest.raises(RunFolderError, match="than the run was trained with"):
        trainer.resume(RunFolder(tmp_path / "self-play"), steps=1024)


@pytest.mark.parametrize(
    ("name", "value"), [("hidden_layers", [16]), ("num_envs", 32), ("learning_rate", 0.5), ("opponents", ["random"])]
)
def test_changed_settings_are_refused_by_name(run, name, value):
    settings = json.loads(run.config.read_text())
    run.config.write_text(json.dumps({**settings, name: value}))
    before = run.config.read_bytes()
    with pytest.raises(RunFolderError, match=rf"config\.json has another {name} than the run was trained with"):
        trainer.resume(run, steps=1024)
    assert run.config.read_bytes() == before


@pytest.mark.parametrize("name", ["metrics.csv", "evaluations.csv", "provenance.json"])
def test_a_refused_resume_leaves_the_end_of_the_run_alone(run, name):
    (run.path / name).write_bytes(b"\xff\xfe garbage\nx\n")
    before = run.config.read_bytes()
    with pytest.raises(ValueError, match=name):
        trainer.resume(run, steps=1024)
    assert run.config.read_bytes() == before


def test_a_compressed_member_is_refused(run):
    """A small file could hold gigabytes of zeros."""
    write_members(run.checkpoint, members_of(run.checkpoint), zipfile.ZIP_DEFLATED)
    with pytest.raises(RunFolderError, match="is compressed"):
        trainer.resume(run, steps=1024)


def test_two_members_of_one_name_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("state.json", "{}")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("state.json", "{}")
    with pytest.raises(CheckpointError, match="two members of one name"):
        load_checkpoint(tmp_path / "c.zip")


def test_an_opponent_in_python_with_chance_of_its_own_does_not_keep_a_run_from_resuming_exactly(tmp_path):
    policy = tmp_path / "policy.npz"
    shutil.copy(trainer.train(PPO, RunFolder(tmp_path / "first")) and tmp_path / "first" / "policy.npz", policy)
    config = dataclasses.replace(PPO, opponents=(f"policy:{policy},sample=true",))
    whole = trainer.train(config, RunFolder(tmp_path / "whole"))
    folder, seen = RunFolder(tmp_path / "stopped"), []
    with pytest.raises(trainer.TrainingStopped):
        trainer.train(config, folder, lambda progress: seen.append(progress.steps), lambda: seen[-1:] > [200])
    resumed = trainer.resume(folder)
    for mine, other in zip(resumed.pi, whole.pi, strict=True):
        np.testing.assert_array_equal(mine[0], other[0])


def test_two_processes_do_not_train_in_one_folder(run, called):
    script = (
        "import sys, time; from romans_training.run_folder import RunFolder\n"
        "with RunFolder(sys.argv[1]).locked():\n    print('locked', flush=True)\n    time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(run.path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "locked\n"
        before = contents(run)
        status, _, _ = called("train", "--folder", run.path, "--resume", "--steps", 1024)
        assert status.startswith("romans: another process is training in ")
        assert "\n" not in status
        assert contents(run) == before
    finally:
        process.kill()
        process.wait()
    status, _, err = called("train", "--folder", run.path, "--resume", "--steps", 640)
    assert status == 0, err  # the lock of a killed process is none


def test_code_in_settings_is_run_with_permission_alone(called, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(
        "open('ran', 'a').close()\nclass Bot:\n    def act(self, view):\n        return view.legal_actions()[0]\n"
    )
    settings = {**json.loads(json.dumps(PPO.as_json())), "opponents": ["bot.py:Bot"], "steps": 128}
    Path("theirs.json").write_text(json.dumps(settings))
    status, _, _ = called("train", "--config", "theirs.json", "--folder", "run")
    assert "'bot.py', Python code, which would run with your rights" in status
    assert "Give --allow-code" in status
    assert not Path("ran").exists() and not Path("run").exists()
    status, _, err = called("train", "--config", "theirs.json", "--folder", "run", "--allow-code")
    assert status == 0, err
    assert Path("ran").exists()
    Path("ran").unlink()
    monkeypatch.setattr("romans_agents.from_file._LOADED", {})
    status, _, _ = called("train", "--folder", "run", "--resume", "--steps", 256)
    assert "Give --allow-code" in status
    assert not Path("ran").exists()
    status, _, err = called("train", "--folder", "run", "--resume", "--steps", 256, "--allow-code")
    assert status == 0, err
