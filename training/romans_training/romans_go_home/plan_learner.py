"""Improves a policy's plans by what they win against each other, round by round.

Every step begins some rounds of games, draws hands and plans for every seat from the policy, and plays all plans of a
seat against those of the others (`drawn_plans`). The decisions of a plan are made more or less likely by its advantage
over the other plans of its hand (REINFORCE with a leave-one-out baseline: Kool, van Hoof and Welling 2019), with an
entropy bonus. As payoffs are means over many hidden plans, they are far less noisy than results of games. All other
decisions stay as they are: the policy is held to its first probabilities there by a KL divergence. What is kept is the
running average of the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from romans_agents import Policy, PolicyAgent
from romans_env import Table
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States
from romans_training.romans_go_home.drawn_plans import (
    Decisions,
    Floats,
    Sizes,
    advantages_of,
    draw_hands,
    draw_plans,
    payoffs_against_schemers,
    payoffs_between,
    together,
)
from romans_training.romans_go_home.explored_games import ExploredGames
from romans_training.romans_go_home.policy_network import PolicyNetwork, divergence_of


class Part(NamedTuple):
    """Rounds of one table.

    Attributes:
        table: of the games.
        games: that the policy plays against itself, to take rounds from.
        rounds: of a step.
        every: only every so many steps have them.
        schemers: the part of the rounds in which all others plan as `schemer` does, and one seat learns.
    """

    table: Table
    games: int
    rounds: int
    every: int
    schemers: float


PARTS = (
    Part(Table(2, 0), games=20_000, rounds=8, every=1, schemers=0.0),
    Part(Table(4, 0), games=4000, rounds=2, every=3, schemers=0.75),
    Part(Table(3, 0), games=4000, rounds=2, every=6, schemers=0.5),
    Part(Table(2, 1), games=4000, rounds=2, every=6, schemers=0.5),
)
SIZES = Sizes(hands=12, plans=8)
HELD = 1024
"""Decisions of the other kinds in every step."""
FINAL_LEARNING_RATE = 0.05
"""The learning rate at the end, as a part of that at first."""
MAX_GRADIENT = 0.5
"""The largest norm of a step's gradient."""


@dataclass(frozen=True)
class Settings:
    """How a run learns.

    Attributes:
        minutes: how long.
        learning_rate: at first.
        entropy: weight of the bonus at first, in returns.
        final_entropy: at the end.
        held: weight of the KL divergence of all other decisions from the first policy's.
        average: steps that the running average of the weights reaches back.
        threads: of the arithmetic and of rollouts.
        seed: of all chance.
    """

    minutes: float = 55.0
    learning_rate: float = 1e-3
    entropy: float = 0.05
    final_entropy: float = 0.006
    held: float = 0.3
    average: int = 500
    threads: int = 2
    seed: int = 1


class StepFigures(NamedTuple):
    """Figures of a step.

    Attributes:
        entropy: of the planning decisions, in nats, as a mean.
        divergence: of the other decisions from the first policy's, in nats.
        spread: the standard deviation of the advantages, in returns.
        decisions: planning decisions that were learned from.
    """

    entropy: float
    divergence: float
    spread: float
    decisions: int


class Learned(NamedTuple):
    """Decisions of a step: those of `drawn_plans.Decisions`, with the advantage of the plan of each, float32."""

    decisions: Decisions
    advantages: npt.NDArray[np.float32]


class PlanLearner:
    """Improves a policy.

    Args:
        agent: with the policy; it plays the games that rounds are taken from.
        settings: of the run.
        parts: the tables.
    """

    def __init__(self, agent: PolicyAgent, settings: Settings, parts: Sequence[Part] = PARTS):
        self._settings, self._parts, self._first = settings, parts, agent.policy
        self._rng = np.random.default_rng(settings.seed)
        self._net = PolicyNetwork(agent.policy)
        self._first_net, self._mean = deepcopy(self._net), deepcopy(self._net)
        self._optimizer = torch.optim.Adam(self._net.parameters(), settings.learning_rate)
        self._threads = ThreadPoolExecutor(settings.threads)
        self.steps = 0
        words = np.random.SeedSequence([settings.seed, 1]).generate_state(len(parts))
        played = [_play(agent, part, int(word)) for part, word in zip(parts, words, strict=True)]
        self._starts = [starts for starts, _, _ in played]
        self._held = tuple(torch.from_numpy(np.concatenate(column)) for column in list(zip(*played, strict=True))[1:])

    @property
    def policy(self) -> Policy:
        """What has been learned: the running average."""
        notes = {"improved_plans": {**asdict(self._settings), "steps": self.steps}}
        return self._mean.policy(self._first, notes)

    def checkpoint(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The learner and the state, as for `romans_training.checkpoint.save_checkpoint`."""
        learner = {name: part.state_dict() for name, part in self._parts_of_learner().items()}
        return learner, {"steps": self.steps, "rng": self._rng.bit_generator.state}

    def restore(self, learner: dict[str, Any], state: dict[str, Any]) -> None:
        """Go on from a `checkpoint` of a run with the same agent, settings and parts."""
        for name, part in self._parts_of_learner().items():
            part.load_state_dict(learner[name])
        self.steps, self._rng.bit_generator.state = state["steps"], state["rng"]

    def step(self, progress: float) -> StepFigures:
        """Learn from some rounds.

        Args:
            progress: how much of the run is over, from 0 to 1.
        """
        parts = [k for k, part in enumerate(self._parts) if self.steps % part.every == 0]
        found = [self._learned(self._parts[k], self._starts[k]) for k in parts]
        decisions = together([one.decisions for one in found])
        observations, masks, actions = (torch.from_numpy(column) for column in decisions[:3])
        advantages = torch.from_numpy(np.concatenate([one.advantages for one in found]))
        rows = torch.from_numpy(self._rng.integers(len(self._held[0]), size=HELD))
        held_observations, held_masks = (column[rows] for column in self._held)
        with torch.no_grad():
            held = self._first_net(held_observations, held_masks)
        logs = self._net(torch.cat([observations, held_observations]), torch.cat([masks, held_masks]))
        planned, others = logs.split([len(actions), HELD])
        gain = (planned.gather(1, actions[:, None])[:, 0] * advantages).mean()
        entropy = -(planned.exp() * planned).sum(dim=1).mean()
        divergence = divergence_of(held, others)
        settings = self._settings
        weight = settings.entropy * (settings.final_entropy / settings.entropy) ** progress
        self._descend(settings.held * divergence - gain - weight * entropy, progress)
        self.steps += 1
        self._mean.approach(self._net, max(1 / settings.average, 1 / self.steps))
        return StepFigures(entropy.item(), divergence.item(), advantages.std().item(), len(actions))

    def _descend(self, loss: torch.Tensor, progress: float) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = self._settings.learning_rate * FINAL_LEARNING_RATE**progress
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._net.parameters(), MAX_GRADIENT)
        self._optimizer.step()

    def _parts_of_learner(self) -> dict[str, Any]:
        return {"net": self._net, "mean": self._mean, "optimizer": self._optimizer}

    def _learned(self, part: Part, starts: States) -> Learned:
        table, rng = part.table, self._rng
        chosen = starts[rng.integers(len(starts), size=part.rounds)]
        drawn = [
            draw_plans(self._probabilities, chosen, seat, draw_hands(part.rounds, table, SIZES, rng), table, rng)
            for seat in range(table.num_players)
        ]
        plans = np.stack([one for one, _ in drawn]).reshape(
            table.num_players, part.rounds, SIZES.hands * SIZES.plans, -1
        )
        rngs = rng.spawn(part.rounds)
        lone = [int(rng.integers(table.num_players)) if rng.random() < part.schemers else None for _ in rngs]

        def advantages(k: int) -> Floats:
            """Of all seats, shape (players, plans); NaN for seats that do not learn."""
            root, found = chosen[k : k + 1], np.full(plans.shape[:1] + plans.shape[2:3], np.nan)
            if (seat := lone[k]) is None:
                found[:] = payoffs_between(root, plans[:, k], table, rngs[k])
            else:
                found[seat] = payoffs_against_schemers(root, seat, plans[seat, k], table, rngs[k])
            return advantages_of(found, SIZES)

        by_round = np.stack(list(self._threads.map(advantages, range(part.rounds))), axis=1)
        decisions, weights = [], []
        for seat, (_, made) in enumerate(drawn):
            of_plans = by_round[seat].ravel()[made.plans]
            learns = ~np.isnan(of_plans)
            decisions.append(Decisions(*(column[learns] for column in made)))
            weights.append(of_plans[learns])
        return Learned(together(decisions), np.concatenate(weights).astype(np.float32))

    @torch.no_grad()
    def _probabilities(
        self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.float32]:
        return np.asarray(self._net(torch.from_numpy(observations), torch.from_numpy(masks)).exp().numpy())


def _play(agent: PolicyAgent, part: Part, seed: int) -> tuple[States, npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Starts of rounds, and observations and masks of the decisions that are no planning."""
    games = ExploredGames(agent, part.table, part.games, seed)
    starts, seen, masks = list[States](), list[npt.NDArray[np.int8]](), list[npt.NDArray[np.int8]]()
    for pending in games.play():
        starts.append(games.states[games.begun].copy())
        planning = np.isin(games.states["phase"][pending.games], (PHASE_DISCARD, PHASE_PLACE))
        seen.append(pending.observations[~planning])
        masks.append(pending.masks[~planning])
    return np.concatenate(starts), np.concatenate(seen), np.concatenate(masks)
