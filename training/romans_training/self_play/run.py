"""A run of self-play: rollouts, updates, snapshots into the league, exploiters, evaluations, checkpoints.

A checkpoint lies between two rollouts and holds the learner, its games in progress, the league and every generator, so
that a run that is stopped and resumed ends with the very policy it would have reached (on as many threads). Agents are
seeded anew for every rollout: their own chance need not be kept.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

import romans_agents
from romans_agents import Policy, PolicyAgent
from romans_agents.loops.codes import LEARNER
from romans_env.games import rules_of
from romans_training.config import TrainConfig
from romans_training.evaluation import Evaluation
from romans_training.networks import exported_network
from romans_training.progress import Progress, Report, TrainingStopped, falling_rate
from romans_training.recorder import Recorder, evaluate_policy
from romans_training.run_folder import RunFolder, RunFolderError
from romans_training.self_play.games import Ended, Games
from romans_training.self_play.league import EXPLOITER, PAST, SCRIPTED, League
from romans_training.self_play.learner import Learner, LearnerSettings
from romans_training.self_play.line_ups import draw_line_ups

MET_AT_ONCE = 6
"""Members of the league that are met in the games of a rollout."""


class SelfPlay:
    """A run, from its start or from a checkpoint.

    Args:
        config: the settings.
        folder: where the run is kept.
    """

    def __init__(self, config: TrainConfig, folder: RunFolder):
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config, self.folder = config, folder
        self.rules = rules_of(config.weighted_tables[0][0])
        self.learner = Learner(self.rules, learner_settings(config))
        self.league = League()
        self.decisions = 0
        self._rng = np.random.default_rng(config.seed)
        self._games = Games(config, list, int(self._rng.integers(2**31)))
        self._chances: npt.NDArray[np.float64]
        self._exploiter_is_due = False
        self._seconds_before = 0.0
        self._since = time.perf_counter()
        self._decisions_before = 0
        self._newest: list[Evaluation] = []
        self._ended_games, self._earned = 0, 0.0
        self._recorder: Recorder

    def begin(self, start: Policy | None = None) -> None:
        """Start a new run, with drawn weights or those of a policy."""
        if start is not None:
            self.learner.start_from(start)
        for text in dict.fromkeys(self.config.pool):
            self._join(text, SCRIPTED)
        self._chances = self.league.draw(self._rng, MET_AT_ONCE)
        self._games.start(self._draw_line_ups)

    def resume(self) -> None:
        """Go back to the checkpoint.

        Raises:
            RunFolderError: a damaged one, or a policy of the league that is missing.
        """
        learner, rest = self.folder.load_checkpoint(self.config)
        try:
            self.league = League.from_json(rest["league"])
            for member in self.league.members:
                self._seat(member.agent, member.kind)
            self.learner.restore(learner)
            self._games.restore(rest["games"])
            self._rng.bit_generator.state = rest["rng"]
            torch.set_rng_state(torch.from_numpy(rest["torch"]))
            self.decisions, self._seconds_before = int(rest["decisions"]), float(rest["seconds"])
            self._exploiter_is_due = bool(rest["exploiter_is_due"])
        except (RunFolderError, romans_agents.UnknownAgentError, romans_agents.PolicyFileError):
            raise
        except Exception as error:  # what does not fit fails in torch, numpy and here
            raise self.folder.cannot_go_on(error) from None
        self._decisions_before = self.decisions

    @property
    def seconds(self) -> float:
        """Of training from the start of the run, evaluations included."""
        return self._seconds_before + time.perf_counter() - self._since

    @property
    def done(self) -> float:
        """The part of the run that is done; 1 or more at its end."""
        return self.config.part_done(self.decisions, self.seconds)

    def train(self, report: Report, should_stop: Callable[[], bool]) -> Policy:
        """Train to the end.

        Raises:
            TrainingStopped: ``should_stop`` said so; a checkpoint has been saved.
        """
        self._since = time.perf_counter()
        with contextlib.closing(Recorder(self.config, self.folder, self.decisions)) as recorder:
            self._recorder = recorder
            while self.decisions == 0 or self.done < 1:
                self._stop_if(should_stop)
                if self._exploiter_is_due:
                    self.save_checkpoint()
                    self._train_exploiter(report, should_stop)
                self._take_a_step(report)
            self.save_checkpoint()
            if not recorder.has_evaluated(self.decisions):
                self.evaluate()
                self._tell(report)
            recorder.write_summary()
        return self.policy()

    def policy(self) -> Policy:
        """The policy as it stands."""
        return exported_network(self.learner.policy, self._meta())

    def save_checkpoint(self) -> None:
        """Keep everything that decides how the run goes on."""
        rest = {
            "games": self._games.saved(),
            "league": self.league.as_json(),
            "rng": self._rng.bit_generator.state,
            "torch": torch.get_rng_state().numpy(),
            "decisions": self.decisions,
            "seconds": self.seconds,
            "exploiter_is_due": self._exploiter_is_due,
        }
        self.folder.save_checkpoint(self.config, self.learner.saved(), rest)
        self.league.save(self.folder.league)
        self.policy().save(self.folder.policy)
        exported_network(self.learner.magnet, self._meta()).save(self.folder.average)

    def evaluate(self) -> None:
        """Measure the policy against the fixed opponents, on the same deals every time."""
        policy = self.policy()
        if self.config.keep_policies:
            policy.save(self.folder.policy_after(self.decisions))
        self._newest = evaluate_policy(policy, self.config)
        self._recorder.note_evaluations(self.decisions, self._newest)

    # -- parts of the loop

    def _take_a_step(self, report: Report) -> None:
        """A rollout, an update, and what is due after so many decisions."""
        config, before = self.config, self.decisions
        self._improve()
        self._tell(report)
        if self._passed(before, config.snapshot_every):
            self._join(self._kept_policy(PAST), PAST)
        self._exploiter_is_due = self._passed(before, config.exploiter_every)
        if self._passed(before, config.checkpoint_every):
            self.save_checkpoint()
        if self._passed(before, config.evaluate_every):
            self.evaluate()
            self._tell(report)

    def _stop_if(self, should_stop: Callable[[], bool]) -> None:
        if should_stop():
            self.save_checkpoint()
            self._recorder.write_summary()
            raise TrainingStopped

    def _improve(self) -> None:
        started = time.perf_counter()
        self._chances = self.league.draw(self._rng, MET_AT_ONCE)
        rollouts, ended = self._games.collect(self.learner, self._draw_line_ups, self._draw_seed())
        for one in ended:
            self._note(one)
        figures = self.learner.learn(rollouts, *self._weights_at(self.done))
        size = sum(rollout.size for rollout in rollouts)
        self.decisions += size
        self._note_metrics(figures, size / (time.perf_counter() - started))

    def _note_metrics(self, figures: dict[str, float], rate: float) -> None:
        games, earned = self._ended_games, self._earned
        self._ended_games, self._earned = 0, 0.0
        metrics: dict[str, float | None] = {
            "steps_per_second": round(rate, 1),
            "games": games,
            "mean_return": earned / games if games else None,
            **figures,
            "league_size": len(self.league),
            "hardest_score": min((member.score for member in self.league.members), default=None),
        }
        self._recorder.note_metrics(self.decisions, self.seconds, metrics)

    def _train_exploiter(self, report: Report, should_stop: Callable[[], bool]) -> None:
        """Train a copy of the learner against the learner as it stands; it joins the league.

        A run that is killed meanwhile does it again from the checkpoint before, and comes to the same response.
        """
        config = self.config
        target = self.policy()
        exploiter = Learner(self.rules, learner_settings(config))
        exploiter.policy.load_state_dict(self.learner.policy.state_dict())
        exploiter.magnet.load_state_dict(self.learner.policy.state_dict())
        games = Games(config, lambda: [PolicyAgent.of(target, "the learner")], self._draw_seed())

        def one_seat(rng: np.random.Generator, count: int, num_players: int) -> npt.NDArray[np.int64]:
            return draw_line_ups(rng, count, num_players, 0.0, np.ones(1))

        games.start(one_seat)
        made = 0
        while made < config.exploiter_steps:
            if should_stop():
                self._recorder.write_summary()
                raise TrainingStopped  # at the checkpoint before
            rollouts, _ = games.collect(exploiter, one_seat, self._draw_seed())
            exploiter.learn(rollouts, *self._weights_at(made / config.exploiter_steps))
            made += sum(rollout.size for rollout in rollouts)
            self._tell(report)
        text = self._kept_policy(EXPLOITER, exploiter)
        self._join(text, EXPLOITER)
        self._exploiter_is_due = False

    def _kept_policy(self, kind: str, learner: Learner | None = None) -> str:
        """Keep a policy for the league; returns its path from the run folder."""
        path = self.folder.league_policy(kind, self.decisions)
        exported_network((learner or self.learner).policy, self._meta()).save(path)
        return path.relative_to(self.folder.path).as_posix()

    def _join(self, text: str, kind: str) -> None:
        self.league.add(text, kind, self.decisions)
        self._seat(text, kind)
        self.league.save(self.folder.league)

    def _seat(self, text: str, kind: str) -> None:
        path = self.folder.path / text
        if kind != SCRIPTED and not path.is_file():
            raise RunFolderError(f"{path}, a policy of the league, is missing; put it back to go on with the run")
        self._games.add_member(
            lambda: romans_agents.make(text, game=self.config.game) if kind == SCRIPTED else PolicyAgent(str(path))
        )

    def _draw_seed(self) -> int:
        return int(self._rng.integers(2**31))

    def _draw_line_ups(self, rng: np.random.Generator, count: int, num_players: int) -> npt.NDArray[np.int64]:
        return draw_line_ups(rng, count, num_players, self.config.self_play, self._chances)

    def _note(self, ended: Ended) -> None:
        """Note in the league how the learner fared, by the mean of its seats."""
        table, line_ups, returns = ended
        is_learner = line_ups == LEARNER
        own = (returns * is_learner).sum(axis=1) / is_learner.sum(axis=1)
        meets = ~is_learner.all(axis=1)
        self._ended_games += int(meets.sum())
        self._earned += float(own[meets].sum())
        for number in np.unique(line_ups[line_ups != LEARNER]).tolist():
            self.league.members[number].note(str(table), own[(line_ups == number).any(axis=1)])

    def _weights_at(self, done: float) -> tuple[float, float]:
        """Learning rate and weight of the entropy, which fall in straight lines."""
        config, done = self.config, min(1.0, done)
        last = config.entropy if config.final_entropy is None else config.final_entropy
        return falling_rate(config)(1.0 - done), config.entropy + done * (last - config.entropy)

    def _passed(self, before: int, every: int | None) -> bool:
        return every is not None and before // every < self.decisions // every

    def _rate(self) -> float:
        return (self.decisions - self._decisions_before) / max(time.perf_counter() - self._since, 1e-9)

    def _tell(self, report: Report) -> None:
        report(Progress(self.decisions, min(1.0, self.done), self._rate(), self._newest))

    def _meta(self) -> dict[str, Any]:
        return {
            "game": self.config.game,
            "trained_steps": self.decisions,
            "sample": True,
            "config": self.config.as_json(),
        }


def learner_settings(config: TrainConfig) -> LearnerSettings:
    """What of a run's settings concerns its learner."""
    return LearnerSettings(
        config.hidden_layers,
        config.minibatch_size,
        config.epochs,
        config.gamma,
        config.gae_lambda,
        config.magnet,
        config.magnet_decisions,
        config.bfloat16,
    )
