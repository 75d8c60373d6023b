"""Agents in a folder, one in each file and named after it, as a class hands them in."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from romans_agents.errors import UnknownAgentError
from romans_agents.external.hosted_agent import found_in
from romans_agents.permission import FileNotAllowedError, Files, allowing
from romans_agents.policies.policy_file import PolicyFileError
from romans_agents.specs.registry import LONGEST_SPEC, make
from romans_env.core.python_files import parts_of
from romans_env.errors import in_one_line, is_control_character

_ENDINGS = (".py", ".npz", ".zip")
"""Of files that bring agents: Python, policies, models of stable-baselines3."""
_CODE = (".py", ".zip")
_LONGEST_FILE = 2**20
"""Bytes of a Python file."""
_LONGEST_CLASS = 500
"""Letters of a spec that are left for the name of a class."""


class FolderAgents(NamedTuple):
    """What a folder brings.

    Attributes:
        specs: the agent specs, by names that differ: of the file without its ending, or with it where two would be
            the same.
        left_out: why files bring no agent, in a line each, by their names.
    """

    specs: dict[str, str]
    left_out: dict[str, str]


def agents_in(folder: str, game: str, taken: Iterable[str] = (), files: Files = "code") -> FolderAgents:
    """Return the agents in a folder; its own folders, and files of other endings, are passed over.

    Files of code run in a process of their own (`romans_agents.external.hosted_agent`).

    Args:
        folder: its path.
        game: the game they play.
        taken: names that are others' already.
        files: what may be loaded, as for `romans_agents.make`.

    Raises:
        FileNotAllowedError: the folder holds code, which may not be loaded here.
        UnknownAgentError: the folder cannot be read.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(_ENDINGS) and name[0] not in "._")
    except OSError as error:
        raise UnknownAgentError(f"cannot read the folder {folder}: {error.strerror}") from None
    paths = {name: os.path.join(folder, name) for name in names if not os.path.isdir(os.path.join(folder, name))}
    code = [name for name in paths if name.endswith(_CODE)]
    if code and files != "code":
        count = "a file" if len(code) == 1 else f"{len(code)} files"
        raise FileNotAllowedError(
            f"{folder} holds {count} of code, which would run with your rights: they may not be loaded here"
        )
    stems = Counter([*taken, *(os.path.splitext(name)[0] for name in paths)])
    specs, left_out = {}, {}
    for name, path in paths.items():
        stem = os.path.splitext(name)[0]
        try:
            with allowing(files):
                _check_file(Path(path), Path(folder))
                specs[stem if stems[stem] == 1 else name] = _spec_of(path, game)
        except (UnknownAgentError, PolicyFileError) as error:
            # The caller puts the name of the file before the line.
            left_out[in_one_line(name)] = in_one_line(str(error).replace(path, "it"))
    return FolderAgents(specs, left_out)


def _spec_of(path: str, game: str) -> str:
    if path.endswith(_CODE):
        return found_in(path, game)
    make(path, game=game)
    return path


def _check_file(path: Path, folder: Path) -> None:
    """Refuse a file that cannot be named in a spec, lies elsewhere, or is no file of a person."""
    text = str(path)
    parts = parts_of(text)
    if (path.suffix == ".py" and (parts is None or parts.file != text)) or len(text) > LONGEST_SPEC - _LONGEST_CLASS:
        raise UnknownAgentError("its path cannot stand in an agent spec: rename it, without ':'")
    if any(is_control_character(letter) for letter in text) or not text.isprintable():
        raise UnknownAgentError("its name has characters that cannot be seen: rename it")
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise UnknownAgentError("it is a link to a file outside of the folder: put the file itself there")
        if not path.is_file():
            raise UnknownAgentError("it is no file")
        if path.suffix == ".py" and path.stat().st_size > _LONGEST_FILE:
            raise UnknownAgentError("it is larger than 1 MB")
    except (OSError, RuntimeError) as error:
        raise UnknownAgentError(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
