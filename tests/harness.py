"""What the suites of all games know of a game: its tables, its environments, and how to judge a position of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any

import gymnasium
import pettingzoo
import pytest

from romans_env import Game, roma_v0, romans_go_home_v0, struggle_v0
from romans_env.core import games, registration
from romans_env.core.games import GameSpec
from romans_env.core.protocol import Rules
from romans_env.roma.spec import SPEC as ROMA_SPEC
from romans_env.romans_go_home.spec import SPEC as ROMANS_GO_HOME_SPEC
from romans_env.struggle.spec import SPEC as STRUGGLE_SPEC
from tests.roma import invariants as of_roma
from tests.roma import scrambling as roma_scrambling
from tests.romans_go_home import invariants as of_romans_go_home
from tests.romans_go_home import scrambling as romans_go_home_scrambling
from tests.romans_go_home.stages import COVERING, SMALL_TABLES, TABLES
from tests.struggle import invariants as of_struggle
from tests.struggle import scrambling as struggle_scrambling
from tests.struggle.boards import small_board
from tests.struggle.stages import SETTINGS
from tests.tools import Lcg, positions
from tests.toy import dice_race_v0

Settings = dict[str, Any]


@dataclass(frozen=True)
class Harness:
    """A game.

    Attributes:
        spec: what the library knows of it.
        env: the module of its environments.
        setups: settings that cover what the rules distinguish.
        all_setups: all tables, for claims about what is hidden.
        scrambled: another game that a seat cannot tell from this one.
        check_invariants: what holds at every moment of a game.
        check_scrambled: what holds of a scrambled game; None: the same.
        num_actions: the size of the action space.
        observation: the dtype and the length of an observation.
        short: settings of a game that ends soon.
        seeds: how many games of a setup are enough to see what matters.
        start_points: what each player has at the start.
        every: decisions from one look to the next, where a game is long.
        in_play: whether chance is in play, not in the deal alone.
        is_compiled: whether the loops over many games are compiled for it.
    """

    spec: GameSpec
    env: ModuleType
    setups: tuple[Settings, ...]
    scrambled: Callable[[Game, int, Lcg], Game]
    check_invariants: Callable[[Game], None]
    num_actions: int
    observation: tuple[str, int]
    all_setups: tuple[Settings, ...] = ()
    check_scrambled: Callable[[Game], None] | None = None
    short: Settings = field(default_factory=dict)
    seeds: int = 1
    start_points: int = 0
    every: int = 1
    in_play: bool = True
    is_compiled: bool = True

    @property
    def name(self) -> str:
        return self.spec.name

    def rules(self, **setup: Any) -> Rules:
        """The rules with a setup."""
        return self.spec.make_rules(**setup)

    def new_game(self, seed: int, **setup: Any) -> Game:
        """A game from its start."""
        return Game(self.rules(**setup), seed=seed)

    def positions(self, seed: int, every: int | None = None, **setup: Any) -> Iterator[Game]:
        """A game of random play at every n-th decision, and at its end."""
        return positions(self.new_game(seed, **setup), seed, every or self.every)


NAMES = ("num_players", "num_neutrals", "variant", "fort_deck", "warriors", "line_size", "num_rounds")


def _tables(*tables: tuple[Any, ...]) -> tuple[Settings, ...]:
    return tuple(dict(zip(NAMES, table, strict=False)) for table in tables)


def _scrambled_race(game: Game, viewer: int, lcg: Lcg) -> Game:
    other = game.clone()
    other.states["bonus"][0, 1 - viewer] = 1 + lcg.below(6)
    return other


def _check_race(game: Game) -> None:
    position, turns = game.position(), game.rules.setup.turns
    assert game.is_over == (position["turn"] == turns)
    assert all(1 <= bonus <= 6 for bonus in position["bonus"]) and sum(game.returns().values()) == 0
    assert all(action % position["die"] == 0 for action in game.legal_actions())


ROMANS_GO_HOME = Harness(
    spec=ROMANS_GO_HOME_SPEC,
    env=romans_go_home_v0,
    setups=_tables(*COVERING),
    scrambled=romans_go_home_scrambling.scrambled,
    check_invariants=of_romans_go_home.check,
    num_actions=56,
    observation=("int8", ROMANS_GO_HOME_SPEC.make_rules().observation_size),
    all_setups=_tables(*TABLES, *SMALL_TABLES),
    in_play=False,
)
ROMA = Harness(
    spec=ROMA_SPEC,
    env=roma_v0,
    setups=({},),
    scrambled=roma_scrambling.scrambled,
    check_invariants=of_roma.check,
    num_actions=301,
    observation=("int16", 564),
    seeds=4,
    start_points=10,
)
STRUGGLE = Harness(
    spec=STRUGGLE_SPEC,
    env=struggle_v0,
    setups=SETTINGS,
    scrambled=struggle_scrambling.scrambled,
    check_invariants=of_struggle.check,
    check_scrambled=partial(of_struggle.check, is_sample=True),
    num_actions=399,
    observation=("int16", 2120),
    short={"max_rounds": 2, "max_offers": 1},
    every=8,
)
TOY = Harness(
    spec=dice_race_v0.SPEC,
    env=dice_race_v0,
    setups=({}, {"turns": 3}),
    scrambled=_scrambled_race,
    check_invariants=_check_race,
    num_actions=100,
    observation=("int16", 5),
    seeds=2,
    is_compiled=False,
)
GAMES = (ROMANS_GO_HOME, ROMA, STRUGGLE, TOY)


def id_of(game: Harness, setup: Settings) -> str:
    """A name for a setup in the list of tests."""
    return "-".join([game.name, *(str(game.rules(**setup).setup).split() if setup else [])])


def every_of(game: Harness, setup: Settings) -> int:
    """Decisions from one look to the next where all tables are looked at: full ones are alike, a small one is short."""
    return 2 if game.all_setups and "line_size" not in setup else game.every


def _params(all_setups: bool) -> list[Any]:
    chosen = [(game, setup) for game in GAMES for setup in (all_setups and game.all_setups) or game.setups]
    return [pytest.param(game, setup, id=id_of(game, setup)) for game, setup in chosen]


each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_setup = pytest.mark.parametrize(("game", "setup"), _params(all_setups=False))
each_table = pytest.mark.parametrize(("game", "setup"), _params(all_setups=True))
SMALL_BOARD = pytest.param(STRUGGLE, {"board": small_board(), "max_rounds": 2}, id="struggle-small-board")


@contextmanager
def toy_registered() -> Iterator[None]:
    """The toy game and its environments are known for a while."""
    spec = dice_race_v0.SPEC
    registration.register(spec)
    yield
    games.unregister(spec.name)
    del gymnasium.registry[spec.env_id]
    for name in (spec.env_id, "dice_race_v0"):
        for registry in (pettingzoo.aec_registry, pettingzoo.parallel_registry):
            del registry[pettingzoo.EnvSpec(name).id]
