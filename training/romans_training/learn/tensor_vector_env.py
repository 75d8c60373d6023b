"""The Gymnasium vector environment with torch tensors in place of arrays."""

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
    """Many games as `GameVectorEnv <romans_env.envs.vector.GameVectorEnv>` plays them, seen and answered in tensors.

    Observations, rewards, terminations, truncations, ``info["action_mask"]`` (bool) and ``info["seat"]`` are tensors on
    the device, new at every step; whatever else is in ``info`` stays as it is, on the processor. The same settings and
    seeds give the same games. On ``cpu`` the tensors are the memory of the arrays, without a copy.

    With ``cuda`` all of a step crosses in one copy from pinned memory that nothing waits for: the processor waits in
    `recv`, until the actions are there, and in `reset`. `step` is `send`, then `recv`. With two environments of half
    the games each, threads step one while the device decides for the other, as examples/ppo_tensors.py has it.

    There, opponents whose agent spec is a policy are evaluated on the device as well, for all games that wait. Their
    draws are the device's: these games are those of the same seed there.

    Args:
        num_envs: number of games.
        opponents: as for `GameVectorEnv`.
        device: a `torch.device` or its name: ``"cpu"``, ``"cuda"``, ``"cuda:1"``.
        settings: all others of `GameVectorEnv`.

    Raises:
        ValueError: there is no such device here; and as of `GameVectorEnv`.
    """

    def __init__(self, num_envs: int = 1, opponents: Sequence[Any] | None = None, device: Any = "cpu", **settings: Any):
        super().__init__(num_envs, opponents, **settings)
        self.device = device_of(device)
        self._pending: Any = None
        self._transfer = self._new_transfer()
        if self._transfer is not None:
            # The games write what is large where the device takes it from. In a copy of this environment it is copied.
            arrays = self._transfer.arrays
            self._batch.observations, self._batch.masks = arrays["observations"], arrays["action_mask"]
        self._batch.agents = [on_device(agent, self.device) for agent in self._batch.agents]

    def reset(  # type: ignore[override]
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[torch.Tensor, Info]:
        """Start every game anew, or those of ``options["reset_mask"]``, an array or a tensor; see `GameVectorEnv`."""
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
        """Play an action in every game: integers, shape (num_envs,); see `GameVectorEnv`."""
        self.send(actions)
        return self.recv()

    def send(self, actions: torch.Tensor | npt.NDArray[Any]) -> None:
        """Give an action for every game, which `recv` plays; the device may still be computing them.

        Args:
            actions: integers, shape (num_envs,), on any device, or an array.

        Raises:
            TypeError: actions that are no integers.
            ValueError: a wrong number of them.
        """
        if self._transfer is None:
            given = actions.cpu() if isinstance(actions, torch.Tensor) else actions
            self._pending = as_actions(given, self.num_envs).copy()
            return
        given = torch.as_tensor(actions)
        # What decides whether they fit is known before they are.
        as_actions(torch.empty(given.shape, dtype=given.dtype), self.num_envs)
        self._transfer.bring(given)
        self._pending = self._transfer

    def recv(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, Info]:
        """Wait for the actions of `send`, play them, and return what `step` returns.

        Raises:
            RuntimeError: without `send` before it.
            gymnasium.error.ResetNeeded: before the first reset, or where a game has ended and nothing resets it.
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
        """Return the legal actions of every game: bool, shape (num_envs, number of actions); ``info`` has them, too."""
        return torch.from_numpy(super().action_masks()).to(self.device)

    def _new_transfer(self) -> Transfer | None:
        """Return what takes the arrays to the device; None where they are there already."""
        return None if self.device.type == "cpu" else Transfer(self.device, self._arrays())

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return arrays such as every step gives."""
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, dtype=np.bool_)
        observations = np.zeros(self.observation_space.shape or (), dtype=self.observation_space.dtype)
        info = {"action_mask": self._batch.masks, "seat": self._batch.learner.seat}
        return {"observations": observations, "rewards": rewards, "ended": ended, **info}

    def _info(self) -> Info:
        if self._transfer is None:
            return super()._info()
        return {"action_mask": self._batch.masks, "seat": self._batch.learner.seat}

    def _tensors(self, info: Info, **arrays: npt.NDArray[Any]) -> dict[str, torch.Tensor]:
        """Return arrays as tensors; those of the info are put into it."""
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
