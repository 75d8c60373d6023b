"""Write the golden transcripts of Struggle for Rome again: ``python -m tests.struggle.golden.regenerate``.

Do so after a change that is meant to alter how a game goes, and read the difference before committing it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from romans_env import Game
from tests.struggle.stages import legal_names, new_game, played, rules_of

FOLDER = Path(__file__).parent
GAMES: dict[int, dict[str, Any]] = {
    23: {"num_players": 3, "max_rounds": 6},
    75: {"num_players": 4, "max_rounds": 4, "max_offers": 1},
    90: {"num_players": 4, "max_rounds": 5, "player_trade": False},
}
"""Settings of each golden game, by its seed."""
_MANY = 12
"""Legal actions of a kind that are listed; of more, their number."""


def path_of(seed: int) -> Path:
    return FOLDER / f"game-{seed}.txt"


def golden_text(seed: int) -> str:
    """What the file of a golden game must hold."""
    return transcript(played(new_game(seed, **GAMES[seed]), seed))


def transcript(game: Game) -> str:
    """A whole game: its outcomes, and every decision with the position, what was legal and what was played."""
    setup = game.rules.setup.as_json()
    again = Game.of_deal(rules_of(**setup), game.deal())
    lines = [f"# table {json.dumps(setup)}", f"# outcomes {json.dumps(game.deal()['outcomes'])}", ""]
    for _, action in game.actions:
        lines += [*shown(again.position()), f"  legal: {listed_actions(legal_names(again))}", f"  > {action}", ""]
        again.act(action)
    points = " ".join(f"{player} {points}" for player, points in game.points().items())
    return "\n".join([*lines, *shown(game.position()), f"  points: {points}; {' and '.join(game.winners())} won", ""])


def listed_actions(names: list[str]) -> str:
    kinds = dict.fromkeys(name.partition(":")[0] for name in names)
    of_kind = {kind: [name for name in names if name.partition(":")[0] == kind] for kind in kinds}
    return " ".join(
        f"{kind} x{len(found)}" if len(found) > _MANY else " ".join(found) for kind, found in of_kind.items()
    )


def shown(position: dict[str, Any]) -> list[str]:
    """A position in a few lines."""
    decision = position["decision"]
    head = f"round {position['round']}, phase {position['phase']}, {position['active']}"
    if decision:
        head += f": {decision['agent']} decides {decision['kind']}"
        head += "".join(f", {key} {decision[key]}" for key in ("offer", "target") if decision[key] is not None)
    flags = [key for key in ("final", "moved", "card_played") if position[key]]
    table = f"  markers {position['markers']}, legion {position['legion']}, bank: {listed(position['bank'])}"
    table += f", pile: {listed(position['pasture_pile'])}, discard: {listed(position['pasture_discard'])}"
    table += f", deck {position['development_size']}" + "".join(f", {flag}" for flag in flags)
    table += f", offers {position['offers']}" if position["offers"] else ""
    owned = {city: of for city, of in position["cities"].items() if of["tribe"]}
    cities = " ".join(f"{city}={of['owner'][-1]}{of['tribe'][0]}" for city, of in owned.items())
    plundered = [city for city, of in position["cities"].items() if not of["counter"] and of["owner"] is None]
    lines = [head, table]
    if owned or plundered:
        lines.append(f"  owned: {cities or 'none'}; plundered: {' '.join(plundered) or 'none'}")
    return [*lines, *(seat_line(player, one) for player, one in position["players"].items())]


def seat_line(player: str, one: dict[str, Any]) -> str:
    line = f"  {player}: {one['points']} points, {one['gold']} gold, {listed(one['hand'])}"
    line += f", cards: {listed(one['development'])}, played: {listed(one['played'])}"
    for name, tribe in one["tribes"].items():
        where = f"{'kingdom ' if tribe['kingdom'] else ''}{tribe['at']}"
        box = f"{tribe['army']}A {tribe['wagons']}W {listed(tribe['counters'])}"
        line += f"; {name} {where} [{box}]"
    return line + (", substituted" if one["substituted"] else "")


def listed(counts: dict[str, int]) -> str:
    return " ".join(name if count == 1 else f"{name}*{count}" for name, count in counts.items()) or "none"


def main() -> None:
    for seed in GAMES:
        path_of(seed).write_text(golden_text(seed), encoding="utf-8", newline="\n")
        print(path_of(seed).name)


if __name__ == "__main__":
    main()
