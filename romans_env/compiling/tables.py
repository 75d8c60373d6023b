"""Read-only tables for compiled rules, for settings that are too large for every record, such as a map.

A record contains the key of its table, such as a part of a digest. Python publishes the table under the key, once in
each process, before compiled code handles such a record; `table_of` returns a handle, from which `entry` and `word`
read. Cached machine code cannot contain addresses, which differ between processes, so it refers to the directory of
tables by a symbol that the linker resolves when the code is loaded.

With ``NUMBA_DISABLE_JIT=1`` a handle is the key itself.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import llvmlite.binding
import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from romans_env.compiling.decorators import inlined

MAX_TABLES = 4096
_SYMBOL = "romans_env_tables"
_directory = np.zeros(1 + 2 * MAX_TABLES, dtype=np.int64)
"""The number of tables, then the key and the address of each."""
_tables: dict[int, tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]] = {}
"""The tables by key, as entries and as words; they are kept until the process ends."""
_lock = threading.Lock()
llvmlite.binding.add_symbol(_SYMBOL, _directory.ctypes.data)

UNKNOWN = "the record's table is not published in this process: create the rules with their setup first"


def publish(key: int, table: npt.NDArray[np.int16]) -> None:
    """Publish a table under a key; if the key is taken, nothing changes.

    Args:
        key: the key, an int64 that is unique to the table.
        table: the table, int16, shape ``(n,)``, where n is a multiple of 4, so that it can also be read as 64-bit
            words.

    Raises:
        ValueError: if MAX_TABLES tables have been published.
    """
    with _lock:
        if key in _tables:
            return
        count = len(_tables)
        if count == MAX_TABLES:
            raise ValueError(f"a process can use {MAX_TABLES} tables; start another one")
        words = np.frombuffer(table.tobytes(), dtype=np.int64)
        _tables[key] = words.view(np.int16), words
        _directory[1 + 2 * count] = key
        _directory[2 + 2 * count] = words.ctypes.data
        # Threads read without the lock, so the number grows only when the entry is complete.
        _directory[0] = count + 1


if TYPE_CHECKING:

    def table_of(key: int) -> int:
        """Return the handle of a published table; raise ValueError for a key that was not published."""
        ...

    def entry(table: int, place: int) -> int:
        """Return an entry of a table: int16, given as int64."""
        ...

    def word(table: int, place: int) -> int:
        """Return four entries from ``4 * place`` on, as one int64."""
        ...

elif numba.config.DISABLE_JIT:

    def table_of(key):
        """Return the handle of a published table; raise ValueError for a key that was not published."""
        if int(key) not in _tables:
            raise ValueError(UNKNOWN)
        return int(key)

    def entry(table, place):
        """Return an entry of a table: int16, given as int64."""
        return np.int64(_tables[table][0][place])

    def word(table, place):
        """Return four entries from ``4 * place`` on, as one int64."""
        return np.int64(_tables[table][1][place])

else:

    @intrinsic
    def _directory_address(typing_context):
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            directory = context.get_c_value(builder, ir.IntType(64), _SYMBOL)
            return builder.ptrtoint(directory, ir.IntType(64))

        return types.int64(), generate

    def _load(builder: Any, arguments: Any, bits: int, is_constant: bool) -> Any:
        address, place = arguments
        offset = builder.mul(place, ir.Constant(ir.IntType(64), bits // 8))
        pointer = builder.inttoptr(builder.add(address, offset), ir.IntType(bits).as_pointer())
        loaded = builder.load(pointer)
        if is_constant:
            # So that LLVM knows that stores to records and observations do not change it.
            loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded if bits == 64 else builder.sext(loaded, ir.IntType(64))

    @intrinsic
    def _directory_word(typing_context, address, place):
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _load(builder, arguments, 64, False)

        return types.int64(types.int64, types.int64), generate

    @intrinsic
    def entry(typing_context, table, place):
        """Return an entry of a table: int16, given as int64."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _load(builder, arguments, 16, True)

        return types.int64(types.int64, types.int64), generate

    @intrinsic
    def word(typing_context, table, place):
        """Return four entries from ``4 * place`` on, as one int64."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _load(builder, arguments, 64, True)

        return types.int64(types.int64, types.int64), generate

    @inlined
    def table_of(key):
        """Return the handle of a published table; raise ValueError for a key that was not published."""
        directory = _directory_address()
        for k in range(_directory_word(directory, 0)):
            if _directory_word(directory, 1 + 2 * k) == key:
                return _directory_word(directory, 2 + 2 * k)
        raise ValueError(UNKNOWN)
