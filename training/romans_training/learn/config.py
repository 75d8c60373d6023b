"""The settings of a training run, as the command line sets them and the run folder stores them."""

from __future__ import annotations

import dataclasses
import functools
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from romans_agents.policies.policy_file import MOST_WEIGHTS
from romans_env.core.files import json_of, read_text, write_text
from romans_env.core.games import DEFAULT_GAME, GameSpec, rules_of, spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.errors import did_you_mean, in_one_line, shortened
from romans_training.learn.reward_of import check_reward_text
from romans_training.measure.reference_opponents import weak_half
from romans_training.schema import fits
from romans_training.settings import ConfigError, check_settings, setting

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EVALUATION_SEED = 1_000_000
"""Seed of the deals of the periodic evaluations, which all use the same deals; published results use other deals."""
MOST_DECISIONS = 10**18
"""Largest number of decisions that a setting accepts."""
MOST_ROLLOUT = 2**28
"""Largest number of decisions in a rollout. A rollout is kept in memory: this many take 100 GB for observations."""
MOST_SETUP_WEIGHT = 10**6
"""Largest weight of a setup in a mixture of setups."""
MOST_SETTINGS = 2**20
"""Largest size of a settings file, in bytes."""
_MOST_DOTS = 1000
"""Largest number of dots in a line of a TOML file: parsing a dotted name takes time cubic in its parts."""

_EARLIER_NAMES = {"magnet_decisions": "magnet_horizon", "tables": "setups"}
"""Names of settings in files of earlier versions, mapped to their names today."""
_COUNT = (1, MOST_DECISIONS)
_WEIGHT = (0, 10**6)


@dataclass(frozen=True, init=False)
class TrainConfig:
    """The settings of a run of PPO (Schulman et al. 2017) with action masks (Huang and Ontañón 2022).

    The docstring of a field is the help text of its option. The defaults are the ones that ``make train`` uses: a few
    minutes of training on two cores. A game may override them (``training`` of its `GameSpec`).

    Raises:
        ConfigError: if a setting has the wrong type, is out of bounds, or contradicts another setting.
    """

    game: str = DEFAULT_GAME
    """Name of the game."""
    setup: dict[str, Any] = dataclasses.field(default_factory=dict)
    """Settings of the game's setup, such as ``{"num_players": 3}``; omitted ones have the game's defaults. After
    construction it holds all of them, as returned by the setup's ``as_json``."""

    steps: int = setting(8_000_000, "Run", bounds=_COUNT)
    """Total number of decisions of the learner, rounded up to whole rollouts. With --resume: the new total."""
    minutes: float | None = setting(None, "Run", bounds=(0, 10**7), above=True)
    """Minutes of training, instead of --steps: the run ends after the rollout in progress at that time. With --resume:
    the new total."""
    seed: int = setting(1, "Run", bounds=(0, 2**32 - 1))
    """Seed of all random numbers of the run. How many decisions fit into --minutes depends on the machine."""
    processes: int = setting(1, "Run", bounds=(1, 1024))
    """Number of processes that play and learn together (data-parallel); should not exceed the number of idle cores.
    --num-envs and --minibatch-size are divided among them and must be multiples of it. Reproducing a run takes the same
    number. Under torchrun: the number of processes that it started."""
    threads: int = setting(2, "Run", bounds=(1, 1024))
    """Number of threads of each process; in all, they should not exceed the number of idle cores. Reproducing a run
    takes the same number. With several --processes the default is 1."""
    checkpoint_every: int = setting(1_000_000, "Run", bounds=_COUNT)
    """Number of decisions between checkpoints."""

    reward: str = setting("win", "Game")
    """Reward of the learner: win (the result, at the end of the game), points (own points, as they are scored), or a
    function of the seat's state before and after, in a Python file: my_reward.py:shaped
    (docs/environments/rewards.md)."""
    restarts: float = setting(0.0, "Game", bounds=(0, 0.9))
    """Share of the games that begin at a position visited in a recent game instead of the initial state, from 0 to
    0.9."""

    opponents: tuple[str, ...] | None = setting(None, "Opponents")
    """Opponent pool: each opponent of each game is drawn from these agents; one that is listed twice is drawn twice as
    often."""

    self_play: float = setting(0.0, "Self-play", bounds=(0, 1))
    """Share of the games in which the learner plays every seat, from 0 to 1. In the others it plays against the league:
    --opponents, its past policies and exploiters, of which stronger ones are drawn more often. 0: no self-play,
    MaskablePPO against --opponents."""
    setups: tuple[str | dict[str, Any], ...] | None = setting(None, "Self-play", flags=("--tables",))
    """Setups of the training games: names as for --table, optionally with weights (NAME=3,NAME), or all. Evaluations
    are played at --table. A settings file may instead list objects of a setup and its weight. [default: --table]"""
    snapshot_every: int | None = setting(None, "Self-play", bounds=_COUNT)
    """Number of decisions between snapshots: copies of the policy that join the league. [default: never]"""
    exploiter_every: int | None = setting(None, "Self-play", bounds=_COUNT)
    """Number of decisions between exploiters: approximate best responses to the policy of that moment, which join the
    league once trained. [default: never]"""
    exploiter_steps: int = setting(2_000_000, "Self-play", bounds=_COUNT)
    """Number of decisions of the training of each exploiter (--exploiter-every)."""
    final_entropy: float | None = setting(None, "Self-play", bounds=_WEIGHT)
    """Weight of the entropy bonus at the end of the run; it changes linearly from --entropy. [default: --entropy]"""
    magnet: float = setting(0.0, "Self-play", bounds=_WEIGHT)
    """Weight, in the loss, of the KL divergence of the policy from the magnet: a running average of the policy. 0: no
    such term."""
    magnet_horizon: int = setting(
        4_000_000, "Self-play", bounds=_COUNT, flags=("--magnet-horizon", "--magnet-decisions")
    )
    """Time constant of the running average of --magnet, in decisions."""
    full_state_critic: bool = setting(False, "Self-play")
    """Estimate advantages with a separate critic, used in training only, that sees the observations of all players. On
    --device cpu only."""

    device: str = setting("cpu", "Learner")
    """Torch device of the learner's networks: cpu, cuda, cuda:1, ... The games always run on the CPU. On any device but
    cpu the self-play learner is used, also when --self-play is 0."""

    num_envs: int = setting(1024, "Learner", bounds=(1, 2**20))
    """Number of games played in parallel."""
    rollout_length: int = setting(32, "Learner", bounds=(1, 2**20))
    """Number of decisions per game in a rollout, that is, between two updates."""
    gamma: float = setting(1.0, "Learner", bounds=(0, 1))
    """Discount factor per decision of the learner, from 0 to 1."""
    gae_lambda: float = setting(0.95, "Learner", bounds=(0, 1))
    """Lambda of generalised advantage estimation (GAE), from 0 to 1."""
    hidden_layers: tuple[int, ...] = setting((128, 128), "Learner")
    """Sizes of the hidden layers; the policy network and the value network each have layers of these sizes."""
    bfloat16: bool | None = setting(None, "Learner")
    """Compute the networks in bfloat16, which is twice as fast on processors with instructions for it. [default: if
    the processor has them]"""
    start_from: str | None = setting(None, "Learner")
    """Policy file, or another agent with a network, whose weights are the initial ones. [default: random weights]"""

    minibatch_size: int = setting(2048, "Optimiser", bounds=(1, MOST_ROLLOUT))
    """Number of decisions in a minibatch."""
    epochs: int = setting(2, "Optimiser", bounds=(1, 10**4))
    """Number of passes over each rollout in an update."""
    learning_rate: float = setting(1e-3, "Optimiser", bounds=(0, 1000), above=True)
    """Initial learning rate; it falls linearly to a tenth of this at the end of the run."""
    entropy: float = setting(0.01, "Optimiser", bounds=_WEIGHT)
    """Weight of the entropy bonus."""

    evaluate_every: int | None = setting(None, "Evaluation", bounds=_COUNT)
    """Number of decisions between evaluations. [default: a tenth of the run]"""
    evaluation_deals: int = setting(150, "Evaluation", bounds=(1, 10**7))
    """Number of duplicate deals per opponent in an evaluation."""
    evaluate_at_start: bool = setting(True, "Evaluation")
    """Also evaluate the initial policy, so that the learning curve begins at 0 decisions."""
    evaluate_against: tuple[str, ...] | None = setting(None, "Evaluation")
    """Fixed opponents of the evaluations, independent of the training opponents. If this is omitted: the weaker half of
    the benchmark's opponents for the game and its setup, or --opponents if the benchmark has none."""
    keep_policies: bool = setting(False, "Evaluation")
    """Save the policy of every evaluation in FOLDER/policies."""

    def __init__(self, **settings: Any) -> None:
        spec = _spec_of(settings.get("game", DEFAULT_GAME))
        defaults = default_settings(spec.name)
        given = {**defaults, **settings}
        unknown = given.keys() - {field.name for field in dataclasses.fields(self)}
        if unknown:
            raise TypeError(f"TrainConfig has no settings {', '.join(sorted(unknown))}")
        if given["opponents"] is None:
            given["opponents"] = defaults["opponents"]
        if "threads" not in settings and given["processes"] != 1:
            given["threads"] = 1
        for name, value in given.items():
            object.__setattr__(self, name, tuple(value) if isinstance(value, list) else value)
        check_settings(self)
        setup = _setup_of(spec, self.setup)
        object.__setattr__(self, "setup", json.loads(json.dumps(setup.as_json())))
        if "evaluate_against" not in settings:
            # A given None is kept: runs of earlier versions have it, and are evaluated against their own opponents.
            object.__setattr__(self, "evaluate_against", weak_half(spec.name, setup) or self.evaluate_against)
        _check(self)

    @functools.cached_property
    def rules(self) -> Rules:
        """The rules of the game with its setup."""
        return rules_of(_setup_of(_spec_of(self.game), self.setup))

    @property
    def num_players(self) -> int:
        """The number of seats that agents play."""
        return self.rules.num_players

    @property
    def pool(self) -> tuple[str, ...]:
        """The opponent pool as a tuple; empty if ``opponents`` is None."""
        return self.opponents or ()

    @property
    def fixed_opponents(self) -> tuple[str, ...]:
        """The opponents of the evaluations, without duplicates; unused if the game has one player."""
        return tuple(dict.fromkeys(self.evaluate_against or self.pool))

    @property
    def weighted_setups(self) -> list[tuple[Setup, float]]:
        """The setups of self-play with their weights; raises ConfigError for an invalid entry."""
        if self.setups is None:
            return [(self.rules.setup, 1.0)]
        return [self._weighted_setup(entry) for entry in self.setups]

    def _weighted_setup(self, entry: str | dict[str, Any]) -> tuple[Setup, float]:
        spec = _spec_of(self.game)
        try:
            if isinstance(entry, str):
                name, _, number = entry.partition("=")
                setup, weight = _named_setup(spec, name, self.setup), float(number or 1)
            else:
                if not fits(entry, {"setup": dict}) or not set(entry) <= {"setup", "weight"}:
                    raise ValueError('it is neither a name nor an object such as {"setup": {...}, "weight": 1}')
                setup, weight = entry["setup"], entry.get("weight", 1.0)
            made = _setup_of(spec, setup)
        except ValueError as error:
            raise ConfigError(f"setups: {shortened(entry)}: {in_one_line(error)}") from None
        if not fits(weight, float) or not 0 < weight <= MOST_SETUP_WEIGHT:
            raise ConfigError(
                f"setups: the weight of a setup must be above 0 and at most {MOST_SETUP_WEIGHT:,}, unlike in "
                f"{shortened(entry)}"
            )
        return made, float(weight)

    @property
    def rollout_size(self) -> int:
        """The number of decisions in a rollout."""
        return self.num_envs * self.rollout_length

    def part_done(self, steps: int, seconds: float) -> float:
        """Return the fraction of the run that is done; 1 or more at its end.

        Args:
            steps: decisions so far.
            seconds: training time so far; this counts instead of ``steps`` if the run has ``minutes``.
        """
        return steps / self.steps if self.minutes is None else seconds / (60 * self.minutes)

    def as_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON, for `from_json`."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, settings: Any) -> TrainConfig:
        """Make a config from a JSON object; raise ConfigError for an unknown or invalid setting."""
        return cls(**_checked_names(settings))

    def save(self, path: Path) -> None:
        """Write the settings as a JSON file."""
        write_text(path, json.dumps(self.as_json(), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> TrainConfig:
        """Read the settings file of a run; raise ConfigError if it is damaged."""
        return cls.from_json(read_settings(path))


def default_settings(game: str) -> dict[str, Any]:
    """Return the default of every setting for a game: the game's own if it has one, else the default of the field.

    Raises:
        ConfigError: if there is no such game.
    """
    spec = _spec_of(game)
    general = {field.name: field.default for field in dataclasses.fields(TrainConfig)}
    return {**general, "game": game, "setup": {}, "opponents": (spec.default_opponent,), **spec.training}


def read_settings(path: Path) -> dict[str, Any]:
    """Read a settings file, which may leave settings out: TOML if its name ends in ``.toml``, else JSON.

    Returns:
        The settings in the file, by their names in `TrainConfig`; names of earlier versions are translated. Values are
        not checked.

    Raises:
        ConfigError: if the file is missing, not a regular file of at most 1 MB, not valid JSON or TOML, or has unknown
            settings.
    """
    name = in_one_line(path)
    try:
        text = read_text(path, MOST_SETTINGS)
        settings = _toml_of(text) if path.suffix == ".toml" else json_of(text)
    except OSError as error:
        raise ConfigError(f"cannot read the settings {name}: {in_one_line(error.strerror)}") from None
    except ValueError as error:
        raise ConfigError(f"{name} is not a valid settings file: {in_one_line(error)}") from None
    try:
        return _checked_names(settings)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from None


def _toml_of(text: str) -> dict[str, Any]:
    """Parse a TOML text; raise ValueError if it is not valid TOML."""
    if max((line.count(".") for line in text.split("\n")), default=0) > _MOST_DOTS:
        raise ValueError(f"it has a line of more than {_MOST_DOTS:,} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _checked_names(settings: Any) -> dict[str, Any]:
    """Return settings under their names in `TrainConfig`; raise ConfigError for a non-object or an unknown name."""
    if not isinstance(settings, dict):
        raise ConfigError(f"settings must be an object of names and values, not {type(settings).__name__}")
    settings = {_EARLIER_NAMES.get(name, name): value for name, value in settings.items()}
    spec = _spec_of(settings.get("game", DEFAULT_GAME))
    settings = spec.part("command_line").with_setup(settings)
    known = [field.name for field in dataclasses.fields(TrainConfig)]
    unknown = [name for name in settings if name not in known]
    if unknown:
        names = in_one_line(", ".join(map(str, unknown)), 200)
        raise ConfigError(
            f"unknown settings {names}{did_you_mean(unknown[0], known)}; there are {', '.join(sorted(known))}"
        )
    return settings


def _spec_of(game: str) -> GameSpec:
    try:
        return spec_of(game)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _setup_of(spec: GameSpec, settings: dict[str, Any]) -> Setup:
    try:
        return spec.make_setup(**settings)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _named_setup(spec: GameSpec, name: str, settings: dict[str, Any]) -> dict[str, Any]:
    names = spec.part("command_line").names
    if names is None:
        raise ValueError(f"{spec.name} has no names for its setups; give objects of a setup and its weight")
    return names.settings(name, settings)


def _check(config: TrainConfig) -> None:
    """Raise ConfigError for settings that contradict each other."""
    check_reward_text(config.reward)
    if config.rollout_size > MOST_ROLLOUT:
        raise ConfigError(
            f"a rollout of {config.num_envs} games x {config.rollout_length} decisions is more than {MOST_ROLLOUT:,} "
            "decisions: lower num_envs or rollout_length"
        )
    if config.minibatch_size > config.rollout_size:
        raise ConfigError(
            f"a minibatch of {config.minibatch_size} is more than a rollout of {config.num_envs} games x "
            f"{config.rollout_length} decisions holds: lower minibatch_size, or raise num_envs or rollout_length"
        )
    if config.num_envs % config.processes or config.minibatch_size % config.processes:
        raise ConfigError(
            f"{config.processes} processes share games and minibatches evenly: num_envs {config.num_envs} and "
            f"minibatch_size {config.minibatch_size} must be multiples of processes"
        )
    if not config.pool and config.num_players > 1:
        raise ConfigError("opponents must name at least one agent")
    if config.evaluate_against is not None and not config.evaluate_against:
        raise ConfigError("evaluate_against must name at least one opponent, or be left out")
    if not config.hidden_layers or min(config.hidden_layers) < 1:
        raise ConfigError(
            f"hidden_layers must be sizes of at least 1, such as 128,128, not {shortened(config.hidden_layers)}"
        )
    if len(config.hidden_layers) > 99 or _num_weights(config.hidden_layers, config.rules) > MOST_WEIGHTS:
        raise ConfigError(
            f"hidden_layers may be at most 99 layers, and at most {MOST_WEIGHTS:,} weights in the policy and value "
            f"networks together, not {shortened(config.hidden_layers)}"
        )
    if config.self_play == 0:
        defaults = default_settings(config.game)
        # exploiter_steps and magnet_horizon have no effect without exploiters and a magnet, so they may be set.
        group = [field.name for field in dataclasses.fields(config) if field.metadata.get("group") == "Self-play"]
        of_self_play = [
            name
            for name in group
            if name not in ("exploiter_steps", "magnet_horizon")
            and getattr(config, name) not in (defaults[name], getattr(TrainConfig, name))
        ]
        if of_self_play:
            raise ConfigError(f"{', '.join(of_self_play)}: settings of self-play; set self_play above 0 to use them")
    if config.full_state_critic and config.device.partition(":")[0] != "cpu":
        raise ConfigError("full_state_critic works on device cpu only; leave out full_state_critic or device")
    setups = [setup for setup, _ in config.weighted_setups]
    if not setups:
        raise ConfigError("setups must name at least one setup, or be left out")
    if len(setups) > config.num_envs // config.processes:
        raise ConfigError(f"num_envs must be at least the number of setups, {len(setups)}, in each process")
    shapes = {(rules.num_actions, rules.observation_size) for rules in map(rules_of, setups)}
    if len(shapes) > 1:
        raise ConfigError("setups: they differ in the size of observations or actions, so one network cannot play them")


def _num_weights(hidden_layers: tuple[int, ...], rules: Rules) -> int:
    """Return the number of weights in a policy file with such hidden layers: policy, value and observation scale."""
    widths = (rules.observation_low.size, *hidden_layers)
    inner = sum((before + 1) * width for before, width in zip(widths, hidden_layers, strict=False))
    return 2 * inner + (widths[-1] + 1) * (rules.num_actions + 1) + widths[0]
