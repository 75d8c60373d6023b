"""Puts modules of JavaScript into one script, as a browser loads no modules from a disk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_IMPORT = re.compile(r'^import (?:(\{[^}]*\})|\* as ([\w$]+)) from "\./([\w]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class) ([\w$]+))", re.MULTILINE)


class BundleError(Exception):
    """A module that is missing, or that says what a bundle does not know."""


def bundled(entry: str, folders: Sequence[Path]) -> str:
    """Return a script that does what a module does.

    Args:
        entry: the name of the module's file.
        folders: where modules are, which import each other as ``./name.js``; the first that has one counts.

    Raises:
        BundleError: there is no such module, or it imports or exports in another way.
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
    """Return a module as a constant with what it exports."""
    exports = _EXPORT.findall(text)

    def taken(found: re.Match[str]) -> str:
        names, whole, file = found.groups()
        target = whole or re.sub(r"(\w+) as (\w+)", r"\1: \2", " ".join(names.split()))
        return f"const {target} = {_name(file)};\n"

    body = _EXPORT.sub("", _IMPORT.sub(taken, text))
    if re.search(r"^(?:import|export)\b", body, re.MULTILINE):
        raise BundleError(f"{name} imports or exports in a way that is not known here")
    return f"const {_name(name)} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();\n"
