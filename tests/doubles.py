"""Stand-ins that note what seeds they are given: an agent, and what plays and judges the games of agents."""

from romans_agents import Agent
from romans_agents.batches.arena import Arena


class SeededAgent(Agent):
    """Plays the first legal action, and notes the seeds that it is given."""

    name = "seeded"

    def __init__(self):
        self.seeds = []

    def seed(self, seed):
        self.seeds.append(seed)

    def act(self, view):
        return view.legal_actions()[0]


class NotedSeeds:
    """Notes the seeds of games and of control variates, in a module that plays games in an `Arena`.

    Attributes:
        of_games: of each game, what its seed generates.
        of_draws: the same of each computation of control variates.
    """

    def __init__(self, module, monkeypatch):
        self.of_games, self.of_draws = [], []
        monkeypatch.setattr(module, "Arena", self._arena)
        monkeypatch.setattr(module, "variates_of", self._variates_of)

    def _arena(self, rules, states, players, seeds, *arguments, callback=None, **settings):
        self.of_games.extend(tuple(seed.generate_state(4).tolist()) for seed in seeds)
        return Arena(rules, states, players, seeds, *arguments, **settings)

    def _variates_of(self, method, rules, players, seed, words):
        self.of_draws.append(tuple(seed.generate_state(4).tolist()))
