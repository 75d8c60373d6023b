"""Asynchronous transfers between games on the CPU and a torch device: arrays one way, actions the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from romans_training.settings import ConfigError

_ALIGNED = 64


def device_of(name: str | torch.device) -> torch.device:
    """Return a torch device, after checking that torch can compute on it.

    Args:
        name: the device or its name in torch, such as cpu or cuda:0.

    Raises:
        ConfigError: if the machine or this build of torch lacks the device.
    """
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ConfigError(f"torch cannot compute on device {name!r} here ({reason}); cpu always works") from None
    if device.type == "meta":
        raise ConfigError("device meta computes nothing; cpu always works")
    return device


class Transfer:
    """The arrays that a group of games sends to a device, and the actions that come back.

    `arrays` are in memory that a GPU reads by itself (pinned). `send` has the device copy all of them at once, and
    `bring` has it write actions back; both return immediately. Only `actions` waits: until the actions have arrived. By
    then the data sent before them has arrived, too, and the arrays may be overwritten. Two groups of games with a
    transfer each are a double buffer: threads step one group while the device chooses actions for the other.

    On the CPU nothing is copied: `send` returns the arrays themselves, which the next step overwrites.

    Args:
        device: the device.
        arrays: arrays by name, with one row per game; the transfer makes copies of them.

    Attributes:
        arrays: the transfer's arrays by name, to be written in place.
    """

    cuda: Any = torch.cuda
    """The module that makes events and knows the current stream; tests replace it with a stub."""

    def __init__(self, device: torch.device, arrays: Mapping[str, npt.NDArray[Any]]):
        self._device = device
        self._places: dict[str, tuple[slice, torch.dtype, tuple[int, ...]]] = {}
        first = rows = 0
        for name, array in arrays.items():
            place = slice(first, first + array.nbytes)
            self._places[name] = place, torch.from_numpy(array).dtype, array.shape
            first, rows = -(-place.stop // _ALIGNED) * _ALIGNED, len(array)
        self._block = self._shared(first, torch.uint8)
        self._actions = self._shared(rows, torch.int64)
        self._event = self.cuda.Event() if self.overlaps else None
        self.arrays: dict[str, npt.NDArray[Any]] = {name: one.numpy() for name, one in self._parts(self._block).items()}
        for name, array in arrays.items():
            self.arrays[name][:] = array

    @property
    def overlaps(self) -> bool:
        """Whether copies are asynchronous."""
        return self._device.type == "cuda"

    def send(self) -> dict[str, torch.Tensor]:
        """Have the device copy the arrays; return its tensors by name, new ones unless the device is the CPU."""
        block = self._block
        if self.overlaps or self._device.type != "cpu":
            block = torch.empty_like(block, device=self._device).copy_(block, non_blocking=self.overlaps)
            self._note()
        return self._parts(block)

    def bring(self, actions: torch.Tensor) -> None:
        """Have the device write actions for `actions`: int64 or any other integers, shape ``(games,)``."""
        if self._event is not None:
            # The caller may use another stream, on which the arrays might not have arrived yet.
            self.cuda.current_stream(self._device).wait_event(self._event)
        self._actions.copy_(actions, non_blocking=self.overlaps)
        self._note()

    def actions(self) -> npt.NDArray[np.int64]:
        """Wait for the actions given to `bring`: int64, shape ``(games,)``, overwritten by the next ones."""
        self.wait()
        return self._actions.numpy()

    def wait(self) -> None:
        """Wait until all requested copies are done."""
        if self._event is not None:
            self._event.synchronize()

    def _note(self) -> None:
        if self._event is not None:
            self._event.record(self.cuda.current_stream(self._device))

    def _shared(self, size: int, dtype: torch.dtype) -> torch.Tensor:
        """Return memory that both the CPU and the device can access."""
        return torch.zeros(size, dtype=dtype, pin_memory=self.overlaps)

    def _parts(self, block: torch.Tensor) -> dict[str, torch.Tensor]:
        return {name: block[place].view(dtype).view(shape) for name, (place, dtype, shape) in self._places.items()}

    def __getstate__(self) -> dict[str, Any]:
        return {"device": self._device, "arrays": self.arrays, "actions": self.actions()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["device"], state["arrays"])  # type: ignore[misc]
        self._actions.copy_(torch.from_numpy(state["actions"]))
