"""The deal: all chance of a game (RULES 2.2, 2.3).

The deal is part of the state record (`fort_order`, `dealt`). As JSON it is
``{"forts": [18 names], "rounds": [{"player_0": [7 names], ..., "neutral_0": [6 names, slot 1 first]}, x3]}``, with
fewer names and rounds on a small table.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from romans_env.compiling.decorators import inlined
from romans_env.engine.chance import DRAWN
from romans_env.engine.random_stream import below
from romans_env.errors import in_one_line, shortened
from romans_env.romans_go_home.material import FORTS, HAND_SIZE, NONE, NUM_FORTS, NUM_WARRIORS, WARRIORS
from romans_env.romans_go_home.setup import Table
from romans_env.romans_go_home.state import State

_FORTS, _WARRIORS = (*FORTS, None, None), (*WARRIORS, None, None)
"""Names by index; the indices -1 (NONE) and -2 (UNKNOWN) find the two None at the end."""


@inlined
def packed_clan(state: State):
    """Return a clan's cards as an int64, four bits per card, weakest lowest: a card is drawn without loop or branch."""
    pack = np.int64(0)
    place = np.int64(0)
    for warrior in range(NUM_WARRIORS):
        for _ in range(state.warriors[warrior]):
            pack |= np.int64(warrior) << place
            place += 4
    return pack


@inlined
def event_of(state: State):
    """Return the kind of the next chance event; the deal is the only kind."""
    return np.int64(DRAWN)


@inlined
def event_key(state: State):
    """Return the key of the next chance event."""
    return np.int64(0)


@inlined
def num_copies(state: State, event, outcome):
    """Return the weight of an outcome: 1 for outcome 0, the deal in the record."""
    return np.int64(outcome == 0)


@inlined
def draw_outcome(state: State, words, k):
    """Draw the fort order and each clan's cards for each round into the record, from the random stream ``words[k]``."""
    n = 0
    for fort in range(NUM_FORTS):
        for _ in range(state.fort_deck[fort]):
            state.fort_order[n] = fort
            n += 1
    for last in range(n - 1, 0, -1):
        other = below(words, k, last + 1)
        fort = state.fort_order[last]
        state.fort_order[last] = state.fort_order[other]
        state.fort_order[other] = fort
    pack = packed_clan(state)
    for round_index in range(state.num_rounds):
        for seat in range(state.num_clans):
            draw_cards(state, round_index, seat, pack, words, k)
    return np.int64(0)


@inlined
def draw_cards(state: State, round_index, seat, pack, streams, i):
    """Draw a clan's cards of one round: seven of its nine for a player, a line of six for a neutral (RULES 2.2).

    Each draw takes one of the cards left in ``pack`` (see `packed_clan`) with equal probability, so that two Ch'ariotts
    count twice.
    """
    size = np.int64(state.line_size) + np.int64(seat < state.num_players)
    for k in range(size):
        place = np.int64(4) * below(streams, i, state.clan_size - k)
        state.dealt[round_index, seat, k] = (pack >> place) & np.int64(15)
        lower = (np.int64(1) << place) - np.int64(1)
        pack = (pack & lower) | ((pack >> np.int64(4)) & ~lower)
    for k in range(size, HAND_SIZE):
        state.dealt[round_index, seat, k] = NONE


def deal_as_json(state: State, table: Table) -> dict[str, Any]:
    """Return the deal as JSON, from ``fort_order`` and ``dealt`` of a record alone; unknown cards are None."""
    forts, dealt = state.fort_order.tolist(), state.dealt.tolist()
    sizes = [(seat, clan, _num_cards(table, seat)) for seat, clan in enumerate(table.clans)]
    return {
        "forts": [_FORTS[fort] for fort in forts[: len(table.fort_deck)]],
        "rounds": [
            {clan: [_WARRIORS[card] for card in hands[seat][:size]] for seat, clan, size in sizes}
            for hands in dealt[: table.num_rounds]
        ],
    }


def copied_deal(deal: Any) -> dict[str, Any]:
    """Return a copy of a deal given as JSON, with all sequences as lists."""
    rounds = [{clan: list(cards) for clan, cards in hands.items()} for hands in deal["rounds"]]
    return {"forts": list(deal["forts"]), "rounds": rounds}


def set_deal(state: State, table: Table, deal: Any) -> None:
    """Write a deal given as JSON into a record.

    Raises:
        ValueError: if the deal does not fit the table; the record is then unchanged.
    """
    check_deal(table, deal)
    state.fort_order[: len(table.fort_deck)] = [FORTS.index(name) for name in deal["forts"]]
    state.dealt[:] = NONE
    for round_index, cards in enumerate(deal["rounds"]):
        for seat, clan in enumerate(table.clans):
            state.dealt[round_index, seat, : len(cards[clan])] = [WARRIORS.index(name) for name in cards[clan]]


def check_deal(table: Table, deal: Any) -> None:
    """Check that a deal given as JSON fits a table.

    Raises:
        ValueError: if it does not.
    """
    if not isinstance(deal, dict) or set(deal) != {"forts", "rounds"}:
        raise ValueError("a deal is an object with the keys 'forts' and 'rounds'")
    forts, rounds = deal["forts"], deal["rounds"]
    if not isinstance(forts, (list, tuple)) or not all(isinstance(name, str) for name in forts):
        raise ValueError("the deal's forts are not a list of names")
    if Counter(forts) != Counter(table.fort_deck):
        extra, missing = Counter(forts) - Counter(table.fort_deck), Counter(table.fort_deck) - Counter(forts)
        raise ValueError(
            "the deal's forts are not the table's deck: "
            f"too many {_listed(extra) or 'of nothing'}, missing {_listed(missing) or 'nothing'}"
        )
    if not isinstance(rounds, (list, tuple)) or len(rounds) != table.num_rounds:
        plural = "" if table.num_rounds == 1 else "s"
        raise ValueError(f"a deal of this table has {table.num_rounds} round{plural} (RULES 2)")
    for number, cards in enumerate(rounds, 1):
        if not isinstance(cards, dict) or set(cards) != set(table.clans):
            clans = ", ".join(table.clans)
            raise ValueError(f"round {number} of the deal must name exactly the clans of the table {table}: {clans}")
        for seat, clan in enumerate(table.clans):
            _check_cards(cards[clan], table, _num_cards(table, seat), f"round {number}, {clan}")


def _check_cards(cards: Any, table: Table, size: int, where: str) -> None:
    if not isinstance(cards, (list, tuple)) or len(cards) != size:
        raise ValueError(f"{where}: the deal must give {size} warriors (RULES 2.2)")
    unknown = [name for name in cards if name not in WARRIORS]
    if unknown:
        raise ValueError(f"{where}: unknown warriors {shortened(unknown)}; they are {', '.join(WARRIORS)}")
    for name, count in Counter(cards).items():
        copies = table.warriors.count(name)
        if count > copies:
            raise ValueError(f"{where}: {count} copies of {name}, a clan has {copies} (RULES 1.1)")


def _num_cards(table: Table, seat: int) -> int:
    return table.hand_size if seat < table.num_players else table.line_size


def _listed(names: Counter[str]) -> str:
    return in_one_line(", ".join(sorted(names.elements())), 300)
