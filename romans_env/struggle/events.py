"""What happened, in order, for transcripts, pictures and people at the keyboard.

An action is played again on a copy of the game with the outcomes that came after it, and what each step did is read off
the records before and after it. `KINDS` lists the events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from romans_env.compiling.templates import bound
from romans_env.engine import one_game
from romans_env.event import Event, with_draws_joined
from romans_env.protocol import Outcome
from romans_env.steps import Step, steps
from romans_env.struggle import step as compiled_step
from romans_env.struggle.actions import (
    ACCEPT,
    ARMY,
    BANK,
    CARD,
    CONQUER,
    END,
    LEGION,
    OFFER,
    PAY,
    PLAY,
    PLAY_TREASURE,
    PLUNDER,
    REST,
    RESTS,
    ROB,
    WAGONS,
)
from romans_env.struggle.board import Board
from romans_env.struggle.chance import OUTCOMES
from romans_env.struggle.development import GOLD_OF_TREASURE
from romans_env.struggle.dice import due_in
from romans_env.struggle.material import (
    COUNTERS,
    CULTURE,
    DEVELOPMENT,
    NUM_BANK,
    NUM_LOOTS,
    NUM_PASTURE,
    NUM_PROVINCES,
    PASTURE,
    RESOURCES,
    SEVEN,
    TREASURE,
    TRIBES,
)
from romans_env.struggle.plundering import GOLD_OF_COUNTER
from romans_env.struggle.points import CITIES_OF_AN_HEIR, POINTS_OF_A_SPECIAL_CARD, num_colours
from romans_env.struggle.position import offer_of
from romans_env.struggle.rounds import BUILDING
from romans_env.struggle.state import (
    STAGE_ANSWER,
    STAGE_BANK_PASTURE,
    STAGE_BUILD,
    STAGE_BUY_CARD,
    STAGE_COUNTER,
    STAGE_DICE,
    STAGE_FARE,
    STAGE_LEGION,
    STAGE_LOOT_CARD,
    STAGE_LOOT_PASTURE,
    STAGE_OVER,
    STAGE_PRODUCE,
    STAGE_REST_PASTURE,
    STAGE_ROB,
    STAGE_SETUP,
    STAGE_THEFT,
    STAGE_TRIBE,
    State,
    States,
)

KINDS: Mapping[str, str] = {
    "opening": "the game begins",
    "round": "a round begins: round, first",
    "turn": "a seat's turn begins: player, phase, tribe (None in phase 2)",
    "dice": "two dice: player, dice, number, marked (whether the number bore a marker already)",
    "produces": "a number produces: number, gets {player: {resource: count}}",
    "shortage": "too much is due (4.3): resource, due, left, discards {player: {resource: count}}",
    "nothing_left": "cards due of which there are none: resource, lacks {player: count}",
    "draws": "pasture cards: player, cards, why (opening, number, bank, rest, counter)",
    "refill": "the pasture discard becomes the pile: cards",
    "legionnaire": "the legionnaire moves: player, from, hex, terrain, number, province, why (seven, diplomacy)",
    "nobody_to_rob": "nobody at its hex has anything: player, hex",
    "robs": "a theft: player, rival, card (None for gold), gold",
    "bank": "three cards for one: player, gave, got (pasture: draws follows)",
    "army": "an army: player, figures, instead (the card that gold replaced, or None), army {tribe: count}",
    "wagon": "a wagon: player, tribe, instead, wagons",
    "buys_card": "a development card is bought: player, instead, gold",
    "draws_card": "a development card: player, card (secret), why (bought, counter)",
    "offers": "an offer: player, gives, num_given, wants, num_wanted, asked (the rivals who are asked, in order)",
    "accepts": "player accepts an offer: player, to, gives, num_given, wants, num_wanted as the offer has them",
    "declines": "player declines an offer: player, to",
    "no_deal": "nobody accepted: player",
    "plays": "a development card: player, card, tribe (None in phase 2), gold (of a treasure), why (a traitor's city)",
    "rests": "a tribe rests: player, tribe, gets (gold, grain, ore, pasture: draws follows), gold",
    "sets_out": "a tribe heads for a crossroads, the fare is asked: player, tribe, from, to",
    "moves": "a tribe moves: player, tribe, from, to, grain, gold",
    "plunders": "a city is plundered: player, tribe, city, province, towers, army, traitor",
    "counter": "its counter: player, tribe, city, province, counter, gets (gold, pasture, card, none), gold, army_lost",
    "loot": "the counter is in the box: player, tribe, province, wagons, gold (for the wagons), purse",
    "conquers": (
        "a city is conquered: player, tribe, city, province, towers, army, traitor, founds (a kingdom), "
        "counter (left unseen), cities"
    ),
    "special": "a special card: player, card (diplomacy, scourge, heir), tribe, rival (who loses it, or None), points",
    "final": "a seat has 10 points: player, points",
    "ends": "a turn is ended by choice: player, phase",
    "end": "the game is over: winners, points, gold, played {player: {card: count}}, why (final, rounds)",
}
"""Every kind of event, and its details."""

_KERNELS = bound(one_game, game=compiled_step)


def opening_events(start: States, board: Board, outcomes: Sequence[Outcome]) -> list[Event]:
    """Return the events before the first decision (STRUGGLE 3.2, 4).

    Args:
        start: one record, shape (1,), at the first chance event; it is left alone.
        board: its board.
        outcomes: those of the chance events before the first decision.
    """
    return [Event("opening"), *_Story(start.copy(), board).of(None, outcomes)]


def events_of(before: States, board: Board, action: int, outcomes: Sequence[Outcome]) -> list[Event]:
    """Return the events that an action set off, up to the next decision.

    Args:
        before: one record, shape (1,), at the decision; it is left alone.
        board: its board.
        action: a legal action id.
        outcomes: those of the chance events after the action.
    """
    return _Story(before.copy(), board).of(action, outcomes)


class _Story:
    """The events of a record that is played on."""

    def __init__(self, states: States, board: Board):
        self._states, self._board = states, board

    def of(self, action: int | None, outcomes: Sequence[Outcome]) -> list[Event]:
        taken = steps(_KERNELS, OUTCOMES, self._states, action, outcomes)
        return with_draws_joined(event for step in taken for event in self._of_step(step))

    def _of_step(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        yield from (_OF_OUTCOME if step.is_chance else _OF_DECISION)[int(before.stage)](self, step)
        if _pile(after) > _pile(before):
            yield Event("refill", {"cards": _pile(after)})
        yield from _specials(before, after)
        if after.final and not before.final:
            seat = int(after.points.argmax())
            yield Event("final", {"player": _player(seat), "points": int(after.points[seat])})
        yield from _clock(before, after)
        if after.stage == STAGE_OVER:
            yield _end(before, after)

    # -- chance

    def _draw(self, step: Step) -> Iterator[Event]:
        why = _WHY_DRAWN[int(step.before.stage)]
        yield Event("draws", {"player": _player(step.before.seat), "cards": [step.played], "why": why})
        if step.before.stage == STAGE_LOOT_PASTURE:
            yield self._loot(step)
        if step.before.stage == STAGE_PRODUCE and step.after.stage != STAGE_PRODUCE:
            due = step.before.due.copy()
            due[step.before.seat] -= 1
            yield from _nothing_left("pasture", due)

    def _draw_card(self, step: Step) -> Iterator[Event]:
        why = "bought" if step.before.stage == STAGE_BUY_CARD else "counter"
        details = {"player": _player(step.before.active), "card": step.played, "why": why}
        yield Event("draws_card", details, "card")
        if step.before.stage == STAGE_LOOT_CARD:
            yield self._loot(step)

    def _die(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        if before.die == 0:
            return
        number = int(before.die) + step.played
        is_marked = bool(before.markers >> number & 1)
        dice = {"dice": [int(before.die), step.played], "number": number, "marked": is_marked}
        yield Event("dice", {"player": _player(before.first), **dice})
        if not is_marked and number != SEVEN:
            yield from self._production(before, after, number)

    def _production(self, before: State, after: State, number: int) -> Iterator[Event]:
        due = due_in(np.array([before]), 0, number)
        for kind in range(PASTURE + 1):
            seats = [int(count) for count in due[kind]]
            left = int(before.bank[kind]) if kind < NUM_BANK else _pile(before) + int(before.discard.sum())
            kinds = [kind] if kind < NUM_BANK else list(range(NUM_BANK, NUM_BANK + NUM_PASTURE))
            if sum(seats) > left:
                discards = {
                    _player(seat): {RESOURCES[one]: int(before.hand[seat, one]) // 2 for one in kinds}
                    for seat in range(int(before.num_players))
                }
                discards = {player: {k: n for k, n in counts.items() if n} for player, counts in discards.items()}
                details = {"due": sum(seats), "left": left, "discards": {p: c for p, c in discards.items() if c}}
                yield Event("shortage", {"resource": _WHAT_PRODUCED[kind], **details})
        gets: dict[str, dict[str, int]] = {}
        lacks: dict[int, list[int]] = {}
        for kind in range(NUM_BANK):
            has_shortage = int(due[kind].sum()) > int(before.bank[kind])
            for seat in range(int(before.num_players)):
                held = int(before.hand[seat, kind])
                got = int(after.hand[seat, kind]) - (held - held // 2 if has_shortage else held)
                if got:
                    gets.setdefault(_player(seat) or "", {})[RESOURCES[kind]] = got
                lacks.setdefault(kind, []).append(int(due[kind][seat]) - got)
        if gets:
            yield Event("produces", {"number": number, "gets": gets})
        for kind, missing in lacks.items():
            yield from _nothing_left(_WHAT_PRODUCED[kind], missing)
        if after.stage != STAGE_PRODUCE:
            yield from _nothing_left("pasture", due[PASTURE])

    def _theft(self, step: Step) -> Iterator[Event]:
        who = {"player": _player(step.before.active), "rival": _player(step.before.victim)}
        yield Event("robs", {**who, "card": step.played, "gold": 0})

    def _counter(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        seat, tribe = _turn_of(before)
        gets = COUNTERS[COUNTERS.index(step.played) % NUM_LOOTS]
        details = {
            **self._who(before),
            **self._city(int(before.city)),
            "counter": step.played,
            "gets": gets,
            "gold": GOLD_OF_COUNTER if gets == "gold" else 0,
            "army_lost": int(before.army[seat, tribe] - after.army[seat, tribe]),
        }
        yield Event("counter", details)
        if after.stage not in (STAGE_LOOT_PASTURE, STAGE_LOOT_CARD):
            yield self._loot(step)

    def _loot(self, step: Step) -> Event:
        before = step.before
        seat, tribe = _turn_of(before)
        wagons = int(before.wagons[seat, tribe])
        where = {"province": self._board.cities[int(before.city)].province, "wagons": wagons, "gold": wagons}
        return Event("loot", {**self._who(before), **where, "purse": int(step.after.gold[seat])})

    # -- decisions

    def _legion(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        place = int(step.played - LEGION)
        one = self._board.hexes[place]
        yield Event(
            "legionnaire",
            {
                "player": _player(before.active),
                "from": int(before.legion),
                "hex": place,
                "terrain": one.terrain,
                "number": one.number,
                "province": one.province,
                "why": "seven" if before.phase == 1 else "diplomacy",
            },
        )
        if after.stage != STAGE_ROB:
            yield Event("nobody_to_rob", {"player": _player(before.active), "hex": place})

    def _rob(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        if after.stage != STAGE_THEFT:
            victim = (int(before.active) + int(step.played - ROB) + 1) % int(before.num_players)
            who = {"player": _player(before.active), "rival": _player(victim), "card": None}
            yield Event("robs", {**who, "gold": int(before.gold[victim] - after.gold[victim])})

    def _build(self, step: Step) -> Iterator[Event]:
        before, after, action = step.before, step.after, int(step.played)
        seat = int(before.active)
        player = _player(seat)
        if action < ARMY:
            gave, got = _BANK_ACTIONS[action - int(BANK)]
            yield Event("bank", {"player": player, "gave": gave, "got": got})
        elif action < WAGONS:
            figures = [name for tribe, name in enumerate(TRIBES) if before.reserve[seat, tribe]]
            army = {name: int(count) for name, count in zip(TRIBES, after.army[seat], strict=True)}
            instead = (None, "ore", "horse")[action - int(ARMY)]
            yield Event("army", {"player": player, "figures": figures, "instead": instead, "army": army})
        elif action < CARD:
            tribe, choice = divmod(action - int(WAGONS), 4)
            instead = (None, "horse", "grain", "cattle")[choice]
            wagons = int(after.wagons[seat, tribe])
            yield Event("wagon", {"player": player, "tribe": TRIBES[tribe], "instead": instead, "wagons": wagons})
        elif action < OFFER:
            instead = (None, "cattle")[action - int(CARD)]
            gold = int(before.gold[seat] - after.gold[seat])
            yield Event("buys_card", {"player": player, "instead": instead, "gold": gold})
        elif action < ACCEPT:
            offer = _offer(action - int(OFFER))
            asked = [_player(rival) for rival in _rivals_with(before, offer["wants"], offer["num_wanted"])]
            yield Event("offers", {"player": player, **offer, "asked": asked})
        elif action < REST:
            yield self._plays(step)
        elif not step.is_forced:
            yield Event("ends", {"player": player, "phase": int(before.phase)})

    def _answer(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        who = {"player": _player(before.seat), "to": _player(before.active)}
        if step.played == ACCEPT:
            yield Event("accepts", {**who, **_offer(int(before.offer))})
        else:
            yield Event("declines", who)
            if after.stage != STAGE_ANSWER:
                yield Event("no_deal", {"player": _player(before.active)})

    def _tribe(self, step: Step) -> Iterator[Event]:
        before, after, action = step.before, step.after, int(step.played)
        seat, tribe = _turn_of(before)
        if action >= LEGION:
            if not step.is_forced:
                where = {"from": int(before.at[seat, tribe]), "to": int(after.target)}
                yield Event("sets_out", {**self._who(before), **where})
        elif action >= PLUNDER:
            yield from self._taking(step, "conquers" if action >= CONQUER else "plunders")
        elif action == END:
            if not step.is_forced:
                yield Event("ends", {"player": _player(seat), "phase": int(before.phase)})
        elif action >= REST:
            gets = RESTS[action - int(REST)]
            gold = int(after.gold[seat] - before.gold[seat])
            yield Event("rests", {**self._who(before), "gets": gets, "gold": gold})
        else:
            yield self._plays(step)

    def _taking(self, step: Step, kind: str) -> Iterator[Event]:
        before, after = step.before, step.after
        seat, tribe = _turn_of(before)
        city = (int(step.played) - int(PLUNDER)) % len(self._board.cities)
        army = int(before.army[seat, tribe])
        is_treason = army < self._board.cities[city].towers
        if is_treason:
            why = {"tribe": TRIBES[tribe], "gold": 0, "why": self._board.cities[city].name}
            yield Event("plays", {"player": _player(seat), "card": "traitor", **why})
        details = {**self._who(before), **self._city(city), "army": army, "traitor": is_treason}
        details["towers"] = self._board.cities[city].towers
        if kind == "conquers":
            details["founds"] = not before.kingdom[seat, tribe]
            details["counter"] = bool(before.has_counter[city])
            details["cities"] = int(after.num_cities[seat, tribe])
        yield Event(kind, details)

    def _plays(self, step: Step) -> Event:
        before, action = step.before, int(step.played)
        card = ("diplomacy", "great_warrior", "treasure")[action - int(PLAY)]
        tribe = None if before.phase == BUILDING else TRIBES[_turn_of(before)[1]]
        gold = GOLD_OF_TREASURE if action == PLAY_TREASURE else 0
        return Event(
            "plays", {"player": _player(before.active), "card": card, "tribe": tribe, "gold": gold, "why": None}
        )

    def _fare(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        seat, tribe = _turn_of(before)
        where = {"from": int(before.at[seat, tribe]), "to": int(before.target)}
        paid = {"grain": int(step.played - PAY), "gold": int(before.gold[seat] - after.gold[seat])}
        yield Event("moves", {**self._who(before), **where, **paid})

    # -- words for what a record holds

    def _who(self, state: State) -> dict[str, Any]:
        seat, tribe = _turn_of(state)
        return {"player": _player(seat), "tribe": TRIBES[tribe]}

    def _city(self, city: int) -> dict[str, Any]:
        return {"city": self._board.cities[city].name, "province": self._board.cities[city].province}


_OF_OUTCOME = {
    STAGE_SETUP: _Story._draw,
    STAGE_DICE: _Story._die,
    STAGE_PRODUCE: _Story._draw,
    STAGE_THEFT: _Story._theft,
    STAGE_BANK_PASTURE: _Story._draw,
    STAGE_REST_PASTURE: _Story._draw,
    STAGE_LOOT_PASTURE: _Story._draw,
    STAGE_BUY_CARD: _Story._draw_card,
    STAGE_LOOT_CARD: _Story._draw_card,
    STAGE_COUNTER: _Story._counter,
}
_OF_DECISION = {
    STAGE_LEGION: _Story._legion,
    STAGE_ROB: _Story._rob,
    STAGE_BUILD: _Story._build,
    STAGE_ANSWER: _Story._answer,
    STAGE_TRIBE: _Story._tribe,
    STAGE_FARE: _Story._fare,
}
_WHY_DRAWN = {
    STAGE_SETUP: "opening",
    STAGE_PRODUCE: "number",
    STAGE_BANK_PASTURE: "bank",
    STAGE_REST_PASTURE: "rest",
    STAGE_LOOT_PASTURE: "counter",
}
_WHAT_PRODUCED = ("grain", "ore", "pasture")
_BANK_ACTIONS = [(a, b) for a in RESOURCES for b in _WHAT_PRODUCED if a != b]


def _specials(before: State, after: State) -> Iterator[Event]:
    """Yield an event for each special card that a seat has got between two records (STRUGGLE 7.1)."""
    points = POINTS_OF_A_SPECIAL_CARD
    if after.diplomacy != before.diplomacy:
        who = {"player": _player(after.diplomacy), "rival": _player(before.diplomacy)}
        yield Event("special", {**who, "card": "diplomacy", "tribe": None, "points": points})
    for seat in range(int(after.num_players)):
        who = {"player": _player(seat), "rival": None}
        for tribe, name in enumerate(TRIBES):
            if num_colours(after, seat, tribe) == NUM_PROVINCES > num_colours(before, seat, tribe):
                yield Event("special", {**who, "card": "scourge", "tribe": name, "points": points})
        if after.num_cities[seat].min() >= CITIES_OF_AN_HEIR > before.num_cities[seat].min():
            yield Event("special", {**who, "card": "heir", "tribe": None, "points": points})


def _clock(before: State, after: State) -> Iterator[Event]:
    """Yield the events of a round or a turn that begins between two records."""
    if after.stage == STAGE_OVER:
        return
    if after.round_number != before.round_number or (before.stage == STAGE_SETUP and after.stage != STAGE_SETUP):
        yield Event("round", {"round": int(after.round_number), "first": _player(after.first)})
    now, then = ((one.round_number, one.phase, one.active) for one in (after, before))
    if after.phase > 1 and now != then:
        tribe = None if after.phase == BUILDING else TRIBES[_turn_of(after)[1]]
        yield Event("turn", {"player": _player(after.active), "phase": int(after.phase), "tribe": tribe})


def _end(before: State, after: State) -> Event:
    players = [f"player_{seat}" for seat in range(int(after.num_players))]
    ranks = [(int(after.points[seat]), int(after.gold[seat])) for seat in range(len(players))]
    # The last step may have drawn one of them.
    new = after.played.astype(int) - before.played
    played = {
        player: {DEVELOPMENT[kind]: int(new[seat, kind]) for kind in (TREASURE, CULTURE) if new[seat, kind]}
        for seat, player in enumerate(players)
    }
    return Event(
        "end",
        {
            "winners": [player for player, rank in zip(players, ranks, strict=True) if rank == max(ranks)],
            "points": {player: points for player, (points, _) in zip(players, ranks, strict=True)},
            "gold": {player: gold for player, (_, gold) in zip(players, ranks, strict=True)},
            "played": {player: cards for player, cards in played.items() if cards},
            "why": "final" if after.final else "rounds",
        },
    )


def _nothing_left(resource: str, missing: Any) -> Iterator[Event]:
    lacks = {_player(seat): int(count) for seat, count in enumerate(missing) if count}
    if lacks:
        yield Event("nothing_left", {"resource": resource, "lacks": lacks})


def _offer(place: int) -> dict[str, Any]:
    gives, wants, num_given, num_wanted = offer_of(place)
    return {"gives": gives, "num_given": num_given, "wants": wants, "num_wanted": num_wanted}


def _rivals_with(state: State, good: str, count: int) -> list[int]:
    """Return the rivals who hold at least ``count`` of a good, clockwise from the player."""
    seats = [(int(state.active) + k) % int(state.num_players) for k in range(1, int(state.num_players))]
    held = [state.gold[seat] if good == "gold" else state.hand[seat, RESOURCES.index(good)] for seat in seats]
    return [seat for seat, has in zip(seats, held, strict=True) if has >= count]


def _turn_of(state: State) -> tuple[int, int]:
    """Return the seat and the tribe whose turn it is, in phases 3 and 4."""
    return int(state.active), int(state.phase) - 3


def _player(seat: int) -> str | None:
    return None if seat < 0 else f"player_{int(seat)}"


def _pile(state: State) -> int:
    return int(state.pile.sum())
