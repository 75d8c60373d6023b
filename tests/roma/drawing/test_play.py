"""Roma at the terminal: every card explained, every choice in words, undo up to the dice."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from click.testing import CliRunner

from romans_env.render.cast import Cast
from romans_env.render.roma.card_help import EFFECTS
from romans_env.render.roma.terminal import TERMINAL
from romans_env.render.roma.words import in_words
from romans_env.roma.material import CARDS, COST, DEFENCE
from romans_env.undo import Undo
from romans_training.cli.play import command as play_command
from tests.roma.stages import game_at, new_game
from tests.tools import decisions

NAMES = {"player_0": "human", "player_1": "raider"}


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


def test_a_choice_is_final_where_another_decides_or_chance_does():
    kept = 0
    for seed in range(2):
        before = None
        for game in decisions(new_game(seed), seed):
            if before is not None:
                undo = Undo()
                undo.chosen(before, game.action_id(game.actions[-1][1]), "it", game)
                drawn = len(game.deal()["outcomes"]) - len(before.deal()["outcomes"])
                if game.seat_to_act != before.seat_to_act:
                    assert undo.why_empty == "another player has decided since your last choice"
                elif drawn:
                    assert undo.why_empty == "chance has decided since your last choice"
                taken = undo.take_back()
                assert taken is None or (taken == (before, "it") and not drawn)
                kept += taken is not None
            before = game.clone()
    assert kept > 30


def test_every_decision_has_a_question_and_different_choices():
    kinds = set()
    for game in chain([game_at("buy")], *(decisions(new_game(seed), seed) for seed in range(12))):
        player = game.agent_to_act
        cast = Cast(NAMES, player)
        kinds.add(game.position()["decision"]["kind"])
        question = TERMINAL.question(game, player, cast)
        choices = TERMINAL.choices(game, player, game.legal_actions(), cast)
        assert question.rstrip(")").endswith(("?", ".")) and "None" not in question
        assert len({(choice.group, choice.item) for choice in choices}) == len(choices)
        assert len({choice.phrase for choice in choices}) == len(choices)
        assert not any(re.search(r"None|player_|\w:\w", choice.item + choice.phrase) for choice in choices)
    assert {"give", "lay", "triple", "main", "keep", "take", "own", "rival", "die", "sign", "buy"} <= kinds


def test_stories_speak_to_their_reader_in_the_second_person():
    told = set()
    for seed in range(6):
        game = new_game(seed)
        for _ in decisions(game, seed):
            pass
        for player in NAMES:
            cast = Cast(NAMES, player)
            told |= {cast.in_words(line) for line in in_words(game.events(), player)}
    verbs = {found for line in told for found in re.findall(r"\b[Yy]ou (\w+)", line)}
    assert {"draw", "pay", "throw", "use", "lay", "keep", "get", "have", "end"} <= verbs
    assert not {verb for verb in verbs if verb.endswith("s")}
    assert not any(re.match(r" *You .*\band (discards|leaves|keeps)\b", line) for line in told)
