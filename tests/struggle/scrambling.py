"""Change all that a seat cannot know, in plain Python and independently of the engine's own hiding and sampling.

What a seat cannot know (STRUGGLE 9.3): the development cards of its rivals and of the deck.
"""

from collections import Counter
from typing import Any

from romans_env import Game
from romans_env.struggle.material import DEVELOPMENT
from tests.tools import Lcg, fill


def scrambled(game: Game, viewer: int, lcg: Lcg) -> Game:
    """Another game that the viewer cannot tell from this one. (The history that it carries is this game's.)"""
    other = game.clone()
    scramble(other.states[0], game.position(), viewer, lcg)
    if game.seat_to_act not in (None, viewer):
        game.rules.compiled.only_legal_action(other.states, 0)  # what is legal then
    return other


def scramble(state: Any, position: dict[str, Any], viewer: int, lcg: Lcg) -> None:
    """Scramble one record in place."""
    rivals = [seat for seat in range(len(position["players"])) if seat != viewer]
    hidden = Counter(position["development_pile"])
    for seat in rivals:
        hidden += Counter(position["players"][f"player_{seat}"]["development"])
    cards = lcg.shuffled(sorted(hidden.elements()))
    for seat in rivals:
        size = position["players"][f"player_{seat}"]["development_size"]
        fill(state.development[seat], DEVELOPMENT, cards[:size])
        cards = cards[size:]
    fill(state.deck, DEVELOPMENT, cards)
