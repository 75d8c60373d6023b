"""Whether this machine computes in bfloat16 faster than in float32."""

from __future__ import annotations

from typing import Any

import torch


def has_bfloat16() -> bool:
    """Whether the processor has instructions for it: without, bfloat16 is emulated, and slower."""
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()  # releases before 2.11 do not have it
    return any(capabilities.get(name, False) for name in ("avx512_bf16", "amx_bf16"))
