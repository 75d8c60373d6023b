"""``openspiel:NAME(key=value,...)``: equal games have one name, and what is no game is one line."""

import subprocess
import sys

import pytest

pytest.importorskip("pyspiel")

import romans_agents
from romans_env import Game, RecordError, replay
from romans_env.core import games, registration
from romans_env.core.files import in_file_names
from romans_env.core.games import spec_of
from romans_env.openspiel import facts, family, probe


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("kuhn_poker", "kuhn_poker"),
        ("kuhn_poker()", "kuhn_poker"),
        ("kuhn_poker(players=2)", "kuhn_poker"),
        ("kuhn_poker(players=3)", "kuhn_poker(players=3)"),
        ("goofspiel(num_cards=4,imp_info=true,players=2)", "goofspiel(imp_info=True,num_cards=4)"),
        ("misere(game=kuhn_poker(players=2))", "misere(game=kuhn_poker())"),
        ("add_noise(seed=1,game=kuhn_poker(),epsilon=0.1)", "add_noise(epsilon=0.1,game=kuhn_poker(),seed=1)"),
        ("sheriff", "sheriff"),
    ],
)
def test_equal_games_have_one_name_and_one_spec(text, name):
    spec = spec_of(f"openspiel:{text}")
    assert spec.name == f"openspiel:{name}" and spec is spec_of(spec.name)
    assert spec.make_rules().setup.game == spec.name
    assert spec.name not in games.names()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kuhn_pocker", r"OpenSpiel has no game 'kuhn_pocker' \(did you mean 'kuhn_poker'\?\)"),
        ("kuhn_poker(player=3)", "has no parameter 'player' .did you mean 'players'.*there are players"),
        ("kuhn_poker(players=99)", "num_players_ <= kGameType.max_num_players; num_players_ = 99"),
        ("kuhn_poker(players=many)", "Wrong type for parameter players"),
        ("kuhn_poker(", "Missing closing bracket"),
        ("", "is named as in openspiel:kuhn_poker"),
        ("kuhn_poker\n", "is named as in openspiel:kuhn_poker"),
        ("x" * 500, "in up to 400 characters"),
        ("efg_game(filename=/etc/passwd)", "its parameter 'filename' names a file, which is not read"),
        ("misere(game=nfg_game(filename=/etc/passwd))", "its parameter 'filename' names a file"),
        ("bargaining(instances_file=/etc/passwd)", "its parameter 'instances_file' names a file"),
        ("nfg_game", "it reads a file"),
        ("mfg_crowd_modelling", "it is a mean-field game"),
        ("tarok", "it draws its chance itself"),
        ("coin_game", "it has no tensor"),
        ("chat_game", r"it has 2 actions, and \d+ is legal"),
        ("cursor_go", "moves in a game, and the library takes from 1 to 50,000"),
    ],
)
def test_what_is_no_game_here_is_one_line(text, message):
    with pytest.raises(facts.OpenSpielGameError, match=message) as error:
        spec_of(f"openspiel:{text}")
    assert "\n" not in str(error.value)


def test_a_game_that_takes_for_ever_or_all_memory_is_refused(monkeypatch):
    monkeypatch.setattr(facts, "SECONDS", 3)
    with pytest.raises(facts.OpenSpielGameError, match=r"takes longer than 3 seconds|stopped the process|bad_alloc"):
        spec_of("openspiel:blotto(coins=200,fields=20)")


def test_a_game_that_aborts_its_process_is_refused(monkeypatch, tmp_path):
    script = tmp_path / "probe.py"
    script.write_text("import os, sys\nprint('noise', file=sys.stderr)\nos.abort()\n")
    monkeypatch.setattr(probe, "__file__", str(script))
    with pytest.raises(facts.OpenSpielGameError, match="OpenSpiel stopped the process that made it: noise"):
        facts.facts_of("kuhn_poker(players=4)")


@pytest.mark.parametrize(
    "name", ["rlcard:leduc", "core:games", "../x:y", "openspiel.family:x", "envs:aec", ":", "a:b:c"]
)
def test_a_family_that_is_none_is_an_unknown_game(name):
    with pytest.raises(ValueError, match="unknown game"):
        spec_of(name)


def test_without_openspiel_a_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(facts, "find_spec", lambda name: None)
    with pytest.raises(facts.OpenSpielGameError, match=r"pip install 'romans-env\[openspiel\]'"):
        facts.facts_of("kuhn_poker")


def test_nothing_of_openspiel_is_imported_before_a_game_of_it_is_named():
    program = """
import sys, romans_env, romans_agents, romans_training.cli.main
assert not any(name.startswith(("pyspiel", "open_spiel", "romans_env.openspiel")) for name in sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def finished(name):
    game = Game(spec_of(name).make_rules(), seed=1)
    while not game.is_over:
        game.act(game.legal_actions()[0])
    return game.record()


def test_a_record_names_its_game_and_opens_in_a_new_process(tmp_path):
    record = finished("openspiel:kuhn_poker(players=3)")
    program = f"from romans_env import replay; print(replay({dict(record)!r}).points()['player_0'])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert int(done.stdout) == record["result"]["points"]["player_0"]


def test_a_record_of_a_game_that_cannot_be_played_is_a_record_error():
    record = finished("openspiel:kuhn_poker")
    for text, message in (
        ("openspiel:nfg_game(filename=/etc/passwd)", "names a file, which is not read"),
        ("openspiel:nonsense", "OpenSpiel has no game 'nonsense'"),
        ("rlcard:leduc", "unknown record format"),
    ):
        with pytest.raises(RecordError, match=message):
            replay({**record, "format": f"{text}/1"})
    with pytest.raises(ValueError, match="OpenSpiel has no game"):
        romans_agents.make("random", game="openspiel:nonsense")


def test_names_of_files_have_no_sign_that_a_system_refuses():
    assert in_file_names("romans-go-home") == "romans-go-home"
    assert in_file_names("openspiel:kuhn_poker") == "openspiel-kuhn_poker"
    two = [in_file_names(f"openspiel:nim(pile_sizes={piles})") for piles in ("1;2", "1:2")]
    assert two[0] != two[1] and all(name.startswith("openspiel-nim-pile_sizes-1-2-") for name in two)
    assert len(in_file_names("openspiel:" + 300 * "x")) < 80


def test_actions_have_the_texts_of_the_game_where_these_are_fixed():
    texts = {
        "kuhn_poker": ("Pass", "Bet"),
        "leduc_poker": ("Fold", "Call", "Raise"),
        "tic_tac_toe": ("x(0,0)/o(0,0)", "x(0,1)/o(0,1)"),
        "chess": ("0", "1"),
    }
    for text, expected in texts.items():
        assert spec_of(f"openspiel:{text}").make_rules().action_names[: len(expected)] == expected
    game = Game(spec_of("openspiel:chess").make_rules())
    choices = game.position("player_0")["choices"]
    assert set(choices) == set(map(str, game.legal_actions())) and "e4" in choices.values()


def test_one_id_makes_the_environments_of_every_game():
    import gymnasium

    assert registration.ANY_GAME in gymnasium.registry
    env = gymnasium.make(registration.ANY_GAME, game="openspiel:leduc_poker", opponents=["random"])
    assert env.reset(seed=1)[0].shape == (30,)
    assert gymnasium.make_vec(registration.ANY_GAME, num_envs=3, game="roma").reset(seed=1)[0].shape[0] == 3


def test_a_family_is_asked_once():
    assert family.game_of("kuhn_poker") is family.game_of("kuhn_poker(players=2)")
