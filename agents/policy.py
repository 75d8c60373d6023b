"""Learned agents: a policy file is a small ``.npz`` that plays with numpy alone.

It holds the layers of two plain networks over the scaled observation, the policy (logits of the actions) and the value,
and a JSON text that says what it was made for and how. Weights are float32 or float16. Format ``romans-policy/1``:

| array | shape | |
|---|---|---|
| ``meta`` | () | JSON: ``format``, ``game``, ``activation``, and whatever the trainer noted |
| ``scale`` | (observation size,) | an observation is multiplied by it, entry by entry |
| ``pi_0_weight``, ``pi_0_bias``, ... | (out, in), (out,) | layers of the policy; all but the last are activated |
| ``vf_0_weight``, ... | | layers of the value, ending in one number |
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.base import BatchAgent
from agents.permission import require
from romans_env import View
from romans_env.files import written_whole
from romans_env.romans_go_home.rules import RomansGoHome

FORMAT = "romans-policy/1"

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
            PolicyFileError: saying what is wrong with it.
        """
        try:
            with np.load(Path(path), allow_pickle=False) as file:
                arrays = {key: file[key] for key in file.files}
            meta = json.loads(str(arrays["meta"]))
            if meta["format"] == FORMAT:
                policy = cls(_layers(arrays, "pi"), _layers(arrays, "vf"), arrays["scale"], meta)
        except OSError as error:
            raise PolicyFileError(f"cannot read the policy file {path}: {error.strerror or error}") from None
        except Exception as error:  # a damaged archive fails in many ways: zlib's, zipfile's, numpy's
            raise PolicyFileError(f"{path} is not a whole policy file: {_one_line(error)}") from None
        if meta["format"] != FORMAT:
            raise PolicyFileError(f"{path} has the format {meta['format']!r}; this version reads {FORMAT!r}")
        policy._check(path)
        return policy

    def _check(self, path: str | os.PathLike[str]) -> None:
        size = self.scale.shape
        expected = RomansGoHome.observation_low.shape
        if size != expected or self.pi[-1][1].shape != (RomansGoHome.num_actions,):
            raise PolicyFileError(
                f"{path} was made for observations of {size} and {self.pi[-1][1].size} actions; this version has "
                f"{expected} and {RomansGoHome.num_actions}: train it again"
            )
        for layers in (self.pi, self.vf):
            widths = [expected, *(bias.shape for _, bias in layers)]
            if any(weight.shape != widths[k + 1] + widths[k] for k, (weight, _) in enumerate(layers)):
                raise PolicyFileError(f"{path} is not a whole policy file: its layers do not fit each other")
        if self.vf[-1][1].shape != (1,):
            raise PolicyFileError(f"{path} is not a whole policy file: its value is not one number")


def _layers(arrays: dict[str, Any], name: str) -> Layers:
    layers: Layers = []
    while f"{name}_{len(layers)}_weight" in arrays:
        k = len(layers)
        # A file may hold them in half the precision.
        weight, bias = arrays[f"{name}_{k}_weight"], arrays[f"{name}_{k}_bias"]
        layers.append((weight.astype(np.float32), bias.astype(np.float32)))
    if not layers:
        raise KeyError(f"{name}_0_weight")
    return layers


def _masked(logits: Array, masks: npt.NDArray[Any]) -> Array:
    """The logits with -inf for every illegal action, and for no legal one, however the network runs over."""
    return np.where(masks, np.nan_to_num(logits), np.float32(-np.inf))


def _one_line(error: Exception) -> str:
    """An error in a few words; a key that is missing has no more than its name."""
    return f"it lacks {error}" if isinstance(error, KeyError) else str(error).partition("\n")[0]


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
