"""The agents of Roma: compiled as interpreted, and of some sense."""

import pytest

from romans_agents.batches.arena import Arena
from romans_agents.roma.scripted import DenierAgent, ForumRunnerAgent, RaiderAgent
from romans_agents.searches.mo_ismcts import MOISMCTSAgent
from romans_training.measure.deals import deal_games
from tests.envs.playing import in_python
from tests.roma.stages import RULES, Stage, new_game

SCRIPTED = [ForumRunnerAgent, RaiderAgent, DenierAgent]


def arena(players, num_games):
    """The final records of games, played in a batch: ``players`` are the agents of every game's seats."""
    states, words = deal_games(RULES, range(num_games), seed=1)
    for _ in Arena(RULES, states, [players] * num_games, range(num_games), words=words).play():
        pass
    assert all(RULES.is_over(states, i) for i in range(num_games))
    return states


@pytest.mark.parametrize("agent", SCRIPTED)
def test_a_batch_of_compiled_games_is_that_of_views(agent):
    compiled, python = (arena([make(), ForumRunnerAgent()], 20) for make in (agent, in_python(agent)))
    assert compiled.tobytes() == python.tobytes()


def test_forum_runner_uses_its_forum_with_the_highest_die():
    stage = Stage([1, 3, 6], {3: "forum", 4: "basilica"}, {1: "turris"})
    agent, chosen = ForumRunnerAgent(), []
    while stage.decision is not None and stage.decision["agent"] == stage.me and len(chosen) < 2:
        chosen.append(stage.chosen_by(agent))
        stage.play(chosen[-1])
    assert chosen == ["activate:3", "die:6"]
    assert stage.mine["points"] == 18


def test_raider_attacks_what_is_worth_most():
    stage = Stage([2], {2: "nero"}, {1: "machina", 4: "forum"})
    assert stage.chosen_by(RaiderAgent()) == "activate:2"
    stage.play("activate:2")
    assert stage.chosen_by(RaiderAgent()) == "rival:4"


def test_denier_fills_a_free_disc_rather_than_cover():
    own = dict.fromkeys((1, 2, 3, 5, 6), "forum")
    stage = Stage([1], own, hand=["turris"], money=(6, 0))
    assert stage.chosen_by(DenierAgent()) == "lay:turris:4"


def test_a_search_with_a_time_limit_keeps_it():
    agent = MOISMCTSAgent(seconds=0.05)
    game = new_game(1)
    assert agent.act(game.view(0)) in game.legal_actions()
    assert agent.last_iterations > 10
