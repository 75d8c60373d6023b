"""What the analyses say of games is what their records and events tell."""

import io
import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest

from notebooks.anatomy import (
    charms,
    placement,
    played_games,
    points_by_fort,
    reorders,
    set_aside,
    takes,
    value_along_game,
    value_by_turn,
)
from romans_env import Table
from romans_env.romans_go_home.material import FORTS, POINTS, STRENGTH, WARRIORS
from tests.release.anatomy.games import TABLES, games_again, recorded_plans, some_games
from tests.romans_go_home.stages import table_id

POINTS_OF = dict(zip(FORTS, POINTS.tolist(), strict=True))
STRENGTH_OF = dict(zip(WARRIORS, STRENGTH.tolist(), strict=True))
at_all_tables = pytest.mark.parametrize("table", TABLES, ids=table_id)


def plans_at(table):
    found = (recorded_plans(record, game) for _, record, game in games_again(some_games(table)))
    return list(itertools.chain.from_iterable(found))


@at_all_tables
def test_set_aside_counts_what_the_records_say(table):
    dealt, aside = Counter(), Counter()
    for plan in plans_at(table):
        dealt.update((plan.agent, warrior) for warrior in set(plan.hand))
        aside[plan.agent, plan.set_aside] += 1
    found = set_aside(some_games(table)).frame
    assert sum(aside.values()) > 10
    for row in found.itertuples():
        assert (row.dealt, row.set_aside) == (dealt[row.agent, row.warrior], aside[row.agent, row.warrior])
        if row.dealt:
            assert row.share == pytest.approx(row.set_aside / row.dealt)
            assert row.share_low <= row.share <= row.share_high
    assert len(found) == len(WARRIORS) * table[0]


@at_all_tables
def test_placement_counts_what_the_records_say(table):
    slots, forts = Counter(), Counter()
    for plan in plans_at(table):
        for slot, (warrior, fort) in enumerate(zip(plan.line, plan.wall, strict=True), 1):
            slots[plan.agent, slot, warrior] += 1
            forts[plan.agent, fort, warrior] += 1
    for by, counted in (("slot", slots), ("fort", forts)):
        found = placement(some_games(table), by).frame
        assert {
            (row.agent, getattr(row, by), row.warrior): row.times for row in found.itertuples() if row.times
        } == dict(counted)
        sums = found.groupby(["agent", by])["share"].sum(min_count=1).dropna()
        np.testing.assert_allclose(sums, 1.0)


def test_placement_by_something_else_is_refused():
    with pytest.raises(ValueError, match="by is 'slot' or 'fort', not 'seat'"):
        placement(some_games(), "seat")


@at_all_tables
def test_a_reordered_line_is_what_is_revealed_next(table):
    games = some_games(table)
    found = reorders(games).frame
    lines = {}
    for number, record, game in games_again(games):
        seen = defaultdict(int)
        for plan in recorded_plans(record, game):
            seen[plan.agent] += 1
            lines[number, seen[plan.agent], plan.agent] = plan
    for row in found.itertuples():
        plan = lines[row.game, row.round, row.agent]
        assert plan.shown[row.turn - 1] == "zvord"
        before, after, forts = row.before.split(), row.after.split(), row.forts.split()
        assert before == plan.line[row.turn :]
        assert sorted(after) == sorted(before)
        shown = plan.shown[row.turn :]
        assert after[: len(shown)] == shown
        assert row.moved == sum(one != other for one, other in zip(before, after, strict=True))
        best = max(range(len(forts)), key=lambda k: (POINTS_OF[forts[k]], k))
        assert row.strength_gained == STRENGTH_OF[after[best]] - STRENGTH_OF[before[best]]
        assert games.record(row.game)["actions"][row.step].partition(" ")[2].startswith("reorder:")
    # Every line that was not revealed as it was laid was reordered.
    changed = {
        (game, number, agent)
        for (game, number, agent), plan in lines.items()
        if plan.shown != plan.line[: len(plan.shown)]
    }
    assert changed <= set(found[found["moved"] > 0][["game", "round", "agent"]].itertuples(index=False, name=None))
    assert len(changed) >= (0 if len(table) > 3 else 5)


def recorded_charms(record, game):
    """(round, turn, label, warrior, whether it captured) of every charm, from the events."""
    number, turn, last, found = 0, 0, None, []
    for event in game.events():
        if event.kind == "round":
            number = event.details["round"]
        elif event.kind == "reveal":
            turn, last = event.details["turn"], None
        elif event.kind == "totals" and "charm" in event.details:
            charm = event.details["charm"]
            last = [
                number,
                turn,
                charm["by"],
                record["agents"].get(charm["clan"], charm["clan"]),
                charm["warrior"],
                False,
            ]
            found.append(last)
        elif event.kind == "capture" and last is not None:
            last[-1] = event.details["clan"] == last[2]
    return [(number, turn, record["agents"][by], *rest) for number, turn, by, *rest in found]


@at_all_tables
def test_charms_are_those_that_happened(table):
    games = some_games(table)
    found = charms(games).frame
    columns = ["round", "turn", "agent", "charmed", "warrior", "captures"]
    choices = 0
    for number, record, game in games_again(games):
        own = found[found["game"] == number]
        assert list(own[columns].itertuples(index=False, name=None)) == recorded_charms(record, game)
        choices += sum(action.partition(" ")[2].startswith("charm:") for action in record["actions"])
    assert found["had_choice"].sum() == choices
    # With a single rival there is nothing to choose.
    assert (choices == 0) == (sum(table[:2]) == 2)
    assert (found["strength"] == found["warrior"].map(STRENGTH_OF)).all()
    assert found[~found["had_choice"]]["is_strongest"].all()
    for row in found[found["had_choice"]].itertuples():
        step = next(
            k
            for k in range(len(games.record(row.game)["actions"]))
            if (position := games.at(row.game, k).position())["decision"]["kind"] == "charm"
            and (position["round"], position["turn"]) == (row.round, row.turn)
        )
        view = games.at(row.game, step)
        revealed = list(view.position()["this_turn"]["revealed"].values())
        rivals = [
            STRENGTH_OF[revealed[(view.seat_to_act + int(view.action_name(action)[-1])) % len(revealed)]]
            for action in view.legal_actions()
        ]
        assert row.is_strongest == (row.strength == max(rivals))
        assert row.fort == view.position()["wall"][row.turn - 1]


@at_all_tables
def test_takes_are_the_decisions_of_the_records(table):
    games = some_games(table)
    found = takes(games).frame
    chosen = [
        (number, step, record["agents"][action.partition(" ")[0]], int(action[-1]))
        for number, record, _ in games_again(games)
        for step, action in enumerate(record["actions"])
        if " take:" in action
    ]
    assert list(found[["game", "step", "agent", "slot"]].itertuples(index=False, name=None)) == chosen
    for row in found.itertuples():
        wall = games.at(row.game, row.step).position()["wall"]
        there = [fort for fort in wall if fort]
        assert row.wall.split() == there
        assert row.taken == wall[row.slot - 1]
        assert (row.points, row.points_of_this_turns) == (POINTS_OF[row.taken], POINTS_OF[wall[row.turn - 1]])
        assert row.is_best == (row.points == max(map(POINTS_OF.__getitem__, there)))
        assert row.is_this_turns == (row.slot == row.turn)


@at_all_tables
def test_points_by_fort_add_up_to_the_score(table):
    games = some_games(table)
    found = points_by_fort(games).frame
    points, held = defaultdict(list), Counter()
    for _, record, game in games_again(games):
        for player, label in record["agents"].items():
            points[label].append(record["result"]["points"][player])
            held.update((label, fort) for fort in game.position()["clans"][player]["forts"])
    for label, scores in points.items():
        own = found[found["agent"] == label]
        assert own["points"].sum() == pytest.approx(np.mean(scores))
        for row in own.itertuples():
            assert row.held == pytest.approx(held[label, row.fort] / len(scores))
            assert row.points == pytest.approx(row.held * POINTS_OF[row.fort])
            assert row.points_low <= row.points <= row.points_high


def test_the_value_along_a_game_is_the_policys():
    games = some_games()
    policy = games.agents[1].policy
    found = value_along_game(games, 3)
    record = games.record(3)
    (player,) = (player for player, label in record["agents"].items() if label == "policy")
    steps = [step for step, action in enumerate(record["actions"]) if action.startswith(player)]
    expected = [policy.values(games.at(3, step).observation(player)[None])[0] for step in steps]
    assert found.frame["step"].tolist() == steps
    np.testing.assert_allclose(found.frame["value"], expected, atol=1e-6)
    assert set(found.frame["return"]) == {games.at(3).returns()[player]}


def test_values_by_turn_are_means_of_the_decisions():
    games = some_games()
    found = value_by_turn(games).frame
    frame = games.frame[games.frame["agent"] == "policy"]
    returns = [games.at(game).returns() for game in range(len(games.states))]
    values = defaultdict(list)
    for row in frame.itertuples():
        outcome = "won" if returns[row.game][games.rules.players[row.seat]] == 1 else "not won"
        values[outcome, row.round, row.turn].append(row.value)
    assert {(row.outcome, row.round, row.turn): row.decisions for row in found.itertuples()} == {
        key: len(of_place) for key, of_place in values.items()
    }
    for row in found.itertuples():
        assert row.value == pytest.approx(np.mean(values[row.outcome, row.round, row.turn]), abs=1e-6)
        assert row._9 == (1 if row.outcome == "won" else -1)


def test_agents_without_a_value_are_an_error():
    games = played_games(["greedy", "random"], Table(2, 0), 1)
    with pytest.raises(ValueError, match="none of greedy, random has a value"):
        value_by_turn(games)
    with pytest.raises(ValueError, match="there is no game 2; they run from 0 to 1"):
        value_along_game(games, 2)


QUESTIONS = (set_aside, placement, charms, reorders, takes, points_by_fort, value_by_turn)


@pytest.mark.parametrize("table", [TABLES[0], TABLES[2]], ids=table_id)
@pytest.mark.parametrize("question", [*QUESTIONS, lambda games: value_along_game(games, 0)])
def test_pictures_say_what_they_show(question, table):
    games = some_games(table)
    found = question(games)
    figure = found.figure()
    figure.savefig(io.BytesIO(), format="svg")
    assert "n = " in figure.get_suptitle()
    assert str(games.rules.setup) in figure.get_suptitle()
    words = [figure.get_supxlabel(), *(text for axes in figure.axes for text in (axes.get_xlabel(), axes.get_ylabel()))]
    assert any("%" in text or "mean" in text or "return" in text for text in words)
    html = found._repr_html_()
    assert html.startswith("<table") and found.frame.columns[0] in html
