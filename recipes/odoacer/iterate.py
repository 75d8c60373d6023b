"""Iterates `odoacer`: plays its games, refits both of its networks, and measures the result.

    python -m recipes.odoacer.iterate runs/odoacer/1
    python -m recipes.odoacer.iterate runs/odoacer/2 --start runs/odoacer/1

An iteration starts from two networks, those of the package by default. `odoacer` plays one seat against three of
`trader`, with few rollouts. The win probability learns from the outcome of these games, mostly from observations at the
end of the seat's own turns, where most rollouts end. Then the network that selects rollouts plays games without
rollouts; some of its decisions are searched with the new win probability, and it learns from these rollouts.

At the end, `odoacer` with the new networks and with the former ones plays the same deals against three of `trader`, and
the new networks play against three copies of the former ones. `record.json` has these results with 95 % intervals, and
the time of a decision.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import torch

from recipes.odoacer.fit_networks import MINIBATCH, ROLLOUTS, Positions, PriorFit, load_fit
from recipes.odoacer.searched_positions import play_searched_game
from recipes.odoacer.turn_ends import play_game
from recipes.stilicho.fit_win_chance import Examples, cross_entropy, learn
from romans_agents import Agent, make
from romans_agents.struggle.rollouts import NUM_RECORDS
from romans_agents.struggle.selective_rollouts import MOST, Prior, load_prior
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.trained.odoacer import DOUBT, LEAST_WORTH, ODOACER_FILE, WIN_CHANCE_FILE, OdoacerAgent
from romans_agents.struggle.win_chance import WinChance, load_win_chance
from romans_env import View
from romans_env.core.files import atomic_write
from romans_env.engine.random_stream import WORDS, streams_from_seeds
from romans_env.struggle import StruggleForRome, StruggleSetup
from romans_training.compare.exploit_result import win_share
from romans_training.measure.evaluation import evaluate
from romans_training.measure.intervals import Estimate
from romans_training.reporting import in_percent

OF_ROUND, SEARCHED_OF_ROUND = 1000, 100
"""The games of a round for the win probability and for the other network: the new ones test the fit before it learns
from them."""
TURNS_KEPT, WORTH_IN_GAMES, ROWS_OF_A_GAME = 0.6, 6e-3, 30
"""The share of own turns that the win probability learns from, the argument ``least_worth`` in these games, and the
most positions of a game."""
DECISIONS_SEARCHED, POSITIONS_OF_A_GAME = 0.35, 40
EXPLORED = 0.03
"""The share of decisions that are random candidates."""
WIN_CHANCE_RATE, PRIOR_RATE, PASSES = 1e-4, 3e-4, 2
"""The first learning rates, which fall to 0, and the passes of the other network over the positions of a round."""
Rows = tuple[npt.NDArray[Any], ...]


class Player:
    """Plays many games of `odoacer` in compiled loops.

    Args:
        prior: the network that decides where rollouts are worthwhile.
        fitted: the network that evaluates the ends of rollouts.
        seed: the seed of the deals and the choices.
    """

    def __init__(self, prior: Prior, fitted: WinChance, seed: Sequence[int]):
        rules = StruggleForRome(StruggleSetup())
        self._size, self._states = rules.observation_size, rules.new_states(1)
        streams, deals = (streams_from_seeds([one]) for one in np.random.SeedSequence(seed).spawn(2))
        seen, words = np.empty((1, self._size), np.int16), np.zeros((NUM_RECORDS, WORDS), np.int64)
        scratch = np.repeat(self._states, NUM_RECORDS), words, seen
        self._common = streams, deals, np.zeros((1, WORDS), np.int64), scratch, fitted, STYLES[TRADER], prior

    def turn_ends(self, num_games: int) -> Examples:
        """Play games with few rollouts, and return positions at the ends of turns with their outcomes."""
        count = ROWS_OF_A_GAME * num_games
        columns = np.empty((count, self._size), np.int16), np.empty(count, np.float32), np.empty(count, np.int8)
        options = np.array([TURNS_KEPT, EXPLORED, WORTH_IN_GAMES, DOUBT])

        def play(game: int, rows: Rows) -> int:
            return int(play_game(self._states, np.arange(4) == game % 4, options, *self._common, rows)[0])

        observations, log_odds, _, shares = self._collect(num_games, (*columns, np.empty(count, np.float32)), play)
        return Examples(observations, log_odds, shares)

    def positions(self, num_games: int) -> Positions:
        """Play games without rollouts, and return searched decisions."""
        count, options = POSITIONS_OF_A_GAME * num_games, np.array([DECISIONS_SEARCHED, EXPLORED])
        observations, actions = np.empty((count, self._size), np.int8), np.empty((count, MOST), np.int64)
        scores, valid = np.empty((2, count, MOST), np.float32)
        columns = observations, actions, scores, valid, np.empty((count, ROLLOUTS, MOST), np.float32)

        def play(game: int, rows: Rows) -> int:
            return int(play_searched_game(self._states, game % 4, options, *self._common, rows))

        return tuple(torch.from_numpy(column) for column in self._collect(num_games, columns, play))

    @staticmethod
    def _collect(num_games: int, columns: Rows, play: Callable[[int, Rows], int]) -> Rows:
        at = 0
        for game in range(num_games):
            at += play(game, tuple(column[at:] for column in columns))
        return tuple(column[:at] for column in columns)


class Timed(OdoacerAgent):
    """`odoacer` with networks from files; it measures its time.

    Args:
        prior: the file of the network that decides where rollouts are worthwhile.
        win_chance: the file of the network that evaluates the ends of rollouts.
        least_worth: as in `OdoacerAgent`.

    Attributes:
        seconds: the time of all decisions.
        decisions: their number.
    """

    def __init__(self, prior: Path, win_chance: Path, least_worth: float):
        super().__init__(least_worth)
        self.prior, self.fitted = load_prior(prior), load_win_chance(win_chance)
        self.seconds, self.decisions = 0.0, 0

    def act(self, view: View) -> int:
        start = time.perf_counter()
        action = super().act(view)
        self.seconds += time.perf_counter() - start
        self.decisions += 1
        return action


def load_prior_fit(path: Path) -> PriorFit:
    """Read a network that selects rollouts, to be trained."""
    with np.load(path, allow_pickle=False) as arrays:
        found = {name: torch.from_numpy(arrays[name].astype(np.float32)) for name in arrays}
    fit, linear = PriorFit(), ("first", "second", "gap", "third", "last")
    for name, parameter in fit.state_dict().items():
        column = found[name.replace(".", "_").removesuffix("_weight")]
        parameter.copy_(column.T if name in {f"{layer}.weight" for layer in linear} else column)
    return fit


def fit_win_chance(start: Path, prior: Path, output: Path, num_games: int, seed: int) -> dict[str, float]:
    """Refit the win probability on games of `odoacer`, and write it to ``output``.

    Returns:
        The cross entropy on new games, in nats, of the former and of the new network, means of the last quarter.
    """
    fit, former = load_fit(start), load_fit(start)
    optimizer = torch.optim.AdamW(fit.parameters(), weight_decay=1e-3)
    losses = list[tuple[float, float]]()
    for number, (done, more) in enumerate(_rounds(num_games, OF_ROUND)):
        optimizer.param_groups[0]["lr"] = WIN_CHANCE_RATE * (1.0 - done / num_games)
        played = Player(load_prior(prior), load_win_chance(start), [seed, 0, number]).turn_ends(more)
        losses.append((cross_entropy(former, played)[1], cross_entropy(fit, played)[1]))
        learn(fit, optimizer, played)
        click.echo(f"{done + more:,} games: cross entropy {losses[-1][1]:.4f}, of the former {losses[-1][0]:.4f}")
        fit.save(output)
    before, after = np.mean(losses[-max(1, len(losses) // 4) :], axis=0)
    return {"cross_entropy_before": float(before), "cross_entropy": float(after)}


def fit_prior(start: Path, win_chance: Path, output: Path, num_games: int, seed: int) -> dict[str, float]:
    """Refit the network that selects rollouts to searched decisions, and write it to ``output``.

    Returns:
        What the choices of the former and of the new network, without rollouts, gain over `trader`'s in win
        probability per decision, by rollouts of new games, means of the last quarter; and the share of decisions in
        which the two choose differently.
    """
    fit, former = load_prior_fit(start), load_prior_fit(start)
    optimizer = torch.optim.AdamW([one for one in fit.parameters() if one.requires_grad], weight_decay=1e-2)
    gains = list[tuple[float, float, float]]()
    for number, (done, more) in enumerate(_rounds(num_games, SEARCHED_OF_ROUND)):
        optimizer.param_groups[0]["lr"] = PRIOR_RATE * (1.0 - done / num_games)
        played = Player(load_prior(start), load_win_chance(win_chance), [seed, 1, number]).positions(more)
        (chosen, gain), (before, gain_before) = chosen_by(fit, played), chosen_by(former, played)
        gains.append((gain_before, gain, float((chosen != before).float().mean())))
        for rows in (rows for _ in range(PASSES) for rows in torch.randperm(len(chosen)).split(MINIBATCH)):
            optimizer.zero_grad()
            fit.loss(tuple(column[rows] for column in played)).backward()
            optimizer.step()
        click.echo(f"{done + more:,} games: gain {gain:.4f}, of the former {gain_before:.4f}")
        fit.save(output)
    before, after, changed = np.mean(gains[-max(1, len(gains) // 4) :], axis=0)
    return {"gain_before": float(before), "gain": float(after), "changed": float(changed)}


@torch.no_grad()
def chosen_by(fit: PriorFit, played: Positions) -> tuple[torch.Tensor, float]:
    """Return the candidates with the highest means, int64, shape ``(n,)``, and their mean gain over the first ones."""
    *inputs, valid, chances = played
    chosen = fit(*inputs)[0].masked_fill(valid == 0.0, -torch.inf).argmax(dim=1)
    gains = chances.mean(dim=1) - chances.mean(dim=1)[:, :1]
    return chosen, float(gains.gather(1, chosen[:, None]).mean())


def compare(new: Timed, former: Timed, num_deals: int, seed: int) -> dict[str, Estimate | float]:
    """Measure two versions of `odoacer`: shares of the win, and milliseconds per decision against `trader`."""
    trader = make("trader", game="struggle")
    found: dict[str, Estimate | float] = {}
    for name, agent in (("former", former), ("new", new)):
        found[f"{name}_against_trader"] = share_of(agent, trader, num_deals, seed)
        found[f"{name}_ms"] = 1000.0 * agent.seconds / agent.decisions
    return found | {"new_against_former": share_of(new, former, num_deals, seed)}


def share_of(agent: Agent, rival: Agent, num_deals: int, seed: int) -> Estimate:
    """Measure an agent's share of the win against three copies of another one, every deal from all four seats."""
    return win_share(evaluate(agent, [rival] * 3, StruggleSetup(), num_deals, seed).mean_return, 1 / 4)


def _rounds(num_games: int, of_round: int) -> list[tuple[int, int]]:
    return [(done, min(of_round, num_games - done)) for done in range(0, num_games, of_round)]


@click.command()
@click.argument("to", type=click.Path(path_type=Path, file_okay=False))
@click.option("--start", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder to start from.")
@click.option("--games", type=click.IntRange(min=1), default=24_000, show_default=True, help="For the win probability.")
@click.option("--searched", type=click.IntRange(min=1), default=3_000, show_default=True, help="Games with searches.")
@click.option("--deals", type=click.IntRange(min=2), default=250, show_default=True, help="Deals of a measurement.")
@click.option("--least-worth", type=float, default=LEAST_WORTH, show_default=True, help="Option of odoacer.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed.")
def main(to: Path, start: Path | None, games: int, searched: int, deals: int, least_worth: float, seed: int) -> None:
    """Refit both networks of `odoacer` on its own games, and write them and a record to the folder TO."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    to.mkdir(parents=True, exist_ok=True)
    former = (ODOACER_FILE, WIN_CHANCE_FILE) if start is None else _files(start)
    prior, win_chance = _files(to)
    began = time.perf_counter()
    record: dict[str, Any] = {"games": games, "searched": searched, "seed": seed, "least_worth": least_worth}
    record |= fit_win_chance(former[1], former[0], win_chance, games, seed)
    record |= fit_prior(former[0], win_chance, prior, searched, seed)
    record["minutes"] = (time.perf_counter() - began) / 60.0
    record |= compare(Timed(prior, win_chance, least_worth), Timed(*former, least_worth), deals, seed)
    shown = {name: in_percent(value) if isinstance(value, Estimate) else value for name, value in record.items()}
    with atomic_write(to / "record.json") as temporary:
        temporary.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for name, value in shown.items():
        click.echo(f"{name}: {value:.4g}" if isinstance(value, float) else f"{name}: {value}")


def _files(folder: Path) -> tuple[Path, Path]:
    return folder / ODOACER_FILE.name, folder / WIN_CHANCE_FILE.name


if __name__ == "__main__":
    main()
