"""Declares a setting once: as a dataclass field with type, default, bounds and docstring.

The checks below and the command-line options (`romans_training.cli.learner_options`) are derived from the fields.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints

from romans_env.errors import UserError, shortened
from romans_training.schema import fits


class ConfigError(UserError, ValueError):
    """Settings that cannot be used; the message says which one and why."""


def setting(
    default: Any,
    group: str,
    *,
    bounds: tuple[float, float] | None = None,
    above: bool = False,
    choices: Sequence[str] | None = None,
    flags: Sequence[str] | None = None,
) -> Any:
    """Return a field for a dataclass of settings; the docstring below the field is the help text of its option.

    Args:
        default: the default value.
        group: the heading under which the help lists its option.
        bounds: the smallest and the largest number allowed.
        above: whether a number must be strictly above the smaller bound.
        choices: the texts allowed.
        flags: the names of its option; None for one name, derived from the name of the setting.
    """
    about = {"group": group, "bounds": bounds, "above": above, "choices": choices, "flags": flags}
    return dataclasses.field(default=default, metadata=about)


def docs_of(settings: type) -> dict[str, str]:
    """Return the docstrings of the fields of a settings dataclass, by field name, each as one line."""
    docs = {}
    (definition,) = ast.parse(inspect.getsource(settings)).body
    for pair in itertools.pairwise(cast(ast.ClassDef, definition).body):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                docs[name] = " ".join(text.split())
    return docs


def kinds_of(settings: type) -> dict[str, tuple[Any, ...]]:
    """Return the types that each setting of a dataclass may have, by name; NoneType is among them if it may be None."""
    hints = get_type_hints(settings)
    return {field.name: _alternatives(hints[field.name]) for field in dataclasses.fields(settings)}


def check_settings(settings: Any) -> None:
    """Raise ConfigError if a setting has the wrong type or is outside its bounds or choices."""
    kinds = kinds_of(type(settings))
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if not any(_is_of_kind(value, kind) for kind in kinds[field.name]) or not _is_within(value, field.metadata):
            words = _in_words(kinds[field.name], field.metadata)
            raise ConfigError(f"{field.name} is {words}, not {shortened(value)}")


_WORDS: dict[Any, str] = {
    int: "an integer",
    float: "a number",
    bool: "true or false",
    str: "a text",
    tuple[str, ...]: "a list of texts",
    tuple[int, ...]: "a list of integers",
    tuple[str | dict[str, Any], ...]: "a list of texts and objects",
    dict[str, Any]: "an object",
}


def _in_words(kinds: Sequence[Any], about: Mapping[str, Any]) -> str:
    if about.get("choices"):
        return " or ".join(about["choices"])
    words = " or ".join(_WORDS[kind] for kind in kinds if kind is not NoneType)
    if about.get("bounds"):
        least, most = about["bounds"]
        words += f" above {least} and at most {most:,}" if about["above"] else f" from {least} to {most:,}"
    return words if NoneType not in kinds else f"{words}, or null" if about.get("bounds") else f"{words} or null"


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is UnionType else (hint,)


def _is_of_kind(value: Any, kind: Any) -> bool:
    if get_origin(kind) is tuple:
        inner = _alternatives(get_args(kind)[0])
        return isinstance(value, tuple) and all(any(_is_of_kind(part, one) for one in inner) for part in value)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(isinstance(key, str) for key in value)
    return fits(value, kind)


def _is_within(value: Any, about: Mapping[str, Any]) -> bool:
    if value is None:
        return True
    if about.get("bounds"):
        least, most = about["bounds"]
        return bool((least < value if about["above"] else least <= value) and value <= most)
    return not about.get("choices") or value in about["choices"]
