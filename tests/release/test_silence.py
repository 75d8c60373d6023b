"""The benchmark of silences at a terminal, with programs that take no time."""

import sys

import pytest

pytest.importorskip("pty", reason="there are pseudo-terminals on Unix")

from benchmarks.silence import measure


def test_the_longest_silence_is_found_and_questions_are_answered():
    program = "import time; print('begun', flush=True); time.sleep(0.6); print(input('choice> ') + '!')"
    found = measure([sys.executable, "-c", program])
    assert b"begun" in found.text and b"1!" in found.text
    assert 0.5 < found.longest_silence < found.seconds
    assert 0 <= found.silent_at < found.seconds
    assert found.processor_seconds > 0
