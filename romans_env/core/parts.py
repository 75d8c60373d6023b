"""What layers above supply for a game, as types: what `romans_env.core.games.GameSpec.part` gives.

Classes of those layers have these members; environments and loops know no more of them. A game or a view is `Any` here,
as `romans_env.core.game` imports the registry of games.
"""

# pyright: reportReturnType=false
# The methods of a protocol are their docstrings.

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import Rules, Setup, States
from romans_env.engine.random_stream import Streams
from romans_env.engine.step_functions import Integer, Words

Integers = npt.NDArray[np.int64]


class MakesRules(Protocol):
    """The class of a game's rules, or a function with its members."""

    def __call__(self, setup: Any, /) -> Rules:
        """Return the rules with a setup."""

    def from_settings(self, num_players: int | None = None, **settings: Any) -> Rules:
        """Return the rules with settings of the setup; raise ValueError for one that does not exist."""

    def from_json(self, settings: Any, /) -> Rules:
        """Return the rules with the setup of a record; raise ValueError if it is none."""


class Players(Protocol):
    """The compiled agents of a game; an agent's code is a number from FIRST_OWN of `romans_agents.loops.codes` on."""

    def play(self, code: int, states: States, i: int, scratch: States, streams: Streams, words: Words) -> None:
        """Play one decision of the game ``states[i]``, with ``streams[i]`` for chance and a scratch record."""


class ScriptedPlayers(Players, Protocol):
    """Compiled agents of a game's own, which Python asks, too."""

    def choose(self, views: States, code: int) -> Integer:
        """Return the action of the seat that decides in ``views[0]``, a private view that may be used as scratch."""


class Guide(Protocol):
    """What searches take for granted in a game."""

    def priors(self, states: States, i: int, actions: Integers, count: int, priors: npt.NDArray[np.float64]) -> None:
        """Write the prior probabilities of the legal actions, ``actions[:count]``."""

    def arrange_hidden(self, states: States, i: int, seat: int, streams: Streams) -> None:
        """Arrange what a determinization for a seat has dealt to the others as they may well have it, or leave it."""

    def evaluate(
        self, states: States, i: int, streams: Streams, words: Words, returns: npt.NDArray[np.float64]
    ) -> None:
        """Play a determinization on, with ``streams[0]``, and write the expected returns of all players, in [-1, 1]."""


class TurnGuide(Guide, Protocol):
    """What control variates (`romans_agents.variates.chance_variates`) ask beside."""

    EFFORT: tuple[int, int, int]
    """Draws and play-outs of a chance event, and turns of a play-out."""

    def turn_of(self, state: Any) -> Integer:
        """Return a number that identifies the turn: the next turn has another."""

    def write_expected(self, states: States, i: int, returns: npt.NDArray[np.float64]) -> None:
        """Write the expected returns of all players at the start of a turn; of a game that is over, the returns."""


class AgentLike(Protocol):
    """A `romans_agents.Agent`, as far as environments ask it."""

    name: str

    def seed(self, seed: int) -> None:
        """Start the agent's own chance anew."""

    def act(self, view: Any) -> int:
        """Return the id of a legal action for the seat of a view."""

    def action_probabilities(self, view: Any) -> npt.NDArray[np.float64]:
        """Return how likely it is to choose each action: float64, shape (number of actions,)."""


class LearnerSeatsLike(Protocol):
    """The learner's seat in every game, as `romans_agents.batches.kernels.LearnerSeats` describes it."""

    @property
    def won(self) -> npt.NDArray[np.int8]:
        """1 where the learner was among the winners of the game that ended last: int8, shape (n,)."""

    @property
    def points(self) -> Integers:
        """The learner's points at the end of that game: int64, shape (n,)."""

    @property
    def waits(self) -> npt.NDArray[np.int8]:
        """1 where the game has ended and was not started again: int8, shape (n,)."""

    @property
    def replaced(self) -> npt.NDArray[np.int8]:
        """1 where the last action was replaced: int8, shape (n,)."""


class LearnerStepLike(Protocol):
    """What a step gives in every game, as `romans_agents.batches.kernels.LearnerStep` describes it."""

    @property
    def observations(self) -> npt.NDArray[Any]:
        """The learner's observation at its next decision: shape (n, observation size)."""

    @property
    def masks(self) -> npt.NDArray[np.int8]:
        """Its action mask: int8, shape (n, number of actions)."""

    @property
    def rewards(self) -> npt.NDArray[np.float64]:
        """Its reward up to then, or up to the end of the game: float64, shape (n,)."""

    @property
    def ends(self) -> npt.NDArray[np.int8]:
        """GOES_ON, ENDED or ENDED_ILLEGAL of `romans_env.engine.ends`: int8, shape (n,)."""

    @property
    def final(self) -> npt.NDArray[Any]:
        """Where the game ended, the observation at its end; as ``observations``."""


class LearnerBatch(Protocol):
    """Many games with a learner's seat each: a `romans_agents.batches.single_agent_batch.SingleAgentBatch`."""

    rules: Rules
    states: States
    agents: list[Any]
    masks: npt.NDArray[np.int8]
    observations: npt.NDArray[Any] | None
    restarted: npt.NDArray[np.bool_]
    is_started: bool

    learner: Any
    """The `LearnerSeatsLike`, with the learner's results in the games that ended last."""

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Decide all chance of the games to come."""

    def seed_games(self, indices: Integers, seeds: Sequence[int | None]) -> list[np.random.SeedSequence]:
        """Decide the chance of some games to come, without that of the opponents that play in Python."""

    def start(self, games: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[Any]:
        """Start games, all where none are named; return the learner's observations."""

    def step(self, actions: npt.NDArray[Any]) -> LearnerStepLike:
        """Play the learner's action in every game and run on to its next decision."""

    def seats(self) -> npt.NDArray[np.int8]:
        """Return the learner's seat in every game: int8, shape (n,)."""

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Return what `restore` goes on from."""

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from what `saved` returned."""

    def begin_at_positions(self, share: float, seed: int) -> None:
        """Start a share of the games at positions of earlier ones."""


class ControlVariates(Protocol):
    """Sees games while they are played, and computes their control variates.

    A control variate is a number that is known of a played game and has the expectation zero: for an event whose
    probabilities are known, the expected value over what might have happened less the value of what did. The expected
    value may be estimated from draws that are independent of what happened.
    """

    @property
    def names(self) -> Sequence[str]:
        """The names of the variates."""

    def see(self, states: States, indices: Integers, actions: Integers) -> None:
        """Take note of the actions that are about to be played in some games."""

    def values(self) -> npt.NDArray[np.float64]:
        """Return the variates of the games, once they have been played: float64, shape (games, players, variates)."""


class LuckLike(Protocol):
    """A chance event of a game, a `romans_agents.variates.luck.Luck`."""

    @property
    def action(self) -> int:
        """The number of the action that it followed, or preceded as the deal of a round does."""

    @property
    def event(self) -> str:
        """Its name."""

    @property
    def shares(self) -> tuple[float, ...]:
        """The luck of each player, in shares of a win, from -1 to 1, by seat."""


class TextEnvLike(Protocol):
    """A seat of a game that is played by tools, a `romans_agents.external.text_env.TextEnv`."""

    def reset(self, seed: int | None = None, seat: int | None = None) -> str:
        """Start a game; return what happened up to the seat's first decision, and the decision."""

    def get_reward(self) -> float:
        """Return the reward of the game so far."""

    @property
    def tools(self) -> list[Callable[..., str]]:
        """The tools."""


class RendererLike(Protocol):
    """How a game is shown; `romans_env.render.renderer.Renderer` describes the members."""

    title: str
    text: Callable[..., str]
    replay: Callable[..., Any]
    story: Callable[..., list[str]]
    draw: Callable[..., Any]
    position_lines: Callable[..., list[str]]
    position_keys: tuple[str, ...]
    position_name: str
    style: str | None
    terminal: str | None

    def picture(self, game: Any, viewer: str | None = None) -> Any:
        """Draw the position of a game; return a `romans_env.render.picture.Picture`."""

    def moments_after(
        self, rules: Rules, before: States, action: int, outcomes: Sequence[Any], after: States
    ) -> Iterable[tuple[States, Sequence[Any]]]:
        """Yield what is seen from an action to the next decision, whose record is ``after``."""


class OpenSpielPartLike(Protocol):
    """What a game offers to OpenSpiel, a `romans_env.envs.open_spiel_parts.OpenSpielPart`."""

    parameters: Mapping[str, Any]
    parameters_of: Callable[[Any], dict[str, Any]]
    setup_of: Callable[[str, dict[str, Any]], Setup]
    chance: Callable[[Any], Rules]
    recall: Callable[[Any], Any]


class SetupNames(Protocol):
    """Names of setups, which ``--table`` and ``--tables`` take.

    Attributes:
        metavar: the placeholder of a name in the help.
        help_text: of ``--table``.
        names: all names.
        every: the names that ``--tables all`` means.
    """

    metavar: str
    help_text: str
    names: tuple[str, ...]
    every: tuple[str, ...]

    def settings(self, name: str, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a name's setup, with those of ``setup`` that it leaves open, or raise ValueError."""


class SetupOptionsLike(Protocol):
    """The options of a game for its setup, a `romans_training.cli.setup_options.SetupOptions`."""

    options: Mapping[str, Any]
    names: SetupNames | None

    def with_setup(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return a run's settings with those of the setup in ``setup``, where earlier versions had them elsewhere."""
