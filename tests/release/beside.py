"""Packages that the environment of the tests cannot hold, in a folder beside it."""

import subprocess
import sys

import numpy as np
import pytest


def installed(folder, *requirements):
    """The folder, with packages and the numpy that is here; the test is skipped where no index has them."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
    done = subprocess.run(
        [*command, *requirements, f"numpy=={np.__version__}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason"])[-1]
        pytest.skip(f"pip cannot install {' '.join(requirements)} from an index: {reason}")
    return folder
