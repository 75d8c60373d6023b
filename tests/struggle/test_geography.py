"""Distances and fares that are computed once for a board, against a search written anew."""

import heapq
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from romans_env.compiling.tables import publish
from romans_env.struggle import StruggleForRome, StruggleSetup, load_board
from romans_env.struggle.geography import UNREACHABLE, geography_of
from tests.struggle.boards import board_with_a_ship_line_to_a_city, small_board
from tests.struggle.stages import BOARD, Lcg, new_game, opened, reached, state_bytes

ROOT = Path(__file__).resolve().parents[2]
BOARDS = {
    "stand-in": BOARD,
    "small": load_board(small_board()),
    "ship line to a city": load_board(board_with_a_ship_line_to_a_city()),
}


def fares_by_search(board, start):
    """F(g) of every crossroads: Dijkstra's search over (crossroads, whether an arrow was crossed, grain paid)."""
    near = [[] for _ in board.crossroads]
    for a, b, kind in board.edges:
        near[a].append((b, kind))
        near[b].append((a, kind))
    best, queue = {}, [(0, start, False, 0)]
    while queue:
        gold, here, has_crossed, grain = heapq.heappop(queue)
        if (here, has_crossed, grain) in best:
            continue
        best[here, has_crossed, grain] = gold
        for there, kind in near[here]:
            if kind == "road":
                steps = [(gold, has_crossed, grain)]
            elif not has_crossed:
                steps = [(gold, True, grain)]
            elif kind == "sea":
                steps = [(gold + 1, True, grain)]
            else:
                steps = [(gold + 3, True, grain)] + [(gold, True, grain + 1)] * (grain < 9)
            for cost, crossed, paid in steps:
                heapq.heappush(queue, (cost, there, crossed, paid))
    found = np.full((10, len(board.crossroads)), UNREACHABLE)
    for (here, _, grain), gold in best.items():
        found[grain:, here] = np.minimum(found[grain:, here], gold)
    return found


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_fares_are_the_cheapest(board):
    geography = geography_of(board)
    cities = {city.crossroads for city in board.cities}
    for start in range(0, len(board.crossroads), 7):
        expected = fares_by_search(board, start)
        expected[:, sorted(cities)] = UNREACHABLE
        assert np.array_equal(geography.fares[geography.regions[start]], expected)
    assert geography.fares.shape == (geography.regions.max() + 1, 10, len(board.crossroads))


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_neighbours_and_reach(board):
    geography = geography_of(board)
    at = {city.crossroads: number for number, city in enumerate(board.cities)}
    for place in range(len(board.crossroads)):
        beside = {edge.a + edge.b - place for edge in board.edges if place in edge[:2] and edge.kind != "sea"}
        expected = sorted(at[one] for one in beside if one in at)
        assert sorted(one for one in geography.neighbours[place].tolist() if one >= 0) == expected
    for city, one in enumerate(board.cities):
        near = reached(one.crossroads, 1, board)
        expected = [other != city and of.crossroads in near for other, of in enumerate(board.cities)]
        assert geography.within_one_arrow[city].tolist() == expected


def test_it_is_computed_once_for_a_board():
    assert geography_of(BOARD) is geography_of(load_board())
    data = small_board()
    assert geography_of(load_board(data)) is geography_of(load_board(small_board()))
    data["name"] = "another"
    assert geography_of(load_board(data)).key != geography_of(load_board(small_board())).key


def test_games_on_several_boards_do_not_mix():
    settings = [{}, {"board": small_board()}, {"num_players": 3}]
    alone = []
    for setting in settings:
        game, lcg = new_game(4, max_rounds=5, **setting), Lcg(4)
        while not game.is_over:
            game.act(lcg.pick(game.legal_actions()))
        alone.append(game.record())
    games = [(new_game(4, max_rounds=5, **setting), Lcg(4)) for setting in settings]
    while not all(game.is_over for game, _ in games):
        for game, lcg in games:
            if not game.is_over:
                game.act(lcg.pick(game.legal_actions()))
    assert [game.record() for game, _ in games] == alone
    assert games[1][0].rules.num_actions < games[0][0].rules.num_actions


SCRIPT = """
import pickle, sys
game = pickle.load(sys.stdin.buffer)
game.act(game.legal_actions()[-1])
sys.stdout.buffer.write(game.states.tobytes())
"""


def test_a_game_goes_on_in_another_process():
    game = opened(30, seed=3, board=small_board())
    pickled = pickle.dumps(game)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, cwd=ROOT, env=environment, input=pickled, capture_output=True, check=True)
    game.act(game.legal_actions()[-1])
    assert done.stdout == state_bytes(game)


def test_a_record_of_an_unknown_board_is_refused():
    game = new_game(1)
    game.states["board"] = 12345
    before = state_bytes(game)
    with pytest.raises(ValueError, match="create the rules with their setup first"):
        game.rules.is_legal(game.states, 0, 300)
    assert state_bytes(game) == before


def test_a_table_that_is_known_stays():
    geography = StruggleForRome(StruggleSetup(3)).geography
    publish(geography.key, np.zeros(8, dtype=np.int16))
    game = new_game(1)
    assert game.legal_actions() == new_game(1).legal_actions()
