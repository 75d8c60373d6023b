"""The single-agent Gymnasium environment: the learner plays one seat, opponents play the others."""

from __future__ import annotations

import copy
import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec

from romans_env.core.game import Game
from romans_env.core.games import DEFAULT_GAME, imported
from romans_env.core.parts import AgentLike
from romans_env.engine.ends import ILLEGAL_REWARD
from romans_env.engine.seeds import as_seed
from romans_env.envs.bounded_box import bounded_box
from romans_env.envs.game_env import GameEnv
from romans_env.envs.illegal_actions import illegal_reward_of, replacement_of, warn_of_illegal_action
from romans_env.envs.opponents import MOST_SKIPPED, check_opponents, check_seat, line_up_of
from romans_env.envs.plain_spec import plain_spec
from romans_env.envs.rendering import RENDER_FPS, RENDER_MODES
from romans_env.envs.reset_arguments import check_deal, checked_options
from romans_env.envs.rewards import Reward, reward_between
from romans_env.errors import GameOverError, IllegalActionError
from romans_env.render.renderer import renderer_of

Observation = npt.NDArray[np.int8]
Info = dict[str, Any]


class SingleSeatEnv(GameEnv, gymnasium.Env[Observation, Any]):
    """A game as a Gymnasium environment, played from one seat.

    A step plays the learner's action, and then the opponents' up to the learner's next decision. The reward is all that
    the learner's seat receives until then, including a loss on an opponent's turn.

    The observation is a flat array, shape ``(observation_size,)``, of the game's dtype, int8, int16 or float32.
    ``info`` holds:

    - ``"action_mask"``: int8, shape ``(num_actions,)``, 1 for legal actions (``action_masks()`` returns it as bool);
    - ``"seat"``: the learner's seat;
    - ``"illegal_action"``: 1 if the last action was illegal, otherwise missing;
    - at the end of a game ``"points"``, the learner's points, and ``"won"`` and ``"is_success"``, 1 if it won,
      otherwise 0; from the latter stable-baselines3 computes ``rollout/success_rate``.

    Copies (``clone``, ``copy.deepcopy``) include the game in progress. Each thread may have an environment; threads
    that share one need a lock.

    Args:
        opponents: an agent spec or an agent for each other seat, in seat order from the learner's left; with
            ``mix_opponents``, the pool from which each opponent of each game is sampled. None for the game's default
            pool (`default_pool <romans_env.core.games.GameSpec>`).
        seat: the learner's seat; None for a random seat in each game.
        reward: ``"win"`` (the return of the game, at its end), ``"points"`` (the change of the learner's points), or a
            reward function. It is called with two `romans_env.envs.rewards.SeatState`, the learner at its decision and
            at its next decision (or at the end), and returns the reward.
        mix_opponents: whether to sample opponents from ``opponents``; it requires ``num_players``.
        num_players: number of players, the learner included; by default one more than ``opponents``.
        illegal_actions: ``"end"`` ends the episode at an illegal action; ``"replace"`` plays a legal action instead,
            always the same one for the same action mask, for learners that do not use masks. Both set
            ``info["illegal_action"]``.
        illegal_reward: the reward of an illegal action. If the action is replaced, the reward of the replacement is
            added. The default for ``"end"`` is -1, the reward of a lost game, so that a learner without masks hardly
            sees another reward. The default for ``"replace"`` is 0, because a cost may teach the learner to end games
            early (docs/environments/interfaces.md has figures).
        render_mode: ``"ansi"`` (``render()`` returns text), ``"rgb_array"`` (``render()`` returns pixels), ``"human"``
            (every step is shown in a window, or printed if there is no display) or None.
        game: the name of the game.
        setup: the game's settings, as for its ``env``.

    Raises:
        TypeError: if an opponent is neither an agent spec nor an agent.
        ValueError: if a setting does not exist or is invalid, or the number of opponents, the seat, the reward, the
            render mode, ``illegal_actions`` or ``illegal_reward`` is invalid.
        romans_agents.UnknownAgentError: if an agent spec names no agent.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}
    _spec: EnvSpec | None = None

    def __init__(
        self,
        opponents: Sequence[str | AgentLike] | None = None,
        seat: int | None = None,
        reward: Reward = "win",
        mix_opponents: bool = False,
        num_players: int | None = None,
        illegal_actions: str = "end",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        game: str = DEFAULT_GAME,
        **setup: Any,
    ):
        self.illegal_reward = illegal_reward_of(illegal_actions, illegal_reward)
        self._replaces_illegal = illegal_actions != "end"
        rules, named, self._is_pool = line_up_of(SingleSeatEnv, game, opponents, num_players, setup, mix_opponents)
        check_seat(seat, rules.num_players)
        check_opponents(named, rules.num_players, self._is_pool)
        self._set_up(rules, reward, render_mode, renderer_of(game))
        # Agents are a higher layer, so they are imported by name, when an environment is created.
        agent_of = imported("romans_agents.specs.registry:agent_of")
        self._agents = [agent_of(one, rules.name) for one in named]
        self.opponents = [] if self._is_pool else self._agents
        self.observation_space = bounded_box(rules.observation_low, rules.observation_high)
        self.action_space = spaces.Discrete(rules.num_actions)
        self._fixed_seat = seat
        self.seat = seat or 0
        self._ended = True
        # Gymnasium creates its generator on first use; copies made before that would have different ones.
        _ = self.np_random

    # -- the Gymnasium calls

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start a game and play it to the learner's first decision.

        Args:
            seed: determines this game (deal, seat and the opponents' random choices) and, until a reset with another
                seed, later games.
            options: ``{"deal": deal}`` plays a given deal; once its outcomes are used up, chance comes from the seed.

        Returns:
            The observation, shape ``(observation_size,)``, int8, int16 or float32, and info.

        Raises:
            TypeError: if the seed is not an integer, or the options are not a dict; nothing is changed.
            ValueError: if the seed is negative, an option is unknown, or the deal does not fit the setup; nothing is
                changed.
        """
        seed, deal = as_seed(seed), checked_options(options, ("deal",)).get("deal")
        check_deal(self.rules, deal)
        super().reset(seed=seed)
        for _ in range(MOST_SKIPPED):
            self._start(deal)
            # Skip games that are over before the learner has a choice: there is nothing to learn from them.
            if deal is not None or not self.game.is_over:
                break
        if self.render_mode == "human":
            self.render()
        return self.game.observation(self.seat), self._info()

    def _start(self, deal: Any) -> None:
        """Start a game and play it to the learner's first decision, or to its end."""
        self._game = Game(self.rules, seed=int(self.np_random.integers(2**63)), deal=deal)
        players = self.rules.num_players
        self.seat = int(self.np_random.integers(players)) if self._fixed_seat is None else self._fixed_seat
        for agent in self._agents:
            agent.seed(int(self.np_random.integers(2**63)))
        if self._is_pool:
            picks = self.np_random.integers(len(self._agents), size=players - 1)
            self.opponents = [self._agents[pick] for pick in picks.tolist()]
        seated = zip(self._seats_of_opponents(), self.opponents, strict=True)
        self._game.agents = {self.rules.players[seat]: opponent.name for seat, opponent in seated}
        self._num_shown = 0
        self._ended = True
        self._play_opponents()
        self._ended = self.game.is_over

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Play the learner's action, and then the opponents' up to the learner's next decision.

        Args:
            action: an action id, also as an array with one element.

        Returns:
            The observation, shape ``(observation_size,)``, int8, int16 or float32; the reward, a float; terminated;
            truncated, always False; and info.

        Raises:
            TypeError: if the action is not an integer.
            GameOverError: if the episode is over.
            romans_env.IllegalActionError: if an opponent chooses an illegal action; the environment must be reset then.
        """
        if self._ended:
            raise GameOverError("the episode is over; call reset() to start another")
        game = self.game
        action = _as_integer(action)
        legal = game.legal_actions()
        is_illegal = action not in legal
        if is_illegal and not self._replaces_illegal:
            self._ended = True
            if self.illegal_reward == ILLEGAL_REWARD:
                warn_of_illegal_action()
            return game.observation(self.seat), self.illegal_reward, True, False, {**self._info(), "illegal_action": 1}
        if is_illegal:
            action = replacement_of(action, legal, self.rules.num_actions)
        (before,) = self._seat_states([self.seat])
        # An error of an opponent leaves the game between two decisions: until all have played, it counts as ended.
        self._ended = True
        game.act(action)
        self._play_opponents()
        self._ended = game.is_over
        (after,) = self._seat_states([self.seat])
        reward = reward_between(self.reward, before, after)
        if self.render_mode == "human":
            self.render()
        info = self._info()
        if is_illegal:
            reward, info["illegal_action"] = reward + self.illegal_reward, 1
        return game.observation(self.seat), reward, self._ended, False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the action mask: bool, shape ``(num_actions,)``; all False once the episode is over."""
        if self._ended:
            return np.zeros(self.rules.num_actions, dtype=np.bool_)
        return self.game.action_mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        """Render the learner's view of the game.

        Returns:
            Text in mode ``"ansi"``; pixels in mode ``"rgb_array"``, uint8, shape ``(height, 600, 3)``, with an even
            height that depends on the setup; None in mode ``"human"``, which shows the view.
        """
        return self._rendered(self.player)

    # Gymnasium declares an attribute.
    @property
    def spec(self) -> EnvSpec | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The spec from which ``gymnasium.make`` can create the environment again; None if it was created directly."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._spec = plain_spec(spec)

    # -- the game's own

    def legal_actions(self) -> list[int]:
        """Return the ids of the legal actions, ascending; empty once the episode is over."""
        legal = self.game.legal_actions()
        return [] if self._ended else legal

    @property
    def player(self) -> str:
        """The name of the learner's seat, such as ``player_0``."""
        return self.rules.players[self.seat]

    def clone(self) -> SingleSeatEnv:
        """Return an independent copy, the game in progress and the opponents included."""
        return copy.deepcopy(self)

    def _seats_of_opponents(self) -> list[int]:
        """Return the seats of the opponents, in seat order from the learner's left."""
        players = self.rules.num_players
        return [(self.seat + k) % players for k in range(1, players)]

    def _play_opponents(self) -> None:
        game = self.game
        while (seat := game.seat_to_act) not in (None, self.seat):
            opponent = self.opponents[(seat - self.seat) % self.rules.num_players - 1]
            try:
                game.act(opponent.act(game.view(seat)))
            except IllegalActionError as error:
                raise IllegalActionError(f"the opponent {opponent.name}: {error}") from None

    def _info(self) -> Info:
        info: Info = {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}
        if self._game is not None and self._game.is_over:
            info["points"] = self._game.points()[self.player]
            info["won"] = info["is_success"] = int(self.player in self._game.winners())
        return info


def _as_integer(action: Any) -> int:
    if isinstance(action, np.ndarray) and action.size == 1:
        action = action.item()
    try:
        if isinstance(action, (bool, np.bool_)):
            raise TypeError
        return operator.index(action)
    except TypeError:
        raise TypeError(f"an action is an integer, not {action!r}; action_id(name) returns the id of a name") from None
