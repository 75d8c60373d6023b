"""A review in sentences: the mistakes with their places, and the parts of choices and luck in the result."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from romans_agents.variates.luck import Luck
from romans_env import Game
from romans_env.render.text_interface import text_interface_of
from romans_training.compare.judged_decision import Decision, mistakes_in

EVEN_LUCK = 0.05
"""Luck of a whole game, as a share of the win, below which it counts as neither good nor bad."""
_HEAD = re.compile(r"== (\w[^:=]*\w)")
"""A line of a game's story that begins a part of the game, such as ``== Turn 3: player_0 ==``."""


def places_of(game: Game) -> list[str]:
    """Return for every action the part of the game that it belongs to, such as ``round 1``, or else its number."""
    tells = text_interface_of(game.rules.name).sentences
    if tells is None:
        return [f"action {number}" for number in range(1, len(game.actions) + 1)]
    places, place = list[str](), "the beginning"
    for events in game.events_by_action():
        for found in filter(None, map(_HEAD.match, tells(game, events, None))):
            place = found[1][0].lower() + found[1][1:]
        places.append(place)
    return places[: len(game.actions)]


def kind_of(decision: Decision) -> str:
    """Return the kind of a choice in a word; several actions together are a plan."""
    first, *more = decision.played
    return "plan" if more else first.partition(":")[0].replace("_", " ")


def cost_in_words(decision: Decision, place: str) -> str:
    """Return the place and cost of a mistake, such as ``round 1, charm: 24 % of the chance to win``."""
    return f"{place}, {kind_of(decision)}: {_in_percent(decision.loss)} of the chance to win"


def mistake_as_json(decision: Decision, place: str) -> dict[str, Any]:
    """Return a mistake as plain JSON: its place, its cost, and the better choice, in words and by action names.

    Returns:
        ``action`` (its index in the record), ``player``, ``line`` (`cost_in_words`), ``loss``, ``played`` and
        ``better`` (in words), ``share`` and ``better_share`` (expected win shares, from 0 to 1), ``better_actions``
        (names), and ``shares`` (a pair of action names and win share for each compared choice).
    """
    return {
        "action": decision.action,
        "player": decision.player,
        "line": cost_in_words(decision, place),
        "loss": decision.loss,
        "played": decision.words[decision.played],
        "better": decision.words[decision.best],
        "share": _from_0_to_1(decision.shares[decision.played]),
        "better_share": _from_0_to_1(decision.share),
        "better_actions": list(decision.best),
        "shares": [[list(choice), _from_0_to_1(share)] for choice, share in decision.shares.items()],
    }


def sentences_of(game: Game, decisions: Sequence[Decision], luck: Sequence[Luck] | None) -> list[str]:
    """Return a sentence about each reviewed player's choices, and one about each one's luck if it is known.

    Args:
        game: the game with its past.
        decisions: the judged choices of its players.
        luck: contributions of its chance events; None if unknown.
    """
    places, lines = places_of(game), list[str]()
    for seat, player in enumerate(game.players):
        own = [one for one in decisions if one.player == player]
        if own:
            result = _result_of(game, player)
            lines.append(_choices_in_words(player, result, own, places))
            if luck:
                lines.append(_luck_in_words(player, result, {one: one.shares[seat] for one in luck}))
    return lines


def _result_of(game: Game, player: str) -> str:
    winners = game.winners()
    return "lost" if player not in winners else "won" if len(winners) == 1 else "shared the win"


def _choices_in_words(player: str, result: str, own: Sequence[Decision], places: Sequence[str]) -> str:
    mistakes = mistakes_in(own)
    looked_at = f"in {len(own)} choice{'s' if len(own) > 1 else ''}"
    if not mistakes:
        return f"{player} {result} without a mistake {looked_at}."
    worst, how = mistakes[0], "with" if result == "lost" else "in spite of"
    where = f"({places[worst.action]}, {kind_of(worst)})"
    cost = f"cost {_in_percent(worst.loss)} of the chance to win"
    if len(mistakes) == 1:
        return f"{player} {result} {how} one mistake {looked_at}, which {cost} {where}."
    return f"{player} {result} {how} {len(mistakes)} mistakes {looked_at}; the worst {cost} {where}."


def _luck_in_words(player: str, result: str, luck: Mapping[Luck, float]) -> str:
    total = sum(luck.values())
    if abs(total) < EVEN_LUCK:
        return f"{player} had neither good nor bad luck."
    kind, sign = ("good", 1) if total > 0 else ("bad", -1)
    most = max(luck, key=lambda one: sign * luck[one])
    of_all = f"most of all with {most.event} ({'+' if sign > 0 else '-'}{_in_percent(abs(luck[most]))} to win)"
    if (result, kind) in (("won", "bad"), ("lost", "good")):
        return f"{player} {result} in spite of {kind} luck, {of_all}."
    return f"{player} had {kind} luck, {of_all}."


def _from_0_to_1(share: float) -> float:
    return min(1.0, max(0.0, share))


def _in_percent(share: float) -> str:
    return f"{round(100 * _from_0_to_1(share))} %"
