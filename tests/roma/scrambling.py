"""Change all that a seat cannot know, in plain Python and independently of the engine's own hiding and sampling.

What a seat cannot know (ROMA 9.1): the rival's hidden cards, except for those in `known`, and what the pile holds.
"""

from collections import Counter
from typing import Any

from romans_env import Game
from romans_env.compiling.decorators import cached_jit
from romans_env.roma.actions import has_choice
from romans_env.roma.game_flow import open_decision
from romans_env.roma.material import CARDS
from tests.roma.invariants import hidden_cards
from tests.roma.stages import PLAYERS, Lcg
from tests.tools import fill


def scrambled(game: Game, viewer: int, lcg: Lcg) -> Game:
    """Another game that the viewer cannot tell from this one. (The history that it carries is this game's.)"""
    while True:
        other = game.clone()
        scramble(other.states[0], game.position(), viewer, lcg)
        if game.seat_to_act in (None, viewer):
            return other
        # Where the rival decides with its hidden cards, it can choose (ROMA 2.4), and everybody sees that.
        if decides(other.states, 0):
            return other


@cached_jit
def decides(states, i):
    """Whether who is asked has a choice."""
    open_decision(states[i])
    return has_choice(states[i])


def scramble(state: Any, position: dict[str, Any], viewer: int, lcg: Lcg) -> None:
    """Scramble one record in place."""
    rival = PLAYERS[1 - viewer]
    one = position["players"][rival]
    hidden = hidden_cards(position, rival)
    known = Counter(one["known"])
    pool = lcg.shuffled(sorted((hidden - known + Counter(position["pile"])).elements()))
    num_drawn = sum(hidden.values()) - sum(known.values())
    cards = lcg.shuffled([*sorted(known.elements()), *pool[:num_drawn]])
    fill(state.pile, CARDS, pool[num_drawn:])
    fill(state.hand[1 - viewer], CARDS, [cards.pop() for _ in range(one["hand_size"])])
    for disc in one["face_down"]:
        state.discs[1 - viewer, disc - 1] = CARDS.index(cards.pop())
    if cards:
        fill(state.aside[1 - viewer], CARDS, cards)
