"""Invented names in texts: no name of a card or a place is seen, and all can be said and be taken back."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest

from romans_env.render.language import AnswerError, describe, format_answer, introduce, parse, plan_of, renaming_of
from romans_env.render.renaming import Renaming
from romans_env.roma.material import CARDS
from romans_env.struggle.material import DEVELOPMENT, RESOURCES
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE, TOY
from tests.romans_go_home.stages import new_game
from tests.struggle.boards import small_board

FORBIDDEN = {
    "romans-go-home": "qween druhid dru'hid zvord axx archr arch'r filchy horsie chariott ch'ariott legion dinary "
    "unwary signal tax romans",
    "roma": f"{' '.join(CARDS)} roma",
    "struggle": f"{' '.join((*RESOURCES, *DEVELOPMENT))} horseman horsemen warrior legion legionnaire great scourge "
    "heir rome roma roman struggle hispania germania gallia italia superus inferus limes capua neapolis carthago nova",
}
"""What is not to be read, by game."""
SEED = 11


def views_of(game, seed):
    """What the seat to act knows at decisions of every setup."""
    for number, setup in enumerate(game.setups):
        for played in game.positions(seed + number, every={"roma": 2, "struggle": 31}.get(game.name, 3), **setup):
            if not played.is_over:
                yield played.view(played.seat_to_act)


def forbidden_in(text, game):
    """The words of a text that are names of the game, or their plurals."""
    words = {part for word in re.findall(r"[a-z']+", text.lower()) for part in (word, *word.split("'"))}
    names = {name for entry in FORBIDDEN[game.name].split() for name in entry.split("_")}
    return {word for word in words if word in names or word.removesuffix("s") in names}


each_renamed = pytest.mark.parametrize("game", [ROMANS_GO_HOME, ROMA, STRUGGLE], ids=lambda game: game.name)


@each_renamed
def test_no_name_of_the_game_is_seen_and_the_text_is_otherwise_the_same(game):
    introduction = introduce(game.name, renamed=SEED)
    assert not forbidden_in(introduction, game) and forbidden_in(introduce(game.name), game)
    names = renaming_of(game.rules(), SEED)
    title, _, rest = introduce(game.name).partition("\n")
    assert introduction.partition("\n")[0] == "A game" and title == game.spec.title
    assert names.restore(introduction.partition("\n")[2]) == rest
    seen = set()
    for view in views_of(game, 1):
        for legal in (True, False):
            text = describe(view, legal=legal, renamed=SEED)
            seen |= forbidden_in(describe(view, legal=legal), game)
            assert not forbidden_in(text, game)
            assert renaming_of(view.rules, SEED).restore(text) == describe(view, legal=legal)
        for seat in range(view.rules.num_players):
            if seat != view.seat:
                waiting = view.sample_game(np.random.default_rng(0)).view(seat)
                text = describe(waiting, renamed=SEED)
                assert not forbidden_in(text, game) and "nothing to decide" in text
                assert renaming_of(view.rules, SEED).restore(text) == describe(waiting)
    # What is forbidden is what the texts would have said, and each of it was met.
    assert len(seen) > {"romans-go-home": 12, "roma": 24, "struggle": 25}[game.name]


@each_renamed
def test_every_legal_action_is_read_back_by_its_invented_name(game):
    for view in views_of(game, 2):
        answers = [format_answer([action], view, SEED) for action in view.legal_actions()]
        assert [parse(answer, view, SEED) for answer in answers] == view.legal_actions()
        listed = [line[2:].partition(": ")[0] for line in describe(view, renamed=SEED).splitlines() if line[:2] == "- "]
        assert answers == [json.dumps({"actions": [name]}) for name in listed]
        assert not any(forbidden_in(answer, game) for answer in answers)


@each_renamed
def test_an_old_name_is_no_action_and_the_error_does_not_say_what_it_is_called_now(game):
    refused, illegal = 0, 0
    for view in views_of(game, 3):
        names = renaming_of(view.rules, SEED)
        legal = ", ".join(names.hide(view.action_name(action)) for action in view.legal_actions())
        for action in view.legal_actions():
            name = view.action_name(action)
            if names.hide(name) == name:
                assert parse(format_answer([action], view), view, SEED) == action  # there is no name in it
                continue
            refused += 1
            new = names.hide(name)
            for answer in ([name], [name.capitalize()], [new.upper()], [name, new], [new, name], [f"{new}x"]):
                with pytest.raises(AnswerError) as error:
                    parse(json.dumps({"actions": answer}), view, SEED)
                wrong = next(one for one in answer if one != new)
                assert str(error.value) == f"there is no action {wrong!r}; legal are {legal}"
        wrong = next(action for action in range(view.rules.num_actions) if action not in view.legal_actions())
        with pytest.raises(AnswerError, match="is not legal") as error:
            parse(format_answer([wrong], view, SEED), view, SEED)
        assert legal in str(error.value) and not forbidden_in(str(error.value), game)
        illegal += 1
    assert refused > 20 and illegal > 20


def test_what_an_answer_says_itself_is_quoted_as_it_is():
    """Who is told by what name an old one is called now could translate all others, too."""
    view = new_game((2, 0, "standard"), seed=4).view(0)
    for answer in ({"move": "discard:axx"}, {"actions": ["sack:axx"]}):
        with pytest.raises(AnswerError, match="axx'"):
            parse(json.dumps(answer), view, SEED)
    with pytest.raises(AnswerError) as error:
        plan_of('{"actions": ["discard:axx"]}', view, legal=False, renamed=SEED)
    first = renaming_of(view.rules, SEED).hide("discard:qween")
    assert str(error.value) == f"there is no action 'discard:axx'; names look like {first}"


def test_a_plan_by_invented_names_is_the_plan():
    view = new_game((2, 0, "standard"), seed=4).view(0)
    hand = view.position()["clans"]["player_0"]["hand"]
    actions = [view.action_id(name) for name in (f"discard:{hand[0]}", *(f"place:{card}" for card in hand[1:6]))]
    assert plan_of(format_answer(actions, view, SEED), view, renamed=SEED) == plan_of(
        format_answer(actions, view), view
    )
    only = next(card for card in hand if hand.count(card) == 1)
    wrong = [view.action_id(f"discard:{only}"), view.action_id(f"place:{only}")]
    with pytest.raises(AnswerError, match=r"^after discard:\w+, place:\w+ is not legal: player_0 must") as error:
        plan_of(format_answer(wrong, view, SEED), view, renamed=SEED)
    assert not forbidden_in(str(error.value), ROMANS_GO_HOME)


@each_renamed
def test_names_depend_on_the_seed_alone(game):
    assert introduce(game.name, renamed=1) == introduce(game.name, renamed=1)
    told = {introduce(game.name, renamed=seed) for seed in range(40)}
    assert len(told) == 40
    words = set(re.findall(r"\w+", introduce(game.name).lower()))
    for seed in range(40):
        view = game.new_game(seed).view(0)
        text, names = describe(view, renamed=seed), renaming_of(view.rules, seed)
        assert names.restore(text) == describe(view) and not forbidden_in(text, game)
        new = [names.hide(name) for name in view.rules.action_names]
        assert len(set(new)) == view.rules.num_actions == len(new)
        assert not {word for name in words for word in [names.hide(name)] if word != name} & words


def test_the_cities_of_a_board_of_ones_own_are_renamed():
    board = small_board()
    board["cities"][3]["name"] = "Lyon Ville"
    game = STRUGGLE.new_game(3, board=board)
    name = next(name for name in game.rules.action_names if name.endswith("Lyon Ville"))
    hidden = renaming_of(game.rules, SEED).hide(name)
    assert re.fullmatch(r"\w+:[A-Z][a-z]{4,} [A-Z][a-z]{4,}", hidden) and "Lyon" not in hidden
    # The introduction, which knows no board, has the same names for the rest.
    words = ("grain", "horse", "Rome", "traitor", "legionnaire")
    of_both = [[renaming_of(rules, SEED).hide(word) for word in words] for rules in (game.rules, STRUGGLE.rules())]
    assert of_both[0] == of_both[1]


@pytest.mark.usefixtures("toy")
def test_a_game_that_offers_no_names_says_so():
    view = TOY.new_game(1).view(0)
    for call in (
        lambda: introduce("dice-race", renamed=1),
        lambda: describe(view, renamed=1),
        lambda: format_answer([0], view, 1),
        lambda: parse("{}", view, 1),
    ):
        with pytest.raises(ValueError, match=r"^dice-race lists no names to replace \(TextInterface\.names\)"):
            call()


def test_names_are_whole_words_in_the_spelling_that_they_have():
    names = Renaming(("ore", "horse", "Dru'hid", "druhid", "great_warrior", "great warrior", "New York", "York"), (), 5)
    text = (
        "More ore, ores, restored: Ore! horse horses horseman horsemen horsewoman; Dru'hid's druhid-2; DRU'HID; "
        "great_warrior great warriors, Great warrior, a great one; New York, york, York."
    )
    hidden = names.hide(text)
    for kept in ("More", "restored:", "horsewoman", "DRU'HID", "a great one"):
        assert kept in hidden
    for gone in (r"\bores?\b", r"\bOre", r"horse\b", r"horsem", r"Dru'", r"druh", r"warrior", r"\b[Yy]ork"):
        assert not re.search(gone, hidden)
    assert names.restore(hidden) == text
    one, many, figure, figures = hidden.partition("! ")[2].split()[:4]
    assert (many, figure, figures) == (f"{one}s", f"{one}man", f"{one}men")
    ore = names.hide("ore")
    assert ore[0] in "aeiou" and len(ore) == 5 and names.hide("Ore") == ore.capitalize()
    assert names.hide("druhid").capitalize() == names.hide("Dru'hid")
    assert names.hide("New York").endswith(f" {names.hide('York')}")


def test_no_invented_word_begins_with_another_or_means_something():
    listed = [f"{a}{b}x" for a in "abcdefgh" for b in "klmnop"]
    names = Renaming(listed, (), 1)
    words = sorted(map(names.hide, listed))
    assert len(set(words)) == len(listed) and not any(b.startswith(a) for a, b in pairwise(words))
    again = Renaming(listed, words, 1)
    assert not set(map(again.hide, listed)) & set(words)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("axx", "7"), "a name to be replaced must contain a letter, not '7'"),
        (("axx", ""), "a name to be replaced must contain a letter, not ''"),
        (("archr", "arch'r"), "\"arch'r\" and 'archr' have the same letters and capitals"),
    ],
)
def test_names_that_cannot_be_replaced_are_refused(names, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Renaming(names)
