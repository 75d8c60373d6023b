"""What games write for a device of torch, and the actions that come back, without waiting for either."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from romans_training.settings import ConfigError

_ALIGNED = 64


def device_of(name: str | torch.device) -> torch.device:
    """Return a device on which torch computes here.

    Args:
        name: the name that torch has for it, such as cpu or cuda:0.

    Raises:
        ConfigError: there is no such device here, or torch was built without it.
    """
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ConfigError(f"torch cannot compute on device {name!r} here ({reason}); cpu is always there") from None
    if device.type == "meta":
        raise ConfigError("device meta computes nothing; cpu is always there")
    return device


class Transfer:
    """The arrays that a group of games writes for a device, and the actions that the device chose for it.

    `arrays` is memory that a GPU reads by itself (pinned). `send` has the device copy all of it in one go, `bring` has
    it write actions back: both return at once. `actions` waits until those are there, which nothing else does; what was
    sent before them has arrived then, too, and the arrays may be overwritten. Two groups of games with a transfer each
    are a double buffer: threads step one while the device decides for the other.

    On the processor nothing is copied: what `send` returns are the arrays, which the next step overwrites.

    Args:
        device: where the arrays go.
        arrays: by name, a row for each game; the transfer has copies.

    Attributes:
        arrays: the arrays by name, to be written in place.
    """

    cuda: Any = torch.cuda
    """What makes events and knows the stream; tests put a stub in its place."""

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
        """Whether copies are made while the processor goes on."""
        return self._device.type == "cuda"

    def send(self) -> dict[str, torch.Tensor]:
        """Have the device take over the arrays; return its tensors, new ones where it has memory of its own."""
        block = self._block
        if self.overlaps or self._device.type != "cpu":
            block = torch.empty_like(block, device=self._device).copy_(block, non_blocking=self.overlaps)
            self._note()
        return self._parts(block)

    def bring(self, actions: torch.Tensor) -> None:
        """Have the device write actions for `actions`: integers, shape (games,)."""
        if self._event is not None:
            # On a stream of one's own the arrays might still be on their way.
            self.cuda.current_stream(self._device).wait_event(self._event)
        self._actions.copy_(actions, non_blocking=self.overlaps)
        self._note()

    def actions(self) -> npt.NDArray[np.int64]:
        """Wait for the actions of `bring`; return them, overwritten by the next ones."""
        self.wait()
        return self._actions.numpy()

    def wait(self) -> None:
        """Wait until everything that was asked for has been copied."""
        if self._event is not None:
            self._event.synchronize()

    def _note(self) -> None:
        if self._event is not None:
            self._event.record(self.cuda.current_stream(self._device))

    def _shared(self, size: int, dtype: torch.dtype) -> torch.Tensor:
        """Return memory that the processor writes and the device reads, or the other way round."""
        return torch.zeros(size, dtype=dtype, pin_memory=self.overlaps)

    def _parts(self, block: torch.Tensor) -> dict[str, torch.Tensor]:
        return {name: block[place].view(dtype).view(shape) for name, (place, dtype, shape) in self._places.items()}

    def __getstate__(self) -> dict[str, Any]:
        return {"device": self._device, "arrays": self.arrays, "actions": self.actions()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["device"], state["arrays"])  # type: ignore[misc]
        self._actions.copy_(torch.from_numpy(state["actions"]))
