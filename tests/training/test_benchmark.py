"""``romans benchmark``: one number, the same everywhere, that its file proves and a broken agent does not get."""

import copy
import hashlib
import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

import romans_agents
from benchmarks import leaderboard
from romans_training import worker_processes
from romans_training.compare.leaderboard import protocols as protocols_module
from romans_training.compare.leaderboard import result as result_module
from romans_training.compare.leaderboard import verify as verify_module
from romans_training.compare.leaderboard.exploitability import exact_exploitability
from romans_training.compare.leaderboard.protocols import (
    BenchmarkError,
    line_up_of,
    own_slot,
    protocol_of,
    protocols,
)
from romans_training.compare.leaderboard.rating import Rating, expected_share, rating_of
from romans_training.compare.leaderboard.result import (
    deals_in,
    digest_of_result,
    packed,
    rating_in,
    result_of,
    share_of,
)
from romans_training.compare.leaderboard.run import benchmark_steps
from romans_training.compare.leaderboard.verify import verify_steps
from romans_training.compare.tournament.entries import digest_of
from romans_training.compare.tournament.match import Chunk
from romans_training.compare.tournament.rows import line_up_of as row_line_up
from romans_training.compare.tournament.run import played_chunks, returned
from romans_training.measure.intervals import Estimate
from romans_training.measure.variance_reduction import reduced

NAME = "romans-go-home/2+0/1"
THREE = {"random": 0.0, "hoarder": 325.3, "greedy": 1000.0}
SMALL = replace(protocols()[NAME], opponents=THREE, copies=THREE, deals=120, quick_deals=60, variance_reduction="none")
BOT = """
import os, time
from romans_agents import Agent

class Bot(Agent):
    name = "bot"
    def seed(self, seed): pass
    def act(self, view):
        {does}
"""


@pytest.fixture
def small(monkeypatch):
    """A protocol that takes a second, in the place of the first one."""
    for module in (protocols_module, verify_module):
        monkeypatch.setattr(module, "protocols", lambda: {NAME: SMALL})
    return SMALL


def played(agent, protocol, folder, deals, jobs=1):
    """The result, and how many games had been played before."""
    steps = benchmark_steps(agent, protocol, folder, deals, jobs)
    first = next(steps)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value, first.games


def without_machine(result):
    return json.dumps({**result.as_json(), "machine": None})


# -- the rating


@pytest.mark.parametrize("num_players", [2, 4])
def test_the_rating_is_where_the_model_expects_the_share(num_players):
    panel, unit = [0.0, 400.0, 1000.0], 0.002
    for wanted in (-300.0, 0.0, 650.0, 2000.0):
        share = expected_share(unit * wanted, unit * np.array(panel), num_players)
        found = rating_of(Estimate(share, share - 0.05, share + 0.01), panel, num_players, unit)
        assert found.mean == pytest.approx(wanted, abs=1e-6)
        assert found.low < found.mean < found.high
    # Equal strength wins a fair share.
    assert expected_share(5.0, np.array([5.0]), num_players) == pytest.approx(1 / num_players)


def test_a_rating_has_no_bound_where_everything_or_nothing_was_won():
    rating = rating_of(Estimate(1.0, 0.9, 1.0), [0.0, 1000.0], 2, 0.002)
    assert (rating.mean, rating.high) == (None, None) and rating.low is not None
    assert rating_of(Estimate(-0.01, -0.02, 0.0), [0.0, 1000.0], 2, 0.002) == Rating(None, None, None)


def test_intervals_hold_the_rating_as_often_as_they_say():
    """Of a thousand benchmarks of an agent with a known share, whose two games of a deal go together."""
    rng, true = np.random.default_rng(1), {"random": 0.87, "hoarder": 0.8, "greedy": 0.45}
    expected = rating_in(SMALL, Estimate(*[np.mean(list(true.values()))] * 3)).mean
    held = 0
    for _ in range(1000):
        values = []
        for share in true.values():
            # Correlated over seatings, as the same deal is.
            luck = rng.normal(size=100)
            draws = 0.5 * luck[:, None] + np.sqrt(0.75) * rng.normal(size=(100, 2))
            values.append((draws < norm.ppf(share)).mean(axis=1))
        low, high = rating_in(SMALL, share_of(values, SMALL))[1:]
        held += low <= expected <= high
    assert 930 <= held <= 970


# -- protocols


@pytest.mark.parametrize("reduction", ["none", "aivat"])
def test_an_agent_that_wins_two_deals_may_lose_others(reduction):
    share = share_of([np.ones(2)] * len(THREE), replace(SMALL, variance_reduction=reduction))
    assert share.mean == 1 and share.low < 0.7


@pytest.mark.parametrize("protocol", protocols().values(), ids=protocols())
def test_a_panel_goes_from_weak_to_strong_by_agents_that_do_not_change(protocol):
    ratings = list(protocol.opponents.values())
    assert (
        ratings == sorted(ratings)
        and protocol.opponents["random"] == 0.0
        and protocol.opponents[protocol.reference] == 1000
    )
    for spec in protocol.opponents:
        # `legate` may be another policy one day.
        assert romans_agents.make(spec, game=protocol.game) and spec != "legate"
    assert list(protocol.copies) == list(protocol.opponents)
    assert protocol.name.startswith(protocol.game) and protocol.quick_deals < protocol.deals


def test_unknown_protocols_are_told(called):
    for arguments, suggestion in (
        (("greedy", "--protocol", "romans-go-home/2+0/11"), "did you mean 'romans-go-home/2+0/1'?"),
        (("gredy",), "did you mean 'greedy'?"),
        (("random", "--protocol", "roma/2"), "there is no benchmark 'roma/2' (did you mean 'roma/1'?)"),
        (("random", "--game", "struggle", "--protocol", "roma/1"), "struggle has no benchmark 'roma/1'"),
        # The protocol says which game.
        (("greedy", "--protocol", "roma/1"), "unknown agent 'greedy'"),
    ):
        message, _, _ = called("benchmark", *arguments)
        assert suggestion in message
    assert protocol_of("roma").name == "roma/1"


# -- results


def test_the_same_result_in_a_process_of_its_own(tmp_path, monkeypatch):
    """Two of them share out a tournament's games, which are these, in test_tournament.py."""
    pool = worker_processes.ProcessPoolExecutor
    monkeypatch.setattr(worker_processes, "ProcessPoolExecutor", lambda _, *own, **more: pool(1, *own, **more))
    protocol = replace(SMALL, variance_reduction="aivat")
    one, two = (played("greedy", protocol, tmp_path / str(jobs), 2, jobs)[0] for jobs in (1, 2))
    assert without_machine(one) == without_machine(two)
    assert one.games == 2 * 2 * 3 and one.rating is not None


def test_a_benchmark_goes_on_where_it_stopped(tmp_path):
    quick, before = played("greedy", SMALL, tmp_path, 60)
    whole, kept = played("greedy", SMALL, tmp_path, 120)
    again, all_kept = played("greedy", SMALL, tmp_path, 120)
    # The last 10 of the 60 deals are part of a block of 50, which is played whole.
    assert (before, kept, all_kept) == (0, quick.games * 50 / 60, whole.games)
    assert without_machine(whole) == without_machine(again)
    assert whole.opponents[0].deals.digests[:60] == quick.opponents[0].deals.digests
    # Results do not depend on how many deals were asked for first.
    at_once, _ = played("greedy", SMALL, tmp_path / "other", 120)
    assert without_machine(whole) == without_machine(at_once)


def test_the_reference_against_itself_wins_half(tmp_path):
    result, _ = played("greedy", SMALL, tmp_path, 60)
    shares = {one.spec: one.share.mean for one in result.opponents}
    assert shares["greedy"] == 0.5 and shares["random"] > shares["hoarder"] > 0.5
    assert result.rating.low < 1000 < result.rating.high


def test_an_agent_that_searches_plays_fewer_deals(tmp_path):
    two = {"random": 0.0, "greedy": 1000.0}
    protocol = replace(SMALL, opponents=two, copies=two, search_deals=2)
    result, _ = played("flat-mc:iterations=2", protocol, tmp_path, 60)
    assert result.deals == 2 and result.games == 8


# -- files of results


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """That of ``greedy``: a block of 50 deals and one of 10."""
    return played("greedy", SMALL, tmp_path_factory.mktemp("games"), 60)[0].as_json()


@pytest.fixture
def verified(small, tmp_path, called):
    """Run ``romans benchmark --verify`` on a result; gives what was printed, or the error."""

    def verify(result, *options):
        path = tmp_path / "result.json"
        path.write_text(json.dumps(result), encoding="utf-8")
        status, out, _ = called("benchmark", "--verify", path, "--jobs", 1, *options)
        return " ".join(out.split()) if status == 0 else status

    return verify


def test_the_command_says_one_number_and_writes_a_file_that_proves_it(verified, called, result, tmp_path):
    path = tmp_path / "greedy.json"
    status, out, _ = called(
        "benchmark", "greedy", "--quick", "--json", path, "--jobs", 1, "--folder", tmp_path / "games"
    )
    rating, place = out.splitlines()[1:3]
    assert status == 0 and rating.startswith("rating ") and "worst opponent is greedy" in out
    assert place in ("That is between hoarder (325) and greedy (1,000).", "That is above greedy (1,000).")
    written = json.loads(path.read_text(encoding="utf-8"))
    assert {**written, "machine": None} == {**result, "machine": None}
    assert "All of them were replayed" in verified(written)


def signed(result):
    return {**result, "digest": digest_of_result(result)}


def remade(change, deals=60, protocol=SMALL):
    """What somebody would write who changes games, and computes all that follows from them anew."""

    def forge(result):
        played = [deals_in(one, deals) for one in result["opponents"]]
        parts = {key: result[key] for key in ("agent", "files", "version", "machine")}
        return result_of(protocol, played=change(played), faults=(), **parts).as_json()

    return forge


def with_parts(deals, **parts):
    return deals._replace(**parts)


def won_more(deals):
    return with_parts(deals, won=np.minimum(deals.won + 3000, 10_000))


def exchanged(deals):
    """Every deal has what another one came to."""
    return with_parts(deals, won=deals.won[::-1], digests=deals.digests[::-1])


def other_games(deals):
    """Every deal was won as it says, by other games."""
    return with_parts(deals, digests=deals.digests[::-1])


def best_half(deals):
    """The half of the deals that was won most."""
    chosen = np.argsort(-deals.won, kind="stable")[:30]
    return type(deals)(deals.won[chosen], deals.variates[chosen], tuple(deals.digests[k] for k in chosen))


def in_ten_deals(change):
    """A change of the last ten deals against one opponent: what fewer deals than a block came to."""

    def forge(played):
        old, new = played[1], change(played[1])
        won = np.concatenate([old.won[:50], new.won[50:]])
        return [played[0], with_parts(old, won=won, digests=old.digests[:50] + new.digests[50:]), played[2]]

    return forge


def changed(**parts):
    return lambda result: signed({**result, **parts})


def changed_opponent(result):
    result["opponents"][2]["spec"] = "skirmisher"
    return signed(result)


def changed_part(name, **parts):
    return lambda result: signed({**result, name: {**result[name], **parts}})


OTHERS = "{1} did not play these games against {0}: deal "


@pytest.mark.parametrize(
    ("forge", "line"),
    [
        # Values, games, deals left out, fewer than a block.
        *(
            (remade(lambda played, change=change: list(map(change, played))), OTHERS.format("random", "greedy"))
            for change in (won_more, exchanged, best_half, other_games)
        ),
        (remade(in_ten_deals(won_more)), OTHERS.format("hoarder", "greedy") + "5"),
        (remade(in_ten_deals(exchanged)), OTHERS.format("hoarder", "greedy") + "5"),
        # Opponents exchanged, the agent renamed, all that follows from games.
        (changed_opponent, "its opponents are not the opponents of romans-go-home/2+0/1: 'skirmisher'"),
        (changed(agent="hoarder"), "hoarder did not play these games against random: deal 1 "),
        (changed_part("rating", mean=1300.0), "its rating does not follow from its games"),
        (changed_part("share", mean=0.9), "its share does not follow from its games"),
        (changed(games=10**9), "its games do not follow from its games"),
        (changed(deals=59), "it does not hold integers, at most 59"),
        (changed(deals=True), "has 2 to 120 deals, not True"),
        (changed(faults=[{"kind": "error", "games": 1, "message": "x"}]), "lost 0 replayed games by faults"),
        (changed(faults=[{"kind": "error", "games": 1}]), "its faults are malformed"),
        (changed(extra=1), "its fields are not format, protocol, "),
        (changed(version="0.1.0, and all was checked"), "its version is not a version of the package: '0.1.0, and"),
        (changed_part("machine", processor="a\nb"), "are not lines of text"),
        (changed_part("machine", more=json.loads(900 * "[" + 900 * "]")), "its machine does not have just "),
        (changed_part("machine", milliseconds=float("nan")), "is not a number of milliseconds"),
        (lambda result: {**result, "version": "9.9.9"}, "its digest does not match"),
        (lambda result: {**result, "format": "romans-benchmark/1"}, "does not have the format romans-benchmark/2"),
        (lambda result: {**result, "protocol": "chess"}, "there is no protocol 'chess'"),
    ],
)
def test_a_forged_file_is_refused_by_what_differs(verified, result, forge, line):
    message = verified(forge(copy.deepcopy(result)), "--part", 1)
    assert line in message and "\n" not in message


@pytest.mark.parametrize("won", [-1, 10_001])
def test_no_deal_comes_to_more_than_a_win(verified, result, won):
    result = copy.deepcopy(result)
    result["opponents"][0]["won"] = packed(np.full(60, won))
    assert "is not from 0 to 1" in verified(signed(result))


def test_control_variates_are_compared_and_bounded(small, tmp_path, monkeypatch):
    protocol = replace(SMALL, variance_reduction="aivat", deals=12)
    monkeypatch.setattr(verify_module, "protocols", lambda: {NAME: protocol})
    path, true = tmp_path / "result.json", played("greedy", protocol, tmp_path / "games", 12)[0].as_json()

    def verify(change):
        result = remade(lambda played: [change(played[0]), *played[1:]], 12, protocol)(true)
        path.write_text(json.dumps(result), encoding="utf-8")
        return returned(verify_steps(path, part=1))

    assert verify(lambda deals: deals).games == 72
    # All of them by the same factor leave the shares as they are: the weights of the fit take it back.
    for rows, factor, line in (
        (slice(None), 1.01, "greedy did not play these games against random"),
        (0, 1000, "impossible win share"),
    ):

        def change(deals, rows=rows, factor=factor):
            variates = deals.variates.astype(np.float64)
            variates[rows] *= factor
            return with_parts(deals, variates=variates.astype(np.int32))

        with pytest.raises(BenchmarkError, match=line):
            verify(change)


# -- true games, and control variates that differ by no more than machines do


REDUCED = replace(SMALL, variance_reduction="aivat", deals=12)


@pytest.fixture(scope="module")
def random_result(tmp_path_factory):
    """That of ``random``, with control variates."""
    return played("random", REDUCED, tmp_path_factory.mktemp("games"), 12)[0].as_json()


@pytest.fixture(scope="module")
def games_once_more():
    """What plays chunks as ``played_chunks`` does, and every chunk once."""
    known = {}

    def play(chunks, *_, **__):
        for chunk in chunks:
            key = chunk.line_up, chunk.first, chunk.count
            if key not in known:
                ((_, known[key]),) = played_chunks([chunk])
            yield chunk, known[key]

    return play


@pytest.fixture
def verified_reduced(verified, games_once_more, monkeypatch):
    monkeypatch.setattr(verify_module, "protocols", lambda: {NAME: REDUCED})
    monkeypatch.setattr(verify_module, "played_chunks", games_once_more)
    return lambda result: verified(result, "--part", 1)


def in_dead_variates(parts_of):
    """Write parts that depend on the share of wins where a control variate is zero in all deals."""

    def forge(played):
        dead = (np.concatenate([deals.variates for deals in played]) == 0).all(axis=0)
        assert dead.sum() > 10
        return [
            with_parts(deals, variates=np.where(dead, parts_of(deals.won / 10_000)[:, None], deals.variates))
            for deals in played
        ]

    return forge


def less_where_lost(won):
    return -np.rint(2 * (1 - won)).astype(np.int32)


def with_the_result(won):
    return np.rint(4 * (won - won.mean())).clip(-2, 2).astype(np.int32)


def twos_more(played):
    return [with_parts(deals, variates=deals.variates + 2) for deals in played]


def one_variate_less(played):
    return [with_parts(deals, variates=deals.variates[:, 1:]) for deals in played]


def variates_of_other_deals(played):
    return [with_parts(deals, variates=deals.variates[::-1]) for deals in played]


def the_luckiest_deal_everywhere(played):
    """Every deal is the one that was won most."""
    best = [deals.won.argmax() for deals in played]
    return [
        type(deals)(deals.won[[k] * 12], deals.variates[[k] * 12], (deals.digests[k],) * 12)
        for k, deals in zip(best, played, strict=True)
    ]


def the_weakest_opponent_everywhere(played):
    return [played[0]] * len(played)


@pytest.mark.parametrize(
    ("forge", "line"),
    [
        (in_dead_variates(less_where_lost), "differs from this machine's in one direction, by 1."),
        (twos_more, "differs from this machine's in one direction, by 2.0 parts in 10,000"),
        (one_variate_less, "random did not play these games against random: the control variates differ in number"),
        (variates_of_other_deals, OTHERS.format("random", "random") + "1 has another result here"),
        (the_luckiest_deal_everywhere, OTHERS.format("random", "random")),
        (the_weakest_opponent_everywhere, OTHERS.format("hoarder", "random") + "1 has another result here"),
    ],
)
def test_true_games_do_not_make_a_forged_rating_true(verified_reduced, random_result, forge, line):
    message = verified_reduced(remade(forge, 12, REDUCED)(random_result))
    assert line in message and "\n" not in message


@pytest.mark.parametrize("parts_of", [less_where_lost, with_the_result])
def test_what_varies_no_more_than_machines_differ_has_no_weight(random_result, parts_of, monkeypatch):
    forge = remade(in_dead_variates(parts_of), 12, REDUCED)
    assert forge(random_result)["rating"] == random_result["rating"]
    # Were the errors of the variates unknown, they would explain the results.
    monkeypatch.setattr(result_module, "reduced", lambda *arguments: reduced(*arguments[:3]))
    rating, forged = random_result["rating"], forge(random_result)["rating"]
    assert forged["mean"] > rating["mean"] + 1000 or forged["high"] - forged["low"] < 150


def test_the_verifier_rates_once_more_with_variates_of_its_own(verified_reduced, random_result, monkeypatch):
    assert "in these games the rating changes by +0.0 points" in verified_reduced(random_result)
    # Whatever gives weights to errors: they have no direction here, and an interval that is too narrow.
    monkeypatch.setattr(result_module, "reduced", lambda *arguments: reduced(*arguments[:3]))
    result = remade(lambda played: played, 12, REDUCED)(random_result)
    assert "changes by +0.0 points" in verified_reduced(result)
    message = verified_reduced(remade(in_dead_variates(with_the_result), 12, REDUCED)(random_result))
    assert "change the win share of random, or an end of its interval, by " in message


@pytest.mark.parametrize("spec", ["random:", "random:,,,"])
def test_an_agent_of_the_package_is_spelled_in_one_way(verified_reduced, random_result, spec):
    """Deals follow from the spec: who writes it in many ways may choose the luckiest."""
    message = verified_reduced(signed({**random_result, "agent": spec}))
    assert "write the agent as 'random'; another spelling has other deals" in message


def test_a_result_of_fewer_deals_says_how_many(verified, result):
    """Who sends a file may have cut it where it was luckiest."""
    cut = remade(lambda played: [type(one)(*(part[:50] for part in one)) for one in played])
    assert "It played 50 of the 120 deals of the protocol: " in verified(cut(result), "--part", 1)
    assert "It played 60 of the 120 deals" in verified(result)


def on_the_leaderboard(name, folder, monkeypatch, change):
    """Return the leaderboard of a published result that somebody changed."""
    published = json.loads((leaderboard.RESULTS / name).read_text(encoding="utf-8"))
    (folder / name).write_text(json.dumps(change(published)), encoding="utf-8")
    monkeypatch.setattr(leaderboard, "RESULTS", folder)
    return leaderboard.tables(leaderboard.results(), {})


def test_a_row_of_the_leaderboard_says_of_how_many_deals_it_is(tmp_path, monkeypatch):
    name, protocol = "romans-go-home-tiny-hoarder.json", protocol_of(None, "tiny")

    def cut(result):
        played = [deals_in(one, 300) for one in result["opponents"]]
        played = [type(one)(*(part[:100] for part in one)) for one in played]
        parts = {key: result[key] for key in ("agent", "files", "version", "machine")}
        return result_of(protocol, played=played, faults=(), **parts).as_json()

    assert "| `hoarder` | " in on_the_leaderboard(name, tmp_path, monkeypatch, lambda result: result)
    monkeypatch.undo()
    assert "| `hoarder` (100 deals) | " in on_the_leaderboard(name, tmp_path, monkeypatch, cut)


def test_the_leaderboard_refuses_a_result_of_other_files_than_those_that_are_here(tmp_path, monkeypatch):
    name, bot = "romans-go-home-tiny-hoarder.json", tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def act(self, view):\n        return view.legal_actions()[0]\n", encoding="utf-8")
    sent = changed(agent=f"{bot}:Bot", files=digest_of(f"{bot}:Bot"))
    assert f"| `{bot}:Bot` | " in on_the_leaderboard(name, tmp_path, monkeypatch, sent)
    monkeypatch.undo()
    with pytest.raises(BenchmarkError, match="Bot have changed since it played: measure it again"):
        on_the_leaderboard(name, tmp_path, monkeypatch, changed(agent=f"{bot}:Bot", files="0" * 64))


@pytest.mark.parametrize("protocol", [one for one in protocols().values() if one.renamed], ids=lambda one: one.name)
def test_an_agent_that_has_got_another_name_keeps_its_games(protocol):
    for agent, former in protocol.renamed.items():
        for opponent, line_up in protocol.line_ups(agent).items():
            before = line_up_of(former, opponent, protocol.setup.num_players)
            assert (line_up.seed_words, line_up.seatings) == (before.seed_words, before.seatings)
            assert own_slot(line_up, agent, opponent) == own_slot(before, former, opponent)
            assert {entry.spec for entry in line_up.slots} == {agent, opponent}
            assert row_line_up(line_up.key, protocol.setup).key == line_up.key != before.key


def test_which_games_are_played_once_more_nobody_knows_beforehand(small, result, tmp_path):
    """Whether a file with one forged block of six passes, where two are drawn, is chance."""
    path = tmp_path / "result.json"
    path.write_text(json.dumps(remade(in_ten_deals(won_more))(result)), encoding="utf-8")
    passed = 0
    for seed in range(6):
        with suppress(BenchmarkError):
            returned(verify_steps(path, part=0.3, rng=np.random.default_rng(seed)))
            passed += 1
    assert 0 < passed < 6


def blocks(count, games, deals):
    """Blocks of games against each of three opponents."""
    return [Chunk(None, f"opponent {k // count}", (), games * k, deals) for k in range(3 * count)]


def test_a_file_with_one_game_of_a_hundred_forged_passes_once_in_a_hundred_at_most(monkeypatch):
    monkeypatch.setattr(Chunk, "num_games", property(lambda self: 2 * self.count))
    rng = np.random.default_rng(0)
    for count, deals in ((2, 50), (200, 1)):
        chunks = blocks(count, 2 * deals, deals)
        drawn = verify_module._drawn(chunks, None, rng)
        assert verify_module._missed(chunks, drawn, 0.01) <= 0.01 and (len(drawn) < len(chunks) or count == 2)
        # As many of each opponent, so that no opponent is exchanged unseen.
        assert {*Counter(chunk.line_up for chunk in drawn).values()} == {len(drawn) // 3}
    # The forger puts what he changes into as few blocks as he can: the bound holds for six of 600.
    forged, passed = set(range(6)), 0
    for _ in range(300):
        found = verify_module._drawn(chunks, 0.3, rng)
        passed += not any(chunks[k] in found for k in forged)
    assert passed / 300 == pytest.approx(verify_module._missed(chunks, found, 0.01), abs=0.06)


def test_the_odds_of_a_forged_file_are_those_of_the_opponent_whose_games_were_checked_least(monkeypatch):
    """Of one opponent half of the blocks are drawn, of the others all: six forged blocks, of the first one."""
    monkeypatch.setattr(Chunk, "num_games", property(lambda self: 2 * self.count))
    chunks = blocks(200, 2, 1)
    drawn = chunks[:100] + chunks[200:]
    assert verify_module._missed(chunks, drawn, 0.01) == 0.5**6


def test_held_out_deals_are_others_and_are_marked(small, called, tmp_path, monkeypatch):
    seed = tmp_path / "seed.txt"
    seed.write_text("0123456789abcdef0123456789abcdef\n", encoding="utf-8")
    protocol = replace(SMALL, held_out=hashlib.sha256(seed.read_text().strip().encode()).hexdigest())
    for module in (protocols_module, verify_module):
        monkeypatch.setattr(module, "protocols", lambda: {NAME: protocol})
    path, arguments = tmp_path / "x.json", ("--deals", 4, "--jobs", 1, "--folder", tmp_path / "games")
    status, out, _ = called("benchmark", "greedy", *arguments, "--json", path, "--deals-from", seed)
    assert status == 0 and "4 of 120 deals, held out" in " ".join(out.split())
    held_out, published = json.loads(path.read_text()), played("greedy", SMALL, tmp_path / "published", 4)[0].as_json()
    assert held_out["held_out"] is True and "held_out" not in published
    assert held_out["opponents"][0]["digests"] != published["opponents"][0]["digests"]
    # Whoever verifies it needs the seed; a file of other deals does not pass for one of these.
    check = ("benchmark", "--verify", path, "--jobs", 1)
    assert "are held out; check it with --deals-from" in called(*check)[0]
    assert "games of deals that are held out. All of them were replayed" in " ".join(
        called(*check, "--deals-from", seed)[1].split()
    )
    for forged, wrong in ((published | {"held_out": True}, "greedy did not play"), (published, "are published")):
        path.write_text(json.dumps(signed(forged)), encoding="utf-8")
        assert wrong in called(*check, "--deals-from", seed)[0]
    seed.write_text("fedcba9876543210fedcba9876543210\n", encoding="utf-8")
    assert "does not hold the seed of the held-out deals" in called("benchmark", "greedy", "--deals-from", seed)[0]
    seed.write_bytes(b"\xff")
    assert "does not hold the seed of the held-out deals" in called("benchmark", "greedy", "--deals-from", seed)[0]


def test_a_level_is_a_name_of_a_protocol():
    tracks = [protocol.track for protocol in protocols().values()]
    assert sorted(tracks) == ["duel", "roma", "struggle", "table", "tiny"]
    assert protocol_of(None, "tiny").is_exact and protocol_of("roma", "roma") == protocol_of("roma")
    with pytest.raises(BenchmarkError, match="struggle has no benchmark 'duel'"):
        protocol_of("struggle", "duel")


def test_exploitability_is_exact_on_the_level_tiny():
    """Of an agent with chance of its own; tests/release has one without."""
    pytest.importorskip("pyspiel")
    assert exact_exploitability("mixer", protocol_of(None, "tiny").setup) == pytest.approx(0.36417, abs=5e-6)


@pytest.mark.parametrize(
    "spec", ["process:touch {folder}/ran", "{folder}/bot.py:Bot", "llm:model,url=http://127.0.0.1:9/"]
)
def test_nothing_that_a_file_names_runs_unless_it_is_allowed(verified, result, tmp_path, spec):
    (tmp_path / "bot.py").write_text("open(r'{}', 'w')".format(tmp_path / "ran"), encoding="utf-8")
    spec = spec.format(folder=tmp_path)
    message = verified(signed({**result, "agent": spec, "files": digest_of(spec)}))
    assert "may not be loaded here. Give --allow-code if you trust it" in message and not (tmp_path / "ran").exists()
    # Nor does another file than the one that played, allowed or not.
    if spec.endswith("Bot"):
        message = verified(signed({**result, "agent": spec, "files": "0" * 64}), "--allow-code")
        assert "differ from the ones that played" in message and not (tmp_path / "ran").exists()


def test_a_slow_agent_plays_few_deals_first_and_more_later(small, called, tmp_path):
    arguments = ("benchmark", "greedy", "--jobs", 1, "--folder", tmp_path / "games")
    status, out, _ = called(*arguments, "--deals", 4)
    assert status == 0 and "24 games, 4 of 120 deals" in out
    status, out, err = called(*arguments, "--deals", 6)
    assert status == 0 and "36 games, 6 of 120 deals" in out
    for wrong, told in (
        (("--deals", 121), "deals must be at most 120"),
        (("--deals", 6, "--quick"), "leave out one of them"),
    ):
        status, _, err = called(*arguments, *wrong)
        assert status == 2 and told in err


# -- broken agents


EVERY_THIRD = """self.number = getattr(self, "number", 0) + 1
        if self.number % 3 == 0:
            raise ValueError("at fault")
        return time.sleep(0.1) if self.number % 3 == 1 else -1
"""


@pytest.mark.parametrize(
    ("does", "kinds"),
    [
        (EVERY_THIRD, ("errors", "illegal actions", "decisions that took too long")),
        ("os._exit(3)", ("the end of their process",)),
    ],
)
def test_a_broken_agent_gets_no_number(small, called, tmp_path, monkeypatch, does, kinds):
    monkeypatch.setattr(protocols_module, "MOVE_TIME", 0.01)
    (tmp_path / "bot.py").write_text(BOT.format(does=does), encoding="utf-8")
    arguments = ("--jobs", 1, "--deals", 4, "--folder", tmp_path / "games", "--json", tmp_path / "x.json")
    status, out, err = called("benchmark", f"{tmp_path}/bot.py:Bot", *arguments)
    assert status == 1 and "No rating" in out and all(f"Games lost by {kind}: " in out for kind in kinds), (out, err)
    result = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert result["rating"] is None and result["faults"]
    message, _, _ = called("benchmark", "--verify", tmp_path / "x.json")
    assert "stopped because of its faults" in message
