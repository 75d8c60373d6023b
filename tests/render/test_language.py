"""Positions and answers in words: what a language model is shown, and how its answers are read."""

import json
import re
from collections import defaultdict
from itertools import islice
from pathlib import Path

import pytest

from romans_env import Game
from romans_env.core.games import spec_of
from romans_env.render.language import AnswerError, describe, format_answer, introduce, parse, plan_of
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE
from tests.romans_go_home.stages import new_game
from tests.tools import Lcg, decisions, state_bytes

GAMES = {game.name: game.scrambled for game in (ROMANS_GO_HOME, ROMA, STRUGGLE)}
TABLES = ((2, 0, "standard"), (3, 1, "vogel"), (1, 2, "standard"))


def games_of(name, seed):
    """Games at every decision."""
    if name == "romans-go-home":
        for table in TABLES:
            yield from decisions(new_game(table, seed), seed)
    else:
        for number in range(4):
            played = decisions(Game(spec_of(name).make_rules(), seed=seed + number), seed)
            # A random game of Struggle for Rome is fifteen times as long as one of Roma.
            yield from islice(played, number, None, 26 if name == "struggle" else 2)


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_is_read_back(name):
    kinds = set()
    for game in games_of(name, 1):
        view = game.view(game.seat_to_act)
        kinds.add(view.rules.decision_kind(view.states, 0))
        for action in view.legal_actions():
            answer = format_answer([action], view)
            assert parse(answer, view) == action
            assert parse(f'I think about {{"actions": ["take:1"]}}.\nSo: {answer} That is it.', view) == action
    assert len(kinds) > 5


@pytest.mark.parametrize("name", GAMES)
def test_a_description_names_every_legal_action_and_no_other(name):
    for game in games_of(name, 2):
        view = game.view(game.seat_to_act)
        text = describe(view)
        listed = [line[2:].partition(": ")[0] for line in text.splitlines() if line.startswith("- ")]
        names = [view.action_name(action) for action in view.legal_actions()]
        # A name may hold ": " in no game, but "lay:forum:1: ..." has colons.
        assert [one for one in listed if one in names] == names == listed
        assert text.startswith(f"You are {view.agent}.\n")
        assert f"{view.agent} decides" not in text  # the question says it
        for other in range(len(game.players)):
            if other != view.seat:
                assert "You have nothing to decide." in describe(game.view(other))


@pytest.mark.parametrize("name", GAMES)
def test_a_description_may_leave_out_which_actions_are_legal(name):
    """Two positions of the same kind of decision list the same names, whatever is legal."""
    told = defaultdict(set)
    for game in games_of(name, 2):
        view = game.view(game.seat_to_act)
        text, with_legal = describe(view, legal=False), describe(view)
        names = [view.action_name(action) for action in view.legal_actions()]
        line = text.partition("Actions of such a decision, legal now or not:\n")[2].splitlines()[0]
        assert set(names) <= set(line.split(", ")) and "Legal actions" not in text
        told[frozenset(one.partition(":")[0] for one in names)].add(line)
        assert text.splitlines()[:3] == with_legal.splitlines()[:3]
        wrong = next(action for action in range(view.rules.num_actions) if action not in view.legal_actions())
        with pytest.raises(AnswerError) as refused:
            plan_of(format_answer([wrong], view), view, legal=False)
        assert str(refused.value) == f"{view.action_name(wrong)} is not legal"
    assert all(len(lines) == 1 for lines in told.values()) and len(told) > 3


@pytest.mark.parametrize("name", GAMES)
def test_a_description_does_not_change_with_what_the_seat_cannot_know(name):
    changed, lcg = 0, Lcg(3)
    for game in games_of(name, 3):
        for seat in range(len(game.players)):
            other = GAMES[name](game, seat, lcg)
            changed += state_bytes(other) != state_bytes(game)
            assert describe(other.view(seat)) == describe(game.view(seat))
    assert changed > 50


def test_the_introduction_names_every_card():
    assert all(title in introduce("romans-go-home") for title in ("Filchy", "Ch'ariott", "Legion", "Tax"))
    assert all(card in introduce("roma") for card in ("gladiator", "forum", "templum"))
    assert not any(re.search(r": \w+\.$", introduce(game), re.MULTILINE) for game in GAMES)  # sentences alone
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        introduce("chess")


def test_a_whole_plan_is_one_answer():
    game = new_game((2, 0, "standard"), seed=4)
    view = game.view(0)
    hand = view.position()["clans"]["player_0"]["hand"]
    names = [f"discard:{hand[0]}", *(f"place:{card}" for card in hand[1:6])]
    actions = [view.action_id(name) for name in names]
    plan = plan_of(json.dumps({"actions": names}), view)
    assert plan_of({"actions": names}, view) == plan
    # Where equal cards are left, the rules lay the rest.
    assert list(plan.actions) == actions[: len(plan.actions)]
    assert len(plan.actions) >= 5
    game.act(plan.actions[0])
    for action, known in zip(plan.actions[1:], plan.views, strict=True):
        assert game.view(0).states.tobytes() == known
        game.act(action)
    assert game.seat_to_act != 0


def test_a_plan_that_breaks_the_rules_is_refused_at_its_first_wrong_action():
    view = new_game((2, 0, "standard"), seed=4).view(0)
    hand = view.position()["clans"]["player_0"]["hand"]
    only = next(card for card in hand if hand.count(card) == 1)
    with pytest.raises(AnswerError, match=f"after discard:{only}, place:{only} is not legal"):
        plan_of(json.dumps({"actions": [f"discard:{only}", f"place:{only}"]}), view)


def test_a_plan_ends_where_chance_comes_between():
    game = Game(spec_of("roma").make_rules(), seed=1)
    view = game.view(game.seat_to_act)
    names = [view.action_name(action) for action in view.legal_actions()]
    assert plan_of(json.dumps({"actions": names}), view) == ((view.legal_actions()[0],), ())


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("", "there is no JSON object"),
        ("I play place:axx", "there is no JSON object"),
        ('["discard:axx"]', "there is no JSON object"),
        ('{"actions": ["discard:axx"', "is broken"),
        ('{"actions": ["discard:axx"]} and {"actions": [', "is broken"),
        ("{" * 100_000, "is broken"),
        ('{"move": "discard:axx"}', "names no actions"),
        ('{"actions": []}', "names no actions"),
        ('{"actions": [3]}', "names no actions"),
        ('{"actions": "conquer:rome"}', "conquer:rome"),
        ('{"actions": ["take:1"]}', "take:1 is not legal: player_0 must decide 'discard'; legal are discard:"),
        (json.dumps({"actions": ["discard:axx"] * 65}), "a plan has at most 64 actions, not 65"),
        ('{"actions": ["discard:axx"], "actions": ["discard:zvord"]}', "gives the name 'actions' twice"),
        ("x" * (2**20 + 1), "more than 1,048,576 characters"),
    ],
)
def test_an_answer_that_cannot_be_played_says_why(answer, message):
    view = new_game((2, 0, "standard"), seed=4).view(0)
    with pytest.raises(AnswerError) as refused:
        parse(answer, view)
    assert message in str(refused.value)
    assert len(str(refused.value)) < 700 and "\n" not in str(refused.value)


def test_the_last_object_counts_and_the_prose_around_it_does_not():
    view = new_game((2, 0, "standard"), seed=4).view(0)
    one, two = view.legal_actions()[:2]
    first, second = format_answer([one], view), format_answer([two], view)
    assert parse(f"{first} no, rather {second}, not {view.action_name(one)}", view) == two
    assert parse(json.dumps({"action": view.action_name(two)}), view) == two
    with pytest.raises(AnswerError):
        parse(f'{first} {{"note": {first}}}', view)  # an object within another does not count


def test_the_python_of_the_page_runs(capsys):
    page = Path(__file__).resolve().parents[2] / "docs" / "agents" / "language_models.md"
    snippet, *_ = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(snippet, "docs/agents/language_models.md", "exec"), {"__name__": "page"})
    printed = capsys.readouterr().out
    assert "You are player_0." in printed
    assert printed.endswith('there is no JSON object; end with one such as {"actions": ["NAME"]}\n')
