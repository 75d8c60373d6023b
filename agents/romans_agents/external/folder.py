"""Agents in a folder, for example the submissions of a class: one agent per file, named after the file."""

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
"""Suffixes of files with agents: Python files, policy files and stable-baselines3 models."""
_CODE = (".py", ".zip")
_LONGEST_FILE = 2**20
"""The maximum size of a Python file in bytes."""
_LONGEST_CLASS = 500
"""The number of characters of an agent spec that are reserved for the name of a class."""


class FolderAgents(NamedTuple):
    """The agents found in a folder.

    Attributes:
        specs: the agent spec of each agent, by a unique name. This is the name of the file without its suffix, or with
            the suffix if two names would be equal otherwise.
        left_out: the reason, in one line, why a file has no usable agent, by the name of the file.
    """

    specs: dict[str, str]
    left_out: dict[str, str]


def agents_in(folder: str, game: str, taken: Iterable[str] = (), files: Files = "code") -> FolderAgents:
    """Find the agents in a folder; subfolders and files with other suffixes are ignored.

    Code is loaded in a separate process (`romans_agents.external.hosted_agent`).

    Args:
        folder: the path of the folder.
        game: the name of the game that the agents play.
        taken: names that are already in use.
        files: the files that may be loaded, as for `romans_agents.make`.

    Raises:
        FileNotAllowedError: if the folder contains code and code may not be loaded here.
        UnknownAgentError: if the folder cannot be read.
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
            f"{folder} contains {count} of code, which would run with your rights: code may not be loaded here"
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
            # The caller prefixes the line with the name of the file.
            left_out[in_one_line(name)] = in_one_line(str(error).replace(path, "it"))
    return FolderAgents(specs, left_out)


def _spec_of(path: str, game: str) -> str:
    if path.endswith(_CODE):
        return found_in(path, game)
    make(path, game=game)
    return path


def _check_file(path: Path, folder: Path) -> None:
    """Refuse a file that is too large, is not a regular file in the folder, or cannot be named in an agent spec."""
    text = str(path)
    parts = parts_of(text)
    if (path.suffix == ".py" and (parts is None or parts.file != text)) or len(text) > LONGEST_SPEC - _LONGEST_CLASS:
        raise UnknownAgentError("its path cannot be used in an agent spec: rename it, without ':'")
    if any(is_control_character(letter) for letter in text) or not text.isprintable():
        raise UnknownAgentError("its name has invisible characters: rename it")
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise UnknownAgentError("it is a link to a file outside the folder: put the file itself there")
        if not path.is_file():
            raise UnknownAgentError("it is not a regular file")
        if path.suffix == ".py" and path.stat().st_size > _LONGEST_FILE:
            raise UnknownAgentError("it is larger than 1 MB")
    except (OSError, RuntimeError) as error:
        raise UnknownAgentError(f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
