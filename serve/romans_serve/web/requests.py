"""The JSON bodies of requests; unknown keys are refused."""

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
    """A seat of a new game, played by an agent, a person in this browser, or a person with a private link."""

    agent: Spec | None = Field(None, description="agent spec; null for a person")
    name: Annotated[str, Field(max_length=LONGEST_NAME)] | None = Field(None, description="display name of a person")
    here: bool = Field(
        True, description="whether the person plays in this browser; otherwise the answer has a private link for them"
    )


class CreateBody(_Body):
    """A request to create a new game."""

    game: Annotated[str, Field(max_length=512)] = Field(description="name of the game, from the offers")
    setup: Annotated[str, Field(max_length=64)] = Field(description="name of one of the game's setups")
    fields: dict[Annotated[str, Field(max_length=64)], Any] = Field(
        default_factory=dict,
        max_length=16,
        description="values of the settings that are offered separately from the setup",
    )
    seats: Annotated[list[SeatBody], Field(min_length=1, max_length=16)] = Field(description="the player of each seat")
    is_open: bool = Field(True, description="whether the game is listed and anyone may watch it")
    pace: float | None = Field(
        None,
        description="seconds between decisions of agents: 0, 0.3, 1 or 3; -1 pauses them; null: 0 with people, else 1",
    )


class AgainBody(_Body):
    """A request to create a game with the setup and seats of another game."""

    is_stronger: bool = Field(
        False, description="whether to replace agents by agents of the next level, where there are any"
    )


class JoinBody(_Body):
    """A request to take a seat with the token of a private link."""

    token: Token


class ActBody(_Body):
    """A request to play an action, or a plan of several actions."""

    seat: SeatNumber
    move: Move = Field(description="number of the decision that the first action answers, from the view")
    plan: Annotated[str, Field(min_length=1, max_length=4000)] = Field(
        description="names of actions, as in records, separated by spaces"
    )


class MoveBody(_Body):
    """A request about a seat's current decision."""

    seat: SeatNumber
    move: Move


class HintBody(MoveBody):
    """A request for a hint."""

    agent: Spec | None = Field(None, description="agent spec; null for the game's default adviser")


class PaceBody(_Body):
    """A request to change the pace of agents: seconds between their decisions, or -1 to pause them."""

    pace: float


class PuzzleBody(_Body):
    """A request for a game that begins before a mistake in a finished game."""

    action: Move = Field(description="number of actions before the mistake, from the review")
