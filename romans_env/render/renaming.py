"""Invented names in place of the names of a game's cards and places, in texts, and back again.

Who knows the published game from elsewhere recognises nothing; who reads the texts lacks nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable

_VOWELS, _CONSONANTS = "aeiou", "bdfgklmnprstvz"
_SHORTEST = 5
"""Letters of an invented word: most words with fewer mean something."""
_ENDINGS = "s|man|men"
"""What may follow a name within a word, and stays: ``two forums``, ``a horseman``."""
_LETTER = r"[^\W\d_]"
_BETWEEN = re.compile(r"([\s_-]+)")
"""What stands between the words of a name, and stays: ``great_warrior``, ``Carthago Nova``."""


class Renaming:
    """Replaces names in texts by invented ones, and takes that back.

    An invented word is pronounceable, begins with a vowel where the word does (so that ``an`` stays right), is no
    shorter, and keeps its capitals; no word is the beginning of another. It depends on the seed and the word alone,
    unless it had to be chosen again because it means something in the game.

    Args:
        names: the names in every spelling, such as ``("Dru'hid", "druhid")``: words of the same letters are one word.
            A name at the beginning of a sentence need not be listed.
        avoided: words that are not invented.
        seed: decides the invented names.

    Raises:
        ValueError: a name without a letter, or two that differ by their marks alone.
    """

    def __init__(self, names: Iterable[str], avoided: Collection[str] = (), seed: int = 0):
        names = list(dict.fromkeys(names))
        invented: dict[str, str] = {}
        for word in (word for name in names for word in _BETWEEN.split(name)[::2]):
            letters = _letters_of(word)
            if letters and letters not in invented:
                invented[letters] = _word(letters, {*avoided, *names}, list(invented.values()), seed)
        self._hidden: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        for name in names:
            if not _letters_of(name):
                raise ValueError(f"a name that is to be replaced has letters, not {name!r}")
            new = _spelled(name, invented)
            if self._shown.setdefault(new, name) != name:
                raise ValueError(f"the names {name!r} and {self._shown[new]!r} have the same letters and capitals")
            self._hidden[name] = new
        for name in names:
            for other in (name.lower(), name[0].upper() + name[1:]):
                new = _spelled(other, invented)
                if other not in self._hidden and new not in self._shown:
                    self._hidden[other], self._shown[new] = new, other
        self._names, self._inventions = _pattern(self._hidden), _pattern(self._shown)

    def hide(self, text: str) -> str:
        """Return a text with every name replaced."""
        return self._names.sub(lambda found: self._hidden[found[0]], text)

    def restore(self, text: str) -> str:
        """Return the text of which `hide` has made this one."""
        return self._inventions.sub(lambda found: self._shown[found[0]], text)


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds names as whole words, the longest first; without names, nothing."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    found = "|".join(longest_first) or r"(?!)"
    return re.compile(rf"(?<!{_LETTER})(?:{found})(?=(?:{_ENDINGS})?(?!{_LETTER}))")


def _letters_of(word: str) -> str:
    return "".join(filter(str.isalpha, word.lower()))


def _spelled(name: str, invented: dict[str, str]) -> str:
    """Return a name with its words replaced, capitals where it has them."""
    parts = _BETWEEN.split(name)
    for k in range(0, len(parts), 2):
        word = invented.get(_letters_of(parts[k]), parts[k])
        is_title = parts[k][:1].isupper()
        parts[k] = word.upper() if parts[k].isupper() and len(parts[k]) > 1 else word.title() if is_title else word
    return "".join(parts)


def _word(letters: str, avoided: Collection[str], taken: Iterable[str], seed: int) -> str:
    """Invent a word for the letters of another."""
    kinds = (_VOWELS, _CONSONANTS) if letters[0] in _VOWELS else (_CONSONANTS, _VOWELS)
    length, number = max(_SHORTEST, len(letters)), 0
    while True:
        drawn = hashlib.shake_256(f"{seed}:{letters}:{number}".encode()).digest(length)
        word = "".join(kinds[k % 2][byte % len(kinds[k % 2])] for k, byte in enumerate(drawn))
        clashes = any(word.startswith(other) or other.startswith(word) for other in taken)
        if word not in avoided and not clashes:
            return word
        number += 1
