"""The names of the players for a reader at a terminal: "you" or the agent's name, each with a mark and a colour."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rich.text import Text

COLOURS = ("yellow", "green", "magenta", "red")
"""The colours by seat. Each seat also has a mark, so that seats differ in more than colour."""
MARKS = ("\u25cf", "\u25a0", "\u25b2", "\u25c6")
"""The marks by seat: a circle, a square, a triangle, a lozenge."""
LETTERS = ("A", "B", "C", "D")
"""The marks by seat on terminals that show only ASCII."""
YOU = "you"

_ENDING_IN_S = """
    accepts activates begins builds buys captures changes charms chooses decides declines discards draws ends gets
    gives keeps lacks lays leaves looks loses moves offers pays picks places plays puts sees sets takes throws uses wins
"""
_IRREGULAR = {"is": "are", "was": "were", "has": "have", "always": "always"}
_VERBS = {**_IRREGULAR, "does": "do", **{verb: verb[:-1] for verb in _ENDING_IN_S.split()}}
"""The second-person forms of the verbs in stories, by third-person form."""
_SECOND_VERB = re.compile(rf"\band ({'|'.join(_VERBS)})\b")


class SeatNames:
    """The names of the players as shown to one reader.

    Args:
        names: the name to show for each seat, such as the agent's, by the game's name of the seat; no two are equal.
        reader: the seat that is addressed as "you"; None for no seat.
        ascii_only: whether marks are letters, for terminals that show only ASCII.
    """

    def __init__(self, names: Mapping[str, str], reader: str | None = None, ascii_only: bool = False):
        self._names = {seat: YOU if seat == reader else name for seat, name in names.items()}
        self.reader = reader
        self._marks, self.dot = (LETTERS, ".") if ascii_only else (MARKS, "\u00b7")
        seats = "|".join(map(re.escape, self._names))
        # A word followed by a colon and more text is the name of an action, not a verb.
        self._seats = re.compile(rf"\b({seats})\b('s)?(?: (?!{seats})(\w+)\b(?!:\S))?")
        shown = sorted({*self._names.values(), "your", "You", "Your"}, key=len, reverse=True)
        self._shown = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, shown))})(?!\w)")
        self._style_of = {name: self.style(seat) for seat, name in self._names.items()}

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats by the game's own names, such as ``player_0``."""
        return tuple(self._names)

    def name(self, seat: str) -> str:
        """Return the name shown for a seat."""
        return self._names[seat]

    def whose(self, seat: str) -> str:
        """Return the possessive of a seat's name: ``your`` or ``greedy's``."""
        return "your" if seat == self.reader else f"{self._names[seat]}'s"

    def style(self, seat: str) -> str:
        """Return the style of a seat's name for the library rich, such as ``bold yellow``."""
        return f"bold {COLOURS[list(self._names).index(seat) % len(COLOURS)]}"

    def mark(self, seat: str) -> str:
        """Return the mark of a seat, a single character."""
        return self._marks[list(self._names).index(seat) % len(self._marks)]

    def label(self, seat: str) -> Text:
        """Return the mark and the name of a seat in its style."""
        return Text(f"{self.mark(seat)} {self._names[seat]}", self.style(seat))

    def in_words(self, line: str) -> str:
        """Return a line of a story with seats replaced by the names shown, and with verbs that agree with "you"."""
        told = self._seats.sub(self._renamed, line)
        indent = len(told) - len(told.lstrip())
        if told[indent:].startswith(f"{YOU} "):
            told = _SECOND_VERB.sub(lambda found: f"and {_VERBS[found[1]]}", told)
        if told[indent:].startswith(YOU):
            told = told[:indent] + told[indent].upper() + told[indent + 1 :]
        return told

    def painted(self, line: str) -> Text:
        """Return a line that `in_words` returned, with each name in the colour of its seat."""
        text = Text(line)
        for found in self._shown.finditer(line):
            style = self._style_of.get(found[0]) or (self.style(self.reader) if self.reader else "")
            text.stylize(style, found.start(), found.end())
        return text

    def _renamed(self, found: re.Match[str]) -> str:
        seat, possessive, word = found.groups()
        if seat != self.reader:
            return found[0].replace(seat, self._names[seat], 1)
        if possessive:
            return f"your {word}" if word else "your"
        # A seat at the start of a line is its subject. Its verb may be unknown if the game is not part of this package.
        is_subject = not found.string[: found.start()].strip()
        return f"{YOU} {_VERBS.get(word) or (_second_person(word) if is_subject else word)}" if word else YOU


def _second_person(verb: str) -> str:
    """Return the second person of a verb such as ``raises``; a word that is not such a verb is returned unchanged."""
    if not re.fullmatch("[a-z]+[^s]s", verb):
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    return verb[: -2 if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else -1]


def short_names(specs: Sequence[str]) -> list[str]:
    """Return short, different names of agents for a table, such as ``greedy``, ``flat-mc`` and ``flat-mc #2``."""
    names: list[str] = []
    for spec in specs:
        name = _short(spec)
        number = 1 + sum(other == name or other.startswith(f"{name} #") for other in names)
        names.append(name if number == 1 else f"{name} #{number}")
    return names


def _short(spec: str) -> str:
    name, _, rest = spec.partition(":")
    if name.endswith(".py"):
        name = rest.partition(":")[0]
    elif name == "policy" and rest:
        name = rest.partition(",")[0].rpartition("=")[2]
    name = name.replace("\\", "/").rpartition("/")[2][:24]
    return f"{name} (agent)" if name.lower() in ("you", "your") else name
