"""Where a run comes from: code, versions, machine, command line and seeds, noted at every start."""

from __future__ import annotations

import contextlib
import os
import platform
import shlex
import subprocess
import sys
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

import romans_env
from training.config import EVALUATION_SEED, TrainConfig

_PACKAGES = (
    *("numpy", "numba", "llvmlite", "scipy", "gymnasium", "pettingzoo", "matplotlib"),
    *("torch", "stable-baselines3", "sb3-contrib", "tensorboard"),
)
_GIT_PATIENCE = 10.0
"""Seconds; a checkout on a slow disk must not hold a run up."""


def start_note(config: TrainConfig, steps: int) -> dict[str, Any]:
    """What is noted when a run starts or is resumed, as plain JSON.

    Args:
        config: the settings.
        steps: decisions made before; 0 for a new run.
    """
    return {
        "time": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "steps": steps,
        "command": command_line(),
        "git": git_revision(),
        "seeds": {"training": config.seed, "evaluation": EVALUATION_SEED},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu_count": os.cpu_count(),
        "packages": _versions(),
    }


def command_line() -> str:
    """The command line of this process, without the interpreter and the place of ``romans``."""
    program = Path(sys.argv[0])
    return shlex.join([program.stem if program.stem == "romans" else str(program), *sys.argv[1:]])


def git_revision(folder: Path = Path(__file__).parent) -> dict[str, Any] | None:
    """The revision of the checkout that holds a folder of code.

    Returns:
        ``commit``, and whether tracked files had ``uncommitted_changes``; None outside a checkout, or without git. An
        installed package within somebody else's checkout is not of that checkout.
    """
    try:
        if not _git(folder, "ls-files", "--", "."):
            return None
        commit = _git(folder, "rev-parse", "HEAD")
        return {
            "commit": commit,
            "uncommitted_changes": bool(_git(folder, "status", "--porcelain", "--untracked-files=no")),
        }
    except (OSError, subprocess.SubprocessError):
        return None


def _git(folder: Path, *arguments: str) -> str:
    # A hook that runs this has variables of its own repository; and looking must not lock this one.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=True,
        timeout=_GIT_PATIENCE,
        env={**environment, "GIT_OPTIONAL_LOCKS": "0"},
    )
    return done.stdout.strip()


def _versions() -> dict[str, str]:
    versions = {"romans-env": romans_env.__version__}
    for name in _PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions
