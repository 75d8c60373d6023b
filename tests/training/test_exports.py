"""Exports of every game where groups of games are full, and what a judge of plans says of actions.

`tests/release/test_data.py` and `tests/release/test_other_loaders.py` look at rows, files and loaders.
"""

import json
from itertools import pairwise

import numpy as np
import pytest

from romans_agents.searches.comparison import ActionComparison
from romans_env.render.language import parse
from romans_training.data import minari_dataset, parquet
from romans_training.data.chat import chat_example_of
from romans_training.data.minari_dataset import export_minari
from romans_training.data.parquet import export_decisions
from romans_training.data.record_files import write_line
from tests.harness import each_game
from tests.tools import played

pytestmark = pytest.mark.usefixtures("toy")
GAMES = 8


@pytest.fixture
def few_games_at_once(monkeypatch):
    """Groups are full after three games; the last one is not."""
    for module in (parquet, minari_dataset):
        monkeypatch.setattr(module, "GROUP_GAMES", 3)


def recorded(path, game):
    """A file of records of random play, which stop after some decisions of every seat."""
    rules = game.rules(**game.short)
    records = []
    with open(path, "w", encoding="utf-8") as file:
        for seed in range(GAMES):
            one = played(game.new_game(seed, **game.short), seed, stop_after=24 + seed)
            one.agents = {rules.players[seed % rules.num_players]: ("random", "greedy")[seed % 2]}
            records.append(one.record())
            write_line(file, records[-1])
    return path, records


def rows_in(folder):
    return [json.loads(line) for part in sorted((folder / "decisions").iterdir()) for line in part.open()]


def numbered(records):
    """The game, the seat's agent and the action of every decision."""
    for number, record in enumerate(records):
        for entry in record["actions"]:
            player, _, name = entry.partition(" ")
            yield number, (record["agents"] or {}).get(player), name


@each_game
def test_games_are_numbered_through_in_words(tmp_path, few_games_at_once, game):
    path, records = recorded(tmp_path / "games.jsonl", game)
    export_decisions([path], tmp_path / "words", form="chat", ending="jsonl", part_games=5)
    rows = rows_in(tmp_path / "words")
    assert [(row["game"], row["agent"]) for row in rows] == [row[:2] for row in numbered(records)]
    assert all(
        name in row["completion"][0]["content"] for row, (_, _, name) in zip(rows, numbered(records), strict=True)
    )


@each_game
def test_games_are_numbered_through_in_parquet(tmp_path, few_games_at_once, game):
    pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow; install the extra 'data'")
    path, records = recorded(tmp_path / "games.jsonl", game)
    export_decisions([path], tmp_path / "data", part_games=5)
    names = game.rules(**game.short).action_names
    table = pq.read_table(tmp_path / "data" / "decisions", columns=["game", "agent", "action"]).to_pylist()
    assert [(row["game"], row["agent"], names[row["action"]]) for row in table] == list(numbered(records))


@each_game
def test_a_minari_dataset_has_the_episodes_of_all_games(tmp_path, monkeypatch, few_games_at_once, game):
    minari = pytest.importorskip("minari", reason="needs Minari")
    pytest.importorskip("h5py", reason="needs Minari's files")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    path, records = recorded(tmp_path / "games.jsonl", game)
    names, seen = game.rules(**game.short).action_names, []
    export_minari([path], "all-v0")
    for one in minari.load_dataset("all-v0").iterate_episodes():
        seat, number = int(one.infos["seat"][0]), int(one.infos["game"][0])
        player = f"player_{seat}"
        assert one.infos["agent"][0].decode() == records[number]["agents"].get(player, "")
        own = [entry.partition(" ")[2] for entry in records[number]["actions"] if entry.split()[0] == player]
        assert [names[action] for action in one.actions] == own
        seen.append((number, seat))
    players = game.rules(**game.short).num_players
    assert seen == [(number, seat) for number in range(GAMES) for seat in range(players)]


class JudgeOfPlans:
    """Judges two plans for every action but the last; the better one of an even action comes first."""

    def __init__(self, view):
        legal = view.legal_actions()
        self.worth = {action: 0.1 + 0.8 * k / len(legal) for k, action in enumerate(legal[:-1])}
        pairs = [
            (action, of_plan)
            for action, worth in self.worth.items()
            for of_plan in (worth, worth / 2)[:: 1 if action % 2 == 0 else -1]
        ]
        choices = [(action, 0) for action, _ in pairs]
        shares = np.add.outer([0.01, -0.01], [of_plan for _, of_plan in pairs])
        self.comparison = ActionComparison(choices, shares, np.zeros(len(choices)))

    def compare(self, view, played):
        return self.comparison


@each_game
def test_an_action_is_worth_what_the_best_plan_is_that_begins_with_it(game):
    view = next(here for here in game.positions(1, every=1) if len(here.legal_actions()) > 3)
    view = view.view(view.seat_to_act)
    judge, legal = JudgeOfPlans(view), view.legal_actions()
    words = chat_example_of(view, legal[1], judge)
    assert words.actions == [view.action_name(action) for action in legal]
    assert words.values[:-1] == pytest.approx([judge.worth[action] for action in legal[:-1]])
    assert words.values[-1] is None and all(one < other for one, other in pairwise(words.values[:-1]))
    assert parse(words.completion[0]["content"], view) == legal[1]


@pytest.mark.parametrize("form", ["onnx", "json"])
@pytest.mark.parametrize("name", ["games.jsonl", "game.json"])
def test_records_are_no_policy(called, tmp_path, form, name):
    status, _, err = called("export", tmp_path / name, "--to", form, "--out", tmp_path / "out")
    assert status == 2
    assert err.splitlines()[-1] == (
        f"Error: --to {form} takes a policy file (.npz); records such as {tmp_path / name} are exported --to parquet, "
        "chat or minari"
    )
    assert not (tmp_path / "out").exists()
