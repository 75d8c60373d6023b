"""Every game at the terminal: questions and choices that differ, stories that speak to their reader."""

import re

import pytest

from romans_env.render.seat_names import SeatNames
from romans_env.render.text_interface import text_interface_of
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE
from tests.tools import played

OF_ROMANS_GO_HOME = "discard place reorder charm take axx unwary lose"
GAMES = [
    pytest.param(ROMANS_GO_HOME, {"num_neutrals": 1}, 6, 1, OF_ROMANS_GO_HOME, id="romans-go-home"),
    pytest.param(ROMA, {}, 14, 1, "give lay triple main keep take own rival die sign", id="roma"),
    pytest.param(STRUGGLE, {"max_rounds": 20}, 3, 4, "legion rob build answer tribe fare", id="struggle"),
]


@pytest.mark.parametrize(("game", "setup", "seeds", "every", "kinds"), GAMES)
def test_every_decision_has_a_question_and_different_choices(game, setup, seeds, every, kinds):
    terminal, seen = text_interface_of(game.name), set()
    for here in (one for seed in range(seeds) for one in game.positions(seed, every, **setup)):
        if here.is_over:
            continue
        player = here.agent_to_act
        seat_names = SeatNames({seat: f"agent {number}" for number, seat in enumerate(here.rules.seats)}, player)
        seen.add(here.rules.decision_kind(here.states, 0))
        question = terminal.question(here, player, seat_names)
        choices = terminal.choices(here, player, here.legal_actions(), seat_names)
        assert question.rstrip(")").endswith(("?", ".")) and "None" not in question
        assert len({(one.group, one.item) for one in choices}) == len({one.phrase for one in choices}) == len(choices)
        assert not any(re.search(r"None|_|\w:\w", one.item + one.phrase) for one in choices)
    assert seen >= set(kinds.split())


@pytest.mark.parametrize(
    ("game", "setup", "seeds", "verbs"),
    [
        pytest.param(ROMA, {}, 6, "draw pay throw use lay keep get have end", id="roma"),
        pytest.param(STRUGGLE, {}, 2, "draw throw move build buy offer accept decline play take get", id="struggle"),
    ],
)
def test_stories_speak_to_their_reader_in_the_second_person(game, setup, seeds, verbs):
    told = set()
    for seed in range(seeds):
        one = played(game.new_game(seed, **setup), seed)
        for player in one.players:
            seat_names = SeatNames({seat: f"agent {number}" for number, seat in enumerate(one.players)}, player)
            told |= {seat_names.in_words(line) for line in text_interface_of(game.name).story(one, player)}
    found = {verb for line in told for verb in re.findall(r"\b[Yy]ou (\w+)", line)}
    assert found >= set(verbs.split())
    assert not {verb for verb in found if verb.endswith("s")}
    assert not any(re.match(r" *You .*\band (discards|leaves|keeps)\b", line) for line in told)
