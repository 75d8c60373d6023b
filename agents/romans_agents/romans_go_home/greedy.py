"""`greedy`: the scripted player that a person who knows the game would call sensible.

Its idea: give every fort of the wall a value (for itself and, as a threat, for each rival player), and arrange the
warriors so that the sum of what it expects to win, less what it expects its rivals to win, is highest. The expectation
is a mean-field estimate: rivals are thought to reveal a warrior of average strength every turn, a fort goes to a clan
with a chance that grows with its share of the strength face-up, and winning empties one's row. So weak warriors and
Filchy go where little is at stake and save up for the forts that matter. The search starts from strong warriors on good
forts and swaps pairs while that helps.

Legion forts are worth more than their points: three of them win the game at once (RULES 5.4), so they are wanted, and
fought over when a rival has two. Zvord's reorder uses the same estimate from the position as it stands; Qween charms
the warrior that turns the fight best; Dru'hid takes the most valuable fort; Axx and the Unwary fort's warrior stay; the
weakest warrior and the least valuable fort are given away.
"""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.heuristic_value import counts_as_rival, fort_value
from romans_env.compiling.decorators import inlined, jitted
from romans_env.romans_go_home import material as warriors
from romans_env.romans_go_home.material import HAND_SIZE, MAX_CLANS, NONE, NUM_WARRIORS, STRENGTH, WALL_SIZE
from romans_env.romans_go_home.state import State

SOFTNESS = 3.5
"""Strength by which a lead must grow for its odds to grow e-fold."""
CHARM_GAIN = 4.0
"""Strength a Qween is expected to win over."""
WRECK_CHANCE = 0.2
"""Chance that a rival reveals a Ch'ariott in the same turn."""
TIE_EDGE = 0.7
"""Strength that winning ties is worth."""
HORSIE_LOSS = 3.0
"""Strength lost when Horsie does not capture and others are face-up."""

_MAX_STRENGTH = 64
# exp(strength / SOFTNESS) in quarter steps of strength: a look-up costs a tenth of the function.
_ODDS = np.exp(np.arange(_MAX_STRENGTH * 4) / 4.0 / SOFTNESS)

# The columns of the work sheet: a row a slot.
_OWN_VALUE, _RIVAL_VALUE, _BEST_TAKE = 0, 1, 1 + MAX_CLANS
_SHEET_COLUMNS = 2 + MAX_CLANS

# What the warriors do to the expected score, by kind (and, in the first three, by the number of rivals). Looked up, as
# lines are evaluated in millions, and a branch on the next warrior of a line is guessed wrong as often as not.
_RIVALS = np.arange(MAX_CLANS)[:, None]
_IS = np.eye(NUM_WARRIORS)
_LASTING = STRENGTH * np.where(_IS[warriors.CHARIOTT], 1.0 - WRECK_CHANCE * _RIVALS, 1.0)
"""Strength that joins the row."""
_FIGHTING = _LASTING + CHARM_GAIN * _IS[warriors.QWEEN] + TIE_EDGE * _IS[warriors.ARCHR]
"""Strength in the turn itself."""
_CHARM = CHARM_GAIN / np.maximum(_RIVALS, 1) * _IS[warriors.QWEEN]
"""Strength that each rival loses in the turn."""
_FIGHTS = 1.0 - _IS[warriors.FILCHY]
_RUNS = _IS[warriors.HORSIE]
_STAYS = _IS[warriors.AXX]
_WORTH = np.where(_IS[warriors.DRUHID] == 1.0, _BEST_TAKE, _OWN_VALUE)
"""The column of the sheet with what a capture is worth."""


@inlined
def fill_sheet(state: State, seat, sheet):
    """Value of every slot: for the seat, for each rival, and the best that Dru'hid could take there."""
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
    """Strength a clan's row keeps after this turn's capture, as far as it is known."""
    if seat == state.captor:
        return float(STRENGTH[warriors.AXX]) if state.axx_stays else 0.0
    total = np.int64(0)
    for warrior in range(NUM_WARRIORS):
        total += state.face_up[seat, warrior] * STRENGTH[warrior]
    return float(total)


@inlined
def average_unseen(state: State, seat):
    """Average strength of the warriors that a clan has not shown this round."""
    total = np.int64(0)
    count = np.int64(0)
    for warrior in range(NUM_WARRIORS):
        left = state.warriors[warrior] - state.shown[seat, warrior]
        total += left * STRENGTH[warrior]
        count += left
    return total / count


@inlined
def odds(strength):
    """Return the weight of a total of some strength: a softmax over clans divides it by their sum."""
    return _ODDS[min(int(strength * 4.0), _MAX_STRENGTH * 4 - 1)]


@inlined
def expected_score(state: State, seat, cards, first, start, keeps, sheet, course, rows, averages, theirs):
    """Return the points that the seat expects, less its rivals', if it lays ``cards`` from slot ``first`` on.

    Args:
        state: the record.
        seat: the seat that plans.
        cards: the line, in order.
        first: the first slot.
        start: the card to begin with; those before it are as they were when the course was kept.
        keeps: whether the course is kept.
        sheet: the value of the slots.
        course: how things stand before each card, a row a card: the score so far, the seat's strength face-up, and that
            of every clan.
        rows: scratch, by clan: strength face-up.
        averages: the strength that a rival is expected to add, by clan.
        theirs: scratch, by clan: odds.
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
    """Arrange ``cards`` in place: the line from slot ``first``, then (when one is left over) the warrior set aside.

    The first ``num_fixed`` are left where they are. A swap is kept when it raises the expected score; the search ends
    when a pass over all pairs keeps none.
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
    # Pairs tried since the last swap that was kept: once all have been, another pass would find nothing.
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
    """Sort the free cards, strongest to the slot of the highest value; one left over is the weakest."""
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
