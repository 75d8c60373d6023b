"""What every game survives under random play."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from romans_env import Game, GameOverError, IllegalActionError, replay
from romans_env.romans_go_home.cards import DEFAULT_FORT_DECK, WHOLE_CLAN
from romans_env.romans_go_home.state import STATE
from tests.romans_go_home import invariants
from tests.romans_go_home.stages import TABLES, new_game, random_game
from tests.tools import Lcg, decisions, played, state_bytes

SEEDS = st.integers(0, 2**63 - 1)
FORTS = sorted(set(DEFAULT_FORT_DECK))


@st.composite
def decks(draw):
    """A fort deck of the user's own."""
    legions = draw(st.lists(st.sampled_from([fort for fort in FORTS if "legion" in fort]), min_size=4, max_size=4))
    others = draw(st.lists(st.sampled_from([fort for fort in FORTS if "legion" not in fort]), min_size=14, max_size=14))
    return tuple(legions + others)


@st.composite
def full_tables(draw):
    """Arguments of any table of the rules, with the default deck or another."""
    return (*draw(st.sampled_from(TABLES)), draw(st.none() | decks()))


@st.composite
def small_tables(draw):
    """Arguments of any small table."""
    line_size, num_rounds = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    size = line_size * num_rounds
    nine = draw(st.permutations(WHOLE_CLAN if line_size > 1 else sorted(set(WHOLE_CLAN))))
    clan = nine[: draw(st.integers(line_size + 1, len(nine)))]
    num_legions = 4 if size == 18 else draw(st.integers(0, min(4, size)))
    forts = [draw(st.sampled_from([fort for fort in FORTS if "legion" in fort])) for _ in range(num_legions)]
    forts += [
        draw(st.sampled_from([fort for fort in FORTS if "legion" not in fort])) for _ in range(size - num_legions)
    ]
    return (*draw(st.sampled_from(TABLES)), tuple(forts), tuple(clan), line_size, num_rounds)


def tables():
    """Arguments of any table, as often a small one as not."""
    return full_tables() | small_tables()


@given(tables(), SEEDS, SEEDS)
@settings(max_examples=60)
def test_cards_forts_masks_and_returns(table, seed, choices):
    game = new_game(table, seed)
    for _ in decisions(game, choices):
        invariants.check(game)
    invariants.check(game)


@given(tables(), SEEDS, SEEDS, st.integers(0, 60))
@settings(max_examples=40)
def test_a_record_replays_to_the_same_end(table, seed, choices, stop_after):
    for game in (played(new_game(table, seed), choices), played(new_game(table, seed), choices, stop_after)):
        again = replay(json.loads(json.dumps(game.record())))
        assert state_bytes(again) == state_bytes(game)
        assert again.record() == game.record()
        assert again.rules == game.rules


@given(tables(), SEEDS, SEEDS, st.integers(0, 60))
@settings(max_examples=40)
@pytest.mark.parametrize(
    "copied",
    [
        pytest.param(Game.clone, id="clone"),
        pytest.param(copy.deepcopy, id="deepcopy"),
        pytest.param(lambda game: pickle.loads(pickle.dumps(game)), id="pickle"),
    ],
)
def test_a_copy_is_independent_and_continues_alike(copied, table, seed, choices, stop_after):
    game = played(new_game(table, seed), choices, stop_after)
    before, record = state_bytes(game), game.record()
    twin = copied(game)
    assert (state_bytes(twin), twin.record()) == (before, record)
    played(twin, seed=choices + 1)
    assert (state_bytes(game), game.record()) == (before, record)
    other = copied(game)
    played(game, seed=choices + 1)
    assert state_bytes(game) == state_bytes(twin) and game.record() == twin.record()
    # and the other way about: the original went on, its copy did not
    assert state_bytes(other) == before


@given(st.sampled_from(TABLES), SEEDS, st.integers(0, 100))
@settings(max_examples=40)
def test_an_illegal_action_is_refused_and_changes_nothing(table, seed, stop_after):
    game = random_game(table, seed, stop_after)
    if game.is_over:
        return
    before, legal = state_bytes(game), game.legal_actions()
    for action in [*range(game.rules.num_actions), -1, 56, 62, 63, 64, 2**40, -(2**40)]:
        if action not in legal:
            with pytest.raises(IllegalActionError):
                game.act(action)
            assert state_bytes(game) == before
    record = game.record()
    for action in legal:
        twin = game.clone()
        twin.act(action)
        assert state_bytes(twin) != before
    assert game.record() == record


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_nobody_acts_after_the_end(table):
    game = random_game(table, seed=11)
    before = state_bytes(game)
    for action in (0, 55, "discard:axx", "nonsense"):
        with pytest.raises(GameOverError):
            game.act(action)
    assert state_bytes(game) == before


@given(st.sampled_from(TABLES), SEEDS)
def test_a_seed_decides_the_deal(table, seed):
    assert new_game(table, seed).deal() == new_game(table, seed).deal()
    assert new_game(table, seed).deal() != new_game(table, seed + 1).deal()


def test_the_same_deal_whatever_the_variant():
    assert new_game((3, 1, "standard"), 9).deal() == new_game((3, 1, "vogel"), 9).deal()


@given(st.sampled_from(TABLES), SEEDS)
def test_looking_changes_nothing(table, seed):
    game = random_game(table, seed, stop_after=Lcg(seed).below(40))
    before = state_bytes(game)
    for player in game.players:
        view = game.view(player)
        hidden = view.states.tobytes()
        view.position(), view.observation, view.action_mask, view.legal_actions()
        game.observation(player), game.action_mask(player), game.position(player)
        assert view.states.tobytes() == hidden
    game.position(), game.global_state(), game.events(), game.deal(), game.points(), game.winners(), game.returns()
    assert state_bytes(game) == before


def test_a_record_has_no_bytes_that_belong_to_no_field():
    # numpy's copy() copies such bytes or not: equal games would have other bytes.
    end = 0
    for name in STATE.names:
        field, offset = STATE.fields[name][:2]
        assert offset == end, f"padding before {name}"
        end += field.itemsize
    assert end == STATE.itemsize
