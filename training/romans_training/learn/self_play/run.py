"""A run of self-play: rollouts, updates, snapshots into the league, and exploiters.

A checkpoint holds the learner, its games in progress, the league and every generator. Agents are seeded anew for every
rollout: their own chance need not be kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

import romans_agents
from romans_agents import Agent, Policy, PolicyAgent
from romans_agents.loops.codes import LEARNER
from romans_training.learn.config import TrainConfig
from romans_training.learn.device_policy import on_device
from romans_training.learn.progress import falling_rate
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.learn.self_play.device_games import DeviceGames
from romans_training.learn.self_play.league import EXPLOITER, PAST, SCRIPTED, League, draw_line_ups
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.self_play.rollout_games import Ended, Games
from romans_training.learn.torch_networks import exported_network
from romans_training.learn.training_run import TrainingRun

MET_AT_ONCE = 6
"""Members of the league that are met in the games of a rollout."""


class SelfPlay(TrainingRun):
    """A run of self-play; see `TrainingRun`."""

    def __init__(self, config: TrainConfig, folder: RunFolder):
        super().__init__(config, folder)
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.learner = Learner(config.rules, config)
        self.league = League()
        self._decisions = 0
        self._rng = np.random.default_rng(config.seed)
        seed = int(self._rng.integers(2**31))
        self._games = DeviceGames(config, seed) if DeviceGames.can_play(config) else Games(config, list, seed)
        self._chances: npt.NDArray[np.float64]
        self._exploiter_is_due = False
        self._ended_games, self._total_return = 0, 0.0

    @property
    def decisions(self) -> int:
        """See `TrainingRun.decisions`."""
        return self._decisions

    def begin(self, start: Policy | None = None) -> None:
        """See `TrainingRun.begin`."""
        if start is not None:
            self.learner.start_from(start)
        for spec in dict.fromkeys(self.config.pool):
            self._add_to_league(spec, SCRIPTED)
        self._chances = self.league.draw(self._rng, MET_AT_ONCE)
        self._games.start(self._draw_line_ups)

    def policy(self) -> Policy:
        """See `TrainingRun.policy`."""
        return exported_network(self.learner.policy, self._meta())

    def save_checkpoint(self) -> None:
        """See `TrainingRun.save_checkpoint`."""
        super().save_checkpoint()
        self.league.save(self.folder.league)
        exported_network(self.learner.magnet, self._meta()).save(self.folder.average)

    def _state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.learner.saved(), {
            "games": self._games.saved(),
            "league": self.league.as_json(),
            "rng": self._rng.bit_generator.state,
            "torch": torch.get_rng_state().numpy(),
            "decisions": self._decisions,
            "exploiter_is_due": self._exploiter_is_due,
        }

    def _restore(self, learner: dict[str, Any], state: dict[str, Any]) -> None:
        self.league = League.from_json(state["league"])
        for member in self.league.members:
            self._load_member(member.agent, member.kind)
        self.learner.restore(learner)
        self._games.restore(state["games"])
        self._rng.bit_generator.state = state["rng"]
        torch.set_rng_state(torch.from_numpy(state["torch"]))
        self._decisions = int(state["decisions"])
        self._exploiter_is_due = bool(state["exploiter_is_due"])

    # -- parts of the loop

    def _prepare(self) -> None:
        if self._exploiter_is_due:
            self.save_checkpoint()
            self._train_exploiter()

    def _iterate(self) -> dict[str, float | None]:
        self._chances = self.league.draw(self._rng, MET_AT_ONCE)
        rollouts, ended = self._games.collect(self.learner, self._draw_line_ups, self._draw_seed())
        for one in ended:
            self._record_results(one)
        metrics = self.learner.learn(rollouts, *self._weights_at(self.done))
        self._decisions += sum(rollout.size for rollout in rollouts)
        self._report()
        games, total_return = self._ended_games, self._total_return
        self._ended_games, self._total_return = 0, 0.0
        return {
            "games": games,
            "mean_return": total_return / games if games else None,
            **metrics,
            "league_size": len(self.league),
            "hardest_score": min((member.score for member in self.league.members), default=None),
        }

    def _finish(self, before: int) -> None:
        if self._passed(before, self.config.snapshot_every):
            self._add_to_league(self._kept_policy(PAST, self.learner), PAST)
        self._exploiter_is_due = self._passed(before, self.config.exploiter_every)

    def _train_exploiter(self) -> None:
        """Train a copy of the learner against the learner as it is; the copy joins the league.

        A run that is stopped meanwhile trains it again from the checkpoint before, to the same response.
        """
        config = self.config
        target = self.policy()
        exploiter = Learner(config.rules, config)
        exploiter.start_as(self.learner)
        games = Games(config, lambda: [PolicyAgent.of(target, "the learner")], self._draw_seed())

        def one_seat(rng: np.random.Generator, count: int, num_players: int) -> npt.NDArray[np.int64]:
            return draw_line_ups(rng, count, num_players, 0.0, np.ones(1))

        games.start(one_seat)
        made = 0
        while made < config.exploiter_steps:
            if self._should_stop():
                self._stop()
            rollouts, _ = games.collect(exploiter, one_seat, self._draw_seed())
            exploiter.learn(rollouts, *self._weights_at(made / config.exploiter_steps))
            made += sum(rollout.size for rollout in rollouts)
            self._report()
        self._add_to_league(self._kept_policy(EXPLOITER, exploiter), EXPLOITER)
        self._exploiter_is_due = False

    def _kept_policy(self, kind: str, learner: Learner) -> str:
        """Save a policy for the league; returns its path from the run folder."""
        path = self.folder.league_policy(kind, self.decisions)
        exported_network(learner.policy, self._meta()).save(path)
        return path.relative_to(self.folder.path).as_posix()

    def _add_to_league(self, agent: str, kind: str) -> None:
        self.league.add(agent, kind, self.decisions)
        self._load_member(agent, kind)
        self.league.save(self.folder.league)

    def _load_member(self, agent: str, kind: str) -> None:
        """Let a member play; RunFolderError for a policy that is missing, or of another game."""
        path, game = self.folder.path / agent, self.config.game
        if kind != SCRIPTED and not path.is_file():
            raise RunFolderError(f"{path}, a policy of the league, is missing; put it back to continue the run")

        def made() -> Agent:
            if kind == SCRIPTED:
                return on_device(romans_agents.make(agent, game=game), self.learner.device)
            member = PolicyAgent(str(path))
            if member.policy.game != game:
                raise RunFolderError(f"{path}, a policy of the league, plays {member.policy.game}, not {game}")
            return on_device(member, self.learner.device)

        self._games.add_member(made)

    def _draw_seed(self) -> int:
        return int(self._rng.integers(2**31))

    def _draw_line_ups(self, rng: np.random.Generator, count: int, num_players: int) -> npt.NDArray[np.int64]:
        return draw_line_ups(rng, count, num_players, self.config.self_play, self._chances)

    def _record_results(self, ended: Ended) -> None:
        """Record in the league the learner's returns, the mean of its seats."""
        setup, line_ups, returns = ended
        is_learner = line_ups == LEARNER
        own = (returns * is_learner).sum(axis=1) / is_learner.sum(axis=1)
        meets = ~is_learner.all(axis=1)
        self._ended_games += int(meets.sum())
        self._total_return += float(own[meets].sum())
        for number in np.unique(line_ups[line_ups >= 0]).tolist():
            self.league.members[number].record(str(setup), own[(line_ups == number).any(axis=1)])

    def _weights_at(self, done: float) -> tuple[float, float]:
        """Return the learning rate, and the weight of the entropy, which fall in straight lines."""
        config, done = self.config, min(1.0, done)
        last = config.entropy if config.final_entropy is None else config.final_entropy
        return falling_rate(config)(1.0 - done), config.entropy + done * (last - config.entropy)

    def _meta(self) -> dict[str, Any]:
        return super()._meta() | ({"sample": True} if self.config.self_play else {})
