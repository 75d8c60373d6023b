"""Determinizations at every kind of decision of every game, from every seat.

Random games are played until each kind was met some times, early and late. A sample looks to its seat as the true game
does, to the byte, and all cards are in it: a known card that is moved, a count that is changed or a card that is
doubled is seen.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from romans_env import Game, Roma
from romans_env.core.games import names
from tests.harness import ROMA, ROMANS_GO_HOME, STRUGGLE, Harness
from tests.roma import invariants as of_roma
from tests.romans_go_home import invariants as of_romans_go_home
from tests.struggle import invariants as of_struggle
from tests.tools import Lcg, decisions, samples

pytestmark = pytest.mark.slow

POSITIONS, SAMPLES, MOST_GAMES = 2, 12, 400
"""Positions of each kind, determinizations of each seat's view of one, and games that may be needed to meet all."""
ROMA_KINDS = """
    give lay triple main keep lay:architectus lay:senator lay:consiliarius lay:machina take:haruspex take:aesculapinum
    own:scaenicus own:consiliarius own:machina rival:praetorianus die:consul die:forum die:templum sign:consul
    buy:mercator main,known keep,known lay,known,face-down
"""


class Case(NamedTuple):
    """A game.

    Attributes:
        game: what the suites know of it.
        invariants: all cards are somewhere, counts and sizes agree, and what is known is true.
        setup: of the game of a seed.
        kinds: its decisions, with the effects that ask for them, as `kind_of` has them or only their first part.
        fewest: how many actions are legal where another seat is asked.
    """

    game: Harness
    invariants: ModuleType
    setup: Callable[[int], dict[str, Any]]
    kinds: str
    fewest: int = 2


CASES = {
    case.game.name: case
    for case in (
        Case(
            ROMANS_GO_HOME,
            of_romans_go_home,
            lambda seed: {"num_players": 2 + seed % 2, "num_neutrals": seed % 3 % 2},
            "discard place reorder charm take axx unwary lose give_up",
        ),
        Case(ROMA, of_roma, lambda seed: {}, ROMA_KINDS),
        # The decision stays asked there, whatever the hand (STRUGGLE 9.3).
        Case(
            STRUGGLE,
            of_struggle,
            lambda seed: {"num_players": 3 + seed % 2, "max_rounds": 20},
            "legion rob build answer tribe fare",
            fewest=1,
        ),
    )
}


def kind_of(game: Game) -> str:
    """The kind of the decision; at Roma also whether cards of who decides are known to the rival, or lie face-down."""
    if not isinstance(game.rules, Roma):
        return game.rules.decision_kind(game.states, 0)
    position = game.position()
    decision = position["decision"]
    one = position["players"][decision["agent"]]
    kind = decision["kind"] + (f":{decision['effect']}" if decision["effect"] else "")
    return kind + ",known" * bool(one.get("known")) + ",face-down" * bool(one.get("face_down"))


@cache
def positions(name: str) -> list[tuple[str, Game]]:
    """Games at decisions of every kind."""
    case, met, found, lcg = CASES[name], Counter(), [], Lcg(1)
    for seed in range(MOST_GAMES):
        # Of each kind one occurrence of a game, any of them as likely as the others.
        times, chosen = Counter(), {}
        for game in decisions(case.game.new_game(seed, **case.setup(seed)), seed):
            kind = kind_of(game)
            times[kind] += 1
            # A kind that others have as their base may be counted already.
            if sum(one == kind for one, _ in found) < POSITIONS and lcg.below(times[kind]) == 0:
                chosen[kind] = game.clone()
        met.update({*chosen, *(kind.partition(",")[0] for kind in chosen)})
        found += chosen.items()
        if all(met[kind] >= POSITIONS for kind in case.kinds.split()):
            break
    assert {kind for kind in case.kinds.split() if met[kind] < POSITIONS} == set()
    return found


def test_every_game_is_looked_at():
    assert set(CASES) == set(names())


@pytest.mark.parametrize("name", CASES)
def test_samples_agree_with_what_their_seat_knows(name):
    case = CASES[name]
    for kind, game in positions(name):
        for seat in range(len(game.players)):
            view = game.view(seat)
            known, asked = view.states.tobytes(), game.seat_to_act
            for sample in samples(view, SAMPLES, seed=seat):
                where = (kind, seat)
                assert sample.view(seat).states.tobytes() == known, where
                assert sample.seat_to_act == asked, where
                legal = sample.legal_actions()
                assert legal == game.legal_actions() if seat == asked else len(legal) >= case.fewest, where
                case.invariants.check_cards(sample, sample.position())
