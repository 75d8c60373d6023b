"""What other libraries load: games as data sets of Minari and Hugging Face, policies of its hub, rliable's scores."""

import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks import leaderboard
from romans_agents.policies.policy import Policy
from romans_agents.policies.policy_file import PolicyFileError
from romans_agents.specs.listing import ratings_of
from romans_env import Game, replay
from romans_env.core import games
from romans_training.data.minari_dataset import export_minari
from romans_training.data.parquet import export_decisions
from romans_training.data.record_files import write_line
from romans_training.learn.metrics_file import write_rows
from romans_training.learn.run_folder import RunFolderError, scores_of
from tests.harness import ROMANS_GO_HOME, each_game, toy_registered
from tests.policies import some_policy
from tests.tools import decisions

pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow; install the extra 'data'")


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Libraries write below the test's folder, and the network is not asked."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    with toy_registered():
        yield


def recorded(path, game, agents=("random",), seeds=range(3), **setup):
    """A file of records of random play, and the records; the seats behind ``agents`` are nobody's."""
    records = []
    for seed in seeds:
        played = game.new_game(seed, **(setup or game.short))
        played.agents = dict(zip(played.players, agents, strict=False))
        for _ in decisions(played, seed):
            pass
        records.append(played.record())
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            write_line(file, record)
    return path, records


# -- Minari


@each_game
def test_minari_loads_an_episode_for_every_seat(called, tmp_path, game):
    minari = pytest.importorskip("minari", reason="needs Minari")
    path, records = recorded(tmp_path / "games.jsonl", game)
    status, _, err = called("export", path, "--to", "minari", "--out", f"{game.name}/mixed-v0")
    assert (status, err.split()[-2:]) == (0, ["written:", str(tmp_path / "minari" / game.name / "mixed-v0")])
    dataset = minari.load_dataset(f"{game.name}/mixed-v0")
    env = dataset.recover_environment().unwrapped
    assert env.rules.setup == game.rules(**game.short).setup
    assert (dataset.observation_space, dataset.action_space) == (env.observation_space, env.action_space)
    episodes = iter(dataset.iterate_episodes())
    for number, record in enumerate(records):
        end = replay(record)
        for seat, player in enumerate(end.players):
            one, again = next(episodes), Game.of_deal(end.rules, record["deal"])
            masks, likely, views, actions = one.infos["action_mask"], one.infos["probabilities"], [], []
            for who, name in end.actions:
                if who == player:
                    views.append(again.view(player))
                    actions.append(again.action_id(name))
                again.act(again.action_id(name))
            seen = [view.observation.tolist() for view in (*views, again.view(player))]
            assert (one.actions.tolist(), one.observations.tolist()) == (actions, seen)
            assert masks.tolist() == [*(view.action_mask.tolist() for view in views), [0] * env.action_space.n]
            assert masks[np.arange(len(views)), one.actions].all()
            assert sum(one.rewards) == end.returns()[player] and not one.truncations.any()
            assert one.terminations.tolist() == [False] * (len(views) - 1) + [True]
            assert all(dataset.observation_space.contains(row) for row in one.observations)
            if seat == 0:
                assert np.allclose(likely[:-1], masks[:-1] / masks[:-1].sum(axis=1, keepdims=True))
            assert np.isnan(likely if seat else likely[-1]).all()
            assert set(one.infos["agent"].tolist()) == {b"" if seat else b"random"}
            assert {(seat, number)} == set(zip(one.infos["seat"].tolist(), one.infos["game"].tolist(), strict=True))
    assert next(episodes, None) is None


def test_a_minari_dataset_is_of_an_agent_s_seats_and_cut_games_are_truncated(tmp_path):
    minari = pytest.importorskip("minari", reason="needs Minari")
    path, (record, *_) = recorded(tmp_path / "games.jsonl", ROMANS_GO_HOME, ("random", "greedy"))
    with open(path, "a", encoding="utf-8") as file:
        write_line(file, {**record, "actions": record["actions"][:9], "result": None})
    export_minari([path], "greedy-v0", agent="greedy")
    *whole, cut = minari.load_dataset("greedy-v0").iterate_episodes()
    assert len(whole) == 3 and {one.infos["agent"][0] for one in (*whole, cut)} == {b"greedy"}
    assert cut.truncations.tolist() == [False] * (len(cut) - 1) + [True]
    assert not cut.terminations.any() and not cut.rewards.any()


def test_the_python_of_the_page_loads_a_minari_dataset(tmp_path):
    pytest.importorskip("minari", reason="needs Minari")
    path, _ = recorded(tmp_path / "games.jsonl", ROMANS_GO_HOME, ("legate",))
    export_minari([path], "romans-go-home/legate-v0", agent="legate")
    page = (Path(__file__).resolve().parents[2] / "docs" / "training" / "data.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"```python\n(import minari\n.*?)```", page, re.DOTALL)
    found = {}
    exec(compile(snippet, "docs/training/data.md", "exec"), found)
    assert found["env"].unwrapped.rules.num_players == 2 and found["legal"].any(axis=1).all()


def test_a_minari_dataset_is_whole_or_not_there(called, tmp_path):
    pytest.importorskip("minari", reason="needs Minari")
    good, _ = recorded(tmp_path / "games.jsonl", ROMANS_GO_HOME, ("random", "greedy"))
    other, _ = recorded(tmp_path / "other.jsonl", ROMANS_GO_HOME, num_players=3, seeds=[1])
    (tmp_path / "cut.jsonl").write_text(good.read_text().replace("player_1 ", "player_0 "))
    assert called("export", good, "--to", "minari", "--out", "ours/mixed-v0")[0] == 0
    before = sorted(path for path in (tmp_path / "minari").rglob("*"))
    for arguments, message in {
        (good, "--out", "ours/mixed-v0"): "the dataset ours/mixed-v0 exists already",
        (good,): "name the dataset with --out",
        (good, "--out", "../x-v0"): "'../x-v0' is not a dataset id",
        (good, "--out", "x"): "'x' is not a dataset id",
        (good, "--out", "x-v0", "--agent", "mixer"): "no decisions of mixer; they name greedy, random",
        (good, other, "--out", "x-v0"): "game 3 has the setup 3+0, not 2+0: export",
        (tmp_path / "cut.jsonl", "--out", "x-v0"): "line 1: action 7 of",
        (good, "--out", "x-v0", "--judge", "flat-mc"): "--judge goes with --to chat, not with --to minari",
    }.items():
        status, _, err = called("export", "--to", "minari", *arguments)
        assert status and message in f"{status} {err}"
        assert sorted(path for path in (tmp_path / "minari").rglob("*")) == before


# -- Hugging Face's data sets


@each_game
def test_datasets_loads_an_export_with_named_actions(tmp_path, monkeypatch, game):
    datasets = pytest.importorskip("datasets", reason="needs Hugging Face's datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    path, _ = recorded(tmp_path / "games.jsonl", game)
    export_decisions([path], tmp_path / "data")
    table = pq.read_table(tmp_path / "data" / "decisions")
    size, actions = game.observation[1], game.num_actions
    plain = datasets.load_dataset("parquet", data_dir=str(tmp_path / "data" / "decisions"))["train"]
    named = datasets.load_dataset(str(tmp_path / "data"))["train"]
    for found in (plain, named):
        lengths = {name: one.length for name, one in found.features.items() if hasattr(one, "length")}
        assert lengths == {"observation": size, "action_mask": actions, "probabilities": actions}
        assert found.features["observation"].feature.dtype == game.observation[0]
        assert found.to_list() == table.to_pylist()
    names = list(game.rules(**game.short).action_names)
    assert named.features["action"].names == names
    assert named.features["action"].int2str(named[0]["action"]) == names[table["action"][0].as_py()]


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_datasets_loads_decisions_in_words(tmp_path, monkeypatch, ending):
    datasets = pytest.importorskip("datasets", reason="needs Hugging Face's datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    path, records = recorded(tmp_path / "games.jsonl", ROMANS_GO_HOME)
    export_decisions([path], tmp_path / "words", form="chat", ending=ending)
    rows = datasets.load_dataset(str(tmp_path / "words"))["train"]
    assert len(rows) == sum(len(record["actions"]) for record in records)
    assert [message["role"] for message in rows[0]["prompt"]] == ["system", "user"]


# -- Hugging Face's hub


def test_a_policy_is_loaded_from_a_folder_or_a_repository(tmp_path, monkeypatch):
    huggingface_hub = pytest.importorskip("huggingface_hub", reason="needs huggingface_hub")
    asked, seen = [], np.zeros((1, ROMANS_GO_HOME.observation[1]), np.int8)
    policy = some_policy()
    policy.save(tmp_path / "policy.npz")
    (tmp_path / "README.md").write_text("# A policy\n")

    def download(repo_id, filename, revision=None):
        asked.append((repo_id, filename, revision))
        return str(tmp_path / "policy.npz")

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    found = [Policy.from_pretrained(tmp_path), Policy.from_pretrained("somebody/policy", "policy.npz", "v2")]
    assert asked == [("somebody/policy", "policy.npz", "v2")]
    assert all((one.logits(seen) == policy.logits(seen)).all() for one in found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("somebody/policy",), "there is no folder somebody/policy, and policy.npz cannot be downloaded"),
        (("no such/name",), "there is no folder no such/name"),
        ((".", "missing.npz"), "cannot read the policy file ./missing.npz: No such file"),
    ],
)
def test_what_is_no_policy_s_place_is_refused_in_one_line(tmp_path, monkeypatch, arguments, message):
    constants = pytest.importorskip("huggingface_hub.constants", reason="needs huggingface_hub")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PolicyFileError, match=re.escape(message)) as refused:
        Policy.from_pretrained(*arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("game", "card"), [(game, card) for game in games.names() for card in leaderboard.cards(game)])
def test_the_hub_reads_a_card_s_rating(game, card):
    huggingface_hub = pytest.importorskip("huggingface_hub", reason="needs huggingface_hub")
    text = card.read_text(encoding="utf-8")
    assert leaderboard.with_head(text, game) == text, "run: python -m benchmarks.leaderboard"
    data, ratings = huggingface_hub.ModelCard(text).data, ratings_of(game)
    (result,) = data.eval_results
    rating = ratings.agents[data.model_name]
    assert (result.task_type, result.dataset_type) == ("reinforcement-learning", ratings.protocol)
    assert (result.metric_value, result.metric_args) == (rating.mean, {"low": rating.low, "high": rating.high})
    made = huggingface_hub.metadata_eval_result(
        model_pretty_name=data.model_name,
        task_pretty_name=result.task_name,
        task_id=result.task_type,
        metrics_pretty_name=result.metric_name,
        metrics_id=result.metric_type,
        metrics_value=result.metric_value,
        dataset_pretty_name=result.dataset_name,
        dataset_id=result.dataset_type,
    )
    made["model-index"][0]["results"][0]["metrics"][0] |= {"args": result.metric_args}
    del made["model-index"][0]["results"][0]["metrics"][0]["verified"]
    assert data.to_dict()["model-index"] == made["model-index"]


# -- rliable


def evaluated(folder, *rates):
    """A run folder with two evaluations against opponents, given by their names with their last win rates."""
    rows = [{"steps": steps, "against": one[0], "win_rate": one[1] * steps} for steps in (0, 1) for one in rates]
    write_rows(folder / "evaluations.csv", rows)
    return folder


def runs_in(folder):
    """The folders of runs of two algorithms."""
    return {
        "ppo": [evaluated(folder / f"ppo-{k}", ("random", 0.8 + k / 50), ("greedy", 0.5)) for k in range(4)],
        "pool": [evaluated(folder / f"pool-{k}", ("greedy", 0.6), ("random", 0.9)) for k in range(3)],
    }


def test_scores_over_seeds_have_a_row_for_each_run(tmp_path):
    runs = runs_in(tmp_path)
    assert {name: array.tolist() for name, array in scores_of(runs).items()} == {
        "ppo": [[0.8 + k / 50, 0.5] for k in range(4)],
        "pool": [[0.9, 0.6]] * 3,
    }
    for wrong, message in {
        evaluated(tmp_path / "other", ("random", 0.5)): "other met random, not random, greedy; name runs",
        tmp_path / "nothing": "nothing has no evaluations",
    }.items():
        with pytest.raises(RunFolderError, match=message):
            scores_of({**runs, "worse": [wrong]})
    with pytest.raises(RunFolderError, match="an algorithm has no runs"):
        scores_of({"worse": []})


def test_rliable_takes_scores_over_seeds(tmp_path):
    pandas = pytest.importorskip("pandas")
    if int(pandas.__version__.partition(".")[0]) > 2:
        pytest.skip("rliable 1.2 needs pandas 2, so it is not among what the tests install")
    library = pytest.importorskip("rliable.library", reason="needs rliable")
    metrics = pytest.importorskip("rliable.metrics")
    means, intervals = library.get_interval_estimates(
        scores_of(runs_in(tmp_path)), lambda array: np.array([metrics.aggregate_mean(array)]), reps=200
    )
    assert means["pool"] == pytest.approx([0.75])
    assert (intervals["ppo"][0] <= means["ppo"]).all() and (means["ppo"] <= intervals["ppo"][1]).all()
