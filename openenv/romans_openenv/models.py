"""What goes over the wire: actions, observations and states, as OpenEnv's types."""

from __future__ import annotations

from typing import Annotated

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

Name = Annotated[str, Field(max_length=200)]


class RomansAction(Action):
    """A legal action by its name, or a whole plan of a round of Romans Go Home!; one of the two.

    Attributes:
        action: the name of a legal action, as the observation lists it.
        set_aside: of a plan, the warrior that is set aside, such as ``axx``; left out where one has been set aside.
        line: of a plan, the warriors that are laid face-down, from the next free slot on.

    Raises:
        pydantic.ValidationError: neither of the two, or both.
    """

    action: Name | None = Field(None, description="name of a legal action, as the observation lists it")
    set_aside: Name | None = Field(None, description="of a plan: the warrior that is set aside, such as axx")
    line: list[Name] | None = Field(
        None, max_length=50, description="of a plan: the warriors that are laid face-down, from the next free slot on"
    )

    @model_validator(mode="after")
    def _is_one_of_two(self) -> RomansAction:
        is_plan = self.line is not None
        if (self.action is None) != is_plan or (self.set_aside is not None and not is_plan):
            # A ValueError would be quoted in what the server answers, which is JSON, and an exception is not.
            raise PydanticCustomError(
                "action_or_plan", "give either action, the name of a legal action, or a plan: line, with set_aside"
            )
        return self


class RomansObservation(Observation):
    """What the seat is told; ``reward`` is there when the game is over, which ``done`` says.

    Attributes:
        text: what happened since the last observation, the position as the seat may know it, and its legal actions; or
            why the action cannot be played.
        legal_actions: the names that ``action`` takes now.
    """

    text: str = Field("", description="what happened, the position and the decision, as the seat may know them")
    legal_actions: list[str] = Field(default_factory=list, description="names of the legal actions")


class RomansState(State):
    """What may be known of a session without playing: nothing of the cards, and no seed.

    Attributes:
        game: the name of the game.
        num_refused: actions of this game that could not be played.
    """

    game: str = Field("", description="name of the game")
    num_refused: int = Field(0, description="actions of this game that could not be played")
