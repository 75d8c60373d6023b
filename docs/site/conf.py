"""Settings of Sphinx for the documentation site: ``make docs``.

The source folder is the whole checkout, so that links between pages, notebooks and code work both here and on a code
host; `include_patterns` says which files are pages. `toc.yml` has the order of the pages.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT), str(ROOT / "agents"), str(ROOT / "training"), str(ROOT / "serve")]
# Show the signatures of the Python functions, not of their compiled versions.
os.environ["NUMBA_DISABLE_JIT"] = "1"

import romans_env  # noqa: E402

project = "romans-env"
project_copyright = "the authors of romans-env"
release = version = romans_env.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_external_toc",
    "sphinx_reredirects",
    "accessibility",
    "cards",
    "commands",
    "docstrings",
    "play_files",
    "references",
]
external_toc_path = "docs/site/toc.yml"
# Addresses that pages had before they moved, and the new ones.
redirects = json.loads((HERE / "moved.json").read_text(encoding="utf-8"))
include_patterns = [
    "docs/**.md",
    "notebooks/*.ipynb",
    "agents/romans_agents/*/trained/*.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
]
# Folders without pages are not searched.
exclude_patterns = [
    ".*",
    "runs",
    "dist",
    "build",
    "benchmarks",
    "examples",
    "recipes",
    "romans_env",
    "serve",
    "tests",
    "training",
    "docs/_build",
]
nitpicky = True
# Types that appear in signatures but are not part of the API.
nitpick_ignore = [
    ("py:class", "romans_agents.batches.arena.GameCallback"),
    ("py:class", "romans_agents.policies.policy_file.PolicyParts"),
    ("py:class", "romans_env.engine.step_functions.StepFunctions"),
    ("py:class", "romans_env.envs.batch_env.BatchEnv"),
    ("py:class", "romans_env.core.base_rules.T"),
    ("py:class", "romans_env.core.event.Event"),
    ("py:class", "romans_env.render.replay_page.Frame"),
    ("py:class", "romans_env.render.replay_page.SymbolGroup"),
    ("py:class", "romans_env.render.svg.Element"),
    ("py:class", "romans_training.analysis.questions.PolicyComparison"),
    ("py:exc", "romans_training.learn.metrics_file.MetricsFileError"),
]

# Pages
myst_heading_anchors = 4
nb_execution_mode = "off"
# Outputs are stored in the notebooks; the script for widgets would be loaded from another site.
nb_ipywidgets_js = {}
highlight_language = "none"

# Docstrings
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
# Libraries of extras: signatures name their types, but the libraries themselves are not needed.
autodoc_mock_imports = [
    name
    for name in ("open_spiel", "pandas", "pyspiel", "sb3_contrib", "stable_baselines3", "torch")
    if importlib.util.find_spec(name) is None
]
napoleon_numpy_docstring = False
napoleon_use_ivar = True
default_role = "py:obj"

# Pages in HTML
html_theme = "furo"
html_title = f"romans-env {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_search_scorer = str(HERE / "scorer.js")
html_show_sphinx = False
html_show_sourcelink = False
html_favicon = "static/favicon.svg"
# For browsers that request an icon before they have read a page.
html_extra_path = ["root"]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "repository.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_theme_options: dict[str, object] = {"light_logo": "logo-light.svg", "dark_logo": "logo-dark.svg"}
# As in the metadata of a distribution, pages link to the repository only if its address is given.
repository = os.environ.get("ROMANS_ENV_REPOSITORY", "").rstrip("/")
html_context = {"repository": repository}
if repository:
    html_theme_options |= {
        "source_edit_link": f"{repository}/edit/main/{{filename}}",
        "source_view_link": f"{repository}/blob/main/{{filename}}",
    }
# The address where the site is published, which link previews need for their picture.
site = os.environ.get("ROMANS_ENV_SITE", "").rstrip("/")
html_baseurl = f"{site}/" if site else ""
