"""Players by name, and the reader as "you"."""

import pytest

from romans_env.render.seat_names import SeatNames, short_names

NAMES = {"player_0": "human", "player_1": "greedy #2", "neutral_0": "neutral"}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("player_0 draws 2 forum", "You draw 2 forum"),
        ("  forum: player_0 gets 3 points", "  forum: you get 3 points"),
        ("  player_0 keeps forum and discards nero", "  You keep forum and discard nero"),
        ("  player_1 keeps forum and discards nero", "  greedy #2 keeps forum and discards nero"),
        ("player_1 puts a card aside for player_0", "greedy #2 puts a card aside for you"),
        ("player_0's Qween charms player_1's Axx", "Your Qween charms greedy #2's Axx"),
        ("  totals: player_0 does not fight, neutral_0 5 (Axx)", "  totals: you do not fight, neutral 5 (Axx)"),
        ("== Turn 3: player_0 ==", "== Turn 3: you =="),
        ("player_0 and player_1 are level", "You and greedy #2 are level"),
        ("== The end == player_0 wins; points: player_0 3", "== The end == you win; points: you 3"),
        ("from player_0 player_1 takes 2", "from you greedy #2 takes 2"),
        ("player_0 name:pass", "You name:pass"),
        ("player_0 draws:3", "You draws:3"),
        ("player_0 raises: amount 3", "You raise: amount 3"),
        ("player_0 passes", "You pass"),
        ("player_0 tries 2 crates", "You try 2 crates"),
        ("player_0 was told", "You were told"),
        ("crates of player_0 crates", "crates of you crates"),
        ("player_0 sails less", "You sail less"),
        ("", ""),
    ],
)
def test_a_line_speaks_to_its_reader(line, told):
    assert SeatNames(NAMES, "player_0").in_words(line) == told


def test_without_a_reader_everybody_has_a_name():
    seat_names = SeatNames(NAMES)
    assert (
        seat_names.in_words("player_0 draws a card from player_1's hand") == "human draws a card from greedy #2's hand"
    )
    assert (seat_names.name("player_0"), seat_names.whose("player_1")) == ("human", "greedy #2's")


def test_names_are_painted_and_marks_differ():
    seat_names = SeatNames(NAMES, "player_0")
    text = seat_names.painted("Your Qween charms greedy #2's Axx")
    assert [text.plain[span.start : span.end] for span in text.spans] == ["Your", "greedy #2"]
    assert len({span.style for span in text.spans}) == 2
    assert len({seat_names.label(seat).plain[0] for seat in NAMES}) == 3
    letters = SeatNames(NAMES, "player_0", ascii_only=True)
    assert [letters.label(seat).plain for seat in NAMES] == ["A you", "B greedy #2", "C neutral"]


def test_agents_have_short_names_that_differ():
    specs = ["greedy", "ismcts:seconds=1", "greedy", "runs/first/policy.npz", "policy:path=a/b.npz,sample=true"]
    assert short_names(specs) == ["greedy", "ismcts", "greedy #2", "policy.npz", "b.npz"]
    assert short_names(["bots/my_bot.py:MyBot:depth=2", "you.py:you"]) == ["MyBot", "you (agent)"]
