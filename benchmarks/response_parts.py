"""What the response by search owes to its plans, and what to its decisions in the attack.

    python -m benchmarks.response_parts legate
    python -m benchmarks.response_parts legate-1 runs/first/policy.npz --deals 200

At the table 2+0 against each AGENT, with the light effort of ``romans exploit --effort light``: the whole response; one
that plans as it does, and plays the attack by the probabilities that it takes for the agent's, which are those of
rollouts for an agent that searches; and one that plans by the agent's own, and searches the attack.
"""

from __future__ import annotations

import click
import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents import Agent
from romans_agents.romans_go_home.rounds.attack import determinized
from romans_agents.romans_go_home.rounds.beliefs import Plans, hand_of, plans_of
from romans_agents.romans_go_home.rounds.responder import LIGHT, BestResponder
from romans_env import RomansGoHome, Table, View
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE, States
from romans_training.evaluation import evaluate
from romans_training.exploit import REPORT_SEED, win_share
from romans_training.reporting import games_counter, in_percent, markdown_grid, print_whole, progress_of_games

RULES = RomansGoHome(Table(2, 0))


class PlansAlone(BestResponder):
    """Responds with its plans; in the attack it draws by the probabilities that it takes for the agent's."""

    def __init__(self, agent: Agent):
        super().__init__(agent, RULES, LIGHT)

    def act(self, view: View) -> int:
        if view.states[0]["phase"] in (PHASE_DISCARD, PHASE_PLACE):
            return super().act(view)
        rng = np.random.default_rng([self._seed, *view.observation.astype(np.uint8).tolist()])
        [probabilities] = self._in_attack.probabilities(determinized(view.states, view.seat, 1, rng))
        return int(rng.choice(len(probabilities), p=probabilities))


class AttackAlone(BestResponder):
    """Draws its plans by the agent's own probabilities, and responds in the attack."""

    def __init__(self, agent: Agent):
        super().__init__(agent, RULES, LIGHT)

    def _best_plan(
        self, plans: npt.NDArray[np.int8], root: States, others: list[Plans], seat: int, rng: np.random.Generator
    ) -> npt.NDArray[np.int8]:
        full = determinized(root, seat, 1, rng)
        own = plans_of(self._rival, full, seat, rng, hand=hand_of(root, seat))
        return np.asarray(own.plans[rng.choice(len(own.plans), p=own.weights)])


PARTS = {"both": lambda agent: BestResponder(agent, RULES, LIGHT), "plans": PlansAlone, "attack": AttackAlone}


@click.command()
@click.argument("agents", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(min=2), default=100, show_default=True, help="Deals, from both seats.")
def main(agents: tuple[str, ...], deals: int) -> None:
    """Print the shares of wins against each agent, with 95 % intervals clustered by deal."""
    grid = markdown_grid(("against",), (*(f"{part} %" for part in PARTS), "games"))
    with progress_of_games() as progress:
        for spec in agents:
            row = []
            for part, make in PARTS.items():
                task = progress.add_task(f"{spec}: {part}", total=2 * deals)
                response, agent = make(romans_agents.make(spec)), romans_agents.make(spec)
                result = evaluate(response, [agent], RULES, deals, REPORT_SEED, games_counter(progress, task))
                row.append(in_percent(win_share(result.mean_return, 0.5)))
            grid.add_row(spec, *row, str(2 * deals))
    print_whole(grid)


if __name__ == "__main__":
    main()
