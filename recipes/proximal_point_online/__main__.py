"""Improves a policy of Romans Go Home! between two players by iterating: search, fit, search again.

    python -m recipes.proximal_point_online runs/proximal --iterations 3

Every iteration is a step of the proximal-point method. The policy with which it begins is the magnet. The network plays
games; at the starts of their rounds, candidate plans are compared by rollouts against plans of the network itself
(`plan_targets`), and the network is fitted to the targets as they come, so that both change together. The program
writes `policy-N.npz` and a line of `metrics.jsonl` to the folder. It does not repeat iterations that the folder has.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch import nn

from recipes.proximal_point_online.kept_decisions import Kept, kept_decisions
from recipes.proximal_point_online.plan_targets import Decisions, PlanSearch, Search, decisions_of
from recipes.proximal_point_online.policy_net import PolicyNet
from recipes.proximal_point_online.round_starts import round_starts
from romans_agents import Agent, Policy, PolicyAgent, make
from romans_agents.specs.registry import policy_of
from romans_env import RomansGoHome, Table
from romans_env.romans_go_home.setup import SMALL_TABLE
from romans_env.romans_go_home.state import States

GAMES, BATCH = 64, 32
"""Games that are played at a time, and starts of rounds that are searched at a time."""
MINIBATCH = 8192
SMALL = float(np.log(1e-3))
RATE_AT_END = 0.1
"""The learning rate at the end of an iteration, as a share of that at its beginning."""


class Iteration:
    """A step of the proximal-point method.

    Args:
        policy: the policy to improve.
        habits: policies that the opponent may follow, besides the quick `schemer`.
        rivals: agents in half of the games.
        kept: decisions in which the network keeps its probabilities, or None.
        table: the setup of the games.
        search: the settings of the search.
        learning_rate: the learning rate of Adam at the beginning.
        kept_share: the share of the loss of the kept decisions.
        seed: the random seed.
    """

    def __init__(
        self,
        policy: Policy,
        habits: list[Policy],
        rivals: list[Agent],
        kept: Kept | None,
        table: Table,
        search: Search,
        learning_rate: float,
        kept_share: float,
        seed: int,
    ):
        self._old, self._rivals, self._kept, self._rules = policy, rivals, kept, RomansGoHome(table)
        self._rate, self._kept_share, self._rng = learning_rate, kept_share, np.random.default_rng(seed)
        self._magnet, self.net = PolicyNet(policy), PolicyNet(policy)
        self._search = PlanSearch(self._magnet, self.net, [PolicyNet(one) for one in habits], table, search)
        self._optimizer = torch.optim.Adam(self.net.parameters(), lr=learning_rate)
        torch.manual_seed(seed)

    def run(self, num_starts: int) -> Iterator[dict[str, float]]:
        """Search a number of starts and fit the network to them; yield means over each batch."""
        done = 0
        while done < num_starts:
            starts = self._starts()
            for first in range(0, len(starts), BATCH):
                batch = starts[first : first + BATCH]
                candidates = self._search.candidates(batch, self._rng)
                decisions = decisions_of(candidates, self._rules.setup)
                hands = candidates.groups[-1] + 1
                self._optimizer.param_groups[0]["lr"] = self._rate * (1 - (1 - RATE_AT_END) * min(1, done / num_starts))
                gain = ((candidates.after - candidates.before) * candidates.values).sum() / hands
                yield {"starts": len(batch), "gain": float(gain), "decisions": len(decisions.masks)} | self._learn(
                    decisions, float(decisions.before.sum() / len(decisions.before))
                )
                done += len(batch)

    def _starts(self) -> States:
        agent = PolicyAgent.of(self.net.policy(self._old), "current", sample=True, cut=0.0)
        agent.seed(int(self._rng.integers(2**31)))
        return round_starts(agent, self._rivals, self._rules, GAMES, int(self._rng.integers(2**31)))

    def _learn(self, decisions: Decisions, weight: float) -> dict[str, float]:
        known = self._magnet.probabilities(decisions.observations, decisions.masks)
        # Few plans reach a decision. So the target is the policy's own distribution, plus the change of these plans.
        targets = (decisions.change + decisions.before[:, None] * known) / weight
        columns = [torch.from_numpy(one) for one in (decisions.observations, decisions.masks, targets)]
        divergences = []
        for rows in torch.from_numpy(self._rng.permutation(len(targets))).split(MINIBATCH):
            if len(rows) < 512:
                continue
            observations, masks, wanted = (column[rows] for column in columns)
            logs = self.net(observations, masks)
            # A probability that is small enough is not lowered any more, so that it can grow again (NeuRD).
            wanted = wanted.masked_fill((wanted < 0) & (logs.detach() < SMALL), 0.0)
            loss = -(wanted * logs).sum(dim=1).mean()
            divergences.append(float((logs.detach().exp() * logs.detach()).sum(1).mean()))
            if self._kept is not None:
                observations, masks, wanted = self._kept.draw(MINIBATCH // 4, self._rng)
                loss = loss - self._kept_share * (wanted * self.net(observations, masks)).sum(dim=1).mean()
            self._optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self._optimizer.step()
        return {"negentropy": float(np.mean(divergences)) if divergences else np.nan}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--start-from", default="legate", show_default=True, help="Policy file or trained agent to start from.")
@click.option("--table", type=click.Choice(["2+0", "small"]), default="2+0", show_default=True, help="Setup of the game.")
@click.option("--iterations", default=3, show_default=True, help="Total number of iterations.")
@click.option("--starts", default=20_000, show_default=True, help="Starts of rounds of an iteration.")
@click.option("--temperatures", default="0.05", show_default=True, help="One for each iteration; the last goes on.")
@click.option("--habit", default=0.5, show_default=True, help="Share of the habits in the opponent's plans.")
@click.option("--floor", default=0.2, show_default=True, help="Share of other plans in the magnet.")
@click.option("--plausible", default=2, show_default=True, help="Other plans of a hand, besides one of schemer.")
@click.option("--rivals", default="legate,greedy,schemer", show_default=True, help="Agents in half of the games.")
@click.option("--habits", default="legate", show_default=True, help="Policies among the habits, besides schemer.")
@click.option("--learning-rate", default=3e-4, show_default=True, help="Learning rate of Adam.")
@click.option("--kept-games", default=3000, show_default=True, help="Games from which kept decisions come; 0: none.")
@click.option("--kept-share", default=0.5, show_default=True, help="Weight of the kept decisions in the loss.")
@click.option("--threads", default=1, show_default=True, help="Threads of torch.")
@click.option("--seed", default=1, show_default=True, help="Random seed.")
def main(folder: Path, **options: Any) -> None:
    """Improve a policy by iterations, and write the policies and metrics to FOLDER."""
    torch.set_num_threads(options["threads"])
    table = SMALL_TABLE if options["table"] == "small" else Table(2, 0)
    folder.mkdir(parents=True, exist_ok=True)
    if not (first := folder / "policy-0.npz").exists():
        policy_of(options["start_from"]).save(first)
    temperatures = [float(one) for one in options["temperatures"].split(",")]
    habits, rivals = (_listed(options[name]) for name in ("habits", "rivals"))
    kept = None
    for number in range(1, options["iterations"] + 1):
        if (path := folder / f"policy-{number}.npz").exists():
            continue
        begun, seed = time.perf_counter(), [options["seed"], number]
        old = Policy.load(folder / f"policy-{number - 1}.npz")
        word = int(np.random.SeedSequence(seed).generate_state(1)[0])
        if kept is None and options["kept_games"]:
            agent = PolicyAgent.of(Policy.load(first), "first", sample=True, cut=0.0)
            agent.seed(word)
            kept = kept_decisions(agent, options["kept_games"], word)
        temperature = temperatures[min(number, len(temperatures)) - 1]
        iteration = Iteration(
            old,
            [policy_of(one) for one in habits],
            [make(one, game="romans-go-home") for one in rivals],
            kept,
            table,
            Search(temperature, options["floor"], options["habit"], plausible=options["plausible"]),
            options["learning_rate"],
            options["kept_share"],
            word,
        )
        means = list[dict[str, float]]()
        for one in iteration.run(options["starts"]):
            means.append(one)
            if len(means) % 20 == 0:
                last = {name: round(float(np.nanmean([some[name] for some in means[-20:]])), 4) for name in one}
                iteration.net.policy(old).save(folder / f"partial-{number}-{len(means) // 40}.npz")
                click.echo(f"{sum(some['starts'] for some in means)} {time.perf_counter() - begun:.0f} s {last}")
        new = iteration.net.policy(old)
        new.save(path)
        line = {
            "iteration": number,
            "temperature": temperature,
            "starts": sum(one["starts"] for one in means),
            "decisions": sum(one["decisions"] for one in means),
            "gain": float(np.mean([one["gain"] for one in means[-100:]])),
            "negentropy": float(np.nanmean([one["negentropy"] for one in means[-100:]])),
            "minutes": (time.perf_counter() - begun) / 60,
        }
        with open(folder / "metrics.jsonl", "a") as file:
            file.write(json.dumps(line) + "\n")
        click.echo(json.dumps(line))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(one for one in text.split(",") if one)


if __name__ == "__main__":
    main()
