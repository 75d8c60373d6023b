"""Games of Struggle for Rome between agents, and what statistics need of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from romans_agents import Agent
from romans_env import Game
from romans_env.struggle import StruggleForRome
from romans_env.struggle.actions import ACCEPT, CONQUER, LEGION, OFFER, PLUNDER
from romans_env.struggle.board import Board
from romans_env.struggle.material import NUM_PROVINCES, NUM_TRIBES, PROVINCES
from romans_env.struggle.points import CITIES_OF_AN_HEIR
from romans_training.game_statistics import played_deals

AGENTS = ("chieftain", "plunderer", "kingdom-builder", "trader")
"""Who plays, if nobody is named."""
ENDS = ("a city", "Heir to Rome", "Scourge of Rome", "the Diplomacy card", "the last round")
"""What brings the tenth point (STRUGGLE 7.1, 7.2), or else ends the game."""
_CITY, _HEIR, _SCOURGE, _DIPLOMACY, _LAST_ROUND = range(len(ENDS))


class PlayedSeat(NamedTuple):
    """What a seat did in a game.

    Attributes:
        agent: position of its agent among those that play.
        share: its share of the win.
        points: at the end (7.3).
        diplomacy: whether it holds the Diplomacy card at the end.
        scourges: its tribes with counters of all five colours.
        heir: whether each of its tribes owns at least four cities.
        plunders: cities that it plundered, by province.
        kingdoms: kingdoms that it founded, by province.
        cities: cities that it owns at the end, by province.
        cultures: cultures played.
    """

    agent: int
    share: float
    points: int
    diplomacy: bool
    scourges: int
    heir: bool
    plunders: tuple[int, ...]
    kingdoms: tuple[int, ...]
    cities: tuple[int, ...]
    cultures: int


class PlayedGame(NamedTuple):
    """A game that was played to its end.

    Attributes:
        deal: number of its deal.
        rounds: how many rounds were begun.
        decisions: how many decisions were made, by all seats.
        end: the position in ENDS.
        offers: how many offers were made.
        accepted: how many of them were accepted.
        seats: what each seat did.
    """

    deal: int
    rounds: int
    decisions: int
    end: int
    offers: int
    accepted: int
    seats: tuple[PlayedSeat, ...]


def played_games(
    agents: Sequence[str] = AGENTS,
    num_deals: int = 150,
    seed: int = 0,
    on_progress: Callable[[int], object] = lambda games: None,
    **settings: Any,
) -> list[PlayedGame]:
    """Play duplicate deals: every agent in every seat, in the same order around the table.

    Args:
        agents: three or four specs.
        num_deals: how many deals, each played once from every seat.
        seed: decides the deals and the agents' chance.
        on_progress: called with the number of finished games.
        **settings: of the game, such as ``player_trade=False``.

    Raises:
        romans_agents.UnknownAgentError: a spec that names no agent.
        ValueError: another number of agents, or settings that there are not.
    """
    rules = StruggleForRome.from_settings(len(agents), **settings)
    return played_deals(rules, agents, num_deals, seed, on_progress, partial(_played, rules.board))


def _played(board: Board, deal: int, game: Game, agents: list[Agent], order: list[int]) -> PlayedGame:
    provinces = np.array([PROVINCES.index(city.province) for city in board.cities])
    plunders, kingdoms = (np.zeros((len(agents), NUM_PROVINCES), dtype=np.int64) for _ in range(2))
    end, offers, accepted = _LAST_ROUND, 0, 0
    while (seat := game.seat_to_act) is not None:
        before = game.states[0].copy()
        action = agents[seat].act(game.view(seat))
        game.act(action)
        state = game.states[0]
        offers += int(OFFER) <= action < int(ACCEPT)
        accepted += action == ACCEPT
        if PLUNDER <= action < CONQUER:
            plunders[seat, provinces[action - PLUNDER]] += 1
        elif CONQUER <= action < LEGION:
            # Conquests are those of the tribe of the phase; a first city is a kingdom.
            kingdoms[seat, provinces[action - CONQUER]] += before.kingdom[seat, before.phase - 3] == 0
        if state.final and not before.final:
            end = _end_of(action, int(state.points[seat] - before.points[seat]))
    state = game.states[0]
    return PlayedGame(
        deal,
        int(state.round_number),
        len(game.actions),
        end,
        offers,
        accepted,
        tuple(
            _seat_of(state, board, seat, order[seat], result, plunders[seat], kingdoms[seat])
            for seat, result in enumerate(game.returns().values())
        ),
    )


def _end_of(action: int, points: int) -> int:
    if PLUNDER <= action < CONQUER:
        return _SCOURGE
    if CONQUER <= action < LEGION:
        return _HEIR if points > 1 else _CITY
    return _DIPLOMACY


def _seat_of(
    state: Any, board: Board, seat: int, agent: int, result: float, plunders: Any, kingdoms: Any
) -> PlayedSeat:
    owned = [city.province for city, owner in zip(board.cities, state.owner, strict=True) if owner == seat]
    others = state.num_players - 1.0
    return PlayedSeat(
        agent=agent,
        share=(others * result + 1.0) / (others + 1.0),
        points=int(state.points[seat]),
        diplomacy=bool(state.diplomacy == seat),
        scourges=sum(int(np.all(state.box[seat, tribe] > 0)) for tribe in range(NUM_TRIBES)),
        heir=bool(np.all(state.num_cities[seat] >= CITIES_OF_AN_HEIR)),
        plunders=tuple(plunders.tolist()),
        kingdoms=tuple(kingdoms.tolist()),
        cities=tuple(owned.count(province) for province in PROVINCES),
        cultures=int(state.played[seat, -1]),
    )
