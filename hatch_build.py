"""A build's metadata (the README as it is shown outside the repository, and the links to where that is hosted), and the
compiled code of a wheel for one platform.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_VARIABLE = "ROMANS_ENV_REPOSITORY"
"""Environment variable with the address of the repository, such as https://github.com/OWNER/NAME; the workflow that
releases sets it. Without it a build has no links."""
_COMPILE = "ROMANS_ENV_COMPILE"
"""Environment variable that, where it is 1, makes a wheel one for this platform and version of Python, with the code
that `romans warm-up` would compile."""
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_LINK = re.compile(r"(!\[(?:[^\[\]]|\[[^\]]*\])*\]\(|\]\()(?!\w+:|#)([^)\s]+)\)")
"""The opening of a picture, with its words, or of a link, whose words may be a picture; and where it leads."""


class Metadata(MetadataHookInterface):
    """Sets ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields; ValueError for an address that is none."""
        if sys.version_info < (3, 10):  # noqa: UP036
            # pip of that age looks at ``requires-python`` last, and would name a dependency that it cannot find.
            raise RuntimeError(f"romans-env needs Python 3.10 or later, and this is {platform.python_version()}")
        root, address = Path(self.root), os.environ.get(_VARIABLE, "").rstrip("/")
        text = (root / "README.md").read_text(encoding="utf-8")
        if address:
            if not re.fullmatch(r"https://[\w.-]+/[\w.-]+/[\w.-]+", address):
                raise ValueError(f"{_VARIABLE} is an address such as https://github.com/OWNER/NAME, not {address!r}")
            match = _VERSION.search((root / "romans_env" / "__init__.py").read_text(encoding="utf-8"))
            assert match is not None
            tag = f"v{match[1]}"
            text = with_whole_links(text, address, tag)
            metadata["urls"] = {
                "Homepage": address,
                "Documentation": f"{address}/tree/{tag}/docs",
                "Source": address,
                "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class MachineCode(BuildHookInterface):
    """Puts compiled code into a wheel for this platform and this version of Python, where a variable asks for it.

    It compiles with the interpreter that builds, which needs numba and what else the package needs.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and add what that gives to the wheel."""
        if self.target_name != "wheel" or os.environ.get(_COMPILE) != "1":
            return
        self._folder = tempfile.TemporaryDirectory()
        _compile(Path(self.root), Path(self._folder.name))
        kept = Path(self._folder.name)
        for path in sorted([*kept.glob("romans_env/*/*.code"), *kept.glob("romans_env/*/*.checked")]):
            build_data["force_include"][str(path)] = f"romans_env/machine_code/{path.parent.name}/{path.name}"
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{_platform_tag()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _compile(root: Path, folder: Path) -> None:
    """Compile everything that `romans warm-up` does, for a level of processors."""
    sources = [str(root / part) for part in ("", "agents", "training")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sources)}
    ask = "from romans_env.compiling.shipped_code import level; print(level().cpu)"
    asked = subprocess.run(
        [sys.executable, "-c", ask], env=environment, check=True, stdout=subprocess.PIPE, text=True, cwd=folder
    )
    environment |= {"NUMBA_CACHE_DIR": str(folder), "NUMBA_CPU_NAME": asked.stdout.strip(), "NUMBA_CPU_FEATURES": ""}
    # In one process: what several compile in turn has other names of numba's own functions in it every time.
    command = [sys.executable, "-m", "romans_training.cli.main", "warm-up", "--native"]
    subprocess.run(command, env=environment, check=True, cwd=folder)


def _platform_tag() -> str:
    """The platform of a wheel whose code calls nothing but what numba and llvmlite bring."""
    if sys.platform == "darwin":
        return f"macosx_11_0_{platform.machine()}"
    tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return tag.replace("linux_", "manylinux_2_17_")


def with_whole_links(text: str, address: str, tag: str) -> str:
    """A page with addresses in place of relative links; those within the page stay.

    Args:
        text: of a page at the top of the repository, as Markdown.
        address: of the repository.
        tag: of the release.
    """
    return _LINK.sub(lambda link: f"{link[1]}{address}/{'raw' if link[1][0] == '!' else 'blob'}/{tag}/{link[2]})", text)
