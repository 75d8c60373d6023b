"""A seat of a game as an OpenEnv environment, built on `romans_agents.external.text_env.TextEnv`."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import romans_env
from romans_agents.external.text_env import TextEnv, make_text_env
from romans_agents.permission import allowing
from romans_agents.specs.listing import describe_agents
from romans_env.core.games import DEFAULT_GAME
from romans_env.errors import shortened
from romans_openenv.models import RomansAction, RomansObservation, RomansState

_OF_THE_SERVER = {"board"}
"""Settings of setups that can name a file, so that clients may not set them."""


class Settings(BaseModel):
    """The defaults that a server uses when a client leaves something out.

    They have the same meaning as the arguments of `romans_agents.external.text_env.TextEnv`.

    Attributes:
        game: name of the game.
        against: agent specs of the opponents, starting on the seat's left. Since the owner of the server sets them,
            they may load code.
        setup: settings of the game's setup.
        reward: ``"win"``, ``"points"`` or ``"aivat"``.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = DEFAULT_GAME
    against: str | list[str] | None = None
    setup: dict[str, Any] = Field(default_factory=dict)
    reward: str = "win"


class _Start(BaseModel):
    """The arguments of a reset."""

    model_config = ConfigDict(extra="forbid", strict=True)

    seed: Annotated[int, Field(ge=0)] | None = None
    episode_id: Annotated[str, Field(max_length=255)] | None = None
    seat: int | None = None
    game: str | None = None
    against: str | list[str] | None = None
    setup: dict[str, Any] | None = None
    reward: str | None = None


class RomansEnvironment(Environment[RomansAction, RomansObservation, RomansState]):
    """A session: one seat plays one game at a time against agents.

    Args:
        settings: defaults for the arguments of `reset`; None for the default game against its default opponent.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, settings: Settings | None = None):
        super().__init__()
        self._settings = settings or Settings()
        self._env: TextEnv | None = None
        self._made_of: tuple[Any, ...] | None = None
        self._state = RomansState(game=self._settings.game)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **start: Any) -> RomansObservation:
        """Start a game, and play to the first decision of the seat.

        Args:
            seed: seed of all chance, an integer >= 0; None for a fresh one.
            episode_id: id for the state; None for a random one.
            start: any of ``seat`` (from 0; by default drawn from the seed), ``game`` (its name), ``against`` (names of
                agents of the game without options, starting on the seat's left), ``setup`` (settings that override
                those of the server's setup) and ``reward`` (as in `romans_agents.external.text_env.TextEnv`). What is
                left out is taken from the server's settings, not from the previous reset.

        Raises:
            ValueError: if an argument is unknown or invalid; the previous game then continues.
        """
        try:
            asked = _Start.model_validate({"seed": seed, "episode_id": episode_id, **start})
        except ValidationError as error:
            first = error.errors()[0]
            raise ValueError(f"reset: {first['loc'][0]}: {first['msg']}") from None
        made_of = (asked.game, asked.against, asked.setup, asked.reward)
        env = self._env if self._env is not None and made_of == self._made_of else text_env(self._settings, asked)
        text = env.reset(asked.seed, asked.seat)
        self._env, self._made_of = env, made_of
        self._state = RomansState(episode_id=asked.episode_id or str(uuid4()), game=asked.game or self._settings.game)
        return self._observed(env, text)

    def step(self, action: RomansAction, timeout_s: float | None = None, **other: Any) -> RomansObservation:
        """Play an action or a plan. What cannot be played changes nothing, and the text says why.

        Args:
            action: the action or the plan.
            timeout_s: ignored.
            other: ignored.

        Raises:
            ValueError: if no game has been started, or a plan is given in a game without plans.
        """
        env = self._env
        if env is None:
            raise ValueError("there is no game yet: start one with reset, in a session over /ws")
        if action.action is not None:
            text = env.choose(action.action)
        elif (plan := getattr(env, "plan", None)) is not None:
            text = plan(action.set_aside or "", action.line)
        else:
            raise ValueError(f"{env.title} has no plans: give action, the name of a legal action")
        self._state.step_count += 1
        self._state.num_refused = env.num_refused
        return self._observed(env, text)

    @property
    def state(self) -> RomansState:
        """The public state of the session, such as the number of steps."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Return the name, description and version of the environment."""
        return EnvironmentMetadata(
            name="romans",
            description="Play a seat of Romans Go Home!, Roma or Struggle for Rome, in text",
            version=romans_env.__version__,
        )

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """Return the legal actions as buttons for OpenEnv's page."""
        return [(name, {"action": name}) for name in observation.get("legal_actions", [])]

    def _observed(self, env: TextEnv, text: str) -> RomansObservation:
        is_over = env.is_over
        reward = env.get_reward() if is_over else None
        return RomansObservation(text=text, legal_actions=env.legal_actions, done=is_over, reward=reward)


def text_env(settings: Settings, asked: _Start | None = None) -> TextEnv:
    """Return the text environment for a client's request, with a server's settings as defaults.

    The agents that a client names may not load files.

    Raises:
        ValueError: if an opponent is not the name of an agent, or a setting may not be set by clients; also raises the
            errors of `romans_agents.external.text_env.TextEnv`.
    """
    asked = asked or _Start()
    game = asked.game or settings.game
    own = settings if game == settings.game else Settings(game=game, reward=settings.reward)
    forbidden = _OF_THE_SERVER.intersection(asked.setup or ())
    if forbidden:
        raise ValueError(f"setup: {forbidden.pop()} can be set only by the server")
    if asked.against is not None:
        _check_names([asked.against] if isinstance(asked.against, str) else asked.against, game)
    with allowing("code" if asked.against is None else "none"):
        return make_text_env(
            game,
            against=own.against if asked.against is None else asked.against,
            setup={**own.setup, **(asked.setup or {})},
            reward=own.reward if asked.reward is None else asked.reward,
        )


def _check_names(specs: list[str], game: str) -> None:
    """Refuse agent specs with options, which could name files or request hours of search."""
    known = [agent.name for agent in describe_agents(game) if not agent.needed]
    for spec in specs:
        if spec not in known:
            raise ValueError(
                f"against: no agent is named {shortened(spec)}; name one without options: {', '.join(known)}"
            )
