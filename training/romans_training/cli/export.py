"""``romans export``."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

import romans_agents
from romans_env.files import atomic_write, check_writable

_POLICY_FORMS = ("onnx", "json")


@click.command(name="export")
@click.argument("source")
@click.option("--to", "form", type=click.Choice(_POLICY_FORMS), required=True, help="Form of what is written.")
@click.option("--file", type=click.Path(path_type=Path), help="File to write.  [default: SOURCE with another ending]")
def command(source: str, form: str, file: Path | None) -> None:
    """Write SOURCE in a form that other programs read.

    SOURCE is a policy file (.npz), which becomes an ONNX model or JSON.
    """
    err = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    target = file or Path(source).with_suffix(f".{form}")
    check_writable(target)
    policy = romans_agents.Policy.load(source)
    content = policy.to_onnx() if form == "onnx" else policy.to_json().encode()
    with atomic_write(target) as temporary:
        temporary.write_bytes(content)
    err.print(f"written: {target}")
