"""A seat of a game as an environment of OpenEnv, over `romans_agents.external.text_env.TextEnv`."""

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
"""Settings of a setup that can name a file: no client may give them."""


class Settings(BaseModel):
    """What a server plays where a client does not say; arguments as of `romans_agents.external.text_env.TextEnv`.

    Attributes:
        game: the name of the game.
        against: agent specs, from the seat's left on. They may load code: a server's settings are its owner's.
        setup: settings of the setup.
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
    """A session: one game at a time, of one seat against agents.

    Args:
        settings: what is played where `reset` does not say; None: the first game, against its usual opponent.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, settings: Settings | None = None):
        super().__init__()
        self._settings = settings or Settings()
        self._env: TextEnv | None = None
        self._made_of: tuple[Any, ...] | None = None
        self._state = RomansState(game=self._settings.game)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **start: Any) -> RomansObservation:
        """Start a game, and play it on to the first decision of the seat.

        Args:
            seed: decides all chance, an integer >= 0; None for fresh chance.
            episode_id: of the state; None for one that is drawn.
            start: ``seat``, from 0, or None for one that the seed decides; ``game``, the name of a game; ``against``,
                names of agents of the game, from the seat's left on, without options; ``setup``, settings of the game's
                setup, which go before the server's; ``reward``, as of `romans_agents.external.text_env.TextEnv`. What
                is not given is the server's, whatever was given before.

        Raises:
            ValueError: arguments that do not exist, or that cannot be; the game before goes on.
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
            timeout_s: not looked at.
            other: not looked at.

        Raises:
            ValueError: there is no game yet, or it has no plans.
        """
        env = self._env
        if env is None:
            raise ValueError("there is no game yet: reset starts one, and a session goes on over /ws alone")
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
        """The number of steps, and what else is no secret."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What the environment is."""
        return EnvironmentMetadata(
            name="romans",
            description="Seats of Romans Go Home!, Roma and Struggle for Rome, in words",
            version=romans_env.__version__,
        )

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The legal actions, as buttons of OpenEnv's page."""
        return [(name, {"action": name}) for name in observation.get("legal_actions", [])]

    def _observed(self, env: TextEnv, text: str) -> RomansObservation:
        is_over = env.is_over
        reward = env.get_reward() if is_over else None
        return RomansObservation(text=text, legal_actions=env.legal_actions, done=is_over, reward=reward)


def text_env(settings: Settings, asked: _Start | None = None) -> TextEnv:
    """The text environment of a server's settings, and of what a client asked for, which may load nothing.

    Raises:
        ValueError: as of `romans_agents.external.text_env.TextEnv`; opponents that are not names of agents, and
            settings that are the server's alone.
    """
    asked = asked or _Start()
    game = asked.game or settings.game
    own = settings if game == settings.game else Settings(game=game, reward=settings.reward)
    forbidden = _OF_THE_SERVER.intersection(asked.setup or ())
    if forbidden:
        raise ValueError(f"setup: {forbidden.pop()} is a setting of the server alone")
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
    """Refuse specs with options: they may name files, or ask for hours of search."""
    known = [agent.name for agent in describe_agents(game) if not agent.needed]
    for spec in specs:
        if spec not in known:
            raise ValueError(
                f"against: no agent is named {shortened(spec)}; name one without options: {', '.join(known)}"
            )
