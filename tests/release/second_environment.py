"""A second environment, for packages that conflict with those of the tests."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest


class SecondEnvironment(NamedTuple):
    """An environment with the packages of this one and further ones.

    Attributes:
        python: its interpreter.
        packages: the folder of the further packages, and of those in another version.
    """

    python: str
    packages: Path


def environment_with(folder, *requirements):
    """Make a `SecondEnvironment` with requirements, and with the numpy that is here.

    The test is skipped where no index has them.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (python,) = [*folder.glob("bin/python"), *folder.glob("Scripts/python.exe")]
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(subprocess.check_output([python, "-c", where], text=True).strip())
    # With this line pip finds the packages of the first environment, and installs only the rest.
    (packages / "first_environment.pth").write_text(
        f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    )
    done = pip(python, *requirements, f"numpy=={np.__version__}")
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason"])[-1]
        pytest.skip(f"pip cannot install {' '.join(requirements)} from an index: {reason}")
    return SecondEnvironment(str(python), packages)


def pip(python, *arguments):
    """Install with the pip of an interpreter; without bytecode, as most modules are never imported."""
    command = [python, "-m", "pip", "install", "--quiet", "--no-compile", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
