"""The provenance of a run: code revision, versions, machine, command line and seeds, noted at every start."""

from __future__ import annotations

import contextlib
import math
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
from romans_env.errors import shortened
from romans_training.learn.config import EVALUATION_SEED, MOST_DECISIONS, TrainConfig
from romans_training.schema import fits

_PACKAGES = (
    "numpy",
    "numba",
    "llvmlite",
    "scipy",
    "gymnasium",
    "pettingzoo",
    "matplotlib",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "tensorboard",
)
_GIT_PATIENCE = 10.0
"""Time limit for a call of git, in seconds: a checkout on a slow disk must not delay a run."""


def start_note(config: TrainConfig, steps: int) -> dict[str, Any]:
    """Return the note that is written when a run starts or is resumed, as plain JSON.

    Args:
        config: the settings of the run.
        steps: the number of decisions made before this start; 0 for a new run.
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


def checked_notes(provenance: Any) -> list[dict[str, Any]]:
    """Return the notes of starts in a ``provenance.json``; raise ValueError if `start_note` cannot have made them.

    Additional entries, from a newer version, are kept if they are plain names and values.
    """
    starts = provenance.get("starts") if isinstance(provenance, dict) else None
    if not isinstance(starts, list):
        raise ValueError("it has no list of starts")
    for number, start in enumerate(starts, 1):
        if not isinstance(start, dict):
            raise ValueError(f"start {number} is {shortened(start)}, not an object")
        for name, kind in _FITTING.items():
            if name not in start:
                raise ValueError(f"start {number} lacks {name!r}")
            if not fits(start[name], kind):
                raise ValueError(f"start {number} has an invalid {name}: {shortened(start[name])}")
        for name in start.keys() - _FITTING.keys():
            if not _is_plain(start[name]):
                raise ValueError(f"start {number} has an invalid {shortened(name)}: {shortened(start[name])}")
    return starts


def _is_text(value: Any) -> bool:
    # JSON can contain lone surrogates, which cannot be encoded in a page.
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_plain(value: Any) -> bool:
    """Return whether a value is a finite number, text, boolean or null, or an object of such values."""
    if isinstance(value, dict):
        return all(_is_text(name) and not isinstance(one, dict) and _is_plain(one) for name, one in value.items())
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, (bool, int)) or _is_text(value)


def _is_plain_object(value: Any) -> bool:
    return isinstance(value, dict) and _is_plain(value)


_COUNT = range(MOST_DECISIONS + 1)
_FITTING: dict[str, Any] = {
    "time": _is_text,
    "steps": _COUNT,
    "command": _is_text,
    "git": (None, {"commit": _is_text, "uncommitted_changes": bool}),
    "seeds": _is_plain_object,
    "python": _is_text,
    "platform": _is_text,
    "cpu_count": (None, _COUNT),
    "packages": _is_plain_object,
}
"""The entries of `start_note`, with the schema (`romans_training.schema`) of each."""


def command_line() -> str:
    """Return the command line of this process, without the interpreter and the path of ``romans``."""
    program = Path(sys.argv[0])
    return shlex.join([program.stem if program.stem == "romans" else str(program), *sys.argv[1:]])


def git_revision(folder: Path = Path(__file__).parent) -> dict[str, Any] | None:
    """Return the revision of the checkout that contains a folder of code.

    Returns:
        ``commit``, and whether tracked files had ``uncommitted_changes``. None outside a checkout or without git; an
        installed package inside an unrelated checkout does not belong to that checkout.
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
    # Inside a git hook, GIT_ variables point to the hook's repository. Reading must not lock this one.
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
