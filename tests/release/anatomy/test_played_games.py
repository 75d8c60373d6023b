"""Games played for analysis: every decision is kept, as it was."""

import numpy as np
import pytest

import romans_agents
from notebooks.anatomy import played_games
from romans_env import Table
from romans_training.evaluation import evaluate
from tests.release.anatomy.games import TABLES, games_again, some_games
from tests.romans_go_home.stages import table_id


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_records_replay_and_hold_every_decision(table):
    games = some_games(table)
    players = games.rules.players
    actions = [f"{players[row.seat]} {row.action}" for row in games.frame.itertuples()]
    recorded = []
    for number, record, game in games_again(games):
        assert game.is_over
        recorded += record["actions"]
        assert record["agents"] == dict(zip(players, np.array(games.labels)[games.seated[number]], strict=True))
        assert list(game.returns().values()) == games.returns[number].tolist()
    assert actions == recorded
    assert games.frame.groupby("game").size().tolist() == [
        len(games.record(k)["actions"]) for k in range(len(games.states))
    ]


def test_views_are_what_the_seats_saw():
    games = some_games()
    for decision in range(0, len(games), 7):
        row = games.frame.iloc[decision]
        game = games.at(row["game"], row["step"])
        position = game.position()
        assert game.seat_to_act == row["seat"]
        assert (position["round"], position["turn"], position["decision"]["kind"]) == (
            row["round"],
            row["turn"],
            row["kind"],
        )
        view = games.view(decision)
        assert view.position() == game.view(row["seat"]).position()
        np.testing.assert_array_equal(games.observations[decision], game.observation(row["seat"]))
        np.testing.assert_array_equal(games.masks[decision], game.action_mask(row["seat"]))
        assert row["num_legal"] == len(game.legal_actions())


def test_the_games_are_those_of_an_evaluation():
    table = Table(2, 1)
    games = played_games(["greedy", "hoarder"], table, num_deals=20, seed=5)
    found = evaluate(romans_agents.make("greedy"), [romans_agents.make("hoarder")], table, num_deals=20, seed=5)
    assert games.returns[games.seated == 0].mean() == pytest.approx(found.mean_return.mean)


def test_probabilities_and_values_are_the_agents_own():
    games = some_games((3, 0, "vogel"))
    frame = games.frame
    random, policy, greedy = (frame[frame["agent"] == label] for label in games.labels)
    np.testing.assert_allclose(random["probability"], 1 / random["num_legal"])
    assert greedy["probability"].isna().all() and greedy["value"].isna().all() and random["value"].isna().all()
    agent = games.agents[1]
    for decision in policy.index[::11]:
        view = games.view(decision)
        assert frame["probability"][decision] == pytest.approx(
            agent.action_probabilities(view)[games.action[decision]], abs=1e-6
        )
        assert frame["value"][decision] == pytest.approx(agent.policy.values(view.observation[None])[0], abs=1e-6)


def test_bad_input_is_an_error():
    with pytest.raises(ValueError, match="2 players: name as many agents, not 1"):
        played_games(["greedy"], Table(2, 0), 3)
    with pytest.raises(ValueError, match="at least 1, not 0"):
        played_games(["greedy", "random"], Table(2, 0), 0)
