"""The same questions of every game, the toy game among them: what tables say follows from the games' records."""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import takewhile

import numpy as np
import pandas as pd
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN

import romans_agents
from romans_agents import network
from romans_agents.searches.comparison import share_of_return
from romans_env import Game, replay
from romans_env.core.games import spec_of
from romans_env.envs.sb3 import RomansVecEnv
from romans_training import analysis
from romans_training.analysis import played_games
from romans_training.compare.game_review import ReviewError, judge_of, judged
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder, RunFolderError
from romans_training.measure.evaluation import evaluate
from tests.harness import ROMANS_GO_HOME, TOY, each_game
from tests.policies import some_policy

SHORT = {"romans-go-home": {"num_neutrals": 1}, "roma": {}, "struggle": {"max_rounds": 2}, "dice-race": {"turns": 4}}
REVIEWERS = {"romans-go-home": "round-response:iterations=100", "dice-race": "flat-mc:iterations=400"}


pytestmark = pytest.mark.usefixtures("toy")


class Module(torch.nn.Module):
    """Logits and a value of random layers, as a network of one's own gives them."""

    def __init__(self, rules, seed=1):
        super().__init__()
        torch.manual_seed(seed)
        self.register_buffer("scale", torch.from_numpy(rules.observation_scale))
        self.layer = torch.nn.Linear(rules.observation_size, rules.num_actions + 1)

    def forward(self, observations):
        numbers = self.layer(self.scale * observations)
        return 5 * numbers[:, 1:], torch.tanh(numbers[:, 0])


@cache
def module_of(name, seed=1):
    return analysis.agent_of(Module(spec_of(name).make_rules(**SHORT[name]), seed), name, f"network {seed}")


@cache
def games_of(name):
    """Games of a network against `random`."""
    rules = spec_of(name).make_rules(**SHORT[name])
    return analysis.played([module_of(name), *["random"] * (rules.num_players - 1)], rules, deals=3, seed=3)


def drawn(found, *words):
    """Hold that a figure can be drawn and says these words; its table is given back."""
    found.figure.savefig(io.BytesIO(), format="svg")
    texts = [
        found.figure.get_suptitle(),
        *(text.get_text() for text in found.figure.findobj(lambda x: hasattr(x, "get_text"))),
    ]
    assert all(any(word in text for text in texts) for word in words), texts
    assert isinstance(found.frame, pd.DataFrame) and len(found.frame)
    return found.frame


def share_of_win(returns, setup):
    """The shares of the win that returns stand for, which are (n s - 1) / (n - 1) for a share s among n."""
    return (1 + (setup.num_players - 1) * returns) / setup.num_players


# -- the calls, of every game


@each_game
def test_what_was_played_is_what_the_records_say(game):
    games = games_of(game.name)
    assert list(games.frame["deal"].unique()) == [0, 1, 2]
    for number, record in enumerate(games.records):
        own = games.frame[games.frame["game"] == number]
        whole, agents = replay(record), record["agents"]
        players = np.array(whole.players)[own["seat"]]
        assert (players.astype(object) + " " + own["action"]).tolist() == record["actions"]
        assert own["agent"].tolist() == [agents[player] for player in players]
        won = {player: 1 / len(whole.winners()) for player in whole.winners()}
        assert own["share"].tolist() == pytest.approx([won.get(one, 0) for one in players], abs=1e-6)
        assert own["phase"].tolist() == (1 + 3 * np.arange(len(own)) // len(own)).tolist()
        for row in own.index[:: max(1, len(own) // 5)]:
            before, seat = games.at(row), own["seat"][row]
            view = games.views[row]
            assert before.seat_to_act == seat and view.position() == before.view(seat).position()
            assert view.states.tobytes() == before.view(seat).states.tobytes(), "nothing but the private view"
            assert own["kind"][row] == before.rules.decision_kind(before.states, 0)
            assert games.masks[row].tolist() == before.action_mask(seat).tolist()
            assert own["options"][row] == len(before.legal_actions())
    assert (games.frame.groupby("game").size().nunique() > 1) == (game is not TOY), "games differ in length"


@each_game
def test_the_games_are_those_of_an_evaluation(game):
    games, agent = games_of(game.name), module_of(game.name)
    others = [romans_agents.make("random", game=game.name) for _ in range(games.rules.num_players - 1)]
    found = evaluate(agent, others, games.rules, 3, 3, on_record=lambda record: None).mean_return.mean
    ends = games.frame[games.frame["agent"] == agent.name].drop_duplicates("game")["share"].mean()
    assert share_of_return(found, games.rules.num_players) == pytest.approx(ends)


@each_game
def test_two_agents_are_compared(game):
    games = games_of(game.name)
    compared = analysis.compared(module_of(game.name), module_of(game.name, 2), games)
    table = drawn(analysis.agreement(compared), "network 1 and network 2", str(games.rules.setup), "n = ")
    kinds = table[table["kind"] != "all"]
    assert kinds["count"].sum() == table["count"][0] == len(games.frame)
    for column in ("same", "distance"):
        assert table[column][0] == pytest.approx((kinds[column] * kinds["count"]).sum() / len(games.frame))
        assert table[f"{column}_low"].le(table[column]).all() and table[f"{column}_high"].ge(table[column]).all()
    found = drawn(analysis.disagreements(compared, most=7, drawn=2), "network 1", "network 2", "%")
    assert found["distance"].is_monotonic_decreasing and found["distance"].iloc[0] == compared.frame["distance"].max()
    for row in found.index:
        one, view = found.loc[row], games.views[row]
        assert view.action_name(module_of(game.name).act(view)) == one["first"]
        assert one["second"] in map(view.action_name, view.legal_actions())
        assert one["first_of_second"] == pytest.approx(compared.probabilities[0][row, view.action_id(one["second"])])


@each_game
def test_an_agent_that_is_its_reference_agrees_and_chooses_as_it_would(game):
    games, agent = games_of(game.name), module_of(game.name)
    compared = analysis.compared(agent, agent, games)
    table = analysis.agreement(compared).frame
    assert (table["same"] == 1).all() and (table["distance"] == 0).all()
    assert analysis.disagreements(compared).frame.empty
    own = games.frame.index[games.frame["agent"] == agent.name]
    assert (compared.probabilities[0][own].argmax(axis=1) == games.actions[own]).all()
    table = drawn(analysis.choices(games, agent), "chosen", "network 1 would")
    chosen = table[table["agent"] == agent.name]
    assert chosen["count"].sum() == games.frame["options"][own].sum()
    assert (chosen["share"] * chosen["count"]).sum() == pytest.approx(len(own))
    some = chosen.iloc[len(chosen) // 2]
    offered = own[games.masks[own, games.rules.action_id(some["action"])] > 0]
    offered = offered[(games.frame["kind"][offered] == some["kind"]).to_numpy()]
    assert some["share"] == (games.frame["action"][offered] == some["action"]).mean()
    assert len(drawn(analysis.choices(games), "random", "network 1").columns) == 7


@each_game
def test_what_is_expected(game):
    games, agent = games_of(game.name), module_of(game.name)
    table = drawn(analysis.calibration(agent, games, bins=4), "Brier", str(games.rules.setup))
    assert (
        table["count"].iloc[-1]
        == table["count"][:-1].sum()
        == len(games.frame.index[games.frame["agent"] == agent.name])
    )
    own = games.frame.index[games.frame["agent"] == agent.name]
    values = agent.policy.values(np.array([games.views[row].observation for row in own]))
    assert table["expected"].iloc[-1] == pytest.approx(share_of_win(values, games.rules).mean(), abs=1e-5)
    whole = replay(games.records[1])
    table = drawn(analysis.values_along(games.records[1], [agent]), *whole.players)
    assert table["step"].tolist() == list(range(len(whole.actions)))
    again = Game(whole.rules, deal=whole.deal())
    value = agent.policy.values(again.observation(again.seat_to_act)[None])[0]
    assert table["value"][0] == pytest.approx(value, abs=1e-5)
    assert table["expected"].tolist() == pytest.approx(share_of_win(table["value"], games.rules).tolist())
    with pytest.raises(ValueError, match="random has no value"):
        analysis.calibration("random", games)
    with pytest.raises(ValueError, match="random has no value"):
        analysis.values_along(whole, ["random"])


def limits_hold(axes):
    """Whether all points of lines lie within the limits of their axes."""
    points = np.concatenate([line.get_xydata() for line in axes.lines])
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    return ((points >= [left, low]) & (points <= [right, high])).all()


def test_values_beyond_what_a_game_can_return_are_drawn_within_the_axes():
    """A value that is learned by squares, as stable-baselines3's, is not bound to what a return can be."""

    class Unbounded(Module):
        def forward(self, observations):
            logits, value = super().forward(observations)
            return logits, 3 * torch.sign(value)

    games = games_of("dice-race")
    agent = analysis.agent_of(Unbounded(games.rules), "dice-race", "unbounded")
    found = analysis.calibration(agent, games, bins=4)
    assert not found.frame["expected"].between(0, 1).all()
    for one in (found, analysis.values_along(games.records[0], [agent])):
        assert all(limits_hold(axes) for axes in one.figure.axes)


@each_game
def test_pictures_and_games_name_the_game(game):
    games = games_of(game.name)
    title = spec_of(game.name).title
    assert games.sample.startswith(title) and f"games of {title}" in repr(games)
    for found in (analysis.choices(games), analysis.values_along(games.records[0], [module_of(game.name)])):
        assert title in found.figure.get_suptitle()


@pytest.mark.parametrize(("most", "has_intervals"), [(4, False), (40, True)])
def test_few_decisions_draw_their_mean_loss_without_an_interval(most, has_intervals):
    """By two decisions of one kind it would reach far beyond what can be lost."""
    found = analysis.losses(games_of("dice-race"), REVIEWERS["dice-race"], most=most)
    by_kind, by_phase = found.figure.axes[:2]
    for axes in (by_kind, by_phase):
        lines = [part.get_segments() for container in axes.containers for part in container[2]]
        ends = np.concatenate([np.asarray(one) for one in lines])[:, :, 0]
        assert np.abs(ends).max() <= 100
        assert (ends[:, 0] < ends[:, 1]).any() == has_intervals
        counts = [int(re.search(r"\(n = (\d+)\)", one.get_text())[1]) for one in axes.get_yticklabels()]
        assert sum(counts) == len(found.frame)


@pytest.mark.parametrize("game", [ROMANS_GO_HOME, TOY], ids=lambda game: game.name)
def test_what_choices_cost(game):
    games, judge = games_of(game.name), REVIEWERS[game.name]
    found = analysis.losses(games, judge, most=3)
    table = drawn(found, "What choices cost", "by kind", "by third")
    assert len(table) == 3 and table["loss"].is_monotonic_decreasing
    row = table.index[-1]
    before = games.at(row)
    coming = replay(games.records[table["game"][row]]).actions[table["step"][row] :]
    own = takewhile(lambda one: one[0] == before.agent_to_act, coming)
    alone = judged(judge_of(judge, game.name, 0), before, [before.action_id(name) for _, name in own])
    assert alone.words[alone.played] == table["played"][row]
    with pytest.raises(ReviewError, match="network 1 does not compare choices"):
        analysis.losses(games, module_of(game.name))
    view = games.views[row]
    table = drawn(analysis.decision(view, module_of(game.name), judge), view.agent, "share of the win after it")
    assert sorted(table["action"]) == sorted(map(view.action_name, view.legal_actions()))
    assert table["probability"].sum() == pytest.approx(1) and table["probability"].is_monotonic_decreasing
    assert table["share"].notna().sum() >= 1


@each_game
def test_what_training_changed(game):
    snapshots = {100: module_of(game.name, 2), 200: module_of(game.name)}
    setup = games_of(game.name).rules.setup
    table = drawn(analysis.progress(snapshots, ["random"], setup, deals=3), "random", "the last", "all")
    assert set(table["beside"][table["what"] == "win"]) == {"random", "the last"}
    wins = table[table["what"] == "win"].set_index(["steps", "beside"])[["share", "share_low", "share_high"]]
    even = 1 / setup.num_players
    assert wins.loc[(200, "the last")].tolist() == pytest.approx([even] * 3), "it wins as often as it does"
    others = [romans_agents.make("random", game=game.name) for _ in range(setup.num_players - 1)]
    found = np.array(evaluate(snapshots[100], others, setup, 3).mean_return)
    assert wins.loc[(100, "random")].tolist() == pytest.approx(share_of_win(found, setup).tolist())
    last = table[(table["steps"] == 200) & (table["what"] == "same")]
    assert (last["share"] == 1).all() and (table["share"] < 1).any()


def test_the_snapshots_of_a_run(tmp_path):
    pool = ("greedy",)
    run = RunFolder(tmp_path / "run")
    run.start(TrainConfig(evaluate_against=pool, steps=9, keep_policies=True))
    with pytest.raises(RunFolderError, match="no snapshots: train with --keep-policies"):
        analysis.progress(run.path)
    run.policies.mkdir()
    for number in range(9):
        some_policy(seed=number + 1).save(run.policy_after(number))
    table = analysis.progress(run.path, deals=2).frame
    assert table["steps"].unique().tolist() == [0, 2, 3, 5, 6, 8]
    assert set(table["beside"][table["what"] == "win"]) == {*pool, "the last"}


# -- what is exact


def test_who_plays_as_the_reference_loses_nothing():
    spec = "flat-mc:iterations=2000"
    games = analysis.played([spec, "random"], TOY.rules(turns=2), 12)
    found = analysis.losses(games, spec, most=30).frame
    lost = analysis.means(found, ["agent"], "loss").set_index("agent")
    assert lost["loss_low"][spec] <= 0 <= lost["loss_high"][spec] and abs(lost["loss"][spec]) < 0.02
    assert lost["loss_low"]["random"] > 0.05


SCORES = {face: np.arange(0, 100, face) % 7 for face in range(1, 7)}
"""What may be added to a score after each throw."""


def exact_value(observation):
    """The return of a seat of a dice race of two turns in which both play at random, by all that it cannot see."""
    own, rival, die, turn, bonus = observation.tolist()
    mine = own + SCORES[die] + bonus
    throws = [SCORES[face] for face in SCORES] if turn == 0 else [np.array([rival])]
    return np.mean([np.sign(np.subtract.outer(mine, one + other)).mean() for one in throws for other in range(1, 7)])


def perfect(observations):
    return np.zeros((len(observations), 100)), np.array([exact_value(one) for one in observations.astype(int)])


def test_a_perfect_value_is_on_the_diagonal():
    games = analysis.played(["random", "random"], TOY.rules(turns=2), 400)
    table = analysis.calibration(network(perfect), games, bins=4).frame
    assert len(table) == 5
    half = (table["won_high"] - table["won_low"]) / 2
    assert ((table["won"] - table["expected"]).abs() < 1.3 * half).all(), "five intervals hold at once at 95 %"
    pessimist = network(lambda seen: (perfect(seen)[0], perfect(seen)[1] - 0.3))
    low = analysis.calibration(pessimist, games, bins=4).frame.iloc[-1]
    assert low["won_low"] > low["expected"] and low["brier"] > table["brier"].iloc[-1]


# -- whatever decides


def test_whatever_decides_is_an_agent():
    rules = spec_of("roma").make_rules()
    env = RomansVecEnv(2, game="roma", opponents=["random"], seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, seed=1)
    q_network = DQN("MlpPolicy", env, buffer_size=10, seed=1)
    agents = [
        analysis.agent_of(one, "roma")
        for one in (model, q_network, Module(rules), "raider", romans_agents.make("raider", game="roma"))
    ]
    assert [agent.name for agent in agents] == ["MaskablePPO", "DQN", "Module", "raider", "raider"]
    game = Game(rules, seed=1)
    view = game.view(game.seat_to_act)
    action, _ = model.predict(view.observation[None], action_masks=view.action_mask[None], deterministic=True)
    assert agents[0].act(view) == action[0]
    with torch.no_grad():
        value = model.policy.predict_values(model.policy.obs_to_tensor(view.observation[None])[0]).item()
    assert agents[0].policy.values(view.observation[None])[0] == pytest.approx(value)
    assert agents[1].act(view) in view.legal_actions() and np.isnan(agents[1].policy.values(view.observation[None]))
    games = analysis.played([model, "raider"], rules, 1)
    assert set(games.frame["agent"]) == {"MaskablePPO", "raider"}
    assert analysis.agent_of(romans_agents.policy_of("quaestor", game="roma"), "roma", "mine").name == "mine"
    with pytest.raises(TypeError, match="not 3"):
        analysis.agent_of(3, "roma")


def test_bad_input_is_an_error():
    rules, games = TOY.rules(), games_of(TOY.name)
    with pytest.raises(ValueError, match="10 turns has 2 players: name as many agents, not 1"):
        analysis.played(["random"], rules, 3)
    with pytest.raises(ValueError, match="same name"):
        analysis.played([Module(rules, 1), Module(rules, 2)], rules, 1)
    with pytest.raises(ValueError, match="all of them over"):
        analysis.PlayedGames([Game(rules, seed=1).record()])
    with pytest.raises(ValueError, match="no decisions"):
        analysis.compared("random", "random", games, games.frame.index[games.frame["kind"] == "nothing"])
    with pytest.raises(ValueError, match="need a setup"):
        analysis.progress({1: "random"})
    with pytest.raises(ValueError, match="has no decision in this view"):
        analysis.decision(replay(games.records[0]).view(0), "random")


def test_an_agent_that_searches_is_asked_about_a_sample(monkeypatch):
    games, asked = games_of(TOY.name), romans_agents.make("flat-mc:iterations=8", game=TOY.name)
    assert games.rows_for(module_of(TOY.name)) is games.rows_for() is games.frame.index
    monkeypatch.setattr(played_games, "MOST_OF_SEARCH", 7)
    rows = games.rows_for(asked)
    assert len(rows) == 7 and rows.is_monotonic_increasing and rows.isin(games.frame.index).all()
    assert list(analysis.compared(asked, asked, games).frame.index) == list(rows)
    table = analysis.choices(games, asked).frame
    assert table["count"].sum() == games.frame["options"][rows].sum()
