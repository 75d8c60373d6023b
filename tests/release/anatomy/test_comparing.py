"""Two agents on the same views."""

import io
import math
import re

import numpy as np
import pytest

import romans_agents
from notebooks.anatomy import agreement, compared, disagreements, played_games
from notebooks.anatomy.comparing import FLOOR
from notebooks.anatomy.sampling import KINDS
from romans_agents import PolicyAgent
from romans_env import IllegalActionError, Table, replay
from romans_env.romans_go_home.actions import ACTION_NAMES
from tests.policies import constant_policy, some_policy
from tests.release.anatomy.games import some_games


@pytest.fixture(scope="module")
def policies():
    """Two policies that draw their actions."""
    return [PolicyAgent.of(some_policy(seed=seed), f"policy {seed}", sample=True) for seed in (1, 2)]


@pytest.fixture(scope="module")
def differing(policies):
    return compared(*policies, some_games())


@pytest.mark.parametrize("text", ["greedy", "random", "mixer"])
def test_an_agent_agrees_with_itself(text):
    found = agreement(compared(text, text, some_games())).frame
    assert (found["same"] == 1).all() and (found["distance"] == 0).all()
    assert found["kind"].iloc[0] == "all" and found["decisions"].iloc[0] == len(some_games())
    assert disagreements(compared(text, text, some_games())).frame.empty


def test_a_policy_agrees_with_itself(policies):
    found = agreement(compared(policies[0], policies[0], some_games())).frame
    assert (found["same"] == 1).all() and (found["distance"] == 0).all()
    np.testing.assert_allclose(found[["kl", "kl_back"]], 0.0, atol=1e-12)


def test_an_agent_that_played_agrees_with_its_play():
    games = played_games(["greedy", "hoarder"], Table(2, 1), 5)
    own = np.flatnonzero(games.agent == 0)
    comparison = compared("greedy", "hoarder", games, own)
    np.testing.assert_array_equal(comparison.answers[0].most_likely, games.action[own])
    hoarder = romans_agents.make("hoarder")
    other = np.array([hoarder.act(games.view(decision)) for decision in own])
    kinds = games.frame["kind"].to_numpy()[own]
    found = agreement(comparison).frame.set_index("kind")
    assert 0 < found.loc["place", "same"] < 1
    for kind in set(kinds):
        same = (games.action[own] == other)[kinds == kind]
        assert found.loc[kind, "decisions"] == same.size
        assert found.loc[kind, "same"] == pytest.approx(same.mean())
        assert found.loc[kind, "distance"] == pytest.approx(1 - same.mean())
    assert found["kl"].isna().all()


def test_distance_and_divergence_by_hand():
    """A policy that loves the last legal action, e against 1, beside one that is uniform."""
    logits = np.zeros(len(ACTION_NAMES))
    logits[ACTION_NAMES.index("axx:discard")] = 1.0
    loving = PolicyAgent.of(constant_policy(logits), "loving", sample=True)
    games = some_games()
    comparison = compared(loving, "random", games, games.of_kind("axx"))
    likely = math.e / (1 + math.e)
    assert len(comparison.decisions) > 3
    np.testing.assert_allclose(comparison.distance, likely - 0.5, rtol=1e-6)
    mixed = [(1 - FLOOR) * p + FLOOR / 2 for p in (likely, 1 - likely)]
    np.testing.assert_allclose(comparison.divergences[0], sum(p * math.log(2 * p) for p in mixed), rtol=1e-5)
    np.testing.assert_allclose(comparison.divergences[1], sum(-math.log(2 * p) / 2 for p in mixed), rtol=1e-5)


def test_kinds_add_up_to_all(differing):
    found = agreement(differing).frame.set_index("kind")
    kinds = found.drop(index="all")
    assert kinds["decisions"].sum() == found.loc["all", "decisions"]
    for column in ("same", "distance", "kl", "kl_back"):
        assert found.loc["all", column] == pytest.approx((kinds[column] * kinds["decisions"]).sum() / len(some_games()))
    for column in ("same", "distance", "kl"):
        assert ((found[f"{column}_low"] <= found[column]) & (found[column] <= found[f"{column}_high"])).all()


def test_the_decisions_that_differ_most_come_first_and_can_be_replayed(differing, policies):
    found = disagreements(differing, most=12)
    assert len(found.frame) == 12
    assert found.frame["distance"].is_monotonic_decreasing
    assert found.frame["distance"].iloc[0] == pytest.approx(differing.distance.max())
    for k, row in enumerate(found.frame.itertuples()):
        record = found.record(k)
        cut = replay({**record, "actions": record["actions"][: row.step], "result": None})
        assert cut.seat_to_act == row.seat
        assert found.game(k).record() == cut.record()
        probabilities = [policy.action_probabilities(cut.view(row.seat)) for policy in policies]
        assert row.distance == pytest.approx(np.abs(probabilities[0] - probabilities[1]).sum() / 2, abs=1e-5)
        first, second = (ACTION_NAMES[one.argmax()] for one in probabilities)
        assert (row.first, row.second) == (first, second)
        assert row.first_of_second == pytest.approx(probabilities[0][cut.action_id(second)], abs=1e-5)
        assert row.second_of_first == pytest.approx(probabilities[1][cut.action_id(first)], abs=1e-5)


def test_equal_views_are_named_once(differing):
    found = disagreements(differing, most=10**6)
    seen = [found.view(k).states.tobytes() for k in range(len(found.frame))]
    assert len(seen) == len(set(seen)) > 100
    # The same deal is played from every seat: whoever plans first sees the same in both.
    assert len(seen) < len(np.flatnonzero(differing.distance))


def test_a_charm_names_whose_warrior_it_is(policies):
    games = played_games(["greedy", "hoarder"], Table(2, 1), 5)
    charms = np.flatnonzero(games.kind == KINDS.index("charm"))
    found = disagreements(compared(*policies, games, charms), most=1)
    names = [label.get_text() for label in found.figure().axes[0].get_yticklabels()]
    assert len(names) > 1 and all(re.match(r"(player|neutral)_\d's [A-Z]", name) for name in names)


def test_pictures(differing):
    for found in (agreement(differing), disagreements(differing), disagreements(differing, most=1)):
        figure = found.figure()
        figure.savefig(io.BytesIO(), format="svg")
        assert "policy 1 and policy 2" in figure.get_suptitle() and "n = " in figure.get_suptitle()


BOT = """
class Names:
    def act(self, view):
        return view.action_name(view.legal_actions()[-1])


class Stubborn:
    def act(self, view):
        return "give_up:tax-8"
"""


def test_agents_from_files_may_answer_with_names(tmp_path):
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    text = str(tmp_path / "bot.py")
    games = played_games([f"{text}:Names", "random"], Table(2, 0), 2)
    own = np.flatnonzero(games.agent == 0)
    comparison = compared(f"{text}:Names", "random", games, own)
    np.testing.assert_array_equal(comparison.answers[0].most_likely, games.action[own])
    np.testing.assert_allclose(comparison.distance, 1 - 1 / games.masks[own].sum(axis=1))
    with pytest.raises(IllegalActionError, match=r"Stubborn: give_up:tax-8 is not legal.* discard:"):
        compared("random", f"{text}:Stubborn", games)


def test_no_decisions_are_an_error():
    games = played_games(["greedy", "random"], Table(2, 0), 1)
    with pytest.raises(ValueError, match="no decisions to compare on"):
        compared("greedy", "random", games, games.of_kind("charm"))
