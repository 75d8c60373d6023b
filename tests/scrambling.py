"""Change all that a seat cannot know, in plain Python and independently of the engine's own hiding and re-dealing.

What a seat cannot know (RULES 2.3, 3.1): the forts and cards of later rounds; of every other player the hand, the
hidden line and the warrior set aside, this round and in past rounds; a neutral's hidden line. What was revealed stays.
"""

from __future__ import annotations

from typing import Any

from romans_env import Game
from romans_env.romans_go_home.actions import DISCARD, PLACE, REORDER
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, PHASE_ZVORD
from tests.tools import Lcg

NINE = (0, 1, 2, 3, 4, 5, 6, 7, 7)
"""A clan's warriors, by kind."""


def scrambled(game: Game, viewer: int, lcg: Lcg) -> Game:
    """Another game that the viewer cannot tell from this one. (The history that it carries is this game's.)"""
    while True:
        other = game.clone()
        scramble(other._states[0], viewer, lcg)
        # Where another seat decides with its hidden cards, it can choose (RULES 4.14), and everybody sees that.
        legal = int(other._states["legal"][0])
        if legal == 0 or legal & (legal - 1):
            return other


def scramble(state: Any, viewer: int, lcg: Lcg) -> None:
    """Scramble one record in place."""
    now, turn = int(state.round_index), int(state.turn)
    first = 6 * (now + 1)
    state.fort_order[first:] = lcg.shuffled(state.fort_order[first:].tolist())
    for seat in range(state.num_clans):
        is_player = seat < state.num_players
        for later in range(now + 1, 3):
            size = 7 if is_player else 6
            state.dealt[later, seat, :size] = lcg.shuffled(NINE)[:size]
        if not is_player:
            unseen = unseen_cards(state, seat, lcg)
            for slot in range(turn, 6):
                state.line[seat, slot] = state.dealt[now, seat, slot] = unseen.pop()
        elif seat != viewer:
            for past in range(now):
                scramble_past(state, past, seat, lcg)
            scramble_player(state, seat, lcg)
    if state.seat != viewer:
        follow_hand(state)


def unseen_cards(state: Any, seat: int, lcg: Lcg) -> list[int]:
    """The warriors that a clan has not shown this round, in random order."""
    left = list(NINE)
    for kind, count in enumerate(state.shown[seat].tolist()):
        for _ in range(count):
            left.remove(kind)
    return lcg.shuffled(left)


def scramble_past(state: Any, past: int, seat: int, lcg: Lcg) -> None:
    """Of a past round the six that were revealed stay, the seventh is any of the other three."""
    revealed = state.dealt[past, seat].tolist()
    revealed.remove(int(state.set_aside[past, seat]))
    left = list(NINE)
    for card in revealed:
        left.remove(card)
    seventh = lcg.pick(left)
    state.set_aside[past, seat] = seventh
    state.dealt[past, seat] = lcg.shuffled([*revealed, seventh])


def scramble_player(state: Any, seat: int, lcg: Lcg) -> None:
    """Another player's cards of this round: as many of each sort as before."""
    unseen = unseen_cards(state, seat, lcg)
    hand_size = int(state.hand[seat].sum())
    state.hand[seat] = 0
    drawn = [unseen.pop() for _ in range(hand_size)]
    for card in drawn:
        state.hand[seat, card] += 1
    for slot in range(int(state.turn), 6):
        if state.line[seat, slot] >= 0:
            state.line[seat, slot] = unseen.pop()
            drawn.append(int(state.line[seat, slot]))
    if state.set_aside[state.round_index, seat] >= 0:
        state.set_aside[state.round_index, seat] = unseen.pop()
        drawn.append(int(state.set_aside[state.round_index, seat]))
    for kind, count in enumerate(state.shown[seat].tolist()):
        drawn += [kind] * count
    state.dealt[state.round_index, seat] = lcg.shuffled(drawn)


def follow_hand(state: Any) -> None:
    """The legal actions of a seat that plans or reorders follow from its hand; all others are public."""
    first = {PHASE_DISCARD: DISCARD, PHASE_PLACE: PLACE, PHASE_ZVORD: REORDER}.get(int(state.phase))
    if first is not None:
        hand = state.hand[state.seat].tolist()
        state.legal = sum(1 << (first + kind) for kind, count in enumerate(hand) if count)
