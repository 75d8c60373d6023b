"""Bundles JavaScript modules into one script, because browsers load no modules from disk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_IMPORT = re.compile(r'^import (?:(\{[^}]*\})|\* as ([\w$]+)) from "\./([\w]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class) ([\w$]+))", re.MULTILINE)


class BundleError(Exception):
    """A module is missing, or uses syntax that the bundler does not support."""


def bundled(entry: str, folders: Sequence[Path]) -> str:
    """Return a script with a module and everything that it imports.

    Args:
        entry: file name of the module.
        folders: folders to search, in order. Modules import each other as ``./name.js``.

    Raises:
        BundleError: if a module is missing, or imports or exports in an unsupported way.
    """
    order: list[str] = []
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        path = next((folder / name for folder in folders if (folder / name).exists()), None)
        if path is None:
            raise BundleError(f"no folder has the module {name}")
        text = path.read_text(encoding="utf-8")
        parts[name] = ""
        for imported in _IMPORT.findall(text):
            if imported[2] not in parts:
                add(imported[2])
        parts[name] = _wrapped(name, text)
        order.append(name)

    add(entry)
    return '"use strict";\n(() => {\n' + "".join(parts[name] for name in order) + "})();\n"


def _name(file: str) -> str:
    return f"$$_{file.removesuffix('.js')}"


def _wrapped(name: str, text: str) -> str:
    """Return a module as a constant that holds its exports."""
    exports = _EXPORT.findall(text)

    def taken(found: re.Match[str]) -> str:
        names, whole, file = found.groups()
        target = whole or re.sub(r"(\w+) as (\w+)", r"\1: \2", " ".join(names.split()))
        return f"const {target} = {_name(file)};\n"

    body = _EXPORT.sub("", _IMPORT.sub(taken, text))
    if re.search(r"^(?:import|export)\b", body, re.MULTILINE):
        raise BundleError(f"{name} imports or exports in a way that the bundler does not support")
    return f"const {_name(name)} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();\n"
