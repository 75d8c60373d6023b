"""What agents choose, and what their searches' evaluators say: ``python -m tests.agents.choices GAME`` prints it."""

import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import romans_agents
from romans_agents.roma import evaluator as roma_evaluator
from romans_agents.struggle import evaluator as struggle_evaluator
from romans_agents.struggle.styles import STYLES, TRADER
from romans_agents.struggle.value import write_values
from romans_env.roma import step as roma_step
from romans_env.struggle import step as struggle_step
from tests.harness import ROMA, STRUGGLE, Harness
from tests.tools import played


class Case(NamedTuple):
    """A game.

    Attributes:
        game: what the suites know of it.
        evaluator: of its searches.
        step: its inlined steps.
        specs: agents; of the last one, a tree search, the visits of the root and the totals are compared, too.
        views: decisions that were played at random before, and the seed of the game.
        every: decisions from one to the next whose evaluator is looked at.
        turn: fields of the state that say whose turn it is.
        write_values: writes what the end of a game is worth, where that is computed apart.
    """

    game: Harness
    evaluator: ModuleType
    step: ModuleType
    specs: tuple[str, ...]
    views: tuple[tuple[int, int], ...]
    every: int
    turn: tuple[str, ...]
    write_values: Callable[[Any, Any], object] | None = None


OF_ROMA = (
    "forum-runner",
    "raider",
    "denier",
    "expectimax:depth=2,width=3,samples=1",
    "flat-mc:iterations=20",
    "policy-rollouts:iterations=2",
    "policy-rollouts:iterations=4,turns=3,prior_floor=0.1",
)
OF_STRUGGLE = ("chieftain", "trader", "flat-mc:iterations=4", "mo-ismcts:iterations=4")
CASES = {
    "roma": Case(
        game=ROMA,
        evaluator=roma_evaluator,
        step=roma_step,
        specs=(*OF_ROMA, "mo-ismcts:iterations=12"),
        views=((0, 1), (9, 2), (26, 3), (41, 4)),
        every=1,
        turn=("turn",),
    ),
    "struggle": Case(
        game=STRUGGLE,
        evaluator=struggle_evaluator,
        step=struggle_step,
        specs=OF_STRUGGLE,
        views=((0, 1), (150, 3)),
        every=150,
        turn=("round_number", "phase", "active"),
        write_values=lambda state, returns: write_values(state, STYLES[TRADER], returns),
    ),
}


def choices(case: Case) -> dict[str, list[Any]]:
    """What the agents choose in the views."""
    games = [played(case.game.new_game(seed), seed, number) for number, seed in case.views]
    assert not any(game.is_over for game in games)
    views, name = [game.view(game.seat_to_act) for game in games], case.game.name
    found: dict[str, list[Any]] = {
        spec: [int(romans_agents.make(spec, game=name).act(view)) for view in views] for spec in case.specs
    }
    for view in views:
        visits, totals = romans_agents.make(case.specs[-1], game=name).search(view)
        found[case.specs[-1]] += [visits.tolist(), totals.round(9).tolist()]
    return found


def guided(case: Case) -> list[dict[str, Any]]:
    """What evaluators the searches at decisions of a game: cheap to ask where nothing has to be compiled for it."""
    words, found, size = np.zeros((1, 4), dtype=np.int64), [], case.game.num_actions
    actions, priors = np.zeros(size, dtype=np.int64), np.zeros(size)
    for game in case.game.positions(6, case.every):
        states, returns = game.states.copy(), np.zeros(len(game.players))
        if game.is_over:
            if case.write_values is not None:
                case.write_values(states[0], returns)
                assert returns.tolist() == list(game.returns().values())
            continue
        count = case.step.legal_actions(states, 0, actions)
        case.evaluator.priors(states, 0, actions, count, priors)
        case.evaluator.evaluate(states, 0, np.zeros((1, 4), dtype=np.int64), words, returns)
        turns = [[int(one[name][0]) for name in case.turn] for one in (game.states, states)]
        found.append(
            {
                "legal": [game.legal_actions(), actions[:count].tolist()],
                "priors": priors[:count].tolist(),
                "returns": returns.tolist(),
                "goes_on": turns[0] != turns[1] or bool(case.step.is_over(states, 0)),
            }
        )
    return found


if __name__ == "__main__":
    print(json.dumps({"choices": choices(CASES[sys.argv[1]]), "guided": guided(CASES[sys.argv[1]])}))
