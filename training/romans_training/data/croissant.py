"""A description of an export in Croissant 1.0, the JSON-LD of ML Commons for data sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import romans_env
from romans_env.games import spec_of
from romans_training.data.record_files import digest_of_file


def croissant_of(folder: Path, parts: Sequence[str], game: str) -> dict[str, Any]:
    """The description of an export: ``croissant.template.json``, which describes every column, with its files.

    Args:
        folder: of the export.
        parts: names of its files of rows.
        game: the name of the game.
    """
    template = resources.files(__package__) / "croissant.template.json"
    found: dict[str, Any] = json.loads(template.read_text(encoding="utf-8"))
    found["name"] = found["name"].format(game=game)
    found["description"] = found["description"].format(title=spec_of(game).title)
    found["creator"]["name"] = found["creator"]["name"].format(version=romans_env.__version__)
    files = [
        {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": f"decisions/{name}",
            "encodingFormat": "application/x-parquet",
            "sha256": digest_of_file(folder / "decisions" / name),
        }
        for name in parts
    ]
    return {**found, "distribution": [*files, *found["distribution"]]}
