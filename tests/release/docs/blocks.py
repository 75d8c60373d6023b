"""Blocks of code on the pages of the documentation, and what the comment before each says about running it."""

import re
import shlex
import textwrap
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pages import pages_of

ROOT = Path(__file__).resolve().parents[3]
PAGES = [
    *(ROOT / name for name in ("README.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md")),
    *pages_of(ROOT / "docs"),
    *pages_of(ROOT / "agents"),
    ROOT / "openenv" / "README.md",
]
_BLOCK = re.compile(
    r"(?:^ *<!-- (?P<mark>[^\n]*) -->\n)?^(?P<indent> *)```(?P<language>[\w{}-]*)\n(?P<text>.*?)^ *```$", re.M | re.S
)
_PROGRAMS = ("romans", "python", "pip", "make", "ruff", "mypy", "node", ".venv/bin/")


@dataclass(frozen=True)
class Block:
    """A block of code.

    Attributes:
        page: the file.
        line: the line of the page on which the block begins.
        language: ``python``, ``sh`` or another.
        text: what is in it.
        mark: the comment on the line before; empty where there is none.
    """

    page: Path
    line: int
    language: str
    text: str
    mark: str

    @property
    def place(self) -> str:
        """The page and the line."""
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"

    @property
    def reason(self) -> str | None:
        """Why the block is not run; None where it is."""
        return self.mark.removeprefix("not run: ") if self.mark.startswith("not run: ") else None

    @property
    def test(self) -> str | None:
        """The test that runs the block; None where this module's own does."""
        return self.mark.removeprefix("run by ") if self.mark.startswith("run by ") else None

    @property
    def smaller(self) -> dict[str, str]:
        """Options with the values that they are to be run with."""
        words = shlex.split(self.mark.removeprefix("run with ")) if self.mark.startswith("run with ") else []
        return dict(zip(words[::2], words[1::2], strict=True))

    def commands(self) -> list[list[str]]:
        """The commands of a shell block, as lists of words; comments are left out."""
        text = self.text.replace("\\\n", " ")
        lines = [part for line in text.splitlines() for part in line.split(" && ")]
        return [words for line in lines if (words := shlex.split(line, comments=True))]


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page, in their order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page,
            text[: found.start("language")].count("\n") + 1,
            found["language"],
            textwrap.dedent(found["text"]),
            found["mark"] or "",
        )
        for found in _BLOCK.finditer(text)
    ]


def looks_like_commands(block: Block) -> bool:
    """Whether a block without a language has commands in it."""
    return block.text.startswith(tuple(f"{name} " for name in _PROGRAMS[:-1])) or block.text.startswith(_PROGRAMS[-1])
