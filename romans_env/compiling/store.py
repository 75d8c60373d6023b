"""The machine code of one function on disk: a file for each signature and kind of processor.

Each file ends with a digest, because code damaged by a full disk or a power cut would crash the process. A file that
does not match its digest, or belongs to something else, counts as missing; missing code is compiled and saved.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.serialize import dumps

from romans_env.compiling.lock import CompileLock
from romans_env.compiling.private_folder import is_private
from romans_env.compiling.progress import say
from romans_env.compiling.self_check import PYTHON, VARIABLE
from romans_env.compiling.shipped_code import IsaLevel, usable_level
from romans_env.compiling.units import MissingUnitError, argument_types, rebuilt, reduced

ENDING = ".code"
_DIGEST_SIZE = hashlib.sha256().digest_size
_DAMAGED = (EOFError, pickle.UnpicklingError, LookupError, ValueError)
"""The errors of unpickling a file that is intact but contains something else."""


class CodeStore:
    """A dispatcher's cache of machine code, in place of numba's.

    Numba compiles a function that cannot be loaded, and then saves it; the lock is held in between. If code cannot be
    loaded for a reason other than its file, one line is printed, once.

    Args:
        name: the name of the function, with its module.
        folder: the cache folder, for one version of the sources; None to save nothing.
        shipped: the folder in which a wheel may contain the code (`shipped_code`).
        lock_for: takes the path of a lock file and returns the lock that a process holds while it compiles the
            function.
    """

    uses_shipped = True
    """Whether functions of this process may use the code in the wheel."""
    cannot_load = ""
    """Why code could not be loaded in this process, for a reason other than its file; '' if that never happened."""

    def __init__(self, name: str, folder: Path | None, shipped: Path, lock_for: Callable[[str], CompileLock]):
        self._name, self._folder, self._shipped = name, folder, shipped
        self.compile_lock = None if folder is None else lock_for(str(folder / f"{_file_name(name)}.lock"))
        # Code next to the sources belongs to the user who installed them, and may serve several users.
        self._keeps_private = folder is not None and folder.parent.name != "__pycache__"

    @property
    def cache_path(self) -> str | None:
        """The cache folder; None if nothing can be saved."""
        return None if self._folder is None else str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature; None, with the lock held, if it must be compiled."""
        target_context.refresh()
        kept = self._loaded(sig, target_context)
        if kept is None and self.compile_lock is not None:
            self.compile_lock.acquire()
            # Another process may have compiled it meanwhile.
            kept = self._loaded(sig, target_context)
            if kept is not None:
                self.release()
        return kept

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compiled function and release the lock."""
        try:
            if self._folder is not None and not data.library.has_dynamic_globals:
                key = self._key(sig, data.codegen)
                self._write(self._path(self._folder, key), dumps((key, reduced(data))))
        except OSError as error:
            say(f"the compiled code could not be saved ({error}); if this happens again, delete {self._folder}")
        finally:
            self.release()

    def release(self) -> None:
        """Release the lock if it is held."""
        if self.compile_lock is not None:
            self.compile_lock.release()

    def _key(self, sig: Any, codegen: Any, level: IsaLevel | None = None) -> tuple[str, ...]:
        """Return the key of code: function, Python, argument types, and the processor or, if given, the ISA level."""
        triple, cpu, features = codegen.magic_tuple() if level is None else (codegen.magic_tuple()[0], level.cpu, "")
        types = ", ".join(map(str, argument_types(sig)))
        return self._name, PYTHON, types, triple, cpu, features

    def _path(self, folder: Path, key: tuple[str, ...]) -> Path:
        return folder / f"{_file_name(self._name)}-{_hash_of('|'.join(key[1:]))}{ENDING}"

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        try:
            codegen = target_context.codegen()
            found = None
            if self._folder is not None:
                found = self._read(self._folder, self._key(sig, codegen), self._keeps_private)
            level = usable_level() if found is None and CodeStore.uses_shipped else None
            if level is not None:
                found = self._read(self._shipped, self._key(sig, codegen, level), False)
            return None if found is None else rebuilt(target_context, found)
        except MissingUnitError:
            return None
        except Exception as error:  # whatever numba raises
            if not CodeStore.cannot_load:
                CodeStore.cannot_load = why = f"{type(error).__name__}: {error}".splitlines()[0]
                say(f"compiled code cannot be loaded ({why}), so every start compiles anew: set {VARIABLE}=0")
            return None

    def _read(self, folder: Path, key: tuple[str, ...], is_own: bool) -> Any:
        """Return the code with a key; None if it is missing, or if it is the user's own and others can change it."""
        path = self._path(folder, key)
        try:
            if is_own and not is_private(os.stat(path.parent, follow_symlinks=False)):
                return None
            with open(path, "rb") as file:
                if is_own and not is_private(os.fstat(file.fileno())):
                    return None
                data = file.read()
        except OSError:
            return None
        content = data[:-_DIGEST_SIZE]
        if data[-_DIGEST_SIZE:] != hashlib.sha256(content).digest():
            return None
        try:
            kept_key, parts = pickle.loads(content)
        except _DAMAGED:
            return None
        return parts if kept_key == key else None

    def _write(self, path: Path, content: bytes) -> None:
        if self._keeps_private:
            with contextlib.suppress(FileExistsError):
                os.mkdir(path.parent, 0o700)
            os.chmod(path.parent, 0o700)
        unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
        try:
            with open(unfinished, "wb") as file:
                if self._keeps_private and hasattr(os, "fchmod"):
                    os.fchmod(file.fileno(), 0o600)
                file.write(content + hashlib.sha256(content).digest())
            os.replace(unfinished, path)
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise


def _file_name(name: str) -> str:
    """Return the start of a function's file names: at most 80 characters, and different for each function."""
    readable = "".join(letter if letter.isalnum() or letter in "._" else "-" for letter in name)
    return f"{readable[-63:]}-{_hash_of(name)}"


def _hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
