"""Write the golden transcripts of Struggle for Rome again: ``python -m tests.struggle.golden.regenerate``.

Do so after a change that is meant to alter how a game goes, and read the difference before committing it.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

from romans_env import Game
from tests.golden import listed, played_on, transcript_of, write_all
from tests.struggle.stages import legal_names, new_game, played

FOLDER = Path(__file__).parent
SETTINGS: dict[int, dict[str, Any]] = {
    23: {"num_players": 3, "max_rounds": 6},
    75: {"num_players": 4, "max_rounds": 4, "max_offers": 1},
    90: {"num_players": 4, "max_rounds": 5, "player_trade": False},
}
"""Settings of each golden game, by its seed."""
_MANY = 12
"""Legal actions of a kind that are listed; of more, their number."""


def transcript(game: Game) -> str:
    """A whole game, with its table and outcomes."""
    head = [f"# table {json.dumps(game.rules.setup.as_json())}", f"# outcomes {json.dumps(game.deal()['outcomes'])}"]
    return transcript_of(game, head, shown, lambda again: [listed_actions(legal_names(again))])


def played_again(text: str) -> Game:
    """The game of a transcript, from the text alone."""
    table, outcomes = (json.loads(line.split(maxsplit=2)[2]) for line in text.splitlines()[:2])
    return played_on(new_game(outcomes=outcomes, **table), text)


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


GAMES = {
    FOLDER / f"game-{seed}.txt": partial(lambda seed: transcript(played(new_game(seed, **SETTINGS[seed]), seed)), seed)
    for seed in SETTINGS
}
"""What the files must hold."""

if __name__ == "__main__":
    write_all(GAMES)
