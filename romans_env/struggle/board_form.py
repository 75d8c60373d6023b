"""The form of a board file (STRUGGLE 1.3): keys, types, names and counts of the entries.

An error is one line that begins with the entry: ``hexes[12].number: 7 is not 2 to 12 without 7``. Whether the entries
fit each other is checked by `romans_env.struggle.board_map`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from romans_env.errors import is_control_character, is_integer, shortened

FORMAT = "struggle-board/1"
PROVINCES = ("germania", "gallia", "hispania", "italia_superus", "italia_inferus")
LIMES = "limes"
TERRAINS = ("field", "mountain", "pasture", "forest")
NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
EDGE_KINDS = ("road", "land", "sea")
COUNTERS = tuple(f"{gain}{loss}" for gain in ("gold", "pasture", "card", "none") for loss in ("", "_loss"))
DEVELOPMENT = ("diplomacy", "traitor", "treasure", "great_warrior", "culture")

NUM_CITIES, CITIES_OF_PROVINCE, THREES_OF_PROVINCE = 40, 8, 2
COUNTERS_OF_PROVINCE, NUM_DEVELOPMENT = 8, 30
NUM_STARTS = 4
MOST_HEXES = 500
_MOST_COORDINATE = 1000
_LONGEST_NAME = 40

_KEYS = ("hexes", "crossroads", "edges", "cities", "starts", "legion", "counters", "development")
_NOTES = ("format", "name", "note")
"""Optional keys, for human readers."""


class BoardError(ValueError):
    """A board that does not have the form of STRUGGLE 1.3; the message names the entry."""


def wrong(entry: str, what: str) -> BoardError:
    """Return an error about an entry of the board file."""
    return BoardError(f"{entry}: {what} (STRUGGLE 1.3)")


def check_form(data: Any) -> None:
    """Check each entry of a board by itself, and the counts.

    Args:
        data: the parsed JSON.

    Raises:
        BoardError: if an entry is wrong; the message names it.
    """
    if not isinstance(data, dict):
        raise wrong("board", f"an object with the keys {', '.join(_KEYS)} is needed, not {shortened(data)}")
    _check_keys("board", data, _KEYS, _NOTES)
    if data.get("format", FORMAT) != FORMAT:
        raise wrong("format", f"{shortened(data['format'])} is not {FORMAT!r}")
    for key in ("name", "note"):
        if not isinstance(data.get(key, ""), str):
            raise wrong(key, f"{shortened(data[key])} is not a text")
    _check_hexes(_checked_list("hexes", data["hexes"]))
    _check_crossroads(_checked_list("crossroads", data["crossroads"]), len(data["hexes"]))
    num_crossroads = len(data["crossroads"])
    for number, row in enumerate(_checked_list("edges", data["edges"])):
        _check_edge(f"edges[{number}]", row, num_crossroads)
    _check_cities(_checked_list("cities", data["cities"]), num_crossroads)
    starts = _checked_list("starts", data["starts"])
    if len(starts) != NUM_STARTS:
        raise wrong("starts", f"{NUM_STARTS} pairs are needed, not {len(starts)}")
    for number, pair in enumerate(starts):
        entry = f"starts[{number}]"
        if len(_checked_list(entry, pair)) != 2:
            raise wrong(entry, f"{shortened(pair)} is not a pair [crossroads of the horseman, of the warrior]")
        for place, crossroads in enumerate(pair):
            _check_id(f"{entry}[{place}]", crossroads, num_crossroads, "crossroads")
    _check_id("legion", data["legion"], len(data["hexes"]), "hex")
    _check_cards(data)


def _check_hexes(hexes: Sequence[Any]) -> None:
    if not 1 <= len(hexes) <= MOST_HEXES:
        raise wrong("hexes", f"1 to {MOST_HEXES} are needed, not {len(hexes)}")
    for number, one in enumerate(hexes):
        entry = f"hexes[{number}]"
        _check_object(entry, one, ("id", "q", "r", "terrain", "number", "province"))
        _check_place_in_order(entry, one["id"], number)
        for key in ("q", "r"):
            _check_integer(f"{entry}.{key}", one[key], -_MOST_COORDINATE, _MOST_COORDINATE)
        _check_name(f"{entry}.terrain", one["terrain"], TERRAINS)
        _check_name(f"{entry}.province", one["province"], (*PROVINCES, LIMES))
        value, is_forest = one["number"], one["terrain"] == "forest"
        if is_forest and value is not None:
            raise wrong(f"{entry}.number", f"{shortened(value)} is not null, as that of a forest is")
        if not is_forest and not (is_integer(value) and value in NUMBERS):
            raise wrong(f"{entry}.number", f"{_shown(value)} is not 2 to 12 without 7")


def _check_crossroads(crossroads: Sequence[Any], num_hexes: int) -> None:
    for number, one in enumerate(crossroads):
        entry = f"crossroads[{number}]"
        _check_object(entry, one, ("id", "x", "y", "hexes"))
        _check_place_in_order(entry, one["id"], number)
        for key in ("x", "y"):
            if not is_integer(one[key]):
                raise wrong(f"{entry}.{key}", f"{_shown(one[key])} is not an integer")
        touched = _checked_list(f"{entry}.hexes", one["hexes"])
        for place, touching in enumerate(touched):
            _check_id(f"{entry}.hexes[{place}]", touching, num_hexes, "hex")
        if not touched or len(set(touched)) < len(touched):
            raise wrong(f"{entry}.hexes", f"{shortened(touched)} is not a list of one to three different hexes")


def _check_edge(entry: str, row: Any, num_crossroads: int) -> None:
    if len(_checked_list(entry, row)) != 3:
        raise wrong(entry, f"{shortened(row)} is not [crossroads, crossroads, kind]")
    for place in (0, 1):
        _check_id(f"{entry}[{place}]", row[place], num_crossroads, "crossroads")
    _check_name(f"{entry}[2]", row[2], EDGE_KINDS)
    if row[0] >= row[1]:
        raise wrong(entry, f"{row[0]} is not less than {row[1]}")


def _check_cities(cities: Sequence[Any], num_crossroads: int) -> None:
    if len(cities) != NUM_CITIES:
        raise wrong("cities", f"{NUM_CITIES} are needed, not {len(cities)}")
    names: dict[str, int] = {}
    for number, one in enumerate(cities):
        entry = f"cities[{number}]"
        _check_object(entry, one, ("name", "crossroads", "province", "towers", "three"))
        name = one["name"]
        if not isinstance(name, str) or not 1 <= len(name) <= _LONGEST_NAME or any(map(is_control_character, name)):
            raise wrong(f"{entry}.name", f"{_shown(name)} is not a name of 1 to {_LONGEST_NAME} letters")
        if name != name.strip():
            raise wrong(f"{entry}.name", f"{_shown(name)} has a space at its start or end")
        if names.setdefault(name, number) != number:
            raise wrong(f"{entry}.name", f"cities[{names[name]}] is named {name!r}, too")
        _check_id(f"{entry}.crossroads", one["crossroads"], num_crossroads, "crossroads")
        _check_name(f"{entry}.province", one["province"], PROVINCES)
        _check_integer(f"{entry}.towers", one["towers"], 2, 5)
        if not isinstance(one["three"], bool):
            raise wrong(f"{entry}.three", f"{_shown(one['three'])} is neither true nor false")
    num_in, threes_in = Counter(one["province"] for one in cities), Counter(c["province"] for c in cities if c["three"])
    for province in PROVINCES:
        if num_in[province] != CITIES_OF_PROVINCE:
            raise wrong("cities", f"{CITIES_OF_PROVINCE} in {province} are needed, not {num_in[province]}")
        if threes_in[province] != THREES_OF_PROVINCE:
            raise wrong(
                "cities", f"{THREES_OF_PROVINCE} in {province} are marked III (three), not {threes_in[province]}"
            )


def _check_cards(data: Mapping[str, Any]) -> None:
    counters = data["counters"]
    _check_object("counters", counters, PROVINCES)
    for province in PROVINCES:
        _check_copies(f"counters.{province}", counters[province], COUNTERS, COUNTERS_OF_PROVINCE)
    _check_copies("development", data["development"], DEVELOPMENT, NUM_DEVELOPMENT)


def _check_copies(entry: str, counts: Any, names: Sequence[str], total: int) -> None:
    if not isinstance(counts, dict):
        raise wrong(entry, f"{{name: copies}} is needed, not {_shown(counts)}")
    for name, copies in counts.items():
        _check_name(entry, name, names)
        _check_integer(f"{entry}.{name}", copies, 1, total)
    if sum(counts.values()) != total:
        raise wrong(entry, f"{total} copies are needed, not {sum(counts.values())}")


# -- checks that several entries share


def _check_object(entry: str, value: Any, keys: Sequence[str]) -> None:
    if not isinstance(value, dict):
        raise wrong(entry, f"an object with the keys {', '.join(keys)} is needed, not {_shown(value)}")
    _check_keys(entry, value, keys)


def _check_keys(entry: str, value: Mapping[Any, Any], keys: Sequence[str], optional: Sequence[str] = ()) -> None:
    missing = [key for key in keys if key not in value]
    if missing:
        raise wrong(entry, f"it lacks {', '.join(missing)}")
    unknown = [key for key in value if key not in keys and key not in optional]
    if unknown:
        raise wrong(entry, f"unknown key {shortened(unknown[0])}; the keys are {', '.join((*keys, *optional))}")


def _checked_list(entry: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise wrong(entry, f"a list is needed, not {_shown(value)}")
    return value


def _check_place_in_order(entry: str, value: Any, number: int) -> None:
    if not is_integer(value) or value != number:
        raise wrong(f"{entry}.id", f"{_shown(value)} is not {number}; ids are 0, 1, ... in order")


def _check_id(entry: str, value: Any, number: int, what: str) -> None:
    if not is_integer(value) or not 0 <= value < number:
        raise wrong(entry, f"{_shown(value)} is not the id of a {what}, 0 to {number - 1}")


def _check_integer(entry: str, value: Any, low: int, high: int) -> None:
    if not is_integer(value) or not low <= value <= high:
        raise wrong(entry, f"{_shown(value)} is not an integer from {low} to {high}")


def _check_name(entry: str, value: Any, names: Sequence[str]) -> None:
    if not isinstance(value, str) or value not in names:
        raise wrong(entry, f"{_shown(value)} is none of {', '.join(names)}")


def _shown(value: Any) -> str:
    """Return a value as an error message quotes it: ``null``, ``true`` and ``false`` as in JSON."""
    return json.dumps(value) if value is None or isinstance(value, bool) else shortened(value)
