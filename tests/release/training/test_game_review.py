"""Reviews: losses without bias, from what a seat could know alone; luck of mean zero; the command."""

import json
import re

import numpy as np
import pytest
from filelock import FileLock

import romans_agents
import romans_training
from romans_agents import RandomAgent
from romans_agents.romans_go_home.rounds.luck import luck_of
from romans_agents.romans_go_home.rounds.plan_distributions import actions_of, hand_of, plan_of
from romans_agents.searches.comparison import BATCHES, ActionComparison, share_of_return
from romans_agents.variates import chance_variates
from romans_agents.variates.chance_variates import ChanceVariates
from romans_agents.variates.luck import Luck
from romans_env import Game, save_record
from romans_env.core.games import spec_of
from romans_env.engine.random_stream import streams_from_seeds
from romans_training import progress_bars
from romans_training.compare.game_review import Decision, Review, ReviewError, review, review_page
from tests.pages import data_of
from tests.struggle.boards import small_board
from tests.tools import play

REVIEWERS = {
    "romans-go-home": "round-response:iterations=6000",
    "roma": "policy-rollouts:iterations=160",
    "struggle": "stilicho:iterations=48,turns=2",
}


def played(game, specs, seed=1):
    """A whole game of these agents."""
    rules = spec_of(game).make_rules(num_players=len(specs))
    agents = [romans_agents.make(spec, game=game) for spec in specs]
    for number, agent in enumerate(agents):
        agent.seed(10 * seed + number)
    found = Game(rules, seed=seed)
    found.agents = dict(zip(found.players, specs, strict=True))
    return play(found, *agents)


@pytest.fixture(scope="module")
def roma_game():
    return played("roma", ["random", "quaestor"])


@pytest.fixture(scope="module")
def roma_review(roma_game):
    return review(roma_game, reviewer=REVIEWERS["roma"])


# -- losses


def test_the_loss_has_no_bias_from_the_choice_of_the_best():
    """The best of six equal choices by noise alone loses nothing in the mean; one that is worse by 0.1 loses that."""
    rng = np.random.default_rng(0)
    equal, worse, errors = [], [], []
    for _ in range(4000):
        shares = 0.5 + rng.normal(0, 0.1, (BATCHES, 6))
        equal.append(ActionComparison([(k,) for k in range(6)], shares, np.zeros(6)).loss[0])
        shares[:, 0] -= 1.0
        loss, error = ActionComparison([(k,) for k in range(6)], shares, np.zeros(6)).loss
        worse.append(loss)
        errors.append(error)
    assert abs(np.mean(equal)) < 3 * np.std(equal) / 4000**0.5
    assert np.mean(worse) == pytest.approx(1.0, abs=3 * np.std(worse) / 4000**0.5)
    assert np.mean(errors) == pytest.approx(np.std(worse), rel=0.15)


def test_the_agents_own_choice_is_what_a_choice_is_compared_with():
    """The last of three is worth most by the samples, and the agent would play the second, for another reason."""
    shares = np.tile([0.5, 0.6, 0.7], (BATCHES, 1))
    found = ActionComparison([(0,), (1,), (2,)], shares, np.array([0.0, 0.2, 0.0]))
    assert found.best == 1 and found.loss == pytest.approx((0.1, 0.0))


@pytest.mark.parametrize(("num_players", "returns"), [(1, (-1, 0, 1)), (2, (-1, 0, 1)), (4, (-1 / 3, 0, 1))])
def test_shares_of_returns(num_players, returns):
    even = 1 / max(2, num_players)
    assert share_of_return(np.array(returns), num_players) == pytest.approx([0, even, 1])


@pytest.mark.parametrize(
    ("loss", "error", "grade"),
    [
        (0.3, 0.01, "wrong"),
        (0.03, 0.01, "doubtful"),
        (0.019, 0.0, "good"),
        (0.3, 0.2, "good"),
        (-0.1, 0.0, "good"),
    ],
)
def test_grades(loss, error, grade):
    assert Decision(0, "player_0", ("a",), ("b",), 0.5, loss, error, {}, {}).grade == grade


def test_who_plays_as_the_reviewer_loses_nothing_and_random_much():
    spec, lost = "policy-rollouts:iterations=400", {"reviewer": [], "random": []}
    for seed in range(4):
        totals = review(played("roma", [spec, "random"], seed), reviewer=spec, seed=99).totals()
        lost["reviewer"].append(totals["player_0"]["loss"])
        lost["random"].append(totals["player_1"]["loss"])
    assert abs(np.mean(lost["reviewer"])) < 0.06
    assert np.mean(lost["random"]) > 8 * abs(np.mean(lost["reviewer"]))


def test_a_planted_blunder_is_first():
    """In a game of the reviewer itself, one choice is the worst by another sample of the reviewer's."""
    judge, player = (romans_agents.make(REVIEWERS["roma"], game="roma") for _ in range(2))
    judge.seed(5)
    game, planted = Game(spec_of("roma").make_rules(), seed=3), None
    while not game.is_over:
        view = game.view(game.seat_to_act)
        action = player.act(view)
        if planted is None and len(game.actions) > 20:
            found = judge.compare(view, [action])
            means = found.shares.mean(axis=0)
            if means[0] - means.min() > 0.2:
                action, planted = found.choices[means.argmin()][0], len(game.actions)
        game.act(action)
    (first, *_) = review(game, reviewer=REVIEWERS["roma"]).worst()
    assert first.action == planted and first.grade == "wrong" and first.loss > 0.1


@pytest.mark.parametrize("game", REVIEWERS)
def test_nothing_that_was_hidden_is_used(game):
    """Another arrangement of the cards that the seat could not see gives the same review, to the last bit."""
    seats = {"struggle": 3}.get(game, 2)
    whole, judge = played(game, ["random"] * seats), romans_agents.make(REVIEWERS[game], game=game)
    again, rng, compared = Game(whole.rules, deal=whole.deal()), np.random.default_rng(0), 0
    for number, (player, name) in enumerate(whole.actions):
        view = again.view(player)
        kind = name.partition(":")[0]
        if compared < 5 and kind != "place" and number % {"romans-go-home": 1, "roma": 9, "struggle": 60}[game] == 0:
            coming = [again.rules.action_id(one) for who, one in whole.actions[number:] if who == player]
            other = view.sample_game(rng)
            assert other.view(player).states.tobytes() == view.states.tobytes()
            found = []
            for position in (view, other.view(player)):
                judge.seed(3)
                found.append(judge.compare(position, coming))
            assert found[0].choices == found[1].choices and (found[0].shares == found[1].shares).all()
            compared += 1
        again.act(name)
    assert compared == 5


# -- plans


def test_a_plan_and_the_actions_that_lay_it():
    whole = played("romans-go-home", ["random", "random"], seed=4)
    again = Game(whole.rules, deal=whole.deal())
    root = again.states.copy()
    own = [again.rules.action_id(name) for player, name in whole.actions if player == "player_0"]
    plan = plan_of(own, hand_of(root, 0))
    asked = actions_of(plan, 7)
    assert list(asked) == own[: len(asked)]
    for _, name in whole.actions[: len(asked)]:
        again.act(name)
    state = again.states[0]
    assert again.seat_to_act == 1
    assert state["line"][0].tolist() == plan[:6].tolist() and state["set_aside"][0, 0] == plan[6]
    assert sorted(plan) == sorted(hand_of(root, 0))


def test_a_plan_is_one_choice_of_the_review():
    whole = played("romans-go-home", ["random", "random"], seed=4)
    found = review(whole, ["player_1"], REVIEWERS["romans-go-home"])
    plans = [one for one in found.decisions if one.played[0].startswith("discard")]
    assert len(plans) == 3 and {one.player for one in found.decisions} == {"player_1"}
    covered = [name for one in found.decisions for name in one.played]
    assert covered == [name for player, name in whole.actions if player == "player_1"]
    assert plans[0].words[plans[0].played].startswith("set ") and ", then " in plans[0].words[plans[0].played]
    assert all(0 < one.error < 0.2 for one in plans)


# -- luck


def test_the_luck_of_a_game_is_the_chance_part_of_aivat(monkeypatch):
    """Event by event as `ChanceVariates` has it while the game is played, with the other sign and in shares."""
    monkeypatch.setattr(chance_variates, "LUCK_EFFORT", 1)
    rules, agent = spec_of("roma").make_rules(), romans_agents.make("raider", game="roma")
    variates = ChanceVariates(rules, [[agent, agent]], 4, streams_from_seeds([7]))
    game = Game(rules, seed=7)
    while not game.is_over:
        action = agent.act(game.view(game.seat_to_act))
        variates.see(game.states, np.zeros(1, dtype=np.int64), np.array([action]))
        game.act(action)
    events = list(ChanceVariates(rules, [[agent, agent]], 4, streams_from_seeds([7])).luck(game))
    for number, name in enumerate(variates.names):
        luck = sum((np.array(one.shares) for one in events if one.event == name), np.zeros(2))
        assert luck == pytest.approx(-variates.values()[0, :, number] / 2)
    assert [one.action for one in events] == sorted({one.action for one in events})


def test_luck_is_zero_in_the_mean():
    found = []
    for seed in range(40):
        events = spec_of("roma").part("luck")(played("roma", ["raider", "raider"], seed), seed)
        found.append(np.sum([one.shares for one in events], axis=0))
        assert found[-1].sum() == pytest.approx(0)
    luck = np.array(found)[:, 0]
    assert abs(luck.mean()) < 3 * luck.std() / len(luck) ** 0.5 and luck.std() > 0.1


def test_better_hands_are_luck():
    """Qween and Dru'hid against two Ch'ariotts, in all rounds: `legate` wins 87 % of such games against itself."""
    rules = spec_of("romans-go-home").make_rules()
    deal = Game(rules, seed=0).deal()
    strong = ["qween", "druhid", "zvord", "axx", "archr", "filchy", "horsie"]
    weak = ["chariott", "chariott", "horsie", "filchy", "axx", "archr", "zvord"]
    for of_round in deal["rounds"]:
        of_round["player_0"], of_round["player_1"] = strong, weak
    events = luck_of(play(Game(rules, deal=deal), romans_agents.make("greedy")), 0)
    assert [one.event for one in events] == [f"the hands of round {k}" for k in (1, 2, 3)]
    first, second = np.sum([one.shares for one in events], axis=0)
    assert first > 0.15 and second == pytest.approx(-first)


# -- the whole review


def test_what_a_review_says(roma_game, roma_review):
    totals, sentences = roma_review.totals(), roma_review.sentences()
    assert sum(one["share"] for one in totals.values()) == 1
    assert totals["player_0"]["loss"] > totals["player_1"]["loss"] + 0.1
    assert totals["player_0"]["choices"] == sum(player == "player_0" for player, _ in roma_game.actions)
    assert totals["player_0"]["luck"] == pytest.approx(-totals["player_1"]["luck"])
    # Of each player its choices, and its luck.
    assert [line.split()[0] for line in sentences] == ["player_0", "player_0", "player_1", "player_1"]
    assert sentences[0].startswith("player_0 lost with ") and sentences[2].startswith("player_1 won ")
    worst = roma_review.worst("player_0")
    assert [one.loss for one in worst] == sorted((one.loss for one in worst), reverse=True)
    assert all(one.player == "player_0" and one.grade != "good" for one in worst)


def test_the_event_that_is_named_has_the_sign_of_the_luck(roma_game):
    """The largest of all may have the other sign: 10 % of luck in one event and 16 % of bad luck in two."""
    luck = [Luck(0, "a card", (0.1, -0.1)), Luck(1, "the dice", (-0.079, 0.079)), Luck(2, "a die", (-0.081, 0.081))]
    decisions = [Decision(0, player, ("a",), ("b",), 0.5, 0.0, 0.0, {}, {}) for player in roma_game.players]
    _, first, _, second = Review(roma_game, "flat-mc", decisions, luck).sentences()
    assert first == "player_0 had bad luck, most of all with a die (-8 % to win)."
    assert second == "player_1 had good luck, most of all with a die (+8 % to win)."


def test_a_choice_is_told_of_as_soon_as_it_is_judged(roma_game, roma_review):
    told = []
    review(
        roma_game,
        reviewer=REVIEWERS["roma"],
        on_progress=lambda done: told.append(done),
        on_decision=lambda one: told.append(one),
    )
    decisions = [one for one in told if isinstance(one, Decision)]
    assert decisions == roma_review.decisions
    assert all(told.index(one) == 2 * one.action for one in decisions)


def test_the_page_has_the_review(roma_game, roma_review):
    (data,) = data_of(review_page([roma_review]).html)
    assert data["review"] == roma_review.sentences()
    opinions = [frame["opinion"]["assessment"] for frame in data["views"][0]["frames"] if "opinion" in frame]
    assert len(opinions) == len(roma_game.actions)
    for opinion, decision in zip(opinions, roma_review.decisions, strict=True):
        assert opinion["loss"] == pytest.approx(decision.loss, abs=1e-3) and opinion["grade"] == decision.grade
        assert opinion["played"] in dict(opinion["shares"])
    # Who looks on from a seat sees what is said of its own choices alone.
    (own,) = (view for view in data["views"] if view["viewer"] == "player_0")
    assert {frame["opinion"]["assessment"]["player"] for frame in own["frames"] if "opinion" in frame} == {"player_0"}


def test_the_same_seed_gives_the_same_review(roma_game, roma_review):
    again = romans_training.review(roma_game.record(), reviewer=REVIEWERS["roma"])
    assert again.as_json() == roma_review.as_json()
    assert review(roma_game, reviewer=REVIEWERS["roma"], seed=1).as_json() != roma_review.as_json()


def test_what_cannot_be_reviewed_is_said(roma_game):
    with pytest.raises(ReviewError, match="not over"):
        review(Game(roma_game.rules, seed=0))
    with pytest.raises(ReviewError, match="there is no player 'player_7'"):
        review(roma_game, ["player_7"])
    with pytest.raises(ReviewError, match="random does not compare choices"):
        review(roma_game, reviewer="random")
    with pytest.raises(romans_agents.UnknownAgentError):
        review(roma_game, reviewer="nobody")


def test_where_the_reviewer_does_not_play_another_is_asked_for():
    game = play(Game(spec_of("struggle").make_rules(board=small_board(), max_rounds=2), seed=0), RandomAgent())
    with pytest.raises(ReviewError, match=r"stand-in board.* name another reviewer, such as flat-mc"):
        review(game)


# -- the command


@pytest.fixture
def records(tmp_path, roma_game):
    save_record(roma_game.record(), tmp_path / "game.json")
    games = [played("roma", ["random", "raider"], seed).record() for seed in range(4)]
    (tmp_path / "games.jsonl").write_text("".join(json.dumps(one) + "\n" for one in games), encoding="utf-8")
    return tmp_path


def test_the_command_reviews_a_game(called, records, roma_review, monkeypatch):
    monkeypatch.setattr(progress_bars, "LINE_EVERY_SECONDS", 0.0)
    arguments = ("--reviewer", REVIEWERS["roma"], "--html", records / "page.html", "--jobs", "1")
    status, out, err = called("review", records / "game.json", *arguments)
    assert status == 0 and "written:" in err
    # A game alone may take minutes, so its actions are counted.
    total = len(roma_review.game.actions)
    assert [int(done) for done in re.findall(rf"review: (\d+) of {total} actions", err)][:total] == [
        *range(1, total + 1)
    ]
    assert " ".join(out.split()).startswith(" ".join(["Winner: player_1.", *roma_review.sentences()]))
    assert "better (" in out
    (data,) = data_of((records / "page.html").read_text(encoding="utf-8"))
    assert data["review"] == roma_review.sentences()


def test_the_command_reviews_many_games_and_goes_on_where_it_stopped(called, records):
    target, arguments = records / "lines.jsonl", ("--reviewer", "policy-rollouts:iterations=48", "--jobs", "1")
    status, out, _ = called("review", records / "games.jsonl", *arguments, "--json", target)
    assert status == 0 and "| random" in out and "| raider" in out
    whole = target.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(whole) == 4 and not (records / "lines.jsonl.partial").exists()
    first = json.loads(whole[0])
    assert first["record"].endswith("line 1") and first["agents"] == {"player_0": "random", "player_1": "raider"}
    assert set(first["decisions"][0]) >= {"action", "player", "played", "best", "share", "loss", "error", "grade"}
    # Stopped while the third line was written.
    partial = records / "lines.jsonl.partial"
    partial.write_text("".join(whole[:2]) + whole[2][:40], encoding="utf-8")
    target.unlink()
    assert called("review", records / "games.jsonl", *arguments, "--json", target)[:2] == (0, out)
    assert target.read_text(encoding="utf-8").splitlines(keepends=True) == whole
    partial.write_text(whole[0], encoding="utf-8")
    status, _, _ = called("review", records / "games.jsonl", *arguments, "--seed", "2", "--json", target)
    assert status != 0 and "to another review" in status


def test_what_an_earlier_review_left_is_gone_on_with_only_where_it_is_of_these_records(called, records):
    arguments = ("--reviewer", "policy-rollouts:iterations=48", "--jobs", "1", "--json", records / "lines.jsonl")
    lines = (records / "games.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for name, line in (("one.jsonl", lines[0]), ("other.jsonl", lines[1])):
        (records / name).write_text(line, encoding="utf-8")
    partial = records / "lines.jsonl.partial"
    assert called("review", records / "one.jsonl", *arguments)[0] == 0
    (records / "lines.jsonl").rename(partial)
    before = partial.read_bytes()
    damaged = (b"{}\n", b"\xff\n", b"[1]\n", b"[" * 100_000 + b"\n")
    for content, says in ((before, "belongs to another review"), *((one, "is damaged") for one in damaged)):
        partial.write_bytes(content)
        status, _, _ = called("review", records / "other.jsonl", *arguments)
        assert status.startswith("romans: ") and says in status and "\n" not in status
        assert partial.read_bytes() == content
    assert not (records / "lines.jsonl.lock").exists()


def test_one_process_at_a_time_writes_a_review(called, records):
    lock = FileLock(records / "lines.jsonl.lock")
    with lock:
        status, _, _ = called("review", records / "games.jsonl", "--json", records / "lines.jsonl")
    assert status == f"romans: another process is writing {records / 'lines.jsonl'}: wait until it ends, or stop it"
    assert not (records / "lines.jsonl.partial").exists()


@pytest.mark.parametrize("arguments", [["review", "--html"], ["review", "--json"], ["replay", "--html"]])
def test_a_place_that_cannot_be_written_is_told_before_the_records_are_read(called, tmp_path, arguments):
    command, option = arguments
    (tmp_path / "file").write_text("x")
    status, out, _ = called(command, tmp_path / "file", option, tmp_path / "file" / "page.html")
    assert status == f"romans: cannot use {tmp_path / 'file' / 'page.html'}: Not a directory"
    assert out == "" and (tmp_path / "file").read_text() == "x"


def test_the_command_says_which_record_is_wrong(called, records):
    lines = (records / "games.jsonl").read_text(encoding="utf-8").splitlines()
    broken = json.loads(lines[1])
    broken["actions"] = broken["actions"][:5]
    del broken["result"]
    (records / "bad.jsonl").write_text("\n".join([lines[0], json.dumps(broken)]), encoding="utf-8")
    arguments = ("--reviewer", "policy-rollouts:iterations=48", "--jobs", "1")
    status, _, _ = called("review", records / "bad.jsonl", *arguments)
    assert status.startswith("romans: ") and "bad.jsonl, line 2: " in status and "\n" not in status
