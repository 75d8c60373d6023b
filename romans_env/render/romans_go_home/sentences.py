"""A game in words: what happened and why, one line per event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from romans_env.core.event import Event
from romans_env.core.game import Game
from romans_env.render.wording import Sentence, Sentences, entries

WARRIOR_TITLES = {
    "qween": "Qween",
    "druhid": "Dru'hid",
    "zvord": "Zvord",
    "axx": "Axx",
    "archr": "Arch'r",
    "filchy": "Filchy",
    "horsie": "Horsie",
    "chariott": "Ch'ariott",
}


_DOES = {
    "discard": "sets {} aside",
    "place": "places {}",
    "reorder": "puts {} next",
    "charm": "charms the {}",
    "take": "takes the fort of slot {}",
    "axx": "{}s Axx",
    "unwary": "{}s its weakest warrior",
    "lose": "discards {}",
    "give_up": "gives up {}",
}
"""The sentence for each kind of action."""
_CLANS_ON = {"+1": "next clan", "+2": "second clan on", "+3": "third clan on"}


def in_words(game: Game, events: Iterable[Event], viewer: str | None = None) -> list[str]:
    """Return a line for each event that the viewer may know of.

    The others' face-down cards are left out altogether: even the number of their decisions (RULES 4.14) would reveal
    who has two equal cards left.

    Args:
        game: the game that the events belong to.
        events: what happened, in order.
        viewer: the player who reads; None shows everything.
    """
    return [_SENTENCES.line(event, viewer) for event in events if viewer is None or event.private_to in (None, viewer)]


def _slots(wall: Sequence[str]) -> str:
    return "  ".join(f"{slot}:{fort}" for slot, fort in enumerate(wall, 1))


def _action(details: Mapping[str, Any]) -> str:
    kind, _, what = details["action"].partition(":")
    return f"  {details['clan']} {_DOES[kind].format({**WARRIOR_TITLES, **_CLANS_ON}.get(what, what))}"


def _totals(details: Mapping[str, Any]) -> str:
    parts = []
    for clan, total in details["totals"].items():
        warriors = "+".join(WARRIOR_TITLES[name] for name in details["face_up"][clan]) or "nobody"
        parts.append(f"{clan} does not fight" if total is None else f"{clan} {total} ({warriors})")
    line = "  totals: " + ", ".join(parts)
    if "charm" in details:
        charm = details["charm"]
        title = WARRIOR_TITLES[charm["warrior"]]
        line += f"; {charm['by']}'s Qween charms {charm['clan']}'s {title}, worth {charm['strength']}"
    return line


def _nobody(details: Mapping[str, Any]) -> str:
    level = details["level"]
    if not level:
        why = "nobody fights"
    elif details["archrs"]:
        why = f"{' and '.join(level)} are level, with {details['archrs']} Arch'rs"
    else:
        why = f"{' and '.join(level)} are level and none revealed Arch'r"
    return f"  nobody captures: {why}; {details['fort']} is discarded"


def _loses(details: Mapping[str, Any]) -> str:
    if details["why"] == "signal":
        return f"  {details['clan']} loses {WARRIOR_TITLES[details['warrior']]} to the Signal fort"
    lost = "her" if details["warrior"] == "horsie" else WARRIOR_TITLES[details["warrior"]]
    return f"  {details['clan']} captures nothing with Horsie and loses {lost}"


def _titles(names: Iterable[str]) -> str:
    return ", ".join(WARRIOR_TITLES[name] for name in names)


def _from_where(details: Mapping[str, Any]) -> str:
    return "" if details["slot"] == details["turn"] else f" from slot {details['slot']}, with Dru'hid"


_TABLE: dict[str, Sentence] = {
    "round": "== Round {round} == wall  {wall:slots}",
    "action": _action,
    "reveal": "Turn {turn}, for {fort}: {warriors:revealed}",
    "wrecked": "  the Ch'ariotts of {clans:listed} wreck each other",
    "totals": _totals,
    "nobody": _nobody,
    "capture": "  {clan} captures {fort}{:from_where}{by_archr:? (Arch'r wins the tie)}",
    "loses": _loses,
    "leaves": "  {clan} discards {gone:titles_or_nobody}{stay:kept}",
    "pays": "  {clan} gives up {fort} to the Tax-collector",
    "end": "== The end == {winners:listed} {winners:wins}{by_legion:? by three Legion forts}; points: {points:entries}",
}
_SENTENCES = Sentences(
    _TABLE,
    listed=" and ".join,
    slots=_slots,
    revealed=lambda warriors: entries({clan: WARRIOR_TITLES[warrior] for clan, warrior in warriors.items()}),
    from_where=_from_where,
    titles_or_nobody=lambda names: _titles(names) or "nobody",
    kept=lambda names: f" and keeps {_titles(names)}" if names else "",
)
