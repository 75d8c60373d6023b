"""The documentation site is built without a warning, has every public name, and loads nothing from elsewhere."""

import importlib
import importlib.util
import inspect
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from romans_env import roma_v0, romans_go_home_v0, struggle_v0
from romans_env.envs.single import SingleSeatEnv

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
MODULES = re.findall(r"^\.\. automodule:: ([\w.]+)$", "".join(map(Path.read_text, sorted(DOCS.glob("api/*.md")))), re.M)
"""Modules of the API reference."""
NO_PAGES = {f"romans_agents.{game}.compiled_agents" for game in ("romans_go_home", "roma", "struggle")}
"""Modules whose ``__all__`` is for others in this library: it names what they hand on."""
PAGES_OF_GAMES = {"romans_go_home": romans_go_home_v0, "roma": roma_v0, "struggle": struggle_v0}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built pages."""
    for name in ("sphinx", "furo", "myst_nb", "sphinx_copybutton", "sphinx_external_toc"):
        pytest.importorskip(name, reason="the documentation is not built: install the extra 'docs'")
    pytest.importorskip("torch", reason="the API reference needs the extra 'train'")
    folder = tmp_path_factory.mktemp("site")
    options = ["-c", "docs/site", "-b", "html", "-W", "--keep-going", "-q", "-d", str(folder / "doctrees")]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, ".", str(folder / "html")], cwd=ROOT, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def documented(site):
    """Names of all Python objects in the inventory that other sites link by."""
    *_, packed = (site / "objects.inv").read_bytes().split(b"\n", 4)
    return {
        line.split()[0] for line in zlib.decompress(packed).decode().splitlines() if line.split()[1].startswith("py:")
    }


def modules_with_public_names():
    """Modules that have an ``__all__``."""
    for top, folder in (
        ("romans_env", ROOT),
        ("romans_agents", ROOT / "agents"),
        ("romans_training", ROOT / "training"),
    ):
        for source in (folder / top).rglob("*.py"):
            if "__all__" in source.read_text(encoding="utf-8"):
                parts = source.relative_to(folder).with_suffix("").parts
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_modules_with_public_names_are_in_the_reference():
    assert set(modules_with_public_names()) - NO_PAGES <= set(MODULES)


def test_every_public_name_is_in_the_reference(documented):
    assert set(MODULES) <= documented
    needs_a_library = set() if importlib.util.find_spec("pyspiel") else {"romans_env.envs.open_spiel_game"}
    imported = [importlib.import_module(name) for name in MODULES if name not in needs_a_library]
    # A name may be described where another module has it.
    described = {id(found) for name in documented if (found := resolved(name)) is not None}
    names = [(module, name) for module in imported for name in getattr(module, "__all__", [])]
    assert len(names) > 60
    for module, name in names:
        full_name = f"{module.__name__}.{name}"
        assert full_name in documented or id(getattr(module, name)) in described, full_name


def resolved(name):
    """What a dotted name in the reference means; None for members, and for numbers and texts, which may be shared."""
    module, _, last = name.rpartition(".")
    found = getattr(sys.modules.get(module), last, None)
    return None if isinstance(found, bool | int | float | str) else found


@pytest.mark.parametrize("name", ["Game", "View", "Record", "draw", "replay", "load_record"])
def test_the_first_names_have_an_entry(documented, name):
    assert f"romans_env.{name}" in documented


def test_every_page_is_on_the_site(site):
    pages = [*DOCS.glob("*.md"), *DOCS.glob("api/*.md"), *(ROOT / "notebooks").glob("*.ipynb")]
    assert len(pages) > 40
    for page in pages:
        assert (site / page.relative_to(ROOT).with_suffix(".html")).exists()
    assert (site / "_static" / "play" / "index.html").exists()
    assert "docs/index.html" in (site / "index.html").read_text(encoding="utf-8")


def test_pages_load_nothing_from_elsewhere(site):
    loading = re.compile(
        r"<(?:script|link|img|iframe|source|video|object)\b[^>]*?\b(?:src|href|data)=[\"'](?:https?:)?//[^\"']*"
        r"|url\([\"']?(?:https?:)?//[^)]*|@import[^;]*//[^;]*"
    )
    files = [path for kind in ("html", "css") for path in site.rglob(f"*.{kind}")]
    assert len(files) > 60
    for path in files:
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"<link rel=[\"'](?:canonical|license)[\"'][^>]*>", "", text)
        assert loading.findall(text) == [], path


@pytest.mark.skipif(CHROMIUM is None, reason="the page is tested in Chromium")
def test_games_are_played_within_a_page(site):
    sync_api = pytest.importorskip("playwright.sync_api", reason="the page is tested with Playwright")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800}, offline=True)
        page.goto((site / "docs" / "index.html").as_uri())
        page.click(".romans-play button")
        frame = page.frame_locator(".romans-play-frame")
        frame.locator("#games li .play").nth(2).wait_for()
        frame.locator("#games li .play").first.click()
        frame.locator("#answers button[data-action]").first.wait_for()
        page.set_viewport_size({"width": 360, "height": 740})
        page.reload()
        page.click(".romans-play a")
        page.locator("#games li .play").nth(2).wait_for()


def test_notebooks_are_shown_with_their_outputs(site):
    page = (site / "notebooks" / "05_tournament.html").read_text(encoding="utf-8")
    assert "<img" in page and "<table" in page


def test_the_commands_have_their_options(site):
    page = (site / "docs" / "api" / "command_line.html").read_text(encoding="utf-8")
    for option in ("--self-play", "--search-deals", "--records"):
        assert option in page


@pytest.mark.parametrize("name", PAGES_OF_GAMES)
def test_the_page_of_an_environment_has_its_spaces_and_arguments(name):
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    module = PAGES_OF_GAMES[name]
    env = module.raw_env()
    actions, observations = env.action_space("player_0"), env.observation_space("player_0")["observation"]
    assert f"`Discrete({actions.n})`" in page
    assert f"({observations.shape[0]},)" in page and str(observations.dtype) in page
    arguments = page.partition("## Arguments")[2].partition("\n## ")[0]
    for function in (module.raw_env, SingleSeatEnv):
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind is not parameter.VAR_KEYWORD and parameter.name != "game":
                row = re.search(rf"^\|[^|]*`{parameter.name}`[^|]*\| ([^|]*)\|", arguments, re.MULTILINE)
                assert row is not None, parameter.name
                if function is module.raw_env and parameter.default is not None:
                    shown = f'`"{parameter.default}"`' if isinstance(parameter.default, str) else str(parameter.default)
                    assert row[1].strip() == shown, parameter.name
    for section in ("Action space", "Observation space", "Rewards", "Starting state", "Episode end", "Version history"):
        assert f"\n## {section}\n" in page
