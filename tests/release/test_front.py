"""The front of the repository: the README, its pictures and badges, forms, hooks and workflows agree with the code."""

import re
import runpy

import pytest

from tests.pages import DOCS

ROOT = DOCS.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


@pytest.fixture
def made(monkeypatch):
    """The names of the script that makes the pictures."""
    monkeypatch.syspath_prepend(DOCS / "scripts")
    return runpy.run_path(str(DOCS / "scripts" / "make_front.py"))


def test_the_strip_of_games_is_what_the_code_draws(made):
    assert made["STRIP"].read_text(encoding="utf-8") == made["strip"](), "run: python docs/scripts/make_front.py"


def test_badges_say_what_the_project_and_its_workflow_say(made):
    for name, said in made["badges"]().items():
        file = DOCS / "pictures" / f"badge_{name}.svg"
        # Widths are the font's.
        assert re.findall(r">([^<]+)</", file.read_text(encoding="utf-8"))[1:] == list(said), (
            "run: python docs/scripts/make_front.py"
        )
        assert f"[![{': '.join(said)}](docs/pictures/{file.name})](" in README


def test_the_card_has_the_size_that_sites_ask_for(made):
    image = pytest.importorskip("PIL.Image").open(made["CARD"])
    assert image.size == (1200, 630)
    assert made["CARD"].stat().st_size < 300_000


def test_the_readme_is_short_and_leads_on():
    assert len(README.split()) <= 600
    first_screen = README.partition("\n## ")[0]
    for link in ("docs/start/play.md", "docs/index.md", "docs/measuring/leaderboard.md"):
        assert f"]({link})" in first_screen
    commands = re.findall(r"^make (\w+)", README, re.MULTILINE)
    assert commands == ["train", "test"]
    lines = "".join(re.findall(r"```(?:sh|python)\n(.*?)```", README, re.DOTALL)).splitlines()
    assert max(map(len, lines)) <= 100, "code hosts show no more"


def test_hooks_run_the_linter_of_the_tests():
    (pinned,) = re.findall(r"^ruff==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r'"ruff==([^"]+)"', hooks)) == {pinned}
    assert ".venv" not in hooks


def test_forms_have_what_the_code_host_asks_for():
    yaml = pytest.importorskip("yaml", reason="needs PyYAML; install the extra 'dev'")
    forms = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in FORMS if path.name != "config.yml"]
    assert len(forms) >= 3
    for form in forms:
        assert form["name"] and form["description"]
        fields = form["body"]
        assert len({field["id"] for field in fields}) == len(fields)
        for field in fields:
            assert field["type"] in ("textarea", "input", "dropdown") and field["attributes"]["label"]
            assert (field["type"] == "dropdown") == ("options" in field["attributes"])


def test_a_rule_is_reported_for_any_game():
    (form,) = (path.read_text(encoding="utf-8") for path in FORMS if path.name == "rule.yml")
    pages = re.findall(r"docs/environments/\w+_rules\.md", form)
    assert set(pages) == {f"docs/environments/{path.name}" for path in DOCS.glob("environments/*_rules.md")}


def test_the_site_is_published_with_its_addresses_and_from_main_alone():
    yaml = pytest.importorskip("yaml", reason="needs PyYAML; install the extra 'dev'")
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "docs.yml").read_text(encoding="utf-8"))
    build, publish = (workflow["jobs"][name] for name in ("build", "publish"))
    (command,) = (step for step in build["steps"] if step.get("run", "").startswith("make docs"))
    settings = set(re.findall(r'os\.environ\.get\("(\w+)"', (DOCS / "site" / "conf.py").read_text(encoding="utf-8")))
    assert set(command["env"]) == settings
    assert publish["if"] == "github.ref == 'refs/heads/main'"
    assert "pages" not in workflow["permissions"] and publish["permissions"] == {"pages": "write", "id-token": "write"}
