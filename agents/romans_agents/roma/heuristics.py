"""The heuristics of the scripted agents: a score for every legal action, from the seat's private view.

The agents differ only in their style, a row of weights (`romans_agents.roma.styles`). Scores are roughly in points: the
gain of using a die this turn, and the later value of a card on a disc. Numbers without a source are estimates.
"""

from __future__ import annotations

import numpy as np

from romans_agents.roma.styles import ATTACK, CARD_WORTH, COVER, DRAWN, FILL, GAIN, SESTERTIUS
from romans_env.compiling.decorators import inlined, jitted
from romans_env.engine.bits import lowest
from romans_env.roma import actions
from romans_env.roma import material as cards
from romans_env.roma.activation import can_work
from romans_env.roma.general import defence, is_building, is_character
from romans_env.roma.material import COST, NONE, NUM_CARDS, NUM_CHARACTERS, NUM_DISCS, NUM_FACES
from romans_env.roma.points import num_opposing_forums
from romans_env.roma.state import LEGAL_WORDS, PHASE_MAIN, State
from romans_env.roma.turn import num_free_discs

NEVER = -1e9
"""The score of an activation that is never chosen."""


@jitted
def scripted_action(state: State, style):
    """Return the legal action with the highest score; ties go to the lowest id."""
    best_action, best = np.int64(NONE), 2.0 * NEVER
    for word in range(LEGAL_WORDS):
        bits = state.legal[word]
        while bits != 0:
            action = actions.START[word] + lowest(bits)
            bits &= bits - 1
            score = score_of(state, action, style)
            if score > best:
                best_action, best = action, score
    return best_action


@jitted
def score_of(state: State, action, style):
    """Return the score of a legal action of the seat to act.

    Args:
        state: the record; the opponent's hidden cards are not read.
        action: the id of the action.
        style: the row of weights in `romans_agents.roma.styles`.
    """
    if state.phase == PHASE_MAIN:
        return main_score(state, action, style)
    if action < actions.LAY:
        return -CARD_WORTH[style, action - actions.GIVE]
    if action < actions.THROW:
        return lay_score(state, action, style)
    if action < actions.KEEP:
        return 1.0 if action == actions.STAND else 0.0
    if action < actions.OWN:
        kind = action - (actions.TAKE if action >= actions.TAKE else actions.KEEP)
        return CARD_WORTH[style, kind] - 0.1 * COST[kind]
    if action < actions.RIVAL:
        if state.effect == cards.SCAENICUS:
            return gain_of(state, state.discs[state.seat, action - actions.OWN], state.disc, style)
        return -worth_on(state, state.seat, action - actions.OWN, style)
    if action < actions.DIE:
        return 1.0 if action - actions.RIVAL == best_target(state, state.effect, style)[0] else 0.0
    if action < actions.PLUS:
        value = float(action - actions.DIE + 1)
        return 10.0 - value if state.effect == cards.CENTURIO else value
    if action < actions.BUY:
        # Prefer `plus` to `minus` and `stop`.
        return 1.0 if action == actions.PLUS else 0.0
    return float(action - actions.BUY)


@jitted
def main_score(state: State, action, style):
    """Return the score of an action of phase 3 (ROMA 4.4), minus the value of the die for other uses."""
    if action < actions.THROW:
        return lay_score(state, action, style)
    if action < actions.DRAW:
        face = action - actions.MONEY + 1
        useful = min(float(face), float(lacking_money(state)))
        return SESTERTIUS[style] * (useful + 0.25 * face) - 0.2 * face + 0.15
    if action < actions.ACTIVATE:
        face = action - actions.DRAW + 1
        hand = float(state.hand_size[state.seat])
        return DRAWN[style] * (0.6 + 0.2 * face) / (1.0 + hand) - 0.2 * face + 0.2
    if action < actions.END:
        return activation_gain(state, action - actions.ACTIVATE, style) - 0.35 * (action - actions.ACTIVATE + 1)
    return 0.0


@inlined
def lay_score(state: State, action, style):
    """Return the score of laying a card.

    It is the card's worth, plus a bonus next to a matching forum, basilica or templum, plus the gain of filling a free
    disc or minus the loss of covering a card.
    """
    kind, disc = (action - actions.LAY) // NUM_DISCS, (action - actions.LAY) % NUM_DISCS
    score = CARD_WORTH[style, kind]
    if state.discs[state.seat, disc] == NONE:
        score += FILL[style]
    else:
        score -= worth_on(state, state.seat, disc, style) + COVER[style]
    for other in (disc - 1, disc + 1):
        if 0 <= other < NUM_DISCS:
            near = state.discs[state.seat, other]
            if (helps_forum(kind) and near == cards.FORUM) or (kind == cards.FORUM and helps_forum(near)):
                score += 0.8
    return score


@inlined
def helps_forum(kind):
    """Return whether a card raises the value of a forum next to it (ROMA 6.18, 6.20)."""
    return (kind == cards.BASILICA) | (kind == cards.TEMPLUM)


@inlined
def worth_on(state: State, seat, disc, style):
    """Return the worth of a seat's card on a disc by the weights of a style; 0 without a card."""
    kind = state.discs[seat, disc]
    return CARD_WORTH[style, kind] if kind >= 0 else 0.0


@jitted
def lacking_money(state: State):
    """Return the sestertii that the seat lacks for the most expensive card of its hand; 0 if it can buy every card."""
    lacking = np.int64(0)
    for kind in range(NUM_CARDS):
        if state.hand[state.seat, kind] > 0:
            lacking = max(lacking, np.int64(COST[kind]) - np.int64(state.money[state.seat]))
    return lacking


@jitted
def activation_gain(state: State, disc, style):
    """Return the gain of activating the card on a disc: `gain_of` after the die has been used (ROMA 4.4)."""
    kind = state.discs[state.seat, disc]
    state.dice[disc] -= 1
    if kind == cards.SCAENICUS:
        gain = 0.0
        for other in range(NUM_DISCS):
            card = state.discs[state.seat, other]
            if is_character(card) and card != cards.SCAENICUS and can_work(state, card, disc):
                gain = max(gain, gain_of(state, card, disc, style))
    else:
        gain = gain_of(state, kind, disc, style)
    state.dice[disc] += 1
    return gain


@jitted
def gain_of(state: State, kind, disc, style):
    """Return the gain of a card's effect on a disc this turn, in points; ``state.dice`` are the remaining dice."""
    if kind == cards.FORUM:
        return forum_gain(state, disc, style)
    if kind == cards.LEGAT:
        return GAIN[style] * num_free_discs(state, 1 - state.seat)
    if kind == cards.TRIBUNUS:
        return 1.5 * GAIN[style]
    if kind == cards.MERCATUS:
        return 1.5 * GAIN[style] * num_opposing_forums(state)
    if kind == cards.MERCATOR:
        return 1.2 * min(float(state.money[state.seat]) // 2.0, float(state.points[1 - state.seat]))
    if (kind == cards.LEGIONARIUS) | (kind == cards.CENTURIO):
        chance = chance_to_win(state, disc) + (0.2 if kind == cards.CENTURIO else 0.0)
        return ATTACK[style] * min(1.0, chance) * (worth_on(state, 1 - state.seat, disc, style) + 1.0)
    if (kind == cards.SICARIUS) | (kind == cards.NERO):
        return ATTACK[style] * best_target(state, kind, style)[1] - CARD_WORTH[style, kind] - 1.0
    if (kind == cards.VELITES) | (kind == cards.ONAGER) | (kind == cards.GLADIATOR) | (kind == cards.PRAETORIANUS):
        return ATTACK[style] * best_target(state, kind, style)[1]
    if (kind == cards.ARCHITECTUS) | (kind == cards.SENATOR):
        return free_cards_gain(state, kind == cards.SENATOR, style)
    if kind == cards.HARUSPEX:
        return 2.2
    if kind == cards.AESCULAPINUM:
        return 1.6
    if kind == cards.CONSUL:
        return 0.0
    if kind == cards.ESSEDUM:
        return 0.3 * ATTACK[style]
    return NEVER


@inlined
def forum_gain(state: State, disc, style):
    """Return the gain of a forum on a disc (ROMA 6.20): the highest die, basilicas (6.18), and a templum (6.23)."""
    points, more = 0.0, 0.0
    for face in range(NUM_FACES):
        if state.dice[face] > 0:
            points = face + 1.0
    for other in (disc - 1, disc + 1):
        if 0 <= other < NUM_DISCS:
            if state.discs[state.seat, other] == cards.BASILICA:
                points += 2.0
            elif state.discs[state.seat, other] == cards.TEMPLUM:
                more = 1.0
    return GAIN[style] * points + more


@inlined
def free_cards_gain(state: State, characters, style):
    """Return the gain of an architectus or a senator: cards that are laid for free on free discs (ROMA 6.1, 6.12)."""
    gain = 0.0
    free = num_free_discs(state, state.seat)
    for kind in range(NUM_CARDS):
        if state.hand[state.seat, kind] > 0 and (kind < NUM_CHARACTERS) == characters and free > 0:
            gain += CARD_WORTH[style, kind] + FILL[style] + 0.3 * COST[kind]
            free -= 1
    return gain


@jitted
def best_target(state: State, effect, style):
    """Return the opponent's disc with the highest gain of an effect, and that gain; NONE and 0 if there is no gain."""
    place, best = np.int64(NONE), 0.0
    for disc in range(NUM_DISCS):
        kind = state.discs[1 - state.seat, disc]
        if kind < 0:
            continue
        worth = CARD_WORTH[style, kind] + 1.0
        if effect == cards.PRAETORIANUS:
            worth *= 0.3 if state.blocked[1 - state.seat, disc] == 0 else 0.0
        elif is_building(kind) != ((effect == cards.NERO) | (effect == cards.ONAGER)):
            worth = 0.0
        elif (effect == cards.VELITES) | (effect == cards.ONAGER):
            worth *= chance_to_win(state, disc)
        elif effect == cards.GLADIATOR:
            worth *= 0.8
        if worth > best:
            place, best = np.int64(disc), worth
    return place, best


@inlined
def chance_to_win(state: State, disc):
    """Return the probability that a battle die beats the opponent's card on a disc (ROMA 5.6)."""
    return min(1.0, max(0.0, (7.0 - defence(state, disc)) / 6.0))
