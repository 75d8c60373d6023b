"""The rules of thumb of the scripted agents: a score for every legal action, from what the seat sees.

A style is a row of weights; the agents differ in it alone (`styles`). Scores are about points: what a die's use gains
now, and what a card on a disc is worth.
"""

from __future__ import annotations

import numpy as np

from romans_agents.roma.styles import ATTACK, CARD_WORTH, COVER, DRAWN, FILL, GAIN, SESTERTIUS
from romans_env.engine.compiled import inlined, jitted
from romans_env.engine.random_stream import below
from romans_env.roma.actions import (
    ACTIVATE,
    BUY,
    DIE,
    DRAW,
    END,
    GIVE,
    KEEP,
    LAY,
    MINUS,
    MONEY,
    OWN,
    PLUS,
    RIVAL,
    STAND,
    START,
    STOP,
    TAKE,
    THROW,
    lowest,
)
from romans_env.roma.activation import can_work
from romans_env.roma.cards import (
    AESCULAPINUM,
    ARCHITECTUS,
    BASILICA,
    CENTURIO,
    CONSUL,
    COST,
    ESSEDUM,
    FORUM,
    GLADIATOR,
    HARUSPEX,
    LEGAT,
    LEGIONARIUS,
    MERCATOR,
    MERCATUS,
    NERO,
    NONE,
    NUM_CARDS,
    NUM_CHARACTERS,
    NUM_DISCS,
    NUM_FACES,
    ONAGER,
    PRAETORIANUS,
    SCAENICUS,
    SENATOR,
    SICARIUS,
    TEMPLUM,
    TRIBUNUS,
    VELITES,
)
from romans_env.roma.general import defence, is_building, is_character
from romans_env.roma.points import num_opposing_forums
from romans_env.roma.state import LEGAL_WORDS, PHASE_MAIN
from romans_env.roma.turn import num_free_discs

NEVER = -1e9


@inlined
def worth_on(state, seat, disc, style):
    """What the card on a disc is worth; 0 for none."""
    kind = state.discs[seat, disc]
    return CARD_WORTH[style, kind] if kind >= 0 else 0.0


@inlined
def chance_to_win(state, disc):
    """The probability that a battle die beats the rival's card on a disc (ROMA 5.6)."""
    needed = defence(state, disc)
    return min(1.0, max(0.0, (7.0 - needed) / 6.0))


@inlined
def best_die(state):
    """The highest unused die, 0 for none."""
    best = np.int64(0)
    for face in range(NUM_FACES):
        if state.dice[face] > 0:
            best = np.int64(face + 1)
    return best


@jitted
def target_worth(state, effect, style):
    """What the best choice of a card among the rival's discs is worth to an effect, and the disc."""
    best, place = 0.0, np.int64(NONE)
    for disc in range(NUM_DISCS):
        kind = state.discs[1 - state.seat, disc]
        if kind == NONE:
            continue
        is_fit = is_character(kind)
        if (effect == NERO) | (effect == ONAGER):
            is_fit = is_building(kind)
        if effect == PRAETORIANUS:
            is_fit = state.blocked[1 - state.seat, disc] == 0
        if not is_fit:
            continue
        worth = CARD_WORTH[style, kind] + 1.0
        if (effect == VELITES) | (effect == ONAGER):
            worth *= chance_to_win(state, disc)
        elif effect == GLADIATOR:
            worth *= 0.8
        elif effect == PRAETORIANUS:
            worth *= 0.3
        if worth > best:
            best, place = worth, np.int64(disc)
    return best, place


@jitted
def gain_of(state, kind, disc, style):
    """What the effect of a card on disc d gains now, in points; the dice are those that are left then."""
    gain = 0.0
    if kind == FORUM:
        gain = float(best_die(state))
        templum = False
        for other in (disc - 1, disc + 1):
            if 0 <= other < NUM_DISCS:
                gain += 2.0 * np.int64(state.discs[state.seat, other] == BASILICA)
                templum = templum or state.discs[state.seat, other] == TEMPLUM
        gain *= GAIN[style]
        if templum:
            gain += 1.0
    elif kind == LEGAT:
        gain = GAIN[style] * num_free_discs(state, 1 - state.seat)
    elif kind == TRIBUNUS:
        gain = 1.5 * GAIN[style]
    elif kind == MERCATUS:
        gain = 1.5 * GAIN[style] * num_opposing_forums(state)
    elif kind == MERCATOR:
        gain = 1.2 * min(float(state.money[state.seat]) // 2.0, float(state.points[1 - state.seat]))
    elif (kind == LEGIONARIUS) | (kind == CENTURIO):
        chance = chance_to_win(state, disc)
        if kind == CENTURIO:
            chance = min(1.0, chance + 0.2)
        gain = ATTACK[style] * chance * (worth_on(state, 1 - state.seat, disc, style) + 1.0)
    elif (kind == SICARIUS) | (kind == NERO):
        gain = ATTACK[style] * target_worth(state, kind, style)[0] - CARD_WORTH[style, kind] - 1.0
    elif (kind == VELITES) | (kind == ONAGER) | (kind == GLADIATOR) | (kind == PRAETORIANUS):
        gain = ATTACK[style] * target_worth(state, kind, style)[0]
    elif (kind == ARCHITECTUS) | (kind == SENATOR):
        free = num_free_discs(state, state.seat)
        for card in range(NUM_CARDS):
            if state.hand[state.seat, card] > 0 and (card < NUM_CHARACTERS) == (kind == SENATOR) and free > 0:
                gain += CARD_WORTH[style, card] + FILL[style] + 0.3 * COST[card]
                free -= 1
    elif kind == HARUSPEX:
        gain = 2.2
    elif kind == AESCULAPINUM:
        gain = 1.6
    elif kind == CONSUL:
        gain = 0.0
    elif kind == ESSEDUM:
        gain = 0.3 * ATTACK[style]
    else:
        gain = NEVER
    return gain


@jitted
def activation_gain(state, disc, style):
    """What activating the card on a disc gains: `gain_of` with one die of its value used (ROMA 4.4)."""
    kind = state.discs[state.seat, disc]
    state.dice[disc] -= 1
    if kind == SCAENICUS:
        best = 0.0
        for other in range(NUM_DISCS):
            card = state.discs[state.seat, other]
            if is_character(card) and card != SCAENICUS and can_work(state, card, disc):
                best = max(best, gain_of(state, card, disc, style))
        gain = best
    else:
        gain = gain_of(state, kind, disc, style)
    state.dice[disc] += 1
    return gain


@inlined
def lay_score(state, kind, disc, style):
    """A card on a disc: its worth, and the point that a free disc costs every turn; or the worth of what it covers."""
    seat = state.seat
    score = CARD_WORTH[style, kind]
    if state.discs[seat, disc] == NONE:
        score += FILL[style]
    else:
        score -= worth_on(state, seat, disc, style) + COVER[style]
    for other in (disc - 1, disc + 1):
        if 0 <= other < NUM_DISCS:
            near = state.discs[seat, other]
            if ((kind == BASILICA) | (kind == TEMPLUM)) and near == FORUM:
                score += 0.8
            if kind == FORUM and ((near == BASILICA) | (near == TEMPLUM)):
                score += 0.8
    return score


@jitted
def wanted_money(state):
    """What the dearest card of the hand that is out of reach lacks; 0 if none is."""
    lacking = np.int64(0)
    for kind in range(NUM_CARDS):
        if state.hand[state.seat, kind] > 0:
            lacking = max(lacking, np.int64(COST[kind]) - np.int64(state.money[state.seat]))
    return lacking


@jitted
def main_score(state, action, style):
    """An action of phase 3 (ROMA 4.4)."""
    if action >= END:
        return 0.0
    if action >= ACTIVATE:
        # A die has other uses.
        return activation_gain(state, action - ACTIVATE, style) - 0.35 * (action - ACTIVATE + 1)
    if action >= DRAW:
        face = action - DRAW + 1
        hand = float(state.hand_size[state.seat])
        return DRAWN[style] * (0.6 + 0.2 * face) / (1.0 + hand) - 0.2 * face + 0.2
    if action >= MONEY:
        face = action - MONEY + 1
        useful = min(float(face), float(wanted_money(state)))
        return SESTERTIUS[style] * (useful + 0.25 * face) - 0.2 * face + 0.15
    return lay_score(state, (action - LAY) // NUM_DISCS, (action - LAY) % NUM_DISCS, style)


@jitted
def score_of(state, action, style):
    """The score of a legal action of the deciding seat."""
    seat = state.seat
    if state.phase == PHASE_MAIN:
        return main_score(state, action, style)
    if action == STOP:
        return 0.0
    if action >= BUY:
        return float(action - BUY)
    if action >= DIE and action < PLUS:
        value = float(action - DIE + 1)
        return 10.0 - value if state.effect == CENTURIO else value
    if action == PLUS:
        return 1.0
    if action == MINUS:
        return 0.0
    if action >= RIVAL and action < DIE:
        _, place = target_worth(state, state.effect, style)
        return 1.0 if action - RIVAL == place else 0.0
    if action >= OWN and action < RIVAL:
        disc = action - OWN
        if state.effect == SCAENICUS:
            return gain_of(state, state.discs[seat, disc], state.disc, style)
        return -worth_on(state, seat, disc, style)
    if action >= KEEP and action < OWN:
        kind = (action - TAKE) if action >= TAKE else (action - KEEP)
        return CARD_WORTH[style, kind] - 0.1 * COST[kind]
    if STAND >= action >= THROW:
        return 1.0 if action == STAND else 0.0
    if action >= LAY:
        kind, disc = (action - LAY) // NUM_DISCS, (action - LAY) % NUM_DISCS
        score = lay_score(state, kind, disc, style)
        return score if state.effect == ARCHITECTUS or state.effect == SENATOR else score + 10.0
    return -CARD_WORTH[style, action - GIVE]


@jitted
def scripted_action(state, style, streams, row):
    """The legal action of the highest score; ties are broken by chance."""
    best_action, best, equals = np.int64(NONE), NEVER * 2.0, 0
    for word in range(LEGAL_WORDS):
        bits = state.legal[word]
        while bits != 0:
            action = START[word] + lowest(bits)
            bits &= bits - 1
            score = score_of(state, action, style)
            if score > best:
                best_action, best, equals = action, score, 1
            elif score == best:
                equals += 1
                if below(streams, row, equals) == 0:
                    best_action = action
    return best_action
