"""Games of OpenSpiel through the environments and commands; the whole table is in tests/release/openspiel."""

import io
import sys

import pytest

pytest.importorskip("pyspiel")

import romans_agents
from romans_env import Game, save_record
from romans_env.errors import CannotSampleError
from romans_training.measure.evaluation import evaluate
from tests.openspiel.playthroughs import rules_of
from tests.openspiel.through_interfaces import play_through_environments

GAMES = ("kuhn_poker", "leduc_poker")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("text", GAMES)
def test_every_environment_plays_it(text):
    play_through_environments(f"openspiel:{text}")


def test_a_person_plays_it_at_a_terminal_and_sees_the_record(called, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nq\n"))
    _, out, err = called("play", "--game", "openspiel:tic_tac_toe", "--seed", "1")
    assert "\nx..\n" in out and "Traceback" not in err
    game = Game(rules_of("kuhn_poker(players=3)"), seed=3)
    while not game.is_over:
        game.act("Bet" if "Bet" in map(game.action_name, game.legal_actions()) else 0)
    save_record(game.record(), "record.json")
    status, out, err = called("replay", "record.json")
    assert status == 0 and "player_0 Bet" in out, err
    assert called("export", "record.json", "--to", "chat", "--jsonl", "--out", "rows")[0] == 0


def test_a_search_says_in_a_sentence_that_the_game_cannot_be_sampled(called):
    rules = rules_of("liars_dice")
    with pytest.raises(CannotSampleError, match="cannot sample what a seat does not know: the game has no resample"):
        romans_agents.make("flat-mc", game=rules.name).act(Game(rules, seed=1).view(0))
    status, _, err = called("evaluate", "flat-mc", "--game", "openspiel:liars_dice", "--deals", "2")
    said = f"{status} {err}"
    assert status and "openspiel:liars_dice cannot sample what a seat does not know" in said and "Traceback" not in said
    assert called("evaluate", "random", "--game", "openspiel:liars_dice", "--deals", "2")[0] == 0
    status, _, err = called("benchmark", "random", "--game", "openspiel:liars_dice", "--quick")
    assert "no search plays this game, so there is no scale: openspiel:liars_dice cannot sample" in f"{status} {err}"


def test_bad_names_are_usage_errors(called):
    for name, message in (
        ("openspiel:kuhn_pocker", "did you mean 'kuhn_poker'"),
        ("openspiel:efg_game(filename=x)", "names a file"),
    ):
        status, _, err = called("evaluate", "random", "--game", name)
        assert status == 2 and message in err and "Traceback" not in err


def test_a_win_is_counted_whatever_returns_are():
    """Returns that are points are less than 1 for most games that are won."""
    flat, other = romans_agents.make("random", game="openspiel:leduc_poker"), romans_agents.make("random")
    by = {
        returns: evaluate(flat, [other], rules_of("leduc_poker", returns=returns), num_deals=20, seed=1)
        for returns in ("win", "points")
    }
    assert by["win"].win_rate == by["points"].win_rate and by["win"].draw_rate == by["points"].draw_rate
    assert 0 < by["win"].win_rate.mean < 1
    assert by["points"].mean_return.mean == pytest.approx(by["points"].mean_points.mean / 13)


def test_pictures_in_the_browser_have_thestyle_of_their_game():
    from romans_serve.web.board_styles import style_of

    sheet = style_of("openspiel:kuhn_poker(players=3)")
    assert sheet.startswith(r".board-openspiel\:kuhn_poker\(players\=3\){font-family:") and ".plain" not in sheet
