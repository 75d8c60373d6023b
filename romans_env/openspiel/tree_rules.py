"""The rules of a game of OpenSpiel whose whole tree is small: records hold the number of a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.core.protocol import GAME_OVER, States
from romans_env.core.state_records import copied
from romans_env.openspiel import tree_steps
from romans_env.openspiel.facts import Facts
from romans_env.openspiel.places import Place
from romans_env.openspiel.rules import OpenSpielRules, OpenSpielSetup
from romans_env.openspiel.tree import Tree, Words, published

RECORD = np.dtype((np.record, [("tree", "i8"), ("place", "i4"), ("to_act", "i1"), ("viewer", "i1")]))
"""The record of every game: the key of its table, and the number of a place.

``viewer`` is 0 for a game, and the seat + 1 for a private view, whose place is the first of those that the seat cannot
tell apart. The view of a seat that knows the place is the game.
"""
_TREES: dict[Facts, Tree] = {}


class OpenSpielTreeRules(OpenSpielRules):
    """A game of OpenSpiel whose whole tree is in a table.

    It is the game that `OpenSpielRules` is, and its `step` functions are compiled. As all places are known, what a seat
    does not know can be sampled in every game: each place that it cannot tell apart, as likely as chance makes it.

    Args:
        setup: the setup; None: the one by default.
    """

    step = tree_steps
    outcomes: Sequence[Sequence[str]] = ((), ())
    """The names of outcomes by kind of chance event: there are no dice, and OpenSpiel's outcomes have no names."""

    def __init__(self, setup: OpenSpielSetup | None = None):
        super().__init__(setup)
        self._dtype = RECORD
        if self.facts not in _TREES:
            _TREES[self.facts] = Tree(self.facts, self._places, self._views)
        self._tree = _TREES[self.facts]
        self._points = (self._tree.returns * self.facts.points_per_return).round().astype(np.int64)
        self._key = published(self._tree.table(self._points, self._returns(self._points), self._winning(self._points)))

    def name_of_event(self, event: int) -> str:
        """See `romans_env.core.compiled_rules.CompiledRules.name_of_event`."""
        return "chance"

    def new_states(self, num_games: int) -> States:
        """See `romans_env.core.protocol.Rules.new_states`."""
        states = np.zeros(num_games, dtype=self._dtype)
        states["tree"] = self._key
        return states

    def _place(self, states: States, i: int) -> Place:
        return self._places.at(self._tree.histories[states["place"][i]])

    def _go(self, states: States, i: int, place: Place) -> int:
        states[i] = (self._key, self._tree.numbers[place.history], place.seat, 0)
        return place.seat

    def legal_actions(self, states: States, i: int) -> list[int]:
        """See `romans_env.core.protocol.Rules.legal_actions`."""
        return list(self._place(states, i).legal) if states["to_act"][i] >= 0 else []

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> None:
        """See `romans_env.core.protocol.Rules.observe`."""
        observation[:] = self._views.tensor(self._place(states, i), seat)
        self._write_mask(states, i, seat, mask)

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        """See `romans_env.core.protocol.Rules.redacted_for`; of a game that is over everything is known."""
        private = copied(states[i : i + 1])
        if private["to_act"][0] != GAME_OVER and not private["viewer"][0]:
            members, _ = self._members(private[0], seat)
            private["place"], private["viewer"] = members[0], seat + 1 if members.size > 1 else 0
        return private

    def _members(self, state: Any, seat: int) -> tuple[Words, Words]:
        """Return the places that a seat cannot tell apart from that of a record, and their weights."""
        return self._tree.members[self._tree.sets[state["place"], seat]]

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        """Return a complete record that agrees with a private view, as likely as chance makes it, shape (1,)."""
        states = copied(private)
        if private["viewer"][0]:
            members, weights = self._members(private[0], seat)
            states["place"], states["viewer"] = rng.choice(members, p=weights / weights.sum()), 0
        return states

    def position(self, states: States, i: int) -> dict[str, Any]:
        """See `romans_env.core.protocol.Rules.position`."""
        viewer = int(states["viewer"][i])
        if not viewer:
            return self._whole_position(states, i)
        return self._views.position_for(self._place(states, i), viewer - 1)

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        """See `romans_env.core.protocol.Rules.points_of`."""
        return self._points[states["place"]]
