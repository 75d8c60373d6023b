"""Functions that use what the drawings and words of the games use of Python, for `test_translating`."""

import math
import re
import textwrap
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import NamedTuple

WHOLE = 10.0
NUMBERS = (0, 1, -1, 7, 0.5, 1.5, 2.5, -2.5, 0.15, 1e-7, 123456.5, 1234567.0, 1 / 3)


class Card(NamedTuple):
    name: str
    cost: int = 2

    def dearer(self, by=1):
        return self._replace(cost=self.cost + by)


@dataclass(frozen=True)
class Hand:
    owner: str
    cards: list = field(default_factory=list)

    @property
    def size(self):
        return len(self.cards)

    def added(self, *cards, first=False):
        return replace(self, cards=[*cards, *self.cards] if first else [*self.cards, *cards])


class Base:
    number = 1

    def __init__(self, start):
        self.start = start

    def total(self):
        return self.start + self.number


class Derived(Base):
    number = 10

    def __init__(self, start, more):
        super().__init__(start)
        self.more = more

    def total(self):
        return super().total() + self.more


def numbers():
    return [
        [f"{x:.6g}", f"{x:.1f}", f"{x:8.2f}|", f"{int(x):,}", round(x), round(x, 1), int(x), x // 2, x % 3]
        for x in NUMBERS
    ]


def texts():
    line = "  the quick-witted fox, a b-c  "
    return [
        line.strip().capitalize(),
        line.partition("-"),
        line.rpartition("z"),
        line.split(),
        ["a", "b:c"],
        "x".join(str(k) for k in range(3)),
        f"{'ab':<5}|{'ab':>5}|{'ab':^5}|{3:03d}",
        "abcabc".replace("b", "", 1),
        "{} and {}".format(1, "two"),
        line.rstrip(" -"),
        "abc"[::-1],
        "abc"[-2:],
        "abc"[-1],
        "ab" * 2,
        textwrap.wrap("a well-known, half-hidden card of nobody's own", 12),
        "suffix".removesuffix("fix"),
        "a\u00a0b",
        f"{WHOLE}v{WHOLE:g}",
        "Zvord".startswith(("A", "Z")),
        "x" in "xyz",
        repr("it"),
        "a-b".title(),
        "%",
    ]


def collections():
    counts = {"b": 2, ("a", 1): 3, 4: None}
    counts |= {"c": 5}
    first, *others, last = range(5)
    nested = [[(k, m) for m in range(k) if m % 2 == 0] for k in range(4)]
    empty, nothing, full = [], 0, "a"
    return [
        list(counts.values()),
        counts.get("z", 9),
        ("a", 1) in counts,
        [first, others, last],
        nested,
        sorted({3, 1, 2}, reverse=True),
        sorted(["bb", "a", "ccc"], key=len),
        max([1, 3, 2]),
        min(4, 2),
        max((), default=7),
        sum([1, 2, True]),
        list(zip("ab", [1, 2], strict=False)),
        list(enumerate("ab", 1)),
        {**{"k": 1}, "m": 2}["m"],
        list((1, 2, 3, 4)[1:3]),
        (1, 2) == (1, 2),
        [1, [2]] == [1, [2]],
        (1, 2) < (1, 3),
        [1, 2].index(2),
        dict.fromkeys("ab", 0)["b"],
        bool([]),
        not {},
        empty or "none",
        nothing or 3,
        full and "b",
        [1] * 3,
        divmod(7, 2),
    ]


def lazily():
    seen = []

    def steps():
        for k in range(3):
            seen.append(k)
            yield k

    for number, step in enumerate(steps()):
        seen.append(-number * step)
    return [seen, any(k == 1 for k in steps()), len(seen), next(iter([]), "nothing")]


def instances():
    card = Card("forum")
    hand = Hand("you").added(card, Card("turris", 5).dearer(by=2)).added(Card("nero"), first=True)
    return [
        list(card),
        card.dearer().cost,
        card == Card("forum", 2),
        hand.size,
        [one.name for one in hand.cards],
        sorted(hand.cards, key=lambda one: -one.cost)[0].name,
        Derived(1, 100).total(),
        {"total": Base.total}["total"](Derived(1, 100)),
        isinstance(card, tuple),
        type(card.cost) is int,
        isinstance(Derived(1, 2), Base),
        *Card("x"),
    ]


def named(a, /, b=2, *rest, c=3, **more):
    return [a, b, list(rest), c, sorted(more.items())]


def calls():
    half = partial(named, 1, c=5)
    return [named(1), named(1, 4, 5, 6, c=7, d=8), half(9), half(b=3, e=1), named(*[1, 2], **{"c": 4})]


@lru_cache(maxsize=4)
def squared(x):
    return x * x


def other():
    found = [m for m in (1, 2, 3) if (n := m * m) > 3]
    pattern = re.compile(r"\b(a+)(b)?")
    match = pattern.sub(lambda hit: f"<{hit[1]}{hit.start()}>", "aab a b")
    kind = "two"
    match kind:
        case "one" | "eins":
            said = 1
        case "two":
            said = 2
        case _:
            said = 3
    k = 0
    while True:
        k += 1
        if k == 2:
            continue
        if k > 3:
            break
    return [
        found,
        n,
        match,
        said,
        k,
        squared(3),
        math.hypot(3, 4),
        1 < k <= 4,
        3 if k else 4,
        {1, 2} & {2} == {2},
        -7 // 2,
    ]
