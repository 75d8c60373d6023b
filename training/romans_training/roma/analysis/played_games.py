"""Games of Roma between two agents, and what statistics need of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from romans_agents import Agent
from romans_env import Game
from romans_env.roma import Roma
from romans_env.roma.actions import LAY, THROW
from romans_env.roma.material import NUM_DISCS
from romans_env.roma.moving import moves_cards
from romans_training.game_statistics import played_deals

ENDS = ("a seat has no points", "the stock is empty", "turn 200 is over")
"""How a game ends (ROMA 7.1, 7.2); where two hold, the first."""


class PlayedGame(NamedTuple):
    """A game that was played to its end.

    Attributes:
        deal: number of its deal.
        returns: of `player_0` and `player_1`: +1 for the winner, -1 for the loser, 0 for both if they share the win.
        turns: how many turns were begun.
        decisions: how many decisions were made, by both seats, the opening included.
        end: the position in ENDS.
        lays: (seat, kind of card, disc from 0) of every card laid in the opening or from a hand, in order.
    """

    deal: int
    returns: tuple[float, float]
    turns: int
    decisions: int
    end: int
    lays: tuple[tuple[int, int, int], ...]


def played_games(
    agent: str = "expectimax",
    num_deals: int = 1500,
    seed: int = 0,
    on_progress: Callable[[int], object] = lambda games: None,
) -> list[PlayedGame]:
    """Play an agent against itself on duplicate deals: two players with chance of their own, who change seats.

    Args:
        agent: its spec.
        num_deals: how many deals, each played twice.
        seed: decides the deals and the agents' chance.
        on_progress: called with the number of finished games.

    Raises:
        romans_agents.UnknownAgentError: a spec that names no agent.
    """
    return played_deals(Roma(), [agent, agent], num_deals, seed, on_progress, _played)


def _played(deal: int, game: Game, agents: list[Agent], order: list[int]) -> PlayedGame:
    lays = []
    while (seat := game.seat_to_act) is not None:
        action = agents[seat].act(game.view(seat))
        if LAY <= action < THROW and not moves_cards(game.states[0].effect):
            kind, disc = divmod(action - int(LAY), NUM_DISCS)
            lays.append((seat, kind, disc))
        game.act(action)
    state = game.states[0]
    end = 0 if 0 in state.points else 1 if state.stock == 0 else 2
    first, second = game.returns().values()
    return PlayedGame(deal, (first, second), int(state.turn), len(game.actions), end, tuple(lays))
