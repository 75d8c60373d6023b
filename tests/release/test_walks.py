"""An editor follows the calls from an environment, or a command, to a rule, and few files are on the way.

It knows the fields of a record in every rule, too.
"""

import json
import shutil
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("basedpyright")

ROOT = Path(__file__).resolve().parents[2]
FLOW, RULE = ("romans_env/roma/game_flow.py", "choose_buy("), ("romans_env/roma/points.py", None)
STEPS = ("romans_env/engine/rule_steps.py", "        game_flow.choose(")
LOOPS = ("agents/romans_agents/loops/agent_loops.py", "game.act("), STEPS, FLOW, RULE
WALKS = {
    "AEC step": (
        7,
        ("romans_env/envs/aec.py", "super().step("),
        ("romans_env/envs/aec.py", "game.act("),
        ("romans_env/core/game.py", "self.rules.act("),
        ("romans_env/core/compiled_rules.py", "self.compiled.act("),
        ("romans_env/engine/one_game.py", "game.apply("),
        STEPS,
        FLOW,
        RULE,
    ),
    "vector step": (
        6,
        ("romans_env/envs/vector.py", "self._batch.step("),
        ("agents/romans_agents/batches/single_agent_batch.py", "self.loops.run_learners"),
        *LOOPS,
    ),
    "romans train": (
        13,
        ("training/romans_training/cli/main.py", None),  # a command is imported by its name
        ("training/romans_training/cli/train.py", "run_to_end("),
        ("training/romans_training/cli/running.py", "trainer.train("),
        ("training/romans_training/learn/trainer.py", "run.train("),
        ("training/romans_training/learn/training_run.py", "self._iterate("),
        ("training/romans_training/learn/self_play/run.py", "self._games.collect("),
        ("training/romans_training/learn/self_play/rollout_games.py", "batch.step("),
        ("agents/romans_agents/batches/self_play_batch.py", "self.act("),
        ("agents/romans_agents/batches/batch_with_agents.py", "self.loops.act_in_games("),
        *LOOPS,
    ),
}
"""Files at most; then each file with the call in it that leads to the next one."""


class Editor:
    """A language server, asked as editors ask it."""

    def __init__(self):
        command = [sys.executable, "-c", "from basedpyright.langserver import main; main()", "--stdio"]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        self._timer = threading.Timer(600, self._server.kill)
        self._timer.start()
        self._number, folder = 0, {"uri": ROOT.as_uri(), "name": ROOT.name}
        can = {"workspace": {"configuration": True, "workspaceFolders": True}}
        self._ask("initialize", processId=None, rootUri=folder["uri"], workspaceFolders=[folder], capabilities=can)
        self._send(method="initialized", params={})

    def open(self, file):
        path = ROOT / file
        document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text("utf-8")}
        self._send(method="textDocument/didOpen", params={"textDocument": document})

    def goto(self, what, file, call):
        """The files of the definitions, or implementations, of the name that a call in a file ends with."""
        path = ROOT / file
        before = path.read_text(encoding="utf-8").partition(call)[0] + call.rstrip("(")
        place = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2]) - 1}
        uri = {"uri": path.as_uri()}
        return [one["uri"] for one in self._ask(f"textDocument/{what}", textDocument=uri, position=place) or []]

    def close(self):
        self._ask("shutdown")
        self._send(method="exit")
        self._server.communicate()
        self._timer.cancel()

    def _ask(self, method, **params):
        self._number += 1
        self._send(id=self._number, method=method, params=params)
        while True:
            said = self._read()
            if said.get("method") == "workspace/configuration":
                settings = {"pythonPath": sys.executable, "extraPaths": ["agents", "training", "serve"]}
                self._send(id=said["id"], result=[{**settings, "analysis": settings} for _ in said["params"]["items"]])
            elif "method" in said and "id" in said:
                self._send(id=said["id"], result=None)
            elif said.get("id") == self._number:
                return said["result"]

    def _send(self, **message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        self._server.stdin.flush()

    def _read(self):
        size = 0
        while line := self._server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            size = int(value) if name.lower() == b"content-length" else size
        return json.loads(self._server.stdout.read(size))


@pytest.fixture(scope="module")
def editor():
    editor = Editor()
    for _, *walk in WALKS.values():
        for file, _ in walk:
            editor.open(file)
    yield editor
    editor.close()


@pytest.mark.parametrize("name", WALKS)
def test_an_editor_follows_a_walk_from_call_to_call(editor, name):
    most, *walk = WALKS[name]
    assert len({file for file, _ in walk}) <= most
    for (file, call), (following, _) in pairwise(walk):
        if call is not None:
            expected = (ROOT / following).as_uri()
            found = editor.goto("definition", file, call)
            if expected not in found:  # it is that of a protocol, or abstract
                found = editor.goto("implementation", file, call)
            assert expected in found, (file, call, found)


FIELDS = {
    "romans_go_home/attack.py": ("state.wall[slot]", "state.walls[slot]"),
    "roma/points.py": ("state.money", "state.coins"),
    "struggle/dice.py": ("state.markers", "state.marker"),
}
"""A field that a rule of each game reads, and a name that no field has."""


@pytest.mark.parametrize("file", FIELDS)
def test_an_editor_follows_a_field_to_the_type_of_the_record(editor, file):
    editor.open(f"romans_env/{file}")
    field, _ = FIELDS[file]
    found = editor.goto("definition", f"romans_env/{file}", field.partition("[")[0])
    assert found == [(ROOT / "romans_env" / file).with_name("state_type.py").as_uri()]


def test_a_field_that_a_record_does_not_have_is_an_error(tmp_path):
    shutil.copytree(ROOT / "romans_env", tmp_path / "romans_env", ignore=shutil.ignore_patterns("__pycache__"))
    for file, (field, wrong) in FIELDS.items():
        path = tmp_path / "romans_env" / file
        text = path.read_text(encoding="utf-8")
        assert field in text
        path.write_text(text.replace(field, wrong, 1), encoding="utf-8")
    settings = {"typeCheckingMode": "standard", "include": [f"romans_env/{file}" for file in FIELDS]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--level", "error", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = {
        Path(one["file"]).relative_to(tmp_path / "romans_env").as_posix(): one["message"].partition("\n")[0]
        for one in json.loads(done.stdout)["generalDiagnostics"]
    }
    names = {file: wrong.removeprefix("state.").partition("[")[0] for file, (_, wrong) in FIELDS.items()}
    assert found == {file: f'Cannot access attribute "{name}" for class "State"' for file, name in names.items()}
