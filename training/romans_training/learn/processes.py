"""Data-parallel training, as in DD-PPO (Wijmans et al. 2020): processes play games of their own and average gradients.

The first process starts the others, unless ``torchrun`` or Ray has started them all, and only the first one writes the
run folder. A run of one process uses the same code: what it gathers is its own.

Processes exchange numbers and bytes only; nothing that is received is unpickled.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
import torch.distributed

from romans_env.errors import UserError, in_one_line, shortened
from romans_training.learn.config import TrainConfig
from romans_training.learn.shared_memory import SharedSums
from romans_training.settings import ConfigError
from romans_training.worker_processes import Place, place_by_torchrun, start_process

START_SECONDS = 300.0
"""Time limit for the other processes to join when a run starts, in seconds."""
SILENT_SECONDS = 20
"""Number of seconds without a sign of life after which the others give a process up."""
SETTLE_SECONDS = 3
"""Time for which signs of life are watched to find out which process has ended, in seconds."""
dist: Any = torch.distributed
"""``torch.distributed`` without types: much of what is used here is untyped or not exported."""
_NEVER = timedelta(days=30)
_HERE = "127.0.0.1"


class ProcessesError(UserError, RuntimeError):
    """The processes of a run cannot continue together; the message says which one is the cause, and why."""


class Minibatch(NamedTuple):
    """A process's share of a minibatch.

    Attributes:
        rows: the process's decisions in it, as a slice of all its decisions.
        weight: factor of the process's mean loss, so that the average over all processes is the mean of the minibatch.
    """

    rows: slice
    weight: float


class Processes:
    """The processes of a run, seen from one of them.

    Args:
        rank: the index of this process, from 0.
        count: the number of processes.
        port: the port of the first process on this machine, if that has started this one.
        is_launched: whether a launcher, such as torchrun, has started all processes.
        store: a ``torch.distributed.Store`` in which the processes meet; None: the first process opens one.
        sums: sums of gradients in shared memory, if the first process has started this one.
    """

    def __init__(
        self,
        rank: int = 0,
        count: int = 1,
        port: int | None = None,
        is_launched: bool = False,
        store: Any = None,
        sums: SharedSums | None = None,
    ):
        self.rank, self.count = rank, count
        self._port, self._is_launched = port, is_launched
        self._store = store
        self._sums = sums
        self._group: Any = None
        self._children: dict[int, SpawnProcess] = {}
        self._kept_alike: list[torch.Tensor] = []

    @classmethod
    def of(cls, count: int) -> Processes:
        """Return this process as one of ``count``: the first one, unless torchrun or Ray has started them all.

        Raises:
            ConfigError: if they have started another number of processes.
        """
        place = place_by_torchrun()
        if place is None and dist.is_available() and dist.is_initialized():
            place = Place(dist.get_rank(), dist.get_world_size(), may_restart=False)
        if place is None:
            return cls(0, count)
        if place.size != count:
            raise ConfigError(
                f"the run has processes = {count}, but {place.size} were started: start {count}; a run keeps its "
                "number of processes"
            )
        return cls(place.rank, count, is_launched=True)

    @property
    def is_first(self) -> bool:
        """Whether this is the process that writes the run folder, evaluates and shows progress."""
        return self.rank == 0

    def share(self, config: TrainConfig) -> TrainConfig:
        """Return the settings of this process's share: its number of games, its part of a minibatch, and its GPU."""
        if self.count == 1:
            return config
        device = config.device
        if device == "cuda" and torch.cuda.is_available():
            device = f"cuda:{int(os.environ.get('LOCAL_RANK', self.rank)) % torch.cuda.device_count()}"
        parts = {name: getattr(config, name) // self.count for name in ("num_envs", "minibatch_size")}
        return dataclasses.replace(config, processes=1, device=device, **parts)

    def own_seed(self, seed: int) -> int:
        """Derive a seed of this process's own from a common one; the first process keeps the common one."""
        if self.is_first:
            return seed
        return int(np.random.SeedSequence(seed, spawn_key=(self.rank,)).generate_state(1)[0])

    # -- what is computed together

    def gather(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the numbers of all processes, in order of rank (a call that all processes make).

        Args:
            values: numbers, converted to float64; the same shape in all processes.

        Returns:
            float64, shape ``(count, *shape of values)``.
        """
        own = torch.from_numpy(np.array(values, dtype=np.float64))
        if self.count == 1:
            return own[None].numpy()
        found = [torch.empty_like(own) for _ in range(self.count)]
        self._wait(self._group.allgather([found], [own]))
        return torch.stack(found).numpy()

    def of_the_first(self, value: float) -> float:
        """Return the first process's value (a call that all processes make)."""
        return float(self.gather([value])[0, 0])

    def gather_rows(self, rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Concatenate the rows of all processes, in order of rank (a call that all processes make).

        Args:
            rows: float64, shape ``(n, columns)``; n may differ between processes.

        Returns:
            float64, shape ``(sum of all n, columns)``.
        """
        counts = self.gather([len(rows)])[:, 0].astype(int)
        padded = np.zeros((counts.max(), rows.shape[1]))
        padded[: len(rows)] = rows
        return np.concatenate([part[:count] for part, count in zip(self.gather(padded), counts, strict=True)])

    def bring(self, content: bytes) -> list[bytes]:
        """Send bytes from every process to the first one (a call that all processes make).

        Returns:
            In the first process the bytes of the others, in order of rank; in the others an empty list.
        """
        if self.count == 1:
            return []
        sizes = self.gather([len(content)])[:, 0].astype(int)
        own = torch.zeros(int(sizes.max()), dtype=torch.uint8)
        own[: len(content)] = torch.from_numpy(np.frombuffer(content, dtype=np.uint8).copy())
        found = [torch.empty_like(own) for _ in sizes] if self.is_first else []
        options = dist.GatherOptions()
        options.rootRank = 0
        self._wait(self._group.gather([found] if found else [], [own], options))
        return [part[:size].numpy().tobytes() for part, size in zip(found, sizes, strict=False)][1:]

    def meet(self) -> None:
        """Wait until all processes have made this call."""
        self.gather([0])

    def normalized(self, minibatches: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Normalise values to mean 0 and standard deviation 1 within each minibatch, over all processes.

        All minibatches are given at once so that processes exchange their statistics in one message.

        Args:
            minibatches: this process's values in each minibatch, float32, shape ``(n,)``.

        Returns:
            The normalised values, in the same shapes.
        """
        if self.count == 1:
            return [(values - values.mean()) / (values.std() + 1e-8) for values in minibatches]
        found = [torch.var_mean(values.double(), correction=0) for values in minibatches]
        own = [
            (len(values), float(mean), float(variance))
            for values, (variance, mean) in zip(minibatches, found, strict=True)
        ]
        counts, means, variances = self.gather(own).transpose(2, 0, 1)
        totals = counts.sum(axis=0)
        middles = (counts * means).sum(axis=0) / totals
        squares = (counts * (variances + (means - middles) ** 2)).sum(axis=0)
        spreads = np.sqrt(squares / np.maximum(totals - 1, 1)) + 1e-8
        return [
            (values - middle) / spread
            for values, middle, spread in zip(minibatches, middles.tolist(), spreads.tolist(), strict=True)
        ]

    def minibatches(self, sizes: npt.NDArray[np.int64], minibatch_size: int) -> list[Minibatch]:
        """Return this process's shares of the minibatches of an epoch.

        A last minibatch of less than half the size is dropped, because it would be normalised by too few values; so is
        one in which some process would have no decision.

        Args:
            sizes: the number of decisions of each process, int64, shape ``(count,)``.
            minibatch_size: the number of decisions in a minibatch, of all processes together.
        """
        total = int(sizes.sum())
        ends = np.minimum(np.arange(0, total + minibatch_size, minibatch_size), total)
        # Rounded up, so that a process with few decisions has them in the first minibatches.
        bounds = -(-ends[:, None] * sizes // max(total, 1))
        shares = np.diff(bounds, axis=0)
        together, least = shares.sum(axis=1), min(total, minibatch_size) // 2
        return [
            Minibatch(slice(bounds[k, self.rank], bounds[k + 1, self.rank]), float(own * self.count / of_all))
            for k, (own, of_all) in enumerate(zip(shares[:, self.rank], together, strict=True))
            if of_all >= max(least, 1) and shares[k].min() > 0
        ]

    def train_alike(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Keep parameters equal in all processes: broadcast the first process's, and average all gradients.

        Parameters are broadcast when the processes join. Gradients are averaged, in one message, at the end of every
        backward pass, before they can be clipped: clipping applies to the gradient of the whole minibatch. Every
        backward pass must reach all parameters.
        """
        if self.count == 1:
            return
        own = list(parameters)
        if self._group is None:  # networks that are made later copy weights that are equal already
            self._kept_alike += own
        missing = len(own)

        def arrived(_: torch.Tensor) -> None:
            nonlocal missing
            missing -= 1
            if missing == 0:
                missing = len(own)
                self._average([parameter.grad for parameter in own if parameter.grad is not None])

        for parameter in own:
            parameter.register_post_accumulate_grad_hook(arrived)

    @torch.no_grad()
    def _average(self, tensors: list[torch.Tensor]) -> None:
        parts = [tensor.flatten() for tensor in tensors]
        sums, length = self._sums, sum(map(len, parts))
        if sums is not None and length <= sums.size and parts[0].device.type == "cpu":
            flat = sums.sum(self.rank, parts, self._watch)
        else:
            flat = torch.cat(parts)
            self._wait(self._group.allreduce([flat]))
        flat /= self.count
        for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
            tensor.copy_(part.view_as(tensor))

    @torch.no_grad()
    def _send_from_the_first(self, tensors: list[torch.Tensor]) -> None:
        options = dist.BroadcastOptions()
        options.rootRank = 0
        for tensor in tensors:
            sent = tensor.detach().contiguous()
            self._wait(self._group.broadcast([sent], options))
            tensor.copy_(sent)

    # -- how processes join, and how they end

    @contextlib.contextmanager
    def together(self, about: Mapping[str, Any], work: Callable[..., None], *args: object) -> Iterator[None]:
        """Join the other processes while the block runs, starting them if no launcher has.

        Args:
            about: versions and settings that must be the same in all processes, by name, as plain JSON.
            work: the work of the other processes, called with their `Processes` and ``args``, all picklable.
            args: further arguments of ``work``.

        Raises:
            ProcessesError: if a process does not join, has other settings, ends or hangs; also while the block runs.
        """
        if self.count == 1:
            yield
            return
        ended = threading.Event()
        try:
            self._open(work, args)
            self._meet_first(about)
            threading.Thread(target=self._give_signs, args=(ended,), daemon=True).start()
            self._send_from_the_first(self._kept_alike)
            self._kept_alike.clear()
            yield
            self.meet()
            for child in self._children.values():
                child.join(SETTLE_SECONDS)
        except ProcessesError:
            raise
        except Exception as error:
            self._tell(error)
            raise
        finally:
            ended.set()
            for child in self._children.values():
                child.kill()  # a suspended process would not react to a weaker signal
                child.join()
            self._children.clear()
            self._group = None

    def _open(self, work: Callable[..., None], args: tuple[object, ...]) -> None:
        """Open the store in which all processes meet; start the other processes if necessary."""
        patience = timedelta(seconds=START_SECONDS)
        if self._store is not None:
            return
        if self._is_launched and dist.is_initialized():
            # The launcher that made the group also watches its processes.
            self._group = dist.group.WORLD
        elif self._is_launched:
            self._store, _, _ = next(dist.rendezvous("env://", timeout=patience))
        elif self.is_first:
            listening = socket.create_server((_HERE, 0), backlog=self.count)
            self._port = listening.getsockname()[1]
            self._store = dist.TCPStore(
                _HERE,
                self._port,
                is_master=True,
                timeout=patience,
                wait_for_workers=False,
                # Without a socket of ours it would listen on all network interfaces.
                master_listen_fd=listening.detach(),
            )
            self._sums = SharedSums(self.count, sum(one.numel() for one in self._kept_alike))
            for rank in range(1, self.count):
                other = Processes(rank, self.count, self._port, sums=self._sums)
                self._children[rank] = start_process(_work_in_child, work, other, *args, name=f"process {rank}")
        else:
            assert self._port is not None
            self._store = dist.TCPStore(_HERE, self._port, is_master=False, timeout=patience)

    def _meet_first(self, about: Mapping[str, Any]) -> None:
        """Wait until all processes have joined, check that they agree, and create the process group.

        torchrun keeps one store across all restarts. Each start therefore has a name of its own, and ignores what
        processes of an earlier start wrote.
        """
        if self._store is None:
            return
        own = secrets.token_hex(8)
        try:
            name = self._wait_for_others(own, about) if self.is_first else self._wait_for_the_first(own, about)
        except ProcessesError:
            raise
        except RuntimeError:  # the process that holds the store has ended
            raise ProcessesError(f"{self._name(0)} has ended before the run began") from None
        self._store = dist.PrefixStore(name, self._store)
        options = dist.ProcessGroupGloo._Options()
        options._devices, options._timeout = [_device(not self._is_launched)], _NEVER
        self._group = dist.ProcessGroupGloo(self._store, self.rank, self.count, options)

    def _wait_for_others(self, own: str, about: Mapping[str, Any]) -> str:
        """Wait until all others have described themselves under the name of this start; return that name."""
        self._store.set(f"{own}/sign/0", "0")
        self._store.set("first", json.dumps({"name": own, "about": about}))
        deadline, names = time.monotonic() + START_SECONDS, [own]
        for rank in range(1, self.count):
            while not self._store.check([f"{own}/about/{rank}"]):
                if self._has_died(rank):
                    raise ProcessesError(f"{self._name(rank)} has ended before the run began")
                self._wait_a_little(deadline, rank)
            its = json.loads(self._store.get(f"{own}/about/{rank}"))
            names.append(its["name"])
            self._must_be_alike(rank, about, its["about"])
        self._store.set(f"{own}/all", json.dumps(names))
        return own

    def _wait_for_the_first(self, own: str, about: Mapping[str, Any]) -> str:
        """Describe this process under the name of every start until a first process has read it; return that name."""
        deadline, start = time.monotonic() + START_SECONDS, ""
        while True:
            first = json.loads(self._store.get("first")) if self._store.check(["first"]) else None
            if first is not None and first["name"] != start:
                start = first["name"]
                self._store.set(f"{start}/sign/{self.rank}", "0")
                self._store.set(f"{start}/about/{self.rank}", json.dumps({"name": own, "about": about}))
                self._must_be_alike(0, about, first["about"])
            if start and self._store.check([f"{start}/all"]) and own in json.loads(self._store.get(f"{start}/all")):
                return start
            self._wait_a_little(deadline, 0)

    def _wait_a_little(self, deadline: float, rank: int) -> None:
        if time.monotonic() > deadline:
            raise ProcessesError(f"{self._name(rank)} has not joined within {START_SECONDS:.0f} seconds")
        time.sleep(0.05)

    def _must_be_alike(self, rank: int, own: Mapping[str, Any], its: Mapping[str, Any]) -> None:
        for name, value in own.items():
            if its.get(name) != json.loads(json.dumps(value)):
                raise ProcessesError(
                    f"{self._name(rank)} has {name} = {shortened(its.get(name), 60)}, but this one "
                    f"{shortened(value, 60)}: start all with the same version, settings and folder"
                )

    def _wait(self, work: Any) -> None:
        """Wait for a collective operation; raise ProcessesError if it fails."""

        def is_completed() -> bool:
            if not work.is_completed():
                with contextlib.suppress(RuntimeError):  # a timeout; after any other error the work is completed
                    work.wait(timedelta(seconds=1))
            return bool(work.is_completed())

        self._watch(is_completed)
        try:
            work.wait()
        except RuntimeError as error:
            raise self._why(error) from None

    def _watch(self, is_completed: Callable[[], bool]) -> None:
        """Call ``is_completed`` until it is True, watching for processes that end or hang.

        A call takes a second at most, so that signals and missing processes are noticed.
        """
        signs: dict[int, tuple[bytes, int]] = {}
        while not is_completed():
            try:
                silent = self._silent(signs, SILENT_SECONDS)
            except RuntimeError as error:  # the process that holds the store has ended
                raise self._why(error) from None
            if any(map(self._has_died, silent)):
                raise self._why()
            if silent:
                names = ", ".join(map(self._name, silent))
                raise ProcessesError(f"{names} gave no sign of life for {SILENT_SECONDS} seconds; --resume continues")

    def _silent(self, signs: dict[int, tuple[bytes, int]], most: int) -> list[int]:
        """Read the others' signs of life; return the ranks of processes that are silent or have died.

        A process is silent if its sign was the same ``most`` times in a row. Calls are counted, not seconds, so that no
        process is reported missing after all of them were suspended for a while.
        """
        if self._store is None:
            return []
        for rank in range(self.count):
            if rank != self.rank:
                sign, before = self._store.get(f"sign/{rank}"), signs.get(rank)
                signs[rank] = sign, before[1] + 1 if before and before[0] == sign else 0
        return [rank for rank, (_, same) in signs.items() if same >= most or self._has_died(rank)]

    def _why(self, error: RuntimeError | str = "no reason is known") -> ProcessesError:
        """Return an error that says which process has ended, after a collective operation has failed."""
        signs: dict[int, tuple[bytes, int]] = {}
        try:
            for turn in range(2 * SETTLE_SECONDS):
                if turn:
                    time.sleep(0.5)
                for rank in range(self.count):
                    if self._store is not None and self._store.check([f"error/{rank}"]):
                        told = self._store.get(f"error/{rank}").decode("utf-8", "replace")
                        return ProcessesError(f"{self._name(rank)}: {in_one_line(told, 300)}")
                if silent := self._silent(signs, 2 * SETTLE_SECONDS - 1):
                    ended = ", ".join(f"{self._name(rank)} {self._end_of(rank)}" for rank in silent)
                    return ProcessesError(f"{ended}; --resume continues")
        except RuntimeError:
            return ProcessesError(f"{self._name(0)} has ended; --resume continues")
        return ProcessesError(f"the processes cannot reach each other ({in_one_line(error, 200)}); --resume continues")

    def _tell(self, error: Exception) -> None:
        """Publish this process's error for the others."""
        if self._store is not None:
            with contextlib.suppress(RuntimeError):
                self._store.set(f"error/{self.rank}", str(error) or type(error).__name__)

    def _give_signs(self, ended: threading.Event) -> None:
        turn = 0
        while self._store is not None and not ended.wait(0.4):
            turn += 1
            try:
                self._store.set(f"sign/{self.rank}", str(turn))
            except RuntimeError:
                return

    def _has_died(self, rank: int) -> bool:
        return rank in self._children and not self._children[rank].is_alive()

    def _end_of(self, rank: int) -> str:
        """Return, in words, how a process has ended, as far as this process knows."""
        status = self._children[rank].exitcode if rank in self._children else None
        return f"was ended by {signal.Signals(-status).name}" if status is not None and status < 0 else "has ended"

    def _name(self, rank: int) -> str:
        return f"process {rank} of {self.count}"


ALONE = Processes()
"""The only process of most runs."""


def _device(is_of_this_machine: bool) -> Any:
    """Return Gloo's network device: the loopback address, or the device that torch would choose itself."""
    if is_of_this_machine:
        return dist.ProcessGroupGloo.create_device(hostname=_HERE)
    if interface := os.environ.get("GLOO_SOCKET_IFNAME"):
        return dist.ProcessGroupGloo.create_device(interface=interface.split(",")[0])
    return dist.ProcessGroupGloo.create_default_device()


def _work_in_child(work: Callable[..., None], processes: Processes, *args: object) -> None:
    """Do the work of a process that the first one has started.

    A user error only sets the exit status, because the first process reports it.
    """
    try:
        work(processes, *args)
    except (UserError, OSError, MemoryError):
        sys.exit(1)
