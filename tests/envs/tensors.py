"""Vector environments of tensors: on the processor, and as on a GPU, for which a part of the memory stands in."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from romans_training import TensorVectorEnv
from romans_training.transfers import Transfer


class StubCuda:
    """Events and streams that note what happens."""

    def __init__(self):
        self.waits, self.shared = 0, set()

    def Event(self):
        return self

    def current_stream(self, device):
        return self

    def wait_event(self, event):
        assert event is self

    def record(self, stream):
        assert stream is self

    def synchronize(self):
        self.waits += 1


class StubTransfer(Transfer):
    """A transfer to a device that has, as a GPU has, memory of its own."""

    cuda = StubCuda()
    copies = overlaps = property(lambda self: True)

    def _shared(self, size, dtype):
        memory = torch.zeros(size, dtype=dtype)
        self.cuda.shared.add(memory.untyped_storage().data_ptr())
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
    def events(self):
        return StubTransfer.cuda.waits - self._before

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs, aten = kwargs or {}, torch.ops.aten
        self.others += func in (aten._local_scalar_dense.default, aten.nonzero.default)
        if func is aten.copy_.default and not (kwargs.get("non_blocking") or True in args[2:]):
            self.others += any(one.untyped_storage().data_ptr() in StubTransfer.cuda.shared for one in args[:2])
        return func(*args, **kwargs)


def as_arrays(given):
    """What an environment gave, with arrays in place of tensors."""
    if isinstance(given, torch.Tensor):
        return given.numpy()
    if isinstance(given, dict):
        return {name: as_arrays(value) for name, value in given.items()}
    return tuple(map(as_arrays, given)) if isinstance(given, tuple) else given
