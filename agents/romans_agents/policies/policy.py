"""Learned agents: a policy file is a small ``.npz`` that plays with numpy alone.

It holds the layers of two plain networks over the scaled observation, the policy (logits of the actions) and the value,
and JSON metadata that says what it was trained for and how. Weights are float32 or float16. Format ``romans-policy/1``:

| array | shape | |
|---|---|---|
| ``meta`` | () | JSON: ``format``, ``game``, ``activation``, and whatever the trainer noted |
| ``scale`` | (observation size,) | an observation is multiplied by it, entry by entry |
| ``pi_0_weight``, ``pi_0_bias``, ... | (out, in), (out,) | layers of the policy; all but the last are activated |
| ``vf_0_weight``, ... | | layers of the value, ending in one number |

In ``meta``, ``sample`` and ``cut`` say how the policy is meant to be played (`PolicyAgent`). A file without ``game`` is
of Romans Go Home!, as all were once.

A file may come from anywhere; `romans_agents.policies.policy_file` reads it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from romans_agents.base import BatchAgent
from romans_agents.permission import require
from romans_agents.policies import policy_file, policy_forms
from romans_agents.policies.policy_file import Array, Layers, PolicyFileError, PolicyParts
from romans_env import View
from romans_env.core.files import atomic_write, open_regular
from romans_env.errors import error_line, in_one_line, needs_extra


def _relu(x: Any) -> Any:
    return np.maximum(x, 0.0)


_ACTIVATIONS: dict[str, Callable[[Any], Any]] = {"tanh": np.tanh, "relu": _relu}


class Policy:
    """A policy and value network in numpy.

    Args:
        pi: (weight, bias) of every layer of the policy.
        vf: (weight, bias) of every layer of the value network.
        scale: float32, shape (observation size,).
        meta: JSON-able notes; ``activation`` and ``game`` are used.
    """

    def __init__(self, pi: Layers, vf: Layers, scale: Array, meta: dict[str, Any]):
        self.pi, self.vf, self.scale, self.meta = pi, vf, scale, meta
        self._activate = _ACTIVATIONS[meta["activation"]]
        self.game: str = policy_file.game_of(meta)
        """Name of the game that it was made for."""

    def logits(self, observations: npt.NDArray[Any]) -> Array:
        """Return logits, float32, shape (n, number of actions), for observations of shape (n, observation size)."""
        return self._forward(self.pi, observations)

    def values(self, observations: npt.NDArray[Any]) -> Array:
        """Return expected returns: float32, shape (n,)."""
        return self._forward(self.vf, observations)[:, 0]

    def probabilities(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> Array:
        """Return probabilities of every action, zero for illegal ones: float32, shape (n, number of actions)."""
        logits = _masked(self.logits(observations), masks)
        exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(exponents / exponents.sum(axis=1, keepdims=True), dtype=np.float32)

    def _parts(self) -> PolicyParts:
        return PolicyParts(self.pi, self.vf, self.scale, self.meta)

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
            path: the path of the file.
            dtype: the dtype of the weights in the file; float16 makes half the size.
        """
        notes = json.dumps({**self.meta, "format": policy_file.FORMAT})
        arrays: dict[str, Any] = {"meta": np.array(notes), "scale": self.scale}
        for name, layers in (("pi", self.pi), ("vf", self.vf)):
            for k, (weight, bias) in enumerate(layers):
                arrays[f"{name}_{k}_weight"], arrays[f"{name}_{k}_bias"] = weight.astype(dtype), bias.astype(dtype)
        with atomic_write(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **arrays)

    def to_onnx(self) -> bytes:
        """Return the policy as an ONNX model (opset 17), for onnxruntime and others; needs the package ``onnx``.

        Inputs are ``observation``, of the dtype of the game's observations and shape (n, observation size), and
        ``action_mask``, int8, shape (n, number of actions). Outputs are float32: ``logits`` and ``probabilities``,
        shape (n, number of actions), and ``values``, shape (n,), as of the methods of these names. The model's
        properties are JSON: ``meta``, the notes, and ``actions``, the names of the actions by id.

        Raises:
            ModuleNotFoundError: ``onnx`` is not installed; the message says how to install it.
        """
        return policy_forms.onnx_of(self._parts())

    def to_json(self) -> str:
        """Return the policy as JSON: an object with ``format``, ``meta``, ``scale``, ``policy`` and ``value``.

        The last two are lists of layers, objects with ``weight``, a list of rows (out, in), and ``bias``; all but the
        last layer of a list are activated by ``meta.activation``. Numbers are float32, exactly.
        """
        return policy_forms.json_text_of(self._parts())

    @classmethod
    def from_json(cls, text: str) -> Policy:
        """Return the policy of a text by `to_json`.

        Raises:
            PolicyFileError: it is no such text; the message says in one line what is wrong with it.
        """
        return cls(*policy_forms.parts_of_json(text))

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
                policy = cls(*policy_file.read_policy(file))
        except policy_file.WrongPolicyError as error:
            raise PolicyFileError(f"{in_one_line(path)} {error}") from None
        except OSError as error:
            why = in_one_line(error.strerror or error)
            raise PolicyFileError(f"cannot read the policy file {in_one_line(path)}: {why}") from None
        except Exception as error:  # a damaged archive fails in many ways: zlib's, zipfile's, numpy's
            why = in_one_line(error).strip() or type(error).__name__
            raise PolicyFileError(f"{in_one_line(path)} is not a whole policy file: {why}") from None
        return policy

    @classmethod
    def from_pretrained(
        cls, where: str | os.PathLike[str], filename: str = "policy.npz", revision: str | None = None
    ) -> Policy:
        """Read the policy file of a folder, or of a repository of the Hugging Face Hub, which is downloaded once.

        Args:
            where: a folder, or else a repository such as ``"user/name"``; it needs the package ``huggingface_hub``.
            filename: the name of the policy file in it.
            revision: of a repository: a branch, a tag or a commit; None for the newest one.

        Raises:
            PolicyFileError: as of `load`, or ``where`` is neither a folder nor a repository that has the file.
        """
        if os.path.isdir(where):
            return cls.load(os.path.join(where, filename))
        with needs_extra("the Hugging Face Hub", "hub"):
            import huggingface_hub
        try:
            path = huggingface_hub.hf_hub_download(str(where), filename, revision=revision)
        except Exception as error:  # no network, no such repository or file, no name of one: of many kinds
            why = f"{filename} cannot be downloaded from such a repository: {in_one_line(error_line(error))}"
            raise PolicyFileError(f"{in_one_line(where)} is no folder here, and {why}") from None
        return cls.load(path)


def _masked(logits: Array, masks: npt.NDArray[Any]) -> Array:
    """Return the logits with -inf for every illegal action, and none at +inf or NaN, however the network runs over."""
    return np.where(masks, np.nan_to_num(logits), np.float32(-np.inf))


class PolicyAgent(BatchAgent):
    """Plays a policy file.

    Args:
        path: the path of the ``.npz`` file.
        sample: draw actions from the policy's probabilities, or take the most likely one; None: as the file says
            (``sample`` in its notes), which is for the most likely one where it says nothing.
        cut: actions less likely than this part of the most likely one are not drawn: a policy that was trained with an
            entropy bonus explores a little everywhere. From 0 to 1; None: as the file says (``cut``), else 0.
        seed: the seed of the draws; None for a fresh generator.
    """

    name = "policy"

    def __init__(self, path: str, sample: bool | None = None, cut: float | None = None, seed: int | None = None):
        require("policies", path)
        self._set_up(Policy.load(path), sample, cut, seed)

    @classmethod
    def of(cls, policy: Policy, name: str, sample: bool | None = None, cut: float | None = None) -> PolicyAgent:
        """Return the agent of a policy that is in memory."""
        agent = cls.__new__(cls)
        agent.name = name
        agent._set_up(policy, sample, cut, None)
        return agent

    def _set_up(self, policy: Policy, sample: bool | None, cut: float | None, seed: int | None) -> None:
        self.policy, self._rng = policy, np.random.default_rng(seed)
        self.sample = bool(policy.meta.get("sample", False)) if sample is None else sample
        self.cut = float(policy.meta.get("cut", 0.0)) if cut is None else cut
        if not 0.0 <= self.cut <= 1.0:
            raise ValueError(f"cut is from 0 to 1, not {self.cut}")

    def seed(self, seed: int) -> None:
        """See `Agent.seed`."""
        self._rng = np.random.default_rng(seed)

    def action_probabilities(self, view: View) -> npt.NDArray[np.float64]:
        """See `Agent.action_probabilities`."""
        return self.action_probabilities_batch(view.observation[None], view.action_mask[None])[0]

    def action_probabilities_batch(
        self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]
    ) -> npt.NDArray[np.float64]:
        """Return `action_probabilities` of many views: float64, shape (n, actions); arguments as of `act_batch`."""
        if not self.sample:
            return np.eye(masks.shape[1])[self.act_batch(observations, masks)]
        probabilities = self.policy.probabilities(observations, masks)
        cuts = self.cuts(observations)[:, None]
        probabilities[probabilities < cuts * probabilities.max(axis=1, keepdims=True)] = 0.0
        return probabilities / probabilities.sum(axis=1, keepdims=True, dtype=np.float64)

    def cuts(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the cut for each view, which has its observation: float64, shape (n,)."""
        return np.full(len(observations), self.cut)

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """See `BatchAgent.act_batch`."""
        logits: npt.NDArray[Any] = _masked(self.policy.logits(observations), masks)
        if self.sample:
            cuts = self.cuts(observations)[:, None]
            if cuts.any():
                with np.errstate(divide="ignore"):  # a cut of 0 leaves out nothing
                    least = logits.max(axis=1, keepdims=True) + np.log(cuts)
                logits = np.where(logits < least, -np.inf, logits)
            # The largest of the logits plus Gumbel noise is a draw from their softmax.
            logits = logits + self._rng.gumbel(size=logits.shape)
        return logits.argmax(axis=1)


class PackagedPolicyAgent(PolicyAgent):
    """Plays a policy file of the package, with numpy alone; a subclass names the file.

    Args:
        sample, cut, seed: as for `PolicyAgent`.
    """

    file: ClassVar[Path]

    def __init__(self, sample: bool | None = None, cut: float | None = None, seed: int | None = None):
        # A part of the package is always allowed.
        self._set_up(Policy.load(self.file), sample, cut, seed)
