"""The command line in processes of its own."""

import signal
import subprocess
import sys
import time

MAIN = "from romans_training.cli.main import main; main()"


def command(*arguments, script=MAIN):
    """The command that runs ``romans`` in a process of its own."""
    return [sys.executable, "-c", script, *map(str, arguments)]


def romans(*arguments):
    """Run ``romans`` in a process; gives exit status, output and error output."""
    done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def wait_for(condition, seconds=300):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def killed_training(folder, is_time, *arguments):
    """Train without end until it is time, and kill the process."""
    with subprocess.Popen(
        command("train", "--folder", folder, "--steps", 10_000_000, *arguments), stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_for(is_time)
        finally:
            process.send_signal(signal.SIGKILL)


def signalled_training(number, folder):
    """Send a signal to a training run that has begun to play; gives its exit status and error output."""
    small = ("--num-envs", 16, "--rollout-length", 8, "--minibatch-size", 64, "--threads", 1, "--hidden-layers", 8)
    with subprocess.Popen(command("train", "--folder", folder, *small), stderr=subprocess.PIPE, text=True) as process:
        wait_for((folder / "metrics.csv").exists)
        assert not (folder / "checkpoint.zip").exists()
        process.send_signal(number)
        err = process.communicate(timeout=60)[1]
    return process.returncode, err


def interrupted_import(delay, folder):
    """Send Ctrl-C to a command that imports its modules; gives its exit status and error output."""
    script = "print('up', flush=True); from romans_training.cli.main import start; start()"
    arguments = command("train", "--folder", folder, "--steps", 100_000_000, script=script)
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout.readline() == "up\n"  # what Python does before the first line is its own
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=120)[1]
    return process.returncode, err
