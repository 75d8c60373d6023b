"""What happened, in order, for transcripts, pictures and interactive play.

An action is replayed on a copy of the game with the chance outcomes that followed it; the events are read off the
records before and after each step. `KINDS` lists the events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from romans_env.core.compiled_rules import CompiledRules
from romans_env.core.event import Event, with_draws_joined
from romans_env.core.protocol import Outcome
from romans_env.core.steps import Step, steps
from romans_env.struggle import state as game_state
from romans_env.struggle.actions import OFFER
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
from romans_env.struggle.position import decision_kind
from romans_env.struggle.rounds import BUILDING
from romans_env.struggle.state import State, States

KINDS: Mapping[str, str] = {
    "opening": "the game begins",
    "round": "a round begins: round, first",
    "turn": "a seat's turn begins: player, phase, tribe (None in phase 2)",
    "dice": "two dice: player, dice, number, marked (whether the number bore a marker already)",
    "produces": "a number produces: number, gets {player: {resource: count}}",
    "shortage": "too much is due (4.3): resource, due, left, discards {player: {resource: count}}",
    "nothing_left": "cards due that are not given because none is left: resource, lacks {player: count}",
    "draws": "pasture cards: player, cards, why (opening, number, bank, rest, counter)",
    "refill": "the pasture discard becomes the pile: cards",
    "legionnaire": "the legionnaire moves: player, from, hex, terrain, number, province, why (seven, diplomacy)",
    "nobody_to_rob": "no rival at the legionnaire's hex has anything: player, hex",
    "robs": "a theft: player, rival, card (None for gold), gold",
    "bank": "three cards for one: player, gave, got (pasture: draws follows)",
    "army": "an army: player, figures, instead (the card that gold replaced, or None), army {tribe: count}",
    "wagon": "a wagon: player, tribe, instead, wagons",
    "buys_card": "a development card is bought: player, instead, gold",
    "draws_card": "a development card: player, card (secret), why (bought, counter)",
    "offers": "an offer: player, gives, num_given, wants, num_wanted, asked (the rivals who are asked, in order)",
    "accepts": "player accepts an offer: player, to, gives, num_given, wants, num_wanted as the offer has them",
    "declines": "player declines an offer: player, to",
    "no_deal": "no rival accepted: player",
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
"""The kinds of events, with the details of each."""


def opening_events(rules: CompiledRules, start: States, outcomes: Sequence[Outcome]) -> list[Event]:
    """Return the events before the first decision (STRUGGLE 3.2, 4).

    Args:
        rules: the rules of the game.
        start: STATE, shape ``(1,)``: the record at the first chance event; not modified.
        outcomes: the outcomes of the chance events before the first decision, in order.
    """
    return [Event("opening"), *_Story(rules, start.copy()).of(None, outcomes)]


def events_of(rules: CompiledRules, before: States, action: int, outcomes: Sequence[Outcome]) -> list[Event]:
    """Return the events caused by an action, up to the next decision.

    Args:
        rules: the rules of the game.
        before: STATE, shape ``(1,)``: the record at the decision; not modified.
        action: a legal action id.
        outcomes: the outcomes of the chance events that followed the action, in order.
    """
    return _Story(rules, before.copy()).of(action, outcomes)


class _Story:
    """Makes the events of a record while playing it on."""

    def __init__(self, rules: CompiledRules, states: States):
        self._rules, self._states, self._board = rules, states, rules.setup.board
        self._numbers = {city.name: number for number, city in enumerate(rules.setup.board.cities)}

    def of(self, action: int | None, outcomes: Sequence[Outcome]) -> list[Event]:
        taken = steps(self._rules, self._states, action, outcomes)
        return with_draws_joined(event for step in taken for event in self._of_step(step))

    def _of_step(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        told = _OF_OUTCOME[int(before.stage)] if step.is_chance else _OF_DECISION[decision_kind(before.stage)]
        yield from told(self, step)
        if _pile(after) > _pile(before):
            yield Event("refill", {"cards": _pile(after)})
        yield from _specials(before, after)
        if after.final and not before.final:
            seat = int(after.points.argmax())
            yield Event("final", {"player": _player(seat), "points": int(after.points[seat])})
        yield from _clock(before, after)
        if after.stage == game_state.STAGE_OVER:
            yield _end(before, after)

    # -- chance

    def _draw(self, step: Step) -> Iterator[Event]:
        why = _WHY_DRAWN[int(step.before.stage)]
        yield Event("draws", {"player": _player(step.before.seat), "cards": [step.outcome], "why": why})
        if step.before.stage == game_state.STAGE_LOOT_PASTURE:
            yield self._loot(step)
        if step.before.stage == game_state.STAGE_PRODUCE and step.after.stage != game_state.STAGE_PRODUCE:
            due = step.before.due.copy()
            due[step.before.seat] -= 1
            yield from _nothing_left("pasture", due)

    def _draw_card(self, step: Step) -> Iterator[Event]:
        why = "bought" if step.before.stage == game_state.STAGE_BUY_CARD else "counter"
        details = {"player": _player(step.before.active), "card": step.outcome, "why": why}
        yield Event("draws_card", details, "card")
        if step.before.stage == game_state.STAGE_LOOT_CARD:
            yield self._loot(step)

    def _die(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        if before.die == 0:
            return
        number = int(before.die) + step.outcome
        is_marked = bool(before.markers >> number & 1)
        dice = {"dice": [int(before.die), step.outcome], "number": number, "marked": is_marked}
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
                    _player(seat): {RESOURCES[one]: half for one in kinds if (half := int(before.hand[seat, one]) // 2)}
                    for seat in range(int(before.num_players))
                }
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
        if after.stage != game_state.STAGE_PRODUCE:
            yield from _nothing_left("pasture", due[PASTURE])

    def _theft(self, step: Step) -> Iterator[Event]:
        who = {"player": _player(step.before.active), "rival": _player(step.before.victim)}
        yield Event("robs", {**who, "card": step.outcome, "gold": 0})

    def _counter(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        seat, tribe = _turn_of(before)
        gets = COUNTERS[COUNTERS.index(step.outcome) % NUM_LOOTS]
        what = {"counter": step.outcome, "gets": gets, "gold": GOLD_OF_COUNTER if gets == "gold" else 0}
        lost = {"army_lost": int(before.army[seat, tribe] - after.army[seat, tribe])}
        yield Event("counter", {**self._who(before), **self._city(int(before.city)), **what, **lost})
        if after.stage not in (game_state.STAGE_LOOT_PASTURE, game_state.STAGE_LOOT_CARD):
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
        place = int(step.action[1])
        one, player = self._board.hexes[place], _player(before.active)
        land = {"terrain": one.terrain, "number": one.number, "province": one.province}
        why = "seven" if before.phase == 1 else "diplomacy"
        yield Event("legionnaire", {"player": player, "from": int(before.legion), "hex": place, **land, "why": why})
        if after.stage != game_state.STAGE_ROB:
            yield Event("nobody_to_rob", {"player": player, "hex": place})

    def _rob(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        if after.stage != game_state.STAGE_THEFT:
            victim = (int(before.active) + int(step.action[1])) % int(before.num_players)
            who = {"player": _player(before.active), "rival": _player(victim), "card": None}
            yield Event("robs", {**who, "gold": int(before.gold[victim] - after.gold[victim])})

    def _build(self, step: Step) -> Iterator[Event]:
        before, after, (kind, *what) = step.before, step.after, step.action
        seat = int(before.active)
        player = _player(seat)
        if kind == "bank":
            gave, got = what
            yield Event("bank", {"player": player, "gave": gave, "got": got})
        elif kind == "army":
            figures = [name for tribe, name in enumerate(TRIBES) if before.reserve[seat, tribe]]
            army = {name: int(count) for name, count in zip(TRIBES, after.army[seat], strict=True)}
            yield Event("army", {"player": player, "figures": figures, "instead": _first(what), "army": army})
        elif kind == "wagon":
            tribe, *instead = what
            wagons = int(after.wagons[seat, TRIBES.index(tribe)])
            yield Event("wagon", {"player": player, "tribe": tribe, "instead": _first(instead), "wagons": wagons})
        elif kind == "card":
            gold = int(before.gold[seat] - after.gold[seat])
            yield Event("buys_card", {"player": player, "instead": _first(what), "gold": gold})
        elif kind == "offer":
            offer = _offer(what)
            asked = [_player(rival) for rival in _rivals_with(before, offer["wants"], offer["num_wanted"])]
            yield Event("offers", {"player": player, **offer, "asked": asked})
        elif kind == "play":
            yield self._plays(step)
        elif not step.is_forced:
            yield Event("ends", {"player": player, "phase": int(before.phase)})

    def _answer(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        who = {"player": _player(before.seat), "to": _player(before.active)}
        if step.action[0] == "accept":
            offer = self._rules.action_names[int(OFFER + before.offer)].split(":")[1:]
            yield Event("accepts", {**who, **_offer(offer)})
        else:
            yield Event("declines", who)
            if after.stage != game_state.STAGE_ANSWER:
                yield Event("no_deal", {"player": _player(before.active)})

    def _tribe(self, step: Step) -> Iterator[Event]:
        before, after, (kind, *what) = step.before, step.after, step.action
        seat, tribe = _turn_of(before)
        if kind == "move":
            if not step.is_forced:
                where = {"from": int(before.at[seat, tribe]), "to": int(after.target)}
                yield Event("sets_out", {**self._who(before), **where})
        elif kind in ("plunder", "conquer"):
            yield from self._taking(step, f"{kind}s", self._numbers[what[0]])
        elif kind == "end":
            if not step.is_forced:
                yield Event("ends", {"player": _player(seat), "phase": int(before.phase)})
        elif kind == "rest":
            gold = int(after.gold[seat] - before.gold[seat])
            yield Event("rests", {**self._who(before), "gets": what[0], "gold": gold})
        else:
            yield self._plays(step)

    def _taking(self, step: Step, kind: str, city: int) -> Iterator[Event]:
        before, after = step.before, step.after
        seat, tribe = _turn_of(before)
        army = int(before.army[seat, tribe])
        is_treason = army < self._board.cities[city].towers
        if is_treason:
            yield _played(before, "traitor", TRIBES[tribe], why=self._board.cities[city].name)
        details = {**self._who(before), **self._city(city), "army": army, "traitor": is_treason}
        details["towers"] = self._board.cities[city].towers
        if kind == "conquers":
            details["founds"] = not before.kingdom[seat, tribe]
            details["counter"] = bool(before.has_counter[city])
            details["cities"] = int(after.num_cities[seat, tribe])
        yield Event(kind, details)

    def _plays(self, step: Step) -> Event:
        before, (_, card) = step.before, step.action
        tribe = None if before.phase == BUILDING else TRIBES[_turn_of(before)[1]]
        return _played(before, card, tribe, GOLD_OF_TREASURE if card == "treasure" else 0)

    def _fare(self, step: Step) -> Iterator[Event]:
        before, after = step.before, step.after
        seat, tribe = _turn_of(before)
        where = {"from": int(before.at[seat, tribe]), "to": int(before.target)}
        paid = {"grain": int(step.action[1]), "gold": int(before.gold[seat] - after.gold[seat])}
        yield Event("moves", {**self._who(before), **where, **paid})

    # -- names for the contents of a record

    def _who(self, state: State) -> dict[str, Any]:
        seat, tribe = _turn_of(state)
        return {"player": _player(seat), "tribe": TRIBES[tribe]}

    def _city(self, city: int) -> dict[str, Any]:
        return {"city": self._board.cities[city].name, "province": self._board.cities[city].province}


_OF_DECISION: dict[str | None, Callable[[_Story, Step], Iterator[Event]]] = {
    "legion": _Story._legion,
    "rob": _Story._rob,
    "build": _Story._build,
    "answer": _Story._answer,
    "tribe": _Story._tribe,
    "fare": _Story._fare,
}
_WHY_DRAWN = {
    game_state.STAGE_SETUP: "opening",
    game_state.STAGE_PRODUCE: "number",
    game_state.STAGE_BANK_PASTURE: "bank",
    game_state.STAGE_REST_PASTURE: "rest",
    game_state.STAGE_LOOT_PASTURE: "counter",
}
_OF_OUTCOME = {
    **dict.fromkeys(_WHY_DRAWN, _Story._draw),
    **dict.fromkeys((game_state.STAGE_BUY_CARD, game_state.STAGE_LOOT_CARD), _Story._draw_card),
    game_state.STAGE_DICE: _Story._die,
    game_state.STAGE_THEFT: _Story._theft,
    game_state.STAGE_COUNTER: _Story._counter,
}
_WHAT_PRODUCED = ("grain", "ore", "pasture")


def _specials(before: State, after: State) -> Iterator[Event]:
    """Yield an event for each special card that a seat gained between two records (STRUGGLE 7.1)."""
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
    """Yield the events for a round and a turn that begin between two records."""
    if after.stage == game_state.STAGE_OVER:
        return
    if after.round_number != before.round_number or (
        before.stage == game_state.STAGE_SETUP and after.stage != game_state.STAGE_SETUP
    ):
        yield Event("round", {"round": int(after.round_number), "first": _player(after.first)})
    now, then = ((one.round_number, one.phase, one.active) for one in (after, before))
    if after.phase > 1 and now != then:
        tribe = None if after.phase == BUILDING else TRIBES[_turn_of(after)[1]]
        yield Event("turn", {"player": _player(after.active), "phase": int(after.phase), "tribe": tribe})


def _end(before: State, after: State) -> Event:
    seats = range(int(after.num_players))
    ranks = {f"player_{seat}": (int(after.points[seat]), int(after.gold[seat])) for seat in seats}
    # Compared with the record before the last step, as that step may have drawn such a card.
    new = after.played.astype(int) - before.played
    played = {
        player: {DEVELOPMENT[kind]: int(new[seat, kind]) for kind in (TREASURE, CULTURE) if new[seat, kind]}
        for seat, player in enumerate(ranks)
    }
    return Event(
        "end",
        {
            "winners": [player for player, rank in ranks.items() if rank == max(ranks.values())],
            "points": {player: points for player, (points, _) in ranks.items()},
            "gold": {player: gold for player, (_, gold) in ranks.items()},
            "played": {player: cards for player, cards in played.items() if cards},
            "why": "final" if after.final else "rounds",
        },
    )


def _played(state: State, card: str, tribe: str | None, gold: int = 0, why: str | None = None) -> Event:
    return Event("plays", {"player": _player(state.active), "card": card, "tribe": tribe, "gold": gold, "why": why})


def _nothing_left(resource: str, missing: Any) -> Iterator[Event]:
    lacks = {_player(seat): int(count) for seat, count in enumerate(missing) if count}
    if lacks:
        yield Event("nothing_left", {"resource": resource, "lacks": lacks})


def _first(words: Sequence[str]) -> str | None:
    return words[0] if words else None


def _offer(what: Sequence[str]) -> dict[str, Any]:
    """Return the parts of an offer from the words of its action, such as ``grain``, ``ore``, ``2-1``."""
    gives, wants, ratio = what
    num_given, _, num_wanted = ratio.partition("-")
    return {"gives": gives, "num_given": int(num_given), "wants": wants, "num_wanted": int(num_wanted)}


def _rivals_with(state: State, good: str, count: int) -> list[int]:
    """Return the rivals who hold at least ``count`` of a good, clockwise from the player."""
    seats = [(int(state.active) + k) % int(state.num_players) for k in range(1, int(state.num_players))]
    held = [state.gold[seat] if good == "gold" else state.hand[seat, RESOURCES.index(good)] for seat in seats]
    return [seat for seat, has in zip(seats, held, strict=True) if has >= count]


def _turn_of(state: State) -> tuple[int, int]:
    """Return the seat and the tribe whose turn it is; valid in phases 3 and 4."""
    return int(state.active), int(state.phase) - 3


def _player(seat: int) -> str | None:
    return None if seat < 0 else f"player_{int(seat)}"


def _pile(state: State) -> int:
    return int(state.pile.sum())
