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

from agents.base import Agent
from romans_env import View
from romans_env.romans_go_home.actions import (
    AXX_KEEP,
    CHARM,
    DISCARD,
    GIVE_UP,
    PLACE,
    REORDER,
    TAKE,
    UNWARY_KEEP,
    bit,
    lowest,
)
from romans_env.romans_go_home.attack import count_totals, find_captor
from romans_env.romans_go_home.cards import (
    ARCHR,
    AXX,
    CHARIOTT,
    DRUHID,
    FILCHY,
    HAND_SIZE,
    HORSIE,
    MAX_CLANS,
    NONE,
    NUM_FORTS,
    NUM_LEGION_KINDS,
    NUM_WARRIORS,
    POINTS,
    QWEEN,
    STRENGTH,
    TAX,
    UNWARY,
    WALL_SIZE,
)
from romans_env.romans_go_home.compiled import entry_point, inlined, shared
from romans_env.romans_go_home.seats import seats_on
from romans_env.romans_go_home.state import (
    PHASE_AXX,
    PHASE_CHARM,
    PHASE_DISCARD,
    PHASE_PLACE,
    PHASE_TAKE,
    PHASE_TAX,
    PHASE_UNWARY,
    PHASE_ZVORD,
)

# Chosen from eight variants by the win rate against `random` on 2+0, 2+1, 4+0 and in 1+2, 4 000 games or more each.
# Higher values win more on 2+0 (93 % for 6, 12, 40) and less with three rivals; with none at all 2+0 falls to 26 %.
LEGION_VALUES = np.array([4.0, 10.0, 40.0, 40.0])
"""What a Legion fort is worth, in points, to a player who holds so many and can still reach three."""
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
# lines are weighed in millions, and a branch on the next warrior of a line is guessed wrong as often as not.
_RIVALS = np.arange(MAX_CLANS)[:, None]
_IS = np.eye(NUM_WARRIORS)
_LASTING = STRENGTH * np.where(_IS[CHARIOTT], 1.0 - WRECK_CHANCE * _RIVALS, 1.0)
"""Strength that joins the row."""
_FIGHTING = _LASTING + CHARM_GAIN * _IS[QWEEN] + TIE_EDGE * _IS[ARCHR]
"""Strength in the turn itself."""
_CHARM = CHARM_GAIN / np.maximum(_RIVALS, 1) * _IS[QWEEN]
"""Strength that each rival loses in the turn."""
_FIGHTS = 1.0 - _IS[FILCHY]
_RUNS = _IS[HORSIE]
_STAYS = _IS[AXX]
_WORTH = np.where(_IS[DRUHID] == 1.0, _BEST_TAKE, _OWN_VALUE)
"""The column of the sheet with what a capture is worth."""


@inlined
def fort_value(state, seat, fort):
    """What a fort is worth to a clan now, in points."""
    if fort == NONE:
        return 0.0
    if fort < NUM_LEGION_KINDS and seat < state.num_players:
        held = np.int64(state.num_legion[seat])
        if held + legion_within_reach(state) >= 3:
            return LEGION_VALUES[min(held, np.int64(3))]
    value = float(POINTS[fort])
    if fort == UNWARY:
        value += 1.0
    elif fort == TAX:
        value -= 1.5
    return value


@inlined
def legion_within_reach(state):
    """How many Legion forts no clan has captured and nobody discarded."""
    count = np.int64(0)
    for fort in range(NUM_LEGION_KINDS):
        count += state.fort_deck[fort] - state.lost_forts[fort]
    for seat in range(state.num_clans):
        count -= np.int64(state.num_legion[seat])
    return count


@inlined
def counts_as_rival(state, seat):
    """Whether what a clan wins can cost the game: players, and neutrals in a solo game (RULES 7.3)."""
    return seat < state.num_players or state.num_players == 1


@inlined
def fill_sheet(state, seat, sheet):
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
def strength_left(state, seat):
    """Strength a clan's row keeps after this turn's capture, as far as it is known."""
    if seat == state.captor:
        return float(STRENGTH[AXX]) if state.axx_stays else 0.0
    total = np.int64(0)
    for warrior in range(NUM_WARRIORS):
        total += state.face_up[seat, warrior] * STRENGTH[warrior]
    return float(total)


@inlined
def average_unseen(state, seat):
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
    return _ODDS[min(int(strength * 4.0), _MAX_STRENGTH * 4 - 1)]


@inlined
def expected_score(state, seat, cards, first, start, keeps, sheet, course, rows, averages, theirs):
    """What the seat expects to win, less what its rivals do, if it lays ``cards`` from slot ``first`` on.

    Args:
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


@shared
def best_order(state, seat, cards, num_cards, num_fixed, first):
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


@inlined
def gather(state, seat, cards, first, laid):
    """The deciding seat's cards of this plan: those laid from ``first`` to ``laid``, then its hand."""
    count = 0
    for slot in range(first, laid):
        cards[count] = state.line[seat, slot]
        count += 1
    for warrior in range(NUM_WARRIORS):
        for _ in range(state.hand[seat, warrior]):
            cards[count] = warrior
            count += 1
    return count


@shared
def planned_order(state, seat, order):
    """The seat's plan for the slots of the line and, after them in ``order``, the warrior to set aside.

    Once cards are laid, the plan is the one made at the start, if they agree with it; else the best way on from them.
    """
    count = gather(state, seat, order, np.int64(0), np.int64(state.slot))
    aside = state.set_aside[state.round_index, seat]
    if aside != NONE:
        order[count] = aside
        count += 1
    start = np.int64(0)
    best_order(state, seat, order, count, start, start)
    agrees = aside == NONE or order[state.line_size] == aside
    for slot in range(state.slot):
        agrees = agrees and order[slot] == state.line[seat, slot]
    if not agrees:
        laid = np.int64(state.slot)
        best_order(state, seat, order, gather(state, seat, order, start, laid), laid, start)


@inlined
def choose_reorder(state, seat):
    order = np.empty(HAND_SIZE, dtype=np.int64)
    turn = np.int64(state.turn)
    laid = np.int64(state.slot) - turn
    count = gather(state, seat, order, turn, turn + laid)
    best_order(state, seat, order, count, np.int64(0), turn)
    agrees = True
    for k in range(laid):
        agrees = agrees and order[k] == state.line[seat, turn + k]
    if not agrees:
        count = gather(state, seat, order, turn, turn + laid)
        best_order(state, seat, order, count, laid, turn)
    return REORDER + order[laid]


@inlined
def choose_charm(state, seat):
    """Charm the warrior that turns the fight best; among equals the strongest."""
    fort = state.wall[state.turn - 1]
    best_action = lowest(state.legal)
    best = -1000.0
    for k in range(1, state.num_clans):
        if state.legal & bit(CHARM + k - 1) != 0:
            rival = seats_on(state, seat, k)
            state.charmed = rival
            count_totals(state)
            captor = find_captor(state)
            score = 0.01 * STRENGTH[state.revealed[rival]]
            if captor == seat:
                score += fort_value(state, seat, fort)
            elif captor != NONE and counts_as_rival(state, captor):
                score -= fort_value(state, captor, fort)
            if score > best:
                best = score
                best_action = CHARM + k - 1
    state.charmed = NONE
    return best_action


@inlined
def choose_take(state, seat):
    """The most valuable fort of the wall; among equals the one that leaves this turn's fort where it is."""
    best_action = lowest(state.legal)
    best = -1000.0
    for slot in range(WALL_SIZE):
        if state.legal & bit(TAKE + slot) != 0:
            value = fort_value(state, seat, state.wall[slot])
            if value > best:
                best = value
                best_action = TAKE + slot
    return best_action


@inlined
def choose_give_up(state, seat):
    """The least valuable captured fort; Legion forts count as what they are worth on the way to three."""
    best_action = lowest(state.legal)
    best = 1000.0
    held = np.int64(state.num_legion[seat])
    for fort in range(NUM_FORTS):
        if state.legal & bit(GIVE_UP + fort) != 0:
            value = float(POINTS[fort])
            if fort < NUM_LEGION_KINDS and held == 2 and legion_within_reach(state) > 0:
                value = LEGION_VALUES[1]
            if value < best:
                best = value
                best_action = GIVE_UP + fort
    return best_action


@shared
def greedy_action(state, seat):
    """The action `greedy` chooses for the deciding seat, from a record hidden for it."""
    phase = state.phase
    if phase in (PHASE_DISCARD, PHASE_PLACE):
        order = np.empty(HAND_SIZE, dtype=np.int64)
        planned_order(state, seat, order)
        if phase == PHASE_DISCARD:
            return DISCARD + order[state.line_size]
        return PLACE + order[state.slot]
    if phase == PHASE_ZVORD:
        return choose_reorder(state, seat)
    if phase == PHASE_CHARM:
        return choose_charm(state, seat)
    if phase == PHASE_TAKE:
        return choose_take(state, seat)
    if phase == PHASE_AXX:
        return np.int64(AXX_KEEP)
    if phase == PHASE_UNWARY:
        return np.int64(UNWARY_KEEP)
    if phase == PHASE_TAX:
        return choose_give_up(state, seat)
    return np.int64(lowest(state.legal))  # the weakest warrior goes


@entry_point
def act_greedily(views, i, seat):
    """`greedy_action` for Python; ``views[i]`` may be used as scratch."""
    return greedy_action(views[i], seat)


class GreedyAgent(Agent):
    """The scripted player of this module; it has no chance of its own."""

    name = "greedy"
    compiled_code = 2

    def act(self, view: View) -> int:
        return int(act_greedily(view.states.copy(), 0, view.seat))
