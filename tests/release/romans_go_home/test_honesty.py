"""Agents of every kind play by the rules; compiled as one view at a time. (From private views: the suites.)"""

import numpy as np
import pytest

import romans_agents
from romans_agents import RandomAgent
from romans_agents.romans_go_home.agents import PlanMCAgent, RoundISMCTSAgent
from romans_agents.romans_go_home.rounds.responder import BestResponder
from romans_agents.romans_go_home.scripted import (
    GreedyAgent,
    HoarderAgent,
    LegionaryAgent,
    MixerAgent,
    SchemerAgent,
    SkirmisherAgent,
)
from romans_env import RomansGoHome, Table
from tests.envs.playing import Chooser, in_python
from tests.policies import policy_agent
from tests.romans_go_home.players import LITTLE, arena
from tests.romans_go_home.scrambling import scrambled
from tests.romans_go_home.stages import COVERING, SMALL_TABLES, new_game, table_id
from tests.tools import Lcg, decisions, play, state_bytes


def response_to(spec):
    agent = romans_agents.make(spec)
    agent.seed(1)
    return BestResponder(agent, RomansGoHome(Table()), LITTLE)


BY_RULE = {"greedy": GreedyAgent, "hoarder": HoarderAgent, "legionary": LegionaryAgent, "skirmisher": SkirmisherAgent}
SCRIPTED = {**BY_RULE, "mixer": MixerAgent, "schemer": SchemerAgent}
SEARCHES = {
    "plan-mc": lambda: PlanMCAgent(iterations=20, plans=8),
    "round-ismcts": lambda: RoundISMCTSAgent(iterations=20),
}
PLANNING = {**SEARCHES, "mixer": MixerAgent, "schemer": SchemerAgent}
RESPONSES = {
    "response to greedy": lambda: response_to("greedy"),
    "response to legate": lambda: response_to("legate"),
    "round-response": lambda: romans_agents.make("round-response:iterations=4000"),
    "tribune": lambda: romans_agents.make("tribune"),
}
OF_POLICY = {"policy": policy_agent, "sampled policy": lambda: policy_agent(sample=True)}
EVERY = {**SCRIPTED, **SEARCHES, **OF_POLICY, "random": lambda: RandomAgent(seed=1)}


@pytest.mark.parametrize("table", COVERING[1:], ids=table_id)
@pytest.mark.parametrize("make", EVERY.values(), ids=EVERY)
def test_every_action_is_legal(make, table):
    play(new_game(table, 1), make(), Chooser())  # beside one that brings other positions about
    play(new_game(table, 2), make())
    arena(table, [[make(), Chooser(), GreedyAgent(), make()][: table[0]]] * 2, range(2))


@pytest.mark.parametrize("make", RESPONSES.values(), ids=RESPONSES)
def test_a_response_depends_on_nothing_but_its_view(make):
    game, player, rival, lcg = new_game((2, 0), 11), make(), romans_agents.make("greedy"), Lcg(5)
    for _ in range(6):
        while game.seat_to_act != 1:
            game.act(rival.act(game.view(0)))
        action = player.act(game.view(1))
        assert action == player.act(scrambled(game, 1, lcg).view(1))
        game.act(action)


@pytest.mark.parametrize("make", PLANNING.values(), ids=PLANNING)
def test_another_seed_chooses_otherwise(make):
    views = [game.view(game.seat_to_act) for game in decisions(new_game((2, 0), 6), 3)][::4]
    agent, found = make(), set()
    for seed in range(6):
        agent.seed(seed)
        found.add(tuple(agent.act(view) for view in views))
    assert len(found) > 1


@pytest.mark.parametrize("table", [*COVERING, *SMALL_TABLES], ids=table_id)
@pytest.mark.parametrize("make", BY_RULE.values(), ids=BY_RULE)
def test_players_by_rule_are_the_same_from_views_and_compiled(make, table):
    seeds, asked = range(4), in_python(make)
    assert make.compiled_code is not None and asked.compiled_code is None
    for others in ([], [Chooser()]):
        compiled, python = (([one(), *others] * 4)[: table[0]] for one in (make, asked))
        _, one = arena(table, [compiled] * len(seeds), seeds)
        _, other = arena(table, [python] * len(seeds), seeds)
        assert one.tobytes() == other.tobytes()
    assert state_bytes(play(new_game(table, 3), *compiled)) == one[3:].tobytes()


@pytest.mark.parametrize("table", COVERING, ids=table_id)
def test_every_action_in_a_batch_is_legal(table):
    players = [in_python(RandomAgent)(seed=1), policy_agent(), policy_agent(sample=True), Chooser()]
    _, states = arena(table, [players[: table[0]], players[-table[0] :]] * 4, range(8))
    assert len(np.unique(states["points"], axis=0)) > 1
