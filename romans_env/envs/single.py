"""The Gymnasium environment: one seat for the learner, agents on the others."""

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
    """A game as a Gymnasium environment, seen from one seat.

    A step plays the learner's action and lets the others play on to its next decision; the reward is all that the seat
    accrued until then, so that it includes a game that is lost on another's turn. The observation is flat; the
    action mask is in ``info["action_mask"]`` and comes from ``action_masks()``; ``info["seat"]`` is the learner's seat.
    At the end ``info["points"]`` are its points, and ``info["won"]`` and ``info["is_success"]`` 1 where it won: the
    latter is what stable-baselines3 logs as ``rollout/success_rate``. Copies carry the game in progress. Threads may
    have an environment each; those that share one need a lock of their own, as with a `Game`.

    Args:
        opponents: an agent spec or an agent for each other seat, from the learner's left on; or, with
            ``mix_opponents``, a pool from which every opponent of every game is sampled. None: the game's
            `default_pool <romans_env.core.games.GameSpec>`, from weak to strong.
        seat: the learner's seat, or None for a random one each game.
        reward: ``"win"`` (the return of the game, at its end), ``"points"`` (the seat's points as they come), or a
            function of (before, after), each a `romans_env.envs.rewards.SeatState`: the seat at its decision and at its
            next one, or at the end. What it returns is the reward.
        mix_opponents: sample the opponents from ``opponents``; give ``num_players`` with it.
        num_players: players of the game, the learner included; None: one more than ``opponents``.
        illegal_actions: what an illegal action does. ``"end"``: it ends the episode. ``"replace"``: a legal action is
            played in its place, the same for the same action mask, for learners that do not use the masks. Both set
            ``info["illegal_action"]`` to 1.
        illegal_reward: the reward of an illegal action; where it is replaced, that of the action in its place is added.
            None: -1 where it ends the episode, which equals a lost game, so that a learner without the masks hardly
            sees another reward; and 0 where it is replaced, as a cost may teach to end games early
            (docs/environments/interfaces.md has figures).
        render_mode: ``"ansi"`` (``render()`` returns text), ``"rgb_array"`` (pixels), ``"human"`` (every step is shown
            in a window, or printed where there is no screen) or None.
        game: name of the game.
        setup: the game's settings, as for its ``env``.

    Raises:
        TypeError: an opponent that is neither an agent spec nor an agent.
        ValueError: settings that the game does not have, a wrong number of opponents, a wrong seat, reward, render
            mode, ``illegal_actions`` or ``illegal_reward``.
        romans_agents.UnknownAgentError: an agent spec that names no agent.
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
        # Agents are a layer above: named by a string, and looked up when an environment is made.
        agent_of = imported("romans_agents.specs.registry:agent_of")
        self._agents = [agent_of(one, rules.name) for one in named]
        self.opponents = [] if self._is_pool else self._agents
        self.observation_space = bounded_box(rules.observation_low, rules.observation_high)
        self.action_space = spaces.Discrete(rules.num_actions)
        self._fixed_seat = seat
        self.seat = seat or 0
        self._ended = True
        # Gymnasium draws its generator when it is first used; copies made before would go their own ways.
        _ = self.np_random

    # -- the Gymnasium calls

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start a game and play it to the learner's first decision.

        Args:
            seed: decides this game and, until the next seed, those of later resets: deal, seat and opponents' chance.
            options: ``{"deal": deal}`` plays a given deal; where it ends, the chance of the seed goes on.

        Raises:
            TypeError: the seed is not an integer, or the options are not a dict; the game in progress goes on.
            ValueError: a negative seed, an unknown option, or a deal that does not fit the setup; likewise.
        """
        seed, deal = as_seed(seed), checked_options(options, ("deal",)).get("deal")
        check_deal(self.rules, deal)
        super().reset(seed=seed)
        for _ in range(MOST_SKIPPED):
            self._start(deal)
            # Of a game that is over before the learner has a choice, it could learn nothing.
            if deal is not None or not self.game.is_over:
                break
        if self.render_mode == "human":
            self.render()
        return self.game.observation(self.seat), self._info()

    def _start(self, deal: Any) -> None:
        """Start a game and play it to the learner's first decision, or its end."""
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
        # Until the opponents have played, too: after an error of theirs the game must be started anew.
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
        """Return which actions are legal now: bool, shape (number of actions,); all False after the end."""
        if self._ended:
            return np.zeros(self.rules.num_actions, dtype=np.bool_)
        return self.game.action_mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        """Render the learner's view: text in mode ``"ansi"``, pixels in ``"rgb_array"``; in ``"human"`` it is shown.

        Pixels are uint8, shape (height, 600, 3), as high as the setup's seats need; the height is even.
        """
        return self._rendered(self.player)

    # Gymnasium declares an attribute.
    @property
    def spec(self) -> EnvSpec | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What ``gymnasium.make`` makes the environment from again; None where it was not made so."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._spec = plain_spec(spec)

    # -- the game's own

    def legal_actions(self) -> list[int]:
        """Return the ids of the legal actions, ascending; none after the end of the episode."""
        legal = self.game.legal_actions()
        return [] if self._ended else legal

    @property
    def player(self) -> str:
        """The learner's name in this game, ``player_0`` and so on."""
        return self.rules.players[self.seat]

    def clone(self) -> SingleSeatEnv:
        """Return an independent copy, the game in progress and the opponents included."""
        return copy.deepcopy(self)

    def _seats_of_opponents(self) -> list[int]:
        """Return the seats of the opponents, in their order: the first one sits after the learner."""
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
        raise TypeError(f"an action is an integer, not {action!r}; action_id(name) gives that of a name") from None
