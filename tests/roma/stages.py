"""What many tests of Roma need: games played at random, and games staged at a given position."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from romans_env import Game
from romans_env.core.chance import ChanceSource
from romans_env.roma import Roma
from romans_env.roma.material import CARDS, COPIES
from romans_env.roma.state import PHASE_DICE
from tests import tools
from tests.tools import Lcg, Staged, decisions, fill, legal_names, played, state_bytes

__all__ = ["Lcg", "decisions", "legal_names", "played", "state_bytes"]

RULES = Roma()
COPIES_OF = {name: int(copies) for name, copies in zip(CARDS, COPIES, strict=True)}
PLAYERS = ("player_0", "player_1")


def new_game(seed: int | None = None, outcomes: Sequence[Any] | None = None) -> Game:
    """A game from its start."""
    return Game(RULES, seed=seed, deal=None if outcomes is None else {"outcomes": list(outcomes)})


def game_at(kind: str, seed: int = 0, effect: str | None = None) -> Game:
    """A game played at random up to a decision of a kind, and of an effect."""
    for number in range(seed, seed + 1000):
        for game in decisions(new_game(number), number):
            decision = game.position()["decision"]
            if decision["kind"] == kind and effect in (None, decision["effect"]):
                return game
    raise AssertionError(f"no game comes to {kind}")


class Stage(Staged):
    """A game that begins in the middle of a turn, with the dice already thrown.

    Cards that are named nowhere are in the pile, or in the discard pile where ``pile`` is given.

    Args:
        dice: the unused dice, one to three; three equal ones ask whether to throw again.
        own: the player's cards, by disc from 1.
        rival: the rival's cards, by disc.
        hand: the player's hand; no card of it is known to the rival unless ``known`` names it.
        rival_hand: the rival's hand.
        money: the player's sestertii, and the rival's.
        points: the player's points, and the rival's; the rest is in the stock.
        outcomes: what chance answers.
        turn: odd for player_0.
        pile: the pile; None: what is left.
        discard: the discard pile.
        blocked: the player's blocked discs.
        known: cards of the player's hand that the rival knows.
        rival_known: cards of the rival's hand that the player knows.
        is_whole: whether the rest of the 52 cards is put somewhere.
    """

    def __init__(
        self,
        dice: Sequence[int],
        own: Mapping[int, str] | None = None,
        rival: Mapping[int, str] | None = None,
        hand: Iterable[str] = (),
        rival_hand: Iterable[str] = (),
        money: tuple[int, int] = (0, 0),
        points: tuple[int, int] = (10, 10),
        outcomes: Sequence[Any] = (),
        turn: int = 1,
        pile: Iterable[str] | None = None,
        discard: Iterable[str] = (),
        blocked: Iterable[int] = (),
        known: Iterable[str] = (),
        rival_known: Iterable[str] = (),
        is_whole: bool = True,
    ):
        states = RULES.new_states(1)
        RULES.begin(states, 0)
        state, seat = states[0], (turn - 1) % 2
        self.me, self.rival = PLAYERS[seat], PLAYERS[1 - seat]
        left = Counter(COPIES_OF)
        for owner, discs in ((seat, own or {}), (1 - seat, rival or {})):
            for disc, name in discs.items():
                state.discs[owner, disc - 1] = CARDS.index(name)
            left -= Counter(discs.values())
        for owner, cards, seen in ((seat, hand, known), (1 - seat, rival_hand, rival_known)):
            left -= fill(state.hand[owner], CARDS, cards)
            state.hand_size[owner] = state.hand[owner].sum()
            fill(state.known[owner], CARDS, seen)
            state.known_size[owner] = state.known[owner].sum()
        left -= fill(state.discard, CARDS, discard)
        if pile is not None:
            left -= fill(state.pile, CARDS, pile)
        if is_whole:
            rest = Counter(discard) + left if pile is not None else left
            fill(state.discard if pile is not None else state.pile, CARDS, rest.elements())
        state.pile_size, state.discard_size = state.pile.sum(), state.discard.sum()
        state.money[seat], state.money[1 - seat] = money
        state.points[seat], state.points[1 - seat] = points
        state.stock = 36 - sum(points)
        state.turn, state.seat = turn, seat
        for disc in blocked:
            state.blocked[seat, disc - 1] = 1
        # The last die is thrown here: the rules then go on to the first decision.
        state.phase, state.left, state.thrown, state.drawn = PHASE_DICE, 1, 2, 0
        for die in dice[:-1]:
            state.dice[die - 1] += 1
        RULES.act_chance(states, 0, dice[-1])
        self.game = Game.of_states(RULES, states, ChanceSource(None, outcomes))

    @property
    def theirs(self) -> dict[str, Any]:
        """What the rival has."""
        return self.position["players"][self.rival]

    @property
    def discard(self) -> dict[str, int]:
        return self.position["discard"]

    def asked(self) -> tuple[Any, ...] | None:
        """The decision as (kind, effect, disc, value); None when it is not the player's."""
        decision = self.decision
        if decision is None or decision["agent"] != self.me:
            return None
        return tuple(decision[key] for key in ("kind", "effect", "disc", "value"))


def has_value(kind: str | None, effect: str | None) -> bool:
    """Whether a decision has a value (ROMA 10.2)."""
    valued = (("lay", "architectus"), ("lay", "senator"), ("die", "centurio"), ("die", "templum"))
    return kind == "sign" or (kind, effect) in valued


def copying() -> Stage:
    """Return the stage of ROMA 11.2."""
    own = {2: "essedum", 4: "scaenicus", 6: "centurio"}
    return Stage((2, 4, 5), own, {3: "turris", 5: "turris", 4: "forum"}, outcomes=[1, 1, 2, 4])


def before_the_last_payment() -> Stage:
    """Return the stage of ROMA 11.3."""
    return Stage((2, 3, 6), own={2: "templum", 3: "forum", 4: "basilica"}, points=(14, 13))


def short_pile() -> Stage:
    """Return the stage of ROMA 11.4."""
    return Stage(
        (4, 1, 2),
        hand=["consul"],
        rival_hand=["tribunus"],
        pile=["forum", "nero"],
        discard=["legat", "legat", "turris"],
        outcomes=["nero", "forum", "legat", "turris"],
        is_whole=False,
    )


def positions(seeds: Iterable[int]) -> Iterator[Game]:
    """Games of seeds at every decision, and at their ends."""
    for seed in seeds:
        yield from tools.positions(new_game(seed), seed)
