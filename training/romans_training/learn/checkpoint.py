"""A checkpoint: a zip archive of numbers and texts that runs no code when it is read.

| member | holds |
|---|---|
| ``state.json`` | ``format``, and a tree of plain JSON in which ``{"$array": k}`` stands for array k |
| ``arrays/k.npy`` | array k, in numpy's own format, without Python objects |
| ``learner.pt`` | weights and optimiser state, read by ``torch.load(weights_only=True)`` |

If a run has several processes, the state of the first one contains the states of the others as arrays of bytes, packed
in the same format.

Members are not compressed, so a small file cannot expand in memory; each has a zip checksum.
"""

from __future__ import annotations

import io
import json
import zipfile
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from romans_env.core.files import atomic_write
from romans_env.errors import error_line, in_one_line, shortened

FORMAT = "romans-checkpoint/2"
_STATE, _LEARNER, _ARRAY = "state.json", "learner.pt", "$array"
_EARLIER = "rest.pickle"
"""A member of checkpoints of format 1, which could run code when they were read."""


class CheckpointError(ValueError):
    """A checkpoint that is damaged or of another version; the message says what is wrong."""


def save_checkpoint(path: Path, learner: dict[str, Any], state: dict[str, Any]) -> None:
    """Write a checkpoint atomically.

    Args:
        path: the file to write.
        learner: tensors and plain values, such as the ``state_dict()`` of networks and optimisers.
        state: everything else: dictionaries with texts as keys, lists, arrays, numbers, texts and None.

    Raises:
        TypeError: if the state holds anything else.
        OSError: if the file cannot be written.
    """
    import torch

    weights = io.BytesIO()
    torch.save(learner, weights)
    with atomic_write(path) as temporary:
        _write(temporary, state, {_LEARNER: weights.getvalue()})


def load_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the learner and the state that were given to `save_checkpoint`; tuples have become lists.

    Raises:
        CheckpointError: if the file is damaged or of another version.
        OSError: if the file cannot be read.
    """
    import torch

    try:
        state, members = _read(path)
        # Without weights_only, torch.load() may run code from the file.
        learner = torch.load(io.BytesIO(members[_LEARNER]), weights_only=True)
    except (CheckpointError, OSError):
        raise
    except Exception as error:  # damaged archives fail in many ways: zipfile's, numpy's, torch's
        raise CheckpointError(in_one_line(error_line(error), 200)) from None
    if not isinstance(state, dict) or not isinstance(learner, dict):
        raise CheckpointError("its state or its learner is not a dictionary")
    return learner, state


def packed(state: dict[str, Any]) -> bytes:
    """Pack a state, as for `save_checkpoint`, into bytes."""
    file = io.BytesIO()
    _write(file, state, {})
    return file.getvalue()


def unpacked(content: bytes) -> dict[str, Any]:
    """Return the state that `packed` was given; other bytes may raise any exception."""
    state: dict[str, Any] = _read(io.BytesIO(content))[0]
    return state


def _write(file: Path | IO[bytes], state: dict[str, Any], others: dict[str, bytes]) -> None:
    arrays: list[npt.NDArray[Any]] = []
    tree = json.dumps({"format": FORMAT, "state": _packed(state, arrays)})
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(_STATE, tree)
        for name, content in others.items():
            archive.writestr(name, content)
        for number, array in enumerate(arrays):
            member = io.BytesIO()
            np.lib.format.write_array(member, array, allow_pickle=False)
            archive.writestr(_member(number), member.getvalue())


def _read(file: Path | IO[bytes]) -> tuple[Any, dict[str, bytes]]:
    """Return the state in a checkpoint, and the bytes of all members."""
    with zipfile.ZipFile(file) as archive:
        members = _checked_members(archive)
    tree = json.loads(members[_STATE], object_hook=partial(_restored, members))
    if tree["format"] != FORMAT:
        raise CheckpointError(f"it has the format {shortened(tree['format'])}; this version reads {FORMAT!r}")
    return tree["state"], members


def _checked_members(archive: zipfile.ZipFile) -> dict[str, bytes]:
    names = archive.namelist()
    if _EARLIER in names:
        raise CheckpointError(
            "it was written by an earlier version in a form that can run code when opened, so it was not opened"
        )
    for member in archive.infolist():
        if member.compress_type != zipfile.ZIP_STORED:
            raise CheckpointError(f"its member {shortened(member.filename)} is compressed")
    if len(set(names)) < len(names):
        raise CheckpointError("it has two members with the same name")
    return {name: archive.read(name) for name in names}


def _member(number: int) -> str:
    return f"arrays/{number}.npy"


def _packed(value: Any, arrays: list[npt.NDArray[Any]]) -> Any:
    """Return a value as plain JSON; its arrays are moved to ``arrays``."""
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {_ARRAY: len(arrays) - 1}
    if isinstance(value, dict):
        if not all(isinstance(key, str) and key != _ARRAY for key in value):
            raise TypeError(f"the keys of a checkpoint's dictionaries are texts, not {list(value)!r}")
        return {key: _packed(part, arrays) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_packed(part, arrays) for part in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a checkpoint holds plain values and arrays, not {type(value).__name__}")


def _restored(members: dict[str, bytes], found: dict[str, Any]) -> Any:
    """Return the array that a JSON object stands for, or else the object itself."""
    if set(found) != {_ARRAY}:
        return found
    return np.lib.format.read_array(io.BytesIO(members[_member(found[_ARRAY])]), allow_pickle=False)
