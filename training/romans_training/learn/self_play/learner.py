"""The learner of self-play: PPO with an entropy bonus and a KL penalty towards a slowly moving copy of itself.

In self-play, plain policy gradients cycle if choices are hidden and simultaneous, as in planning. They settle with an
entropy bonus and a KL penalty to a *magnet*, a reference policy that follows slowly: R-NaD (Perolat et al. 2022) and
magnetic mirror descent (Sokota et al. 2023), used here as a term of PPO's loss as in Rudolph et al. (2025). The magnet
is a running average of the learner's weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from torch.nn import functional

from romans_agents import Policy
from romans_env.core.protocol import Rules
from romans_training.learn.config import TrainConfig
from romans_training.learn.masked_ppo import MaskedPolicy, drawn, optimizer_arguments
from romans_training.learn.processes import ALONE, Processes
from romans_training.learn.self_play.full_state import FullStateCritic, num_seats_of
from romans_training.learn.self_play.rollout import Rollout
from romans_training.learn.torch_networks import give_weights, policy_arguments
from romans_training.learn.transfers import device_of

CLIP_RANGE = 0.2
VALUE_WEIGHT = 0.5
MAX_GRADIENT = 0.5
"""The defaults of stable-baselines3."""


class Learner:
    """A policy and value network that learns from rollouts.

    Args:
        rules: the rules of the game; observations and actions have the same shape for all setups.
        config: the settings of this process's share of the run; those of learner, optimiser and self-play are used.
        processes: the processes that train together.
    """

    def __init__(self, rules: Rules, config: TrainConfig, processes: Processes = ALONE):
        self.config, self._processes = config, processes
        self.device = device_of(config.device)
        self.policy = self._new_policy(rules)
        self.magnet = self._new_policy(rules)
        self.magnet.load_state_dict(self.policy.state_dict())
        self.critic: FullStateCritic | None = None
        if config.full_state_critic:
            self.critic = FullStateCritic(rules, num_seats_of(config), config.hidden_layers).to(self.device)
            self.policy.optimizer.add_param_group({"params": list(self.critic.parameters())})
        parameters = [*self.policy.parameters()]
        if self.critic is not None:
            parameters += self.critic.parameters()
        processes.train_alike(parameters)

    def _new_policy(self, rules: Rules) -> MaskedPolicy:
        policy = MaskedPolicy(
            spaces.Box(rules.observation_low, rules.observation_high, dtype=rules.observation_low.dtype.type),
            spaces.Discrete(rules.num_actions),
            lambda progress: 1e-3,
            **(policy_arguments(self.config.hidden_layers, rules.observation_scale) | optimizer_arguments()),
        )
        policy.in_bfloat16 = bool(self.config.bfloat16)
        return policy.to(self.device)

    def start_from(self, policy: Policy) -> None:
        """Copy the weights of a policy of the same shape into the network and the magnet."""
        give_weights(self.policy, policy)
        give_weights(self.magnet, policy)

    def start_as(self, other: Learner) -> None:
        """Copy the weights of a learner with the same settings; the magnet becomes a copy of its policy."""
        self.policy.load_state_dict(other.policy.state_dict())
        self.magnet.load_state_dict(other.policy.state_dict())
        if self.critic is not None and other.critic is not None:
            self.critic.load_state_dict(other.critic.state_dict())

    def saved(self) -> dict[str, Any]:
        """Return the state of networks and optimiser, for ``torch.save`` and `restore`."""
        return {
            "policy": self.policy.state_dict(),
            "optimizer": self.policy.optimizer.state_dict(),
            "magnet": self.magnet.state_dict(),
            **({} if self.critic is None else {"critic": self.critic.state_dict()}),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Restore the state that `saved` returned."""
        self.policy.load_state_dict(saved["policy"])
        self.policy.optimizer.load_state_dict(saved["optimizer"])
        self.magnet.load_state_dict(saved["magnet"])
        if self.critic is not None:
            self.critic.load_state_dict(saved["critic"])

    def decide(
        self,
        observations: npt.NDArray[np.int8],
        masks: npt.NDArray[Any],
        generator: torch.Generator | None = None,
        others: npt.NDArray[Any] | None = None,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Sample actions.

        Args:
            observations: int8 or int16 as the game has them, shape ``(n, observation_size)``.
            masks: bool, shape ``(n, num_actions)``.
            generator: the random generator; None for torch's global one.
            others: observations of the other players, shape ``(n, others_size)``, for the critic only; actions do not
                depend on them.

        Returns:
            Actions (int64), their log-probabilities (float32) and predicted returns (float32), each of shape ``(n,)``.
        """
        mine = self._tensor(observations)
        actions, log_probabilities, values = self.decide_on_device(mine, self._tensor(masks), generator)
        if self.critic is not None and others is not None:
            with torch.no_grad():
                values = self._of_critic(mine, self._tensor(others))
        return actions.cpu().numpy(), log_probabilities.cpu().numpy(), values.cpu().numpy()

    @torch.no_grad()
    def decide_on_device(
        self, observations: torch.Tensor, masks: torch.Tensor, generator: torch.Generator | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Sample actions like `decide`, from and to tensors on the learner's device, and without a critic.

        Args:
            observations: int8 or int16 as the game has them, shape ``(n, observation_size)``.
            masks: bool or 0 and 1, shape ``(n, num_actions)``.
            generator: a random generator on the device; None for torch's global one.

        Returns:
            Actions (int64), their log-probabilities (float32) and predicted returns (float32), each of shape ``(n,)``.
        """
        values, logits = self.policy.values_and_logits(observations, masks)
        logs, actions = functional.log_softmax(logits, dim=1), drawn(logits, generator)
        return actions, logs.gather(1, actions[:, None])[:, 0], values[:, 0]

    def learn(self, rollouts: Sequence[Rollout], learning_rate: float, entropy: float) -> dict[str, float]:
        """Update the networks with ``epochs`` passes over some rollouts.

        Args:
            rollouts: the decisions to learn from.
            learning_rate: the learning rate of Adam.
            entropy: the weight of the entropy bonus.

        Returns:
            The losses and other metrics, averaged over the minibatches and over all processes.
        """
        config = self.config
        columns = together([one.columns(config.gamma, config.gae_lambda) for one in rollouts], self.device)
        size, returns = len(columns["actions"]), columns["returns"]
        for group in self.policy.optimizer.param_groups:
            group["lr"] = learning_rate
        sizes = self._processes.gather([size])[:, 0].astype(np.int64)
        minibatches = self._processes.minibatches(sizes, config.minibatch_size * self._processes.count)
        figures: dict[str, list[torch.Tensor]] = {}
        for _ in range(config.epochs):
            order = torch.randperm(size, device=self.device)
            rows = [order[minibatch.rows] for minibatch in minibatches]
            normalized = self._processes.normalized([columns["advantages"][own] for own in rows])
            for minibatch, own, advantages in zip(minibatches, rows, normalized, strict=True):
                batch = {name: column.index_select(0, own) for name, column in columns.items()}
                batch["advantages"] = advantages
                for name, figure in self._step(batch, entropy, minibatch.weight).items():
                    figures.setdefault(name, []).append(figure)
        self._move_magnet(int(sizes.sum()))
        means = {name: float(torch.stack(values).mean()) for name, values in figures.items()}
        means["explained_variance"] = 1.0 - float((returns - columns["values"]).var()) / max(float(returns.var()), 1e-9)
        of_all = (sizes / sizes.sum()) @ self._processes.gather(list(means.values()))
        return {
            **dict(zip(means, of_all.tolist(), strict=True)),
            "learning_rate": learning_rate,
            "entropy_weight": entropy,
        }

    def _step(self, batch: dict[str, torch.Tensor], entropy_weight: float, weight: float) -> dict[str, torch.Tensor]:
        config = self.config
        values, logits = self.policy.values_and_logits(batch["observations"], batch["masks"])
        values = values[:, 0]
        # softmax() once more instead of exp(logs), which is ten times slower on values that underflow.
        logs, probabilities = functional.log_softmax(logits, dim=1), functional.softmax(logits, dim=1)
        entropy = -(probabilities * logs).sum(dim=1).mean()
        log_ratio = logs.gather(1, batch["actions"][:, None])[:, 0] - batch["log_probabilities"]
        ratio = log_ratio.exp()
        advantages = batch["advantages"]
        clipped = ratio.clamp(1 - CLIP_RANGE, 1 + CLIP_RANGE)
        policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
        value_loss = functional.mse_loss(values, batch["returns"])
        loss = policy_loss + VALUE_WEIGHT * value_loss - entropy_weight * entropy
        figures = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy}
        if self.critic is not None:
            # The value network, which is part of the policy file, keeps learning from the same returns.
            seen_all = self._of_critic(batch["observations"], batch["others"])
            figures["critic_loss"] = functional.mse_loss(seen_all, batch["returns"])
            loss = loss + VALUE_WEIGHT * figures["critic_loss"]
        if config.magnet > 0:
            with torch.no_grad():
                magnet_logits = self.magnet.values_and_logits(batch["observations"], batch["masks"])[1]
            pull = (probabilities * (logs - functional.log_softmax(magnet_logits, dim=1))).sum(dim=1).mean()
            loss = loss + config.magnet * pull
            figures["magnet_kl"] = pull
        self.policy.optimizer.zero_grad()
        (weight * loss).backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), MAX_GRADIENT)
        if self.critic is not None:
            torch.nn.utils.clip_grad_norm_(self.critic.parameters(), MAX_GRADIENT)
        self.policy.optimizer.step()
        with torch.no_grad():
            figures["approx_kl"] = (ratio - 1 - log_ratio).mean()
            figures["clip_fraction"] = ((ratio - 1).abs() > CLIP_RANGE).float().mean()
        # Kept as tensors: converting them to numbers would wait for the device at every minibatch.
        return {name: figure.detach() for name, figure in figures.items()}

    @torch.no_grad()
    def _move_magnet(self, decisions: int) -> None:
        share = 1.0 - float(np.exp(-decisions / self.config.magnet_horizon))
        for mine, magnets in zip(self.policy.parameters(), self.magnet.parameters(), strict=True):
            magnets.lerp_(mine, share)

    def _tensor(self, values: npt.NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(values).to(self.device)

    def _of_critic(self, observations: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        assert self.critic is not None
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.policy.in_bfloat16):
            return self.critic(observations, others).float()


def together(parts: Sequence[dict[str, torch.Tensor]], device: torch.device) -> dict[str, torch.Tensor]:
    """Concatenate the columns of several rollouts, each of shape ``(n, ...)``, on a device."""
    return {name: torch.cat([part[name] for part in parts]).to(device) for name in parts[0]}
