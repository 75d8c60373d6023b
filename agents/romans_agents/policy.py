"""Learned agents: a policy file is a small ``.npz`` that plays with numpy alone.

It holds the layers of two plain networks over the scaled observation, the policy (logits of the actions) and the value,
and a JSON text that says what it was made for and how. Weights are float32 or float16. Format ``romans-policy/1``:

| array | shape | |
|---|---|---|
| ``meta`` | () | JSON: ``format``, ``game``, ``activation``, and whatever the trainer noted |
| ``scale`` | (observation size,) | an observation is multiplied by it, entry by entry |
| ``pi_0_weight``, ``pi_0_bias``, ... | (out, in), (out,) | layers of the policy; all but the last are activated |
| ``vf_0_weight``, ... | | layers of the value, ending in one number |

In ``meta``, ``sample`` and ``cut`` say how the policy is meant to be played (`PolicyAgent`). A file without ``game`` is
taken for one of this game.

A file may come from anywhere. What it declares is checked before anything large is read: its members, their types and
shapes, at most `MOST_WEIGHTS` numbers and `MOST_META` letters of ``meta``.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import zipfile
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from romans_agents.base import BatchAgent
from romans_agents.permission import require
from romans_env import View
from romans_env.errors import in_one_line, shortened
from romans_env.files import json_of, open_regular, written_whole
from romans_env.romans_go_home.rules import RomansGoHome

FORMAT = "romans-policy/1"

MOST_WEIGHTS = 2**26
"""Numbers in all layers together: 256 MB as float32."""
MOST_META = 2**20
"""Letters of the notes."""
_MOST_FILE = 8 * MOST_WEIGHTS + 2**24
"""Bytes of the file: all weights as float64, not compressed."""
_MOST_CONTENTS = 2**20
"""Bytes of the archive's table of contents; that of a policy has a few thousand."""
_MOST_HEADER = 12_000
"""Bytes of an array's header that are read; numpy takes none that is longer."""

Array = npt.NDArray[np.float32]
Layers = list[tuple[Array, Array]]


def _relu(x: Any) -> Any:
    return np.maximum(x, 0.0)


_ACTIVATIONS: dict[str, Callable[[Any], Any]] = {"tanh": np.tanh, "relu": _relu}


class PolicyFileError(ValueError):
    """A policy file that is missing, damaged, or made for something else."""


class Policy:
    """A policy and value network in numpy.

    Args:
        pi: (weight, bias) of every layer of the policy.
        vf: of the value.
        scale: float32, shape (observation size,).
        meta: JSON-able notes; ``activation`` and ``game`` are used.
    """

    def __init__(self, pi: Layers, vf: Layers, scale: Array, meta: dict[str, Any]):
        self.pi, self.vf, self.scale, self.meta = pi, vf, scale, meta
        self._activate = _ACTIVATIONS[meta["activation"]]

    def logits(self, observations: npt.NDArray[Any]) -> Array:
        """float32, shape (n, number of actions), for observations of shape (n, observation size)."""
        return self._forward(self.pi, observations)

    def values(self, observations: npt.NDArray[Any]) -> Array:
        """Expected returns: float32, shape (n,)."""
        return self._forward(self.vf, observations)[:, 0]

    def probabilities(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> Array:
        """Of every action, zero for illegal ones: float32, shape (n, number of actions)."""
        logits = _masked(self.logits(observations), masks)
        exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(exponents / exponents.sum(axis=1, keepdims=True), dtype=np.float32)

    def _forward(self, layers: Layers, observations: npt.NDArray[Any]) -> Array:
        x = observations.astype(np.float32) * self.scale
        for weight, bias in layers[:-1]:
            x = self._activate(x @ weight.T + bias)
        weight, bias = layers[-1]
        return np.asarray(x @ weight.T + bias, dtype=np.float32)

    def save(self, path: str | os.PathLike[str], dtype: npt.DTypeLike = np.float32) -> None:
        """Write the policy file, whole or not at all.

        Nothing is checked: `load` refuses a file whose weights are not finite, as those of training that diverged.

        Args:
            path: where.
            dtype: of the weights in the file; float16 makes half the size.
        """
        arrays: dict[str, Any] = {"meta": np.array(json.dumps({**self.meta, "format": FORMAT})), "scale": self.scale}
        for name, layers in (("pi", self.pi), ("vf", self.vf)):
            for k, (weight, bias) in enumerate(layers):
                arrays[f"{name}_{k}_weight"], arrays[f"{name}_{k}_bias"] = weight.astype(dtype), bias.astype(dtype)
        with written_whole(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read a policy file.

        Raises:
            PolicyFileError: saying in one line what is wrong with it: a file that is missing, damaged, too large or no
                regular one; weights that are not finite, or of layers that do not fit; notes that nothing can be played
                by; a policy of another game.
        """
        try:
            with open_regular(path) as file:
                policy = _read(file)
        except _WrongPolicyError as error:
            raise PolicyFileError(f"{in_one_line(path)} {error}") from None
        except OSError as error:
            why = in_one_line(error.strerror or error)
            raise PolicyFileError(f"cannot read the policy file {in_one_line(path)}: {why}") from None
        except Exception as error:  # a damaged archive fails in many ways: zlib's, zipfile's, numpy's
            why = in_one_line(error).strip() or type(error).__name__
            raise PolicyFileError(f"{in_one_line(path)} is not a whole policy file: {why}") from None
        return policy

    def _check(self) -> None:
        size = self.scale.shape
        expected = RomansGoHome.observation_low.shape
        if size != expected or self.pi[-1][1].shape != (RomansGoHome.num_actions,):
            raise _WrongPolicyError(
                f"was made for observations of {size} and {self.pi[-1][1].size} actions; this version has "
                f"{expected} and {RomansGoHome.num_actions}: train it again"
            )
        for layers in (self.pi, self.vf):
            widths = [expected, *(bias.shape for _, bias in layers)]
            if any(weight.shape != widths[k + 1] + widths[k] for k, (weight, _) in enumerate(layers)):
                raise ValueError("its layers do not fit each other")
        if self.vf[-1][1].shape != (1,):
            raise ValueError("its value is not one number")


class _WrongPolicyError(ValueError):
    """A file that is whole, but not of this version or game: the end of a sentence that begins with its path."""


class _Array(NamedTuple):
    """An array of the archive, as its header declares it."""

    member: zipfile.ZipInfo
    start: int
    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]


class _Bounded:
    """A file that is not read in one piece of more than ``most`` bytes.

    What an archive's end declares as the size of its table of contents is read at once, and may be gigabytes.
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


def _read(file: io.BufferedReader) -> Policy:
    """The policy of a file.

    Raises:
        _WrongPolicyError: one of another version or game.
        Exception: what is not whole, saying why.
    """
    if file.seek(0, os.SEEK_END) > _MOST_FILE:
        raise ValueError(f"it is larger than {_MOST_FILE // 2**20} MB")
    bounded = _Bounded(file, _MOST_CONTENTS)
    with zipfile.ZipFile(cast(Any, bounded)) as archive:
        bounded.most = _MOST_FILE
        members = _members(archive)
        if "meta" not in members:
            raise ValueError("it lacks meta")
        # First, as a file of another version may hold other arrays.
        meta = _checked_meta(_text(archive, members.pop("meta")))
        arrays = {name: _declared(archive, name, member) for name, member in members.items()}
        if sum(math.prod(array.shape) for array in arrays.values()) > MOST_WEIGHTS:
            raise ValueError(f"it declares more than {MOST_WEIGHTS:,} weights")
        sizes = {name: _number_of_layers(arrays, name) for name in ("pi", "vf")}
        if len(arrays) > 1 + 2 * sum(sizes.values()):
            raise ValueError("it has layers that do not follow one another")

        def layers(name: str) -> Layers:
            keys = [(f"{name}_{k}_weight", f"{name}_{k}_bias") for k in range(sizes[name])]
            return [(_weights(archive, arrays, weight), _weights(archive, arrays, bias)) for weight, bias in keys]

        policy = Policy(layers("pi"), layers("vf"), _weights(archive, arrays, "scale"), meta)
    policy._check()
    return policy


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members of an archive by the names of their arrays, if they are none but those of a policy."""
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename.removesuffix(".npy")
        if not _NAME.fullmatch(member.filename):
            raise ValueError(f"it holds {shortened(member.filename)}, which is no array of a policy")
        if name in members:
            raise ValueError(f"it holds {name} twice")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{name} is compressed as numpy compresses nothing")
        members[name] = member
    return members


def _header(archive: zipfile.ZipFile, name: str, member: zipfile.ZipInfo) -> _Array:
    with archive.open(member) as file:
        head = io.BytesIO(file.read(min(member.file_size, _MOST_HEADER)))
    if np.lib.format.read_magic(head) != (1, 0):
        raise ValueError(f"the header of {name} is not one that a policy's arrays have")
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(head)
    if dtype.hasobject or min(shape, default=1) < 1:
        raise ValueError(f"{name} has the type {in_one_line(dtype, 50)} and the shape {shortened(shape)}")
    if head.tell() + math.prod(shape) * dtype.itemsize != member.file_size:
        raise ValueError(f"{name} is not as large as it declares")
    return _Array(member, head.tell(), shape, is_fortran, dtype)


def _declared(archive: zipfile.ZipFile, name: str, member: zipfile.ZipInfo) -> _Array:
    """An array of weights as it declares itself; ValueError for one that cannot be of a policy."""
    array = _header(archive, name, member)
    if array.dtype.kind != "f" or array.dtype.itemsize not in (2, 4, 8):
        raise ValueError(
            f"{name} is of the type {in_one_line(array.dtype, 50)}; weights are float16, float32 or float64"
        )
    if len(array.shape) != (2 if name.endswith("weight") else 1):
        raise ValueError(f"its layers do not fit each other: {name} has the shape {shortened(array.shape)}")
    return array


def _number_of_layers(arrays: dict[str, _Array], name: str) -> int:
    number = 0
    while number == 0 or f"{name}_{number}_weight" in arrays:
        for key in (f"{name}_{number}_weight", f"{name}_{number}_bias"):
            if key not in arrays:
                raise ValueError(f"it lacks {key}")
        number += 1
    return number


def _content(archive: zipfile.ZipFile, array: _Array) -> npt.NDArray[Any]:
    with archive.open(array.member) as file:
        # Reading without a size would unpack all there is, whatever the archive declares.
        content = file.read(array.member.file_size)
    values = np.frombuffer(content, array.dtype, offset=array.start)
    return values.reshape(array.shape, order="F" if array.is_fortran else "C")


def _weights(archive: zipfile.ZipFile, arrays: dict[str, _Array], name: str) -> Array:
    if name not in arrays:
        raise ValueError(f"it lacks {name}")
    with np.errstate(over="ignore"):
        # A file may hold them in half the precision.
        values = _content(archive, arrays[name]).astype(np.float32, order="C")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} has numbers that are not finite")
    return values


def _text(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> str:
    array = _header(archive, "meta", member)
    if array.dtype.kind != "U" or array.shape != () or array.dtype.itemsize > 4 * MOST_META:
        raise ValueError(f"meta is no text of at most {MOST_META:,} letters")
    return str(_content(archive, array)[()])


def _checked_meta(text: str) -> dict[str, Any]:
    """The notes, if a policy can be made of them.

    Raises:
        _WrongPolicyError: those of another version or game.
        ValueError: others.
    """
    meta = json_of(text)
    if not isinstance(meta, dict):
        raise ValueError(f"its meta is no object, but {shortened(meta)}")
    for key in ("format", "activation"):
        if key not in meta and meta.get("format", FORMAT) == FORMAT:
            raise ValueError(f"it lacks {key!r} in its meta")
    if meta["format"] != FORMAT:
        raise _WrongPolicyError(f"has the format {shortened(meta['format'])}; this version reads {FORMAT!r}")
    if meta.get("game", RomansGoHome.name) != RomansGoHome.name:
        raise _WrongPolicyError(f"was made for the game {shortened(meta['game'])}, not for {RomansGoHome.name!r}")
    if not isinstance(meta["activation"], str) or meta["activation"] not in _ACTIVATIONS:
        there = " or ".join(map(repr, _ACTIVATIONS))
        raise ValueError(f"its activation is {shortened(meta['activation'])}, not {there}")
    if not isinstance(meta.get("sample", False), bool):
        raise ValueError(f"its sample is true or false, not {shortened(meta['sample'])}")
    cut = meta.get("cut", 0.0)
    if not isinstance(cut, (int, float)) or isinstance(cut, bool) or not 0 <= cut <= 1:
        raise ValueError(f"its cut is a number from 0 to 1, not {shortened(cut)}")
    return meta


def _masked(logits: Array, masks: npt.NDArray[Any]) -> Array:
    """The logits with -inf for every illegal action, and for no legal one, however the network runs over."""
    return np.where(masks, np.nan_to_num(logits), np.float32(-np.inf))


class PolicyAgent(BatchAgent):
    """Plays a policy file.

    Args:
        path: of the ``.npz``.
        sample: draw actions from the policy's probabilities, or take the most likely one; None: as the file says
            (``sample`` in its notes), which is for the most likely one where it says nothing.
        cut: actions less likely than this part of the most likely one are not drawn: a policy that was trained with an
            entropy bonus explores a little everywhere. From 0 to 1; None: as the file says (``cut``), else 0.
        seed: of the draws; None for a fresh generator.
    """

    name = "policy"

    def __init__(self, path: str, sample: bool | None = None, cut: float | None = None, seed: int | None = None):
        require("policies", path)
        self._set_up(Policy.load(path), sample, cut)
        self._rng = np.random.default_rng(seed)

    @classmethod
    def of(cls, policy: Policy, name: str, sample: bool | None = None, cut: float | None = None) -> PolicyAgent:
        """The agent of a policy that lies in memory."""
        agent = cls.__new__(cls)
        agent.name = name
        agent._set_up(policy, sample, cut)
        agent._rng = np.random.default_rng()
        return agent

    def _set_up(self, policy: Policy, sample: bool | None, cut: float | None) -> None:
        self.policy = policy
        self.sample = bool(policy.meta.get("sample", False)) if sample is None else sample
        self.cut = float(policy.meta.get("cut", 0.0)) if cut is None else cut
        if not 0.0 <= self.cut <= 1.0:
            raise ValueError(f"cut is from 0 to 1, not {self.cut}")

    def seed(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def action_probabilities(self, view: View) -> npt.NDArray[np.float64]:
        return self.action_probabilities_batch(view.observation[None], view.action_mask[None])[0]

    def action_probabilities_batch(
        self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]
    ) -> npt.NDArray[np.float64]:
        """`action_probabilities` of many views: float64, shape (n, number of actions); arguments as of `act_batch`."""
        if not self.sample:
            certain = np.zeros(masks.shape)
            certain[np.arange(len(masks)), self.act_batch(observations, masks)] = 1.0
            return certain
        probabilities = self.policy.probabilities(observations, masks)
        probabilities[probabilities < self.cut * probabilities.max(axis=1, keepdims=True)] = 0.0
        return probabilities / probabilities.sum(axis=1, keepdims=True, dtype=np.float64)

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        logits: npt.NDArray[Any] = _masked(self.policy.logits(observations), masks)
        if self.sample:
            if self.cut > 0.0:
                logits = np.where(logits < logits.max(axis=1, keepdims=True) + np.log(self.cut), -np.inf, logits)
            # The largest of the logits plus Gumbel noise is a draw from their softmax.
            logits = logits + self._rng.gumbel(size=logits.shape)
        return logits.argmax(axis=1)
