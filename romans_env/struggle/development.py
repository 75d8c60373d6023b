"""Playing development cards (STRUGGLE 6); further effects of a diplomacy card are in `points` and `legionnaire`."""

from __future__ import annotations

from romans_env.compiling.decorators import inlined
from romans_env.struggle.general import enlist, tribe_of_turn
from romans_env.struggle.material import GREAT_WARRIOR, TRAITOR, TREASURE
from romans_env.struggle.state import State

GOLD_OF_TREASURE = 7


@inlined
def may_play(state: State, kind):
    """Return whether the player has a card of a kind and has played none in this turn (STRUGGLE 5)."""
    return (state.development[state.active, kind] > 0) & (state.card_played == 0)


@inlined
def put_on_table(state: State, seat, kind):
    """Move a development card from a seat's hand to its played cards."""
    state.development[seat, kind] -= 1
    state.development_size[seat] -= 1
    state.played[seat, kind] += 1


@inlined
def play_card(state: State, kind):
    """Play a development card; a player may play one in a turn."""
    put_on_table(state, state.active, kind)
    state.card_played = 1


@inlined
def play_treasure(state: State):
    """Play a treasure, which brings the player 7 gold (STRUGGLE 6.3)."""
    play_card(state, TREASURE)
    state.gold[state.active] += GOLD_OF_TREASURE


@inlined
def may_play_great_warrior(state: State):
    """Return whether the player may play a great warrior: the tribe needs a figure in the reserve (STRUGGLE 6.4)."""
    return may_play(state, GREAT_WARRIOR) & (state.reserve[state.active, tribe_of_turn(state)] > 0)


@inlined
def play_great_warrior(state: State):
    """Play a great warrior: a figure of the tribe's kind goes into its box (STRUGGLE 6.4)."""
    play_card(state, GREAT_WARRIOR)
    enlist(state, state.active, tribe_of_turn(state))


@inlined
def is_strong_enough(state: State, army, towers):
    """Return whether a tribe can take a city, by its army or with a traitor (STRUGGLE 5.5, 6.2)."""
    return (army >= towers) | may_play(state, TRAITOR)


@inlined
def play_traitor_if_needed(state: State, army, towers):
    """Play a traitor, without asking the player, if the army is too weak (STRUGGLE 6.2)."""
    if army < towers:
        play_card(state, TRAITOR)
