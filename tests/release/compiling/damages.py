"""Ways in which a file of compiled code is damaged, from what it holds to what is left; None is no file."""

import hashlib
import pickle
from pathlib import Path


def _flipped(data: bytes, share: float) -> bytes:
    place = int(share * (len(data) - 1))
    return data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]


def _whole(content: bytes) -> bytes:
    """A file with its digest, of something else."""
    return content + hashlib.sha256(content).digest()


DAMAGES = {
    "emptied": lambda data: b"",
    "garbage": lambda data: bytes(range(256)) * 8,
    "zeros": lambda data: bytes(len(data)),
    "lengthened": lambda data: data + b"\0",
    "removed": lambda data: None,
    "no pickle": lambda data: _whole(b"no pickle"),
    "another thing": lambda data: _whole(pickle.dumps("another thing")),
    "another key": lambda data: _whole(pickle.dumps((("another", "key"), 1))),
    **{f"cut at {share}": lambda data, share=share: data[: int(share * len(data))] for share in (0.01, 0.5, 0.99)},
    **{f"flipped at {k}": lambda data, k=k: _flipped(data, k) for k in (0, 0.2, 0.4, 0.6, 0.8, 1)},
}


def damage(path: Path, name: str) -> None:
    """Damage a file in one of the ways."""
    left = DAMAGES[name](path.read_bytes())
    if left is None:
        path.unlink()
    else:
        path.write_bytes(left)
