"""A folder of agents: which file brings which agent, under which name, and why others bring none."""

import os
import sys

import pytest

import romans_agents
from romans_agents import UnknownAgentError
from romans_agents.external.folder import agents_in
from romans_agents.permission import FileNotAllowedError

BOT = "class {}:\n    def act(self, view):\n        return view.legal_actions()[0]\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes files into the folder ``bots`` of the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()

    def write(name, text=None):
        (tmp_path / "bots" / name).write_text(BOT.format("Bot") if text is None else text, encoding="utf-8")

    return write


def found(taken=(), files="code"):
    return agents_in("bots", "romans-go-home", taken, files)


def test_every_file_brings_an_agent_under_its_name(write):
    write("anna.py")
    write("ben.py", "import os\n" + BOT.format("_Base") + "class Mine(_Base):\n    pass\n")
    write("cleo.py", "from romans_agents import Agent\n" + BOT.format("Base") + "class Last(Base):\n    pass\n")
    write("dora.py", "def helps(): return 0\n" + BOT.format("Bot"))
    write("emil.py", "def _helps(view): return 0\ndef policy(view): return view.legal_actions()[0]\n")
    romans_agents.policy_of("legate").save("bots/fritz.npz")
    write("notes.txt", "no agent")
    write(".hidden.py")
    write("__init__.py")
    os.mkdir("bots/folder.py")
    specs, left_out = found()
    assert left_out == {}
    assert specs == {
        "anna": os.path.join("bots", "anna.py:Bot"),
        "ben": os.path.join("bots", "ben.py:Mine"),
        "cleo": os.path.join("bots", "cleo.py:Last"),
        "dora": os.path.join("bots", "dora.py:Bot"),
        "emil": os.path.join("bots", "emil.py:policy"),
        "fritz": os.path.join("bots", "fritz.npz"),
    }
    for spec in specs.values():
        romans_agents.make(spec)


def test_names_that_would_be_the_same_keep_their_endings(write):
    write("anna.py")
    write("greedy.py")
    romans_agents.policy_of("legate").save("bots/anna.npz")
    assert set(found(taken=["greedy"]).specs) == {"anna.py", "anna.npz", "greedy.py"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def (", "cannot load it: SyntaxError: invalid syntax (bot.py, line 1)"),
        ("1 / 0", "cannot load it: ZeroDivisionError: division by zero (bot.py, line 1)"),
        ("import sys\nsys.exit()", "cannot load it: SystemExit (bot.py, line 2)"),
        ("import os\nos._exit(4)", "it: its process ended with status 4"),
        ("x = 1", "it has no agent: it has no class with an act(self, view), and no function"),
        ("import no_such_package", "No module named 'no_such_package' (bot.py, line 1)"),
        (BOT.format("A") + BOT.format("B"), "it has several agents, A, B: keep one class with an act(self, view)"),
        (BOT.format("A") + "    def __init__(self): 1 / 0\n", "it:A cannot be made: ZeroDivisionError"),
        (BOT.format("A") + "    def __init__(self, depth): pass\n", "needs the option 'depth'"),
        ("import threading\nthreading.Timer(60, print).start()\n" + BOT.format("A"), "leaves a thread running"),
        (BOT.format("A") + "globals()['B:x=1'] = A\ndel A\n", "it has an agent whose name is no identifier: 'B:x=1'"),
        ("#" * 2**20 + "\n" + BOT.format("A"), "it is larger than 1 MB"),
        ("\0", "cannot load it: "),
    ],
)
def test_a_file_without_an_agent_is_told_in_a_line_and_the_others_play(write, text, why):
    write("bot.py", text)
    write("other.py")
    specs, left_out = found()
    assert set(specs) == {"other"}
    assert set(left_out) == {"bot.py"} and why in left_out["bot.py"] and "\n" not in left_out["bot.py"]


def test_a_policy_of_another_game_or_a_damaged_one_is_left_out(write):
    romans_agents.policy_of("quaestor", game="roma").save("bots/other.npz")
    write("damaged.npz", "no policy")
    specs, left_out = found(files="policies")
    assert not specs
    assert "plays roma, not romans-go-home" in left_out["other.npz"] and "damaged.npz" in left_out


@pytest.mark.skipif(sys.platform == "win32", reason="links take rights")
def test_a_link_out_of_the_folder_is_not_followed(write, tmp_path):
    (tmp_path / "secret.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n{BOT.format('Bot')}")
    write("own.py")
    os.symlink("../secret.py", "bots/out.py")
    os.symlink("loop.py", "bots/loop.py")
    os.symlink("own.py", "bots/within.py")
    os.mkfifo("bots/pipe.py")
    specs, left_out = found()
    assert set(specs) == {"own", "within"}
    assert "link to a file outside the folder" in left_out["out.py"]
    assert set(left_out) == {"out.py", "loop.py", "pipe.py"}
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such names")
@pytest.mark.parametrize("name", ["a\nb.py", "a\u202eb.py", "a.py:b.py", "a\x1b[1mb.py"])
def test_a_name_that_cannot_be_seen_or_named_is_left_out(write, name):
    write(name)
    specs, left_out = found()
    assert not specs
    assert all(key.isprintable() for key in left_out) and "rename it" in next(iter(left_out.values()))


def test_code_is_refused_as_a_whole_before_any_of_it_runs(write, tmp_path):
    write("bot.py", f"open({str(tmp_path / 'ran')!r}, 'w')\n{BOT.format('Bot')}")
    for files in ("policies", "none"):
        with pytest.raises(FileNotAllowedError, match="bots contains a file of code, which would run with your rights"):
            found(files=files)
    assert not (tmp_path / "ran").exists()


def test_a_folder_that_is_none_is_an_error():
    with pytest.raises(UnknownAgentError, match="cannot read the folder nowhere"):
        agents_in("nowhere", "romans-go-home")
