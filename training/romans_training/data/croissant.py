"""A description of an export in Croissant 1.0, the JSON-LD of ML Commons for data sets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import romans_env
from romans_env.games import spec_of

_CONTEXT: dict[str, Any] = json.loads(
    (resources.files("romans_training.data") / "croissant_context.json").read_text(encoding="utf-8")
)
"""The names of the standard, as it gives them."""

COLUMNS: dict[str, tuple[str, str, bool]] = {
    "game": ("sc:Integer", "Number of the game among the records, from 0.", False),
    "step": ("sc:Integer", "Number of the decision in its game, from 0.", False),
    "setup": ("sc:Text", "Name of the game's setup.", False),
    "seat": ("sc:Integer", "The seat that decided, from 0.", False),
    "agent": ("sc:Text", "Agent spec of that seat; null where the record names none.", False),
    "observation": ("sc:Integer", "What the seat observed.", True),
    "action_mask": ("sc:Integer", "1 for every legal action, by action id.", True),
    "action": ("sc:Integer", "Id of the action that was chosen.", False),
    "probability": ("sc:Float", "Probability with which the agent chose it; null where it is not known.", False),
    "probabilities": ("sc:Float", "Probability of every action, by action id; null where they are not known.", True),
    "reward": ("sc:Float", "Reward of the seat up to its next decision, or to the end of the game.", False),
    "return": ("sc:Float", "Return of the seat at the end of the game, in [-1, 1].", False),
    "is_last": ("sc:Boolean", "Whether it is the seat's last decision in the game.", False),
}
"""The columns of a row: type, description, and whether a value is a list."""


def croissant_of(folder: Path, parts: Sequence[str], game: str) -> dict[str, Any]:
    """The description of an export.

    Args:
        folder: of the export.
        parts: names of its files of rows.
        game: the name of the game.
    """
    title = spec_of(game).title
    files = [
        {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": f"decisions/{name}",
            "encodingFormat": "application/x-parquet",
            "sha256": _digest(folder / "decisions" / name),
        }
        for name in parts
    ]
    every = {
        "@type": "cr:FileSet",
        "@id": "parts",
        "name": "parts",
        "encodingFormat": "application/x-parquet",
        "includes": "decisions/*.parquet",
    }
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"{game}-decisions",
        "description": f"Decisions of recorded games of {title}: one row for each, with what the seat observed, the "
        "legal actions, the action, the probabilities of the agent that chose it where they are known, and the return.",
        "version": "1.0.0",
        "creator": {"@type": "sc:Organization", "name": f"romans-env {romans_env.__version__}"},
        "distribution": [*files, every],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "decisions",
                "name": "decisions",
                "key": [{"@id": "decisions/game"}, {"@id": "decisions/step"}],
                "field": [_field(name) for name in COLUMNS],
            }
        ],
    }


def _field(name: str) -> dict[str, Any]:
    kind, description, is_list = COLUMNS[name]
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"decisions/{name}",
        "name": name,
        "description": description,
        "dataType": kind,
        "source": {"fileSet": {"@id": "parts"}, "extract": {"column": name}},
    }
    return {**field, "repeated": True} if is_list else field


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        digest = hashlib.sha256()
        while piece := file.read(2**20):
            digest.update(piece)
    return digest.hexdigest()
