"""The card of an export, ``README.md``, whose head, in YAML, says to Hugging Face's ``datasets`` what is to be read.

It names the actions, which the files cannot: ``datasets`` has names for integers of 64 bits alone, and casts to these.
"""

from __future__ import annotations

import json
from typing import Any

_TEXT = """---
{head}
---

# {name}

{description}

`datasets.load_dataset` reads this folder. `croissant.json` describes it, too, in Croissant.

| column | |
|---|---|
{columns}
"""


def card_of(croissant: dict[str, Any], pattern: str, schema: Any = None) -> str:
    """Return the text of a card.

    Args:
        croissant: the description of the export.
        pattern: of the names of the files of rows.
        schema: of a table of decisions, pyarrow's, with the names of the actions in its metadata; None for rows in
            words, whose features ``datasets`` finds by itself.
    """
    head: dict[str, Any] = {
        "tags": ["reinforcement-learning", "games", "imperfect-information"],
        "configs": [{"config_name": "default", "data_files": pattern}],
    }
    if schema is not None:
        head["dataset_info"] = {"features": _features_of(schema)}
    columns = croissant["recordSet"][0]["field"]
    return _TEXT.format(
        head="\n".join(f"{key}: {json.dumps(value)}" for key, value in head.items()),  # JSON is YAML
        name=croissant["name"],
        description=croissant["description"],
        columns="\n".join(f"| `{column['name']}` | {column['description']} |" for column in columns),
    )


def _features_of(schema: Any) -> list[dict[str, Any]]:
    names = {str(number): name for number, name in enumerate(json.loads(schema.metadata[b"actions"]))}
    return [
        {"name": field.name, "dtype": {"class_label": {"names": names}}}
        if field.name == "action"
        else {"name": field.name, **_feature_of(field.type)}
        for field in schema
    ]


def _feature_of(kind: Any) -> dict[str, Any]:
    if hasattr(kind, "list_size"):
        return {"sequence": _feature_of(kind.value_type)["dtype"], "length": kind.list_size}
    if hasattr(kind, "index_type"):  # a dictionary
        return _feature_of(kind.value_type)
    return {"dtype": {"float": "float32"}.get(str(kind), str(kind))}
