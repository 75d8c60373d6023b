"""The documentation site is built without a warning, has every public name, loads nothing from elsewhere, can be read
by keyboard and screen reader, and says what a link to it is shown as.
"""

import importlib
import importlib.util
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from romans_env import roma_v0, romans_go_home_v0, struggle_v0
from romans_env.envs.single import SingleSeatEnv

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DOCS, AXE = ROOT / "docs", HERE.parent / "serve" / "axe" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
REPOSITORY, ADDRESS = "https://forge.example/owner/name", "https://docs.example/name"
MOVED = json.loads((DOCS / "site" / "moved.json").read_text(encoding="utf-8"))
SOUGHT = {
    "action mask": "environments/interfaces",
    "benchmark": "measuring/comparing",
    "checkpoint": "training/romans_train",
    "custom agent": "agents/own_agents",
    "custom environment": "project/adding_a_game",
    "data-parallel": "training/many_cores",
    "determinization": "agents/search",
    "exploitability": "measuring/exploit",
    "hyperparameters": "training/romans_train",
    "leaderboard": "measuring/leaderboard",
    "multi-GPU": "training/many_cores",
    "replay": "environments/pictures",
    "reward shaping": "environments/rewards",
    "self-play": "training/self_play",
    "vector environment": "environments/interfaces",
}
"""Terms of the field, and the page that the site's search must list first."""
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
    folder = tmp_path_factory.mktemp("site")
    options = ["-c", "docs/site", "-b", "html", "-W", "--keep-going", "-q", "-d", str(folder / "doctrees")]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, ".", str(folder / "html")],
        cwd=ROOT,
        env={**os.environ, "ROMANS_ENV_REPOSITORY": REPOSITORY, "ROMANS_ENV_SITE": ADDRESS},
        capture_output=True,
        text=True,
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
    pytest.importorskip("torch", reason="the reference is compared with modules that need the extra 'train'")
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


def pages_in(site):
    """The pages that are read: no parts of the game, and no addresses that lead on."""
    leading = {site / f"{old}.html" for old in MOVED}
    return [path for path in site.rglob("*.html") if "_static" not in path.parts and path not in leading]


def test_what_is_before_a_colon_is_no_type_of_an_attribute(site):
    pages = {path.name: path.read_text(encoding="utf-8") for path in (site / "docs" / "api").glob("*.html")}
    assert "s observation: int8" in pages["game.html"]
    assert [name for name, page in pages.items() if ">Type<" in page] == []


@pytest.mark.parametrize("name", ["Game", "View", "Record", "draw", "replay", "load_record"])
def test_the_first_names_have_an_entry(documented, name):
    assert f"romans_env.{name}" in documented


def test_every_page_is_on_the_site(site):
    pages = [*DOCS.rglob("*.md"), *(ROOT / "notebooks").glob("*.ipynb")]
    assert len(pages) > 40
    for page in pages:
        assert (site / page.relative_to(ROOT).with_suffix(".html")).exists()
    assert (site / "_static" / "play" / "index.html").exists()
    assert "docs/index.html" in (site / "index.html").read_text(encoding="utf-8")


def test_addresses_of_pages_that_moved_lead_to_them(site):
    for old, new in MOVED.items():
        page = site / f"{old}.html"
        target = re.search(r"url=([^\"]+)", page.read_text(encoding="utf-8"))[1]
        assert (page.parent / target).resolve() == site.resolve() / new[1:]
        assert "<h1>" in (page.parent / target).read_text(encoding="utf-8")


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


def test_pages_lead_to_the_repository(site):
    page = (site / "docs" / "training" / "romans_train.html").read_text(encoding="utf-8")
    assert f'<a class="repository-link" href="{REPOSITORY}">' in page
    for kind in ("edit", "blob"):
        assert f'href="{REPOSITORY}/{kind}/main/docs/training/romans_train.md"' in page


def test_a_link_to_a_page_is_shown_with_its_title_a_sentence_and_a_picture(site):
    for name, address in (
        ("docs/training/romans_train", "docs/training/romans_train.html"),
        ("index", ""),
        ("docs/index", "docs/index.html"),
    ):
        page = (site / f"{name}.html").read_text(encoding="utf-8")
        told = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))
        assert told["og:title"] == ("Training" if "training" in name else "romans-env")
        assert 20 < len(told["og:description"]) <= 202 and told["description"] == told["og:description"]
        assert told["og:url"] == f"{ADDRESS}/{address}"
        assert told["og:image"].startswith(f"{ADDRESS}/")
        assert (site / told["og:image"].removeprefix(f"{ADDRESS}/")).exists()


def test_every_page_has_the_icon(site):
    for path in pages_in(site):
        (icon,) = re.findall(r'<link rel="(?:shortcut )?icon" href="([^"?]*)', path.read_text(encoding="utf-8"))
        assert (path.parent / icon).exists()
    assert (site / "favicon.ico").exists()


@pytest.mark.skipif(CHROMIUM is None, reason="pages are looked at in Chromium")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(site, theme):
    sync_api = pytest.importorskip("playwright.sync_api", reason="pages are tested with Playwright")
    # The page at the root leads on at once.
    paths = [path for path in pages_in(site) if path != site / "index.html"]
    assert len(paths) > 100
    # The theme is one of colours: what is not seen is looked for once.
    ask = "" if theme == "light" else ", runOnly: ['color-contrast']"
    found = {}
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme=theme)
        for path in paths:
            page.goto(path.as_uri())
            page.evaluate(AXE.read_text(encoding="utf-8"))
            seen = page.evaluate(f"() => axe.run(document, {{ resultTypes: ['violations']{ask} }})")["violations"]
            for one in seen:
                if one["impact"] in ("serious", "critical"):
                    found[path.relative_to(site).as_posix(), one["id"]] = [node["html"][:200] for node in one["nodes"]]
        browser.close()
    assert found == {}


def test_a_class_over_a_library_that_is_not_installed_has_its_own_arguments(monkeypatch):
    pytest.importorskip("sphinx", reason="the documentation is not built: install the extra 'docs'")
    monkeypatch.syspath_prepend(DOCS / "site")
    docstrings = importlib.import_module("docstrings")

    class StandIn:
        __sphinx_mock__ = True

        def __new__(cls, *args, **kwargs):
            return super().__new__(cls)

    class OverALibrary(StandIn):
        def __init__(self, size: int, name: str = "x"):
            pass

    class Plain:
        def __init__(self, size: int):
            pass

    shown = [
        docstrings.with_own_arguments(None, "class", "", one, {}, "(*args, **kwargs)", None)
        for one in (OverALibrary, Plain)
    ]
    assert shown == [("(size: int, name: str = 'x')", None), ("(*args, **kwargs)", None)]


@pytest.mark.skipif(CHROMIUM is None, reason="pages are looked at in Chromium")
def test_the_search_finds_the_fields_terms_at_the_right_page_first(site):
    sync_api = pytest.importorskip("playwright.sync_api", reason="pages are tested with Playwright")
    found = {}
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--allow-file-access-from-files"]
        )
        page = browser.new_page(offline=True)
        for term in SOUGHT:
            page.goto(f"{(site / 'search.html').as_uri()}?q={term.replace(' ', '+')}")
            page.locator("#search-results ul.search li a").first.wait_for()
            page.locator(".search-summary:has-text('found')").wait_for()
            first = page.locator("#search-results ul.search li > a").first.get_attribute("href")
            found[term] = re.split(r"\.html", first)[0].removeprefix("docs/")
    assert found == SOUGHT


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
    page = (DOCS / "environments" / f"{name}.md").read_text(encoding="utf-8")
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
