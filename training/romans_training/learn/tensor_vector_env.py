"""The Gymnasium vector environment with torch tensors instead of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from romans_env.engine.action_arrays import as_actions
from romans_env.envs.vector import GameVectorEnv, Info
from romans_training.learn.device_policy import on_device
from romans_training.learn.transfers import Transfer, device_of


class TensorVectorEnv(GameVectorEnv):
    """Many games, as in `GameVectorEnv <romans_env.envs.vector.GameVectorEnv>`, with torch tensors instead of arrays.

    Observations, rewards, terminations, truncations, ``info["action_mask"]`` (bool) and ``info["seat"]`` are tensors on
    the device, new at every step; all other entries of ``info`` stay arrays on the CPU. The same settings and seeds
    give the same games. With device ``"cpu"`` the tensors share the arrays' memory, without a copy.

    With ``"cuda"`` the data of a step crosses in one asynchronous copy from pinned memory. The CPU waits only in
    `recv`, until the actions have arrived, and in `reset`. `step` is `send` followed by `recv`. With two environments
    of half the games each, threads step one while the device chooses actions for the other; see
    examples/ppo_tensors.py.

    On CUDA, opponents whose agent spec is a policy are evaluated on the device, too, for all waiting games together.
    They draw random numbers on the device, so their games differ from those on the CPU with the same seed.

    Args:
        num_envs: the number of games.
        opponents: as for `GameVectorEnv`.
        device: a `torch.device` or its name: ``"cpu"``, ``"cuda"``, ``"cuda:1"``.
        settings: all other arguments of `GameVectorEnv`.

    Raises:
        ValueError: if torch lacks the device, or like `GameVectorEnv`.
    """

    def __init__(self, num_envs: int = 1, opponents: Sequence[Any] | None = None, device: Any = "cpu", **settings: Any):
        super().__init__(num_envs, opponents, **settings)
        self.device = device_of(device)
        self._pending: Any = None
        self._transfer = self._new_transfer()
        if self._transfer is not None:
            # The games write the large arrays directly into the memory that the device reads.
            arrays = self._transfer.arrays
            self._batch.observations, self._batch.masks = arrays["observations"], arrays["action_mask"]
        self._batch.agents = [on_device(agent, self.device) for agent in self._batch.agents]

    def reset(  # type: ignore[override]
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[torch.Tensor, Info]:
        """Start all games again, or those of ``options["reset_mask"]``; see `GameVectorEnv`.

        Args:
            seed: as for `GameVectorEnv`.
            options: ``reset_mask`` is bool, shape ``(num_envs,)``, an array or a tensor.

        Returns:
            Observations, int8 or int16, shape ``(num_envs, observation_size)``, and ``info``.
        """
        if isinstance(options, dict) and isinstance(options.get("reset_mask"), torch.Tensor):
            options = {**options, "reset_mask": options["reset_mask"].cpu().numpy()}
        if self._transfer is not None:
            self._transfer.wait()
        observations, info = super().reset(seed=seed, options=options)
        self._pending = None
        found = self._tensors(info, observations=observations)
        return found["observations"], info

    def step(  # type: ignore[override]
        self, actions: torch.Tensor | npt.NDArray[Any]
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, Info]:
        """Play an action in every game; see `GameVectorEnv`.

        Args:
            actions: action ids, int64 or any other integers, shape ``(num_envs,)``: a tensor on any device or an array.

        Returns:
            Observations (int8 or int16, shape ``(num_envs, observation_size)``), rewards (float64, shape
            ``(num_envs,)``), terminations and truncations (bool, shape ``(num_envs,)``; the latter all False), and
            ``info``.
        """
        self.send(actions)
        return self.recv()

    def send(self, actions: torch.Tensor | npt.NDArray[Any]) -> None:
        """Give an action for every game, which `recv` plays; the device may still be computing the actions.

        Args:
            actions: integers, shape ``(num_envs,)``, a tensor on any device or an array.

        Raises:
            TypeError: if the actions are not integers.
            ValueError: if their number is wrong.
        """
        if self._transfer is None:
            given = actions.cpu() if isinstance(actions, torch.Tensor) else actions
            self._pending = as_actions(given, self.num_envs).copy()
            return
        given = torch.as_tensor(actions)
        # Checks dtype and shape without waiting for the values.
        as_actions(torch.empty(given.shape, dtype=given.dtype), self.num_envs)
        self._transfer.bring(given)
        self._pending = self._transfer

    def recv(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, Info]:
        """Wait for the actions given to `send` and play them.

        Returns:
            The same as `step`: observations (int8 or int16, shape ``(num_envs, observation_size)``), rewards (float64,
            shape ``(num_envs,)``), terminations and truncations (bool, shape ``(num_envs,)``), and ``info``.

        Raises:
            RuntimeError: if `send` was not called before.
            gymnasium.error.ResetNeeded: before the first reset, or if a game has ended that is not reset automatically.
        """
        actions, self._pending = self._pending, None
        if actions is None:
            raise RuntimeError("call send() before recv()")
        if self._transfer is not None and actions is self._transfer:
            actions = self._transfer.actions()
        observations, rewards, ended, _, info = super().step(actions)
        found = self._tensors(info, observations=observations, rewards=rewards, ended=ended)
        return found["observations"], found["rewards"], found["ended"], torch.zeros_like(found["ended"]), info

    def action_masks(self) -> torch.Tensor:  # type: ignore[override]
        """Return the action masks of all games: bool, shape ``(num_envs, num_actions)``; the same as in ``info``."""
        return torch.from_numpy(super().action_masks()).to(self.device)

    def _new_transfer(self) -> Transfer | None:
        """Return the transfer of arrays to the device; None if the device is the CPU."""
        return None if self.device.type == "cpu" else Transfer(self.device, self._arrays())

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return arrays with the shapes and dtypes of a step's results."""
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, dtype=np.bool_)
        observations = np.zeros(self.observation_space.shape or (), dtype=self.observation_space.dtype)
        info = {"action_mask": self._batch.masks, "seat": self._batch.learner.seat}
        return {"observations": observations, "rewards": rewards, "ended": ended, **info}

    def _info(self) -> Info:
        if self._transfer is None:
            return super()._info()
        return {"action_mask": self._batch.masks, "seat": self._batch.learner.seat}

    def _tensors(self, info: Info, **arrays: npt.NDArray[Any]) -> dict[str, torch.Tensor]:
        """Return arrays as tensors, and put action mask and seat into ``info`` as tensors."""
        arrays |= {name: info[name] for name in ("action_mask", "seat")}
        if self._transfer is None:
            found = {name: torch.from_numpy(array) for name, array in arrays.items()}
        else:
            for name, array in arrays.items():
                if array is not self._transfer.arrays[name]:
                    self._transfer.arrays[name][:] = array
            found = self._transfer.send()
        info |= {"action_mask": found["action_mask"].view(torch.bool), "seat": found["seat"]}
        return found
