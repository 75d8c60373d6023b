"""The benchmark of larger boards: they are boards that the rules take, and every case of it is measured."""

from benchmarks import struggle_board_size
from romans_env.struggle import load_board


def test_a_ring_keeps_what_is_there_and_adds_land_around_it():
    board = load_board().as_json()
    larger = load_board(struggle_board_size.with_ring(board)).as_json()
    places = {(one["q"], one["r"]) for one in larger["hexes"]}
    assert len(larger["hexes"]) == len(places) > len(board["hexes"])
    assert larger["hexes"][: len(board["hexes"])] == board["hexes"]
    for key in ("cities", "starts", "legion"):
        assert larger[key] == board[key]
    assert {tuple(edge) for edge in board["edges"]} < {tuple(edge) for edge in larger["edges"]}
    ends = {end for edge in larger["edges"] for end in edge[:2]}
    assert ends == set(range(len(larger["crossroads"])))


def test_the_command_measures_every_board(capsys):
    arguments = ["--rings", "1", "--runs", "1", "--seconds", "0.01", "--size", "8"]
    struggle_board_size.main(arguments, standalone_mode=False)
    printed = capsys.readouterr().out
    assert printed.count("55 hexes") == printed.count("93 hexes") == 3
