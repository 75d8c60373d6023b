"""What many tests of Romans Go Home! need: its tables, and games staged so that given warriors meet."""

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

import pytest

from romans_env import Game, RomansGoHome, Table
from romans_env.romans_go_home.actions import ACTION_NAMES
from romans_env.romans_go_home.material import COPIES, DEFAULT_FORT_DECK, FORTS, WARRIORS
from romans_env.romans_go_home.playback import next_phase
from romans_env.romans_go_home.position import position_of
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_GAME_OVER, PHASE_PLACE, PHASE_TURN_END
from tests.tools import legal_names, played

SIZES = ((1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0))
"""(players, neutrals) of the eight tables, written out again so that a change in the code is noticed."""
VARIANTS = ("standard", "vogel")
TABLES = tuple((players, neutrals, variant) for players, neutrals in SIZES for variant in VARIANTS)
"""Arguments of all sixteen ``Table``s."""


class SmallTable(NamedTuple):
    """Arguments of a ``Table``, in its order."""

    num_players: int
    num_neutrals: int
    variant: str
    fort_deck: tuple[str, ...]
    warriors: tuple[str, ...] | None
    line_size: int
    num_rounds: int


SMALL_TABLES = (
    SmallTable(
        num_players=2,
        num_neutrals=0,
        variant="standard",
        fort_deck=("unwary-2", "legion-2", "dinary-3"),
        warriors=("qween", "axx", "filchy", "chariott", "chariott"),
        line_size=3,
        num_rounds=1,
    ),
    SmallTable(
        num_players=2,
        num_neutrals=1,
        variant="vogel",
        fort_deck=("tax-8", "signal-4", "unwary-2", "legion-1", "legion-3", "dinary-1", "dinary-5", "dinary-5"),
        warriors=("qween", "druhid", "zvord", "axx", "horsie", "chariott", "chariott"),
        line_size=4,
        num_rounds=2,
    ),
    SmallTable(
        num_players=1,
        num_neutrals=2,
        variant="standard",
        fort_deck=("legion-1", "legion-2"),
        warriors=("archr", "filchy", "chariott"),
        line_size=2,
        num_rounds=1,
    ),
    SmallTable(
        num_players=4,
        num_neutrals=0,
        variant="vogel",
        fort_deck=("legion-1", "legion-1", "legion-2"),
        warriors=("druhid", "zvord"),
        line_size=1,
        num_rounds=3,
    ),
    SmallTable(
        num_players=3,
        num_neutrals=1,
        variant="standard",
        fort_deck=("legion-1", "dinary-3", "tax-8", "signal-4", "unwary-2") * 3,
        warriors=None,
        line_size=5,
        num_rounds=3,
    ),
    SmallTable(
        num_players=2,
        num_neutrals=0,
        variant="standard",
        fort_deck=DEFAULT_FORT_DECK,
        warriors=("qween", "druhid", "zvord", "axx", "archr", "horsie", "chariott"),
        line_size=6,
        num_rounds=3,
    ),
    SmallTable(
        num_players=1,
        num_neutrals=1,
        variant="vogel",
        fort_deck=("dinary-1", "dinary-4", "signal-4", "tax-8", "unwary-2", "unwary-2"),
        warriors=None,
        line_size=6,
        num_rounds=1,
    ),
)
"""Odd ones: walls of Legion forts alone, one slot, a hand that is the whole clan."""

COVERING = (
    (2, 0, "standard"),
    (4, 0, "vogel"),
    (1, 2, "standard"),
    (2, 2, "vogel"),
    (3, 1, "standard"),
    SMALL_TABLES[1],
)
"""Arguments of the tables to run what lies above the rules at: every number of clans, both variants, a small table."""

# Walls that many turns are played before.
SIGNAL_SECOND = "dinary-3 signal-4 dinary-3 dinary-3 dinary-3 dinary-5"
UNWARY_SECOND = "dinary-1 unwary-2 dinary-3 dinary-3 dinary-3 dinary-5"

COPIES_OF = {name: int(copies) for name, copies in zip(WARRIORS, COPIES, strict=True)}


def table_id(table: tuple[Any, ...]) -> str:
    """A name for a table in the list of tests, such as ``2+1-vogel``."""
    size = [f"{table[6]}x{table[5]}"] if len(table) > 4 else [*map(str, table[3:])]
    return "-".join([f"{table[0]}+{table[1]}", *map(str, table[2:3]), *size])


def new_game(table: tuple[Any, ...], seed: int | None = None, deal: Any = None) -> Game:
    """A game at a table given as ``Table`` arguments."""
    return Game(RomansGoHome(Table(*table)), seed=seed, deal=deal)


def random_game(table: tuple[Any, ...], seed: int, stop_after: int | None = None) -> Game:
    """A game of the deal of ``seed``, played at random."""
    return played(new_game(table, seed), seed, stop_after)


@dataclass
class Turn:
    """A turn of the attack as a stage played it.

    Attributes:
        position: the full state at its end, the reveal and the totals still shown.
        asked: (agent, sorted names of its legal actions) of every decision in it, in order.
        before: the full state at each of these decisions.
    """

    position: dict[str, Any]
    asked: list[tuple[str, list[str]]]
    before: list[dict[str, Any]]

    @property
    def totals(self) -> dict[str, int]:
        return self.position["this_turn"]["totals"]

    @property
    def captor(self) -> str | None:
        return self.position["this_turn"]["captor"]

    @property
    def captured(self) -> str | None:
        return self.position["this_turn"]["captured"]

    def face_up(self, clan: str) -> list[str]:
        return self.position["clans"][clan]["face_up"]

    def forts(self, clan: str) -> list[str]:
        return self.position["clans"][clan]["forts"]


class Stage:
    """A game in which given lines meet before a given wall, stopped at the end of every turn.

    A game runs on to the next decision, which may lie turns ahead. So a stage follows it phase by phase on a second
    record, to look at the table when a turn is over, and checks at every decision that both stand at the same place.

    Args:
        plans: by clan, the line of warriors of the first round, slot 1 first (further slots are filled with what is
            left, Zvord, Qween and Dru'hid last); or a list of such plans, one a round. The clans make the table.
        walls: the six forts of the first round, as they shall lie; or a list of them. The fort deck is made to fit.
        variant: ``"standard"`` or ``"vogel"``.
    """

    FILLERS = ("filchy", "archr", "chariott", "chariott", "horsie", "axx", "druhid", "zvord", "qween")

    def __init__(self, plans: Any, walls: Any = "", variant: str = "standard"):
        rounds = [plans] if isinstance(plans, dict) else list(plans)
        rounds += [dict.fromkeys(rounds[0], "")] * (3 - len(rounds))
        walls = [walls] if isinstance(walls, str) else list(walls)
        clans = list(rounds[0])
        players = sum(clan.startswith("player") for clan in clans)
        self.plans = [{clan: self._whole_line(plan[clan]) for clan in clans} for plan in rounds]
        forts = _whole_deck([wall.split() for wall in walls])
        deal = {
            "forts": forts,
            "rounds": [
                {clan: line + ([spare] if clan.startswith("player") else []) for clan, (line, spare) in plan.items()}
                for plan in self.plans
            ],
        }
        self.game = new_game((players, len(clans) - players, variant, forts), deal=deal)
        self.table = self.game.rules.setup
        self.states = self.game.states.copy()
        for number, wall in enumerate(walls):
            if wall:  # a wall that the rules would lay out otherwise (RULES 2.1) is a mistake of the test
                assert self._laid(number) == wall.split(), f"the wall is laid out as {self._laid(number)}"

    @classmethod
    def _whole_line(cls, plan: str) -> tuple[list[str], str]:
        """A line of six, and a seventh warrior."""
        line = plan.split()
        left = Counter(COPIES_OF) - Counter(line)
        assert Counter(line) <= Counter(COPIES_OF), line
        for name in cls.FILLERS:
            if left[name] and len(line) < 7:
                line.append(name)
                left[name] -= 1
        return line[:6], line[6]

    def _laid(self, number: int) -> list[str]:
        states = self.states.copy()
        state = states[0]
        state.fort_order[:6] = state.fort_order[6 * number : 6 * number + 6]
        RomansGoHome.compiled.answer(states, 0, 0)
        return [FORTS[fort] for fort in states[0].wall]

    @property
    def position(self) -> dict[str, Any]:
        """The full state now, between two turns: nobody decides."""
        states = self.states.copy()
        states["phase"] = PHASE_GAME_OVER
        return position_of(states[0], self.table)

    def planned_game(self) -> Game:
        """A copy of the game, planned and at its next decision (before any ``turn``)."""
        game = self.game.clone()
        while game.states[0].round_index == 0 and game.states[0].turn == 0:
            line, spare = self.plans[0][game.agent_to_act]
            placed = len(game.position()["clans"][game.agent_to_act]["hidden"])
            discards = game.position()["decision"]["kind"] == "discard"
            game.act(f"discard:{spare}" if discards else f"place:{line[placed]}")
        return game

    def turn(self, *choices: str) -> Turn:
        """Play the next turn (and the planning, before the first one).

        Args:
            choices: an action for every decision of the turn, as in a record: ``"player_0 charm:+1"``.
        """
        state = self.states[0]
        if state.phase == PHASE_TURN_END:
            next_phase(self.states, 0)
        left, asked, before = list(choices), [], []
        while state.phase != PHASE_TURN_END:
            legal = next_phase(self.states, 0)
            names = sorted(name for number, name in enumerate(ACTION_NAMES) if legal >> number & 1)
            if not names:
                continue
            agent = self.table.clans[state.seat]
            planning = state.phase in (PHASE_DISCARD, PHASE_PLACE)
            choice = self._planned(agent) if planning else names[0]
            if len(names) > 1:
                if not planning:
                    asked.append((agent, names))
                    before.append(self.game.position())
                    assert left, f"{agent} is asked for one of {names}, and the test says nothing"
                    chosen_by, choice = left.pop(0).split()
                    assert chosen_by == agent, f"{agent} is asked for one of {names}, not {chosen_by}"
                self._check_game_is_here(agent, names)
                self.game.act(choice)
            assert choice in names, f"{agent} cannot choose {choice}, only {names}"
            RomansGoHome.compiled.choose(self.states, 0, ACTION_NAMES.index(choice))
        assert not left, f"nobody was asked for {left}"
        return Turn(self.position, asked, before)

    def turns(self, number: int) -> Turn:
        """Play a number of turns without a decision."""
        for _ in range(number):
            turn = self.turn()
        return turn

    def _planned(self, agent: str) -> str:
        state = self.states[0]
        line, spare = self.plans[int(state.round_index)][agent]
        return f"discard:{spare}" if state.phase == PHASE_DISCARD else f"place:{line[int(state.slot)]}"

    def _check_game_is_here(self, agent: str, names: list[str]) -> None:
        there = self.game.states.copy()
        there["legal"] = self.states["legal"]
        assert there.tobytes() == self.states.tobytes()
        assert (self.game.agent_to_act, legal_names(self.game)) == (agent, names)


def _whole_deck(walls: list[list[str]]) -> list[str]:
    """18 forts with 4 Legion forts in drawing order, the given walls first and the missing Legion forts last."""
    forts = [fort for wall in walls for fort in wall]
    legions = 4 - sum(fort.startswith("legion") for fort in forts)
    assert legions >= 0, forts
    forts += ["dinary-3"] * (18 - legions - len(forts))
    return forts + ["legion-1"] * legions


def clans(lines: str) -> dict[str, str]:
    """Lines of warriors by clan, those of neutrals behind two strokes: ``"qween axx / archr // horsie"``."""
    parts = zip(("player", "neutral"), lines.split("//"), strict=False)
    return {f"{kind}_{seat}": line for kind, part in parts for seat, line in enumerate(part.split("/"))}


@dataclass(frozen=True)
class Attack:
    """A claim about a turn of the attack, and a game that shows it.

    Attributes:
        name: the claim.
        lines: the warriors of each clan, as `clans` reads them.
        turn: the turn that is looked at, from 1.
        choices: by turn, an action for every decision in it, as in a record: ``"player_0 charm:+1"``.
        wall: the six forts at the start; empty for those of all cases of the test.
        totals: by clan, what its warriors count. Of this and what follows, None is not looked at.
        up: by clan, the warriors face up at the end of the turn.
        forts: by clan, the forts that it has captured.
        asked: agent and legal actions of every decision.
        captor: who captures; "nobody" if no one does.
        charmed: whose warrior is charmed; "nobody" if no one's is.
        captured: the fort that is captured; "nothing" if none is.
        lost: the forts that have left the game.
        wall_after: the forts at the end, a dash for an empty slot.
    """

    name: str
    lines: str
    turn: int = 1
    choices: dict[int, list[str]] = field(default_factory=dict)
    wall: str = ""
    totals: tuple[int, ...] | None = None
    up: tuple[str, ...] | None = None
    forts: tuple[str, ...] | None = None
    asked: list[tuple[str, list[str]]] | None = None
    captor: str | None = None
    charmed: str | None = None
    captured: str | None = None
    lost: str | None = None
    wall_after: str | None = None

    def __post_init__(self) -> None:
        assert set(self.choices) <= set(range(1, self.turn + 1)), f"{self.name}: choices of turns that are not played"
        assert self.expected(), f"{self.name}: nothing is looked at"

    def expected(self) -> dict[str, Any]:
        """What is looked at, by the name of the field."""
        described = ("name", "lines", "turn", "choices", "wall")
        looked_at = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in described}
        return {name: value for name, value in looked_at.items() if value is not None}


def attacks(*cases: Attack, wall: str = "", variant: str = "standard") -> Any:
    """Parametrize a test that calls `check_attack` with its ``attack``.

    Args:
        cases: the claims.
        wall: the forts of the cases that name none; empty for any.
        variant: of the table.
    """
    params = [pytest.param((replace(one, wall=one.wall or wall), variant), id=one.name) for one in cases]
    return pytest.mark.parametrize("attack", params)


def check_attack(attack: tuple[Attack, str]) -> Turn:
    """Play the turns of a case of `attacks`, and hold the last one against what is expected; return it."""
    case, variant = attack
    stage = Stage(clans(case.lines), case.wall, variant)
    for number in range(1, case.turn + 1):
        turn = stage.turn(*case.choices.get(number, []))
    came = {
        "totals": tuple(turn.totals.values()),
        "up": tuple(" ".join(turn.face_up(clan)) for clan in turn.totals),
        "forts": tuple(" ".join(turn.forts(clan)) for clan in turn.totals),
        "asked": turn.asked,
        "captor": turn.captor or "nobody",
        "charmed": turn.position["this_turn"]["charmed"] or "nobody",
        "captured": turn.captured or "nothing",
        "lost": " ".join(turn.position["lost_forts"]),
        "wall_after": " ".join(fort or "-" for fort in turn.position["wall"]),
    }
    for name, value in case.expected().items():
        assert came[name] == value, f"{name}: {came[name]}, not {value}"
    return turn


def give_forts(states: Any, seat: int, names: str) -> None:
    """Write captured forts, and what follows from them, into a record."""
    for name in names.split():
        states["forts"][0, seat, FORTS.index(name)] += 1
        states["num_forts"][0, seat] += 1
        states["num_legion"][0, seat] += name.startswith("legion")
        states["points"][0, seat] += int(name[-1]) * (-1 if name.startswith("legion") else 1)


def with_forts(table: tuple[Any, ...], forts: dict[str, str], legion_winner: str | None = None) -> Game:
    """A finished game in which the clans hold given forts.

    The captured forts are written into the record of a finished game: to play 18 turns for every way in which scores
    can compare would be laborious, and scoring looks at nothing else.
    """
    game = random_game(table, seed=1)
    state = game.states[0]
    for name in ("forts", "points", "num_forts", "num_legion"):
        state[name] = 0
    for clan, names in forts.items():
        give_forts(game.states, game.rules.seats.index(clan), names)
    state.legion_winner = -1 if legion_winner is None else game.rules.seats.index(legion_winner)
    return game
