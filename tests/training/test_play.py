"""A person at the terminal: what is shown, at 80 columns, and what the commands do."""

import json
import re
import sys
from pathlib import Path

import pytest

import romans_agents
from romans_env import load_record, replay
from romans_env.render.roma.card_help import NOTES as ROMA_NOTES
from romans_env.render.romans_go_home.card_help import WARRIOR_NOTES
from romans_env.render.romans_go_home.text_interface import TEXT_INTERFACE
from romans_env.roma.material import CARDS
from romans_env.romans_go_home.material import WARRIORS
from romans_training.cli.agents import command as agents_command
from romans_training.cli.rules import command as rules_command
from romans_training.compare.annotations import annotation_of
from tests.romans_go_home.stages import new_game
from tests.training.terminals import at_a_terminal, flat, output_of, play_at, widest

RULES = Path(__file__).resolve().parents[2] / "docs" / "environments"
PLAN = "1 1 1 1 1\n"
"""Of the deal of seed 5, where a player holds two Ch'ariotts: what is left then is placed by itself."""


def test_the_start_says_the_aim_and_who_plays():
    out = play_at("--table", "2+1", "--against", "hoarder", answers="q\n")
    assert out.splitlines()[:7] == [
        "Romans Go Home!, 2 players, 1 neutral clan, seed 5",
        *TEXT_INTERFACE.aim,
        "\u25cf you",
        "\u25a0 hoarder",
        "\u25b2 neutral (plays by rule)",
        "? explains the cards and the commands.",
    ]
    out = play_at("--table", "3+0", "--seat", 1, "--against", "greedy,round-ismcts:iterations=3", answers="q\n")
    assert out.splitlines()[3:6] == ["\u25cf round-ismcts (round-ismcts:iterations=3)", "\u25a0 you", "\u25b2 greedy"]


def test_a_person_sees_no_hidden_card_of_the_others():
    out, dealt = play_at("--against", "greedy", "--seat", 1, answers="q\n"), new_game((2, 0), 5).deal()["rounds"][0]
    assert "player_0" not in out and re.search(r"greedy +0 +none +nobody +0 +6\n", out)
    assert dealt["player_0"] != dealt["player_1"]


def test_help_explains_every_warrior_every_fort_and_every_command():
    out = flat(play_at(answers="?\nq\n"))
    for table in TEXT_INTERFACE.help_tables:
        for row in table.rows:
            assert all(word in out for word in flat(" ".join(row)).split()), row
    assert len(TEXT_INTERFACE.help_tables[1].rows) == len(WARRIORS)
    for command in ("?NAME", "w", "u, undo", "h, hint", "q"):
        assert f" {command} " in out
    about_axx = play_at(answers="?axx\nq\n")
    assert "If you capture, he may stay face-up." in about_axx and "Wrecked" not in about_axx
    assert "No card has 'nero' in its name." in play_at(answers="?nero\nq\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_person_at_a_terminal_reads_turn_by_turn_and_answers_what_is_asked_now(tmp_path):
    pager = tmp_path / "pager.py"
    pager.write_text("import sys\nprint('paged:', len(sys.stdin.read().splitlines()) > 24)\n")
    with at_a_terminal("play", "--seed", 5, PAGER=f"{sys.executable} {pager}") as person:
        person.read_until("your choice>")
        person.type("?\n")
        person.read_until("your choice>", "paged: True")
        person.type("?axx\n")
        person.read_until("your choice>", "If you capture, he may stay face-up.")
        # One more than the plan has: it does not answer what the attack asks.
        person.type("zvord 5 4 3 2 1 1\n")
        assert turns_in(person.read_until("Enter continues", "Turn 1")) == [1]
        person.type("\r")
        assert turns_in(person.read_until("Enter continues", "Turn 2")) == [1, 2]
        # The key shows the rest, and what is typed after it is dropped.
        person.type("x1\n1\n")
        shown = person.read_until("your choice>", "Turn 3")
        assert "Something new has happened, so this was ignored: 1\n" in shown
        assert turns_in(shown)[2:] and "Enter continues" not in shown
        assert shown.count("your choice>") == 4
        person.type("q\n")
        person.read_until("your choice>", "s saves the game")
        person.type("\n")
        person.read_until("stopped")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_tribe_decides_beside_a_part_of_the_map_that_fits_24_lines(tmp_path):
    pager = tmp_path / "pager.py"
    pager.write_text("import sys\nprint('paged:', 'Rhe2' in sys.stdin.read())\n")
    with at_a_terminal("play", "--game", "struggle", "--seed", 5, PAGER=f"{sys.executable} {pager}") as person:
        person.read_until("your choice>", "29) end the turn")
        person.type("29\n")
        person.read_until("Enter continues", "You end the turn")
        person.type("x")
        person.read_until("your choice>", "What do your horsemen do?")
        seen = "\n".join(person.screen.display)
        assert "Round 1, phase 3: horsemen" in seen and "your choice>" in seen
        assert "Rom5 Roma, 5 towers" in seen and "12 where you may go, 12* for a fare" in seen
        # The south of the map is in the pager.
        assert "Vid4" in seen and "Rhe2" not in seen
        person.type("w\n")
        person.read_until("your choice>", "paged: True")


def turns_in(text):
    return [int(number) for number in re.findall(r"^Turn (\d)", text, re.MULTILINE)]


def test_zvord_shows_the_order_that_he_changes():
    out = play_at(answers="1 1 1 1 1\n3\nu\nq\n")
    now = [re.findall(r"\w\S* \d", line) for line in out.splitlines() if line.startswith("\u2502now")]
    assert now == [["Arch'r 5", "Filchy 6", "Horsie 7", "Ch'ariott 9", "Ch'ariott 9"]] * 3
    assert "\u2502new \u2502           \u2502 Horsie 7 " in out


@pytest.mark.parametrize(("columns", "table"), [(80, "3+1"), (120, "2+0")])
def test_a_whole_game_fits_the_terminal_with_whole_words(columns, table, monkeypatch):
    answers = "?\nh\n" + "1\nw\n2\n" * 60
    out = play_at("--table", table, answers=answers, columns=columns)
    assert "player_" not in out and "neutral_" not in out
    assert widest(out) <= columns
    monkeypatch.setattr("romans_training.cli.screen.MOST_COLUMNS", 1000)
    unbroken = play_at("--table", table, answers=answers, columns=1000)
    assert set(out.split()) <= set(unbroken.split())
    assert re.search(r"(You win|You share the win|greedy.* wins?|share the win).*\. Points: you -?\d+", flat(out))


def test_colours_are_for_terminals_and_can_be_left_out():
    assert "\x1b[" not in play_at(answers="q\n")
    coloured = play_at(answers="q\n", FORCE_COLOR="1", TERM="xterm-256color")
    assert re.search(r"\x1b\[[\d;]*33m", coloured)
    plain = play_at(answers="q\n", FORCE_COLOR="1", TERM="xterm-256color", NO_COLOR="1")
    assert not re.search(r"\x1b\[[\d;]*3\dm", plain)


def test_a_wrong_answer_is_one_clear_line():
    out = play_at(answers="nonsense\n99\nq\n")
    assert "'nonsense' is not a choice: answer with a number from 1 to 6, a name, or ?\n" in out
    assert "'99' is not a choice: answer with a number from 1 to 6, a name, or ?\n" in out
    for answers in ("q\n", "1 q\n", ""):
        assert play_at(answers=answers).rstrip().endswith("stopped")


def test_a_plan_can_be_taken_back_until_it_is_complete():
    out = play_at(answers="discard:chariott\n1\nu\nundo\nu\nq\n")
    taken = re.findall(r"Taken back: (.*)\.|(There is nothing to take back: .*)\.\n", out)
    assert [first or second for first, second in taken] == [
        "place Qween 1 in slot 1",
        "set Ch'ariott 9 aside",
        "There is nothing to take back: you have not chosen anything yet",
    ]
    refusal = "There is nothing to take back: another player has decided since your last choice."
    assert refusal in flat(play_at(answers=f"{PLAN}u\nq\n"))


def test_what_is_taken_back_is_not_in_the_record(tmp_path):
    record = tmp_path / "game.json"
    play_at("--save", record, answers="discard:chariott\n1\n1\nu\nu\nu\ndiscard:filchy\nq\n")
    assert json.loads(record.read_text())["actions"] == ["player_0 discard:filchy"]


def test_a_hint_says_in_words_what_an_agent_would_do():
    out = flat(play_at("--hint", "greedy", answers="h\nhint\nq\n"))
    hints = re.findall(r"greedy would (set \S+ \d aside)\.", out)
    assert len(hints) == 2 and hints[0] == hints[1]
    # What it does not say of the game it says of itself, once.
    assert out.count("Its idea: arranges its warriors for the highest expected score.") == 1


def test_a_hint_of_a_policy_has_its_chances_and_the_games():
    out = flat(play_at(answers="1\nh\nq\n"))
    found = re.search(
        r"legate would place \S+ \d in slot 1 \((\d+) %\).*\. "
        r"It expects you to win (\d+) % of such games if everyone plays as it does\.",
        out,
    )
    game = new_game((2, 0), 5)
    game.act("discard:qween")
    opinion = annotation_of(romans_agents.make("legate"), game.view(0))
    assert int(found[1]) == round(100 * max(opinion.probabilities.values()))
    assert int(found[2]) == round(50 + 50 * opinion.value)


def test_choices_say_what_a_card_does():
    out = flat(play_at(answers="1\nq\n"))
    assert "1) Qween 1, charms a rival 2) Zvord 3, new order 3) Arch'r 5, wins ties" in out
    assert set(WARRIOR_NOTES) == set(WARRIORS)
    roma = flat(play_at("--game", "roma", answers="1\n1\nq\n"))
    assert "1) sicarius (character, costs 9), discards a rival's character 2)" in roma
    assert "lay gladiator, sends a character home: 7) disc 1 8) disc 2" in roma
    assert set(ROMA_NOTES) == set(CARDS)


def test_a_hint_of_an_agent_that_fails_is_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bots.py").write_text(
        "class Broken:\n    def act(self, view):\n        raise RuntimeError('no idea')\n"
        "class Wrong:\n    def act(self, view):\n        return 55\n"
    )
    assert "Broken gives no hint: RuntimeError: no idea" in flat(
        play_at("--hint", "bots.py:Broken", answers="h\nq\n")
    ).replace("bots.py:Broken", "Broken")
    assert "gives no hint: IllegalActionError: the agent bots.py:Wrong: give_up:tax-8 is not legal" in flat(
        play_at("--hint", "bots.py:Wrong", answers="h\nq\n")
    )


def test_the_replay_page_is_written_where_it_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = "1 1 1 1 1 1 1 1 1 1\n" * 10
    page = tmp_path / "page.html"
    out = play_at("--replay", page, answers=whole, columns=200)
    assert f"replay page written to {page}" in out and "r writes a page" not in out
    assert "greedy" in page.read_text(encoding="utf-8")
    assert "r writes a page" in play_at(answers="1 " * 200 + "\n", columns=200)
    assert not (tmp_path / "romans-go-home-5.html").exists()


def test_a_page_is_asked_for_at_the_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    record = tmp_path / "game.json"
    play_at("--save", record, answers="1\n" * 60)
    number = sum(line.startswith("player_0") for line in replay(load_record(record)).record()["actions"])
    for last, name in (("r", "romans-go-home-5.html"), ("r other.html", "other.html")):
        out = play_at(answers="1\n" * number + f"{last}\n", columns=200)
        assert f"replay page written to {tmp_path / name}\n" in out and (tmp_path / name).exists()


def test_rules_begin_with_what_a_first_game_needs():
    lines = output_of(rules_command).splitlines()
    assert lines[0] == "Romans Go Home! in short" and tuple(lines[1:3]) == TEXT_INTERFACE.aim
    assert any("The rules in full" in line for line in lines[:15])


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "struggle"])
def test_the_rules_are_those_of_the_docs_in_whole_words(game):
    page = RULES / f"{game.replace('-', '_')}_rules.md"
    out = output_of(rules_command, "--game", game)
    assert widest(out) <= 80
    text = re.sub(r"\]\([^)]*\)", "]", page.read_text(encoding="utf-8"))  # addresses of links are not shown
    words = set(re.findall(r"\w+", text))
    assert len(words) > 400
    assert not words - set(re.findall(r"\w+", out))


def test_agents_are_listed_strongest_first_with_their_ratings():
    out = output_of(agents_command)
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
    found = ["".join(cells[1:2]).replace(",", "") for cells in rows.values()]
    ratings = [int(one) for one in found if re.fullmatch(r"-?\d+", one)]
    assert len(ratings) > 10 and ratings == sorted(ratings, reverse=True)


def test_an_agent_is_shown_with_its_options():
    out = flat(output_of(agents_command, "plan-mc"))
    assert "iterations=2000" in out and "plan-mc:iterations=200 has 1,659 [" in out
