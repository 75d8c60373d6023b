"""Romans Go Home! as an OpenSpiel game: the chance nodes of its deal, and its information states.

The deal (RULES 2.3) is split into chance nodes: in each round first the wall, then the cards of each clan. Orders of
forts that lead to the same wall are one outcome, and equal cards are not distinguished. A seat that plans later does
not see the plans of the others (RULES 3.2).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations
from typing import Any, NamedTuple

from romans_env.core.protocol import CHANCE, Outcome, States
from romans_env.envs.open_spiel_parts import OpenSpielPart, Tensors
from romans_env.romans_go_home import RomansGoHome, Table
from romans_env.romans_go_home.actions import ACTION_NAMES, CHARM, KIND_OF_PHASE, NUM_ACTIONS
from romans_env.romans_go_home.chance import deal_as_json
from romans_env.romans_go_home.material import FORTS, NUM_WARRIORS, WARRIORS
from romans_env.romans_go_home.playback import lay_wall, phases
from romans_env.romans_go_home.setup import SMALL_TABLE
from romans_env.romans_go_home.state import PHASE_TURN_END

MOST_DRAWS = 10_000
"""The largest number of ways to draw at a chance node; tables with more are refused."""


def parameters_of(table: Table) -> dict[str, Any]:
    """Return a table as OpenSpiel parameters: integers, and strings that join names with ``+``."""
    return {
        "num_players": table.num_players,
        "num_neutrals": table.num_neutrals,
        "variant": table.variant,
        "fort_deck": "+".join(table.fort_deck),
        "warriors": "+".join(table.warriors),
        "line_size": table.line_size,
        "num_rounds": table.num_rounds,
    }


def table_of_parameters(game: str, parameters: dict[str, Any]) -> Table:
    """Return the table of OpenSpiel parameters; missing ones have the values of the small table.

    Raises:
        ValueError: if the rules do not allow the table.
    """
    settings = {**parameters_of(SMALL_TABLE), **parameters}
    for name in ("fort_deck", "warriors"):
        settings[name] = [part for part in settings[name].split("+") if part]
    return Table(**settings)


class _ListedDeal(RomansGoHome):
    """The rules with a deal in parts, each with listed outcomes: the wall of a round, then each clan's cards by seat.

    An outcome is a text: ``wall`` and its forts, slot 1 first, or a clan and its cards. A part with a single outcome is
    dealt together with the part before it. Until everything is dealt, ``turn`` of the record counts the parts.

    Args:
        rules: the game with its setup.

    Raises:
        ValueError: if a chance node would have too many outcomes, as in the full game.
    """

    def __init__(self, rules: RomansGoHome):
        super().__init__(rules.setup)
        table = self.setup
        num_lines = math.perm(len(table.warriors), table.line_size) if table.num_neutrals else 0
        num_walls = sum(1 for _ in islice(_draws(table.fort_deck, table.line_size), MOST_DRAWS + 1))
        if max(num_lines, num_walls) > MOST_DRAWS:
            raise ValueError(
                f"the table {table} is too large for OpenSpiel: chance would have more than {MOST_DRAWS} ways to draw "
                "at a node; a small table has fewer warriors, slots and forts (docs/measuring/small_table.md)"
            )
        hands = Counter(combinations(table.warriors, table.hand_size))
        lines = Counter(permutations(table.warriors, table.line_size)) if table.num_neutrals else Counter()
        self._cards = [hands] * table.num_players + [lines] * table.num_neutrals
        self._walls: dict[tuple[str, ...], Counter[tuple[str, ...]]] = {}
        # No later wall can be laid in more ways than the first one.
        self.most_outcomes = max(map(len, (self._walls_of(table.fort_deck), hands, lines)))

    def begin(self, states: States, i: int) -> int:
        """Begin game i of ``states``, shape ``(n,)``, with the first part of the deal.

        Returns:
            CHANCE or, if only one deal is possible, the seat to act.
        """
        super().begin(states, i)
        states["turn"][i] = 0
        return self._deal_on(states, i)

    def chance_outcomes(self, states: States, i: int) -> Sequence[tuple[Outcome, int]]:
        table, (round_index, place) = self.setup, self._next_part(states, i)
        if place == 0:
            who, gone = "wall", states["fort_order"][i, : round_index * table.line_size].tolist()
            left = Counter(table.fort_deck) - Counter(FORTS[fort] for fort in gone)
            ways = self._walls_of(tuple(left.elements()))
        else:
            who, ways = table.clans[place - 1], self._cards[place - 1]
        return [(" ".join([who, *names]), number) for names, number in sorted(ways.items())]

    def act_chance(self, states: States, i: int, outcome: Outcome) -> int:
        """Deal the wall or the cards that the outcome names, in game i of ``states``, shape ``(n,)``.

        Returns:
            CHANCE, or the seat to act once everything is dealt.
        """
        _, *names = outcome.split()
        round_index, place = self._next_part(states, i)
        if place == 0:
            first = round_index * self.setup.line_size
            states["fort_order"][i, first : first + len(names)] = [FORTS.index(name) for name in names]
        else:
            states["dealt"][i, round_index, place - 1, : len(names)] = [WARRIORS.index(name) for name in names]
        states["turn"][i] += 1  # before the game starts, it counts the parts that are dealt
        return self._deal_on(states, i)

    def _next_part(self, states: States, i: int) -> tuple[int, int]:
        """Return the round of the next part, from 0, and its place: 0 for the wall, or the clan's seat + 1."""
        return divmod(int(states["turn"][i]), 1 + self.setup.num_clans)

    def _deal_on(self, states: States, i: int) -> int:
        """Deal parts with a single outcome, and start the game once all is dealt; return CHANCE or the seat to act."""
        if self._next_part(states, i)[0] == self.setup.num_rounds:
            deal = deal_as_json(states[i], self.setup)
            states[i : i + 1] = self.new_states(1)
            super().begin(states, i)
            return super().act_chance(states, i, deal)
        outcomes = self.chance_outcomes(states, i)
        return CHANCE if len(outcomes) > 1 else self.act_chance(states, i, outcomes[0][0])

    def _walls_of(self, forts: tuple[str, ...]) -> Counter[tuple[str, ...]]:
        """Return the possible walls of a round in which these forts are left, with the number of ways to draw each.

        A wall stands for all orders of drawing that lead to it; drawn in its own order, it stays as it is.
        """
        if forts not in self._walls:
            ways: Counter[tuple[str, ...]] = Counter()
            states = self.new_states(1)
            for drawn, number in _draws(forts, self.setup.line_size):
                states["fort_order"][0, : len(drawn)] = [FORTS.index(name) for name in drawn]
                lay_wall(states, 0)
                wall = states["wall"][0, : len(drawn)]
                ways[tuple(FORTS[fort] for fort in wall)] += number
            self._walls[forts] = ways
        return self._walls[forts]


def _draws(names: Sequence[str], size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield each ordered draw of ``size`` names, with the number of ways to make it with physical cards."""
    if size == 0:
        yield (), 1
        return
    for name, copies in sorted(Counter(names).items()):
        rest = list(names)
        rest.remove(name)
        for others, number in _draws(rest, size - 1):
            yield (name, *others), copies * number


class _Decision(NamedTuple):
    """A decision that was made. Rounds and turns are counted from 1; turn 0 is the planning."""

    round: int
    turn: int
    seat: int
    action: int


_Lines = tuple[tuple[int, ...], ...]
"""The warriors that each clan has revealed in a round, by slot."""


class _Memory(NamedTuple):
    """What the seats remember.

    Attributes:
        known: for each seat, the decisions that it knows of: the public ones and its own.
        past: the warriors revealed in finished rounds.
    """

    known: tuple[tuple[_Decision, ...], ...]
    past: tuple[_Lines, ...]


class _TableRecall:
    """A seat's information state: its hands, the walls, the revealed warriors, and the decisions that it knows of.

    The tensor's first part is the observation of docs/environments/romans_go_home_encoding.md. Two parts follow: the
    warriors that each clan has revealed in the rounds so far, one-hot by slot, and the decisions that the seat knows
    of, in order, each as the seat one-hot and the action one-hot.
    """

    def __init__(self, rules: RomansGoHome):
        self._table = table = rules.setup
        self.shapes: Mapping[str, tuple[int, ...]] = {
            "revealed": (table.num_rounds, table.num_clans, table.line_size, NUM_WARRIORS),
            "decisions": (rules.max_decisions, table.num_players + NUM_ACTIONS),
        }

    def begin(self, states: States) -> _Memory:
        """Return an empty memory for a new game, a record of shape ``(1,)``."""
        return _Memory(((),) * self._table.num_players, ())

    def after(self, memory: _Memory, before: States, action: int | None, states: States) -> _Memory:
        """Return the memory after an action; a chance event, ``action`` None, adds nothing.

        ``before`` and ``states`` are the records before and after it, shape ``(1,)``.
        """
        if action is None:
            return memory
        at, past = before[0], memory.past
        decision = _Decision(int(at["round_index"]) + 1, int(at["turn"]), int(at["seat"]), action)
        is_secret = action < CHARM  # discards, plans and new orders (RULES 3.1, 4.13)
        known = tuple(
            (*decisions, decision) if seat == decision.seat or not is_secret else decisions
            for seat, decisions in enumerate(memory.known)
        )
        if states["round_index"][0] != at["round_index"]:
            past = (*past, self._lines(_end_of_round(before, action)))
        return _Memory(known, past)

    def _revealed(self, memory: _Memory, states: States) -> tuple[_Lines, ...]:
        """Return what each clan has revealed, round by round; a seat's private view contains it, too."""
        return (*memory.past, self._lines(states))

    def _lines(self, states: States) -> _Lines:
        turn = int(states["turn"][0])
        return tuple(map(tuple, states["line"][0, : self._table.num_clans, :turn].tolist()))

    def write(self, memory: _Memory, states: States, player: int, tensors: Tensors) -> None:
        """Write the information state of a player into ``tensors``, float32, with the shapes of ``shapes``."""
        for round_index, lines in enumerate(self._revealed(memory, states)):
            for seat, line in enumerate(lines):
                for slot, warrior in enumerate(line):
                    tensors["revealed"][round_index, seat, slot, warrior] = 1
        for row, decision in zip(tensors["decisions"], memory.known[player], strict=False):
            row[decision.seat] = row[self._table.num_players + decision.action] = 1

    def string(self, memory: _Memory, states: States, player: int) -> str:
        """Return the information state of a player, whose view ``states`` is, shape ``(1,)``, as one line."""
        table = self._table
        num_rounds = int(states["round_index"][0]) + 1
        drawn = states["dealt"][0, :num_rounds, player, : table.hand_size].tolist()
        forts = states["fort_order"][0, : num_rounds * table.line_size].tolist()
        parts = [
            table.players[player],
            "drew " + ", ".join(_names(WARRIORS, cards) for cards in drawn),
            "walls " + _names(FORTS, forts),
        ]
        for lines in self._revealed(memory, states):
            parts.append("revealed " + ", ".join(_names(WARRIORS, line) or "-" for line in lines))
        decisions = [f"{at.round}.{at.turn}.{at.seat}.{ACTION_NAMES[at.action]}" for at in memory.known[player]]
        parts.append(" ".join(["decided", *decisions]))
        kind = KIND_OF_PHASE.get(int(states["phase"][0]))
        parts.append(f"{table.players[int(states['seat'][0])]} decides {kind}" if kind else "the game is over")
        return " | ".join(parts)


def _end_of_round(states: States, action: int) -> States:
    """Return the record at the end of the round in which an action is played, when all its lines are revealed."""
    states = states.copy()
    for _, after, _ in phases(states, action):
        if after.phase == PHASE_TURN_END and after.turn == after.line_size:
            break
    return states


def _names(kinds: Sequence[str], cards: Sequence[int]) -> str:
    return " ".join(kinds[card] for card in cards)


PART = OpenSpielPart(parameters_of(SMALL_TABLE), parameters_of, table_of_parameters, _ListedDeal, _TableRecall)
