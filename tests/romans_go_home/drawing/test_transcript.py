"""A game told in words: why a fort was captured or lost, and nobody's secrets."""

import re

import pytest

from romans_env.render.romans_go_home.text import render_text, transcript
from tests.romans_go_home.stages import COVERING, Stage, clans, new_game, random_game, table_id
from tests.tools import decisions


def told(lines: str, *choices: str, wall: str = "", variant: str = "standard") -> str:
    """The transcript of a staged game up to the choices given."""
    game = Stage(clans(lines), wall, variant).planned_game()
    for choice in choices:
        game.act(choice)
    return transcript(game)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("axx / axx", "nobody captures: player_0 and player_1 are level and none revealed Arch'r; dinary-3 is"),
        ("archr / archr", "nobody captures: player_0 and player_1 are level, with 2 Arch'rs; dinary-3 is"),
        ("filchy / filchy", "nobody captures: nobody fights; dinary-3 is discarded"),
        ("chariott / chariott / archr", "the Ch'ariotts of player_0 and player_1 wreck each other"),
        ("horsie / chariott", "player_0 captures nothing with Horsie and loses her"),
        ("qween / archr", "player_0 6 (Qween), player_1 0 (Arch'r); player_0's Qween charms player_1's Arch'r"),
        ("axx archr / horsie chariott", "player_0 captures dinary-3 (Arch'r wins the tie)"),
    ],
)
def test_why(lines, sentence):
    assert sentence in told(lines)


def test_druhid_and_the_slot_he_takes():
    wall = "dinary-1 legion-1 dinary-3 dinary-4 signal-4 dinary-6"
    text = told("druhid / filchy", "take:5", wall=wall)
    assert "player_0 captures signal-4 from slot 5, with Dru'hid" in text
    assert "player_1 loses Filchy to the Signal fort" in text


@pytest.mark.parametrize("variant", ["standard", "vogel"])
def test_druhid_and_the_slot_he_takes_among_equal_forts(variant):
    wall = "dinary-4 dinary-4 dinary-4 dinary-4 dinary-5 dinary-6"
    text = told("druhid / filchy", "take:4", wall=wall, variant=variant)
    assert "player_0 captures dinary-4 from slot 4, with Dru'hid" in text


def test_the_tax():
    wall = "dinary-1 dinary-3 dinary-4 dinary-4 dinary-5 tax-8"
    text = told("chariott druhid / archr filchy", "take:6", wall=wall)
    assert "player_0 gives up dinary-1 to the Tax-collector" in text


def test_the_end_by_legion_forts():
    wall = "dinary-1 legion-1 legion-2 legion-3 dinary-3 dinary-5"
    text = told("filchy chariott chariott horsie / horsie druhid archr filchy", wall=wall)
    assert text.endswith("== The end == player_0 wins by three Legion forts; points: player_0 -6, player_1 1\n")


@pytest.mark.parametrize("table", [table for table in COVERING if table[0] > 1], ids=table_id)
def test_a_viewer_is_not_told_the_others_secrets(table):
    game = random_game(table, seed=2)
    for viewer in game.players:
        # Not even how often the others were asked: that would tell who has two equal cards left (RULES 4.14).
        secret = re.compile(rf"  (?!{viewer} )player_\d (sets|places|puts) ")
        assert transcript(game, viewer).splitlines() == [
            line for line in transcript(game).splitlines() if not secret.match(line)
        ]


def test_a_viewer_sees_a_position_without_the_others_cards():
    game = new_game((2, 0, "standard"), seed=3)
    for _ in decisions(game, seed=3):
        lines = render_text(game, "player_1").splitlines()
        (head,) = (number for number, line in enumerate(lines) if re.match("  player_0 .* points", line))
        row = lines[head + 1]
        assert "set aside" not in row
        for cards in re.findall("(?:hidden|hand) ([^;]*)", row):
            assert set(cards) <= set("? -")


def test_a_position_tells_totals_and_captures_of_its_turn():
    text = render_text(Stage(clans("archr zvord / chariott axx // filchy")).planned_game())
    assert "Turn 1, for dinary-3: player_0 Arch'r, player_1 Ch'ariott, neutral_0 Filchy" in text
    assert "totals: player_0 5 (Arch'r), player_1 9 (Ch'ariott), neutral_0 does not fight" in text
    assert "player_1 captures dinary-3" in text and "player_1 discards Ch'ariott" in text
    assert re.search(r"player_1 +3 points +dinary-3", text) and "decides: " in text
