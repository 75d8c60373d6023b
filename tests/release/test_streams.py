"""Commands whose standard streams are closed, or of an encoding with few letters."""

import os
import subprocess
import sys

import pytest

from tests.training.processes import command

needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes streams")
START = "from romans_training.cli.main import start; start()"


def output_in(encoding, *arguments):
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(
        command(*arguments, script=START), env=environment, capture_output=True, check=False, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode(encoding)


@pytest.mark.parametrize(("game", "encoding"), [("roma", "cp1252"), ("struggle", "ascii")])
def test_rules_keep_their_signs_in_every_encoding(game, encoding):
    whole, plain = output_in("utf-8", "rules", "--game", game), output_in(encoding, "rules", "--game", game)
    assert plain != whole
    assert plain.count("?") == whole.count("?")
    assert (plain.count("<="), plain.count("-")) > (0, whole.count("-"))


def closing(streams, *program):
    """Run a program with some standard streams closed; gives its exit status, output and error output."""
    shell = ["/bin/sh", "-c", f'exec "$@" {streams}', "sh", *program]
    done = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr


@needs_shell
def test_a_closed_stream_is_no_error():
    agents, wrong = command("agents", script=START), command("agents", "nobody", script=START)
    assert closing(">&-", *agents) == (0, "", "")
    for streams in ("2>&-", "<&-"):
        status, out, err = closing(streams, *agents)
        assert (status, "legionary" in out, err) == (0, True, "")
    status, out, err = closing("<&- >&-", *wrong)
    assert (status, out) == (1, "") and err.startswith("romans: unknown agent 'nobody'") and err.count("\n") == 1
    assert closing("<&- >&- 2>&-", *wrong) == (1, "", "")


@needs_shell
def test_no_file_takes_the_place_of_a_closed_stream():
    script = (
        "from romans_training.cli.streams import prepare_streams; prepare_streams(); import os, sys\n"
        "sys.exit(open(os.devnull).fileno() <= 2 or not all(os.get_inheritable(number) for number in range(3)))"
    )
    assert closing("<&- >&- 2>&-", sys.executable, "-c", script)[0] == 0
