"""Runs of self-play: what they leave; that they stop and resume exactly."""

import dataclasses
from collections import Counter, defaultdict

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import romans_agents
from romans_agents import Policy
from romans_agents.loops.codes import LEARNER
from romans_training.learn import trainer
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.learn.self_play.league import EXPLOITER, PAST, SCRIPTED, League
from romans_training.learn.self_play.rollout_games import Games
from romans_training.settings import ConfigError
from tests.training.runs import SMALL as SMALL_RUN
from tests.training.runs import Stop, cut_off_after, same

SMALL = dataclasses.replace(
    SMALL_RUN,
    opponents=("greedy", "random"),
    setups=("2+0=3", "3+1", "1+1"),
    self_play=0.5,
    snapshot_every=600,
    exploiter_every=1500,
    exploiter_steps=300,
    magnet=0.1,
    magnet_horizon=1000,
    final_entropy=0.001,
    steps=2000,
    minibatch_size=64,
    epochs=1,
    evaluate_every=1000,
    evaluation_deals=4,
    checkpoint_every=400,
    restarts=0.5,
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run that came to its end undisturbed, and its policy."""
    folder = RunFolder(tmp_path_factory.mktemp("self-play") / "run")
    return folder, trainer.train(SMALL, folder)


def test_a_run_leaves_its_policy_its_league_and_its_papers(finished):
    folder, policy = finished
    assert same(policy, Policy.load(folder.policy))
    assert not same(policy, Policy.load(folder.average))
    league = League.load(folder.league)
    kinds = [member.kind for member in league.members]
    assert kinds[:2] == [SCRIPTED, SCRIPTED] and kinds.count(PAST) == 3 and kinds.count(EXPLOITER) == 1
    policies = {member.agent: (member.kind, Policy.load(folder.path / member.agent)) for member in league.members[2:]}
    (exploiter,) = (one for kind, one in policies.values() if kind == EXPLOITER)
    assert not any(same(exploiter, one) for kind, one in policies.values() if kind == PAST)
    assert sum(result.games for member in league.members for result in member.results.values()) > 5
    assert {table for member in league.members for table in member.results} <= {"2+0", "3+1"}
    rows = folder.load_metrics()
    assert len(rows) >= 7
    assert {"policy_loss", "entropy", "magnet_kl", "league_size", "mean_return"} <= set(rows[0])
    assert float(rows[-1]["entropy_weight"]) < 0.003 < float(rows[0]["entropy_weight"])
    assert float(rows[-1]["learning_rate"]) < 0.25 * float(rows[0]["learning_rate"])
    assert [row["against"] for row in folder.load_evaluations()][:2] == ["greedy", "random"]
    assert "greedy" in folder.summary.read_text(encoding="utf-8")
    assert romans_agents.make(str(folder.policy)).sample  # it draws its actions, unless told otherwise
    assert not romans_agents.make(f"policy:{folder.policy},sample=false").sample


def test_the_league_hears_the_mean_of_the_learners_seats(tmp_path, monkeypatch):
    heard, collect = [], Games.collect

    def noted(games, *arguments):
        rollouts, ended = collect(games, *arguments)
        heard.extend(ended)
        return rollouts, ended

    monkeypatch.setattr(Games, "collect", noted)
    changes = {"setups": ("3+0", "4+0"), "num_envs": 32, "rollout_length": 200, "steps": 1, "self_play": 0.2}
    never = {"snapshot_every": None, "exploiter_every": None, "evaluation_deals": 1, "minibatch_size": 2048}
    folder = RunFolder(tmp_path / "run")
    trainer.train(dataclasses.replace(SMALL, **changes, **never), folder)
    expected, means, unequal = defaultdict(list), [], Counter()
    for setup, line_ups, returns in heard:
        for agents, of_seats in zip(line_ups.tolist(), returns.tolist(), strict=True):
            own = [value for who, value in zip(agents, of_seats, strict=True) if who == LEARNER]
            members = {*agents} - {LEARNER}
            unequal[str(setup)] += bool(members) and len(set(own)) > 1
            means += [sum(own) / len(own)] * bool(members)
            for member in members:
                expected[member, str(setup)].append(sum(own) / len(own))
    assert set(unequal) == {"3+0", "4+0"} and min(unequal.values()) >= 2
    for number, member in enumerate(League.load(folder.league).members):
        for setup in unequal:
            result, returns = member.results[setup], expected[number, setup]
            assert result.games == len(returns) and result.total_return == pytest.approx(sum(returns), abs=1e-4)
    (row,) = folder.load_metrics()
    assert int(row["games"]) == len(means)
    assert float(row["mean_return"]) == pytest.approx(sum(means) / len(means), abs=1e-4)


def test_a_run_cut_off_and_resumed_ends_the_same(finished, tmp_path):
    undisturbed, expected = finished
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(Stop):
        trainer.train(SMALL, folder, report=cut_off_after(1500))
    assert same(trainer.resume(folder), expected)
    assert folder.league.read_text(encoding="utf-8") == undisturbed.league.read_text(encoding="utf-8")
    for table in (RunFolder.load_metrics, RunFolder.load_evaluations):
        assert [row["steps"] for row in table(folder)] == [row["steps"] for row in table(undisturbed)]


def test_a_run_can_be_asked_to_stop_in_the_midst_of_an_exploiter(finished, tmp_path):
    _, expected = finished
    folder = RunFolder(tmp_path / "run")
    told = []

    def report(progress):
        told.append(progress.steps)

    def should_stop():
        # The exploiter's rollouts are told with the learner's decisions, which stand still meanwhile.
        return len(told) > 2 and told[-1] == told[-2] >= 1500

    with pytest.raises(trainer.TrainingStopped):
        trainer.train(SMALL, folder, report, should_stop)
    assert not list((folder.path / "league").glob("exploiter*"))
    assert same(trainer.resume(folder), expected)


def test_a_missing_policy_of_the_league_is_told(tmp_path):
    folder = RunFolder(tmp_path / "run")
    trainer.train(dataclasses.replace(SMALL, steps=700, exploiter_every=None), folder)
    (missing,) = (folder.path / "league").glob("past-*.npz")
    missing.unlink()
    with pytest.raises(RunFolderError, match=rf"league/{missing.name}.* is missing"):
        trainer.resume(folder, steps=900)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"self_play": 1.5}, "self_play is a number from 0 to 1"),
        ({"self_play": 0.0}, "setups, snapshot_every, .*: settings of self-play"),
        ({"setups": ("2+0", "9+9")}, "setups: '9\\+9': there is no table '9\\+9'; there are 1\\+1, "),
        ({"setups": ("2+0=0",)}, "the weight of a setup must be above 0"),
        ({"setups": ("2+0=two",)}, "setups: '2\\+0=two': could not convert"),
        ({"setups": ({"setup": {"num_players": 9}},)}, "no table has 9 players"),
        ({"setups": ({"weight": 2},)}, "it is neither a name nor an object such as"),
        ({"setups": ({"setup": {}, "weight": "2"},)}, "the weight of a setup must be above 0"),
        ({"setups": ()}, "setups must name at least one setup"),
        ({"restarts": 1.0}, "restarts is a number from 0 to 0.9"),
        ({"magnet": -1.0}, "magnet is a number from 0 to 1,000,000"),
        ({"snapshot_every": 0}, "snapshot_every is an integer from 1 to .*, or null, not 0"),
        ({"num_envs": 2, "rollout_length": 64}, "num_envs must be at least the number of setups, 3"),
        ({"opponents": ("nobody",)}, "unknown agent 'nobody'"),
    ],
)
def test_mistakes_are_told(changes, says, tmp_path):
    with pytest.raises((ConfigError, romans_agents.UnknownAgentError), match=says):
        trainer.train(dataclasses.replace(SMALL, **changes), RunFolder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()
