"""What sb3-contrib's MaskablePPO computes, with less beside the network's arithmetic.

MaskablePPO itself is used as it is; these are the parts it lets one choose. Measured against its own (``python -m
benchmarks.speed learning``): masks and observations stay int8 until they are used, the distribution is one masked
log-softmax instead of two checked ``Categorical``s, actions are drawn by the exponential trick, and Adam is one fused
call.
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
"""In place of the logit of an illegal action, as sb3-contrib has it; its probability is then exactly 0."""


def drawn(logits: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Draw an action for every row: the first of exponential clocks that run at the probabilities as rates."""
    # As exponential_, in a fifth of its time; clocks are above 0 and finite.
    clocks = torch.empty_like(logits).uniform_(generator=generator).clamp_min_(2**-25).log_().neg_()
    return (functional.softmax(logits, dim=1) / clocks).argmax(dim=1)


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy that acts and is trained; ``predict`` and everything else is the parent's."""

    in_bfloat16 = False
    """Compute the networks in bfloat16; what they return is float32 all the same."""

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions, values (shape (n, 1)) and log-probabilities for a rollout."""
        values, logits = self.values_and_logits(obs, action_masks)
        log_probabilities = functional.log_softmax(logits, dim=1)
        actions = log_probabilities.argmax(dim=1) if deterministic else drawn(logits)
        return actions, values, log_probabilities.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values (shape (n, 1)), log-probabilities of ``actions``, and entropies."""
        values, logits = self.values_and_logits(obs, action_masks)
        log_probabilities = functional.log_softmax(logits, dim=1)
        # A second softmax, because exp() is ten times slower where it runs under.
        entropy = -(functional.softmax(logits, dim=1) * log_probabilities).sum(dim=1)
        return values, log_probabilities.gather(1, actions.long()[:, None])[:, 0], entropy

    def values_and_logits(self, obs: torch.Tensor, action_masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Return values (shape (n, 1)), and logits with those of illegal actions out of reach."""
        with torch.autocast(obs.device.type, torch.bfloat16, enabled=self.in_bfloat16):
            for_policy, for_value = self.mlp_extractor(self.extract_features(obs))
            values, logits = self.value_net(for_value).float(), self.action_net(for_policy).float()
        if action_masks is not None:
            legal = torch.as_tensor(action_masks, dtype=torch.bool, device=logits.device)
            logits = logits.masked_fill(~legal, ILLEGAL_LOGIT)
        return values, logits


class MaskedRolloutBuffer(MaskableRolloutBuffer):
    """A rollout whose masks are bool, and whose minibatches are copied once, their advantages normalised.

    They are normalised over the minibatch of all processes together; MaskablePPO, which knows its own part alone, is
    told to leave them (``normalize_advantage``).

    Args:
        processes: those of the run.
        arguments: all others of ``MaskableRolloutBuffer``.
    """

    action_masks: Any

    def __init__(self, *arguments: Any, processes: Processes = ALONE, **named: Any):
        super().__init__(*arguments, **named)
        self.processes = processes

    def reset(self) -> None:
        """Forget the rollout."""
        super().reset()
        self.action_masks = np.ones(self.action_masks.shape, dtype=np.bool_)

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Yield the minibatches of an epoch."""
        # All are drawn before the first one is copied: of several processes, their means travel in one message.
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
        """Return the rows of a minibatch; the parent's `get` draws them."""
        return batch_inds

    @staticmethod
    def _column(values: Any, rows: npt.NDArray[np.int64]) -> torch.Tensor:
        return torch.from_numpy(values[rows, 0])


def optimizer_arguments() -> dict[str, Any]:
    """Return ``policy_kwargs`` of the optimiser: Adam in one fused call, with the epsilon of stable-baselines3."""
    return {"optimizer_class": torch.optim.Adam, "optimizer_kwargs": {"eps": 1e-5, "fused": True}}
