"""The Gymnasium environment: one seat for the learner, agents on the others."""

from __future__ import annotations

import copy
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from romans_env.engine.ends import ILLEGAL_REWARD
from romans_env.engine.seeds import as_seed
from romans_env.envs.bounded_box import bounded_box
from romans_env.envs.game_calls import GameCalls
from romans_env.envs.opponents import check_opponents, check_seat
from romans_env.envs.rendering import RENDER_FPS, RENDER_MODES, Rendering
from romans_env.envs.reset_arguments import checked_options
from romans_env.envs.rewards import check_illegal_reward, check_reward, warn_of_illegal_action
from romans_env.errors import GameOverError, IllegalActionError
from romans_env.game import Game
from romans_env.games import imported
from romans_env.protocol import Rules
from romans_env.render.renderer import Renderer

if TYPE_CHECKING:
    from romans_agents import Agent

Observation = npt.NDArray[np.int8]
Info = dict[str, Any]


class SingleSeatEnv(GameCalls, Rendering, gymnasium.Env[Observation, Any]):
    """A game as a Gymnasium environment, seen from one seat.

    A step plays the learner's action and lets the others play on to its next decision; the reward is all that the seat
    accrued until then, so that a loser receives its loss. The observation is flat; the action mask is in
    ``info["action_mask"]`` and comes from ``action_masks()``. An illegal action ends the episode with reward
    ``illegal_reward`` and ``info["illegal_action"] = 1``. Copies carry the game in progress. Threads may have an
    environment each; those that share one need a lock of their own, as with a `Game`.

    Args:
        rules: the game with its setup.
        opponents: an agent spec or an agent for each other seat, from the learner's left on.
        seat: the learner's seat, or None for a random one each game.
        reward: ``"win"`` (the return of the game, at its end) or ``"points"`` (the seat's points as they come).
        render_mode: ``"ansi"`` (``render()`` returns text), ``"rgb_array"`` (pixels), ``"human"`` (every step is shown
            in a window, or printed where there is no screen) or None.
        renderer: makes what ``render()`` shows.
        illegal_reward: the reward of an illegal action. The default, -1, equals a lost game, so that a learner without
            the action masks, most of whose first actions are illegal, hardly receives another reward. Use the masks;
            without them a lower reward, such as -2, makes a lost game the better end.

    Raises:
        TypeError: an opponent that is neither an agent spec nor an agent.
        ValueError: a wrong number of opponents, a wrong seat, reward, render mode or ``illegal_reward``.
        romans_agents.UnknownAgentError: an agent spec that names no agent.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}

    def __init__(
        self,
        rules: Rules,
        opponents: Sequence[str | Agent],
        seat: int | None,
        reward: str,
        render_mode: str | None,
        renderer: Renderer,
        illegal_reward: float = ILLEGAL_REWARD,
    ):
        check_reward(reward)
        check_illegal_reward(illegal_reward)
        self._set_up_rendering(render_mode, renderer)
        check_seat(seat, rules.num_players)
        check_opponents(opponents, rules.num_players)
        self.rules, self.reward, self.illegal_reward = rules, reward, float(illegal_reward)
        # Agents are a layer above: named by a string, and looked up when an environment is made.
        as_agent = imported("romans_agents.registry:as_agent")
        self.opponents = [as_agent(opponent, rules.name) for opponent in opponents]
        self.observation_space = bounded_box(rules.observation_low, rules.observation_high)
        self.action_space = spaces.Discrete(rules.num_actions)
        self._fixed_seat = seat
        self.seat = seat or 0
        self._game: Game | None = None
        self._ended = True

    # -- the Gymnasium calls

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start a game and play it to the learner's first decision.

        Args:
            seed: decides this game and, until the next seed, those of later resets: deal, seat and opponents' chance.
            options: ``{"deal": deal}`` plays a given deal.

        Raises:
            TypeError: the seed is not an integer, or the options are not a dict; the game in progress goes on.
            ValueError: a negative seed, an unknown option, or a deal that does not fit the setup; likewise.
        """
        seed, deal = as_seed(seed), checked_options(options, ("deal",)).get("deal")
        given = None if deal is None else Game(self.rules, deal=deal)
        super().reset(seed=seed)
        self._game = given or Game(self.rules, seed=int(self.np_random.integers(2**63)))
        self.seat = self._drawn_seat()
        for opponent in self.opponents:
            opponent.seed(int(self.np_random.integers(2**63)))
        self._game.agents = {
            self.rules.players[self._seat_of(k)]: opponent.name for k, opponent in enumerate(self.opponents)
        }
        self._num_shown = 0
        self._ended = True
        self._play_opponents()
        self._ended = self.game.is_over
        if self.render_mode == "human":
            self.render()
        return self.game.observation(self.seat), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Play the learner's action, then the others' up to its next decision.

        Returns:
            observation, reward, terminated, truncated (always False), info.

        Raises:
            TypeError: the action is not an integer.
            GameOverError: after the end.
            romans_env.IllegalActionError: an opponent's illegal action; the game must be started anew.
        """
        if self._ended:
            raise GameOverError("the episode is over; call reset() to start another")
        game = self.game
        action = _as_integer(action)
        if action not in game.legal_actions():
            self._ended = True
            if self.illegal_reward == ILLEGAL_REWARD:
                warn_of_illegal_action()
            return game.observation(self.seat), self.illegal_reward, True, False, {**self._info(), "illegal_action": 1}
        points_before = game.points()[self.player]
        # Until the opponents have played, too: after an error of theirs the game must be started anew.
        self._ended = True
        game.act(action)
        self._play_opponents()
        self._ended = game.is_over
        if self.reward == "points":
            reward = float(game.points()[self.player] - points_before)
        else:
            reward = game.returns()[self.player]
        if self.render_mode == "human":
            self.render()
        return game.observation(self.seat), reward, self._ended, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions now: bool, shape (number of actions,); all False after the end."""
        if self._ended:
            return np.zeros(self.rules.num_actions, dtype=np.bool_)
        return self.game.action_mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        """What the learner may see: text in mode ``"ansi"``, pixels in ``"rgb_array"``; in ``"human"`` it is shown.

        Pixels are uint8, shape (height, 600, 3), as high as the setup's seats need; the height is even.
        """
        return self._rendered(self.game, self.player)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._close_window()

    # -- the game's own

    def legal_actions(self) -> list[int]:
        """Ids of the legal actions, ascending; none after the end of the episode."""
        legal = self.game.legal_actions()
        return [] if self._ended else legal

    @property
    def player(self) -> str:
        """The learner's name in this game, ``player_0`` and so on."""
        return self.rules.players[self.seat]

    def clone(self) -> SingleSeatEnv:
        """An independent copy, the game in progress and the opponents included."""
        return copy.deepcopy(self)

    def _play_opponents(self) -> None:
        game = self.game
        while (seat := game.seat_to_act) not in (None, self.seat):
            opponent = self.opponents[(seat - self.seat) % self.rules.num_players - 1]
            try:
                game.act(opponent.act(game.view(seat)))
            except IllegalActionError as error:
                raise IllegalActionError(f"the opponent {opponent.name}: {error}") from None

    def _seat_of(self, opponent: int) -> int:
        return (self.seat + 1 + opponent) % self.rules.num_players

    def _drawn_seat(self) -> int:
        if self._fixed_seat is not None:
            return self._fixed_seat
        return int(self.np_random.integers(self.rules.num_players))

    def _info(self) -> Info:
        info: Info = {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}
        if self._game is not None and self._game.is_over:
            info["points"] = self._game.points()[self.player]
            info["won"] = int(self.player in self._game.winners())
        return info


def _as_integer(action: Any) -> int:
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.item()
    try:
        if isinstance(action, (bool, np.bool_)):
            raise TypeError
        return operator.index(action)
    except TypeError:
        raise TypeError(f"an action is an integer, not {action!r}; action_id(name) gives that of a name") from None
