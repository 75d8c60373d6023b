"""Improves a policy's plans by what they win against each other, round by round.

Every step begins some rounds of games, and learns from them which actions of planning decisions shall become more or
less likely (`plan_updates`), with an entropy bonus. As payoffs are means over many hidden plans, they are far less
noisy than results of games. All other decisions stay as they are: the policy is held to its first probabilities there
by a KL divergence. What is kept is the running average of the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from recipes.legate.plan_updates import Learned, Part, Reinforce, join
from recipes.legate.policy_network import PolicyNetwork, divergence_of
from recipes.rounds.explored_games import ExploredGames
from romans_agents import Policy, PolicyAgent
from romans_env import Table
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States

PARTS = (
    Part(Table(2, 0), games=20_000, rounds=8, every=1, schemers=0.0),
    Part(Table(4, 0), games=4000, rounds=2, every=3, schemers=0.75),
    Part(Table(3, 0), games=4000, rounds=2, every=6, schemers=0.5),
    Part(Table(2, 1), games=4000, rounds=2, every=6, schemers=0.5),
)
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
        self._update = Reinforce(settings.threads)
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
        learned = join([self._learned(self._parts[k], self._starts[k]) for k in parts])
        observations, masks, found = (torch.from_numpy(column) for column in learned[:3])
        rows = torch.from_numpy(self._rng.integers(len(self._held[0]), size=HELD))
        held_observations, held_masks = (column[rows] for column in self._held)
        with torch.no_grad():
            held = self._first_net(held_observations, held_masks)
        logs = self._net(torch.cat([observations, held_observations]), torch.cat([masks, held_masks]))
        planned, others = logs.split([len(masks), HELD])
        divergence = divergence_of(held, others)
        settings = self._settings
        bonus = settings.entropy * (settings.final_entropy / settings.entropy) ** progress
        weights = self._update.weights(found, planned.detach(), bonus)
        gain = (weights * planned).sum(dim=1).mean()
        self._descend(settings.held * divergence - gain, progress)
        self.steps += 1
        self._mean.approach(self._net, max(1 / settings.average, 1 / self.steps))
        with torch.no_grad():
            entropy = -(planned.exp() * planned).sum(dim=1).mean()
        return StepFigures(entropy.item(), divergence.item(), learned.spread, len(masks))

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
        roots = starts[self._rng.integers(len(starts), size=part.rounds)]
        return self._update.learned(self._probabilities, part, roots, self._rng)

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
