"""The board file: the stand-in, its schema, and one clear error for each entry that breaks STRUGGLE 1.3."""

import copy
import json
import pickle
import re
import textwrap
from pathlib import Path

import gymnasium
import jsonschema
import pytest
from gymnasium.envs.registration import EnvSpec

from romans_env.struggle import load_board
from romans_env.struggle.board_form import COUNTERS, MOST_HEXES, PROVINCES

ROOT = Path(__file__).parents[2]
FILES = ROOT / "romans_env" / "struggle"
STAND_IN = json.loads((FILES / "board.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((FILES / "board.schema.json").read_text(encoding="utf-8"))
DIGEST = "d3ee112690166b92b2175c20943cbc8ffad8f417ed2c9553f58a40833c95a5a6"
"""The digest that recorded games of the stand-in name."""


def changed(path, value):
    """The stand-in with one entry replaced, deleted (``...``), or made from what it was (a function)."""
    board = copy.deepcopy(STAND_IN)
    *parents, last = path
    inside = board
    for key in parents:
        inside = inside[key]
    if value is ...:
        del inside[last]
    else:
        inside[last] = value(inside[last]) if callable(value) else value
    return board


def test_the_digest_is_that_of_the_file():
    assert load_board().digest == DIGEST and load_board().is_stand_in
    assert load_board(STAND_IN) == load_board() and load_board(STAND_IN).is_stand_in
    other = load_board(changed(["name"], "another"))
    assert other != load_board() and not other.is_stand_in and other.name == "another"
    assert {load_board(), load_board(STAND_IN), other} == {load_board(), other}


def test_what_is_read_is_what_is_given_back(tmp_path):
    board = load_board()
    assert board.as_json() == STAND_IN
    board.as_json()["legion"] = 0
    assert board.as_json() == STAND_IN
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(board.as_json()), encoding="utf-8")
    assert load_board(file) == load_board(str(file)) == board
    assert load_board(board) is board and pickle.loads(pickle.dumps(board)) == board
    given = copy.deepcopy(STAND_IN)
    kept = load_board(given)
    given["cities"][0]["towers"] = 5
    assert kept.as_json() == STAND_IN


def test_a_board_is_in_the_specification_of_an_environment(tmp_path):
    board, file = changed(["name"], "another"), tmp_path / "mine.json"
    file.write_text(json.dumps(board), encoding="utf-8")
    for given in (board, load_board(board), file):
        env = gymnasium.make("Struggle-v0", board=given, opponents=["random"] * 2)
        again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
        assert again.unwrapped.rules == env.unwrapped.rules and again.unwrapped.rules.setup.board.name == "another"


def test_a_board_may_do_without_notes_and_have_other_cards():
    rules = {key: value for key, value in STAND_IN.items() if key not in ("format", "name", "note")}
    board = load_board(rules)
    assert (board.name, board.note) == ("", "") and not board.is_stand_in
    rules["counters"] = {province: dict.fromkeys(COUNTERS, 1) for province in PROVINCES}
    rules["development"] = {"treasure": 30}
    assert load_board(rules).development == {"treasure": 30}


def test_the_stand_in_follows_the_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(STAND_IN, SCHEMA)


WRONG_FORM = [
    (["hexes"], ..., "board: it lacks hexes"),
    (["colour"], "red", "board: unknown key 'colour'; the keys are hexes, crossroads, edges, "),
    (["format"], "struggle-board/2", "format: 'struggle-board/2' is not 'struggle-board/1'"),
    (["note"], 3, "note: 3 is not a text"),
    (["hexes"], {}, "hexes: a list is needed, not {}"),
    (["hexes"], [], f"hexes: 1 to {MOST_HEXES} are needed, not 0"),
    (["hexes", 12], None, "hexes[12]: an object with the keys id, q, r, terrain, number, province is needed, not null"),
    (["hexes", 12, "q"], ..., "hexes[12]: it lacks q"),
    (["hexes", 12, "colour"], 1, "hexes[12]: unknown key 'colour'"),
    (["hexes", 12, "q"], 2.5, "hexes[12].q: 2.5 is not an integer"),
    (["hexes", 12, "terrain"], "sea", "hexes[12].terrain: 'sea' is none of field, mountain, pasture, forest"),
    (["hexes", 12, "terrain"], ["field"], "hexes[12].terrain: ['field'] is none of"),
    (["hexes", 12, "number"], 7, "hexes[12].number: 7 is not 2 to 12 without 7"),
    (["hexes", 12, "number"], True, "hexes[12].number: true is not 2 to 12"),
    (["hexes", 12, "number"], None, "hexes[12].number: null is not 2 to 12"),
    (["hexes", 10, "number"], 4, "hexes[10].number: 4 is not null, as that of a forest is"),
    (
        ["hexes", 12, "province"],
        "britannia",
        "hexes[12].province: 'britannia' is none of germania, gallia, hispania, italia_superus, italia_inferus, limes",
    ),
    (["crossroads", 5, "x"], "12", "crossroads[5].x: '12' is not an integer"),
    (["crossroads", 5, "hexes"], [], "crossroads[5].hexes: [] is not a list of one to three different hexes"),
    (["crossroads", 5, "hexes"], [1, 1], "crossroads[5].hexes: [1, 1] is not a list of one to three different hexes"),
    (["edges", 3], [0, 1], "edges[3]: [0, 1] is not [crossroads, crossroads, kind]"),
    (["edges", 3, 2], "river", "edges[3][2]: 'river' is none of road, land, sea"),
    (["cities"], lambda cities: cities[:-1], "cities: 40 are needed, not 39"),
    (["cities", 3, "name"], "", "cities[3].name: '' is not a name of 1 to 40 letters"),
    (["cities", 3, "province"], "limes", "cities[3].province: 'limes' is none of"),
    (["cities", 3, "towers"], 6, "cities[3].towers: 6 is not an integer from 2 to 5"),
    (["cities", 3, "towers"], True, "cities[3].towers: true is not an integer"),
    (["cities", 3, "three"], 1, "cities[3].three: 1 is neither true nor false"),
    (["starts"], lambda starts: starts[:3], "starts: 4 pairs are needed, not 3"),
    (["starts", 1], [11], "starts[1]: [11] is not a pair"),
    (["legion"], "41", "legion: '41' is not the id of a hex"),
    (["counters", "gallia"], ..., "counters: it lacks gallia"),
    (["counters", "gallia", "gold"], 0, "counters.gallia.gold: 0 is not an integer from 1 to 8"),
    (["counters", "gallia", "silver"], 1, "counters.gallia: 'silver' is none of gold, gold_loss, "),
    (["development", "spy"], 1, "development: 'spy' is none of diplomacy, traitor"),
    (["development"], [30], "development: {name: copies} is needed, not [30]"),
]
WRONG_COUNTS_AND_MAPS = [
    (["hexes", 12, "id"], 13, "hexes[12].id: 13 is not 12; ids are 0, 1, ... in order"),
    (["hexes", 12, "q"], 5, "hexes[12]: hexes[11] has the same q and r, 5 and 2"),
    (["hexes", 54, "q"], 9, "crossroads[152].hexes: x, y = 17, 31 is not a corner of hex 54"),
    (["hexes"], lambda hexes: hexes * 10, f"hexes: 1 to {MOST_HEXES} are needed, not 550"),
    (["crossroads", 5, "id"], 4, "crossroads[5].id: 4 is not 5"),
    (["crossroads", 5, "x"], 14, "crossroads[5].hexes: x, y = 14, -1 is not a corner of hex 1"),
    (["crossroads", 5, "hexes"], [1], "crossroads[5].hexes: it lacks hex 2, which has a corner at 15, -1"),
    (["crossroads", 5, "hexes"], [1, 55], "crossroads[5].hexes[1]: 55 is not the id of a hex, 0 to 54"),
    (["crossroads", 2], {"id": 2, "x": 14, "y": -2, "hexes": [1]}, "crossroads[2]: crossroads[1] has the same x and y"),
    (["crossroads"], lambda all_: all_[:-1], "edges[209][1]: 157 is not the id of a crossroads, 0 to 156"),
    (["edges", 3], [9, 5, "road"], "edges[3]: 9 is not less than 5"),
    (["edges", 3], [5, 5, "road"], "edges[3]: 5 is not less than 5"),
    (["edges", 3], [0, 158, "road"], "edges[3][1]: 158 is not the id of a crossroads, 0 to 157"),
    (["edges", 3], [0, 20, "road"], "edges[3]: 0 and 20 are not the ends of a side of a hex, and its kind is road"),
    (["edges", 3], [0, 20, "sea"], "edges[3]: a sea edge connects coasts, and crossroads 20 is inland"),
    (["edges", 0, 2], "sea", "edges[0]: 0 and 3 are the ends of a side of a hex, and its kind is sea"),
    (["edges", 219], [0, 4, "land"], "edges[219]: edges[1] connects 0 and 4, too"),
    (["cities", 3, "name"], "roma", "cities[32].name: cities[3] is named 'roma', too"),
    (["cities", 3, "name"], " roma", "cities[3].name: ' roma' has a space at its start or end"),
    (["cities", 3, "crossroads"], 27, "cities[3].crossroads: cities[1] is at crossroads 27, too"),
    (["cities", 3, "crossroads"], 158, "cities[3].crossroads: 158 is not the id of a crossroads, 0 to 157"),
    (["cities", 3, "province"], "gallia", "cities: 8 in germania are needed, not 7"),
    (["cities", 3, "three"], True, "cities: 2 in germania are marked III (three), not 3"),
    (["starts", 1], [11, 31], "starts[1][1]: starts[0][0] is at crossroads 31, too"),
    (["starts", 1], [11, 115], "starts[1][1]: cities[32] is at crossroads 115, too"),
    (["starts", 1], [11, 158], "starts[1][1]: 158 is not the id of a crossroads, 0 to 157"),
    (["legion"], 42, "legion: hex 42 is a field of hispania, not a forest of hispania"),
    (["legion"], 10, "legion: hex 10 is a forest of germania, not a forest of hispania"),
    (["legion"], 55, "legion: 55 is not the id of a hex, 0 to 54"),
    (["counters", "gallia", "gold"], 3, "counters.gallia: 8 copies are needed, not 9"),
    (["development", "culture"], 5, "development: 30 copies are needed, not 31"),
]


def refusal_of(board):
    """The error that a board is refused with, or None."""
    try:
        load_board(board)
    except ValueError as error:
        return str(error)
    return None


def test_1_3_a_board_that_breaks_the_form_is_refused():
    refused = [(said, refusal_of(changed(path, value))) for path, value, said in (*WRONG_FORM, *WRONG_COUNTS_AND_MAPS)]
    assert [(said, told) for said, told in refused if told is None or not told.startswith(said)] == []
    for _, told in refused:
        assert "\n" not in told and told.endswith("(STRUGGLE 1.3)") and len(told) < 400


def test_the_schema_refuses_what_it_can_say():
    schema = jsonschema.Draft202012Validator(SCHEMA)
    assert [said for path, value, said in WRONG_FORM if schema.is_valid(changed(path, value))] == []


def test_1_3_a_corner_of_every_hex_is_listed():
    """The last crossroads is a corner of the last hex alone; without it and its edges that corner is missing."""
    board = changed(["crossroads"], lambda all_: all_[:-1])
    board["edges"] = [edge for edge in board["edges"] if edge[1] != 157]
    with pytest.raises(ValueError, match=r"^crossroads: the corner at 17, 35 of hex 54 is missing"):
        load_board(board)


def test_1_3_a_city_that_no_start_can_reach():
    """Without ship lines nobody comes to the island."""
    board = changed(["edges"], lambda edges: [edge for edge in edges if edge[2] != "sea"])
    with pytest.raises(ValueError, match=r"^cities\[39\]: no start can reach syracusae at crossroads 156 along edges"):
        load_board(board)
    board["edges"].append([147, 152, "sea"])
    assert len(load_board(board).edges) == 212


def test_what_is_no_board():
    for data in (3, [], True):
        assert refusal_of(data).startswith("board: an obj")
    for data in ("nowhere/board.json", Path("nowhere")):
        assert re.match("the board file nowhere.* cannot be read: No such file", refusal_of(data))


TEXT = json.dumps(STAND_IN)


def test_a_broken_file_is_one_clear_error(tmp_path):
    file = tmp_path / "mine.json"
    for content, said in (
        (TEXT[:9000].encode(), "is not whole JSON: "),
        (b"", "is not whole JSON: Expecting value"),
        (b'{"legion": 1, "legion": 2}', "is not whole JSON: it gives the name 'legion' twice"),
        (b"\xff\xfe", "is not whole JSON: .*utf-8"),
        (b"[" * 100_000, "is not whole JSON: it is nested too deeply"),
        (TEXT.replace('"legion": 41', '"legion": 42').encode(), "is refused: legion: hex 42 is a field of hispania"),
        (b"[]", "is refused: board: an object with the keys"),
    ):
        file.write_bytes(content)
        told = refusal_of(file)
        assert re.match(f"the board file {re.escape(str(file))} {said}", told) and "\n" not in told, said
    assert "cannot be read: Is a directory" in refusal_of(tmp_path)


PAGE = (ROOT / "docs" / "environments" / "struggle_board.md").read_text(encoding="utf-8")
SCRIPTS = [textwrap.dedent(text) for text in re.findall(r"^ *```python\n(.*?)^ *```", PAGE, re.DOTALL | re.MULTILINE)]


def test_the_python_of_the_page_about_the_board_runs(capsys):
    playing, making = SCRIPTS
    exec(compile(playing, "docs/environments/struggle_board.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out == "stand-in 55 158 40 True\n"
    names = {"__name__": "page"}
    exec(compile(making, "docs/environments/struggle_board.md", "exec"), names)
    # Two hexes side by side are the second and third of the stand-in's; the rest of a board is added by hand.
    made = json.loads(names["text"])
    assert (len(made["crossroads"]), len(made["edges"])) == (10, 11)
    assert made["crossroads"][0] == {"id": 0, "x": 12, "y": -2, "hexes": [0]}
    assert all(a < b and kind == "road" for a, b, kind in made["edges"])


def test_the_page_makes_the_map_of_the_stand_in():
    """What the page's script makes of the hexes of the stand-in is the stand-in's map without arrows."""
    keys = ("q", "r", "terrain", "number", "province")
    rows = [tuple(one[key] for key in keys) for one in STAND_IN["hexes"]]
    script = re.sub(r"rows = \[.*?\n\]", f"rows = {rows!r}", SCRIPTS[1], flags=re.DOTALL)
    names = {"__name__": "page"}
    exec(compile(script, "docs/environments/struggle_board.md", "exec"), names)
    made = json.loads(names["text"])
    assert made["hexes"] == STAND_IN["hexes"] and made["crossroads"] == STAND_IN["crossroads"]
    sides = sorted(edge[:2] for edge in STAND_IN["edges"] if edge[2] != "sea")
    assert [edge[:2] for edge in made["edges"]] == sides
