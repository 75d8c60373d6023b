"""The settings of a training run: what the command line sets, what the run folder keeps."""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from romans_agents.policy_file import MOST_WEIGHTS
from romans_env.envs.rewards import REWARDS
from romans_env.errors import in_one_line, shortened
from romans_env.files import json_of, read_text, write_text
from romans_env.games import DEFAULT_GAME, GameSpec, spec_of
from romans_env.protocol import Setup

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EVALUATION_SEED = 1_000_000
"""Of the deals of the periodic evaluations: the same ones every time, and none that a final table uses."""


SELF_PLAY_SETTINGS = (
    "tables",
    "snapshot_every",
    "exploiter_every",
    "final_entropy",
    "magnet",
    "bfloat16",
)
"""Settings that make no difference unless ``self_play`` is above 0."""


MOST_SETTINGS = 2**20
"""Bytes of a settings file."""

MOST_DECISIONS = 10**18
"""Of every setting that counts decisions; a larger number is no number of decisions that can be made."""
MOST_ROLLOUT = 2**28
"""Decisions in a rollout, all of which lie in memory: 100 GB of observations."""
MOST_TABLE_WEIGHT = 10**6
"""The weight of a table of self-play beside that of another."""

_MOST_DOTS = 1000
"""In a line of a TOML file: the time to read a dotted name grows with the cube of its parts."""

_MOST = {
    "steps": MOST_DECISIONS,
    "evaluate_every": MOST_DECISIONS,
    "checkpoint_every": MOST_DECISIONS,
    "snapshot_every": MOST_DECISIONS,
    "exploiter_every": MOST_DECISIONS,
    "exploiter_steps": MOST_DECISIONS,
    "magnet_decisions": MOST_DECISIONS,
    "minutes": 10**7,
    "seed": 2**32 - 1,
    "num_envs": 2**20,
    "rollout_length": 2**20,
    "epochs": 10**4,
    "threads": 1024,
    "evaluation_deals": 10**7,
    "learning_rate": 1000,
    "entropy": 10**6,
    "final_entropy": 10**6,
    "magnet": 10**6,
}
"""The largest value of each setting that would else fail somewhere in numpy or torch, or never end."""


OF_ONE_GAME = ("num_neutrals", "variant", "fort_deck", "warriors", "line_size", "num_rounds")
"""Settings of the setup of Romans Go Home!, which older files hold beside all others; a game that takes them names them
in its `romans_env.games.GameSpec.training`. Settings of another game's setup stand in ``setup``."""
_OF_THE_GAME = ("opponents", "num_players", "num_neutrals", "variant", "line_size", "num_rounds")
"""Settings that are None until the game is known; a file does not say so, but leaves them out."""


class ConfigError(ValueError):
    """Settings that cannot be trained with, saying which and why."""


@dataclass(frozen=True)
class TrainConfig:
    """A run of MaskablePPO (Huang and Ontañón 2022; Schulman et al. 2017) against a mix of opponents.

    The defaults are those of ``make train``: they end in a few minutes on two cores.
    """

    game: str = DEFAULT_GAME
    setup: dict[str, Any] | None = None
    """Settings of the game's setup, save for ``num_players`` and, in Romans Go Home!, the six that follow it."""
    num_players: int | None = None
    """None, as of the settings of the setup that follow: that of the game."""
    num_neutrals: int | None = None
    variant: str | None = None
    fort_deck: tuple[str, ...] | None = None
    warriors: tuple[str, ...] | None = None
    line_size: int | None = None
    num_rounds: int | None = None
    opponents: tuple[str, ...] | None = None
    """A pool: every opponent of every game is drawn from it; name one twice to meet it twice as often. None: those that
    the game names."""
    evaluate_against: tuple[str, ...] | None = None
    """Fixed opponents of the evaluations, whatever is trained against; None: those of the pool."""
    reward: str = "win"
    steps: int = 8_000_000
    """Decisions of the learner, in all games together: at most 10**18, as of every setting below that is a number of
    decisions."""
    minutes: float | None = None
    """Instead of ``steps``: the run ends with the first rollout that ends after so many minutes of training, at most
    10**7."""
    seed: int = 1
    """From 0 to 2**32 - 1, which is what all generators take."""
    num_envs: int = 1024
    """Games played at once, at most 2**20."""
    rollout_length: int = 32
    """Decisions in each game between two updates: at most 2**20, and 2**28 in all games."""
    minibatch_size: int = 2048
    """Decisions; no more than a rollout has."""
    epochs: int = 2
    """Passes over every rollout, at most 10,000."""
    learning_rate: float = 1e-3
    """At the start, at most 1000; it falls in a straight line to a tenth."""
    gamma: float = 1.0
    """Games end: nothing need be discounted."""
    gae_lambda: float = 0.95
    entropy: float = 0.01
    """Weight of the entropy bonus; in self-play at the start. At most 10**6, as of every weight below."""
    final_entropy: float | None = None
    """In self-play the weight falls in a straight line to this one; None: it stays."""
    hidden_layers: tuple[int, ...] = (128, 128)
    """At most 99 layers; together the policy and the value have at most 2**26 weights, as in a policy file."""
    start_from: str | None = None
    """A policy file, or another trained agent, whose weights the network has at the start; None: drawn ones."""
    threads: int = 2
    """Of torch, at most 1024; results are reproducible for the same number only."""
    evaluate_every: int = 2_000_000
    """Decisions between evaluations."""
    evaluation_deals: int = 500
    """At most 10**7."""
    tables: tuple[str, ...] | None = None
    """For self-play at several tables: ``2+0=3`` and ``4+0``, say, for three times as many games at the first; the
    evaluations are at the table above. A weight is at most 10**6. None: that one alone."""
    self_play: float = 0.0
    """The part of the games in which the learner has every seat; 0 trains against ``opponents`` alone, by MaskablePPO.
    In the other games it meets the league: ``opponents``, and what the settings below add to them."""
    snapshot_every: int | None = None
    """Decisions after which a copy of the policy joins the league; None: never."""
    exploiter_every: int | None = None
    """Decisions after which a response to the policy is trained and joins the league; None: never."""
    exploiter_steps: int = 2_000_000
    """Decisions for which such a response is trained."""
    magnet: float = 0.0
    """Weight of the KL divergence to the running average of the policy, in self-play."""
    magnet_decisions: int = 4_000_000
    """Decisions that this average reaches back."""
    bfloat16: bool = False
    """Self-play with the network's arithmetic in bfloat16: twice as fast on processors that have it."""
    keep_policies: bool = False
    """Keep the policy of every evaluation."""
    checkpoint_every: int = 1_000_000
    """Decisions between checkpoints."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if isinstance(getattr(self, field.name), list):
                object.__setattr__(self, field.name, tuple(getattr(self, field.name)))
        _check_kinds(self)
        spec = _spec_of(self.game)
        for name, value in {"opponents": (spec.default_opponent,), **spec.training}.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        _check(self)
        object.__setattr__(self, "num_players", self.table.num_players)

    @property
    def pool(self) -> tuple[str, ...]:
        """`opponents`, which are known once the settings are."""
        return self.opponents or ()

    @property
    def table(self) -> Setup:
        """The setup that is played."""
        spec = _spec_of(self.game)
        of_others = [name for name in OF_ONE_GAME if getattr(self, name) is not None and name not in spec.training]
        if of_others:
            raise ValueError(f"{', '.join(of_others)}: not settings of {self.game}, whose own stand in setup")
        own = {name: getattr(self, name) for name in OF_ONE_GAME if name in spec.training}
        if own and self.setup is not None:
            raise ValueError(f"setup is for another game than {self.game}: give its settings by their own names")
        if self.num_players is not None:
            own["num_players"] = self.num_players
        return spec.make_setup(**own, **(self.setup or {}))

    @property
    def weighted_tables(self) -> list[tuple[Setup, float]]:
        """The tables of self-play, and the weight of each; ConfigError for a text that names no table."""
        if self.tables is None:
            return [(self.table, 1.0)]
        return [self._weighted_table(text) for text in self.tables]

    @property
    def fixed_opponents(self) -> tuple[str, ...]:
        """Whom the evaluations are against, each once; on a table for one player they are of no account."""
        return tuple(dict.fromkeys(self.evaluate_against or self.pool))

    def _weighted_table(self, text: str) -> tuple[Setup, float]:
        options = _spec_of(self.game).part("command_line")
        if options is None:
            raise ConfigError(f"tables: {self.game} has no names for its setups; leave them out")
        size, _, weight = text.partition("=")
        try:
            found = options.setup_of_self_play(size, self.as_json()), float(weight or 1)
        except ValueError as error:
            examples = f"{options.default} or {options.every[-1]}=2.5"
            raise ConfigError(
                f"tables are texts such as {examples}, not {shortened(text)}: {in_one_line(error)}"
            ) from None
        if not 0 < found[1] <= MOST_TABLE_WEIGHT:
            raise ConfigError(
                f"the weight of a table is more than 0 and at most {MOST_TABLE_WEIGHT:,}, not that of {shortened(text)}"
            )
        return found

    @property
    def rollout_size(self) -> int:
        """Decisions between two updates."""
        return self.num_envs * self.rollout_length

    def part_done(self, steps: int, seconds: float) -> float:
        """How much of a run so many decisions, or seconds of training, are; 1 or more at its end."""
        return steps / self.steps if self.minutes is None else seconds / (60 * self.minutes)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON; ``from_json`` reads it back."""
        without = set(OF_ONE_GAME) - set(_spec_of(self.game).training)
        return {name: value for name, value in dataclasses.asdict(self).items() if name not in without}

    @classmethod
    def from_json(cls, settings: Any) -> TrainConfig:
        """The config of a JSON object; ConfigError for settings there are not, or of another kind."""
        return cls(**checked_names(settings))

    def save(self, path: Path) -> None:
        """Write the settings as a JSON file."""
        write_text(path, json.dumps(self.as_json(), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> TrainConfig:
        """Read all settings from the file of a run; ConfigError when that is damaged."""
        return cls.from_json(read_settings(path))


def read_settings(path: Path) -> dict[str, Any]:
    """Read a settings file, whole or in part: TOML where its name ends in ``.toml``, else JSON.

    Returns:
        Settings by their names in `TrainConfig`, of whatever kind.

    Raises:
        ConfigError: no such file, no regular one of at most 1 MB, not JSON or TOML, or settings that there are not.
    """
    name = in_one_line(path)
    try:
        text = read_text(path, MOST_SETTINGS)
        return checked_names(_toml_of(text) if path.suffix == ".toml" else json_of(text))
    except OSError as error:
        raise ConfigError(f"cannot read the settings {name}: {in_one_line(error.strerror)}") from None
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from None
    except ValueError as error:
        raise ConfigError(f"{name} is not a whole settings file: {in_one_line(error)}") from None


def _toml_of(text: str) -> dict[str, Any]:
    """The tables of a TOML text; ValueError for another."""
    if max((line.count(".") for line in text.split("\n")), default=0) > _MOST_DOTS:
        raise ValueError(f"it has a line of more than {_MOST_DOTS:,} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def checked_names(settings: Any) -> dict[str, Any]:
    """The settings, if they are an object with none but names of `TrainConfig`; else ConfigError."""
    if not isinstance(settings, dict):
        raise ConfigError(f"settings are an object of names and values, not {type(settings).__name__}")
    known = [field.name for field in dataclasses.fields(TrainConfig)]
    unknown = [name for name in settings if name not in known]
    if unknown:
        names = in_one_line(", ".join(map(str, unknown)), 200)
        raise ConfigError(f"unknown settings {names}; there are {', '.join(sorted(known))}")
    for name in _OF_THE_GAME:
        if name in settings and settings[name] is None:
            raise ConfigError(f"{name} is {_kinds_of(name)}, not None")
    return settings


_KINDS: dict[Any, str] = {
    int: "an integer",
    float: "a number",
    bool: "true or false",
    str: "a text",
    tuple[str, ...]: "a list of texts",
    tuple[int, ...]: "a list of integers",
    dict[str, Any]: "an object",
    NoneType: "null",
}


def _check_kinds(config: TrainConfig) -> None:
    for name, hint in get_type_hints(TrainConfig).items():
        value = getattr(config, name)
        kinds = get_args(hint) if get_origin(hint) is UnionType else (hint,)
        if not any(_is_of_kind(value, kind) for kind in kinds):
            raise ConfigError(f"{name} is {_kinds_of(name)}, not {shortened(value)}")


def _kinds_of(name: str) -> str:
    """What a setting may be, in words for the writer of a file."""
    hint = get_type_hints(TrainConfig)[name]
    kinds = get_args(hint) if get_origin(hint) is UnionType else (hint,)
    return " or ".join(_KINDS[kind] for kind in kinds if kind is not NoneType or name not in _OF_THE_GAME)


def _is_of_kind(value: Any, kind: Any) -> bool:
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(_is_of_kind(part, get_args(kind)[0]) for part in value)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(isinstance(key, str) for key in value)
    if kind is float:
        # Integers are exact however large they are, but some are too large for a float.
        return (isinstance(value, float) and math.isfinite(value)) or _is_of_kind(value, int)
    # Truth values are integers to Python.
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _spec_of(game: str) -> GameSpec:
    try:
        return spec_of(game)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _check(config: TrainConfig) -> None:
    for name in (
        "steps",
        "num_envs",
        "rollout_length",
        "minibatch_size",
        "epochs",
        "threads",
        "evaluate_every",
        "evaluation_deals",
        "checkpoint_every",
        "exploiter_steps",
        "magnet_decisions",
        "snapshot_every",
        "exploiter_every",
    ):
        if (getattr(config, name) or 0) < 1 and getattr(config, name) is not None:
            raise ConfigError(f"{name} is an integer of at least 1, not {shortened(getattr(config, name))}")
    for name, most in _MOST.items():
        if (getattr(config, name) or 0) > most:
            raise ConfigError(f"{name} is at most {most:,}, not {shortened(getattr(config, name))}")
    try:
        table = config.table
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if config.reward not in REWARDS:
        raise ConfigError(f"reward is {' or '.join(REWARDS)}, not {shortened(config.reward)}")
    if config.seed < 0:
        raise ConfigError(f"seed is an integer of at least 0, not {shortened(config.seed)}")
    if config.minutes is not None and not config.minutes > 0:
        raise ConfigError(f"minutes are more than 0, not {shortened(config.minutes)}")
    if config.rollout_size > MOST_ROLLOUT:
        raise ConfigError(
            f"a rollout of {config.num_envs} games x {config.rollout_length} decisions is more than {MOST_ROLLOUT:,} "
            "decisions: lower num_envs or rollout_length"
        )
    if config.minibatch_size > config.rollout_size:
        raise ConfigError(
            f"a minibatch of {shortened(config.minibatch_size)} is more than a rollout of {config.num_envs} games x "
            f"{config.rollout_length} decisions holds: lower minibatch_size, or raise num_envs or rollout_length"
        )
    if not config.pool and table.num_players > 1:
        raise ConfigError("name at least one opponent")
    if config.evaluate_against is not None and not config.evaluate_against:
        raise ConfigError("evaluate_against names at least one opponent, or is left out")
    if not config.hidden_layers or min(config.hidden_layers) < 1:
        raise ConfigError(
            f"hidden layers are sizes of at least 1, such as 128,128, not {shortened(config.hidden_layers)}"
        )
    if len(config.hidden_layers) > 99 or _num_weights(config.hidden_layers, config.game) > MOST_WEIGHTS:
        raise ConfigError(
            f"hidden layers are at most 99, and at most {MOST_WEIGHTS:,} weights for policy and value together, not "
            f"{shortened(config.hidden_layers)}"
        )
    for name in ("gamma", "gae_lambda"):
        if not 0 <= getattr(config, name) <= 1:
            raise ConfigError(f"{name} is from 0 to 1, not {shortened(getattr(config, name))}")
    for name in ("entropy", "final_entropy", "magnet"):
        if (getattr(config, name) or 0.0) < 0:
            raise ConfigError(f"{name} is at least 0, not {shortened(getattr(config, name))}")
    if not 0 <= config.self_play <= 1:
        raise ConfigError(f"self_play is from 0 to 1, not {shortened(config.self_play)}")
    if config.self_play == 0:
        of_self_play = [name for name in SELF_PLAY_SETTINGS if getattr(config, name) != getattr(TrainConfig, name)]
        if of_self_play:
            raise ConfigError(f"{', '.join(of_self_play)}: settings of self-play alone; give self_play, too, above 0")
    if len(config.weighted_tables) > config.num_envs:
        raise ConfigError(f"num_envs are games at every table: at least {len(config.weighted_tables)}")
    if config.learning_rate <= 0:
        raise ConfigError(f"learning_rate is more than 0, not {shortened(config.learning_rate)}")


def _num_weights(hidden_layers: tuple[int, ...], game: str) -> int:
    """Numbers that a policy file of such layers has, for policy, value and scale."""
    rules = _spec_of(game).part("rules")
    widths = (rules.observation_low.size, *hidden_layers)
    inner = sum((before + 1) * width for before, width in zip(widths, hidden_layers, strict=False))
    return 2 * inner + (widths[-1] + 1) * (len(rules.action_names) + 1) + widths[0]
