"""What a seat is shown: observations within their bounds, and nothing that it may not know."""

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
"""Determinizations of a position."""


def observations(moment: Moment) -> Iterator[str]:
    """Observations have the declared size, dtype and bounds, and so has the global state."""
    game, rules = moment.game, moment.rules
    for seat in moment.seats:
        yield from _in_bounds(
            f"the observation of seat {seat}", game.observation(seat), rules.observation_low, rules.observation_high
        )
        if game.observation(seat).tobytes() != game.observation(seat).tobytes():
            yield f"the observation of seat {seat} is another each time"
    yield from _in_bounds("the global state", game.global_state(), rules.global_state_low, rules.global_state_high)


def _in_bounds(what: str, found: Any, low: Any, high: Any) -> Iterator[str]:
    if found.shape != low.shape or found.dtype != low.dtype:
        yield f"{what} is {found.dtype} of shape {found.shape}, and its bounds are {low.dtype} of shape {low.shape}"
        return
    outside = np.flatnonzero((found < low) | (found > high))
    if outside.size:
        k = int(outside[0])
        yield f"entry {k} of {what} is {found[k]}, outside of {low[k]} to {high[k]}"


def views(moment: Moment) -> Iterator[str]:
    """A private view is asked like the game, gives the same answers, and is redacted already."""
    game, rules = moment.game, moment.rules
    for seat, player in enumerate(game.players):
        private = rules.redacted_for(moment.states, 0, seat)
        if rules.redacted_for(copied(private), 0, seat).tobytes() != private.tobytes():
            yield f"the private view of {player}, redacted once more, is another"
        view = game.view(seat)
        answers = {
            "observation": (game.observation(seat).tobytes(), view.observation.tobytes()),
            "position": (game.position(player), view.position()),
            "list of legal actions": (game.legal_actions() if seat == game.seat_to_act else [], view.legal_actions()),
        }
        for what, (of_game, of_view) in answers.items():
            if of_game != of_view:
                yield f"{player}: the game and the private view give another {what}, as if something hidden were shown"
    for viewer in (None, *game.players):
        try:
            json.dumps(game.position(viewer))
        except (TypeError, ValueError) as error:
            yield f"the position of {viewer or 'the game'} is no plain JSON: {error}"
            return


def leaks(moment: Moment) -> Iterator[str]:
    """Whatever a seat is shown is the same in every game that it cannot tell from this one."""
    for seat, player in enumerate(moment.game.players):
        shown = everything_shown(moment, moment.states, seat)
        for other in _other_games(moment, seat):
            for what, content in everything_shown(moment, other, seat).items():
                if content != shown[what]:
                    yield f"{player} can tell from {what} what is hidden: it differs between games that look alike"
                    return


def everything_shown(moment: Moment, states: States, seat: int) -> dict[str, Any]:
    """Return all that a seat is shown of a position."""
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
    """Yield games that a seat cannot tell from this one: determinizations, and what the rules scramble themselves."""
    rules = moment.rules
    with contextlib.suppress(CannotSampleError):
        for _ in range(2):
            yield rules.determinize(rules.redacted_for(moment.states, 0, seat), seat, moment.generator)
    scrambled = getattr(rules, "scrambled", None)
    if scrambled is not None:
        yield scrambled(moment.states, seat, moment.generator)


def determinizations(moment: Moment) -> Iterator[str]:
    """A determinization agrees with the view, leaves it alone, follows its generator, and is a game to play on.

    A game may say in a sentence that it cannot sample one.
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
            yield f"determinize draws from something else than its generator, for {player}"
        if rules.redacted_for(copied(sample), 0, seat).tobytes() != before:
            yield f"a determinization for {player} does not agree with what it knows: redacted, it is another view"
            return
        game = Game.of_states(rules, copied(sample))
        if game.seat_to_act == seat and game.legal_actions() != moment.game.legal_actions():
            yield f"in a determinization {player} has other legal actions"
        if not played_on(game, seed).is_over:
            yield f"a determinization for {player} does not come to its end"


class Hidden:
    """What is hidden, over the positions of games.

    Attributes:
        fields: the fields of the record in which something is hidden from somebody.
    """

    def __init__(self) -> None:
        self.fields: set[str] = set()
        self._from: set[int] = set()
        self._varies: set[int] = set()
        self._true: dict[str, set[Any]] = defaultdict(set)
        self._private: dict[str, set[Any]] = defaultdict(set)
        self._sampled: dict[str, set[Any]] = defaultdict(set)

    def look(self, moment: Moment) -> Iterator[str]:
        """Note what is hidden in a position; there is no fault yet."""
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
        """Yield what is wrong over all positions."""
        for seat in sorted(self._from - self._varies):
            yield f"all determinizations for {players[seat]} are the same, though something is hidden from it"
        for name, values in self._private.items():
            # Only numbers below 0: any other may be a card that happened not to come.
            marks = {value for value in (values - self._true[name]) & self._sampled[name] if value < 0}
            if marks:
                yield (
                    f"the field {name!r} of a determinization has {min(marks)}, which stands for what a seat does not "
                    "know and is in no game: it is not complete"
                )


def _note(found: dict[str, set[Any]], states: States) -> None:
    for name in states.dtype.names or ():
        found[name].update(np.unique(states[name]).tolist())
