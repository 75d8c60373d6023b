"""Best responses by search in games of OpenSpiel, against an agent whose action probabilities are known.

The responder knows the policy of the agent on all other seats, but not the other seats' cards: it gets a private view
like every agent. From the actions of the other seats, it computes its belief about their hands by Bayes' rule. Then it
searches the game tree. It weights chance and the other seats' actions by their probabilities, and chooses its own later
actions per information set.

If the game tree fits into the budget, the result is an exact best response, the same that
`open_spiel.python.algorithms.exploitability` computes. In a larger game, chance and the other seats' actions are
sampled, and once the budget is spent, all seats play as the agent does.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Any, NamedTuple

import numpy as np

from romans_agents.base import Agent
from romans_env import View
from romans_env.core.protocol import CHANCE, GAME_OVER
from romans_env.openspiel.places import Place
from romans_env.openspiel.rules import OpenSpielRules

EFFORTS = {"full": 200_000, "light": 20_000}
"""The number of nodes visited per decision, for each value of ``romans exploit --effort``."""
_PARTICLES = 500
"""The number of determinizations that are sampled if there are too many histories to visit all of them."""
_MOST_KEPT = 200_000
"""The maximum number of entries in each cache. The caches hold the agent's probabilities, returns, and own choices."""


class Weighted(NamedTuple):
    """A node of the game tree with its reach probability, to which only chance and the other seats contribute."""

    place: Place
    weight: float


class OpenSpielResponder(Agent):
    """Plays a best response to an agent that has all other seats, as exactly as its budget allows.

    Args:
        agent: the agent on all other seats.
        rules: the game with its setup.
        effort: the number of nodes visited per decision, or one of the names in EFFORTS: ``"full"`` or ``"light"``.
        seed: the seed of the random samples.
    """

    searches = True

    def __init__(self, agent: Agent, rules: OpenSpielRules, effort: int | str = "full", seed: int = 0):
        self.name = f"response to {agent.name}"
        self._rival, self._rules = agent, rules
        self._most = EFFORTS[effort] if isinstance(effort, str) else effort
        self._probabilities: OrderedDict[tuple[int, bytes], Any] = OrderedDict()
        self._returns: OrderedDict[tuple[int, bytes], float] = OrderedDict()
        self._chosen: OrderedDict[tuple[int, bytes], int] = OrderedDict()
        self._all: dict[int, dict[bytes, list[Weighted]] | None] = {}
        self.seed(seed)

    def seed(self, seed: int) -> None:
        self._seed = seed
        self._chosen.clear()

    def act(self, view: View) -> int:
        key = (view.seat, view.observation.tobytes())
        if key not in self._chosen:
            _remember(self._chosen, key, int(self.values(view).argmax()))
        return self._chosen[key]

    def values(self, view: View) -> np.ndarray[Any, Any]:
        """Estimate the expected return of each action: float64, shape ``(num_actions,)``, -inf for illegal actions."""
        self._seat, self._left = view.seat, self._most
        self._rng = np.random.default_rng([self._seed, *view.states.tobytes()[:64]])
        worlds = self._worlds(view)
        found = np.full(self._rules.num_actions, -np.inf)
        total = sum(world.weight for world in worlds)
        share = self._left // max(len(view.legal_actions()), 1)
        for action in view.legal_actions():
            self._left = share
            found[action] = (
                self._value([Weighted(self._after(one.place, action), one.weight) for one in worlds]) / total
            )
        return found

    # -- the belief about hidden information

    def _worlds(self, view: View) -> list[Weighted]:
        """Return the nodes that are consistent with the seat's view, or a sample, with their reach probabilities."""
        if view.seat not in self._all:
            self._all[view.seat] = self._all_worlds(view.seat)
        everywhere = self._all[view.seat]
        found = self._sampled_worlds(view) if everywhere is None else everywhere[view.observation.tobytes()]
        if not sum(one.weight for one in found):  # the agent has played an action that it gives probability 0
            found = [Weighted(one.place, 1.0) for one in found]
        return [one for one in found if one.weight]

    def _all_worlds(self, seat: int) -> dict[bytes, list[Weighted]] | None:
        """Return all nodes where a seat is to act, grouped by its observation; None if there are too many to visit."""
        stack, found, visited = [Weighted(self._rules.places.root, 1.0)], defaultdict(list), 0
        while stack:
            place, weight = stack.pop()
            visited += 1
            if visited > self._most:
                return None
            if place.seat == seat:
                found[self._rules.observed(place, seat)].append(Weighted(place, weight))
                stack += [Weighted(self._after(place, action), weight) for action in place.legal]
            elif place.seat != GAME_OVER:
                stack += [Weighted(one.place, weight * one.weight) for one in self._branches(place)]
        return found

    def _sampled_worlds(self, view: View) -> list[Weighted]:
        found: dict[bytes, Weighted] = {}
        for _ in range(_PARTICLES):
            states = view.rules.determinize(view.states, view.seat, self._rng)
            place = self._rules.place_of(states, 0)
            before = found.get(place.history)
            likelihood = self._likelihood(place) if before is None else before.weight
            found[place.history] = Weighted(place, likelihood)
        return list(found.values())

    def _likelihood(self, place: Place) -> float:
        """Return the probability that the other seats play the actions that led to a node."""
        found = 1.0
        for before, move in self._rules.places.way_to(place):
            if before.seat not in (CHANCE, self._seat):
                found *= self._probabilities_at(before)[move]
        return found

    # -- the search

    def _value(self, worlds: list[Weighted]) -> float:
        """Return the weighted sum of the nodes' values, given that the responder plays its best actions."""
        total, own = 0.0, defaultdict(list)
        stack = list(worlds)
        while stack:
            place, weight = stack.pop()
            self._left -= 1
            if place.seat == GAME_OVER:
                total += weight * self._return_at(place)
            elif place.seat == self._seat:
                own[self._rules.observed(place, self._seat)].append(Weighted(place, weight))
            else:
                branches = self._branches(place)
                if self._left < 0:
                    branches = [self._one_of(branches)]
                stack += [Weighted(one.place, weight * one.weight) for one in branches if one.weight]
        for observed, group in own.items():
            if self._left < 0:
                total += sum(one.weight * self._played_on(one.place) for one in group)
                continue
            values = {
                action: self._value([Weighted(self._after(one.place, action), one.weight) for one in group])
                for action in group[0].place.legal
            }
            best = max(values, key=lambda action: values[action])
            if self._left >= 0:  # nothing was left out, so the choice is exact and can be kept
                _remember(self._chosen, (self._seat, observed), best)
            total += values[best]
        return total

    def _branches(self, place: Place) -> list[Weighted]:
        """Return the children of a node where chance or another seat decides, with their probabilities."""
        if place.seat == CHANCE:
            whole = sum(weight for _, weight in place.outcomes)
            return [Weighted(self._after(place, number), weight / whole) for number, weight in place.outcomes]
        chances = self._probabilities_at(place)
        return [Weighted(self._after(place, action), float(chances[action])) for action in place.legal]

    def _one_of(self, branches: list[Weighted]) -> Weighted:
        weights = np.array([one.weight for one in branches])
        chosen = branches[int(self._rng.choice(len(branches), p=weights / weights.sum()))]
        return Weighted(chosen.place, 1.0)

    def _played_on(self, place: Place) -> float:
        """Play one random game from a node, in which all seats play as the agent does, and give its return."""
        while place.seat != GAME_OVER:
            place = self._one_of(self._branches(place)).place
        return self._return_at(place)

    # -- the game and the agent

    def _after(self, place: Place, move: int) -> Place:
        return self._rules.places.after(place, move)

    def _probabilities_at(self, place: Place) -> Any:
        key = (place.seat, self._rules.observed(place, place.seat))
        if key not in self._probabilities:
            view = View(self._rules, self._rules.private_at(place, place.seat), place.seat)
            _remember(self._probabilities, key, self._rival.action_probabilities(view))
        return self._probabilities[key]

    def _return_at(self, place: Place) -> float:
        key = (self._seat, place.history)
        if key not in self._returns:
            states = self._rules.record_at(place)
            _remember(self._returns, key, self._rules.game_return(states, 0, self._seat))
        return self._returns[key]


def _remember(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    kept[key] = value
    if len(kept) > _MOST_KEPT:
        kept.popitem(last=False)
