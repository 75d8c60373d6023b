"""Tournaments: who meets whom, fairness, faults, and that nothing is played twice."""

import contextlib
import importlib
import os
import sqlite3
import sys
import zlib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np
import pytest

import romans_agents
from romans_agents import RandomAgent
from romans_env import Table
from romans_training import worker_processes
from romans_training.compare.tournament import TournamentConfig, TournamentError, match, tournament, tournament_steps
from romans_training.compare.tournament.entries import Entry, digest_of, entries_of
from romans_training.compare.tournament.line_ups import LineUp, line_ups_of
from romans_training.compare.tournament.match import Chunk, play_chunk
from romans_training.compare.tournament.report import differences_in_words, print_result
from romans_training.measure.evaluation import evaluate
from tests.doubles import NotedSeeds, SeededAgent
from tests.envs.playing import Last
from tests.harness import each_game
from tests.policies import policy_agent
from tests.training.tournaments import deals_played, result_with, stored_chunks, untimed


class Chancy(Last):
    """Takes any, by a chance of its own that goes on from game to game."""

    def __init__(self):
        self.rng = np.random.default_rng(0)

    def seed(self, seed):
        self.rng = np.random.default_rng(seed)

    def act(self, view):
        return self.rng.choice(view.legal_actions())


class Raising(Last):
    """Raises now and then."""

    def act(self, view):
        if zlib.crc32(view.observation.tobytes()) % 40 == 0:
            raise RuntimeError("tired\x1b[2J")
        return super().act(view)


class Searching(Last):
    """Says that it searches."""

    searches = True


@pytest.fixture(autouse=True)
def own_agents(own_registry):
    """Agents of these tests, under names with whatever a text may hold."""
    for name, kind in {"last": Last, "chancy": Chancy, "raising": Raising, "searching": Searching}.items():
        romans_agents.register(name, kind)


# -- who meets whom


def test_the_same_text_twice_is_two_entries():
    assert [entry.label for entry in entries_of(["a:b,c=1", "x", "a:b,c=1"])] == ["a:b,c=1", "x", "a:b,c=1 #2"]


@pytest.mark.parametrize(
    ("texts", "size", "expected"),
    [
        ("ab", 2, ["ab"]),
        ("abc", 2, ["ab", "ac", "bc"]),
        ("abcd", 3, ["abc", "abd", "acd", "bcd"]),
        ("ab", 3, ["aab", "abb"]),
        ("ab", 4, ["aabb"]),
        ("abc", 4, ["aabc", "abbc", "abcc"]),
        ("abc", 1, ["a", "b", "c"]),
    ],
)
def test_line_ups(texts, size, expected):
    found = line_ups_of(entries_of(texts), size)
    assert ["".join(entry.label for entry in line_up.slots) for line_up in found] == expected


def test_a_line_up_does_not_depend_on_the_order_of_the_texts():
    one, other = line_ups_of(entries_of("ab"), 2)[0], line_ups_of(entries_of("ba"), 2)[0]
    assert one.key == other.key == '[["a", 1], ["b", 1]]'
    assert one.seed_words == other.seed_words != line_ups_of(entries_of("ac"), 2)[0].seed_words


@pytest.mark.parametrize(("slots", "number"), [("ab", 2), ("abcd", 24), ("aab", 3), ("aabb", 6), ("a", 1)])
def test_every_distinct_seating_once(slots, number):
    line_up = LineUp(tuple(Entry(text) for text in slots))
    seated = [tuple(slots[slot] for slot in seating) for seating in line_up.seatings]
    assert len(seated) == len(set(seated)) == number
    for seat, name in product(range(len(slots)), set(slots)):
        # Everybody sits on every seat as often.
        assert sum(names[seat] == name for names in seated) * len(slots) == number * slots.count(name)


@pytest.mark.parametrize(("number", "size", "sample"), [(10, 4, 20), (9, 3, 12), (7, 2, 11), (5, 4, 3)])
def test_a_sample_of_line_ups_is_balanced(number, size, sample):
    entries = entries_of([f"agent-{k}" for k in range(number)])
    line_ups = line_ups_of(entries, size, sample, seed=1)
    assert len(set(line_ups)) == len(line_ups) == sample
    took_part = Counter(entry for line_up in line_ups for entry in line_up.slots)
    assert len(took_part) == number
    assert max(took_part.values()) - min(took_part.values()) <= 1
    assert line_ups == line_ups_of(entries, size, sample, seed=1)
    assert line_ups != line_ups_of(entries, size, sample, seed=2)


# -- results


@pytest.mark.parametrize(
    ("agent", "size", "deals"),
    [
        ("random", (1, 1), 200),
        ("random", (2, 2), 200),
        ("greedy", (3, 1), 200),
        ("random", (4, 0), 200),
        ("chancy", (2, 1), 30),
        ("chancy", (1, 1), 30),
    ],
)
def test_a_mirror_match_is_fair(agent, size, deals, tmp_path):
    """With two of the agent, and with one on each seat; the agents are compiled, and in Python."""
    table = Table(*size)
    for number in {2, max(2, table.num_players)}:
        result = tournament([agent] * number, table, deals, tmp_path / str(number), seed=7)
        assert result.fair_share == 1 / max(2, table.num_players)
        assert len(result.standings) == number
        for standing in result.standings:
            assert standing.win_share.low <= result.fair_share <= standing.win_share.high
        for share in (share for row in result.shares for share in row if share is not None):
            assert share.low <= 0.5 <= share.high
        assert differences_in_words(result).startswith("No difference in Elo is significant")


def test_two_agents_are_measured_as_evaluate_does(tmp_path):
    """The same deals; `greedy` and a deterministic agent have no other chance."""
    result = tournament(["greedy", "last"], Table(2, 0), 100, tmp_path, seed=5)
    expected = evaluate(romans_agents.make("greedy"), [romans_agents.make("last")], Table(2, 0), 100, seed=5)
    greedy = result.standings[0]
    assert greedy.label == "greedy"
    assert greedy.points == pytest.approx(expected.mean_points)
    assert greedy.win_share.mean == pytest.approx(expected.win_rate.mean + expected.draw_rate.mean / 2)
    assert result.shares[0][1] == pytest.approx(greedy.win_share)
    if expected.draw_rate.mean == 0:
        assert greedy.win_share == pytest.approx(expected.win_rate)


def test_at_a_solo_table_the_same_deal_is_compared(tmp_path):
    result = tournament(["greedy", "random", "last"], Table(1, 1), 60, tmp_path)
    expected = evaluate(romans_agents.make("greedy"), [], Table(1, 1), 60)
    assert result.num_games == 180
    assert result.standings[0].label == "greedy"
    assert result.standings[0].points == pytest.approx(expected.mean_points)
    assert result.shares[0][1].mean > 0.7
    assert sum(standing.win_share.mean for standing in result.standings) == pytest.approx(1.5)


def test_no_agent_is_the_zero_of_elo(tmp_path):
    result = tournament(["greedy", "random", "last"], Table(2, 0), 50, tmp_path)
    ratings = [standing.elo.mean for standing in result.standings]
    assert ratings == sorted(ratings, reverse=True) and sum(ratings) == pytest.approx(0.0)
    assert result.standings[0].label == "greedy" and result.standings[0].elo.low > 0
    assert all(standing.elo.low < standing.elo.high for standing in result.standings)
    # Pairs come in the order of the standings.
    assert [one.better for one in result.differences][:2] == ["greedy", "greedy"]


def test_agents_that_search_play_fewer_deals(tmp_path):
    result = tournament(["greedy", "random", "searching"], Table(2, 0), 60, tmp_path, search_deals=7)
    games = {standing.label: standing.games for standing in result.standings}
    assert games == {"greedy": 134, "random": 134, "searching": 28}
    assert (result.num_deals, result.num_search_deals, result.num_games) == (60, 7, 148)
    assert all(count == 1 for line_up, _, count in stored_chunks(tmp_path) if "searching" in line_up)


@each_game
def test_copies_of_an_agent_and_all_games_have_chance_of_their_own(game, toy, tmp_path, monkeypatch):
    """Three entries of one agent that draws, on all seats, with deals of two chunks: no seed is given twice."""
    made, noted = [], NotedSeeds(match, monkeypatch)
    rules = max((game.rules(**{**setup, **game.short}) for setup in game.setups), key=lambda one: one.num_players)
    romans_agents.register("seeded", lambda: made.append(SeededAgent()) or made[-1])
    config = TournamentConfig(("seeded", "seeded", "last"), rules.setup, 2)
    chunks = []
    for line_up in line_ups_of(entries_of(config.agents), rules.num_players):
        chunks += [Chunk(config, line_up, ("",) * rules.num_players, first, 1) for first in range(2)]
    agents = {}
    for chunk in chunks:
        play_chunk(chunk, agents)
    seeds = [seed for one in made for seed in one.seeds[1:]]  # the first as it is made
    slots = sum(entry.spec == "seeded" for chunk in chunks for entry in chunk.line_up.slots)
    assert len(set(seeds)) == len(seeds) == slots and len(made) > 1
    assert len(set(noted.of_games)) == len(noted.of_games) == sum(chunk.num_games for chunk in chunks)
    assert len(set(noted.of_draws)) == len(noted.of_draws) == len(chunks)


# -- reproducible, in any number of processes, and never twice


def test_processes_change_nothing(tmp_path):
    texts, table = ["greedy", "random:seed=3,"], Table(2, 1)
    path = tmp_path / "c=1:d.npz"
    policy_agent().policy.save(path)
    texts.append(f"policy:{path},sample=true")
    alone, shared = (tournament(texts, table, 20, tmp_path / name, jobs=n) for n, name in ((1, "alone"), (2, "shared")))
    assert untimed(alone) == untimed(shared)
    assert sorted(stored_chunks(tmp_path / "alone")) == sorted(stored_chunks(tmp_path / "shared"))
    assert {standing.label for standing in alone.standings} == set(texts)
    # Named in another order they are the same matches.
    before = stored_chunks(tmp_path / "alone")
    tournament(texts[::-1], table, 20, tmp_path / "alone")
    assert stored_chunks(tmp_path / "alone") == before


def test_more_deals_and_other_agents_play_what_is_missing(tmp_path):
    table = Table(2, 0)
    tournament(["greedy", "random"], table, 70, tmp_path)
    before = stored_chunks(tmp_path)
    more = tournament(["last", "greedy", "random"], table, 120, tmp_path)
    assert set(before) < set(stored_chunks(tmp_path))
    assert len(deals_played(stored_chunks(tmp_path))) == 3 * 120
    assert set(deals_played(stored_chunks(tmp_path)).values()) == {1}
    assert untimed(more) == untimed(tournament(["last", "greedy", "random"], table, 120, tmp_path / "anew"))
    # Fewer deals are the first of those that were played.
    kept, anew = (tournament(["greedy", "random"], table, 60, folder) for folder in (tmp_path, tmp_path / "few"))
    assert untimed(kept) == untimed(anew)


def test_progress_counts_games_from_what_was_played(tmp_path):
    tournament(["greedy", "random"], Table(2, 0), 100, tmp_path)
    steps = tournament_steps(TournamentConfig(("greedy", "random"), Table(2, 0), 200), tmp_path)
    assert list(steps) == [(200, 400), (300, 400), (400, 400)]


# -- what is refused


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 1}, "holds results with seed 0, not 1; name another folder with --folder"),
        ({"setup": Table(3, 0)}, 'holds results with table {"num_players": 2'),
        ({"setup": Table(2, 0, "vogel")}, 'not {.*"variant": "vogel"}'),
        ({"move_time": 1.5}, "holds results with move_time none, not 1.5"),
    ],
)
def test_results_are_never_mixed(change, says, tmp_path):
    settings = {"setup": Table(2, 0), "deals": 2}
    tournament(["greedy", "random"], folder=tmp_path, **settings)
    before = stored_chunks(tmp_path)
    with pytest.raises(TournamentError, match=says) as refused:
        tournament(["greedy", "random"], folder=tmp_path, **{**settings, **change})
    assert "\n" not in str(refused.value)
    assert stored_chunks(tmp_path) == before


def test_a_policy_file_that_changed_is_refused(tmp_path):
    path = tmp_path / "policy.npz"
    policy_agent(seed=1).policy.save(path)
    tournament(["random", str(path)], Table(2, 0), 2, tmp_path / "results")
    policy_agent(seed=2).policy.save(path)
    with pytest.raises(TournamentError, match="has changed since it played"):
        tournament(["random", str(path)], Table(2, 0), 2, tmp_path / "results")


def test_files_in_a_text_are_found(tmp_path):
    texts = ("{}", "policy:{}", "policy:{},sample=true", "name:option=1,path={}", "{}:MyBot", "process:python3 -S '{}'")
    for name, text in product(("bot.py", "my bot.py", "a=b,c:d.npz"), texts):
        path = tmp_path / name
        path.write_text("one")
        first = digest_of(text.format(path))
        path.write_text("two")
        assert "" != first != digest_of(text.format(path)) != "", (name, text)
    assert digest_of("greedy") == digest_of("random:seed=3") == digest_of("a." + 500 * "b") == ""


BOT = """
import pkg.strength as strength
from helper import best
NETWORK = __file__.rpartition("/")[0] + "/nets/prior.npz"

class MyBot:
    def act(self, view):
        return best(view)
"""
FILES = {
    "bot.py": BOT,
    "helper.py": "from pkg import table\nbest = min",
    "pkg/__init__.py": "",
    "pkg/strength.py": "from . import near\nfrom pathlib import Path\nVALUES = Path(__file__).with_suffix('.bin')",
    "pkg/strength.bin": "1",
    "pkg/near.py": "open('table.csv')",
    "pkg/table.py": "",
    "nets/prior.npz": "1",
    "table.csv": "1",
}


@pytest.mark.parametrize("changed", FILES)
def test_what_a_file_needs_of_its_folder_is_part_of_its_digest(changed, tmp_path):
    for name, text in {**FILES, "other.py": "", "nets/other.npz": "1"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    spec = f"{tmp_path}/bot.py:MyBot"
    before = digest_of(spec)
    for other in ("other.py", "nets/other.npz"):
        (tmp_path / other).write_text("print(2)")
        assert digest_of(spec) == before
    (tmp_path / changed).write_text(FILES[changed] + "\n# changed")
    assert digest_of(spec) not in (before, "")


def test_a_digest_does_not_depend_on_the_place_of_the_files(tmp_path):
    digests = set()
    for place in (tmp_path / "one", tmp_path / "another"):
        for name, text in FILES.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text)
        digests.add(digest_of(f"{place}/bot.py:MyBot"))
    assert len(digests) == 1


def test_a_home_folder_counts_and_a_long_spec_takes_no_time(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "bot.py").write_text("one")
    assert digest_of("~/bot.py:MyBot") == digest_of(f"{tmp_path}/bot.py:MyBot") != ""
    looked = []
    isfile = os.path.isfile
    monkeypatch.setattr(os.path, "isfile", lambda path: looked.append(path) or isfile(path))
    assert digest_of("a.b " * 500) == ""
    # As many for each part of the spec, however long it is.
    assert len(looked) <= 64 * 500


def test_a_helper_that_changed_is_refused_by_the_results_of_the_agent(tmp_path):
    (tmp_path / "helper.py").write_text("best = min")
    (tmp_path / "bot.py").write_text(
        "from helper import best\nclass MyBot:\n    def act(self, view):\n        return best(view.legal_actions())\n"
    )
    spec = f"{tmp_path}/bot.py:MyBot"
    tournament(["random", spec], Table(2, 0), 2, tmp_path / "results")
    (tmp_path / "helper.py").write_text("best = max  # changed")
    with pytest.raises(TournamentError, match="has changed since it played"):
        tournament(["random", spec], Table(2, 0), 2, tmp_path / "results")


def test_two_at_once_are_refused(tmp_path):
    steps = tournament_steps(TournamentConfig(("greedy", "random"), Table(2, 0), 100), tmp_path)
    next(steps)
    with pytest.raises(TournamentError, match="another tournament is playing in"):
        tournament(["greedy", "random"], Table(2, 0), 2, tmp_path)
    steps.close()
    assert tournament(["greedy", "random"], Table(2, 0), 2, tmp_path).num_games == 4


@pytest.mark.parametrize(("number", "which"), [(1, "an earlier"), (3, "a later")])
def test_results_of_another_format_are_left_alone(number, which, tmp_path):
    path = tmp_path / "results.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        database.execute("INSERT INTO settings VALUES ('format', ?)", (f'"romans-tournament/{number}"',))
        database.commit()
    before = path.read_bytes()
    with pytest.raises(TournamentError, match=f"was written by {which} version.*name another folder") as refused:
        tournament(["greedy", "random"], Table(2, 0), 2, tmp_path)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == before


def test_a_disk_that_is_full_is_an_error_and_what_was_played_is_kept(tmp_path):
    tournament(["greedy", "random"], Table(2, 0), 50, tmp_path)
    before = stored_chunks(tmp_path)
    steps = tournament_steps(TournamentConfig(("greedy", "random"), Table(2, 0), 20_000), tmp_path)
    next(steps)
    database = steps.gi_yieldfrom.gi_frame.f_locals["store"]._database
    database.execute(f"PRAGMA max_page_count = {database.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(TournamentError, match="disk is full; name another folder with --folder") as refused:
        list(steps)
    assert "\n" not in str(refused.value)
    assert set(before) <= set(stored_chunks(tmp_path))
    # What was kept is whole: the same command goes on.
    tournament(["greedy", "random"], Table(2, 0), 100, tmp_path)


@pytest.mark.parametrize(
    ("agent", "jobs", "says"),
    [
        ("bot-\udcff.py:Bot", 1, r"the agent 'bot-\\udcff\.py:Bot' is not UTF-8"),
        ("broken", 1, r"cannot make the agent broken: OSError: no weights \(test_tour"),
        ("last", 2, r"unknown agent 'last'.*--jobs 1"),  # which worker processes do not know
    ],
)
def test_an_agent_that_cannot_be_stored_or_made_stops_it(agent, jobs, says, tmp_path):
    def broken():
        raise OSError("no weights")

    romans_agents.register("broken", broken)
    with pytest.raises(TournamentError, match=says):
        tournament(["greedy", agent], Table(2, 0), 2, tmp_path / "none", jobs=jobs)
    assert agent != "broken" or not (tmp_path / "none").exists()


def test_a_worker_that_dies_is_an_error_and_what_was_played_is_kept(tmp_path, monkeypatch):
    """The bot ends its process in deal 60: the first fifty are in the store."""
    (tmp_path / "deadly_agents.py").write_text(
        "import os, romans_agents\n"
        "class Deadly(romans_agents.RandomAgent):\n"
        "    def seed(self, seed):\n"
        "        self.seeds = getattr(self, 'seeds', 0) + 1\n"
        "        super().seed(seed)\n"
        "    def act_batch(self, observations, masks):\n"
        "        os._exit(3) if self.seeds == 3 else None\n"
        "        return super().act_batch(observations, masks)\n"
        "romans_agents.register('deadly', Deadly)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("deadly_agents")
    monkeypatch.setattr(
        worker_processes,
        "ProcessPoolExecutor",
        lambda jobs, context, **_own: ProcessPoolExecutor(
            1, context, initializer=importlib.import_module, initargs=("deadly_agents",)
        ),
    )
    with pytest.raises(TournamentError, match=r"a worker process died.*deadly \+ greedy.*repeat the command"):
        tournament(["greedy", "deadly"], Table(2, 0), 300, tmp_path / "results", jobs=2)
    assert 0 < sum(count for _, _, count in stored_chunks(tmp_path / "results")) < 300


# -- faults


def test_faults_lose_games_and_are_printed(tmp_path, capsys):
    result = tournament(["greedy", "raising", "last"], Table(3, 0), 40, tmp_path)
    faulty = next(standing for standing in result.standings if standing.label == "raising")
    (fault,) = faulty.faults
    assert fault.kind == "error"
    assert 0 < fault.games < faulty.games == 240
    assert fault.message.startswith("RuntimeError: tired\x1b[2J (test_tournament.py, line ")
    assert not any(standing.faults for standing in result.standings if standing is not faulty)
    print_result(result)
    out = capsys.readouterr().out
    assert f"raising lost {fault.games} of 240 games by an error, first: RuntimeError: tired\\x1b[2J" in out
    assert "lost by faults" in out
    assert untimed(tournament(["greedy", "raising", "last"], Table(3, 0), 40, tmp_path)) == untimed(result)


@pytest.mark.parametrize(("size", "winner_share"), [((2, 0), 1.0), ((3, 1), 0.5), ((1, 1), 1.0)])
def test_the_others_share_the_win_of_a_game_lost_by_a_fault(size, winner_share, tmp_path):
    class Hopeless(Last):
        def act(self, view):
            return "surrender"

    romans_agents.register("hopeless", Hopeless)
    texts = ["hopeless", "greedy", "random"][: max(2, size[0])]
    result = tournament(texts, Table(*size), 10, tmp_path)
    shares = {standing.label: standing.win_share.mean for standing in result.standings}
    assert shares.pop("hopeless") == 0.0
    if size[0] > 1:
        assert set(shares.values()) == {winner_share}
    last = result.standings[-1]
    assert last.label == "hopeless"
    assert last.faults[0].games == last.games
    assert last.faults[0].message == "chose 'surrender', which is neither the id nor the name of an action"


def test_time_is_kept(tmp_path):
    class Slow(RandomAgent):
        def act_batch(self, observations, masks):
            import time

            time.sleep(0.02 * len(masks))
            return super().act_batch(observations, masks)

    romans_agents.register("slow", Slow)
    result = tournament(["slow", "random"], Table(2, 0), 2, tmp_path, move_time=0.001)
    assert result.standings[-1].label == "slow"
    assert result.standings[-1].faults[0].kind == "time"
    assert result.standings[-1].faults[0].games == 4
    # Compiled agents are not timed.
    assert not result.standings[0].faults


# -- what it says


ALL, OF_THREE = "All differences in Elo are significant (95 %", ", Holm's correction for 3 pairs)"


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ("a>b", f"{ALL}): a > b."),
        ("a=b", "No difference in Elo is significant (95 %)."),
        ("a>b a>c b>c", f"{ALL}{OF_THREE}: a > b > c."),
        ("a>b a>c b=c", f"{ALL}{OF_THREE}, except between b and c."),
        ("a=b a>c b=c", f"Significant differences in Elo (95 %{OF_THREE}: a > c; no others."),
    ],
)
def test_what_differs_is_a_sentence(pairs, says):
    differences = [(better, worse, sign == ">") for better, sign, worse in pairs.split()]
    assert differences_in_words(result_with(differences)) == says


def test_a_table_without_pandas_is_an_error_that_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match="a table of results needs pandas"):
        _ = result_with([("a", "b", True)]).frame


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python looks in the working directory first")
def test_workers_import_nothing_of_the_working_directory(monkeypatch, tmp_path):
    (tmp_path / "multiprocessing.py").write_text("raise SystemExit(1)\n")
    monkeypatch.chdir(tmp_path)
    one, other = worker_processes.worker_pool(1), worker_processes.worker_pool(1)
    # As in two threads: the second one is not over yet when the first one ends.
    one.__enter__()
    pool = other.__enter__()
    one.__exit__(None, None, None)
    try:
        assert pool.submit(os.getenv, "PYTHONSAFEPATH").result() is None
    finally:
        other.__exit__(None, None, None)
    assert "PYTHONSAFEPATH" not in os.environ
