"""Checks of chance: outcomes and their weights, prescribed deals, and seeds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from romans_env.core.game import Game
from romans_env.core.protocol import CHANCE, GAME_OVER, Rules
from romans_env.core.state_records import copied
from romans_env.engine.random_stream import WORDS
from romans_env.errors import shortened
from romans_env.testing.moment import played, played_on

DRAWS = 400
"""Number of draws of an event, to compare frequencies with weights."""
_MOST_DRAWN = 3
"""Number of events whose frequencies are checked."""


def chance_events(rules: Rules, seed: int) -> Iterator[str]:
    """Check that chance events list distinct outcomes with weights, have distinct keys, and draw by the weights."""
    chosen, words = np.random.default_rng(seed), _words(seed, 1)
    states, drawn = rules.new_states(1), 0
    keys: set[int] = set()
    seat = rules.begin(states, 0)
    for _ in range(10 * rules.max_decisions):
        if not isinstance(seat, (int, np.integer)):
            yield f"begin, act or act_chance gives {seat!r}, not a seat, GAME_OVER, CHANCE or ILLEGAL"
            return
        if seat == GAME_OVER:
            return
        if seat != CHANCE:
            legal = rules.legal_actions(states, 0)
            if not legal:
                return
            try:
                seat = rules.act(states, 0, int(chosen.choice(legal)))
            except Exception:  # reported by the check "play"
                return
            continue
        try:
            outcomes = list(rules.chance_outcomes(states, 0))
        except NotImplementedError:  # an event whose outcomes are drawn, not listed
            seat = rules.play_chance(states, 0, words, 0)[1]
            continue
        key = rules.chance_key(states, 0)
        yield from _of_event(outcomes, key, keys)
        keys.add(key)
        if drawn < _MOST_DRAWN:
            drawn += 1
            yield from _of_draws(rules, states, outcomes, seed)
        for wrong in ("no such outcome", None, -1):
            before = states.tobytes()
            try:
                rules.act_chance(states, 0, wrong)
            except ValueError:
                if states.tobytes() == before:
                    continue
            yield f"act_chance accepts the outcome {wrong!r}, or changes the record before refusing it"
            return
        outcome = rules.draw_outcome(states, 0, words, 0)
        if outcome not in [one for one, _ in outcomes]:
            yield f"draw_outcome gives {shortened(outcome)}, which chance_outcomes does not list"
            return
        seat = rules.act_chance(states, 0, outcome)


def _of_event(outcomes: list[tuple[Any, int]], key: int, keys: set[int]) -> Iterator[str]:
    if not outcomes:
        yield "a chance event has no outcomes"
    wrong = [weight for _, weight in outcomes if not isinstance(weight, (int, np.integer)) or weight < 1]
    if wrong:
        yield f"an outcome of a chance event has the weight {wrong[0]!r}: weights must be integers of at least 1"
    if len({json.dumps(outcome) for outcome, _ in outcomes}) < len(outcomes):
        yield f"chance_outcomes lists an outcome twice: {shortened([outcome for outcome, _ in outcomes])}"
    if not 0 <= key < 2**62:
        yield f"chance_key is {key}, not from 0 to 2**62 - 1"
    if key in keys:
        yield f"two chance events of a game have the key {key}: their outcomes would be the same"


def _of_draws(rules: Rules, states: Any, outcomes: list[tuple[Any, int]], seed: int) -> Iterator[str]:
    words = _words(seed, DRAWS)
    counts = Counter(json.dumps(rules.draw_outcome(copied(states), 0, words, k)) for k in range(DRAWS))
    total = sum(weight for _, weight in outcomes)
    statistic = sum(
        (counts[json.dumps(outcome)] - DRAWS * weight / total) ** 2 / (DRAWS * weight / total)
        for outcome, weight in outcomes
    )
    freedom = len(outcomes) - 1
    # The mean of the chi-square distribution plus six standard deviations, and a margin for few outcomes.
    if statistic > freedom + 6 * (2 * freedom) ** 0.5 + 12:
        yield f"outcomes are not drawn by their weights: chi-square {statistic:.0f} with {freedom} degrees of freedom"


def _words(seed: int, rows: int) -> Any:
    return np.random.default_rng(seed).integers(0, 2**32, size=(rows, WORDS), dtype=np.int64)


def seeds(rules: Rules, seed: int) -> Iterator[str]:
    """Check that equal seeds give equal games, and that different seeds give different ones if there is chance."""
    first, again = (played_on(Game(rules, seed=seed), seed) for _ in range(2))
    others = (played_on(Game(rules, seed=one), seed).outcomes for one in _other_seeds(seed))
    if first.states.tobytes() != again.states.tobytes() or first.outcomes != again.outcomes:
        yield "two games with the same seed and the same actions differ: chance comes from elsewhere"
    elif first.outcomes and all(one == first.outcomes for one in others):
        yield "games with different seeds have the same chance outcomes"


def deals(rules: Rules, seed: int) -> Iterator[str]:
    """Check that a deal is JSON that reproduces its game, and that a partial deal is completed by the seed."""
    whole = played_on(Game(rules, seed=seed), seed)
    deal = json.loads(json.dumps(whole.deal()))
    if json.loads(json.dumps(rules.deal_of(rules.outcomes_of(deal)))) != deal:
        yield "deal_of(outcomes_of(deal)) differs from the deal"
        return
    again = played_on(Game(rules, seed=seed + 1, deal=deal), seed)
    if again.states.tobytes() != whole.states.tobytes():
        yield "a game with a prescribed deal and the same actions ends in another state"
        return
    part = played_on(Game(rules, seed=seed), seed, 1).deal()
    if json.loads(json.dumps(part)) == deal:
        return  # all chance is in the deal
    goes_on = played_on(Game(rules, seed=seed, deal=part), seed).outcomes
    if goes_on != played_on(Game(rules, seed=seed, deal=part), seed).outcomes:
        yield "after a partial deal, games with the same seed have different chance outcomes"
        return
    others = (played_on(Game(rules, seed=one, deal=part), seed).outcomes for one in _other_seeds(seed))
    if all(one == goes_on for one in others):
        yield "after a partial deal, games with different seeds have the same chance outcomes"


def _other_seeds(seed: int) -> range:
    """Return enough seeds that one of them has other chance outcomes, even if all chance is one toss of a coin."""
    return range(seed + 1, seed + 16)


def states(rules: Rules, seed: int) -> Iterator[str]:
    """Check that a record holds all of the state: a structured dtype without objects or gaps, nothing in the rules."""
    dtype = rules.new_states(2).dtype
    if dtype.fields is None or dtype.hasobject:
        yield f"new_states returns {dtype}: records must have a numpy structured dtype without objects"
        return
    end = 0
    for name, (field, offset, *_) in dtype.fields.items():
        if offset != end:
            yield f"the record has a gap before the field {name!r}, whose bytes numpy may or may not copy"
            return
        end = offset + field.itemsize
    alone = played_on(Game(rules, seed=seed), seed)
    beside, other = Game(rules, seed=seed), played(Game(rules, seed=seed + 1), seed + 1)
    for _ in played(beside, seed):
        next(other, None)
    if beside.states.tobytes() != alone.states.tobytes():
        yield "a game changes when another one is played at the same time: the rules object keeps the state of a game"
