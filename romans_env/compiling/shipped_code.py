"""Compiled code that a wheel for one platform and one version of Python brings along.

It is compiled for a level of processors that a platform's machines of the last ten years have, and is in folders
named as those of the cache are (`cache_folder`): other sources, and other versions of numba and llvmlite, look for it
under another name. Where the processor is older, it is left alone. Whoever can change it can change the sources.
"""

from __future__ import annotations

import functools
import platform
from pathlib import Path
from typing import NamedTuple

import llvmlite.binding as llvm

SHIPPED = Path(__file__).resolve().parents[1] / "machine_code"
"""Where a wheel has it."""


class IsaLevel(NamedTuple):
    """A level of processors.

    Attributes:
        cpu: LLVM's name, as NUMBA_CPU_NAME takes it; NUMBA_CPU_FEATURES is empty.
        needs: LLVM's names of what a processor of the level has.
    """

    cpu: str
    needs: frozenset[str]


_OF_X86_64_V3 = """
    cx8 cx16 cmov fxsr mmx popcnt sahf xsave sse sse2 sse3 ssse3
    sse4.1 sse4.2 avx avx2 bmi bmi2 f16c fma lzcnt movbe
"""
_X86_64_V3 = IsaLevel("x86-64-v3", frozenset(_OF_X86_64_V3.split()))
_LEVELS = {
    **dict.fromkeys(("x86_64", "AMD64"), _X86_64_V3),
    # Every Mac with an arm processor; of others the first version of the architecture.
    **dict.fromkeys(
        ("arm64", "aarch64"), IsaLevel("apple-m1" if platform.system() == "Darwin" else "generic", frozenset())
    ),
}


def level() -> IsaLevel | None:
    """Return the processor level of this platform; None where no wheel brings code along."""
    return _LEVELS.get(platform.machine())


@functools.cache
def usable_level() -> IsaLevel | None:
    """Return the level of the code that a wheel brought along; None if there is none, or the processor is older."""
    found = level()
    if found is None or not SHIPPED.is_dir():
        return None
    try:
        has = {name for name, is_there in llvm.get_host_cpu_features().items() if is_there}
    except RuntimeError:  # LLVM does not know what the processor has
        has = set()
    return found if found.needs <= has else None
