"""The bot of docs/agents/own_agents.md goes through every command that takes an agent, those of comparing.md and
first_hour.md included."""

import asyncio
import io
import re
import shlex

import pytest

import romans_agents
from romans_agents.external.text_env import make_text_env
from romans_env import Game, RomansGoHome, Table
from romans_serve.thinkers.workers import Workers
from romans_training.cli.main import main
from romans_training.measure.evaluation import evaluate
from tests.agents.texts import played
from tests.release.docs.blocks import ROOT, blocks_of

PAGE = ROOT.joinpath("docs/agents/own_agents.md").read_text(encoding="utf-8")
BOT, COMMANDS = re.findall(r"`my_bot\.py`:\n\n.*?```python\n(.*?)```.*?```sh\n(.*?)```", PAGE, re.DOTALL)[0]
SHOWN = [
    words[1:]
    for page in ("measuring/comparing.md", "start/first_hour.md")
    for block in blocks_of(ROOT / "docs" / page)
    if block.test == "tests/release/test_own_bot.py"
    for words in block.commands()
]
SMALL = {
    "benchmark": "--deals 2 --folder games",
    "evaluate": "--deals 4",
    "exploit": "--search-deals 2 --effort light",
    "train": "--steps 512 --num-envs 16 --rollout-length 16 --minibatch-size 64 --evaluation-deals 2",
}
"""Options with which a command takes seconds."""
OTHERS = [
    "agents BOT",
    f"exploit BOT --by learning --deals 2 --evaluate-every 512 {SMALL['train']}",
    "tournament BOT greedy --deals 2 --jobs 1 --replays games.html",
    "play --hint BOT --against BOT",
    "train --opponents BOT,random --evaluate-against BOT --config opponents.toml --allow-code",
    "evaluate BOT --against BOT,greedy --table 3+1 --variance-reduction aivat",
    "replay game.json --html page.html --agent BOT",
    "review game.json --player player_0 --reviewer round-response:iterations=100 --html page.html",
    "export game.json --to chat --jsonl --judge round-response:iterations=300",
]
SAID = PAGE.partition("It wins ")[2].partition("\n\n")[0]


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """The page's bot, in a file in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text(BOT, encoding="utf-8")
    return "my_bot.py:MyBot"


def test_the_bot_has_fifteen_lines():
    assert len(BOT.splitlines()) <= 15


@pytest.mark.usefixtures("bot")
def test_the_bot_plays_by_the_commands_shown_and_wins_as_often_as_is_said(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 200))
    outputs = []
    for command in COMMANDS.splitlines():
        program, *arguments = shlex.split(command)
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert (program, stop.value.code) == ("romans", 0)
        outputs.append(capsys.readouterr().out)
    evaluated, played = outputs
    rate = re.search(r"\| 2\+0 +\| greedy +\| +([\d.]+)", evaluated)
    assert rate is not None
    assert f"{float(rate[1]):.0f} % against `greedy`" in SAID
    assert "== The end ==" in played


@pytest.mark.parametrize("arguments", [*SHOWN, *map(str.split, OTHERS)], ids=" ".join)
def test_every_command_takes_the_bot(bot, arguments, called, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\n1\nq\n"))
    (tmp_path / "opponents.toml").write_text(f'opponents = ["{bot}"]\n', encoding="utf-8")
    if ".json" in " ".join(arguments):
        assert called("evaluate", bot, "--deals", 2, "--records", "games.jsonl")[0] == 0
        game = (tmp_path / "games.jsonl").read_text(encoding="utf-8").partition("\n")[0]
        (tmp_path / "game.json").write_text(game, encoding="utf-8")
    small = [] if "learning" in arguments else SMALL.get(arguments[0], "").split()
    words = [word.replace("BOT", bot) for word in arguments if word != "--quick"]
    code, out, err = called(*words, *small)
    assert code == 0, (out, err)
    assert "MyBot" in out + err or arguments[0] in ("train", "replay", "review", "export")


def test_the_server_and_the_assistants_text_environment_take_the_bot(bot, caplog):
    game, workers = Game(RomansGoHome(), seed=1), Workers(1, trusted=[bot])
    try:
        action = asyncio.run(workers.act(bot, game.view(0), 1))
        assert asyncio.run(workers.hint(bot, game.view(0), 1)).probabilities[game.action_name(action)] == 1
    finally:
        workers.close()
    assert "The game is over." in played(make_text_env("romans-go-home", against=bot), seed=1)[-1]
    assert "failed" not in caplog.text


def test_a_result_of_the_bot_is_verified_once_its_code_is_allowed(bot, called):
    assert called("benchmark", bot, "--deals", 2, "--json", "mine.json")[0] == 0
    assert "Give --allow-code if you trust it" in called("benchmark", "--verify", "mine.json")[0]
    status, out, _ = called("benchmark", "--verify", "mine.json", "--allow-code", "--part", 0.2)
    assert status == 0 and "replayed, with the same results" in " ".join(out.split())


def test_the_bot_is_better_than_random(bot):
    said = re.search(r"(\d+) % against `random`", SAID)
    assert said is not None
    rate = evaluate(romans_agents.make(bot), [romans_agents.make("random")], Table(2, 0), num_deals=300).win_rate
    assert 0.5 < rate.low < int(said[1]) / 100 < rate.high
