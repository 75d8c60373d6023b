"""Ways in which a file is damaged."""

from __future__ import annotations


def emptied(path):
    path.write_bytes(b"")


def cut_at(share):
    def cut(path):
        data = path.read_bytes()
        path.write_bytes(data[: int(share * len(data))])

    return cut


def flipped_at(share):
    def flip(path):
        data = bytearray(path.read_bytes())
        data[int(share * (len(data) - 1))] ^= 0x10
        path.write_bytes(bytes(data))

    return flip


def garbage(path):
    path.write_bytes(bytes(range(256)) * 8)


def zeros(path):
    path.write_bytes(bytes(path.stat().st_size))


def lengthened(path):
    path.write_bytes(path.read_bytes() + b"\0")


def removed(path):
    path.unlink()
