"""Games at any table, odd ones included, survive random play."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from romans_env import replay
from romans_env.romans_go_home.material import DEFAULT_FORT_DECK, WHOLE_CLAN
from tests.romans_go_home import invariants
from tests.romans_go_home.stages import TABLES, new_game
from tests.tools import decisions, state_bytes

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
@settings(max_examples=40)
def test_cards_forts_masks_returns_and_the_record_of_a_game(table, seed, choices):
    game = new_game(table, seed)
    for _ in decisions(game, choices):
        invariants.check(game)
    invariants.check(game)
    again = replay(json.loads(json.dumps(game.record())))
    assert state_bytes(again) == state_bytes(game) and again.rules == game.rules


def test_the_same_deal_whatever_the_variant():
    assert new_game((3, 1, "standard"), 9).deal() == new_game((3, 1, "vogel"), 9).deal()
