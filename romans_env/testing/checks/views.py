"""Checks of what a seat is shown: observations within their bounds, and nothing hidden from the seat."""

from __future__ import annotations

import contextlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from romans_env.core.game import Game
from romans_env.core.protocol import States
from romans_env.core.state_records import copied
from romans_env.errors import CannotSampleError
from romans_env.render.renderer import renderer_of
from romans_env.testing.moment import Moment, played_on

SAMPLES = 6
"""Number of determinizations of a position."""


def observations(moment: Moment) -> Iterator[str]:
    """Check that observations and the global state have the declared size, dtype and bounds."""
    game, rules = moment.game, moment.rules
    for seat in moment.seats:
        yield from _in_bounds(
            f"the observation of seat {seat}", game.observation(seat), rules.observation_low, rules.observation_high
        )
        if game.observation(seat).tobytes() != game.observation(seat).tobytes():
            yield f"the observation of seat {seat} differs from call to call"
    yield from _in_bounds("the global state", game.global_state(), rules.global_state_low, rules.global_state_high)


def _in_bounds(what: str, found: Any, low: Any, high: Any) -> Iterator[str]:
    if found.shape != low.shape or found.dtype != low.dtype:
        yield f"{what} is {found.dtype} of shape {found.shape}, but its bounds are {low.dtype} of shape {low.shape}"
        return
    outside = np.flatnonzero((found < low) | (found > high))
    if outside.size:
        k = int(outside[0])
        yield f"entry {k} of {what} is {found[k]}, outside of {low[k]} to {high[k]}"


def views(moment: Moment) -> Iterator[str]:
    """Check that a private view gives the same answers as the game, and that redacting it again changes nothing."""
    game, rules = moment.game, moment.rules
    for seat, player in enumerate(game.players):
        private = rules.redacted_for(moment.states, 0, seat)
        if rules.redacted_for(copied(private), 0, seat).tobytes() != private.tobytes():
            yield f"the private view of {player} changes when it is redacted again"
        view = game.view(seat)
        answers = {
            "observation": (game.observation(seat).tobytes(), view.observation.tobytes()),
            "position": (game.position(player), view.position()),
            "list of legal actions": (game.legal_actions() if seat == game.seat_to_act else [], view.legal_actions()),
        }
        for what, (of_game, of_view) in answers.items():
            if of_game != of_view:
                yield f"{player}: game and private view differ in the {what}, so that may show something hidden"
    for viewer in (None, *game.players):
        try:
            json.dumps(game.position(viewer))
        except (TypeError, ValueError) as error:
            yield f"the position of {viewer or 'the game'} is not plain JSON: {error}"
            return


def leaks(moment: Moment) -> Iterator[str]:
    """Check that everything a seat is shown is the same in all games that it cannot tell apart."""
    for seat, player in enumerate(moment.game.players):
        shown = everything_shown(moment, moment.states, seat)
        for other in _other_games(moment, seat):
            for what, content in everything_shown(moment, other, seat).items():
                if content != shown[what]:
                    yield f"{player} can infer what is hidden from {what}: it differs in games that must look alike"
                    return


def everything_shown(moment: Moment, states: States, seat: int) -> dict[str, Any]:
    """Return everything that a seat is shown of a position, by description.

    Args:
        moment: the position's game, rules and spec.
        states: the record to show, shape ``(1,)``.
        seat: the seat.
    """
    game, renderer = Game.of_states(moment.rules, copied(states)), renderer_of(moment.spec.name)
    player, view = game.players[seat], game.view(seat)
    decides = game.seat_to_act == seat
    return {
        "its private view": view.states.tobytes(),
        "who decides": game.seat_to_act,
        "its action mask": game.action_mask(seat).tobytes(),
        "its legal actions, or their order": moment.rules.legal_actions(states, 0) if decides else [],
        "the kind of its decision": moment.rules.decision_kind(states, 0) if decides else None,
        "its observation": game.observation(seat).tobytes(),
        "its position": game.position(player),
        "its points": moment.rules.points(view.states, 0, seat),
        "the text of its position": renderer.text(game, player),
        "the picture of its position": renderer.picture(game, player).svg,
    }


def _other_games(moment: Moment, seat: int) -> Iterator[States]:
    """Yield games that a seat cannot tell from this one: determinizations, and results of the rules' ``scrambled``."""
    rules = moment.rules
    with contextlib.suppress(CannotSampleError):
        for _ in range(2):
            yield rules.determinize(rules.redacted_for(moment.states, 0, seat), seat, moment.generator)
    scrambled = getattr(rules, "scrambled", None)
    if scrambled is not None:
        yield scrambled(moment.states, seat, moment.generator)


def determinizations(moment: Moment) -> Iterator[str]:
    """Check that determinizations agree with the view, leave it unchanged, follow the generator, and can be played.

    A game may raise CannotSampleError instead.
    """
    rules = moment.rules
    for seat, player in enumerate(moment.game.players):
        private = rules.redacted_for(moment.states, 0, seat)
        before, seed = private.tobytes(), moment.random.randrange(2**31)
        try:
            sample, again = (rules.determinize(private, seat, np.random.default_rng(seed)) for _ in range(2))
        except CannotSampleError:
            continue
        if private.tobytes() != before:
            yield f"determinize changes the private view of {player}"
            return
        if sample.tobytes() != again.tobytes():
            yield f"determinize for {player} does not depend on its generator alone"
        if rules.redacted_for(copied(sample), 0, seat).tobytes() != before:
            yield f"a determinization for {player} does not agree with what it knows: redacted, it is another view"
            return
        game = Game.of_states(rules, copied(sample))
        if game.seat_to_act == seat and game.legal_actions() != moment.game.legal_actions():
            yield f"in a determinization {player} has different legal actions"
        if not played_on(game, seed).is_over:
            yield f"a determinization for {player} does not end within max_decisions"


class Hidden:
    """What is hidden in the positions of games, collected to be checked as a whole.

    Attributes:
        fields: the fields of the record in which something is hidden from some seat.
    """

    def __init__(self) -> None:
        self.fields: set[str] = set()
        self._from: set[int] = set()
        self._varies: set[int] = set()
        self._true: dict[str, set[Any]] = defaultdict(set)
        self._private: dict[str, set[Any]] = defaultdict(set)
        self._sampled: dict[str, set[Any]] = defaultdict(set)

    def look(self, moment: Moment) -> Iterator[str]:
        """Collect what is hidden in a position; yields no fault."""
        rules, states = moment.rules, moment.states
        _note(self._true, states)
        for seat in moment.seats:
            private = rules.redacted_for(moment.states, 0, seat)
            if private.tobytes() == states.tobytes():
                continue
            self.fields |= {name for name in states.dtype.names or () if (private[name] != states[name]).any()}
            try:
                samples = [rules.determinize(private, seat, moment.generator) for _ in range(SAMPLES)]
            except CannotSampleError:
                continue
            self._from.add(seat)
            if len({sample.tobytes() for sample in samples}) > 1:
                self._varies.add(seat)
            _note(self._private, private)
            for sample in samples:
                _note(self._sampled, sample)
        yield from ()

    def faults(self, players: Sequence[str]) -> Iterator[str]:
        """Yield the faults found over all positions."""
        for seat in sorted(self._from - self._varies):
            yield f"all determinizations for {players[seat]} are the same, though something is hidden from it"
        for name, values in self._private.items():
            # Only negative numbers count: any other may be a card that happened not to occur.
            marks = {value for value in (values - self._true[name]) & self._sampled[name] if value < 0}
            if marks:
                yield (
                    f"the field {name!r} of a determinization has the value {min(marks)}, which marks hidden "
                    "information and occurs in no game: the determinization is incomplete"
                )


def _note(found: dict[str, set[Any]], states: States) -> None:
    for name in states.dtype.names or ():
        found[name].update(np.unique(states[name]).tolist())
