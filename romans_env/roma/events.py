"""What happened, in order, for transcripts, pictures and people at the keyboard.

An action is played again on a copy of the game with the outcomes that came after it, and what each step did is read off
the records before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from romans_env.compiling.templates import bound
from romans_env.engine import one_game
from romans_env.event import Event, with_draws_joined
from romans_env.protocol import Outcome
from romans_env.roma import step as compiled_step
from romans_env.roma.actions import (
    ACTIVATE,
    BUY,
    DIE,
    DRAW,
    END,
    GIVE,
    KEEP,
    LAY,
    MONEY,
    OWN,
    PLUS,
    RIVAL,
    STOP,
    TAKE,
    THROW,
)
from romans_env.roma.chance import OUTCOMES
from romans_env.roma.material import (
    BASILICA,
    CARDS,
    CENTURIO,
    CONSUL,
    COST,
    DEFENCE,
    ESSEDUM,
    FORUM,
    GLADIATOR,
    HAND_SIZE,
    HARUSPEX,
    LAST_TURN,
    LEGAT,
    MERCATUS,
    NERO,
    NONE,
    NUM_DISCS,
    PRAETORIANUS,
    SCAENICUS,
    SICARIUS,
    TEMPLUM,
    TRIBUNUS,
    TURRIS,
)
from romans_env.roma.state import (
    PHASE_BATTLE,
    PHASE_BUY,
    PHASE_DICE,
    PHASE_DIE,
    PHASE_GIVE,
    PHASE_KEEP,
    PHASE_LAY,
    PHASE_MAIN,
    PHASE_OVER,
    PHASE_OWN,
    PHASE_RIVAL,
    PHASE_SIGN,
    PHASE_TAKE,
    PHASE_TRIPLE,
    State,
    States,
)
from romans_env.steps import Step, steps

_KERNELS = bound(one_game, game=compiled_step)


def opening_events(outcomes: Sequence[Outcome]) -> list[Event]:
    """Return the events of the opening: the eight cards drawn before the first decision (ROMA 3.1)."""
    hands = outcomes[:HAND_SIZE], outcomes[HAND_SIZE:]
    drawn = [_secret("draws", "cards", player=_player(seat), cards=list(hand)) for seat, hand in enumerate(hands)]
    return [Event("opening"), *drawn]


def events_of(before: States, action: int, outcomes: Sequence[Outcome]) -> list[Event]:
    """Return the events that an action set off, up to the next decision.

    Args:
        before: one record, shape (1,), at the decision; it is left alone.
        action: a legal action id.
        outcomes: those of the chance events after the action.
    """
    states = before.copy()
    events: list[Event] = []
    for number, step in enumerate(steps(_KERNELS, OUTCOMES, states, action, outcomes)):
        happened = _of_outcome(step) if step.is_chance else _OF_DECISION[int(step.before.phase)](step)
        # That a forced decision was stopped need not be said: nothing else was possible.
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
        yield _secret("draws", "cards", player=player, cards=[step.played])
        yield from _pile_runs_out(step)


def _pile_runs_out(step: Step) -> Iterator[Event]:
    """Yield the events of a pile whose last card was drawn (ROMA 9.2 d), or that the discard pile refilled (2.3)."""
    before, after = step.before, step.after
    if before.pile_size == 1:
        yield Event("pile_empty")
    yield from _refill(before, after)


def _refill(before: State, after: State) -> Iterator[Event]:
    if after.discard_size == 0 and before.discard_size > 0:
        yield Event("refill", {"cards": int(before.discard_size)})


def _battle(step: Step) -> Event:
    before, disc = step.before, int(step.before.target)
    rival = 1 - before.seat
    return Event(
        "battle",
        {
            "player": _player(before.seat),
            "rival": _player(rival),
            "effect": CARDS[before.effect],
            "card": _name(before.discs[rival, disc]),
            "disc": disc + 1,
            "die": step.played,
            **_defence(before, disc),
            "won": bool(step.after.discs[rival, disc] == NONE),
        },
    )


def _defence(state: State, disc: int) -> dict[str, int]:
    """Return the defence of the rival's card on a disc, and its parts (ROMA 5.5)."""
    discs = state.discs[1 - state.seat]
    printed = int(DEFENCE[discs[disc]])
    turris = sum(bool(discs[other] == TURRIS) for other in range(NUM_DISCS) if other != disc)
    essedum = 2 * int(state.essedum)
    return {"defence": printed + turris - essedum, "printed": printed, "turris": turris, "essedum": essedum}


# -- decisions, by their phase


def _give(step: Step) -> Iterator[Event]:
    before, after, card = step.before, step.after, _choice(step, GIVE)
    seat = int(before.seat)
    yield _secret("gives", "card", player=_player(seat), rival=_player(1 - seat), card=CARDS[card])
    if after.phase != PHASE_GIVE:
        aside = before.aside.copy()
        aside[seat, card] += 1
        for giver in (1, 0):
            cards = _cards(aside[giver])
            yield Event("exchange", {"player": _player(1 - giver), "rival": _player(giver), "cards": cards})


def _lay(step: Step) -> Iterator[Event]:
    before, after = step.before, step.after
    player = _player(before.seat)
    if step.played == STOP:
        yield Event("stops", {"player": player, "effect": CARDS[before.effect]})
    elif before.effect != NONE:
        yield _lays(step, None)
    else:
        kind, disc = divmod(_choice(step, LAY), NUM_DISCS)
        yield _secret("lays_face_down", "card", player=player, card=CARDS[kind], disc=disc + 1)
        if after.turn == 1:
            discs = {_player(seat): [_name(card) for card in after.discs[seat]] for seat in range(2)}
            yield Event("face_up", {"discs": discs})
            yield from _turn(before, after)


def _lays(step: Step, paid: int | None) -> Event:
    kind, disc = divmod(_choice(step, LAY), NUM_DISCS)
    before = step.before
    details = {
        "player": _player(before.seat),
        "card": CARDS[kind],
        "disc": disc + 1,
        "covered": _name(before.discs[before.seat, disc]),
        "effect": _name(before.effect),
        "paid": paid,
        "money": int(step.after.money[before.seat]),
    }
    return Event("lays", details)


def _triple(step: Step) -> Iterator[Event]:
    again = step.played == THROW
    yield Event("throws_again" if again else "stands", {"player": _player(step.before.seat)})


def _main(step: Step) -> Iterator[Event]:
    before, after, action = step.before, step.after, step.played
    player = _player(before.seat)
    if action < MONEY:
        yield _lays(step, int(COST[_choice(step, LAY) // NUM_DISCS]))
    elif action < DRAW:
        money = int(after.money[before.seat])
        yield Event("money", {"player": player, "die": _choice(step, MONEY) + 1, "money": money})
    elif action < ACTIVATE:
        yield Event("uses", {"player": player, "die": _choice(step, DRAW) + 1})
        yield from _refill(before, after)
    elif action < END:
        disc = _choice(step, ACTIVATE)
        card = int(before.discs[before.seat, disc])
        yield Event("activates", {"player": player, "card": CARDS[card], "disc": disc + 1})
        yield from _begun(step, card)
    else:
        yield from _end_of_turn(before, after)


def _end_of_turn(before: State, after: State) -> Iterator[Event]:
    if _dice(before):
        yield Event("ends", {"player": _player(before.seat), "dice": _dice(before)})
    yield from _turn(before, after)


def _turn(before: State, after: State) -> Iterator[Event]:
    """Yield the events of a turn that begins, and of the points its player pays for free discs (ROMA 4.2)."""
    if after.turn == before.turn:
        return
    seat = int(after.seat)
    yield Event("turn", {"turn": int(after.turn), "player": _player(seat)})
    free = _free_discs(after, seat)
    if free:
        paid = int(after.stock - before.stock)
        yield Event("pays", {"player": _player(seat), "free": free, "paid": paid, **_points(after, seat)})


def _begun(step: Step, card: int) -> Iterator[Event]:
    """Yield the events of what an effect does at once."""
    before, after = step.before, step.after
    seat = int(before.seat)
    who = {"player": _player(seat), "rival": _player(1 - seat)}
    if card == LEGAT:
        yield _gets(step, card, {"free": _free_discs(before, 1 - seat)})
    elif card == TRIBUNUS:
        yield _takes_points(step, card, {})
    elif card == MERCATUS:
        yield _takes_points(step, card, {"forum": int((before.discs[1 - seat] == FORUM).sum())})
    elif card == ESSEDUM:
        yield Event("weakens", {**who, "less": 2 * int(after.essedum)})
    elif card == HARUSPEX:
        yield from _refill(before, after)
        yield Event("looks", {**who, "cards": int(after.pile_size)})


def _keep(step: Step) -> Iterator[Event]:
    before, card = step.before, _choice(step, KEEP)
    aside = before.aside[before.seat].copy()
    aside[card] -= 1
    player = _player(before.seat)
    yield _secret("keeps", "card", player=player, card=CARDS[card], discarded=_cards(aside))


def _take(step: Step) -> Iterator[Event]:
    before = step.before
    details = {"player": _player(before.seat), "effect": CARDS[before.effect], "card": CARDS[_choice(step, TAKE)]}
    if before.effect == HARUSPEX:
        yield _secret("takes", "card", **details)
        yield from _pile_runs_out(step)
    else:
        yield Event("takes", details)


def _own(step: Step) -> Iterator[Event]:
    before = step.before
    details = {"player": _player(before.seat), "effect": CARDS[before.effect]}
    if step.played == STOP:
        yield Event("stops", details)
        return
    disc = _choice(step, OWN)
    card = int(before.discs[before.seat, disc])
    if before.effect == SCAENICUS:
        yield Event("copies", {**details, "card": CARDS[card], "disc": disc + 1, "at": int(before.disc) + 1})
        yield from _begun(step, card)
    else:
        yield Event("picks_up", {**details, "card": CARDS[card], "disc": disc + 1})


def _rival(step: Step) -> Iterator[Event]:
    before, disc = step.before, _choice(step, RIVAL)
    seat, effect = int(before.seat), int(before.effect)
    details = {
        "player": _player(seat),
        "rival": _player(1 - seat),
        "effect": CARDS[effect],
        "card": _name(before.discs[1 - seat, disc]),
        "disc": disc + 1,
    }
    if effect in (SICARIUS, NERO):
        own = int(before.disc)
        yield Event("removes", {**details, "own_card": _name(before.discs[seat, own]), "own_disc": own + 1})
    elif effect == GLADIATOR:
        yield Event("sends_home", details)
    elif effect == PRAETORIANUS:
        yield Event("blocks", details)
    else:
        yield Event("attacks", details)


def _die(step: Step) -> Iterator[Event]:
    before, after, action = step.before, step.after, step.played
    effect = int(before.effect)
    player, die = _player(before.seat), _choice(step, DIE) + 1
    if action == STOP:
        yield Event("stops", {"player": player, "effect": CARDS[effect]})
    if effect == CONSUL:
        yield Event("chooses_die", {"player": player, "die": die})
    elif effect == CENTURIO:
        if action != STOP:
            disc = int(before.target)
            card = {"card": _name(before.discs[1 - before.seat, disc]), "disc": disc + 1}
            score = {"score": int(before.value), "die": die, **_defence(before, disc)}
            yield Event("adds", {"player": player, "rival": _player(1 - before.seat), **card, **score})
    elif after.effect == TEMPLUM:
        yield Event("due", {"player": player, **_due(before, die, 0), "points": int(after.value)})
    elif effect == FORUM:
        yield _gets(step, FORUM, _due(before, die, 0))
    else:
        first = int(before.value) - 2 * _num_adjacent(before, BASILICA)
        yield _gets(step, FORUM, _due(before, first, 0 if action == STOP else die))


def _due(state: State, die: int, templum: int) -> dict[str, int]:
    """Return the parts of the points that a forum gives (ROMA 6.20)."""
    return {"die": die, "basilica": 2 * _num_adjacent(state, BASILICA), "templum": templum}


def _num_adjacent(state: State, kind: int) -> int:
    beside = [state.disc - 1, state.disc + 1]
    return sum(bool(state.discs[state.seat, disc] == kind) for disc in beside if 0 <= disc < NUM_DISCS)


def _sign(step: Step) -> Iterator[Event]:
    die = int(step.before.value)
    to = die + (1 if step.played == PLUS else -1)
    yield Event("changes", {"player": _player(step.before.seat), "die": die, "to": to})


def _buy(step: Step) -> Iterator[Event]:
    yield _takes_points(step, int(step.before.effect), {"paid": 2 * (_choice(step, BUY) + 1)})


_OF_DECISION = {
    PHASE_GIVE: _give,
    PHASE_LAY: _lay,
    PHASE_TRIPLE: _triple,
    PHASE_MAIN: _main,
    PHASE_KEEP: _keep,
    PHASE_TAKE: _take,
    PHASE_OWN: _own,
    PHASE_RIVAL: _rival,
    PHASE_DIE: _die,
    PHASE_SIGN: _sign,
    PHASE_BUY: _buy,
}


# -- points


def _gets(step: Step, card: int, why: dict[str, int]) -> Event:
    """Return the event of points from the stock (ROMA 5.7); ``credited`` are those that it lacked."""
    before, after, seat = step.before, step.after, int(step.before.seat)
    points = int(after.points[seat] - before.points[seat])
    credited = points - int(before.stock - after.stock)
    got = {"points": points, "credited": credited, "why": why, **_points(after, seat)}
    return Event("gets", {"player": _player(seat), "effect": CARDS[card], **got})


def _takes_points(step: Step, card: int, why: dict[str, int]) -> Event:
    """Return the event of points taken from the rival (ROMA 5.7)."""
    before, after, seat = step.before, step.after, int(step.before.seat)
    took = {"points": int(after.points[seat] - before.points[seat]), "why": why, **_points(after, seat)}
    who = {"player": _player(seat), "rival": _player(1 - seat)}
    return Event("takes_points", {**who, "effect": CARDS[card], **took, "left": int(after.points[1 - seat])})


def _points(state: State, seat: int) -> dict[str, int]:
    return {"total": int(state.points[seat]), "stock": int(state.stock)}


def _end(state: State) -> Event:
    """Return the event of the game's end, with what brought it about (ROMA 7.1, 7.2)."""
    points = {_player(seat): int(state.points[seat]) for seat in range(2)}
    without = [player for player, left in points.items() if left == 0]
    why = "stock" if state.stock == 0 else f"turn {LAST_TURN}"
    winners = [player for player, own in points.items() if own == max(points.values())]
    return Event("end", {"winners": winners, "points": points, "why": without[0] if without else why})


# -- words for what a record holds


def _secret(kind: str, secret: str, **details: Any) -> Event:
    return Event(kind, details, secret)


def _choice(step: Step, first: Any) -> int:
    """Return the place of an action in the block that begins with ``first``."""
    return int(step.played - first)


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
