"""Agents from a file of one's own, ``my_bot.py:MyBot``: what is asked of them, how they load, and what is refused."""

import copy
import os
import pickle
import re
import sys

import pytest

import romans_agents
from romans_agents import Agent, UnknownAgentError
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import Game, Table
from romans_env.core import python_files
from romans_env.core.games import rules_of
from romans_training.measure.evaluation import evaluate

LEAST = """
class MyBot:
    def act(self, view):
        return view.legal_actions()[0]
"""
WITHOUT_ACT = ("class MyBot:\n", "import romans_agents\nclass MyBot(romans_agents.Agent):\n")
ABSTRACT = "import abc\nclass MyBot(abc.ABC):\n    @abc.abstractmethod\n    def act(self, view): ...\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory, with a function that writes files into it."""
    monkeypatch.chdir(tmp_path)

    def write(text, name="my_bot.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def refused(text):
    """The line with which a text is refused."""
    with pytest.raises(UnknownAgentError) as error:
        romans_agents.make(text)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_file_runs_again_when_a_neighbour_has_changed(folder):
    folder("from helper import ACTION\n" + LEAST.replace("[0]", "[ACTION]"))
    game = Game(rules_of(Table(2, 0)), seed=0)
    view = game.view(game.seat_to_act)
    played = []
    for action in ("0", "-1"):
        folder(f"ACTION = {action}", "helper.py")
        played.append(romans_agents.make("my_bot.py:MyBot").act(view))
    assert played[0] != played[1]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("my_bot.py:MyBot", ("my_bot.py", "MyBot", "")),
        ("my_bot.py:MyBot:a=1,b=x:y", ("my_bot.py", "MyBot", "a=1,b=x:y")),
        (r"C:\bots\my_bot.py:MyBot", (r"C:\bots\my_bot.py", "MyBot", "")),
        (r"C:\bots\my_bot.py:MyBot:a=C:\x.py", (r"C:\bots\my_bot.py", "MyBot", r"a=C:\x.py")),
        ("~/some.py/my_bot.py:MyBot", ("~/some.py/my_bot.py", "MyBot", "")),
        ("my_bot.py", ("my_bot.py", "", "")),
        ("my_bot.pyc:MyBot", None),
        ("my_bot:MyBot", None),
        ("greedy", None),
    ],
)
def test_the_parts_of_a_text(text, parts):
    assert python_files.parts_of(text) == parts


def test_paths_are_relative_absolute_or_at_home(folder, tmp_path, monkeypatch):
    path = folder(LEAST, "bots/my_bot.py")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    texts = ["bots/my_bot.py:MyBot", f"{path}:MyBot", "~/bots/my_bot.py:MyBot", "bots/../bots/my_bot.py:MyBot"]
    made = [romans_agents.make(text) for text in texts]
    assert [agent.name for agent in made] == texts
    assert len({type(agent.player) for agent in made}) == 1


def test_an_act_is_enough(folder):
    folder(LEAST)
    agent = romans_agents.make("my_bot.py:MyBot")
    assert isinstance(agent, Agent)
    assert (agent.name, agent.compiled_code, agent.searches) == ("my_bot.py:MyBot", None, False)
    result = evaluate(
        agent, [romans_agents.make("my_bot.py:MyBot"), romans_agents.make("random")], Table(3, 1), num_deals=2
    )
    assert (result.agent, result.opponents) == ("my_bot.py:MyBot", ("my_bot.py:MyBot", "random"))


def test_seed_and_searches_are_passed_on(folder):
    folder(
        """
import random

class MyBot:
    searches = True

    def seed(self, seed):
        self.random = random.Random(seed)

    def act(self, view):
        return self.random.choice(view.legal_actions())
"""
    )
    agent = romans_agents.make("my_bot.py:MyBot")
    assert agent.searches

    def measured(seed):
        return evaluate(agent, [romans_agents.make("greedy")], Table(2, 0), num_deals=10, seed=seed)

    assert measured(1) == measured(1) != measured(2)


def test_what_derives_from_agent_is_used_as_it_is(folder):
    folder(
        """
from romans_agents import Agent, BatchAgent
from romans_agents.romans_go_home.scripted import GreedyAgent

class Batch(BatchAgent):
    def act(self, view):
        return view.legal_actions()[0]

    def act_batch(self, observations, masks):
        return masks.argmax(axis=1)

class Greedy(GreedyAgent):
    pass
"""
    )
    assert isinstance(romans_agents.make("my_bot.py:Batch"), romans_agents.BatchAgent)
    assert romans_agents.make("my_bot.py:Greedy").compiled_code is None
    assert romans_agents.make("my_bot.py:GreedyAgent").compiled_code == GreedyAgent.compiled_code
    results = [
        evaluate(
            romans_agents.make(f"my_bot.py:{name}"), [romans_agents.make("greedy")], Table(2, 0), num_deals=5
        ).mean_points
        for name in ("Greedy", "GreedyAgent")
    ]
    assert results[0] == results[1]


def test_options_have_the_kind_of_their_annotation_or_default(folder):
    folder(
        """
from __future__ import annotations

class MyBot:
    def __init__(self, depth: int, width=2.5, loud=False, path: str = "", *others, **more):
        self.options = (depth, width, loud, path)

    def act(self, view): ...
"""
    )
    assert romans_agents.make("my_bot.py:MyBot:3").player.options == (3, 2.5, False, "")
    text = "my_bot.py:MyBot:depth=3,width=1,loud=true,path=C:/x.npz"
    assert romans_agents.make(text).player.options == (3, 1.0, True, "C:/x.npz")
    assert romans_agents.make(text).name == text
    assert refused("my_bot.py:MyBot:depth=deep") == "agent 'my_bot.py:MyBot': depth is a number, not 'deep'"
    assert "needs the option 'depth', as in 'my_bot.py:MyBot:depth=...'" in refused("my_bot.py:MyBot")
    assert "no option 'dept=3' (did you mean 'depth'?); its options: depth, width, loud, path" in refused(
        "my_bot.py:MyBot:dept=3"
    )


def test_a_file_is_run_once_until_it_changes(folder):
    path = folder(LEAST)
    one, two = (romans_agents.make("my_bot.py:MyBot") for _ in range(2))
    assert type(one.player) is type(two.player)
    path.write_text(LEAST + "    number = 2\n")
    os.utime(path, ns=(1, 1))
    three = romans_agents.make("my_bot.py:MyBot")
    assert three.player.number == 2
    assert not hasattr(two.player, "number")
    pickle.loads(pickle.dumps(three))
    copy.deepcopy(one)


def test_agents_are_pickled_with_their_state_here_and_where_their_file_is_loaded(folder, monkeypatch):
    folder(LEAST + "    def __init__(self, number=1):\n        self.number = number\n")
    agent = romans_agents.make("my_bot.py:MyBot:7")
    pickled = pickle.dumps(agent)
    assert pickle.loads(pickled).player.number == 7
    # As in another process.
    monkeypatch.delitem(sys.modules, type(agent.player).__module__)
    monkeypatch.setattr(python_files, "_LOADED", {})
    romans_agents.make("my_bot.py:MyBot")
    assert pickle.loads(pickled).player.number == 7


def test_every_file_has_its_own_neighbours_and_none_is_left_behind(folder):
    for number in "12":
        name = f"author_{number}"
        folder("from plan import NUMBER\nfrom tools.deep import TWICE\n" + LEAST, f"{name}/my_bot.py")
        folder(f"NUMBER = {number}\n", f"{name}/plan.py")
        folder("from plan import NUMBER\nTWICE = 2 * NUMBER\n", f"{name}/tools/deep.py")
    path, modules = list(sys.path), set(sys.modules)
    made = [romans_agents.make(f"author_{number}/my_bot.py:MyBot") for number in "12"]
    seen = [vars(sys.modules[type(agent.player).__module__]) for agent in made]
    assert [(module["NUMBER"], module["TWICE"]) for module in seen] == [(1, 2), (2, 4)]
    assert sys.path == path
    assert set(sys.modules) - modules == {type(agent.player).__module__ for agent in made}


def test_what_lies_deeper_than_the_neighbours_stays_loaded(folder, tmp_path, monkeypatch):
    # As for a file in the home directory, with site-packages somewhere below.
    folder("VALUE = 1\n", "venv/installed_for_this_test.py")
    monkeypatch.syspath_prepend(str(tmp_path / "venv"))
    folder("import installed_for_this_test\n" + LEAST)
    romans_agents.make("my_bot.py:MyBot")
    assert sys.modules.pop("installed_for_this_test").VALUE == 1


def test_a_file_that_failed_is_tried_again_and_leaves_nothing(folder):
    path, modules, places = folder("1 / 0\n"), set(sys.modules), list(sys.path)
    refused("my_bot.py:MyBot")
    assert (set(sys.modules), sys.path) == (modules, places)
    path.write_text(LEAST)
    assert romans_agents.make("my_bot.py:MyBot")
    path.write_text("1 / 0  # broken again\n")
    refused("my_bot.py:MyBot")
    path.write_text(LEAST)
    pickle.loads(pickle.dumps(romans_agents.make("my_bot.py:MyBot")))


def test_no_such_file_or_a_folder(folder, tmp_path):
    assert refused("bots/my_bot.py:MyBot") == "cannot read the agent's file bots/my_bot.py: No such file or directory"
    (tmp_path / "my_bot.py").mkdir()
    assert "cannot read the agent's file my_bot.py" in refused("my_bot.py:MyBot")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("x = 1\nx / 0\n", "^cannot load my_bot.py: ZeroDivisionError: division by zero .my_bot.py, line 2"),
        ("\n\nclass MyBot\n", "^cannot load my_bot.py: .*.my_bot.py, line 3"),
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module' .my_bot.py, line 1"),
        ("import sys\nsys.exit()\n", "^cannot load my_bot.py: SystemExit .my_bot.py, line 2"),
        ("raise ValueError('two\\nlines')\n", "^cannot load my_bot.py: ValueError: two .my_bot.py, line 1"),
        ("x = '\0'\n", "^cannot load my_bot.py: "),
        (LEAST + "    def __init__(self):\n        {}[1]\n", "^my_bot.py:MyBot cannot be made: KeyError: 1 .*, line 6"),
        (ABSTRACT, "^my_bot.py:MyBot cannot be made: TypeError: Can't instantiate abstract class MyBot"),
        (LEAST + "    def __init__(self, a: 'A' = 1): ...\n", "cannot read its options: NameError: name 'A' is not"),
        *((f"{kind}    pass\n", r"^my_bot.py:MyBot has no act: it needs act\(self, view\)") for kind in WITHOUT_ACT),
    ],
)
def test_a_file_that_cannot_be_run_or_made_says_why_and_where(folder, source, says):
    folder(source)
    assert re.search(says, refused("my_bot.py:MyBot"))


def test_no_such_class_says_which_there_are(folder):
    folder(LEAST + "\nclass Other(MyBot):\n    pass\n\nclass Helper:\n    pass\n\nnumber = 3\n")
    assert refused("my_bot.py:YourBot") == "my_bot.py has no class or function 'YourBot'; it has MyBot, Other"
    assert refused("my_bot.py:number") == "my_bot.py has no class or function 'number'; it has MyBot, Other"
    for text in ("my_bot.py", "my_bot.py:"):
        assert refused(text) == "name the agent in my_bot.py, as in my_bot.py:MyBot; it has MyBot, Other"
    folder("number = 3\n", "empty.py")
    there = "it has no class with an act(self, view), and no function"
    assert refused("empty.py:MyBot") == f"empty.py has no class or function 'MyBot'; {there}"


def test_a_registered_name_comes_first(folder, own_registry):
    folder(LEAST)

    class Imitator(Agent):
        def __init__(self, of: str):
            self.of = of

    romans_agents.register("imitator", Imitator)
    assert romans_agents.make("imitator:my_bot.py:MyBot").of == "my_bot.py:MyBot"
