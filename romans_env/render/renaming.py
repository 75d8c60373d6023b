"""Replacing the names of a game's cards and places in texts by invented names, and back.

With invented names, a reader who knows the published game does not recognise it, and the texts lose no information.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable

_VOWELS, _CONSONANTS = "aeiou", "bdfgklmnprstvz"
_SHORTEST = 5
"""The smallest number of letters in an invented word; most shorter words have a meaning already."""
_ENDINGS = "s|man|men"
"""Endings that may follow a name within a word and are kept, as in ``two forums`` or ``a horseman``."""
_LETTER = r"[^\W\d_]"
_BETWEEN = re.compile(r"([\s_-]+)")
"""Separators between the words of a name, which are kept, as in ``great_warrior`` or ``Carthago Nova``."""


class Renaming:
    """Replaces names in texts by invented ones, and reverses it.

    An invented word can be pronounced, begins with a vowel if the original word does (so that ``an`` stays right), has
    at least as many letters, and keeps the capitals. No invented word is a prefix of another invented word. A word
    depends only on the seed and the original word, unless the first word invented for it clashes with a word of the
    game or another invention.

    Args:
        names: the names in all spellings, such as ``("Dru'hid", "druhid")``; words with the same letters
            count as one word. The lower-case spelling and the one with a capital first letter are added.
        avoided: words that must not be invented.
        seed: the seed of the invented names.

    Raises:
        ValueError: if a name has no letter, or if two names differ only in characters that are not letters.
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
                raise ValueError(f"a name to be replaced must contain a letter, not {name!r}")
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
        """Return a text with all names replaced by invented ones."""
        return self._names.sub(lambda found: self._hidden[found[0]], text)

    def restore(self, text: str) -> str:
        """Return a text with all invented names replaced by the originals; the inverse of `hide`."""
        return self._inventions.sub(lambda found: self._shown[found[0]], text)


def _pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds names as whole words and prefers longer names; without names it finds nothing."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    found = "|".join(longest_first) or r"(?!)"
    return re.compile(rf"(?<!{_LETTER})(?:{found})(?=(?:{_ENDINGS})?(?!{_LETTER}))")


def _letters_of(word: str) -> str:
    return "".join(filter(str.isalpha, word.lower()))


def _spelled(name: str, invented: dict[str, str]) -> str:
    """Return a name with each word replaced by its invented word, in the same capitals."""
    parts = _BETWEEN.split(name)
    for k in range(0, len(parts), 2):
        word = invented.get(_letters_of(parts[k]), parts[k])
        is_title = parts[k][:1].isupper()
        parts[k] = word.upper() if parts[k].isupper() and len(parts[k]) > 1 else word.title() if is_title else word
    return "".join(parts)


def _word(letters: str, avoided: Collection[str], taken: Iterable[str], seed: int) -> str:
    """Invent a word to replace the word with the given letters, of the same length or `_SHORTEST` if that is more."""
    kinds = (_VOWELS, _CONSONANTS) if letters[0] in _VOWELS else (_CONSONANTS, _VOWELS)
    length, number = max(_SHORTEST, len(letters)), 0
    while True:
        drawn = hashlib.shake_256(f"{seed}:{letters}:{number}".encode()).digest(length)
        word = "".join(kinds[k % 2][byte % len(kinds[k % 2])] for k, byte in enumerate(drawn))
        clashes = any(word.startswith(other) or other.startswith(word) for other in taken)
        if word not in avoided and not clashes:
            return word
        number += 1
