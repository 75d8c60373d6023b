"""The messages between client and server: actions, observations and states as OpenEnv's types."""

from __future__ import annotations

from typing import Annotated

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

Name = Annotated[str, Field(max_length=200)]


class RomansAction(Action):
    """Either the name of a legal action or, in Romans Go Home!, a plan for a whole round.

    Attributes:
        action: name of a legal action, as listed in the observation.
        set_aside: in a plan, the warrior to set aside, such as ``axx``; left out if one has been set aside already.
        line: in a plan, the warriors to place face-down, from the next free slot on.

    Raises:
        pydantic.ValidationError: if neither or both are given.
    """

    action: Name | None = Field(None, description="name of a legal action, as listed in the observation")
    set_aside: Name | None = Field(None, description="in a plan: the warrior to set aside, such as axx")
    line: list[Name] | None = Field(
        None, max_length=50, description="in a plan: the warriors to place face-down, from the next free slot on"
    )

    @model_validator(mode="after")
    def _is_one_of_two(self) -> RomansAction:
        is_plan = self.line is not None
        if (self.action is None) != is_plan or (self.set_aside is not None and not is_plan):
            # A ValueError would become part of the server's JSON answer, which cannot contain an exception.
            raise PydanticCustomError(
                "action_or_plan", "give either action, the name of a legal action, or a plan: line, with set_aside"
            )
        return self


class RomansObservation(Observation):
    """The observation of the seat; ``reward`` is None until the game is over (``done``).

    Attributes:
        text: the events since the last observation, the seat's view of the position, and its legal actions; or the
            reason why the action cannot be played.
        legal_actions: names of the legal actions.
    """

    text: str = Field("", description="the events, the position and the decision, as the seat may know them")
    legal_actions: list[str] = Field(default_factory=list, description="names of the legal actions")


class RomansState(State):
    """The public state of a session: it reveals no cards and no seed.

    Attributes:
        game: name of the game.
        num_refused: number of actions in this game that could not be played.
    """

    game: str = Field("", description="name of the game")
    num_refused: int = Field(0, description="number of actions in this game that could not be played")
