"""What is published: source and wheel are built again to the byte, and say whose they are, and where they are from."""

import importlib.util
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from zipfile import ZipFile

import pytest

import romans_env
from romans_env import replay_page, save_record
from tests.romans_go_home.stages import random_game

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("romans_env", "romans_agents", "romans_training", "romans_serve")
REPOSITORY = "https://forge.example/owner/name"
TAG = f"v{romans_env.__version__}"
FONTS = (".ttf", ".otf", ".woff", ".woff2")

pytest.importorskip("hatchling", reason="needs hatchling; install the extra 'dev'")


def built(root: Path, folder: Path, **environment: str) -> tuple[Path, Path]:
    """The source distribution and the wheel of a checkout."""
    variables = {key: text for key, text in os.environ.items() if key != "ROMANS_ENV_REPOSITORY"}
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)],
        cwd=root,
        env={**variables, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """What the release workflow builds: a source distribution and a wheel."""
    folder = tmp_path_factory.mktemp("dist")
    return built(ROOT, folder, SOURCE_DATE_EPOCH="1700000000", ROMANS_ENV_REPOSITORY=REPOSITORY)


@pytest.fixture(scope="module")
def wheel(published):
    with ZipFile(published[1]) as archive:
        yield archive


@pytest.fixture(scope="module")
def metadata(wheel) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return BytesParser().parsebytes(wheel.read(name))


def test_the_source_distribution_builds_both_again_to_the_byte(published, tmp_path):
    source, wheel = published
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    # Its links are in its PKG-INFO: who builds it again need not say where it is from.
    again = built(unpacked, tmp_path / "again", SOURCE_DATE_EPOCH="1700000000")
    assert [path.name for path in again] == [source.name, wheel.name]
    assert [path.read_bytes() for path in again] == [source.read_bytes(), wheel.read_bytes()]


def test_the_wheel_holds_its_packages_with_their_types_and_nothing_else(wheel):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert tops == {*PACKAGES, f"romans_env-{romans_env.__version__}.dist-info"}
    for package in PACKAGES:
        assert f"{package}/py.typed" in wheel.namelist()
    assert not [name for name in wheel.namelist() if "__pycache__" in name or name.endswith(".code")]


def test_the_pages_of_rules_and_the_board_are_in_the_wheel(wheel):
    pages = {"romans_go_home": "romans_go_home_rules.md", "roma": "roma_rules.md", "struggle": "struggle_rules.md"}
    for game, page in pages.items():
        assert wheel.read(f"romans_env/render/{game}/rules.md") == (ROOT / "docs" / "environments" / page).read_bytes()
    for name in ("board.json", "board.schema.json"):
        assert wheel.read(f"romans_env/struggle/{name}") == (ROOT / "romans_env" / "struggle" / name).read_bytes()


def test_the_parts_of_a_replay_page_are_in_the_wheel(wheel, tmp_path):
    wheel.extractall(tmp_path / "installed")
    game = random_game((2, 0, "standard"), seed=2)
    save_record(game.record(), tmp_path / "game.json")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import romans_env; assert sys.argv[1] in romans_env.__file__\n"
        "page = romans_env.replay_page(romans_env.load_record(sys.argv[2])).html\n"
        "print(len(page))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "installed"), str(tmp_path / "game.json")]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # compiling anew would take a minute
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(len(replay_page(game).html)), done.stderr


def test_every_licence_is_in_the_wheel(wheel, metadata):
    assert metadata["License-Expression"] == "MIT"
    for name in metadata.get_all("License-File"):
        packaged = wheel.read(f"romans_env-{romans_env.__version__}.dist-info/licenses/{name}")
        assert packaged == (ROOT / name).read_bytes()
    # Letters are drawn with matplotlib's DejaVu Sans. A font in the wheel, or within a page, needs a licence file.
    assert not [name for name in wheel.namelist() if name.endswith(FONTS)]
    pages = [name for name in wheel.namelist() if name.endswith((".css", ".html", ".js"))]
    assert pages and not [name for name in pages if b"@font-face" in wheel.read(name)]


def test_the_metadata_say_what_it_is_and_for_whom(metadata):
    assert (metadata["Name"], metadata["Version"]) == ("romans-env", romans_env.__version__)
    assert metadata["Requires-Python"] == ">=3.10"
    classifiers = set(metadata.get_all("Classifier"))
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in range(10, 15)} <= classifiers
    assert "Typing :: Typed" in classifiers
    links = dict(one.split(", ", 1) for one in metadata.get_all("Project-URL"))
    assert set(links) == {"Homepage", "Documentation", "Source", "Changelog", "Issues"}
    assert all(link.startswith(REPOSITORY) for link in links.values())
    assert links["Changelog"] == f"{REPOSITORY}/blob/{TAG}/CHANGELOG.md"


def test_the_workflows_try_every_python_that_is_named(metadata):
    named = {text.rpartition(" ")[2] for text in metadata.get_all("Classifier") if "Python :: 3." in text}
    for name in ("test", "release"):
        workflow = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
        matrices = re.findall(r"^ *python: \[(.*)\]$", workflow, re.MULTILINE)
        assert matrices and all(set(re.findall(r'"([\d.]+)"', matrix)) == named for matrix in matrices)


def test_the_links_of_the_readme_lead_to_the_repository(metadata):
    assert metadata["Description-Content-Type"] == "text/markdown"
    text = metadata.get_payload()
    relative = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link and not link.startswith("#")]
    assert relative == []
    assert f"]({REPOSITORY}/raw/{TAG}/docs/pictures/attack.svg)" in text
    assert f"({REPOSITORY}/blob/{TAG}/docs/index.md)" in text


def test_links_are_made_whole_one_by_one():
    whole = runpy.run_path(str(ROOT / "hatch_build.py"))["with_whole_links"]
    for text, expected in (
        ("[a](docs/a.md#b) and ![c](d.png)", "[a](R/blob/v1/docs/a.md#b) and ![c](R/raw/v1/d.png)"),
        ("[![c](d.png)](e.md)", "[![c](R/raw/v1/d.png)](R/blob/v1/e.md)"),
        ("[a](https://x.example/) [b](#c) [d](mailto:e)", "[a](https://x.example/) [b](#c) [d](mailto:e)"),
        ('`"romans-env[train]"` (with torch)', '`"romans-env[train]"` (with torch)'),
    ):
        assert whole(text, "R", "v1") == expected


def test_an_address_that_is_none_is_refused(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    for address in ("owner/name", "http://forge.example/owner/name", "https://forge.example/owner"):
        environment = {**os.environ, "ROMANS_ENV_REPOSITORY": address}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode != 0
        assert "ROMANS_ENV_REPOSITORY is an address such as https://github.com/OWNER/NAME" in done.stderr


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_refuses_an_old_python_in_one_line(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nsys.version_info, sys.version = (3, 9, 18), '3.9.18 (main)'"
    )
    done = subprocess.run(
        ["make", "train", f"VENV={tmp_path / 'venv'}", f"PYTHON={sys.executable}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0 and not (tmp_path / "venv").exists()
    said = f"Python 3.10 or later is needed, and {sys.executable} is 3.9.18: name another"
    assert done.stderr.splitlines()[0] == f"{said}, such as make PYTHON=python3.12 train"


def test_a_build_with_an_old_python_names_it(monkeypatch):
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["Metadata"](str(ROOT), {})
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    with pytest.raises(RuntimeError, match="needs Python"):
        hook.update({})


def test_the_index_takes_it(published):
    pytest.importorskip("twine", reason="needs twine; install the extra 'dev'")
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, published)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


def test_the_citation_names_what_is_published(metadata):
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in ("cff-version: 1.2.0", "type: software", f"version: {romans_env.__version__}", "license: MIT"):
        assert f"\n{line}\n" in f"\n{citation}"
    assert f"\n  - name: {metadata['Author']}\n" in citation
    summary = metadata["Summary"].lower().replace("-learning", " learning")
    named = re.search(r"\nkeywords:\n((?:  - .*\n)+)", citation)
    assert named is not None
    assert set(re.findall(r"  - (.*)\n", named[1])) <= set(metadata["Keywords"].split(","))
    title = re.search(r'\ntitle: "romans-env: (.*)"\n', citation)
    assert title is not None
    assert title[1] in summary
    assert f"  title = {{romans-env: {title[1]}}}," in (ROOT / "README.md").read_text(encoding="utf-8")


# -- compiled code


def test_a_wheel_with_compiled_code_is_for_this_python_and_platform_alone(monkeypatch, tmp_path):
    tags = pytest.importorskip("packaging.tags", reason="needs packaging")
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    hook_module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook_module)

    def compiled(root, folder):
        kept = folder / "romans_env" / "compiled-0123"
        kept.mkdir(parents=True)
        for name in ("one.code", "1.checked", "one.lock"):
            (kept / name).write_bytes(b"x")

    monkeypatch.setattr(hook_module, "_compile", compiled)
    hook = hook_module.MachineCode(str(ROOT), {}, None, None, str(tmp_path), "wheel")
    build_data = {"force_include": {}}
    hook.initialize("standard", build_data)
    assert build_data == {"force_include": {}}
    monkeypatch.setenv("ROMANS_ENV_COMPILE", "1")
    hook.initialize("standard", build_data)
    hook.finalize("standard", build_data, "")
    places = {f"romans_env/machine_code/compiled-0123/{name}" for name in ("one.code", "1.checked")}
    assert set(build_data["force_include"].values()) == places
    assert build_data["pure_python"] is False
    (tag,) = tags.parse_tag(build_data["tag"])
    here = sys.version_info[:2]
    assert tag in tags.sys_tags()
    platforms = [tag.platform]
    for minor in range(8, 16):
        others = {*tags.cpython_tags((3, minor), platforms=platforms), *tags.compatible_tags((3, minor))}
        assert (tag in others) == ((3, minor) == here)
    assert tag not in tags.cpython_tags(here, platforms=["manylinux_2_17_riscv64", "win_arm64"])
