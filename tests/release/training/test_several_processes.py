"""Runs of several processes as users start them: what ends them, how they go on, and torchrun and Ray around them."""

import dataclasses
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

from romans_agents import Policy
from romans_training.learn import trainer
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder
from tests.training.parallel import children_of, is_alive
from tests.training.processes import command, wait_for
from tests.training.runs import SMALL, Stop, cut_off_after, same

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux which processes there are")
TWO = dataclasses.replace(SMALL, processes=2)
KINDS = {
    "against opponents": TWO,
    "self-play": dataclasses.replace(
        TWO, self_play=0.5, snapshot_every=512, exploiter_every=1024, exploiter_steps=256, magnet=0.1
    ),
}
OPTIONS = shlex.split(
    "--num-envs 32 --rollout-length 8 --minibatch-size 128 --hidden-layers 16,16 --evaluation-deals 5 "
    "--no-evaluate-at-start --opponents random --seed 3"
)


@pytest.mark.parametrize("config", KINDS.values(), ids=KINDS)
def test_a_run_that_is_cut_off_and_resumed_ends_as_one_that_never_was(config, tmp_path):
    whole, part = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "part")
    expected = trainer.train(config, whole)
    with pytest.raises(Stop):
        trainer.train(config, part, cut_off_after(1300))
    assert same(trainer.resume(part), expected)
    losses = [
        [{name: row[name] for name in row if "second" not in name} for row in folder.load_metrics()]
        for folder in (whole, part)
    ]
    assert losses[0] == losses[1]
    again = trainer.train(config, RunFolder(tmp_path / "again"))
    assert same(again, expected)
    alone = trainer.train(dataclasses.replace(config, processes=1), RunFolder(tmp_path / "alone"))
    assert not same(alone, expected)


def started(folder, *more, prefix=()):
    arguments = command("train", "--folder", folder, *OPTIONS, *more)
    return subprocess.Popen([*prefix, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True)


@pytest.mark.parametrize(
    ("number", "whom", "status", "told"),
    [
        (signal.SIGKILL, "other", 1, "process 1 of 2 was ended by SIGKILL; --resume continues"),
        (signal.SIGSTOP, "other", 1, "process 1 of 2 gave no sign of life for 20 seconds; --resume continues"),
        (signal.SIGKILL, "first", -signal.SIGKILL, ""),
        (signal.SIGTERM, "first", 130, "stopped; continue with: romans train --folder"),
        (signal.SIGINT, "all", 130, "stopped; continue with: romans train --folder"),
    ],
)
def test_a_process_that_ends_or_hangs_ends_the_run(number, whom, status, told, tmp_path):
    folder = RunFolder(tmp_path / "run")
    with started(folder.path, "--processes", 2, "--steps", 10_000_000, "--checkpoint-every", 1024) as first:
        try:
            wait_for(folder.checkpoint.exists)
            (other,) = children_of(first.pid)
            if whom == "all":
                os.killpg(first.pid, number)
            else:
                os.kill(first.pid if whom == "first" else other, number)
            begun = time.monotonic()
            said = first.communicate(timeout=60)[1]
            assert time.monotonic() - begun < 40
        finally:
            first.kill()
    assert (first.returncode, told in said, "Traceback" in said) == (status, True, False), said
    wait_for(lambda: not is_alive(other), 10)
    steps = int(folder.load_checkpoint(folder.load_config())[1]["steps"]) * 2
    done = subprocess.run(
        command("train", "--folder", folder.path, "--resume", "--steps", steps + 512), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert Policy.load(folder.policy).meta["trained_steps"] >= steps + 512


def test_a_full_disk_ends_all_processes_in_one_line(tmp_path):
    folder = RunFolder(tmp_path / "run")
    limited = ("sh", "-c", 'ulimit -f 200; trap "" XFSZ; exec "$@"', "sh")
    with started(folder.path, "--processes", 2, "--steps", 100_000, "--checkpoint-every", 512, prefix=limited) as first:
        said = first.communicate(timeout=120)[1]
    assert first.returncode == 1 and "File too large" in said and "Traceback" not in said, said
    assert not folder.checkpoint.exists() and not list(folder.path.glob("*.tmp*"))


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def agents_of_torchrun(folder, *more, nodes=2, arguments=(), processes=1, **options):
    """Start ``romans train`` by an agent of torchrun for each node, on the loopback address."""
    torchrun, romans = (str(Path(sys.executable).with_name(name)) for name in ("torchrun", "romans"))
    meeting = ["--rdzv-backend", "c10d", "--rdzv-endpoint", f"127.0.0.1:{free_port()}", "--rdzv-id", "tests"]
    agent = [torchrun, "--nnodes", str(nodes), "--nproc-per-node", str(processes), *meeting, *arguments, "--no-python"]
    return [
        subprocess.Popen([*agent, romans, "train", "--folder", str(folder), *OPTIONS, *map(str, more)], **options)
        for _ in range(nodes)
    ]


def by_torchrun(folder, *more, nodes=2):
    """Train by torchrun to the end; gives how its agents ended, and what they said."""
    running = agents_of_torchrun(folder, *more, nodes=nodes, stderr=subprocess.PIPE, text=True)
    said = [one.communicate(timeout=300)[1] for one in running]
    return [one.returncode for one in running], said


def test_a_second_run_in_a_folder_ends_at_once_and_harms_nothing(tmp_path):
    run = RunFolder(tmp_path / "run")
    with run.locked():
        second = started(run.path, "--processes", "2")
        told = second.communicate(timeout=300)[1]
        (by_torch,) = agents_of_torchrun(run.path, nodes=1, processes=2, stderr=subprocess.PIPE, text=True)
        for process, said in ((second, told), (by_torch, by_torch.communicate(timeout=300)[1])):
            assert process.returncode == 1 and said.count("another process is training in") == 1, said
            # torchrun kills what does not end within 30 seconds of its signal.
            assert "exiting via 9" not in said
    assert [path.name for path in run.path.iterdir()] == ["run.lock"]


def test_torchrun_with_two_nodes_trains_the_policy_of_two_processes(tmp_path):
    statuses, said = by_torchrun(tmp_path / "nodes", "--steps", 2048)
    assert statuses == [0, 0], said
    done = subprocess.run(
        command("train", "--folder", tmp_path / "here", "--processes", 2, "--steps", 2048, *OPTIONS),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    nodes, here = (Policy.load(tmp_path / name / "policy.npz") for name in ("nodes", "here"))
    assert same(nodes, here)
    statuses, said = by_torchrun(tmp_path / "nodes", "--processes", 4, nodes=1)
    assert statuses != [0] and "the run has processes = 4, but 1 were started" in said[0]


@pytest.mark.parametrize(("nodes", "learner"), [(1, ()), (2, ()), (2, ("--self-play", "0.5"))])
def test_torchrun_starts_a_run_anew_which_goes_on_from_its_checkpoint(tmp_path, nodes, learner):
    folder = RunFolder(tmp_path / "run")
    options = ["--steps", "40000", "--checkpoint-every", "4096", *learner]
    agents = agents_of_torchrun(
        folder.path, *options, nodes=nodes, arguments=["--max-restarts", "1"], processes=2 // nodes
    )
    try:
        wait_for(folder.checkpoint.exists)
        # An agent whose own processes live does not count the restart.
        workers = subprocess.run(["pgrep", "-P", str(agents[-1].pid)], capture_output=True, text=True).stdout.split()
        os.kill(int(workers[-1]), signal.SIGKILL)
        assert [agent.wait(timeout=200) for agent in agents] == [0] * nodes
    finally:
        for agent in agents:
            agent.kill()
    starts = [start["steps"] for start in folder.load_starts()]
    assert len(starts) == 2 and starts[0] == 0 < starts[1]
    assert Policy.load(folder.policy).meta["trained_steps"] >= 40_000
    unbroken = command("train", "--folder", tmp_path / "unbroken", "--processes", 2, *options, *OPTIONS)
    subprocess.run(unbroken, check=True)
    assert same(Policy.load(folder.policy), Policy.load(tmp_path / "unbroken" / "policy.npz"))


def test_ray_trains_it_too(tmp_path):
    pytest.importorskip("ray.train.torch", reason="needs ray; install the extra 'ray'")
    script = Path(__file__).resolve().parents[3] / "examples" / "ray_data_parallel.py"
    done = subprocess.run(
        [sys.executable, script, "--folder", tmp_path / "run", "--processes", "2", "--steps", "2048"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert Policy.load(tmp_path / "run" / "policy.npz").meta["trained_steps"] >= 2048


def test_a_run_of_two_processes_from_the_command_line(called, tmp_path):
    folder = RunFolder(tmp_path / "run")
    small = "--num-envs 16 --rollout-length 8 --minibatch-size 64 --hidden-layers 8 --evaluation-deals 5"
    status, out, err = called(
        "train", "--folder", folder.path, "--processes", 2, "--steps", 256, "--opponents", "random", *small.split()
    )
    assert status == 0, err
    assert out.strip() == f"trained: {folder.policy}"
    assert Policy.load(folder.policy).meta["trained_steps"] == 256
    assert [row["steps"] for row in folder.load_metrics()] == ["128", "256"]
    config = TrainConfig.load(folder.config)
    assert (config.processes, config.threads) == (2, 1)
    status, _, _ = called("train", "--folder", folder.path, "--resume", "--processes", 1)
    assert status == 2
