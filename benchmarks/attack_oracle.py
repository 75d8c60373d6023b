"""Equilibria of rounds with all decisions of the attack, by a double oracle (McMahan, Gordon and Blum 2003).

    python -m benchmarks.attack_oracle                                               # prints a table; minutes a round
    python -m benchmarks.attack_oracle --page docs/research/round_equilibria.md      # writes it

A strategy is a line, with what its owner chooses in the attack by what it has seen. The first strategies are those of
an equilibrium over lines, whose attack is that of rollouts. A step solves the game with the strategies that there are,
searches what each seat gains by its best answers to the solution, and adds them. The search is that of
`rounds.lookahead`, but that every strategy of the rival chooses as it does, and that the answers' choices are kept.
Rounds are those of `benchmarks.round_equilibria`. What is in the file of results is not repeated.
"""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt

from benchmarks.pages import complete, kept, write_generated
from benchmarks.round_equilibria import RULES, rounds_of
from recipes.equilibria.plan_regret import round_starts
from recipes.equilibria.round_game import PlanSpace, RoundGame, summed
from recipes.equilibria.round_matrix import Lines
from romans_agents.romans_go_home.rounds.kernels import games as kernels
from romans_agents.romans_go_home.rounds.lookahead import end_values, in_attack
from romans_agents.romans_go_home.rounds.matrix_game import Floats, Side, regret_matching
from romans_agents.romans_go_home.rounds.rival import hashes_of, rollout_actions
from romans_env import Table
from romans_env.romans_go_home.actions import NUM_ACTIONS
from romans_env.romans_go_home.material import HAND_SIZE, NUM_WARRIORS
from romans_env.romans_go_home.state import (
    PHASE_AXX,
    PHASE_CHARM,
    PHASE_HORSIE,
    PHASE_SIGNAL,
    PHASE_TAKE,
    PHASE_TAX,
    PHASE_UNWARY,
    PHASE_ZVORD,
    States,
)

RESULTS = Path(__file__).with_name("attack_oracle.json")
MARKS = 0, 10, 20, 40
"""Steps whose gains are in the table; the last is the last of all."""
SEARCHED, SEARCHED_AT_LAST = 4, 16
"""Lines of each hand, the best by their value with the attack of rollouts, that are searched with all decisions; as
many of the solution's are, too."""
MOST_POSITIONS = 60_000
"""Positions at the start of a search: lines are searched in parts."""
LEAST = 1e-5
"""Strategies with less probability are passed over in a search."""
STARTS_FROM = 0.003
"""Plans with less probability are no strategies at first."""
SHOWN = 0.001
"""Kinds of decisions that gain less have no column."""
ITERATIONS = 1_500
"""Of regret matching."""

DECISIONS = {
    "charm": PHASE_CHARM,
    "Dru'hid": PHASE_TAKE,
    "Axx": PHASE_AXX,
    "Horsie": PHASE_HORSIE,
    "Zvord": PHASE_ZVORD,
    "Unwary": PHASE_UNWARY,
    "Signal": PHASE_SIGNAL,
    "Tax": PHASE_TAX,
}
"""The phases of the attack in which a seat decides."""

Numbers = npt.NDArray[np.int64]


class Choices:
    """What a seat chooses in the attack: in each version, by the hash of its view; else as in rollouts.

    Version 0 is that of rollouts alone.
    """

    def __init__(self) -> None:
        self._known: list[tuple[Numbers, Numbers]] = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))]

    def add(self, views: Numbers, actions: Numbers) -> int:
        """A new version.

        Args:
            views: hashes, int64, shape (n,).
            actions: what is chosen there: int64, shape (n,).

        Returns:
            Its number.
        """
        views, first = np.unique(views, return_index=True)
        self._known.append((views, actions[first]))
        return len(self._known) - 1

    def actions(self, states: States, versions: Numbers) -> Numbers:
        """The action of the deciding seat in each game: int64, shape (n,)."""
        actions = rollout_actions(states)
        used = np.unique(versions)
        if used[-1] > 0:
            hashes = hashes_of(states, states["seat"].astype(np.int64))
            for version in used[used > 0]:
                views, chosen = self._known[version]
                rows = np.flatnonzero(versions == version)
                places = np.minimum(np.searchsorted(views, hashes[rows]), len(views) - 1)
                known = views[places] == hashes[rows]
                actions[rows[known]] = chosen[places[known]]
        return actions


class Strategies(NamedTuple):
    """Strategies of a seat.

    Attributes:
        lines: the numbers of their lines in `PlanSpace.lines`: int64, shape (n,).
        versions: of their choices in the attack: int64, shape (n,).
        weights: their probabilities over all hands: float64, shape (n,).
    """

    lines: Numbers
    versions: Numbers
    weights: Floats

    def with_more(self, more: Strategies) -> Strategies:
        """Both together."""
        return Strategies(
            np.concatenate([self.lines, more.lines]),
            np.concatenate([self.versions, more.versions]),
            np.concatenate([self.weights, more.weights]),
        )


class Answers(NamedTuple):
    """Best answers to a mixture.

    Attributes:
        values: of the lines that were searched, as returns: float64, shape (n,).
        views: hashes of what the seat may see on the way: int64, shape (m,).
        actions: what it chooses there: int64, shape (m,).
    """

    values: Floats
    views: Numbers
    actions: Numbers


class _Decisions(NamedTuple):
    """Decisions of one depth: nodes, first children, views, the actions of all children, and rollouts' choices."""

    parents: Numbers
    first: Numbers
    views: Numbers
    actions: Numbers
    usual: Numbers


def whole_plans(lines: Lines, table: Table) -> npt.NDArray[np.int8]:
    """Plans that lay lines, with the weakest warrior left set aside, as `matrix_of` has it: int8, shape (n, 7)."""
    laid = (lines[:, :, None] == np.arange(NUM_WARRIORS)).sum(axis=1)
    plans = np.zeros((len(lines), HAND_SIZE), dtype=np.int8)
    plans[:, : table.line_size] = lines
    plans[:, table.line_size] = (table.warrior_counts() > laid).argmax(axis=1)
    return plans


class Attacks:
    """A round with all decisions of the attack.

    Args:
        root: a game at the start of a round, shape (1,).
        table: of the game, for two players without neutral clans.
        space: its plans.
    """

    def __init__(self, root: States, table: Table, space: PlanSpace):
        self._root = root
        self._plans = whole_plans(space.lines, table)
        self.choices = Choices(), Choices()

    def _begun(self, lines: tuple[Numbers, Numbers]) -> States:
        states = np.repeat(self._root, len(lines[0]))
        kernels.begin_attacks(states, np.stack([self._plans[lines[0]], self._plans[lines[1]]], axis=1))
        return states

    def payoffs(self, rows: Strategies, columns: Strategies) -> Floats:
        """What every strategy of seat 0 wins against every one of seat 1: float64, shape (n, m)."""
        n, m = len(rows.lines), len(columns.lines)
        states = self._begun((np.repeat(rows.lines, m), np.tile(columns.lines, n)))
        versions = np.repeat(rows.versions, m), np.tile(columns.versions, n)
        left = np.flatnonzero(in_attack(states))
        while len(left):
            now = states[left]
            actions = np.empty(len(now), dtype=np.int64)
            for seat in range(2):
                own = now["seat"] == seat
                if own.any():
                    actions[own] = self.choices[seat].actions(now[own], versions[seat][left[own]])
            kernels.act_each(now, actions)
            states[left] = now
            left = left[in_attack(now)]
        return end_values(states, 0).reshape(n, m)

    def answers(
        self, seat: int, lines: Numbers, rival: Strategies, phases: tuple[int, ...] = tuple(DECISIONS.values())
    ) -> Answers:
        """The best decisions in the attack with each line, against a mixture of the rival's strategies.

        Args:
            seat: who decides.
            lines: its lines.
            rival: the mixture.
            phases: in which it is free to choose; in others it chooses as in rollouts.
        """
        part = max(1, MOST_POSITIONS // len(rival.lines))
        found = [self._answers(seat, lines[k : k + part], rival, phases) for k in range(0, len(lines), part)]
        return Answers(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def _answers(self, seat: int, lines: Numbers, rival: Strategies, phases: tuple[int, ...]) -> Answers:
        n, m = len(lines), len(rival.lines)
        both = [np.tile(rival.lines, n), np.tile(rival.lines, n)]
        both[seat] = np.repeat(lines, m)
        states = self._begun((both[0], both[1]))
        weights, versions = np.tile(rival.weights, n), np.tile(rival.versions, n)
        nodes, sums, decisions = np.repeat(np.arange(n), m), np.zeros(n), list[_Decisions]()
        while True:
            waiting = []
            while len(states):
                attacking = in_attack(states)
                over = ~attacking
                np.add.at(sums, nodes[over], weights[over] * end_values(states[over], seat))
                own = attacking & (states["seat"] == seat)
                waiting.append((states[own], weights[own], versions[own], nodes[own]))
                left = attacking & ~own
                states, weights, versions, nodes = states[left], weights[left], versions[left], nodes[left]
                if len(states):
                    kernels.act_each(states, self.choices[1 - seat].actions(states, versions))
            states, weights, versions, nodes = (np.concatenate(column) for column in zip(*waiting, strict=True))
            if not len(states):
                break
            # Positions of one line that the seat cannot tell apart are one decision.
            views = hashes_of(states, seat)
            _, row, decision = np.unique(views ^ (nodes << 40), return_index=True, return_inverse=True)
            legal = ((states["legal"][:, None] >> np.arange(NUM_ACTIONS)) & 1).astype(bool)
            usual, free = rollout_actions(states), np.isin(states["phase"], phases)
            legal[~free] = np.eye(NUM_ACTIONS, dtype=bool)[usual[~free]]
            counts = legal[row].sum(axis=1)
            first = len(sums) + np.cumsum(counts) - counts
            sums = np.concatenate([sums, np.zeros(int(counts.sum()))])
            decisions.append(_Decisions(nodes[row], first, views[row], np.nonzero(legal[row])[1], usual[row]))
            rows, actions = np.nonzero(legal)
            rank = (np.cumsum(legal, axis=1) - 1)[rows, actions]
            nodes = first[decision[rows]] + rank
            states, weights, versions = states[rows], weights[rows], versions[rows]
            kernels.act_each(states, actions)
        chosen = [np.zeros(0, dtype=np.int64)]
        for one in reversed(decisions):
            begin, count = one.first - one.first[0], len(one.actions)
            values = sums[one.first[0] : one.first[0] + count]
            best = np.maximum.reduceat(values, begin)
            np.add.at(sums, one.parents, best)
            owner = np.repeat(np.arange(len(begin)), np.diff(begin, append=count))
            # Of several best actions that of rollouts, which all other strategies expect.
            rated = np.where(values == best[owner], 1 + (one.actions == one.usual[owner]), 0)
            order = np.lexsort((-rated, owner))
            chosen.append(one.actions[order[begin]])
        seen = [np.zeros(0, dtype=np.int64), *(one.views for one in reversed(decisions))]
        return Answers(sums[:n], np.concatenate(seen), np.concatenate(chosen))


def _candidates(space: PlanSpace, values: Floats, count: int) -> list[Numbers]:
    """The lines of the highest values of each hand."""
    return [
        rows[np.argsort(-values[rows], kind="stable")[:count]]
        for rows in (space.rows[space.side.types == hand] for hand in range(len(space.side.chances)))
    ]


class Step(NamedTuple):
    """A step of the double oracle.

    Attributes:
        value: of seat 0, as a return.
        gains: what the best answers of each seat win more than the solution; a lower bound, as not all lines are
            searched.
        mixtures: the solution.
    """

    value: float
    gains: tuple[float, float]
    mixtures: tuple[Strategies, Strategies]


class AttackOracle:
    """A double oracle for a round.

    Args:
        root: a game at the start of a round, shape (1,).
        game: the round over lines.
        starts: mixed plans of both seats: of each plan its probability, given its hand.
        table: of the game, for two players without neutral clans.
    """

    def __init__(self, root: States, game: RoundGame, starts: tuple[Floats, Floats], table: Table):
        self._game, self._attacks = game, Attacks(root, table, game.space)
        side = game.space.side
        self._able = np.zeros((len(side.chances), len(game.space.lines)), dtype=bool)
        self._able[side.types, game.space.rows] = True
        self._known = []
        for start in starts:
            lines = np.unique(game.space.rows[start > STARTS_FROM])
            self._known.append(Strategies(lines, np.zeros_like(lines), np.zeros(len(lines))))
        self._payoffs = self._attacks.payoffs(self._known[0], self._known[1])
        self._likeliest: list[list[Numbers]] = []

    def step(self, num_lines: int = SEARCHED) -> Step:
        """Solve the game with the strategies that there are, and add the best answers.

        Args:
            num_lines: of each hand, that are searched.
        """
        self._likeliest = self._solve(num_lines)
        known = self._known
        value, gains, added = float(known[0].weights @ self._payoffs @ known[1].weights), [], []
        for seat in range(2):
            best_value, best, answers = self._answered(seat, num_lines)
            gains.append(best_value - (value if seat == 0 else -value))
            version = self._attacks.choices[seat].add(answers.views, answers.actions)
            added.append(Strategies(best, np.full(len(best), version), np.zeros(len(best))))
        payoffs = self._attacks.payoffs
        self._payoffs = np.block(
            [
                [self._payoffs, payoffs(known[0], added[1])],
                [payoffs(added[0], known[1]), payoffs(added[0], added[1])],
            ]
        )
        self._known = [one.with_more(more) for one, more in zip(known, added, strict=True)]
        return Step(value, (gains[0], gains[1]), (known[0], known[1]))

    def _solve(self, num_lines: int) -> list[list[Numbers]]:
        """Set the weights of all strategies; the likeliest lines of each seat, by hand."""
        space, tables = self._game.space, (self._payoffs, -self._payoffs.T.copy())
        hands, numbers = zip(*(np.nonzero(self._able[:, one.lines]) for one in self._known), strict=True)
        sides = Side(hands[0], space.side.chances), Side(hands[1], space.side.chances)

        def values_of(seat: int, weights: Floats) -> Floats:
            rival = summed(numbers[1 - seat], weights, tables[seat].shape[1])
            return np.asarray((tables[seat] @ rival)[numbers[seat]])

        mixes = next(islice(regret_matching(values_of, sides), ITERATIONS - 1, None))
        likeliest = []
        for seat, mix in enumerate(mixes):
            one = self._known[seat]
            weights = summed(numbers[seat], space.side.chances[hands[seat]] * mix, len(one.lines))
            self._known[seat] = one._replace(weights=weights)
            rows = [np.flatnonzero(hands[seat] == hand) for hand in range(len(space.side.chances))]
            best = [row[np.argsort(-mix[row], kind="stable")[:num_lines]] for row in rows]
            likeliest.append([one.lines[numbers[seat][row]] for row in best])
        return likeliest

    def gains_by_decision(self) -> dict[str, list[float]]:
        """What each seat wins more, against the solution of the last step, when it chooses in one phase alone."""
        fixed = [self._answered(seat, SEARCHED, ())[0] for seat in range(2)]
        return {
            name: [self._answered(seat, SEARCHED, (phase,))[0] - fixed[seat] for seat in range(2)]
            for name, phase in DECISIONS.items()
        }

    def _answered(
        self, seat: int, num_lines: int, phases: tuple[int, ...] = tuple(DECISIONS.values())
    ) -> tuple[float, Numbers, Answers]:
        """The value of the best answers of a seat, their lines, and their choices."""
        space, rival = self._game.space, self._known[1 - seat]
        counts = rival.weights > LEAST
        rival = Strategies(rival.lines[counts], rival.versions[counts], rival.weights[counts])
        values = self._game.values(seat, summed(rival.lines, rival.weights, len(space.lines)))
        tried = [
            np.union1d(*both) for both in zip(_candidates(space, values, num_lines), self._likeliest[seat], strict=True)
        ]
        lines = np.unique(np.concatenate(tried))
        answers = self._attacks.answers(seat, lines, rival, phases)
        found = np.full(len(space.lines), -np.inf)
        found[lines] = answers.values
        best = np.array([own[found[own].argmax()] for own in tried])
        return float(space.side.chances @ found[best]), np.unique(best), answers


def measured(seed: int, number: int) -> dict[str, Any]:
    """Solve a round: a result of the file."""
    root = round_starts(RULES, seed)[number - 1]
    game = RoundGame.of(root, RULES.setup)
    side = game.space.side
    starts = next(islice(regret_matching(game.values_of_plans, (side, side)), 299, None))
    begun = time.perf_counter()
    oracle = AttackOracle(root, game, starts, RULES.setup)
    steps, by_decision = [], {}
    for count in range(MARKS[-1] + 1):
        step = oracle.step()
        steps.append(
            {
                "value": round(step.value, 5),
                "gains": [round(gain, 5) for gain in step.gains],
                "strategies": [len(one.lines) for one in step.mixtures],
                "seconds": round(time.perf_counter() - begun),
            }
        )
        click.echo(f"{count}: {steps[-1]}")
        if count == 0:
            by_decision = oracle.gains_by_decision()
            click.echo(by_decision)
    return {
        "seed": seed,
        "round": number,
        "by decision": by_decision,
        "steps": steps,
        "gains of more lines": oracle.step(SEARCHED_AT_LAST).gains,
    }


def table(found: list[dict[str, Any]]) -> str:
    """A row for each round; then what the decisions of one kind alone gain."""
    after = " | ".join(f"after {mark}" for mark in MARKS[1:])
    lines = [
        f"| game, round | value | after {MARKS[-1]} steps | best answers gain | {after} | "
        f"{SEARCHED_AT_LAST} lines a hand | strategies | minutes |",
        f"|---|---:|---:|{'---:|' * len(MARKS)}---:|---:|---:|",
    ]
    for one in found:
        first, last = one["steps"][0], one["steps"][MARKS[-1]]
        cells = (
            f"{one['seed']}, {one['round']}",
            *(f"{step['value'] + 0.0:+.3f}".replace("-0.000", "0.000") for step in (first, last)),
            *(_pair(one["steps"][mark]["gains"]) for mark in MARKS),
            _pair(one["gains of more lines"]),
            ", ".join(map(str, last["strategies"])),
            f"{last['seconds'] / 60:.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    free = [name for name in DECISIONS if any(max(one["by decision"][name]) > SHOWN for one in found)]
    lines += ["", f"| game, round | {' | '.join(free)} |", f"|---|{'---:|' * len(free)}"]
    for one in found:
        cells = (f"{one['seed']}, {one['round']}", *(_pair(one["by decision"][name]) for name in free))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _pair(gains: list[float]) -> str:
    return ", ".join(f"{gain:.3f}" for gain in gains)


@click.command()
@click.option("--games", default=1, show_default=True, help="Games, three rounds of each.")
@click.option("--results", type=click.Path(path_type=Path), default=RESULTS, help="The file of results.")
@click.option("--page", type=click.Path(path_type=Path), default=None, help="Write results there, and measure none.")
def main(games: int, results: Path, page: Path | None) -> None:
    """Solve what is not in the file of results yet, and print all of it."""
    if page is not None:
        write_generated(page, "benchmarks.attack_oracle", table(kept(results)))
        return
    click.echo(table(complete(results, ("seed", "round"), rounds_of(games), measured)))


if __name__ == "__main__":
    main()
