"""The bot of docs/own_agents.md plays, by the commands shown there."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

import romans_agents
from romans_env import Table
from romans_training.cli.main import main
from romans_training.evaluation import evaluate

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT.joinpath("docs/own_agents.md").read_text(encoding="utf-8")
BOT, COMMANDS = re.findall(r"`my_bot\.py`:\n\n.*?```python\n(.*?)```.*?```sh\n(.*?)```", PAGE, re.DOTALL)[0]
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


@pytest.mark.parametrize("size", [(2, 1), (3, 0), (1, 2)])
@pytest.mark.parametrize("variant", ["standard", "vogel"])
def test_the_bot_plays_every_variant(bot, size, variant):
    evaluate(
        romans_agents.make(bot), [romans_agents.make(bot)] * (size[0] - 1), Table(*size, variant=variant), num_deals=20
    )


def test_the_bot_is_better_than_random(bot):
    said = re.search(r"(\d+) % against `random`", SAID)
    assert said is not None
    rate = evaluate(romans_agents.make(bot), [romans_agents.make("random")], Table(2, 0), num_deals=300).win_rate
    assert 0.5 < rate.low < int(said[1]) / 100 < rate.high
