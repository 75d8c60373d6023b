"""What happened, in order, for transcripts, pictures and interactive play.

An action is replayed on a copy of the game with the chance outcomes that followed it; the events are read off the
records before and after each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from romans_env.core.compiled_rules import CompiledRules
from romans_env.core.event import Event, with_draws_joined
from romans_env.core.protocol import Outcome
from romans_env.core.steps import Step, steps
from romans_env.roma.material import CARDS, COST, DEFENCE, HAND_SIZE, LAST_TURN, NONE, NUM_DISCS
from romans_env.roma.position import decision_kind
from romans_env.roma.state import PHASE_BATTLE, PHASE_DICE, PHASE_GIVE, PHASE_OVER, State, States


def opening_events(outcomes: Sequence[Outcome]) -> list[Event]:
    """Return the events of the opening: the eight cards drawn before the first decision (ROMA 3.1)."""
    hands = outcomes[:HAND_SIZE], outcomes[HAND_SIZE:]
    drawn = [_secret("draws", "cards", player=_player(seat), cards=list(hand)) for seat, hand in enumerate(hands)]
    return [Event("opening"), *drawn]


def events_of(rules: CompiledRules, before: States, action: int, outcomes: Sequence[Outcome]) -> list[Event]:
    """Return the events caused by an action, up to the next decision.

    Args:
        rules: the rules of the game.
        before: STATE, shape ``(1,)``: the record at the decision; not modified.
        action: a legal action id.
        outcomes: the outcomes of the chance events that followed the action, in order.
    """
    states = before.copy()
    events: list[Event] = []
    for number, step in enumerate(steps(rules, states, action, outcomes)):
        happened = _of_outcome(step) if step.is_chance else _OF_DECISION[decision_kind(step.before.phase)](step)
        # A forced `stop` is left out: nothing else was possible.
        events += [event for event in happened if event.kind != "stops" or number == 0]
    if states["phase"][0] == PHASE_OVER:
        events.append(_end(states[0]))
    return with_draws_joined(events)


# -- chance


def _of_outcome(step: Step) -> Iterator[Event]:
    before, after = step.before, step.after
    player = _player(before.seat)
    if before.phase == PHASE_DICE:
        if after.phase != PHASE_DICE:
            yield Event("dice", {"player": player, "dice": _dice(after)})
    elif before.phase == PHASE_BATTLE:
        yield _battle(step)
    else:
        yield _secret("draws", "cards", player=player, cards=[step.outcome])
        yield from _pile_runs_out(step)


def _pile_runs_out(step: Step) -> Iterator[Event]:
    """Yield events for a pile whose last card was drawn (ROMA 9.2 d) and for one refilled from the discards (2.3)."""
    before, after = step.before, step.after
    if before.pile_size == 1:
        yield Event("pile_empty")
    yield from _refill(before, after)


def _refill(before: State, after: State) -> Iterator[Event]:
    if after.discard_size == 0 and before.discard_size > 0:
        yield Event("refill", {"cards": int(before.discard_size)})


def _battle(step: Step) -> Event:
    before, disc = step.before, int(step.before.target)
    won = bool(step.after.discs[1 - before.seat, disc] == NONE)
    return Event("battle", {**_against(before, disc), "die": step.outcome, **_defence(before, disc), "won": won})


def _against(state: State, disc: int) -> dict[str, Any]:
    """Return the player, the effect, and the rival's card under attack, given by its disc from 0."""
    rival = 1 - state.seat
    who = {"player": _player(state.seat), "rival": _player(rival), "effect": CARDS[state.effect]}
    return {**who, "card": _name(state.discs[rival, disc]), "disc": disc + 1}


def _defence(state: State, disc: int) -> dict[str, int]:
    """Return the defence of the rival's card on a disc, with its parts (ROMA 5.5)."""
    discs = state.discs[1 - state.seat]
    printed = int(DEFENCE[discs[disc]])
    turris = sum(_name(card) == "turris" for other, card in enumerate(discs) if other != disc)
    essedum = 2 * int(state.essedum)
    return {"defence": printed + turris - essedum, "printed": printed, "turris": turris, "essedum": essedum}


# -- decisions, by their kind


def _give(step: Step) -> Iterator[Event]:
    before, after, (_, card) = step.before, step.after, step.action
    seat = int(before.seat)
    yield _secret("gives", "card", player=_player(seat), rival=_player(1 - seat), card=card)
    if after.phase != PHASE_GIVE:
        aside = before.aside.copy()
        aside[seat, CARDS.index(card)] += 1
        for giver in (1, 0):
            cards = _cards(aside[giver])
            yield Event("exchange", {"player": _player(1 - giver), "rival": _player(giver), "cards": cards})


def _lay(step: Step) -> Iterator[Event]:
    before, after, (kind, *what) = step.before, step.after, step.action
    player = _player(before.seat)
    if kind == "stop":
        yield Event("stops", {"player": player, "effect": CARDS[before.effect]})
    elif before.effect != NONE:
        yield _lays(step, None)
    else:
        yield _secret("lays_face_down", "card", player=player, card=what[0], disc=int(what[1]))
        if after.turn == 1:
            discs = {_player(seat): [_name(card) for card in after.discs[seat]] for seat in range(2)}
            yield Event("face_up", {"discs": discs})
            yield from _turn(before, after)


def _lays(step: Step, paid: int | None) -> Event:
    before, (_, card, disc) = step.before, step.action
    details = {
        "player": _player(before.seat),
        "card": card,
        "disc": int(disc),
        "covered": _name(before.discs[before.seat, int(disc) - 1]),
        "effect": _name(before.effect),
        "paid": paid,
        "money": int(step.after.money[before.seat]),
    }
    return Event("lays", details)


def _triple(step: Step) -> Iterator[Event]:
    yield Event("throws_again" if step.action[0] == "throw" else "stands", {"player": _player(step.before.seat)})


def _main(step: Step) -> Iterator[Event]:
    before, after, (kind, *what) = step.before, step.after, step.action
    player = _player(before.seat)
    if kind == "lay":
        yield _lays(step, int(COST[CARDS.index(what[0])]))
    elif kind == "money":
        yield Event("money", {"player": player, "die": int(what[0]), "money": int(after.money[before.seat])})
    elif kind == "cards":
        yield Event("uses", {"player": player, "die": int(what[0])})
        yield from _refill(before, after)
    elif kind == "activate":
        disc = int(what[0])
        card = CARDS[before.discs[before.seat, disc - 1]]
        yield Event("activates", {"player": player, "card": card, "disc": disc})
        yield from _begun(step, card)
    else:
        yield from _end_of_turn(before, after)


def _end_of_turn(before: State, after: State) -> Iterator[Event]:
    if _dice(before):
        yield Event("ends", {"player": _player(before.seat), "dice": _dice(before)})
    yield from _turn(before, after)


def _turn(before: State, after: State) -> Iterator[Event]:
    """Yield the event of a new turn, and that of the points its player pays for free discs (ROMA 4.2)."""
    if after.turn == before.turn:
        return
    seat = int(after.seat)
    yield Event("turn", {"turn": int(after.turn), "player": _player(seat)})
    free = _free_discs(after, seat)
    if free:
        paid = int(after.stock - before.stock)
        yield Event("pays", {"player": _player(seat), "free": free, "paid": paid, **_points(after, seat)})


def _begun(step: Step, card: str) -> Iterator[Event]:
    """Yield the events of an effect that is carried out at once."""
    before, after = step.before, step.after
    seat = int(before.seat)
    who = {"player": _player(seat), "rival": _player(1 - seat)}
    if card == "legat":
        yield _gets(step, card, {"free": _free_discs(before, 1 - seat)})
    elif card == "tribunus":
        yield _takes_points(step, card, {})
    elif card == "mercatus":
        yield _takes_points(step, card, {"forum": [*map(_name, before.discs[1 - seat])].count("forum")})
    elif card == "essedum":
        yield Event("weakens", {**who, "less": 2 * int(after.essedum)})
    elif card == "haruspex":
        yield from _refill(before, after)
        yield Event("looks", {**who, "cards": int(after.pile_size)})


def _keep(step: Step) -> Iterator[Event]:
    before, (_, card) = step.before, step.action
    aside = before.aside[before.seat].copy()
    aside[CARDS.index(card)] -= 1
    yield _secret("keeps", "card", player=_player(before.seat), card=card, discarded=_cards(aside))


def _take(step: Step) -> Iterator[Event]:
    before, (_, card) = step.before, step.action
    details = {"player": _player(before.seat), "effect": CARDS[before.effect], "card": card}
    if details["effect"] == "haruspex":
        yield _secret("takes", "card", **details)
        yield from _pile_runs_out(step)
    else:
        yield Event("takes", details)


def _own(step: Step) -> Iterator[Event]:
    before, (kind, *what) = step.before, step.action
    details = {"player": _player(before.seat), "effect": CARDS[before.effect]}
    if kind == "stop":
        yield Event("stops", details)
        return
    disc = int(what[0])
    card = CARDS[before.discs[before.seat, disc - 1]]
    if details["effect"] == "scaenicus":
        yield Event("copies", {**details, "card": card, "disc": disc, "at": int(before.disc) + 1})
        yield from _begun(step, card)
    else:
        yield Event("picks_up", {**details, "card": card, "disc": disc})


def _rival(step: Step) -> Iterator[Event]:
    before, details = step.before, _against(step.before, int(step.action[1]) - 1)
    if details["effect"] in ("sicarius", "nero"):
        own = int(before.disc)
        yield Event("removes", {**details, "own_card": _name(before.discs[before.seat, own]), "own_disc": own + 1})
    else:
        yield Event({"gladiator": "sends_home", "praetorianus": "blocks"}.get(details["effect"], "attacks"), details)


def _die(step: Step) -> Iterator[Event]:
    before, (kind, *what) = step.before, step.action
    player, effect, is_stop = _player(before.seat), CARDS[before.effect], kind == "stop"
    die = 0 if is_stop else int(what[0])
    if is_stop:
        yield Event("stops", {"player": player, "effect": effect})
    if effect == "consul":
        yield Event("chooses_die", {"player": player, "die": die})
    elif effect == "centurio":
        if not is_stop:
            disc = int(before.target)
            card = {"card": _name(before.discs[1 - before.seat, disc]), "disc": disc + 1}
            score = {"score": int(before.value), "die": die, **_defence(before, disc)}
            yield Event("adds", {"player": player, "rival": _player(1 - before.seat), **card, **score})
    elif _name(step.after.effect) == "templum":
        yield Event("due", {"player": player, **_due(before, die, 0), "points": int(step.after.value)})
    elif effect == "forum":
        yield _gets(step, effect, _due(before, die, 0))
    else:
        first = int(before.value) - 2 * _basilicas_beside(before)
        yield _gets(step, "forum", _due(before, first, die))


def _due(state: State, die: int, templum: int) -> dict[str, int]:
    """Return the parts of the points that a forum brings (ROMA 6.20)."""
    return {"die": die, "basilica": 2 * _basilicas_beside(state), "templum": templum}


def _basilicas_beside(state: State) -> int:
    beside = (state.disc - 1, state.disc + 1)
    return sum(_name(state.discs[state.seat, disc]) == "basilica" for disc in beside if 0 <= disc < NUM_DISCS)


def _sign(step: Step) -> Iterator[Event]:
    die = int(step.before.value)
    to = die + (1 if step.action[0] == "plus" else -1)
    yield Event("changes", {"player": _player(step.before.seat), "die": die, "to": to})


def _buy(step: Step) -> Iterator[Event]:
    yield _takes_points(step, CARDS[step.before.effect], {"paid": 2 * int(step.action[1])})


_OF_DECISION: dict[str | None, Callable[[Step], Iterator[Event]]] = {
    "give": _give,
    "lay": _lay,
    "triple": _triple,
    "main": _main,
    "keep": _keep,
    "take": _take,
    "own": _own,
    "rival": _rival,
    "die": _die,
    "sign": _sign,
    "buy": _buy,
}


# -- points


def _gets(step: Step, card: str, why: dict[str, int]) -> Event:
    """Return the event of points from the stock (ROMA 5.7); ``credited`` is how many of them the stock lacked."""
    before, after, seat = step.before, step.after, int(step.before.seat)
    points = int(after.points[seat] - before.points[seat])
    credited = points - int(before.stock - after.stock)
    got = {"points": points, "credited": credited, "why": why, **_points(after, seat)}
    return Event("gets", {"player": _player(seat), "effect": card, **got})


def _takes_points(step: Step, card: str, why: dict[str, int]) -> Event:
    """Return the event of points taken from the rival (ROMA 5.7)."""
    before, after, seat = step.before, step.after, int(step.before.seat)
    took = {"points": int(after.points[seat] - before.points[seat]), "why": why, **_points(after, seat)}
    who = {"player": _player(seat), "rival": _player(1 - seat)}
    return Event("takes_points", {**who, "effect": card, **took, "left": int(after.points[1 - seat])})


def _points(state: State, seat: int) -> dict[str, int]:
    return {"total": int(state.points[seat]), "stock": int(state.stock)}


def _end(state: State) -> Event:
    """Return the event of the game's end, with its cause (ROMA 7.1, 7.2)."""
    points = {_player(seat): int(state.points[seat]) for seat in range(2)}
    without = [player for player, left in points.items() if left == 0]
    why = "stock" if state.stock == 0 else f"turn {LAST_TURN}"
    winners = [player for player, own in points.items() if own == max(points.values())]
    return Event("end", {"winners": winners, "points": points, "why": without[0] if without else why})


# -- names for the contents of a record


def _secret(kind: str, secret: str, **details: Any) -> Event:
    return Event(kind, details, secret)


def _player(seat: int) -> str:
    return f"player_{seat}"


def _name(card: int) -> str | None:
    return CARDS[card] if card >= 0 else None


def _cards(counts: Any) -> list[str]:
    return [name for name, count in zip(CARDS, counts.tolist(), strict=True) for _ in range(count)]


def _dice(state: State) -> list[int]:
    return [face for face, count in enumerate(state.dice.tolist(), 1) for _ in range(count)]


def _free_discs(state: State, seat: int) -> int:
    return int((state.discs[seat] == NONE).sum())
