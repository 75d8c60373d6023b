"""Agents: their names, that they play by the rules and from what they may know, and that `greedy` has some sense."""

from dataclasses import dataclass

import gymnasium
import numpy as np
import pytest

import romans_agents
from romans_agents import Agent, BatchAgent, PolicyAgent, RandomAgent
from romans_agents.batches.arena import Arena
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import IllegalActionError
from romans_env.romans_go_home.actions import DISCARD
from romans_env.romans_go_home.material import WARRIORS
from romans_env.romans_go_home.observation import OBSERVATION_SIZE
from tests.envs.playing import Chooser, in_python
from tests.policies import policy_agent
from tests.romans_go_home.players import arena
from tests.romans_go_home.stages import COVERING, SMALL_TABLES, Stage, clans, give_forts, new_game, table_id
from tests.tools import Lcg, decisions, legal_names, play, state_bytes


class Stubborn(Agent):
    """Always answers the same, whether it is an action or not."""

    name = "stubborn"

    def __init__(self, answer):
        self.answer = answer

    def act(self, view):
        return self.answer


class StubbornInBatches(BatchAgent):
    """The same, for a batch."""

    name = "stubborn"

    def __init__(self, answers):
        self.answers = answers

    def act_batch(self, observations, masks):
        return self.answers


@pytest.mark.parametrize("text", ["greedy", "random:seed=7", "random:7"])
def test_a_spec_makes_an_agent_that_plays_the_same_again(text):
    agents = [romans_agents.make(spec) for spec in (text, text, "random:8")]
    assert isinstance(agents[0], Agent) and agents[0] is not agents[1]
    assert (agents[0].name, repr(agents[0])) == (text, f"<agent {text}>")
    first, again, other = (play(new_game((2, 0), seed=2), agent).record() for agent in agents)
    assert first == again != other


def test_the_path_of_a_policy_file(tmp_path):
    for name in ("some.npz", "learning-rate=0.1.npz"):
        policy_agent().policy.save(tmp_path / name)
        for text in ("{}", "policy:{}", "policy:path={}", "policy:{},sample=true", "policy:{},sample=False"):
            agent = romans_agents.make(text.format(tmp_path / name))
            assert isinstance(agent, PolicyAgent)
            assert agent.sample == text.endswith("true")


def test_a_class_of_ones_own_is_never_replaced_by_a_compiled_one():
    assert (RandomAgent.compiled_code, GreedyAgent.compiled_code) == (1, 2)
    assert Chooser.compiled_code is in_python(GreedyAgent).compiled_code is in_python(RandomAgent).compiled_code is None

    class Contrary(GreedyAgent):
        def act(self, view):
            return view.legal_actions()[-1]

    _, states = arena((2, 0), [[Contrary(), Contrary()]], [4])
    assert states.tobytes() == state_bytes(play(new_game((2, 0), seed=4), Contrary()))


def assert_uniform(counts, number):
    """Each of the counted things came up equally often, within 5 standard deviations."""
    expected = number / len(counts)
    assert all(abs(count - expected) < 5 * np.sqrt(expected) for count in counts), counts


@pytest.mark.parametrize("way", ["act", "act_batch", "compiled"])
def test_random_is_uniform_over_the_legal_actions(way):
    game = new_game((2, 0), seed=9)
    view, number = game.view(0), 3500
    if way == "act":
        agent = RandomAgent(seed=1)
        chosen = [agent.act(view) for _ in range(number)]
    elif way == "act_batch":
        masks = np.repeat(view.action_mask[None], number, axis=0)
        chosen = RandomAgent(seed=1).act_batch(np.zeros((number, OBSERVATION_SIZE), dtype=np.int8), masks).tolist()
    else:
        states = np.repeat(game.states, number)
        list(Arena(game.rules, states, [[RandomAgent(), RandomAgent()]] * number, range(number)).play())
        chosen = (DISCARD + states["set_aside"][:, 0, 0]).tolist()
    counts = [chosen.count(action) for action in view.legal_actions()]
    assert sum(counts) == number
    assert len(counts) in (6, 7)
    assert_uniform(counts, number)


def test_how_likely_agents_choose():
    view = new_game(SMALL_TABLES[0], seed=3).view(0)
    legal = view.legal_actions()
    random = RandomAgent().action_probabilities(view)
    assert random[legal].tolist() == [1 / len(legal)] * len(legal) and random.sum() == pytest.approx(1)
    greedy = GreedyAgent()
    assert greedy.action_probabilities(view).nonzero()[0].tolist() == [greedy.act(view)]


PLANNERS = ("mixer", "schemer", "schemer:quick=true")


@pytest.mark.parametrize("table", COVERING[1::2], ids=table_id)
def test_the_arena_plays_the_same_games_again_in_any_order(table):
    pool = [RandomAgent(), GreedyAgent(), Chooser(), policy_agent(), *map(romans_agents.make, PLANNERS)]
    lcg = Lcg(11)
    players = [[lcg.pick(pool) for _ in range(table[0])] for _ in range(24)]
    seeds = list(range(24))
    _, first = arena(table, players, seeds)
    _, again = arena(table, players, seeds)
    assert again.tobytes() == first.tobytes()
    order = lcg.shuffled(seeds)
    _, shuffled = arena(table, [players[i] for i in order], order)
    assert shuffled.tobytes() == first[order].tobytes()
    _, few = arena(table, players[20:], seeds[20:])
    assert few.tobytes() == first[20:].tobytes()


def test_the_arena_names_the_agent_of_an_illegal_action():
    for action in (-1, 56, 55, 2**40):
        for cheat in (Stubborn(action), StubbornInBatches(np.full(1, action))):
            with pytest.raises(IllegalActionError, match=r"the agent stubborn: .* is not legal: player_\d must decide"):
                arena((2, 0), [[RandomAgent(), cheat]], [12])


def test_an_answer_that_is_no_action_names_the_agent():
    for answer in (None, "conquer:rome", 1.5):
        with pytest.raises(IllegalActionError, match=r"the agent stubborn chose .* neither the id nor the name"):
            arena((2, 0), [[RandomAgent(), Stubborn(answer)]], [12])
    for answers in (None, np.zeros(2, dtype=int), np.zeros(1)):
        with pytest.raises(IllegalActionError, match="the agent stubborn, act_batch: "):
            arena((2, 0), [[RandomAgent(), StubbornInBatches(answers)]], [12])


def test_an_agent_may_answer_with_names():
    class Namer(Agent):
        name = "namer"

        def act(self, view):
            return view.action_name(view.legal_actions()[0])

    assert arena((2, 0), [[RandomAgent(), Namer()]], [12]) is not None
    env = gymnasium.make("RomansGoHome-v0", opponents=[Namer()])
    env.reset(seed=1)
    env.step(env.unwrapped.legal_actions()[0])


FIGHT = "dinary-1 dinary-5 dinary-3 dinary-3 dinary-3 dinary-6"
TAKES = "dinary-1 dinary-3 unwary-2 dinary-5 legion-1 dinary-6"
LEGIONS = "dinary-1 legion-1 legion-1 dinary-4 legion-3 dinary-6"
UNWARY = "dinary-1 unwary-2 dinary-3 dinary-3 dinary-3 dinary-6"
WITH_LEGIONS = "filchy chariott chariott druhid / chariott horsie axx filchy"
# player_0 captures the first three forts, then takes the Tax-collector's with Dru'hid.
TAXED = "chariott chariott horsie druhid / horsie druhid axx filchy"


@dataclass(frozen=True)
class Choice:
    """What `greedy` chooses on seat 0 when it is first asked for a kind of decision.

    Attributes:
        name: why.
        lines: the warriors of each clan.
        wall: the six forts.
        chosen: the action, such as ``charm:+1``.
        others: what stands behind the colon in all legal actions; empty: there are three.
    """

    name: str
    lines: str
    wall: str
    chosen: str
    others: str


CHOICES = [
    # Turn 2 for dinary-5: player_1 has Filchy and Arch'r (11), player_2 Filchy, who does not fight. With Axx and Qween
    # (5), Arch'r makes it 10 against 6; the stronger Filchy makes it 11 all, and player_1's Arch'r wins the tie.
    Choice(
        "the warrior that turns the fight",
        lines="axx qween / filchy archr / chariott filchy",
        wall=FIGHT,
        chosen="charm:+1",
        others="+1 +2",
    ),
    Choice(
        "the stronger warrior where either would do",
        lines="qween / druhid / axx",
        wall=FIGHT,
        chosen="charm:+2",
        others="+1 +2",
    ),
    Choice("the most valuable fort", lines="druhid / filchy", wall=TAKES, chosen="take:6", others="1 2 3 4 5 6"),
    Choice("the third Legion fort", lines=WITH_LEGIONS, wall=LEGIONS, chosen="take:5", others="4 5 6"),
    Choice("Axx kept", lines="axx / filchy", wall="", chosen="axx:keep", others="discard keep"),
    Choice(
        "a warrior kept at an Unwary fort",
        lines="filchy chariott / chariott axx",
        wall=UNWARY,
        chosen="unwary:keep",
        others="discard keep",
    ),
    Choice(
        "the least valuable fort",
        lines=TAXED,
        wall="dinary-1 dinary-4 dinary-3 dinary-3 dinary-3 tax-8",
        chosen="give_up:dinary-1",
        others="",
    ),
    Choice(
        "a Legion fort alone",
        lines=TAXED,
        wall="dinary-1 legion-2 dinary-4 dinary-3 dinary-3 tax-8",
        chosen="give_up:legion-2",
        others="",
    ),
    Choice(
        "none of two Legion forts",
        lines=TAXED,
        wall="dinary-1 legion-2 legion-3 dinary-3 dinary-3 tax-8",
        chosen="give_up:dinary-1",
        others="",
    ),
]


@pytest.mark.parametrize("variant", ["standard", "vogel"])
@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_greedy_chooses(choice, variant):
    """It takes the decisions before that one, too."""
    kind, _, _ = choice.chosen.partition(":")
    game, greedy = Stage(clans(choice.lines), choice.wall, variant).planned_game(), GreedyAgent()
    while not (game.agent_to_act == "player_0" and game.position()["decision"]["kind"] == kind):
        game.act(greedy.act(game.view(game.seat_to_act)))
    legal = legal_names(game)
    assert game.action_name(greedy.act(game.view("player_0"))) == choice.chosen
    if choice.others:
        assert legal == [f"{kind}:{other}" for other in choice.others.split()]
    else:
        assert len(legal) == 3


def test_greedy_with_two_legion_forts_plans_for_the_third():
    # Its strong warriors, and those that save up for them, go where the third is.
    captured = {0: 0, 2: 0}
    for held in captured:
        for seed in range(60):
            stage = Stage({"player_0": "", "player_1": ""}, "dinary-3 dinary-5 dinary-4 legion-3 dinary-5 dinary-6")
            game, lcg = stage.game, Lcg(seed)
            give_forts(game.states, 0, "legion-1 " * held)
            greedy = GreedyAgent()
            while not game.is_over and game.position()["round"] == 1:
                seat = game.seat_to_act
                game.act(greedy.act(game.view(seat)) if seat == 0 else lcg.pick(game.legal_actions()))
            captured[held] += "legion-3" in game.position()["clans"]["player_0"]["forts"]
    assert captured[2] >= 45 > captured[0]


def test_greedy_loses_its_weakest_warrior():
    found = 0
    for seed in range(40):
        for game in decisions(new_game((3, 0), seed), seed):
            if game.position()["decision"]["kind"] == "lose":
                found += 1
                view = game.view(game.seat_to_act)
                names = [game.action_name(action) for action in game.legal_actions()]
                weakest = min(names, key=lambda name: WARRIORS.index(name.split(":")[1]))
                assert game.action_name(GreedyAgent().act(view)) == weakest
    assert found > 20
