"""Learned agents: a policy file is a small ``.npz`` file that numpy alone can play.

The file holds the layers of two multilayer perceptrons, and JSON metadata about the game and the training. Both
perceptrons take the scaled observation: the policy network computes the logits of the actions, and the value network
the expected return. Weights are float32 or float16. This is the format ``romans-policy/1``:

| array | shape | |
|---|---|---|
| ``meta`` | () | JSON: ``format``, ``game``, ``activation``, and any notes of the trainer |
| ``scale`` | (observation_size,) | factors by which the entries of an observation are multiplied |
| ``pi_0_weight``, ``pi_0_bias``, ... | (out, in), (out,) | layers of the policy; activation after all but the last |
| ``vf_0_weight``, ... | | layers of the value network; the last has one output |

In ``meta``, ``sample`` and ``cut`` say how the policy is meant to be played (see `PolicyAgent`). A file without
``game`` was written by an early version, whose only game was Romans Go Home!.

Policy files may come from untrusted sources; `romans_agents.policies.policy_file` reads them safely.
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
    """A policy network and a value network, evaluated with numpy.

    Args:
        pi: the weight and the bias of every layer of the policy network: float32, shapes ``(out, in)`` and ``(out,)``.
        vf: the weight and the bias of every layer of the value network, in the same form.
        scale: the factors by which the entries of an observation are multiplied: float32, shape
            ``(observation_size,)``.
        meta: notes that can be written as JSON. ``activation`` (``"tanh"`` or ``"relu"``) is required; ``game`` names
            the game.
    """

    def __init__(self, pi: Layers, vf: Layers, scale: Array, meta: dict[str, Any]):
        self.pi, self.vf, self.scale, self.meta = pi, vf, scale, meta
        self._activate = _ACTIVATIONS[meta["activation"]]
        self.game: str = policy_file.game_of(meta)
        """Name of the game that the policy plays."""

    def logits(self, observations: npt.NDArray[Any]) -> Array:
        """Compute the logits of all actions; no action mask is applied.

        Args:
            observations: numbers of any dtype, shape ``(n, observation_size)``; a game's own observations are int8 or
                int16.

        Returns:
            Logits, float32, shape ``(n, num_actions)``.
        """
        return self._forward(self.pi, observations)

    def values(self, observations: npt.NDArray[Any]) -> Array:
        """Estimate the value of each observation: the expected return of the observing seat.

        Args:
            observations: shape ``(n, observation_size)``, as for `logits`.

        Returns:
            Values, float32, shape ``(n,)``. Returns are in [-1, 1], but the output of the network is not clipped.
        """
        return self._forward(self.vf, observations)[:, 0]

    def probabilities(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> Array:
        """Compute the probabilities of the actions: a softmax over the logits of the legal actions.

        Args:
            observations: shape ``(n, observation_size)``, as for `logits`.
            masks: int8 or bool, shape ``(n, num_actions)``; 1 marks a legal action.

        Returns:
            Probabilities, float32, shape ``(n, num_actions)``; each row sums to 1 and is 0 for illegal actions.
        """
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
        """Write the policy to a file, atomically.

        The weights are not checked. `load` refuses a file whose weights are not finite, for instance after training
        that diverged.

        Args:
            path: the path of the file.
            dtype: the dtype of the weights in the file; float16 halves its size.
        """
        notes = json.dumps({**self.meta, "format": policy_file.FORMAT})
        arrays: dict[str, Any] = {"meta": np.array(notes), "scale": self.scale}
        for name, layers in (("pi", self.pi), ("vf", self.vf)):
            for k, (weight, bias) in enumerate(layers):
                arrays[f"{name}_{k}_weight"], arrays[f"{name}_{k}_bias"] = weight.astype(dtype), bias.astype(dtype)
        with atomic_write(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **arrays)

    def to_onnx(self) -> bytes:
        """Return the policy as an ONNX model (opset 17) for onnxruntime and other runtimes.

        The inputs are ``observation``, in the dtype of the game's observations, shape ``(n, observation_size)``, and
        ``action_mask``, int8, shape ``(n, num_actions)``. The outputs are float32 and equal the results of the methods
        of the same name: ``logits`` and ``probabilities``, shape ``(n, num_actions)``, and ``values``, shape ``(n,)``.
        The model has two metadata properties in JSON: ``meta`` has the notes, and ``actions`` the list of action names.

        Returns:
            The serialised model.

        Raises:
            ModuleNotFoundError: if the package ``onnx`` is not installed; the message says how to install it.
        """
        return policy_forms.onnx_of(self._parts())

    def to_json(self) -> str:
        """Return the policy as JSON: an object with ``format``, ``meta``, ``scale``, ``policy`` and ``value``.

        ``policy`` and ``value`` are lists of layers. A layer is an object with ``weight``, a list of rows of shape
        (out, in), and ``bias``. The activation ``meta.activation`` follows every layer but the last. Each number is
        written as the shortest decimal that reads back as the same float32.
        """
        return policy_forms.json_text_of(self._parts())

    @classmethod
    def from_json(cls, text: str) -> Policy:
        """Create a policy from the JSON that `to_json` returned.

        Raises:
            PolicyFileError: if the text is not JSON in this form; the message says in one line what is wrong.
        """
        return cls(*policy_forms.parts_of_json(text))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read a policy file.

        Raises:
            PolicyFileError: if the file is missing, damaged, too large or not a regular file, if its weights are not
                finite or its layers do not fit, or if its notes are unusable or name an unknown game; the message says
                in one line what is wrong.
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
        """Read a policy file from a folder or from a repository on the Hugging Face Hub.

        A file from the Hub is downloaded once and cached.

        Args:
            where: the path of a folder, or the name of a repository such as ``"user/name"``; a repository needs the
                package ``huggingface_hub``.
            filename: the name of the policy file in the folder or repository.
            revision: the branch, tag or commit of a repository; None for its newest commit.

        Raises:
            PolicyFileError: for the same reasons as `load`, or if ``where`` is neither a folder nor a repository with
                the file.
            ModuleNotFoundError: if ``huggingface_hub`` is needed and not installed.
        """
        if os.path.isdir(where):
            return cls.load(os.path.join(where, filename))
        with needs_extra("the Hugging Face Hub", "hub"):
            import huggingface_hub
        try:
            path = huggingface_hub.hf_hub_download(str(where), filename, revision=revision)
        except Exception as error:  # no network, no such repository or file, a malformed name: errors of many types
            why = f"{filename} cannot be downloaded from such a repository: {in_one_line(error_line(error))}"
            raise PolicyFileError(f"there is no folder {in_one_line(where)}, and {why}") from None
        return cls.load(path)


def _masked(logits: Array, masks: npt.NDArray[Any]) -> Array:
    """Return the logits with -inf for illegal actions; +inf and NaN, which come from overflows, become finite."""
    return np.where(masks, np.nan_to_num(logits), np.float32(-np.inf))


class PolicyAgent(BatchAgent):
    """Plays a policy file.

    Args:
        path: the path of the ``.npz`` file.
        sample: whether to sample actions from the policy's probabilities; otherwise the most likely action is played.
            None for the setting in the file's notes (``sample``), or for False if the notes do not have it.
        cut: a threshold from 0 to 1 for sampling. Actions whose probability is below this fraction of the most likely
            action's are left out, because a policy trained with an entropy bonus gives every action some probability.
            None for the setting in the file's notes (``cut``), or for 0 if the notes do not have it.
        seed: the seed of the samples; None for a random seed.

    Raises:
        PolicyFileError: if the file cannot be read.
        ValueError: if ``cut`` is out of range.
    """

    name = "policy"

    def __init__(self, path: str, sample: bool | None = None, cut: float | None = None, seed: int | None = None):
        require("policies", path)
        self._set_up(Policy.load(path), sample, cut, seed)

    @classmethod
    def of(cls, policy: Policy, name: str, sample: bool | None = None, cut: float | None = None) -> PolicyAgent:
        """Create an agent from a policy in memory; ``sample`` and ``cut`` are as for the constructor."""
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
        self._rng = np.random.default_rng(seed)

    def action_probabilities(self, view: View) -> npt.NDArray[np.float64]:
        return self.action_probabilities_batch(view.observation[None], view.action_mask[None])[0]

    def action_probabilities_batch(
        self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]
    ) -> npt.NDArray[np.float64]:
        """Return the probability with which each action is played, for n decisions.

        Args:
            observations: shape ``(n, observation_size)``, as for `act_batch`.
            masks: int8 or bool, shape ``(n, num_actions)``; 1 marks a legal action.

        Returns:
            Probabilities, float64, shape ``(n, num_actions)``; each row sums to 1. Without sampling, the most likely
            action has probability 1.
        """
        if not self.sample:
            return np.eye(masks.shape[1])[self.act_batch(observations, masks)]
        probabilities = self.policy.probabilities(observations, masks)
        cuts = self.cuts(observations)[:, None]
        probabilities[probabilities < cuts * probabilities.max(axis=1, keepdims=True)] = 0.0
        return probabilities / probabilities.sum(axis=1, keepdims=True, dtype=np.float64)

    def cuts(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the value of ``cut`` for each observation: float64, shape ``(n,)``.

        Here all values are equal; a subclass may make them depend on the observation.

        Args:
            observations: shape ``(n, observation_size)``, as for `act_batch`.
        """
        return np.full(len(observations), self.cut)

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        logits: npt.NDArray[Any] = _masked(self.policy.logits(observations), masks)
        if self.sample:
            cuts = self.cuts(observations)[:, None]
            if cuts.any():
                with np.errstate(divide="ignore"):  # log(0) = -inf: a cut of 0 leaves out nothing
                    least = logits.max(axis=1, keepdims=True) + np.log(cuts)
                logits = np.where(logits < least, -np.inf, logits)
            # The argmax of logits plus Gumbel noise is a sample from their softmax.
            logits = logits + self._rng.gumbel(size=logits.shape)
        return logits.argmax(axis=1)


class PackagedPolicyAgent(PolicyAgent):
    """Base class of agents that play a policy file of the package; a subclass sets ``file``, the path of this file.

    Args:
        sample, cut, seed: as for `PolicyAgent`.
    """

    file: ClassVar[Path]

    def __init__(self, sample: bool | None = None, cut: float | None = None, seed: int | None = None):
        # No permission is needed: the file is part of the package.
        self._set_up(Policy.load(self.file), sample, cut, seed)
