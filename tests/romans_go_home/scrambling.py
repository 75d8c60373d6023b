"""Change all that a seat cannot know, in plain Python, independently of the engine's redaction and determinization.

What a seat cannot know (RULES 2.3, 3.1): the forts and cards of later rounds; of every other player the hand, the
hidden line and the warrior set aside, this round and in past rounds; a neutral's hidden line. What was revealed stays.
"""

from typing import Any

from romans_env import Game
from romans_env.romans_go_home.actions import DISCARD, PLACE, REORDER
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, PHASE_ZVORD
from tests.tools import Lcg


def clan_of(state: Any) -> list[int]:
    """A clan's warriors, by kind."""
    return [kind for kind, copies in enumerate(state.warriors.tolist()) for _ in range(copies)]


def scrambled(game: Game, viewer: int, lcg: Lcg) -> Game:
    """Another game that the viewer cannot tell from this one. (The history that it carries is this game's.)"""
    while True:
        other = game.clone()
        scramble(other.states[0], viewer, lcg)
        # Where another seat decides with its hidden cards, it can choose (RULES 4.14), and everybody sees that.
        legal = int(other.states["legal"][0])
        if legal == 0 or legal & (legal - 1):
            return other


def scramble(state: Any, viewer: int, lcg: Lcg) -> None:
    """Scramble one record in place."""
    now, turn = int(state.round_index), int(state.turn)
    size, num_rounds = int(state.line_size), int(state.num_rounds)
    later_forts = slice(size * (now + 1), size * num_rounds)
    state.fort_order[later_forts] = lcg.shuffled(state.fort_order[later_forts].tolist())
    for seat in range(state.num_clans):
        is_player = seat < state.num_players
        for later in range(now + 1, num_rounds):
            drawn = size + is_player
            state.dealt[later, seat, :drawn] = lcg.shuffled(clan_of(state))[:drawn]
        if not is_player:
            unseen = unseen_cards(state, seat, lcg)
            for slot in range(turn, size):
                state.line[seat, slot] = state.dealt[now, seat, slot] = unseen.pop()
        elif seat != viewer:
            for past in range(now):
                scramble_past(state, past, seat, lcg)
            scramble_player(state, seat, lcg)
    if state.seat != viewer:
        follow_hand(state)


def unseen_cards(state: Any, seat: int, lcg: Lcg) -> list[int]:
    """The warriors that a clan has not shown this round, in random order."""
    left = clan_of(state)
    for kind, count in enumerate(state.shown[seat].tolist()):
        for _ in range(count):
            left.remove(kind)
    return lcg.shuffled(left)


def scramble_past(state: Any, past: int, seat: int, lcg: Lcg) -> None:
    """Of a past round the six that were revealed stay, the seventh is any of the other three."""
    drawn = int(state.line_size) + 1
    revealed = state.dealt[past, seat, :drawn].tolist()
    revealed.remove(int(state.set_aside[past, seat]))
    left = clan_of(state)
    for card in revealed:
        left.remove(card)
    seventh = lcg.pick(left)
    state.set_aside[past, seat] = seventh
    state.dealt[past, seat, :drawn] = lcg.shuffled([*revealed, seventh])


def scramble_player(state: Any, seat: int, lcg: Lcg) -> None:
    """Another player's cards of this round: as many of each sort as before."""
    unseen = unseen_cards(state, seat, lcg)
    hand_size = int(state.hand[seat].sum())
    state.hand[seat] = 0
    drawn = [unseen.pop() for _ in range(hand_size)]
    for card in drawn:
        state.hand[seat, card] += 1
    for slot in range(int(state.turn), int(state.line_size)):
        if state.line[seat, slot] >= 0:
            state.line[seat, slot] = unseen.pop()
            drawn.append(int(state.line[seat, slot]))
    if state.set_aside[state.round_index, seat] >= 0:
        state.set_aside[state.round_index, seat] = unseen.pop()
        drawn.append(int(state.set_aside[state.round_index, seat]))
    for kind, count in enumerate(state.shown[seat].tolist()):
        drawn += [kind] * count
    state.dealt[state.round_index, seat, : len(drawn)] = lcg.shuffled(drawn)


def follow_hand(state: Any) -> None:
    """The legal actions of a seat that plans or reorders follow from its hand; all others are public."""
    first = {PHASE_DISCARD: DISCARD, PHASE_PLACE: PLACE, PHASE_ZVORD: REORDER}.get(int(state.phase))
    if first is not None:
        hand = state.hand[state.seat].tolist()
        state.legal = sum(1 << (first + kind) for kind, count in enumerate(hand) if count)
