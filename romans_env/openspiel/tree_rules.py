"""The rules of OpenSpiel games whose whole tree is small; a record holds the number of a place in the tree."""

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
"""The dtype of records: the key of the game's table, and the number of a place.

``viewer`` is 0 for a game and the seat + 1 for a private view. The place of a view is the first of its information set;
if that has a single place, the view is the same as the game.
"""
_TREES: dict[Facts, Tree] = {}


class OpenSpielTreeRules(OpenSpielRules):
    """The rules of an OpenSpiel game whose whole tree is in a table.

    They play like `OpenSpielRules`, and their `step` functions are compiled. Because all places are known,
    determinizations can be sampled in every game: each place of an information set, with its chance probability.

    Args:
        setup: the setup; None for the default one.
    """

    step = tree_steps
    outcomes: Sequence[Sequence[str]] = ((), ())
    """No names of outcomes for dice, of which there are none, nor for the only kind of chance event."""

    def __init__(self, setup: OpenSpielSetup | None = None):
        super().__init__(setup)
        self._dtype = RECORD
        if self.facts not in _TREES:
            _TREES[self.facts] = Tree(self.facts, self._places, self._views)
        self._tree = _TREES[self.facts]
        self._points = (self._tree.returns * self.facts.points_per_return).round().astype(np.int64)
        self._key = published(self._tree.table(self._points, self._returns(self._points), self._winning(self._points)))

    def name_of_event(self, event: int) -> str:
        """Return the name of what a chance event draws, for messages."""
        return "chance"

    def new_states(self, num_games: int) -> States:
        states = np.zeros(num_games, dtype=self._dtype)
        states["tree"] = self._key
        return states

    def _place(self, states: States, i: int) -> Place:
        return self._places.at(self._tree.histories[states["place"][i]])

    def _go(self, states: States, i: int, place: Place) -> int:
        states[i] = (self._key, self._tree.numbers[place.history], place.seat, 0)
        return place.seat

    def legal_actions(self, states: States, i: int) -> list[int]:
        return list(self._place(states, i).legal) if states["to_act"][i] >= 0 else []

    def observe(
        self, states: States, i: int, seat: int, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]
    ) -> None:
        observation[:] = self._views.tensor(self._place(states, i), seat)
        self._write_mask(states, i, seat, mask)

    def redacted_for(self, states: States, i: int, seat: int) -> States:
        private = copied(states[i : i + 1])
        if private["to_act"][0] != GAME_OVER and not private["viewer"][0]:
            members, _ = self._members(private[0], seat)
            private["place"], private["viewer"] = members[0], seat + 1 if members.size > 1 else 0
        return private

    def _members(self, state: Any, seat: int) -> tuple[Words, Words]:
        """Return the places in a seat's information set, and their weights."""
        return self._tree.members[self._tree.sets[state["place"], seat]]

    def determinize(self, private: States, seat: int, rng: np.random.Generator) -> States:
        """Sample a full state that agrees with a private view, with its chance probability.

        Args:
            private: the private view, shape ``(1,)``.
            seat: the seat whose view it is.
            rng: the generator to sample with.

        Returns:
            A new record, shape ``(1,)``.
        """
        states = copied(private)
        if private["viewer"][0]:
            members, weights = self._members(private[0], seat)
            states["place"], states["viewer"] = rng.choice(members, p=weights / weights.sum()), 0
        return states

    def position(self, states: States, i: int) -> dict[str, Any]:
        viewer = int(states["viewer"][i])
        if not viewer:
            return self._whole_position(states, i)
        return self._views.position_for(self._place(states, i), viewer - 1)

    def points_of(self, states: States) -> npt.NDArray[np.int64]:
        return self._points[states["place"]]
