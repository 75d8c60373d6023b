"""`greedy`: a scripted player that arranges its warriors for the highest expected score.

It gives every fort of the wall a value, for itself and for each opponent, and arranges its warriors so that its
expected gain minus that of its opponents is highest. The expectation is a mean-field estimate: each opponent reveals a
warrior of average strength every turn, a clan's chance of a fort grows with its share of the face-up strength, and the
winner loses its row. As a result, weak warriors and Filchy go where little is at stake, and strength is saved for
valuable forts. The search starts with strong warriors on valuable forts and swaps pairs as long as that helps.

Legion forts are worth more than their points, because three of them win the game at once (RULES 5.4); so they are
attractive, and contested when an opponent has two. Zvord's reordering uses the same estimate from the current position.
Qween charms the warrior whose change of sides helps most; Dru'hid takes the most valuable fort; Axx and the Unwary
fort's warrior stay; the weakest warrior and the least valuable fort are given away.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.heuristic_value import counts_as_rival, fort_value
from romans_env.compiling.decorators import inlined, jitted
from romans_env.romans_go_home import material as warriors
from romans_env.romans_go_home.material import HAND_SIZE, MAX_CLANS, NONE, NUM_WARRIORS, STRENGTH, WALL_SIZE
from romans_env.romans_go_home.state import State

SOFTNESS = 3.5
"""Strength that multiplies the odds of a capture by e."""
CHARM_GAIN = 4.0
"""Expected strength that a Qween gains by charming."""
WRECK_CHANCE = 0.2
"""Probability that an opponent reveals a Ch'ariott in the same turn."""
TIE_EDGE = 0.7
"""Value of winning ties, in strength."""
HORSIE_LOSS = 3.0
"""Strength lost when Horsie does not capture and other warriors are face-up."""

_MAX_STRENGTH = 64
# exp(strength / SOFTNESS) in steps of a quarter: a look-up takes a tenth of the time of the function.
_ODDS = np.exp(np.arange(_MAX_STRENGTH * 4) / 4.0 / SOFTNESS)

# The columns of the sheet, which has one row per slot.
_OWN_VALUE, _RIVAL_VALUE, _BEST_TAKE = 0, 1, 1 + MAX_CLANS
_SHEET_COLUMNS = 2 + MAX_CLANS

# The effects of the warriors on the expected score, by kind (the first three also by the number of opponents). They are
# tables, because millions of lines are evaluated and branches on the next warrior of a line are hard to predict.
_RIVALS = np.arange(MAX_CLANS)[:, None]
_IS = np.eye(NUM_WARRIORS)
_LASTING = STRENGTH * np.where(_IS[warriors.CHARIOTT], 1.0 - WRECK_CHANCE * _RIVALS, 1.0)
"""Strength that stays in the row."""
_FIGHTING = _LASTING + CHARM_GAIN * _IS[warriors.QWEEN] + TIE_EDGE * _IS[warriors.ARCHR]
"""Strength in the turn itself."""
_CHARM = CHARM_GAIN / np.maximum(_RIVALS, 1) * _IS[warriors.QWEEN]
"""Strength that each opponent loses in the turn."""
_FIGHTS = 1.0 - _IS[warriors.FILCHY]
_RUNS = _IS[warriors.HORSIE]
_STAYS = _IS[warriors.AXX]
_WORTH = np.where(_IS[warriors.DRUHID] == 1.0, _BEST_TAKE, _OWN_VALUE)
"""The column of the sheet that has the value of a capture."""


@inlined
def fill_sheet(state: State, seat, sheet):
    """Write the values of every slot: for the seat, for each opponent, and of the best fort Dru'hid could take then.

    ``sheet`` is float64, shape ``(WALL_SIZE, _SHEET_COLUMNS)``.
    """
    rivals = max(1, (state.num_clans if state.num_players == 1 else state.num_players) - 1)
    for slot in range(WALL_SIZE):
        fort = state.wall[slot]
        sheet[slot, _OWN_VALUE] = fort_value(state, seat, fort)
        for other in range(state.num_clans):
            sheet[slot, _RIVAL_VALUE + other] = 0.0
            if other != seat and counts_as_rival(state, other):
                sheet[slot, _RIVAL_VALUE + other] = fort_value(state, other, fort) / rivals
    best = -100.0
    for slot in range(WALL_SIZE - 1, -1, -1):
        if state.wall[slot] != NONE:
            best = max(best, sheet[slot, _OWN_VALUE])
        sheet[slot, _BEST_TAKE] = best


@inlined
def strength_left(state: State, seat):
    """Return the face-up strength that a clan keeps after this turn's capture, as far as it is known."""
    if seat == state.captor:
        return float(STRENGTH[warriors.AXX]) if state.axx_stays else 0.0
    total = np.int64(0)
    for warrior in range(NUM_WARRIORS):
        total += state.face_up[seat, warrior] * STRENGTH[warrior]
    return float(total)


@inlined
def average_unseen(state: State, seat):
    """Return the average strength of the warriors that a clan has not shown this round."""
    total = np.int64(0)
    count = np.int64(0)
    for warrior in range(NUM_WARRIORS):
        left = state.warriors[warrior] - state.shown[seat, warrior]
        total += left * STRENGTH[warrior]
        count += left
    return total / count


@inlined
def odds(strength):
    """Return the odds of a total strength; a clan's chance of a fort is its odds divided by the sum of all."""
    return _ODDS[min(int(strength * 4.0), _MAX_STRENGTH * 4 - 1)]


@inlined
def expected_score(state: State, seat, cards, first, start, keeps, sheet, course, rows, averages, theirs):
    """Return the seat's expected points minus its opponents', if it lays ``cards`` from slot ``first`` on.

    Args:
        state: the record.
        seat: the planning seat.
        cards: the warriors of the line, by slot: int64, shape ``(line,)`` or longer.
        first: the first slot.
        start: the index of the card to begin with; the cards before it must be as in the call that wrote ``course``.
        keeps: whether to write ``course``.
        sheet: the values of the slots, from `fill_sheet`.
        course: the situation before each card, one row per card: the score so far, the seat's face-up strength, and the
            face-up strength of every clan: float64, shape ``(HAND_SIZE, 2 + MAX_CLANS)``.
        rows: scratch for the face-up strength of every clan: float64, shape ``(MAX_CLANS,)``.
        averages: the strength that each clan is expected to add per turn: float64, shape ``(MAX_CLANS,)``.
        theirs: scratch for the odds of every clan: float64, shape ``(MAX_CLANS,)``.
    """
    rivals = state.num_clans - 1
    score = course[start, 0]
    own = course[start, 1]
    for other in range(state.num_clans):
        rows[other] = course[start, 2 + other]
    for slot in range(first + start, state.line_size):
        if keeps:
            course[slot - first, 0] = score
            course[slot - first, 1] = own
            for other in range(state.num_clans):
                course[slot - first, 2 + other] = rows[other]
        warrior = cards[slot - first]
        alone = own < 1.0
        lasting = _LASTING[rivals, warrior]
        charm = _CHARM[rivals, warrior]
        own_odds = _FIGHTS[warrior] * odds(own + _FIGHTING[rivals, warrior])
        all_odds = own_odds
        for other in range(state.num_clans):
            if other != seat:
                rows[other] += averages[other]
                theirs[other] = odds(max(rows[other] - charm, 0.0))
                all_odds += theirs[other]
        chance = own_odds / all_odds
        score += chance * sheet[slot, _WORTH[warrior]]
        for other in range(state.num_clans):
            if other != seat:
                their_chance = theirs[other] / all_odds
                score -= their_chance * sheet[slot, _RIVAL_VALUE + other]
                rows[other] *= 1.0 - their_chance
        own += lasting
        own -= _RUNS[warrior] * ((1.0 - chance) * (lasting if alone else HORSIE_LOSS))
        own = (1.0 - chance) * own + _STAYS[warrior] * (chance * lasting)
    return score


@jitted
def best_order(state: State, seat, cards, num_cards, num_fixed, first):
    """Arrange cards in place for the highest expected score, by swapping pairs.

    A swap is kept if it raises the expected score; the search ends after a pass over all pairs without such a swap, or
    after four passes.

    Args:
        state: the record.
        seat: the planning seat.
        cards: the line from slot ``first`` on and, if one card is left over, the warrior set aside: int64, shape
            ``(num_cards,)`` or longer.
        num_cards: the number of cards.
        num_fixed: the number of cards at the beginning that keep their place.
        first: the first slot.
    """
    sheet = np.empty((WALL_SIZE, _SHEET_COLUMNS))
    course = np.empty((HAND_SIZE, 2 + MAX_CLANS))
    rows = np.empty(MAX_CLANS)
    averages = np.empty(MAX_CLANS)
    theirs = np.empty(MAX_CLANS)
    fill_sheet(state, seat, sheet)
    course[0, 0] = 0.0
    course[0, 1] = strength_left(state, seat)
    for other in range(state.num_clans):
        averages[other] = average_unseen(state, other)
        course[0, 2 + other] = strength_left(state, other)
    num_slots = np.int64(state.line_size) - first
    spread_by_value(cards, num_cards, num_fixed, num_slots, sheet, first)
    start = np.int64(0)
    best = expected_score(state, seat, cards, first, start, True, sheet, course, rows, averages, theirs)
    # Count the pairs tried since the last swap: once all have been tried, another pass would find nothing.
    num_pairs = (num_cards - num_fixed) * (num_cards - num_fixed - 1) // 2
    tried = 0
    for _ in range(4):
        if tried >= num_pairs:
            break
        for a in range(num_fixed, num_cards):
            for b in range(a + 1, num_cards):
                tried += 1
                if tried <= num_pairs and cards[a] != cards[b]:
                    cards[a], cards[b] = cards[b], cards[a]
                    # Nothing before card a changes.
                    score = expected_score(state, seat, cards, first, a, False, sheet, course, rows, averages, theirs)
                    if score > best + 1e-9:
                        best = expected_score(state, seat, cards, first, a, True, sheet, course, rows, averages, theirs)
                        tried = 0
                    else:
                        cards[a], cards[b] = cards[b], cards[a]


@inlined
def spread_by_value(cards, num_cards, num_fixed, num_slots, sheet, first):
    """Sort the free cards in place: the strongest to the most valuable slot; a card left over is the weakest."""
    for a in range(num_fixed, num_cards):
        for b in range(a + 1, num_cards):
            if cards[b] > cards[a]:
                cards[a], cards[b] = cards[b], cards[a]
    weakest = cards[num_cards - 1]
    for a in range(num_fixed, num_slots):
        for b in range(a + 1, num_slots):
            stronger_left = cards[a] > cards[b]
            better_left = sheet[first + a, _OWN_VALUE] >= sheet[first + b, _OWN_VALUE]
            if stronger_left != better_left:
                cards[a], cards[b] = cards[b], cards[a]
    if num_cards > num_slots:
        cards[num_cards - 1] = weakest
