"""The pages of rules: in the docs of a checkout, beside the module in the wheel."""

from pathlib import Path

from romans_env.core.games import names
from romans_env.render.text_interface import page_beside, text_interface_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"romans-go-home": "romans_go_home_rules.md", "roma": "roma_rules.md", "struggle": "struggle_rules.md"}


def test_every_game_has_its_page_of_the_docs():
    assert {game: text_interface_of(game).rules_page for game in names()} == {
        game: ROOT / "docs" / "environments" / page for game, page in PAGES.items()
    }


def test_a_page_beside_the_module_comes_first(tmp_path):
    module = tmp_path / "terminal.py"
    assert (
        page_beside(str(module), "romans_go_home_rules.md")
        == ROOT / "docs" / "environments" / "romans_go_home_rules.md"
    )
    (tmp_path / "rules.md").write_text("# Rules\n")
    assert page_beside(str(module), "romans_go_home_rules.md") == tmp_path / "rules.md"
