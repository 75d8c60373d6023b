"""Pictures, texts and replay pages of Roma: what is shown is what the position says, and no more."""

import pytest

from romans_env import replay_page, roma_v0
from romans_env.render.roma.cards import defence_of
from romans_env.render.roma.drawing import draw
from romans_env.render.roma.questions import QUESTIONS, about
from romans_env.render.roma.symbols import CARD_SIGNS
from romans_env.render.roma.text import render_text
from romans_env.roma.general import defence
from romans_env.roma.material import CARDS, NUM_DISCS
from romans_env.roma.state import DECISION_KINDS
from tests.render.pictures import words_of
from tests.roma.stages import PLAYERS, Lcg, Stage, game_at, new_game, positions
from tests.roma.twins import opening_twins, twins


def test_every_position_is_drawn_for_everybody():
    sizes, kinds = set(), set()
    for game in positions(range(2)):
        for viewer in (None, *PLAYERS):
            position = game.position(viewer)
            picture = draw(position, viewer, game.winners())
            words = words_of(picture.svg)
            sizes.add((picture.width, picture.height))
            assert {str(position["stock"]), str(position["pile_size"])} <= set(words)
            for player, one in position["players"].items():
                assert {player, str(one["points"]), str(one["money"]), f"hand {one['hand_size']}:"} <= set(words)
                assert {card for card in one["discs"] if card} <= set(words)
            num_blocked = sum(len(one["blocked"]) for one in position["players"].values())
            assert words.count("blocked") == num_blocked
            decision = position["decision"]
            if decision:
                kinds.add(decision["kind"])
                assert f"{decision['agent']} decides {QUESTIONS[decision['kind']]}" in words
                assert about(decision) in words
            else:
                assert any("win" in word for word in words)
    assert len(sizes) == 1 and len(kinds) > 6


@pytest.mark.parametrize("kind", DECISION_KINDS)
def test_every_kind_of_decision_has_a_picture_and_a_text(kind):
    game = game_at(kind)
    for viewer in (None, *PLAYERS):
        assert any(QUESTIONS[kind] in word for word in words_of(draw(game.position(viewer), viewer).svg))
        assert QUESTIONS[kind] in render_text(game, viewer)


def test_unknown_cards_are_backs_and_known_ones_have_an_eye():
    stage = Stage((1, 2, 4), hand=["forum", "forum", "nero"], known=["forum"], rival_hand=["legat", "turris"])
    rivals = words_of(draw(stage.game.position(stage.rival), stage.rival).svg)
    assert rivals.count("forum") == 1 and "nero" not in rivals and "\N{MULTIPLICATION SIGN}2" in rivals
    own = draw(stage.game.position(stage.me), stage.me).svg
    assert words_of(own).count("forum") == 2 and "nero" in words_of(own) and "legat" not in words_of(own)
    everything = words_of(draw(stage.position).svg)
    assert {"legat", "turris", "nero"} <= set(everything)
    eyes = [draw(stage.game.position(viewer), viewer).svg.count("M1 12C6 3.5") for viewer in (stage.me, stage.rival)]
    assert eyes == [1, 1]


def test_the_number_of_cards_put_aside_is_shown():
    seen = set()
    for game in positions(range(4)):
        for seat, player in enumerate(PLAYERS):
            position, rival = game.position(player), PLAYERS[1 - seat]
            if position["players"][rival]["aside"] is None:
                aside = sum(game.position()["players"][rival]["aside"].values())
                words = words_of(draw(position, player).svg)
                assert words[words.index("aside:") + 1] == f"\N{MULTIPLICATION SIGN}{aside}"
                seen.add((position["decision"]["kind"], aside))
    assert {("give", 1), ("give", 2), ("keep", 2), ("keep", 3)} <= seen


def test_the_viewer_is_below():
    position = new_game(1).position()
    for viewer, upper in ((None, "player_1"), ("player_0", "player_1"), ("player_1", "player_0")):
        words = words_of(draw(position, viewer).svg)
        names = [word for word in words if word in PLAYERS]
        assert names[0] == upper and len(names) == 2


def test_the_defence_shown_is_the_one_of_the_rules():
    num_changed = 0
    for game in positions(range(6)):
        position, state = game.position(), game.states[0]
        rival = 1 - int(state.seat)
        for disc in range(NUM_DISCS):
            if position["turn"] and position["decision"] and state.discs[rival, disc] >= 0:
                assert defence_of(position, rival, disc + 1) == defence(state, disc)
                num_changed += bool(position["essedum"]) or "turris" in position["players"][PLAYERS[rival]]["discs"]
    assert num_changed > 20


def test_large_hands_and_discard_piles_stay_within_the_picture():
    """What would not fit is drawn smaller: the widest chip of a line ends before the edge."""
    hand = [card for card in CARDS if card != "nero"]
    stage = Stage((2, 4, 5), own={1: "nero"}, hand=hand, pile=["forum"])
    picture = draw(stage.position)
    assert (picture.width, picture.height) == (600, draw(new_game(1).position()).height)
    assert {*hand} <= {word.partition(" ")[0] for word in words_of(picture.svg)}
    pixels = picture.pixels()
    assert (pixels[:, 594:] == draw(new_game(1).position()).pixels()[:, 594:]).all(axis=2).mean() > 0.9


def test_there_is_a_sign_for_every_card_and_a_question_for_every_decision():
    assert set(CARD_SIGNS) == set(CARDS) and len({str(sign) for sign in CARD_SIGNS.values()}) == len(CARDS)
    assert tuple(QUESTIONS) == ("give", "lay", "triple", "main", "keep", "take", "own", "rival", "die", "sign", "buy")
    assert set(QUESTIONS) == set(DECISION_KINDS)


def test_text_mode_shows_this_turn_and_the_turn_before():
    env = roma_v0.raw_env(render_mode="ansi")
    env.reset(seed=1)
    lcg = Lcg(1)
    while env.position()["turn"] < 4:
        env.step(lcg.pick(env.legal_actions()))
    text = env.render()
    assert "== Turn 3: player_0 ==" in text and "== Turn 4: player_1 ==" in text and "Turn 2" not in text
    assert text == render_text(env.game)


def test_a_page_for_a_seat_shows_nothing_that_it_cannot_know():
    for game, twin, viewer in [*twins(range(2)), *opening_twins()][::4]:
        assert replay_page(game, viewer=viewer).html == replay_page(twin, viewer=viewer).html
        assert replay_page(game).html != replay_page(twin).html
