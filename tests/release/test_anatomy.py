"""Questions of one game beside the notebooks: what they count is what the records say."""

from __future__ import annotations

import io
from collections import Counter

import pytest

pytest.importorskip("pandas", reason="needs pandas; install the extra 'analysis'")

from notebooks.anatomy import roma, romans_go_home, struggle
from romans_env import Roma, Table, replay
from romans_env.struggle import StruggleForRome
from romans_training.analysis import played


def drawn(found):
    found.figure.savefig(io.BytesIO(), format="svg")
    return found.frame


def parts_of(games):
    return [action.split(" ")[1].split(":") for record in games.records for action in record["actions"]]


def test_plans_are_the_hands_and_lie_where_they_are_revealed():
    games = played(["random", "schemer"], Table(2, 1), 5, seed=3)
    plans = romans_go_home.plans(games)
    revealed = 0
    for (number, of_round, seat), own in plans.groupby(["game", "round", "seat"]):
        player, record = f"player_{seat}", games.records[number]
        assert Counter(own["warrior"]) == Counter(record["deal"]["rounds"][of_round - 1][player])
        shown, wall, now = [], [], 0
        for event in replay(record).events():
            if event.kind == "round":
                now = event.details["round"]
                wall = event.details["wall"] if now == of_round else wall
            elif event.kind == "reveal" and now == of_round:
                shown.append(event.details["warriors"][player])
        laid = own[own["slot"] != "aside"].sort_values("slot")
        assert laid["fort"].tolist() == wall
        if "zvord" not in shown:
            assert laid["warrior"].tolist()[: len(shown)] == shown
            revealed += 1
    assert revealed > 10
    for by in ("slot", "fort"):
        assert drawn(romans_go_home.placement(games, by)).groupby("agent").sum().max().max() == pytest.approx(1)
    zvords = drawn(romans_go_home.zvords(games))
    assert len(zvords) == sum(part[0] == "reorder" for part in parts_of(games)) and 0 < zvords["changed"].mean() < 1


def test_dice_and_discs_are_those_of_the_records():
    games = played(["random", "raider"], Roma(), 2)
    assert drawn(roma.dice(games)).groupby("agent").sum().to_numpy() == pytest.approx(1)
    table = drawn(roma.discs(games)).dropna()
    assert table.sum(axis=1).to_numpy() == pytest.approx(1)
    assert set(table.index.get_level_values(1)) == {part[1] for part in parts_of(games) if part[0] == "lay"}


def test_routes_and_trades_are_those_of_the_records():
    games = played(["trader", "chieftain", "plunderer"], StruggleForRome.from_settings(3, max_rounds=4), 2)
    found, parts = drawn(struggle.routes(games)), parts_of(games)
    assert (found.to_numpy() * 6).sum() == pytest.approx(sum(part[0] == "plunder" for part in parts))
    answers = drawn(struggle.trades(games))
    assert answers["accepted"].sum() == sum(part[0] == "accept" for part in parts) > 0
    assert set(answers["given"]) <= {part[1] for part in parts if part[0] == "offer"}
