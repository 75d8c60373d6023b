"""Roma at the terminal: every card explained, every choice in words, undo up to the dice."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from romans_env.render.roma.card_help import EFFECTS
from romans_env.roma.material import CARDS, COST, DEFENCE
from romans_training.cli.play import command as play_command


def played(*arguments, answers, columns=80):
    """The output of a game on a terminal of so many columns."""
    runner = CliRunner(env={"COLUMNS": str(columns)})
    arguments = ["--game", "roma", "--seed", "5", *arguments]
    result = runner.invoke(play_command, arguments, input=answers)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.output


def flat(text):
    return " ".join(text.split())


def test_help_explains_every_card():
    out = flat(played(answers="?\nq\n"))
    assert set(EFFECTS) == set(CARDS)
    for card, cost, defence in zip(CARDS, COST, DEFENCE, strict=True):
        assert f" {card} {cost} {defence} {EFFECTS[card].split()[0]}" in out
    out = flat(played(answers="?mercator\nq\n"))
    assert EFFECTS["mercator"] in out and "legionarius" not in out.partition("?mercator")[2]


@pytest.mark.parametrize("columns", [80, 120])
def test_a_whole_game_fits_the_terminal_with_whole_words(columns, monkeypatch):
    answers = "?\nh\n" + "2\nh\n1\nu\n3\n5\n" * 200
    out = played(answers=answers, columns=columns)
    assert "player_" not in out and "{" not in out
    assert max(map(len, out.split("\n"))) <= columns
    monkeypatch.setattr("romans_training.cli.screen.MOST_COLUMNS", 1000)
    assert set(out.split()) <= set(played(answers=answers, columns=1000).split())
    assert re.search(r"(You win|forum-runner wins|You share the win).*\. Points: you \d+, forum-runner \d+", flat(out))


def test_what_was_chosen_without_dice_is_taken_back():
    out = played(answers="1\n1\n1\n2\n3\n1\n1\nu\nu\nq\n")
    assert "You throw 1, 1, 5" in out
    assert "Taken back: use the 1 for sestertii." in out
    refusal = "There is nothing to take back: another player has decided since your last choice."
    assert refusal in flat(out)
