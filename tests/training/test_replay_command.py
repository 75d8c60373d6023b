"""``romans replay --html``: pages with what agents think, and pages of tournaments."""

import pytest

from romans_agents.policies.policy import Policy, PolicyAgent
from romans_env import Game, load_record, replay, save_record
from romans_env.render.text_interface import phrases_of
from romans_training.compare.annotations import annotations_of
from tests.pages import data_of
from tests.policies import some_policy
from tests.romans_go_home.stages import random_game


@pytest.fixture
def policy_file(tmp_path):
    """A small policy with weights drawn at random."""
    some_policy().save(tmp_path / "policy.npz")
    return tmp_path / "policy.npz"


@pytest.fixture
def record_file(tmp_path):
    """A record that names two agents, of which one gives probabilities."""
    game = random_game((2, 0, "standard"), seed=1)
    game.agents = {"player_0": "random", "player_1": "greedy"}
    save_record(game.record(), tmp_path / "game.json")
    return tmp_path / "game.json"


@pytest.fixture
def page_of(called, record_file, tmp_path):
    """The data of a page that the command writes of the record, and the game."""

    def written(*options):
        status, out, err = called("replay", record_file, "--html", tmp_path / "game.html", *options)
        assert (status, out) == (0, "") and "written:" in err
        (data,) = data_of((tmp_path / "game.html").read_text(encoding="utf-8"))
        return data, replay(load_record(record_file))

    return written


def decisions_of(data, viewer=0):
    return [frame for frame in data["views"][viewer]["frames"] if "chosen" in frame]


def test_a_page_shows_what_the_agents_of_the_record_think(page_of):
    data, game = page_of()
    for frame, (player, _) in zip(decisions_of(data), game.actions, strict=True):
        assert ("opinion" in frame) == (player == "player_0")
        if "opinion" in frame:
            shares = [share for _, share in frame["opinion"]["probabilities"]]
            assert frame["opinion"]["agent"] == "random"
            assert shares == pytest.approx([1 / len(shares)] * len(shares), abs=1e-3)


def test_a_page_shows_what_a_policy_thinks(page_of, policy_file):
    (data, game), policy = page_of("--agent", policy_file), Policy.load(policy_file)
    again = Game(game.rules, deal=game.deal())
    for frame, (player, action) in zip(decisions_of(data), game.actions, strict=True):
        view = again.view(player)
        expected = policy.probabilities(view.observation[None], view.action_mask[None])[0]
        told = frame["opinion"]
        assert told["value"] == pytest.approx(policy.values(view.observation[None])[0], abs=1e-3)
        phrases = phrases_of(again, player, again.legal_actions())
        shares = {phrase: expected[again.action_id(name)] for name, phrase in phrases.items()}
        assert shares == pytest.approx(dict(told["probabilities"]), abs=1e-3)
        assert frame["chosen"] == phrases[action]
        again.act(action)


def test_an_agent_for_each_seat(page_of, policy_file):
    data, game = page_of("--agent", f"greedy,{policy_file}")
    for frame, (player, _) in zip(decisions_of(data), game.actions, strict=True):
        assert frame["opinion"]["agent"] == ("greedy" if player == "player_0" else f"policy:{policy_file}")
        if player == "player_0":
            assert sorted(share for _, share in frame["opinion"]["probabilities"])[-1] == 1.0


def test_a_page_of_several_games_seen_by_one_player(called, record_file, tmp_path):
    page = tmp_path / "games.html"
    assert called("replay", record_file, record_file, "--as", "player_1", "--html", page)[0] == 0
    games = data_of(page.read_text(encoding="utf-8"))
    assert [[view["viewer"] for view in game["views"]] for game in games] == [["player_1"]] * 2


def test_several_games_in_words(called, record_file):
    _, once, _ = called("replay", record_file)
    _, twice, _ = called("replay", record_file, record_file)
    assert twice == f"{record_file}\n{once}" * 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--agent", "greedy"], "--agent shows probabilities on a page: name its file with --html"),
        (
            ["--html", "x.html", "--agent", "greedy,greedy,greedy"],
            "3 agents for 2 seats; name one agent, or one for each seat",
        ),
        (["--html", "x.html", "--as", "player_7"], "there is no 'player_7'"),
        (["--html", "x.html", "--agent", "nobody"], "unknown agent 'nobody'"),
        (["--html", "game.json/x.html"], "cannot use game.json/x.html: Not a directory"),
    ],
)
def test_mistakes_are_told(called, record_file, arguments, why, monkeypatch):
    monkeypatch.chdir(record_file.parent)
    status, _, err = called("replay", record_file, *arguments)
    assert why in f"{status}{err}"
    assert not (record_file.parent / "x.html").exists()


def test_annotations_of_a_sampling_policy_are_the_probabilities_it_samples_from(policy_file):
    game = random_game((2, 0, "standard"), seed=2)
    agent = PolicyAgent(str(policy_file), sample=True, cut=0.3)
    again = Game(game.rules, deal=game.deal())
    for opinion, (player, action) in zip(annotations_of(game, {"player_1": agent}), game.actions, strict=True):
        if player == "player_0":
            assert opinion is None
        else:
            expected = agent.action_probabilities(again.view(player))
            legal = again.legal_actions()
            assert opinion.probabilities == {game.action_name(legal_id): expected[legal_id] for legal_id in legal}
        again.act(action)


def test_a_tournament_writes_a_page_of_its_line_ups(called, tmp_path):
    page = tmp_path / "games.html"
    arguments = ["tournament", "greedy", "random", "hoarder", "--deals", 2, "--jobs", 1, "--folder", tmp_path / "runs"]
    status, _, err = called(*arguments, "--replays", page)
    assert status == 0 and str(page) in err
    games = data_of(page.read_text(encoding="utf-8"))
    assert [set(game["agents"].values()) for game in games] == [
        {"greedy", "random"},
        {"greedy", "hoarder"},
        {"hoarder", "random"},
    ]
    walls = [game["views"][0]["frames"][0]["lines"][0] for game in games]
    assert len(set(walls)) == 1
    assert all("won" in game["title"] for game in games)


def test_a_tournament_with_an_agent_at_fault_shows_the_game_up_to_the_fault(called, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot = [
        "class Bot:",
        "    def act(self, view):",
        "        if view.position()['decision']['kind'] == 'place':",
        "            raise ValueError('at fault')",
        "        return view.legal_actions()[0]",
    ]
    (tmp_path / "bot.py").write_text("\n".join(bot), encoding="utf-8")
    called("tournament", "bot.py:Bot", "random", "--deals", 2, "--jobs", 1, "--folder", "runs", "--replays", "x.html")
    (data,) = data_of((tmp_path / "x.html").read_text(encoding="utf-8"))
    assert "not over" in data["title"]
    assert [frame["chosen"].endswith(" aside") for frame in decisions_of(data)] == [True]
