"""The bodies of requests. Whatever else they hold is refused."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from romans_serve.games.service import LONGEST_NAME

SeatNumber = Annotated[int, Field(ge=0, le=15, strict=True)]
Move = Annotated[int, Field(ge=0, le=10**6, strict=True)]
Spec = Annotated[str, Field(min_length=1, max_length=200)]
Token = Annotated[str, Field(min_length=1, max_length=64)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SeatBody(_Body):
    """A seat of a new game: an agent, a person in this browser, or a person who is sent a private link."""

    agent: Spec | None = Field(None, description="agent spec; null for a person")
    name: Annotated[str, Field(max_length=LONGEST_NAME)] | None = Field(None, description="what a person is called")
    here: bool = Field(True, description="whether the person plays in this browser; else a private link is made")


class CreateBody(_Body):
    """A new game."""

    game: Annotated[str, Field(max_length=512)] = Field(description="name of the game, as the offers have it")
    setup: Annotated[str, Field(max_length=64)] = Field(description="name of one of its setups")
    fields: dict[Annotated[str, Field(max_length=64)], Any] = Field(
        default_factory=dict, max_length=16, description="values of the settings offered beside the setup"
    )
    seats: Annotated[list[SeatBody], Field(min_length=1, max_length=16)] = Field(description="who plays, by seat")
    is_open: bool = Field(True, description="whether the game is listed, and everybody may watch")
    pace: float | None = Field(
        None, description="seconds between decisions of agents: 0, 0.3, 1 or 3; -1: they wait; null: as suits the game"
    )


class AgainBody(_Body):
    """A game like another one."""

    is_stronger: bool = Field(False, description="whether agents are of the next level, where there is one")


class JoinBody(_Body):
    """The token of a private link."""

    token: Token


class ActBody(_Body):
    """An action, or a plan of several."""

    seat: SeatNumber
    move: Move = Field(description="number of the decision that the first action answers, as the view has it")
    plan: Annotated[str, Field(min_length=1, max_length=4000)] = Field(
        description="names of actions, as records have them, with spaces between"
    )


class MoveBody(_Body):
    """A decision of a seat."""

    seat: SeatNumber
    move: Move


class HintBody(MoveBody):
    """A request for a hint."""

    agent: Spec | None = Field(None, description="agent spec; null for the game's usual one")


class PaceBody(_Body):
    """Seconds between decisions of agents."""

    pace: float
