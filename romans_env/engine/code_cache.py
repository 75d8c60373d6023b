"""Compiled code on disk that is compiled anew where its files are damaged.

Numba keeps the code of a function in an index and in data files, and trusts them: after a full disk or a power cut,
damaged ones end the program with an error of pickle, or the whole process with one of LLVM. Here every file ends with
a digest, and a file that does not match it counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from romans_env.engine.compile_lock import CompileLock
from romans_env.engine.private_folder import is_private

_DIGEST_SIZE = hashlib.sha256().digest_size
_NEEDED = ("load", "save", "_load_index", "_load_data", "_data_path", "_open_for_write")


def check_files_of(dispatcher: Any, folder: Path, lock_for: Callable[[str], CompileLock]) -> bool:
    """Let a compiled function keep its code in checked files.

    Args:
        dispatcher: the function, compiled by numba with a cache.
        folder: where the code shall lie; a function whose cache numba puts elsewhere does without one.
        lock_for: makes the lock that a process holds while it compiles the function, from the path of its file.

    Returns:
        False where this release of numba keeps its files in another way; they are then unchecked.
    """
    cache: Any = getattr(dispatcher, "_cache", None)
    files: Any = getattr(cache, "_cache_file", None)
    has_needed = hasattr(files, "_index_path") and all(hasattr(IndexDataCacheFile, name) for name in _NEEDED)
    if type(cache) is not FunctionCache or type(files) is not IndexDataCacheFile or not has_needed:
        return False
    cache.__class__, files.__class__ = _CheckedCache, _CheckedFiles
    cache.compile_lock = lock_for(f"{files._index_path}.lock")
    # Beside the sources, code is kept by whoever installed them, and perhaps for several users.
    files.keeps_private = folder.parent.name != "__pycache__"
    # Elsewhere a change in the rules would not be noticed.
    if folder not in Path(cache.cache_path).parents:
        cache.disable()
    return True


class _CheckedCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, whose failures never reach the caller.

    Numba compiles what cannot be loaded, and then saves it. The lock is held from the one to the other.
    """

    compile_lock: CompileLock

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        kept = self._loaded(sig, target_context)
        if kept is None and self._enabled:
            self.compile_lock.acquire()
            # Another process may have compiled it meanwhile.
            kept = self._loaded(sig, target_context)
            if kept is not None:
                self.compile_lock.release()
        return kept

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever a file made by something else leads to: what is compiled anew replaces it
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            if self._cache_file.keeps_private:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(self.cache_path, 0o700)
                os.chmod(self.cache_path, 0o700)
            super().save_overload(sig, data)
        except OSError as error:
            text = f"romans_env: the compiled code is not kept ({error}); if this goes on, delete {self.cache_path}"
            print(text, file=sys.stderr, flush=True)
        finally:
            self.compile_lock.release()


class _CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's files of one function, each with a digest at its end, which pickle does not read.

    Attributes:
        keeps_private: whether what other users can change counts as missing.
    """

    keeps_private: bool

    def load(self, key: Any) -> Any:
        kept = super().load(key)
        # Two processes that compile different signatures at once may give their files the same name.
        return kept[1] if kept is not None and kept[0] == key else None

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def _load_index(self) -> Any:
        if not self._is_whole(self._index_path):
            return {}
        try:
            index = super()._load_index()
        except Exception:  # as above; it is read to be added to, too
            return {}
        return index if isinstance(index, dict) else {}

    def _load_data(self, name: str) -> Any:
        if not self._is_whole(self._data_path(name)):
            raise FileNotFoundError(name)
        return super()._load_data(name)

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        with super()._open_for_write(filepath) as file:
            content = io.BytesIO()
            yield content
            if self.keeps_private and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), 0o600)
            file.write(content.getvalue() + _digest(content.getvalue()))

    def _is_whole(self, path: str) -> bool:
        try:
            if self.keeps_private and not is_private(os.stat(os.path.dirname(path), follow_symlinks=False)):
                return False
            with open(path, "rb") as file:
                if self.keeps_private and not is_private(os.fstat(file.fileno())):
                    return False
                data = file.read()
        except OSError:
            return False
        return data[-_DIGEST_SIZE:] == _digest(data[:-_DIGEST_SIZE])


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
