"""What many tests of Romans Go Home! need: its tables, and games staged so that given warriors meet."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

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

SMALL_TABLES = (
    (2, 0, "standard", ("unwary-2", "legion-2", "dinary-3"), ("qween", "axx", "filchy", "chariott", "chariott"), 3, 1),
    (
        *(2, 1, "vogel"),
        ("tax-8", "signal-4", "unwary-2", "legion-1", "legion-3", "dinary-1", "dinary-5", "dinary-5"),
        *(("qween", "druhid", "zvord", "axx", "horsie", "chariott", "chariott"), 4, 2),
    ),
    (1, 2, "standard", ("legion-1", "legion-2"), ("archr", "filchy", "chariott"), 2, 1),
    (4, 0, "vogel", ("legion-1", "legion-1", "legion-2"), ("druhid", "zvord"), 1, 3),
    (3, 1, "standard", ("legion-1", "dinary-3", "tax-8", "signal-4", "unwary-2") * 3, None, 5, 3),
    (2, 0, "standard", DEFAULT_FORT_DECK, ("qween", "druhid", "zvord", "axx", "archr", "horsie", "chariott"), 6, 3),
    (1, 1, "vogel", ("dinary-1", "dinary-4", "signal-4", "tax-8", "unwary-2", "unwary-2"), None, 6, 1),
)
"""Arguments of odd small tables: walls of Legion forts alone, one slot, a hand that is the whole clan."""

COVERING = (
    *((2, 0, "standard"), (4, 0, "vogel"), (1, 2, "standard"), (2, 2, "vogel"), (3, 1, "standard")),
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
        RomansGoHome.kernels.answer(states, 0, 0)
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
            RomansGoHome.kernels.choose(self.states, 0, ACTION_NAMES.index(choice))
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


def attacks(table: str, wall: str = "", variant: str = "standard") -> Any:
    """Cases of a test that calls ``check_attack``.

    Args:
        table: a row a case, which an indented line continues: its name, the lines as ``clans`` reads them, the choices
            of each turn (``"0 charm:+1, 0 reorder:axx; 1 axx:keep"``), and what the last turn comes to: ``totals``,
            ``up`` and ``forts`` by clan, ``asked`` by decision, all parted by strokes, ``captor``, ``charmed``,
            ``captured``, ``lost``, and ``wall`` with a dash for an empty slot; last the forts, if not ``wall``.
        wall: the forts.
        variant: that of the table.
    """
    joined = re.sub(r"\n +", " ", table).strip()
    rows = [[cell.strip() for cell in row.split("|")] for row in joined.splitlines()]
    cases = [pytest.param([*[*row, wall][1:5], variant], id=row[0]) for row in rows]
    return pytest.mark.parametrize("attack", cases)


def check_attack(attack: list[str]) -> Turn:
    """Play the turns of a case, and hold the last one against what is expected."""
    lines, turns, expected, wall, variant = attack
    stage = Stage(clans(lines), wall, variant)
    for choices in turns.split(";"):
        turn = stage.turn(*[f"player_{choice.strip()}" for choice in choices.split(",") if choice.strip()])
    came = {
        "totals": " / ".join(map(str, turn.totals.values())),
        "up": " / ".join(" ".join(turn.face_up(clan)) for clan in turn.totals),
        "forts": " / ".join(" ".join(turn.forts(clan)) for clan in turn.totals),
        "asked": " / ".join(" ".join([agent.removeprefix("player_"), *names]) for agent, names in turn.asked),
        "captor": turn.captor or "nobody",
        "charmed": turn.position["this_turn"]["charmed"] or "nobody",
        "captured": turn.captured or "nothing",
        "lost": " ".join(turn.position["lost_forts"]),
        "wall": " ".join(fort or "-" for fort in turn.position["wall"]),
    }
    for one in expected.split(","):
        name, *words = one.split()
        assert came[name].split() == words, f"{name} {came[name]}"
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
    for field in ("forts", "points", "num_forts", "num_legion"):
        state[field] = 0
    for clan, names in forts.items():
        give_forts(game.states, game.rules.seats.index(clan), names)
    state.legion_winner = -1 if legion_winner is None else game.rules.seats.index(legion_winner)
    return game
