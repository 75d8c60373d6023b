"""Checkpoints: numbers and texts, refused in one line where they are damaged, old, or of another run."""

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

from romans_training.learn import trainer
from romans_training.learn.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder, RunFolderError

pytestmark = pytest.mark.usefixtures("no_curves")

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


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a run of each method that has come to its end."""
    folder = tmp_path_factory.mktemp("runs")
    for name, config in (("ppo", PPO), ("self-play", SELF_PLAY)):
        trainer.train(config, RunFolder(folder / name))
    return folder


@pytest.fixture
def runs(finished, tmp_path):
    """Copies of the finished runs."""
    return [RunFolder(shutil.copytree(finished / name, tmp_path / name)) for name in ("ppo", "self-play")]


@pytest.fixture
def run(runs):
    """A copy of one of them."""
    return runs[0]


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


def refusal_of(run, match):
    """The error that going on with a run is refused with; it is one line, and nothing in the folder has changed."""
    before = contents(run)
    with pytest.raises((RunFolderError, ValueError), match=match) as refused:
        trainer.resume(run, steps=1024)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 700
    assert contents(run) == before
    return str(refused.value)


def test_no_code_in_a_checkpoint_is_run(runs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for run in runs:
        for members in evil_members(members_of(run.checkpoint)):
            write_members(run.checkpoint, members)
            said = refusal_of(run, "is not a whole checkpoint")
            # The last ones are those of an earlier version.
            assert ("written by an earlier version" in said) == ("rest.pickle" in members)
            assert not Path("ran").exists()


def damaged(data):
    members, middle = members_of(io.BytesIO(data)), len(data) // 2
    yield from (b"", data[:middle], b"garbage" * 100)
    yield data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    for name in ("state.json", "learner.pt", "arrays/1.npy"):
        others = {other: content for other, content in members.items() if other != name}
        for changed in (others, *({**others, name: content} for content in (b"", b"garbage", b"[1]"))):
            write_members(file := io.BytesIO(), changed)
            yield file.getvalue()


def test_every_damage_is_refused_in_one_line_and_changes_nothing(runs):
    for run in runs:
        for data in damaged(run.checkpoint.read_bytes()):
            run.checkpoint.write_bytes(data)
            refusal_of(run, r"checkpoint\.zip")


def state_changed(run, change):
    members = members_of(run.checkpoint)
    tree = json.loads(members["state.json"])
    change(tree["state"])
    write_members(run.checkpoint, {**members, "state.json": json.dumps(tree)})


def test_a_checkpoint_that_lacks_something_is_refused(runs):
    for run, key in zip(runs, ("seconds", "config"), strict=True):
        state_changed(run, lambda state, key=key: state.pop(key))
        refusal_of(run, r"checkpoint\.zip")


def test_a_checkpoint_of_the_other_method_is_refused(runs):
    shutil.copy(runs[0].checkpoint, runs[1].checkpoint)
    refusal_of(runs[1], "than the run was trained with")


def test_changed_settings_are_refused_by_name(run):
    settings = json.loads(run.config.read_text())
    for name, value in {"hidden_layers": [16], "num_envs": 32, "learning_rate": 0.5, "opponents": ["random"]}.items():
        run.config.write_text(json.dumps({**settings, name: value}))
        refusal_of(run, rf"config\.json has another {name} than the run was trained with")


def test_a_refused_resume_leaves_the_end_of_the_run_alone(run):
    for name in ("metrics.csv", "evaluations.csv", "provenance.json"):
        kept = (run.path / name).read_bytes()
        (run.path / name).write_bytes(b"\xff\xfe garbage\nx\n")
        refusal_of(run, name)
        (run.path / name).write_bytes(kept)


def test_a_compressed_member_is_refused(run):
    """A small file could hold gigabytes of zeros."""
    write_members(run.checkpoint, members_of(run.checkpoint), zipfile.ZIP_DEFLATED)
    refusal_of(run, "is compressed")


def test_two_members_of_one_name_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("state.json", "{}")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("state.json", "{}")
    with pytest.raises(CheckpointError, match="two members with the same name"):
        load_checkpoint(tmp_path / "c.zip")


def test_another_format_is_named_in_one_short_line(tmp_path):
    save_checkpoint(tmp_path / "c.zip", LEARNER, {})
    members = members_of(tmp_path / "c.zip")
    for found in ("romans-checkpoint/1", "x" * 5000, ["a" * 5000, {}], "a\nb", 10**3000, None):
        write_members(tmp_path / "c.zip", {**members, "state.json": json.dumps({"format": found, "state": {}})})
        with pytest.raises(CheckpointError, match=r"has the format .*; this version reads 'romans-ch") as error:
            load_checkpoint(tmp_path / "c.zip")
        assert len(str(error.value)) < 300 and str(error.value).isprintable()


def test_a_member_with_a_long_name_is_named_in_one_short_line(tmp_path):
    write_members(tmp_path / "c.zip", {"x\n" * 3000: b"0" * 100}, zipfile.ZIP_DEFLATED)
    with pytest.raises(CheckpointError, match="is compressed") as error:
        load_checkpoint(tmp_path / "c.zip")
    assert len(str(error.value)) < 300 and str(error.value).isprintable()


def test_an_opponent_in_python_with_chance_of_its_own_does_not_keep_a_run_from_resuming_exactly(finished, tmp_path):
    config = dataclasses.replace(PPO, opponents=(f"policy:{finished / 'ppo' / 'policy.npz'},sample=true",))
    whole = trainer.train(config, RunFolder(tmp_path / "whole"))
    folder, seen = RunFolder(tmp_path / "stopped"), []
    with pytest.raises(trainer.TrainingStopped):
        trainer.train(config, folder, lambda progress: seen.append(progress.steps), lambda: seen[-1:] > [200])
    resumed = trainer.resume(folder)
    for mine, other in zip(resumed.pi, whole.pi, strict=True):
        np.testing.assert_array_equal(mine[0], other[0])


def test_two_processes_do_not_train_in_one_folder(run, called):
    script = (
        "import sys, time; from romans_training.learn.run_folder import RunFolder\n"
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
    monkeypatch.setattr("romans_env.core.python_files._LOADED", {})
    status, _, _ = called("train", "--folder", "run", "--resume", "--steps", 256)
    assert "Give --allow-code" in status
    assert not Path("ran").exists()
    status, _, err = called("train", "--folder", "run", "--resume", "--steps", 256, "--allow-code")
    assert status == 0, err
