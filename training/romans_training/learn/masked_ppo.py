"""The computations of sb3-contrib's MaskablePPO with less overhead around the network's arithmetic.

MaskablePPO itself is used unchanged; these are the classes that it allows to be replaced. Compared with its own
(``python -m benchmarks.speed learning``), masks and observations stay int8 until they are used, one masked log-softmax
replaces two validated ``Categorical`` distributions, actions are sampled by the exponential trick, and Adam is one
fused call.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch.nn import functional

from romans_training.learn.processes import ALONE, Processes

ILLEGAL_LOGIT = -1e8
"""The value that replaces the logit of an illegal action, as in sb3-contrib; its probability is then exactly 0."""


def drawn(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Sample an action per row by the exponential trick.

    Each action has an exponential clock whose rate is the action's probability; the action whose clock is first is
    taken.

    Args:
        logits: float32, shape ``(n, num_actions)``; illegal actions have `ILLEGAL_LOGIT`.
        generator: the random generator; None for torch's global one.

    Returns:
        Action ids, int64, shape ``(n,)``.
    """
    # -log(uniform) is exponential, in a fifth of the time of exponential_(); the clamp keeps it finite.
    clocks = torch.empty_like(logits).uniform_(generator=generator).clamp_min_(2**-25).log_().neg_()
    return (functional.softmax(logits, dim=1) / clocks).argmax(dim=1)


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy that acts and is trained; everything else, such as ``predict``, is inherited."""

    in_bfloat16 = False
    """Whether the networks compute in bfloat16; their outputs are float32 in any case."""

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Choose actions for a rollout.

        Args:
            obs: observations, any dtype, shape ``(n, observation_size)``.
            deterministic: whether to take the most likely action instead of sampling.
            action_masks: bool or 0 and 1, shape ``(n, num_actions)``; None if all actions are legal.

        Returns:
            Actions (int64, shape ``(n,)``), values (float32, shape ``(n, 1)``) and log-probabilities of the actions
            (float32, shape ``(n,)``).
        """
        values, logits = self.values_and_logits(obs, action_masks)
        log_probabilities = functional.log_softmax(logits, dim=1)
        actions = log_probabilities.argmax(dim=1) if deterministic else drawn(logits)
        return actions, values, log_probabilities.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Evaluate actions under the current policy.

        Args:
            obs: observations, any dtype, shape ``(n, observation_size)``.
            actions: action ids, shape ``(n,)``.
            action_masks: bool or 0 and 1, shape ``(n, num_actions)``; None if all actions are legal.

        Returns:
            Values (float32, shape ``(n, 1)``), log-probabilities of ``actions`` and entropies (both float32, shape
            ``(n,)``).
        """
        values, logits = self.values_and_logits(obs, action_masks)
        log_probabilities = functional.log_softmax(logits, dim=1)
        # softmax() once more instead of exp(log_probabilities): exp() is ten times slower on values that underflow.
        entropy = -(functional.softmax(logits, dim=1) * log_probabilities).sum(dim=1)
        return values, log_probabilities.gather(1, actions.long()[:, None])[:, 0], entropy

    def values_and_logits(self, obs: torch.Tensor, action_masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return values (float32, shape ``(n, 1)``) and logits (float32, shape ``(n, num_actions)``).

        Args:
            obs: observations, any dtype, shape ``(n, observation_size)``.
            action_masks: bool or 0 and 1, shape ``(n, num_actions)``; logits of illegal actions become `ILLEGAL_LOGIT`.
                None if all actions are legal.
        """
        with torch.autocast(obs.device.type, torch.bfloat16, enabled=self.in_bfloat16):
            for_policy, for_value = self.mlp_extractor(self.extract_features(obs))
            values, logits = self.value_net(for_value).float(), self.action_net(for_policy).float()
        if action_masks is not None:
            legal = torch.as_tensor(action_masks, dtype=torch.bool, device=logits.device)
            logits = logits.masked_fill(~legal, ILLEGAL_LOGIT)
        return values, logits


class MaskedRolloutBuffer(MaskableRolloutBuffer):
    """A rollout buffer with bool masks, whose minibatches are copied once and have normalised advantages.

    Advantages are normalised over the minibatch of all processes together. MaskablePPO knows only its own process's
    part, so its own normalisation must be off (``normalize_advantage=False``).

    Args:
        arguments: positional arguments of ``MaskableRolloutBuffer``.
        processes: the processes that train together.
        named: keyword arguments of ``MaskableRolloutBuffer``.
    """

    action_masks: Any

    def __init__(self, *arguments: Any, processes: Processes = ALONE, **named: Any):
        super().__init__(*arguments, **named)
        self.processes = processes

    def reset(self) -> None:
        """Discard the rollout."""
        super().reset()
        self.action_masks = np.ones(self.action_masks.shape, dtype=np.bool_)

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Yield the minibatches of an epoch."""
        # All are drawn before the first one is copied, so that processes exchange the statistics in one message.
        drawn: list[npt.NDArray[np.int64]] = list(cast("Any", super().get(batch_size)))
        normalized = self.processes.normalized([self._column(self.advantages, rows) for rows in drawn])
        for rows, advantages in zip(drawn, normalized, strict=True):
            yield MaskableRolloutBufferSamples(
                observations=torch.from_numpy(self.observations[rows]),
                actions=torch.from_numpy(self.actions[rows]),
                old_values=self._column(self.values, rows),
                old_log_prob=self._column(self.log_probs, rows),
                advantages=advantages,
                returns=self._column(self.returns, rows),
                action_masks=torch.from_numpy(self.action_masks[rows]),
            )

    def _get_samples(self, batch_inds: Any, env: Any = None) -> Any:
        """Return the indices of a minibatch, which the parent's `get` has drawn."""
        return batch_inds

    @staticmethod
    def _column(values: Any, rows: npt.NDArray[np.int64]) -> torch.Tensor:
        return torch.from_numpy(values[rows, 0])


def optimizer_arguments() -> dict[str, Any]:
    """Return ``policy_kwargs`` for the optimiser: fused Adam with the epsilon of stable-baselines3."""
    return {"optimizer_class": torch.optim.Adam, "optimizer_kwargs": {"eps": 1e-5, "fused": True}}
