"""A run of self-play: rollouts, updates, snapshots for the league, and exploiters.

A checkpoint holds the learner, its games in progress, the league and all random generators. Agents are reseeded for
every rollout, so their random generators are not stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

import romans_agents
from romans_agents import Agent, Policy, PolicyAgent
from romans_agents.loops.codes import LEARNER
from romans_training.learn.config import TrainConfig
from romans_training.learn.device_policy import on_device
from romans_training.learn.processes import ALONE, Processes
from romans_training.learn.progress import falling_rate
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.learn.self_play.device_games import DeviceGames
from romans_training.learn.self_play.league import EXPLOITER, PAST, SCRIPTED, League, draw_line_ups
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.self_play.rollout import Rollout
from romans_training.learn.self_play.rollout_games import SOMEBODY, Ended, Games
from romans_training.learn.torch_networks import exported_network
from romans_training.learn.training_run import TrainingRun

MET_AT_ONCE = 6
"""Number of members of the league in the games of a rollout."""


class SelfPlay(TrainingRun):
    """A run of self-play against itself and a league."""

    def __init__(self, config: TrainConfig, folder: RunFolder, processes: Processes = ALONE):
        super().__init__(config, folder, processes)
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        share = self._share = processes.share(config)
        self.learner = Learner(config.rules, share, processes)
        self.league = League()
        self._decisions = 0
        # Draws the same numbers in all processes.
        self._rng = np.random.default_rng(config.seed)
        seed = processes.own_seed(self._draw_seed())
        if not processes.is_first:
            # Up to here all processes drew the same initial weights; from here on their minibatches differ.
            torch.manual_seed(seed)
        self._games = DeviceGames(share, seed) if DeviceGames.can_play(share) else Games(share, list, seed)
        self._setups = [str(setup) for setup, _ in config.weighted_setups]
        self._chances: npt.NDArray[np.float64]
        self._exploiter_is_due = False

    @property
    def decisions(self) -> int:
        return self._decisions

    def begin(self, start: Policy | None = None) -> None:
        if start is not None:
            self.learner.start_from(start)
        for spec in dict.fromkeys(self.config.pool):
            self._add_to_league(spec, SCRIPTED)
        self._chances = self.league.draw(self._rng, MET_AT_ONCE)
        self._games.start(self._draw_line_ups)

    def policy(self) -> Policy:
        return exported_network(self.learner.policy, self._meta())

    def save_checkpoint(self) -> None:
        super().save_checkpoint()
        if self.processes.is_first:
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
        rollouts, ended = self._games.collect(self.learner, self._draw_line_ups, self._draw_own_seed())
        games, total_return = self._record_results(ended)
        metrics = self.learner.learn(rollouts, *self._weights_at(self._done_for_all()))
        self._decisions += self._size_of(rollouts)
        self._report()
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
        """Train a copy of the learner against the current policy; the copy joins the league.

        A run that is stopped meanwhile trains it again from the checkpoint before, with the same result.
        """
        config = self.config
        target = self.policy()
        exploiter = Learner(config.rules, self._share, self.processes)
        exploiter.start_as(self.learner)
        games = Games(self._share, lambda: [PolicyAgent.of(target, "the learner")], self._draw_own_seed())

        def one_seat(rng: np.random.Generator, count: int, num_players: int) -> npt.NDArray[np.int64]:
            return draw_line_ups(rng, count, num_players, 0.0, np.ones(1))

        games.start(one_seat)
        made = 0
        while made < config.exploiter_steps:
            if self._must_stop():
                self._stop()
            rollouts, _ = games.collect(exploiter, one_seat, self._draw_own_seed())
            exploiter.learn(rollouts, *self._weights_at(made / config.exploiter_steps))
            made += self._size_of(rollouts)
            self._report()
        self._add_to_league(self._kept_policy(EXPLOITER, exploiter), EXPLOITER)
        self._exploiter_is_due = False

    def _kept_policy(self, kind: str, learner: Learner) -> str:
        """Save a policy for the league; return its path relative to the run folder, where all processes find it."""
        path = self.folder.league_policy(kind, self.decisions)
        if self.processes.is_first:
            exported_network(learner.policy, self._meta()).save(path)
        self.processes.meet()
        return path.relative_to(self.folder.path).as_posix()

    def _add_to_league(self, agent: str, kind: str) -> None:
        self.league.add(agent, kind, self.decisions)
        self._load_member(agent, kind)
        if self.processes.is_first:
            self.league.save(self.folder.league)

    def _load_member(self, agent: str, kind: str) -> None:
        """Add a member to the games; raise RunFolderError if its policy is missing or of another game."""
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

    def _draw_own_seed(self) -> int:
        return self.processes.own_seed(self._draw_seed())

    def _size_of(self, rollouts: Sequence[Rollout]) -> int:
        """Return the number of decisions in the rollouts of all processes."""
        return int(self.processes.gather([sum(rollout.size for rollout in rollouts)]).sum())

    def _draw_line_ups(self, rng: np.random.Generator, count: int, num_players: int) -> npt.NDArray[np.int64]:
        return draw_line_ups(rng, count, num_players, self.config.self_play, self._chances)

    def _record_results(self, ended: Sequence[Ended]) -> tuple[int, float]:
        """Record, in the league, the learner's return (the mean over its seats) in the games of all processes.

        Returns:
            The number of games against others, and the sum of the learner's returns in them.
        """
        rows = [row for one in ended for row in self._results_of(one)]
        games, total_return = 0, 0.0
        for number, setup, count, total in self.processes.gather_rows(np.array(rows).reshape(-1, 4)).tolist():
            if number == SOMEBODY:
                games, total_return = games + int(count), total_return + total
            else:
                self.league.members[int(number)].record(self._setups[int(setup)], int(count), total)
        return games, total_return

    def _results_of(self, ended: Ended) -> Iterator[tuple[float, float, float, float]]:
        """Yield of each member, and of SOMEBODY, who stands for all others: who, the setup, games, sum of returns."""
        setup, line_ups, returns = ended
        is_learner = line_ups == LEARNER
        own = (returns * is_learner).sum(axis=1) / is_learner.sum(axis=1)
        met = {number: (line_ups == number).any(axis=1) for number in np.unique(line_ups[line_ups >= 0]).tolist()}
        met[SOMEBODY] = ~is_learner.all(axis=1)
        for number, where in met.items():
            yield number, self._setups.index(str(setup)), int(where.sum()), float(own[where].sum())

    def _weights_at(self, done: float) -> tuple[float, float]:
        """Return the learning rate and the weight of the entropy bonus; both change linearly."""
        config, done = self.config, min(1.0, done)
        last = config.entropy if config.final_entropy is None else config.final_entropy
        return falling_rate(config)(1.0 - done), config.entropy + done * (last - config.entropy)

    def _meta(self) -> dict[str, Any]:
        return super()._meta() | ({"sample": True} if self.config.self_play else {})
