"""Vector environments of tensors: on the processor, and as on a GPU, for which a part of the memory stands in."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from romans_training import TensorVectorEnv
from romans_training.learn.transfers import Transfer

ATEN = torch.ops.aten


class StubCuda:
    """Event and stream in one, that count how often somebody waits; ``shared`` is where arrays cross."""

    def __init__(self):
        self.waits, self.shared = 0, {}
        self.Event = lambda: self
        self.current_stream = lambda device: self
        self.wait_event = self.record = lambda other: None

    def synchronize(self):
        self.waits += 1


class StubTransfer(Transfer):
    """A transfer to a device that has, as a GPU has, memory of its own."""

    cuda = StubCuda()
    overlaps = property(lambda self: True)

    def _shared(self, size, dtype):
        memory = torch.zeros(size, dtype=dtype)
        self.cuda.shared[memory.untyped_storage().data_ptr()] = memory  # kept, so that no other takes its place
        return memory


class CopyingEnv(TensorVectorEnv):
    """Takes the way that arrays take to a GPU."""

    def _new_transfer(self):
        return StubTransfer(self.device, self._arrays())


class Waits(TorchDispatchMode):
    """Counts where a program waits for a GPU: for an event, or for a copy or a number that no event is asked for."""

    def __init__(self):
        super().__init__()
        self._before, self.others = StubTransfer.cuda.waits, 0

    @property
    def found(self):
        return StubTransfer.cuda.waits - self._before, self.others

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        self.others += func in (ATEN._local_scalar_dense.default, ATEN.nonzero.default)
        if func is ATEN.copy_.default and not (kwargs.get("non_blocking") or True in args[2:]):
            self.others += any(one.untyped_storage().data_ptr() in StubTransfer.cuda.shared for one in args[:2])
        return func(*args, **kwargs)


def as_arrays(given):
    """What an environment gave, with arrays in place of tensors."""
    if isinstance(given, dict):
        return {name: as_arrays(value) for name, value in given.items()}
    return tuple(map(as_arrays, given)) if isinstance(given, tuple) else getattr(given, "numpy", lambda: given)()
