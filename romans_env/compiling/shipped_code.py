"""The compiled code in wheels for one platform and one version of Python.

It is compiled for an ISA level that the platform's machines of the last ten years support; older processors do not use
it. Its folders are named like cache folders (`cache_folder`), so that it is not found with other sources or other
versions of numba and llvmlite. It is not protected: who can change it can change the sources, too.
"""

from __future__ import annotations

import functools
import platform
from pathlib import Path
from typing import NamedTuple

import llvmlite.binding as llvm

SHIPPED = Path(__file__).resolve().parents[1] / "machine_code"
"""The folder of the compiled code in a wheel."""


class IsaLevel(NamedTuple):
    """A level of an instruction set architecture.

    Attributes:
        cpu: LLVM's name of the level, the value of NUMBA_CPU_NAME; NUMBA_CPU_FEATURES is empty.
        needs: LLVM's names of the features that the level requires.
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
    # All Macs with ARM processors; on other systems the first version of the architecture.
    **dict.fromkeys(
        ("arm64", "aarch64"), IsaLevel("apple-m1" if platform.system() == "Darwin" else "generic", frozenset())
    ),
}


def level() -> IsaLevel | None:
    """Return the ISA level of this platform's wheels; None if wheels for it contain no compiled code."""
    return _LEVELS.get(platform.machine())


@functools.cache
def usable_level() -> IsaLevel | None:
    """Return the ISA level of the code in this installation; None if there is none or the processor is too old."""
    found = level()
    if found is None or not SHIPPED.is_dir():
        return None
    try:
        has = {name for name, is_there in llvm.get_host_cpu_features().items() if is_there}
    except RuntimeError:  # LLVM cannot detect the processor's features
        has = set()
    return found if found.needs <= has else None
