"""The settings of a training run: what the command line sets, what the run folder keeps."""

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
"""Seed of the deals of the periodic evaluations, which are the same every time; no final table uses them."""
MOST_DECISIONS = 10**18
"""The largest number of decisions that a setting may be."""
MOST_ROLLOUT = 2**28
"""Decisions in a rollout, all of which are in memory: 100 GB of observations."""
MOST_SETUP_WEIGHT = 10**6
"""The largest weight of a setup in a mixture."""
MOST_SETTINGS = 2**20
"""Bytes of a settings file."""
_MOST_DOTS = 1000
"""In a line of a TOML file: the time to read a dotted name grows with the cube of its parts."""

_EARLIER_NAMES = {"magnet_decisions": "magnet_horizon", "tables": "setups"}
"""Settings that files of earlier versions name otherwise."""
_COUNT = (1, MOST_DECISIONS)
_WEIGHT = (0, 10**6)


@dataclass(frozen=True, init=False)
class TrainConfig:
    """A run of PPO (Schulman et al. 2017) with action masks (Huang and Ontañón 2022).

    The docstring of a field is the help of its option. The defaults are those of ``make train``, which take a few
    minutes on two cores; a game may have others (``training`` of its `GameSpec`).

    Raises:
        ConfigError: a setting of another type, outside its bounds, or that does not fit the others.
    """

    game: str = DEFAULT_GAME
    """Name of the game."""
    setup: dict[str, Any] = dataclasses.field(default_factory=dict)
    """Settings of the game's setup, such as ``{"num_players": 3}``; those left out are the game's defaults. After
    construction all of them, as the setup's ``as_json`` gives them."""

    steps: int = setting(8_000_000, "Run", bounds=_COUNT)
    """Number of decisions of the learner in all, rounded up to whole rollouts; with --resume, a new end."""
    minutes: float | None = setting(None, "Run", bounds=(0, 10**7), above=True)
    """Minutes of training, in place of --steps: the run ends after the rollout that is then in progress; with --resume,
    a new end."""
    seed: int = setting(1, "Run", bounds=(0, 2**32 - 1))
    """Seed of all chance; how far a run of --minutes comes depends on the machine."""
    processes: int = setting(1, "Run", bounds=(1, 1024))
    """Number of processes that play and learn together, no more than there are idle cores: each has its share of
    --num-envs and of --minibatch-size, which are multiples of it. The same number repeats a run. Under torchrun: those
    that it started."""
    threads: int = setting(2, "Run", bounds=(1, 1024))
    """Number of threads of each process, no more than there are idle cores for them; the same number repeats a run.
    With several --processes, 1 unless it is given."""
    checkpoint_every: int = setting(1_000_000, "Run", bounds=_COUNT)
    """Number of decisions between checkpoints."""

    reward: str = setting("win", "Game")
    """Reward of the learner: win, the return at the end of a game; points, as they come; or a function in a
    Python file, my_reward.py:shaped, of the seat's state before and after (docs/environments/rewards.md)."""
    restarts: float = setting(0.0, "Game", bounds=(0, 0.9))
    """Share of the games that begin at a position of a recent game, in place of the start, from 0 to 0.9."""

    opponents: tuple[str, ...] | None = setting(None, "Opponents")
    """Pool from which each opponent of each game is drawn; an agent that is named twice is drawn twice as often."""

    self_play: float = setting(0.0, "Self-play", bounds=(0, 1))
    """Share of the games in which the learner plays every seat, from 0 to 1; in the others it plays against the league:
    --opponents, its past policies and exploiters, the stronger ones more often. 0: against --opponents alone, by
    MaskablePPO."""
    setups: tuple[str | dict[str, Any], ...] | None = setting(None, "Self-play", flags=("--tables",))
    """Setups of the games, as names that --table takes, with weights (NAME=3,NAME), or all; evaluations are at --table.
    A settings file may have objects of a setup and its weight. [default: --table]"""
    snapshot_every: int | None = setting(None, "Self-play", bounds=_COUNT)
    """Number of decisions after which a copy of the policy joins the league. [default: never]"""
    exploiter_every: int | None = setting(None, "Self-play", bounds=_COUNT)
    """Number of decisions after which a response to the policy is trained and joins the league. [default: never]"""
    exploiter_steps: int = setting(2_000_000, "Self-play", bounds=_COUNT)
    """Decisions for which each response of --exploiter-every is trained."""
    final_entropy: float | None = setting(None, "Self-play", bounds=_WEIGHT)
    """Weight of the entropy bonus at the end, to which --entropy falls linearly. [default: --entropy]"""
    magnet: float = setting(0.0, "Self-play", bounds=_WEIGHT)
    """Weight of the KL divergence from the running average of the policy in the loss. 0: none."""
    magnet_horizon: int = setting(
        4_000_000, "Self-play", bounds=_COUNT, flags=("--magnet-horizon", "--magnet-decisions")
    )
    """Decisions over which the running average of --magnet is taken."""
    full_state_critic: bool = setting(False, "Self-play")
    """Take advantages from a critic of their own that sees the observations of all players; only training needs it. Not
    with a --device other than cpu."""

    device: str = setting("cpu", "Learner")
    """Device of the learner's network arithmetic, as torch names it: cpu, cuda, cuda:1. The games and the opponents
    are computed on the processor. On another device than cpu the learner is always that of self-play."""

    num_envs: int = setting(1024, "Learner", bounds=(1, 2**20))
    """Number of games played at once."""
    rollout_length: int = setting(32, "Learner", bounds=(1, 2**20))
    """Number of decisions in each game between two updates."""
    gamma: float = setting(1.0, "Learner", bounds=(0, 1))
    """Discount factor of a decision, from 0 to 1."""
    gae_lambda: float = setting(0.95, "Learner", bounds=(0, 1))
    """Lambda of the generalised advantage estimates, from 0 to 1."""
    hidden_layers: tuple[int, ...] = setting((128, 128), "Learner")
    """Sizes of the hidden layers of the policy network and of the value network."""
    bfloat16: bool | None = setting(None, "Learner")
    """Network arithmetic in bfloat16: twice as fast on processors that support it. [default: where they do]"""
    start_from: str | None = setting(None, "Learner")
    """Policy file, or another agent with a network, whose weights training starts from. [default: random weights]"""

    minibatch_size: int = setting(2048, "Optimiser", bounds=(1, MOST_ROLLOUT))
    """Number of decisions in a minibatch."""
    epochs: int = setting(2, "Optimiser", bounds=(1, 10**4))
    """Number of passes over every rollout."""
    learning_rate: float = setting(1e-3, "Optimiser", bounds=(0, 1000), above=True)
    """Learning rate at the start; it falls linearly to a tenth."""
    entropy: float = setting(0.01, "Optimiser", bounds=_WEIGHT)
    """Weight of the entropy bonus."""

    evaluate_every: int | None = setting(None, "Evaluation", bounds=_COUNT)
    """Number of decisions between evaluations. [default: a tenth of the run]"""
    evaluation_deals: int = setting(150, "Evaluation", bounds=(1, 10**7))
    """Number of duplicate deals of an evaluation, against every opponent."""
    evaluate_at_start: bool = setting(True, "Evaluation")
    """Evaluate the policy before its first decision, too: the learning curve begins at 0 decisions."""
    evaluate_against: tuple[str, ...] | None = setting(None, "Evaluation")
    """Fixed opponents of the learning curve, whatever is trained against; those left out are the weaker half of the
    benchmark's opponents for the game and its setup, or --opponents where the game has none."""
    keep_policies: bool = setting(False, "Evaluation")
    """Keep the policy of every evaluation in FOLDER/policies."""

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
            # None where that was given: runs of earlier versions go on against their opponents.
            object.__setattr__(self, "evaluate_against", weak_half(spec.name, setup) or self.evaluate_against)
        _check(self)

    @functools.cached_property
    def rules(self) -> Rules:
        """The game with its setup."""
        return rules_of(_setup_of(_spec_of(self.game), self.setup))

    @property
    def num_players(self) -> int:
        """Seats that agents play."""
        return self.rules.num_players

    @property
    def pool(self) -> tuple[str, ...]:
        """`opponents`; none where the game has one player."""
        return self.opponents or ()

    @property
    def fixed_opponents(self) -> tuple[str, ...]:
        """The opponents of the evaluations, each once; they have no effect where the game has one player."""
        return tuple(dict.fromkeys(self.evaluate_against or self.pool))

    @property
    def weighted_setups(self) -> list[tuple[Setup, float]]:
        """The setups of self-play, and the weight of each; ConfigError for an invalid entry."""
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
                    raise ValueError("it is no object of a setup and its weight")
                setup, weight = entry["setup"], entry.get("weight", 1.0)
            made = _setup_of(spec, setup)
        except ValueError as error:
            raise ConfigError(f"setups: {shortened(entry)}: {in_one_line(error)}") from None
        if not fits(weight, float) or not 0 < weight <= MOST_SETUP_WEIGHT:
            raise ConfigError(
                f"setups: the weight of a setup is above 0 and at most {MOST_SETUP_WEIGHT:,}, not that of "
                f"{shortened(entry)}"
            )
        return made, float(weight)

    @property
    def rollout_size(self) -> int:
        """Decisions between two updates."""
        return self.num_envs * self.rollout_length

    def part_done(self, steps: int, seconds: float) -> float:
        """Return the part of a run that is done after some decisions, or seconds of training; 1 or more at its end."""
        return steps / self.steps if self.minutes is None else seconds / (60 * self.minutes)

    def as_json(self) -> dict[str, Any]:
        """Return the config as plain JSON, which ``from_json`` reads."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, settings: Any) -> TrainConfig:
        """Return the config of a JSON object; raise ConfigError for unknown settings, or wrong ones."""
        return cls(**_checked_names(settings))

    def save(self, path: Path) -> None:
        """Write the settings as a JSON file."""
        write_text(path, json.dumps(self.as_json(), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> TrainConfig:
        """Read all settings from the file of a run; raise ConfigError when that is damaged."""
        return cls.from_json(read_settings(path))


def default_settings(game: str) -> dict[str, Any]:
    """Return the default of every setting for a game: the game's own, or else that of the field.

    Raises:
        ConfigError: there is no such game.
    """
    spec = _spec_of(game)
    general = {field.name: field.default for field in dataclasses.fields(TrainConfig)}
    return {**general, "game": game, "setup": {}, "opponents": (spec.default_opponent,), **spec.training}


def read_settings(path: Path) -> dict[str, Any]:
    """Read a settings file, whole or in part: TOML where its name ends in ``.toml``, else JSON.

    Returns:
        Settings by their names in `TrainConfig`, of whatever type; those of earlier versions under their new names.

    Raises:
        ConfigError: no such file, no regular one of at most 1 MB, not JSON or TOML, or unknown settings.
    """
    name = in_one_line(path)
    try:
        text = read_text(path, MOST_SETTINGS)
        settings = _toml_of(text) if path.suffix == ".toml" else json_of(text)
    except OSError as error:
        raise ConfigError(f"cannot read the settings {name}: {in_one_line(error.strerror)}") from None
    except ValueError as error:
        raise ConfigError(f"{name} is not a whole settings file: {in_one_line(error)}") from None
    try:
        return _checked_names(settings)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from None


def _toml_of(text: str) -> dict[str, Any]:
    """Return the content of a TOML text; raise ValueError for another text."""
    if max((line.count(".") for line in text.split("\n")), default=0) > _MOST_DOTS:
        raise ValueError(f"it has a line of more than {_MOST_DOTS:,} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _checked_names(settings: Any) -> dict[str, Any]:
    """Return the settings, if they are an object with none but names of `TrainConfig`; raise ConfigError otherwise."""
    if not isinstance(settings, dict):
        raise ConfigError(f"settings are an object of names and values, not {type(settings).__name__}")
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
    """Raise ConfigError for settings that do not fit each other."""
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
        raise ConfigError("name at least one opponent")
    if config.evaluate_against is not None and not config.evaluate_against:
        raise ConfigError("evaluate_against names at least one opponent, or is left out")
    if not config.hidden_layers or min(config.hidden_layers) < 1:
        raise ConfigError(
            f"hidden layers are sizes of at least 1, such as 128,128, not {shortened(config.hidden_layers)}"
        )
    if len(config.hidden_layers) > 99 or _num_weights(config.hidden_layers, config.rules) > MOST_WEIGHTS:
        raise ConfigError(
            f"hidden layers are at most 99, and at most {MOST_WEIGHTS:,} weights for policy and value together, not "
            f"{shortened(config.hidden_layers)}"
        )
    if config.self_play == 0:
        defaults = default_settings(config.game)
        # How long exploiters train and how far the magnet looks back matter only where there are some.
        group = [field.name for field in dataclasses.fields(config) if field.metadata.get("group") == "Self-play"]
        of_self_play = [
            name
            for name in group
            if name not in ("exploiter_steps", "magnet_horizon")
            and getattr(config, name) not in (defaults[name], getattr(TrainConfig, name))
        ]
        if of_self_play:
            raise ConfigError(f"{', '.join(of_self_play)}: settings of self-play alone; give self_play, too, above 0")
    if config.full_state_critic and config.device.partition(":")[0] != "cpu":
        raise ConfigError("full_state_critic: what all players observe is collected on device cpu alone; leave out one")
    setups = [setup for setup, _ in config.weighted_setups]
    if not setups:
        raise ConfigError("setups names at least one setup, or is left out")
    if len(setups) > config.num_envs // config.processes:
        raise ConfigError(f"num_envs is at least the number of setups, {len(setups)}, for each of the processes")
    shapes = {(rules.num_actions, rules.observation_size) for rules in map(rules_of, setups)}
    if len(shapes) > 1:
        raise ConfigError("setups: their observations or actions differ in size; one network cannot play them all")


def _num_weights(hidden_layers: tuple[int, ...], rules: Rules) -> int:
    """Return how many numbers a policy file of such layers has, for policy, value and scale."""
    widths = (rules.observation_low.size, *hidden_layers)
    inner = sum((before + 1) * width for before, width in zip(widths, hidden_layers, strict=False))
    return 2 * inner + (widths[-1] + 1) * (rules.num_actions + 1) + widths[0]
