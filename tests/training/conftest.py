"""What tests of the command line share."""

from __future__ import annotations

import pytest

from training.cli.main import main


@pytest.fixture
def called(capsys):
    """Run ``romans`` in this process."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return call
