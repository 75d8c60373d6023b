"""Boards that are not the stand-in."""

from typing import Any

from romans_env.struggle import load_board


def small_board() -> dict[str, Any]:
    """The stand-in without a hex that no city and no start needs, hexes and crossroads numbered anew.

    So it has fewer actions, with other ids from 186 on, and shorter observations.
    """
    board = load_board().as_json()
    needed = {city["crossroads"] for city in board["cities"]} | {at for pair in board["starts"] for at in pair}
    needed |= {at for edge in board["edges"] if edge[2] == "sea" for at in edge[:2]}
    dropped = next(
        one["id"]
        for one in reversed(board["hexes"])
        if one["id"] != board["legion"]
        and not any(at["id"] in needed and at["hexes"] == [one["id"]] for at in board["crossroads"])
        and _is_connected_without(board, one["id"])
    )
    return without_hex(board, dropped)


def without_hex(board: dict[str, Any], dropped: int) -> dict[str, Any]:
    """The board without a hex, and without the crossroads that touch it alone."""
    gone = {at["id"] for at in board["crossroads"] if at["hexes"] == [dropped]}
    hexes = [one for one in board["hexes"] if one["id"] != dropped]
    hex_of = {one["id"]: place for place, one in enumerate(hexes)}
    crossroads = [at for at in board["crossroads"] if at["id"] not in gone]
    at_of = {at["id"]: place for place, at in enumerate(crossroads)}
    return {
        **board,
        "hexes": [one | {"id": hex_of[one["id"]]} for one in hexes],
        "crossroads": [
            at | {"id": at_of[at["id"]], "hexes": [hex_of[one] for one in at["hexes"] if one != dropped]}
            for at in crossroads
        ],
        "edges": [[at_of[a], at_of[b], kind] for a, b, kind in board["edges"] if a in at_of and b in at_of],
        "cities": [city | {"crossroads": at_of[city["crossroads"]]} for city in board["cities"]],
        "starts": [[at_of[at] for at in pair] for pair in board["starts"]],
        "legion": hex_of[board["legion"]],
    }


def _is_connected_without(board: dict[str, Any], dropped: int) -> bool:
    try:
        load_board(without_hex(board, dropped))
    except (ValueError, KeyError):
        return False
    return True


def board_with_a_ship_line_to_a_city() -> dict[str, Any]:
    """The stand-in with one more ship line, between the coast at a city and a coast elsewhere."""
    board = load_board().as_json()
    joined = {tuple(edge[:2]) for edge in board["edges"]}
    coasts = [at["id"] for at in board["crossroads"] if len(at["hexes"]) < 3]
    cities = {city["crossroads"] for city in board["cities"]}
    here = next(at for at in coasts if at in cities)
    there = next(at for at in reversed(coasts) if at not in cities and tuple(sorted((here, at))) not in joined)
    return {**board, "edges": [*board["edges"], [*sorted((here, there)), "sea"]]}
