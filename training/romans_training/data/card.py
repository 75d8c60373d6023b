"""The card of an export, ``README.md``; its YAML header tells Hugging Face's ``datasets`` how to read the rows.

The header also names the actions, which the files cannot: ``datasets`` supports names for 64-bit integers only, to
which it casts the actions.
"""

from __future__ import annotations

import json
from typing import Any

_TEXT = """---
{head}
---

# {name}

{description} `datasets.load_dataset` reads this folder.

| column | |
|---|---|
{columns}
"""


def card_of(croissant: dict[str, Any], pattern: str, schema: Any = None) -> str:
    """Return the text of a card.

    Args:
        croissant: the Croissant description of the export.
        pattern: a glob pattern of the files of rows.
        schema: the pyarrow schema of rows with arrays; None for rows in words, whose types ``datasets`` infers.
    """
    head: dict[str, Any] = {
        "tags": ["reinforcement-learning", "games", "imperfect-information"],
        "configs": [{"config_name": "default", "data_files": pattern}],
    }
    if schema is not None:
        head["dataset_info"] = {"features": _features_of(schema)}
    columns = croissant["recordSet"][0]["field"]
    return _TEXT.format(
        **croissant,
        head="\n".join(f"{key}: {json.dumps(value)}" for key, value in head.items()),  # JSON is YAML
        columns="\n".join(f"| `{column['name']}` | {column['description']} |" for column in columns),
    )


def _features_of(schema: Any) -> list[dict[str, Any]]:
    features = {field.name: _feature_of(field.type) for field in schema}
    names = json.loads(schema.metadata[b"actions"])
    features["action"] = {"dtype": {"class_label": {"names": {str(k): name for k, name in enumerate(names)}}}}
    return [{"name": name, **feature} for name, feature in features.items()]


def _feature_of(kind: Any) -> dict[str, Any]:
    if hasattr(kind, "list_size"):
        return {"sequence": _feature_of(kind.value_type)["dtype"], "length": kind.list_size}
    if hasattr(kind, "index_type"):  # a dictionary
        return _feature_of(kind.value_type)
    return {"dtype": "float32" if str(kind) == "float" else str(kind)}
