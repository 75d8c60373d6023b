"""Reader of policy files from untrusted sources.

Before any weights are read, everything that the file declares is checked: the names, types and shapes of its arrays,
the total number of weights (at most `MOST_WEIGHTS`) and the length of ``meta`` (at most `MOST_META` characters).
`romans_agents.policies.policy` describes the format.
"""

from __future__ import annotations

import io
import math
import os
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from romans_env.core.files import json_of, open_regular
from romans_env.core.games import DEFAULT_GAME, names, spec_of, there_are
from romans_env.core.protocol import Rules
from romans_env.errors import UserError, in_one_line, shortened

FORMAT = "romans-policy/1"
ACTIVATIONS = ("tanh", "relu")
MOST_WEIGHTS = 2**26
"""The maximum number of weights in all layers together: 256 MB as float32."""
MOST_META = 2**20
"""The maximum length of the notes (``meta``) in characters."""
_LARGEST = 1e37
"""The largest number that a layer may compute. Sums and differences of a few such numbers are finite in float32."""
_MOST_FILE = 8 * MOST_WEIGHTS + 2**24
"""The maximum size of a file in bytes, which is enough for all weights as uncompressed float64."""
_MOST_CONTENTS = 2**20
"""The maximum size of the archive's table of contents in bytes; a policy file's has a few thousand."""
_MOST_HEADER = 12_000
"""The maximum number of bytes read of an array's header; numpy does not accept a longer header."""

Array = npt.NDArray[np.float32]
Layers = list[tuple[Array, Array]]


class PolicyFileError(UserError, ValueError):
    """A policy file is missing, damaged, or made for another game or version."""


class PolicyParts(NamedTuple):
    """The parts of a policy file, as `romans_agents.policies.policy.Policy` describes them."""

    pi: Layers
    vf: Layers
    scale: Array
    meta: dict[str, Any]


def _why_not(error: ValueError) -> str:
    """Return the reason why a game cannot be played: its name is unknown, or its game family gives another reason."""
    return in_one_line(error) if isinstance(error, UserError) else there_are(names())


def game_of(meta: dict[str, Any]) -> Any:
    """Return the game that a policy's notes name; an early file names none, and was made for the default game."""
    return meta.get("game", DEFAULT_GAME)


def rules_for(meta: dict[str, Any]) -> Rules:
    """Return the rules of the game that a policy's notes name.

    The setup is the one in which the policy was trained, or else the default setup. It matters because the sizes of the
    observation and of the action space may depend on the setup, for example on the board of Struggle for Rome.
    """
    spec, config = spec_of(game_of(meta)), meta.get("config")
    setup = config.get("setup") if isinstance(config, dict) else None
    if isinstance(setup, dict):
        try:
            rules: Rules = spec.part("rules").from_json(setup)
            return rules
        except (ValueError, TypeError, KeyError):
            pass  # notes of an earlier version, which had other settings
    return spec.make_rules()


class WrongPolicyError(ValueError):
    """A complete policy file of another version or game; its message is the rest of a sentence after the path."""


class _Array(NamedTuple):
    """An array in the archive, with the dtype and shape that its header declares."""

    member: zipfile.ZipInfo
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


class _Bounded:
    """Wraps a file so that a single read of more than ``most`` bytes raises ValueError.

    It protects against a forged archive that declares a table of contents of gigabytes, because zipfile reads the whole
    table in one call.
    """

    def __init__(self, file: io.BufferedReader, most: int):
        self.most = most
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int | None = -1) -> bytes:
        content = self._file.read(self.most + 1 if size is None or size < 0 else min(size, self.most + 1))
        if len(content) > self.most:
            raise ValueError("it is too long")
        return content


_NAME = re.compile(r"(?:meta|scale|(?:pi|vf)_(?:0|[1-9][0-9]?)_(?:weight|bias))\.npy")


def read_policy(file: io.BufferedReader) -> PolicyParts:
    """Read a policy from an open file.

    Raises:
        WrongPolicyError: if the policy was made for another version or game.
        Exception: if the file is damaged; the message says how.
    """
    with _archive_of(file) as archive:
        members = _members(archive, _NAME, "a policy")
        if "meta" not in members:
            raise ValueError("it lacks meta")
        # The notes come first, because a file of another version may hold other arrays.
        meta: dict[str, Any] = json_of(_text(archive, members.pop("meta")))
        _check_meta(meta)
        arrays = _declared(archive, members)
        for name, array in arrays.items():
            if len(array.shape) != (2 if name.endswith("weight") else 1):
                raise ValueError(f"its layers do not fit each other: {name} has the shape {shortened(array.shape)}")
        pi, vf = _layers(archive, arrays, "pi"), _layers(archive, arrays, "vf")
        if len(arrays) > 1 + 2 * (len(pi) + len(vf)):
            raise ValueError("it has layers that do not follow one another")
        parts = PolicyParts(pi, vf, _weights(archive, arrays, "scale"), meta)
    _check_layers(parts)
    return parts


def checked_parts(parts: PolicyParts) -> PolicyParts:
    """Check the parts of a policy from an untrusted source, and return them.

    Raises:
        ValueError: if the notes are unusable, or the layers do not fit each other or the game.
    """
    _check_meta({**parts.meta, "format": FORMAT} if isinstance(parts.meta, dict) else parts.meta)
    _check_layers(parts)
    return parts


def read_numbers(
    path: Path, names: Sequence[str], what: str, check: Callable[[list[tuple[int, ...]]], object]
) -> list[npt.NDArray[Any]]:
    """Read arrays of finite numbers from a ``.npz`` file that is not a policy.

    Args:
        path: the path of the file.
        names: the names of all arrays that the file must hold.
        what: the description of a wrong file in errors, such as "no network of winning chances".
        check: a function that is called with the declared shapes, in the order of ``names``, before any array is read.
            It raises ValueError if they do not fit.

    Returns:
        The arrays in the order of ``names``, with the dtype that they have in the file: float16, float32 or float64.

    Raises:
        ValueError: if the file is damaged or its arrays do not fit; the message says why.
        OSError: if the file cannot be read.
    """
    allowed = re.compile(f"(?:{'|'.join(map(re.escape, names))})\\.npy")
    try:
        with open_regular(path) as file, _archive_of(file) as archive:
            arrays = _declared(archive, _members(archive, allowed, "such a file"))
            check([_array(arrays, name).shape for name in names])
            return [_finite(archive, arrays, name) for name in names]
    except OSError:
        raise
    except Exception as error:  # an archive may be damaged in many ways
        raise ValueError(f"{path} is {what}: {in_one_line(error)}") from None


@contextmanager
def _archive_of(file: io.BufferedReader) -> Iterator[zipfile.ZipFile]:
    """Open a file as a zip archive; raise ValueError if the file, or its table of contents, is too large."""
    if file.seek(0, os.SEEK_END) > _MOST_FILE:
        raise ValueError(f"it is larger than {_MOST_FILE // 2**20} MB")
    bounded = _Bounded(file, _MOST_CONTENTS)
    with zipfile.ZipFile(cast(Any, bounded)) as archive:
        bounded.most = _MOST_FILE
        yield archive


def _members(archive: zipfile.ZipFile, allowed: re.Pattern[str], what: str) -> dict[str, zipfile.ZipInfo]:
    """Return the members of an archive by array name; raise ValueError for a member whose name is not allowed."""
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename.removesuffix(".npy")
        if not allowed.fullmatch(member.filename):
            raise ValueError(f"it holds {shortened(member.filename)}, which is not an array of {what}")
        if name in members:
            raise ValueError(f"it holds {name} twice")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{name} has a compression that numpy does not use")
        members[name] = member
    return members


def _header(archive: zipfile.ZipFile, name: str, member: zipfile.ZipInfo) -> _Array:
    with archive.open(member) as file:
        head = io.BytesIO(file.read(min(member.file_size, _MOST_HEADER)))
    if np.lib.format.read_magic(head) != (1, 0):
        raise ValueError(f"the header of {name} is not a numpy header of format 1.0")
    shape, _, dtype = np.lib.format.read_array_header_1_0(head)
    if dtype.hasobject or min(shape, default=1) < 1:
        raise ValueError(f"{name} has the type {in_one_line(dtype, 50)} and the shape {shortened(shape)}")
    if head.tell() + math.prod(shape) * dtype.itemsize != member.file_size:
        raise ValueError(f"{name} does not have the size that it declares")
    return _Array(member, shape, dtype)


def _declared(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo]) -> dict[str, _Array]:
    """Read the headers of all arrays; raise ValueError if a dtype is wrong or the total number of values too large."""
    arrays = {name: _header(archive, name, member) for name, member in members.items()}
    for name, array in arrays.items():
        if array.dtype.kind != "f" or array.dtype.itemsize not in (2, 4, 8):
            raise ValueError(
                f"{name} is of the type {in_one_line(array.dtype, 50)}; weights are float16, float32 or float64"
            )
    if sum(math.prod(array.shape) for array in arrays.values()) > MOST_WEIGHTS:
        raise ValueError(f"it declares more than {MOST_WEIGHTS:,} weights")
    return arrays


def _layers(archive: zipfile.ZipFile, arrays: dict[str, _Array], name: str) -> Layers:
    layers: Layers = []
    while not layers or f"{name}_{len(layers)}_weight" in arrays:
        prefix = f"{name}_{len(layers)}"
        layers.append((_weights(archive, arrays, f"{prefix}_weight"), _weights(archive, arrays, f"{prefix}_bias")))
    return layers


def _array(arrays: dict[str, _Array], name: str) -> _Array:
    if name not in arrays:
        raise ValueError(f"it lacks {name}")
    return arrays[name]


def _content(archive: zipfile.ZipFile, array: _Array) -> npt.NDArray[Any]:
    with archive.open(array.member) as file:
        values: npt.NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    return values


def _finite(archive: zipfile.ZipFile, arrays: dict[str, _Array], name: str) -> npt.NDArray[Any]:
    """Read an array from the archive; raise ValueError if a value is not finite in float32."""
    values = _content(archive, _array(arrays, name))
    with np.errstate(over="ignore"):
        if not np.isfinite(values.astype(np.float32, copy=False)).all():
            raise ValueError(f"{name} has numbers that are not finite")
    return values


def _weights(archive: zipfile.ZipFile, arrays: dict[str, _Array], name: str) -> Array:
    # A file may hold weights as float16 or float64.
    return _finite(archive, arrays, name).astype(np.float32, order="C", copy=False)


def _text(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    array = _header(archive, "meta", member)
    if array.dtype.kind != "U" or array.shape != () or array.dtype.itemsize > 4 * MOST_META:
        raise ValueError(f"meta is not a text of at most {MOST_META:,} characters")
    return str(_content(archive, array)[()])


def _check_meta(meta: Any) -> None:
    """Raise ValueError if the notes are unusable, and WrongPolicyError if they are of another version or game."""
    if not isinstance(meta, dict):
        raise ValueError(f"its meta is not an object, but {shortened(meta)}")
    for key in ("format", "activation"):
        if key not in meta and meta.get("format", FORMAT) == FORMAT:
            raise ValueError(f"it lacks {key!r} in its meta")
    if meta["format"] != FORMAT:
        raise WrongPolicyError(f"has the format {shortened(meta['format'])}; this version reads {FORMAT!r}")
    try:
        spec_of(game_of(meta))
    except ValueError as error:
        raise WrongPolicyError(f"was made for the game {shortened(meta['game'])}; {_why_not(error)}") from None
    if not isinstance(meta["activation"], str) or meta["activation"] not in ACTIVATIONS:
        there = " or ".join(map(repr, ACTIVATIONS))
        raise ValueError(f"its activation is {shortened(meta['activation'])}, not {there}")
    if not isinstance(meta.get("sample", False), bool):
        raise ValueError(f"its sample is true or false, not {shortened(meta['sample'])}")
    cut = meta.get("cut", 0.0)
    if not isinstance(cut, (int, float)) or isinstance(cut, bool) or not 0 <= cut <= 1:
        raise ValueError(f"its cut is a number from 0 to 1, not {shortened(cut)}")


def _check_layers(parts: PolicyParts) -> None:
    """Check that the layers fit each other and the game, and that their outputs are finite for all observations.

    Raises:
        WrongPolicyError: if the layers fit another version of the game.
        ValueError: if the layers do not fit each other, or their weights are too large.
    """
    rules = rules_for(parts.meta)
    size, expected = parts.scale.shape, rules.observation_low.shape
    num_actions = len(rules.action_names)
    if size != expected or parts.pi[-1][1].shape != (num_actions,):
        raise WrongPolicyError(
            f"was made for observations of {size} and {parts.pi[-1][1].size} actions; this version has "
            f"{expected} and {num_actions}: train it again"
        )
    for layers in (parts.pi, parts.vf):
        widths = [expected, *(bias.shape for _, bias in layers)]
        if any(weight.shape != widths[k + 1] + widths[k] for k, (weight, _) in enumerate(layers)):
            raise ValueError("its layers do not fit each other")
    if parts.vf[-1][1].shape != (1,):
        raise ValueError("its value is not one number")
    largest = np.maximum(np.abs(rules.observation_low.astype(float)), np.abs(rules.observation_high.astype(float)))
    for layers in (parts.pi, parts.vf):
        bounds = largest * np.abs(parts.scale)
        for weight, bias in layers:
            sums = np.abs(weight) @ bounds + np.abs(bias)
            if max(bounds.max(initial=0.0), sums.max(initial=0.0)) > _LARGEST:
                raise ValueError("its weights are so large that what it computes may be infinite")
            bounds = sums
            if parts.meta["activation"] == "tanh":
                bounds = np.minimum(bounds, 1.0)
