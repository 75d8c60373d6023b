"""Struggle for Rome in words: the log says why, the terminal explains every card and names every choice."""

import io
import re
from functools import cache, partial

from rich.console import Console

from romans_env import Game
from romans_env.core.protocol import CHANCE
from romans_env.render.seat_names import SeatNames
from romans_env.render.struggle import text_map
from romans_env.render.struggle.card_help import CARDS
from romans_env.render.struggle.places import crossroads_in_words
from romans_env.render.struggle.sentences import EVENT_KINDS, in_words
from romans_env.render.struggle.text import transcript
from romans_env.render.struggle.text_interface import TEXT_INTERFACE
from romans_env.struggle import StruggleForRome, StruggleSetup, load_board
from romans_env.struggle.board_form import DEVELOPMENT
from romans_env.struggle.events import KINDS
from tests.struggle.drawing.shown_games import decisions, played
from tests.struggle.stages import reached
from tests.training.terminals import flat, play_at, widest

EVENTFUL = ((1, 0), (3, 3), (4, 0), (7, 3), (8, 3), (9, 0))
"""Parts and numbers of recorded games, in which everything happens that happens in any."""
output = partial(play_at, "--game", "struggle", "--against", "random")
OPENING = ["horse", "cattle", "cattle", "horse", 4, 4, 1, 3, "cattle", "horse", "horse", 2, 6, 2, 5, 4, 6, "traitor"]
"""The outcomes of STRUGGLE 10.1."""
CHOSEN = ("legion:20", "army:ore", "army:horse", "card", "end", "wagon:warrior", "end", "army", "end")


@cache
def all_events():
    return [(played(*chosen), played(*chosen).events()) for chosen in EVENTFUL]


def test_every_kind_of_event_has_its_line():
    # That a tribe heads for a crossroads is told by its move.
    assert {*EVENT_KINDS, "sets_out"} == set(KINDS)
    seen = {event.kind for _, events in all_events() for event in events}
    assert seen >= set(KINDS) - {"shortage", "nothing_left", "nobody_to_rob"}


def test_lines_are_sentences_without_names_of_the_program():
    for game, events in all_events():
        for viewer in (None, "player_0"):
            for line in in_words(game, events, viewer):
                assert not re.search(r"None|[{}]|\w:\w|  \w.*  |\b0 gold for", line), line
                assert not re.search(r"(?<!player)_", line), line
        assert transcript(game).endswith("\n")


def test_10_1_the_opening_in_words():
    game = Game(StruggleForRome(StruggleSetup(player_trade=False)), deal={"outcomes": OPENING})
    for action in CHOSEN:
        game.act(action)
    assert transcript(game, "player_0").splitlines() == [
        "== Opening ==",
        "  player_0 draws 1 horse",
        "  player_1 draws 1 cattle",
        "  player_2 draws 1 cattle",
        "  player_3 draws 1 horse",
        "== Round 1: player_0 begins ==",
        "player_0 throws 4 and 4: 8",
        "  for the 8: player_0 1 grain; player_1 1 grain; player_2 1 grain; player_3 1 grain",
        "player_0 throws 1 and 3: 4",
        "  player_1 draws 1 cattle",
        "  player_2 draws 1 horse",
        "  player_3 draws 1 horse",
        "player_0 throws 2 and 6: 8, which bears a marker: nothing happens",
        "player_0 throws 2 and 5: 7, the legionnaire moves",
        "player_0 moves the legionnaire to hex 20 (field 10, Germania)",
        "  nobody to rob there",
        "player_0 throws 4 and 6: 10",
        "  for the 10: player_1 1 ore; player_2 1 ore; player_3 1 ore",
        "-- player_0's turn to build and trade --",
        "player_0 builds an army for 1 horse and 3 gold (3 in place of ore): horseman and warrior "
        "(armies: horseman 2, warrior 2)",
        "-- player_1's turn to build and trade --",
        "player_1 builds an army for 1 ore and 3 gold (3 in place of horse): horseman and warrior "
        "(armies: horseman 2, warrior 2)",
        "player_1 buys a development card for 1 cattle and 1 gold",
        "  player_1 draws a development card",
        "player_1 ends the turn",
        "-- player_2's turn to build and trade --",
        "player_2 builds a wagon for the warriors, for 1 horse, 1 grain and 1 cattle (2 wagons)",
        "player_2 ends the turn",
        "-- player_3's turn to build and trade --",
        "player_3 builds an army for 1 ore and 1 horse: horseman and warrior (armies: horseman 2, warrior 2)",
        "player_3 ends the turn",
        "-- player_0's horsemen are next --",
    ]
    assert "  player_1 draws the card traitor" in transcript(game, "player_1").splitlines()
    assert transcript(game) == transcript(game, "player_1")


def test_crossroads_are_named_by_the_cities_beside_them():
    words = crossroads_in_words(load_board())
    assert words[107] == "Roma, Corfinium" and words[115] == "Roma" and words[31] == "field 8, pasture 3"
    assert len(words) == 158 and all(words)


def test_a_fare_says_what_it_costs():
    seen = 0
    for part in range(0, 11, 3):
        for game in decisions(part, 2):
            if game.is_over or game.position()["decision"]["kind"] != "fare":
                continue
            seat_names = SeatNames({name: name for name in game.players}, game.agent_to_act)
            legal = game.legal_actions()
            for action, choice in zip(
                legal, TEXT_INTERFACE.choices(game, game.agent_to_act, legal, seat_names), strict=True
            ):
                after = game.clone()
                after.act(action)
                chance = [entry for seat, entry in after.history[len(game.history) :] if seat == CHANCE]
                happened = game.rules.events(game.states.copy(), 0, action, chance)
                (paid,) = [one for one in happened if one.kind == "moves"]
                for name in ("grain", "gold"):
                    has = re.search(rf"(\d+) {name}", choice.item)
                    assert int(has[1] if has else 0) == paid.details[name]
            seen += 1
    assert seen > 5


def test_the_map_has_every_number_that_the_list_leaves_out_and_every_city_and_figure():
    kinds, starred = set(), set()
    for part in range(0, 11, 3):
        for game in decisions(part, 3, every=15):
            position = game.position()
            player = game.agent_to_act or "player_0"
            seat_names = SeatNames({name: name for name in game.players}, player)
            console = Console(width=80, file=io.StringIO())
            console.print(TEXT_INTERFACE.overview(game, player, seat_names))
            shown = console.file.getvalue()
            assert widest(shown) <= 80
            drawn = shown.partition("development deck")[2].partition("\n")[2].partition("f8 field")[0]
            legal = game.legal_actions()
            choices = TEXT_INTERFACE.choices(game, player, legal, seat_names) if legal else []
            numbers = {number for number, choice in enumerate(choices, 1) if choice.is_on_board}
            found = [(int(number), star) for number, star in re.findall(r"(?<![\w[])(\d+)(\*?)(?![\d-])", drawn)]
            assert {number for number, _ in found} == numbers and len(found) == len(numbers)
            kinds |= {position["decision"]["kind"]} if numbers else set()
            if numbers and position["decision"]["kind"] == "tribe":
                tribe = position["players"][player]["tribes"][("horseman", "warrior")[position["phase"] - 3]]
                free = reached(tribe["at"], 1)
                for number, star in found:
                    assert bool(star) == (int(game.action_name(legal[number - 1]).partition(":")[2]) not in free)
                    starred.add(bool(star))
            figures = sum(not box["kingdom"] for one in position["players"].values() for box in one["tribes"].values())
            assert len(re.findall(r"[\u25cf\u25a0\u25b2\u25c6][hw]\b", drawn)) == figures
            owned = sum(now["owner"] in game.players for now in position["cities"].values())
            assert len(re.findall(r"[\u25cf\u25a0\u25b2\u25c6][A-Z][a-z]{2}", drawn)) == owned
    assert kinds == {"tribe"} and starred == {True, False}


def test_where_the_legionnaire_may_go_is_said_with_who_has_a_place_there():
    seen = unmarked = 0
    for game in decisions(0, 3):
        if game.is_over or game.rules.decision_kind(game.states, 0) != "legion":
            continue
        player = game.agent_to_act
        seat_names = SeatNames({name: name for name in game.players}, player)
        legal = game.legal_actions()
        for action, choice in zip(legal, TEXT_INTERFACE.choices(game, player, legal, seat_names), strict=True):
            hexagon = game.rules.setup.board.hexes[int(game.action_name(action).partition(":")[2])]
            land = hexagon.terrain if hexagon.number is None else f"{hexagon.terrain} {hexagon.number}"
            assert choice.item.partition(",")[0] == land and choice.group in choice.phrase
            # With chance of its own: that of the record is for what was played.
            after = Game.of_states(game.rules, game.states.copy())
            after.act(action)
            if after.rules.decision_kind(after.states, 0) == "rob":
                robbed = TEXT_INTERFACE.choices(after, player, after.legal_actions(), seat_names)
                marked = {seat for seat in game.players if seat_names.mark(seat) in choice.note}
                assert {one.item.partition(" (")[0] for one in robbed} <= marked - {player}
                seen += 1
            elif not choice.note:
                unmarked += 1
    assert seen > 3 and unmarked > 3


def test_a_city_has_three_letters_of_its_own():
    codes = text_map._codes(load_board())
    assert len(set(codes.values())) == 40 and {len(code) for code in codes.values()} == {3}


def test_a_map_that_is_too_wide_is_in_the_browser(monkeypatch):
    monkeypatch.setattr(text_map, "_COLUMNS", 70)
    out = output(answers="w\nq\n")
    assert "The map of this board is too wide: romans serve --game struggle shows it in the browser." in flat(out)


def test_help_explains_every_card():
    out = flat(output(answers="?\nq\n"))
    assert set(CARDS) == set(DEVELOPMENT)
    for card, effect in CARDS.items():
        assert f" {card.replace('_', ' ')} {effect}" in out
    for notion in ("Scourge of Rome", "3 gold", "a seven", "plunder"):
        assert f" {notion} " in out


def test_a_game_fits_the_terminal():
    out = output(answers="?\nh\n" + "1\n2\nh\n3\n" * 12 + "q\n")
    assert "player_" not in out and "{" not in out
    assert widest(out) <= 80
    assert "What do you build, buy or trade?" in out or "What do your horsemen do?" in out
