"""What many tests of Struggle for Rome need: games played at random, and games staged at a given position."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from romans_env import Game
from romans_env.core.chance import ChanceSource
from romans_env.struggle import StruggleForRome, StruggleSetup
from romans_env.struggle.material import DEVELOPMENT, NEUTRAL, NONE, PROVINCES, RESOURCES, TRIBES
from romans_env.struggle.state import STAGE_BUILD, STAGE_DICE, STAGE_TRIBE
from tests import tools
from tests.tools import Lcg, Staged, decisions, fill, legal_names, played, state_bytes

__all__ = ["Lcg", "decisions", "legal_names", "played", "state_bytes"]

FOUR = StruggleForRome()
THREE = StruggleForRome(StruggleSetup(3))
BOARD = FOUR.board
CITIES = {city.name: number for number, city in enumerate(BOARD.cities)}
CROSSROADS = {city.name: city.crossroads for city in BOARD.cities}
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"num_players": 3},
    {"player_trade": False, "max_rounds": 20},
    {"num_players": 3, "max_offers": 1, "max_rounds": 8},
)
"""Settings that differ in all that matters; short games among them."""


def rules_of(**settings: Any) -> StruggleForRome:
    """The rules with settings."""
    return StruggleForRome(StruggleSetup(**settings))


def new_game(seed: int | None = None, outcomes: Sequence[Any] | None = None, **settings: Any) -> Game:
    """A game from its start."""
    return Game(rules_of(**settings), seed=seed, deal=None if outcomes is None else {"outcomes": list(outcomes)})


def opened(num_decisions: int = 0, seed: int = 0, **settings: Any) -> Game:
    """A game of a seed after some decisions."""
    return played(new_game(seed, **settings), seed, num_decisions)


def game_at(kind: str, seed: int = 0, **settings: Any) -> Game:
    """A game played at random up to a decision of a kind."""
    for number in range(seed, seed + 100):
        for game in decisions(new_game(number, **settings), number):
            if game.rules.decision_kind(game.states, 0) == kind:
                return game
    raise AssertionError(f"no game comes to {kind}")


def positions(seeds: Iterable[int], every: int = 1, **settings: Any) -> Iterator[Game]:
    """Games of seeds at every n-th decision, and at their ends."""
    for seed in seeds:
        yield from tools.positions(new_game(seed, **settings), seed, every)


class Stage(Staged):
    """A game that begins in the middle, with player_0 first in the round.

    What is not given is as in the opening, hands and pile of pasture cards aside: hands are empty, all cards that are
    named nowhere are in the bank, the piles and the deck.

    Args:
        phase: 1 (the dice are thrown next), 2, 3 or 4.
        active: the seat whose turn it is.
        hands: by seat, kinds of resource cards.
        gold: by seat.
        cards: by seat, the development cards in hand.
        played: by seat, the development cards played.
        tribes: by (seat, tribe), ``at``, ``army``, ``wagons``, ``counters`` (provinces) and ``cities`` (names; the
            figure is in the first one). Figures and wagons come from the reserve.
        discard: the pasture discard.
        bank: what the bank has left of a kind; the rest is nowhere.
        pile: the pasture pile; the rest is nowhere.
        plundered: names of cities without a counter.
        outcomes: what chance answers.
        legion: the legionnaire's hex.
        round_number: of the round.
        deck: the development deck; None: all the other cards.
        settings: of the setup.
    """

    def __init__(
        self,
        phase: int,
        active: int = 0,
        hands: Mapping[int, str] | None = None,
        gold: Mapping[int, int] | None = None,
        cards: Mapping[int, str] | None = None,
        played: Mapping[int, str] | None = None,
        tribes: Mapping[tuple[int, str], Mapping[str, Any]] | None = None,
        discard: str = "",
        bank: Mapping[str, int] | None = None,
        pile: Mapping[str, int] | None = None,
        plundered: Sequence[str] = (),
        outcomes: Sequence[Any] = (),
        legion: int | None = None,
        round_number: int = 2,
        deck: str | None = None,
        **settings: Any,
    ):
        self.rules = rules_of(**settings)
        self.me = f"player_{active}"
        self.num_players = self.rules.num_players
        states = self.rules.new_states(1)
        self.rules.begin(states, 0)
        for _ in range(self.num_players):
            self.rules.act_chance(states, 0, "cattle")
        state = states[0]
        state.round_number, state.phase, state.active, state.seat = round_number, phase, active, active
        state.markers = 0
        left = Counter({"grain": 14, "ore": 14, "cattle": 10, "horse": 10}) - Counter(discard.split())
        for seat in range(self.num_players):
            left -= fill(state.hand[seat], RESOURCES, (hands or {}).get(seat, ""))
            state.gold[seat] = (gold or {}).get(seat, 5)
        for kind, name in enumerate(RESOURCES):
            if kind < 2:
                state.bank[kind] = (bank or {}).get(name, left[name])
            else:
                state.pile[kind - 2] = left[name] if pile is None else pile.get(name, 0)
                state.discard[kind - 2] = discard.split().count(name)
        rest = Counter(dict(zip(DEVELOPMENT, (10, 6, 5, 5, 4), strict=True)))
        for seat in range(self.num_players):
            rest -= fill(state.development[seat], DEVELOPMENT, (cards or {}).get(seat, ""))
            rest -= fill(state.played[seat], DEVELOPMENT, (played or {}).get(seat, ""))
            state.development_size[seat] = state.development[seat].sum()
        fill(state.deck, DEVELOPMENT, " ".join(rest.elements()) if deck is None else deck)
        state.deck_size = state.deck.sum()
        for (seat, name), tribe in (tribes or {}).items():
            place_tribe(state, seat, TRIBES.index(name), **tribe)
        for name in plundered:
            state.has_counter[CITIES[name]] = 0
        if legion is not None:
            state.legion = legion
        for seat in range(self.num_players):
            if state.played[seat, 0] >= 3 and (
                state.diplomacy == NONE or state.played[seat, 0] > state.played[state.diplomacy, 0]
            ):
                state.diplomacy = seat
        for seat in range(self.num_players):
            state.points[seat] = points_by_hand(state, seat)
        state.stage = {1: STAGE_DICE, 2: STAGE_BUILD}.get(phase, STAGE_TRIBE)
        self.states = states
        self.game = self._started(outcomes)

    def _started(self, outcomes: Sequence[Any]) -> Game:
        chance = ChanceSource(None, outcomes)
        seat = self.rules.seat_to_act(self.states, 0)
        if seat >= 0:
            forced = int(self.rules.compiled.only_legal_action(self.states, 0))
            if forced >= 0:
                seat = int(self.rules.act(self.states, 0, forced))
        while seat == -2:
            _, seat = chance.answer(self.rules, self.states)
        return Game.of_states(self.rules, self.states, chance)

    def of(self, seat: int) -> dict[str, Any]:
        """What a seat has."""
        return self.position["players"][f"player_{seat}"]

    def asked(self) -> tuple[str, str]:
        """Who is asked, and for what."""
        decision = self.decision
        assert decision is not None
        return decision["agent"], decision["kind"]


def at_roma(army: int = 5, wagons: int = 1, counters: str = "", **things: Any) -> Stage:
    """In phase 3, player_0's horseman beside roma (5 towers) and corfinium (2); ``more`` are other tribes."""
    tribes = {(0, "horseman"): {"at": 107, "army": army, "wagons": wagons, "counters": counters}}
    return Stage(3, tribes=tribes | things.pop("more", {}), **things)


def place_tribe(
    state: Any,
    seat: int,
    tribe: int,
    at: int | None = None,
    army: int = 1,
    wagons: int = 1,
    counters: str = "",
    cities: Sequence[str] = (),
) -> None:
    """Write a tribe into a record; figures and wagons come from the reserve."""
    state.reserve[seat, tribe] += state.army[seat, tribe] - army
    state.reserve[seat, 2] += state.wagons[seat, tribe] - wagons
    state.army[seat, tribe], state.wagons[seat, tribe] = army, wagons
    for name in counters.split():
        state.box[seat, tribe, PROVINCES.index(name)] += 1
    if at is not None:
        state.at[seat, tribe] = at
    for number, name in enumerate(cities):
        city = CITIES[name]
        assert state.owner[city] != NEUTRAL
        state.owner[city], state.tribe[city], state.has_counter[city] = seat, tribe, 0
        state.reserve[seat, 2] -= 1
        if number == 0:
            state.kingdom[seat, tribe], state.at[seat, tribe] = 1, CROSSROADS[name]
        else:
            state.reserve[seat, tribe] -= 1
    state.num_cities[seat, tribe] = len(cities)


def reached(start: int, arrows: int, board: Any = BOARD) -> set[int]:
    """The crossroads that a walk with so many arrows at most leads to (STRUGGLE 5.4)."""
    best, waiting = {start: 0}, [start]
    while waiting:
        here = waiting.pop()
        for edge in board.edges:
            if here in edge[:2]:
                there, cost = edge.a + edge.b - here, best[here] + (edge.kind != "road")
                if cost <= arrows and cost < best.get(there, 99):
                    best[there] = cost
                    waiting.append(there)
    return set(best)


def points_by_hand(state: Any, seat: int) -> int:
    """The points of a seat while the game runs (STRUGGLE 7.1)."""
    cities = [int(sum((state.owner == seat) & (state.tribe == tribe))) for tribe in range(2)]
    scourges = sum(bool(state.box[seat, tribe].all()) for tribe in range(2))
    specials = scourges + (state.diplomacy == seat) + (min(cities) >= 4)
    return sum(cities) + 2 * int(specials)
