"""Random changes of values, texts and bytes, and the judge of what a reader makes of them.

A `Judge` counts what must never happen: an error of another kind than the documented one, a message that is not one
short line, a reader that does not end, and a success that is none.
"""

import contextlib
import json
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

_NUMBERS = (None, True, False, 0, 1, -1, 2**63, -(2**64), 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf"))
_TEXTS = ("", "x", "player_0", "neutral_0", "qween", "tax-8", "1e5", "a\nb", "\0", "\ud800", "é", "💥", "x" * 10_000)
_CONTAINERS: tuple[Any, ...] = ([], {}, [[]], {"a": 1}, ["player_0"], [None], [1, 2])
_NAMES = ("romans-go-home/1", "../up", "/etc/passwd")
ODD_VALUES: tuple[Any, ...] = (*_NUMBERS, *_TEXTS, *_CONTAINERS, *_NAMES)
"""Values that mean something somewhere, or fit nowhere."""

LONGEST_MESSAGE = 2000
"""Letters; the longest messages list all settings there are."""

SECONDS = 60
"""For one input, on a machine that is busy with other things as well."""


def nested(depth: int) -> list[Any]:
    """A list in a list, so many times."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def text_of(value: Any) -> str:
    """The value as a JSON text; where it is nested too deeply to be written, a text that is as deep."""
    try:
        return json.dumps(value)
    except RecursionError:
        return "[" * 5000 + "]" * 5000


def mutate_json(value: Any, rng: random.Random, depth: int = 0) -> Any:
    """The JSON value with one random place changed; the value itself stays as it is."""
    if isinstance(value, dict) and value and rng.random() < 0.9 and depth < 6:
        return _mutate_object(value, rng, depth)
    if isinstance(value, list) and value and rng.random() < 0.85 and depth < 6:
        return _mutate_list(value, rng, depth)
    if isinstance(value, str) and value and rng.random() < 0.5:
        return mutate_text(value, rng)
    if isinstance(value, (int, float)) and rng.random() < 0.3:
        return rng.choice([value + 1, -value, value * 10**9, value // 3, str(value), [value]])
    return rng.choice(ODD_VALUES) if rng.random() < 0.97 else nested(rng.choice([50, 5000]))


def _mutate_object(value: dict[str, Any], rng: random.Random, depth: int) -> dict[str, Any]:
    changed, name = dict(value), rng.choice(list(value))
    chance = rng.random()
    if chance < 0.1:
        del changed[name]
    elif chance < 0.2:
        changed[str(rng.choice(ODD_VALUES[:-2]))] = changed[name]
    elif chance < 0.3:
        changed[rng.choice(list(value))] = changed[name]
    else:
        changed[name] = mutate_json(value[name], rng, depth + 1)
    return changed


def _mutate_list(value: list[Any], rng: random.Random, depth: int) -> list[Any]:
    changed, k = list(value), rng.randrange(len(value))
    chance = rng.random()
    if chance < 0.12:
        del changed[k]
    elif chance < 0.24:
        changed.insert(k, rng.choice(ODD_VALUES))
    elif chance < 0.34:
        changed.insert(k, rng.choice(value))
    elif chance < 0.42:
        other = rng.randrange(len(value))
        changed[k], changed[other] = changed[other], changed[k]
    elif chance < 0.45:
        changed *= 1000
    else:
        changed[k] = mutate_json(value[k], rng, depth + 1)
    return changed


def mutate_text(text: str, rng: random.Random) -> str:
    """The text with one letter changed, or cut off."""
    k = rng.randrange(len(text) + 1)
    if rng.random() < 0.2:
        return text[:k]
    letters = ["", " ", "\n", "\0", "é", "-", "9", ":", ".", "[", "{", '"', ",", "=", "\ud800", text[k : k + 1] * 2]
    return text[:k] + rng.choice(letters) + text[k + 1 :]


def mutate_bytes(content: bytes, rng: random.Random) -> bytes:
    """The bytes with some changed, cut off, put in, or with other ones altogether."""
    chance = rng.random()
    if chance < 0.2:
        return content[: rng.randrange(len(content) + 1)]
    if chance < 0.3:
        k = rng.randrange(len(content) + 1)
        return content[:k] + rng.randbytes(rng.randrange(1, 50)) + content[k:]
    if chance < 0.35:
        return rng.randbytes(rng.randrange(2000))
    changed = bytearray(content)
    # Most of a small database is empty; what is written there is never read.
    places = [k for k, byte in enumerate(content) if byte] if rng.random() < 0.7 else range(len(content))
    for _ in range(rng.choice([1, 1, 2, 5, 50])):
        if places:
            changed[rng.choice(places)] = rng.randrange(256)
    return bytes(changed)


def damaged_json(value: Any, rng: random.Random, again: tuple[int, ...]) -> bytes:
    """The text of a JSON value that was changed once and some times ``again``, or whose bytes were changed."""
    changed = mutate_json(value, rng)
    for _ in range(rng.choice(again)):
        changed = mutate_json(changed, rng)
    return text_of(changed).encode() if rng.random() < 0.7 else mutate_bytes(json.dumps(value).encode(), rng)


class WrongSuccessError(AssertionError):
    """What was read is not what the input says."""


class Judge:
    """Tries inputs and counts what comes of them.

    Args:
        errors: the documented kind of error.
    """

    def __init__(self, *errors: type[Exception]):
        self.counts: Counter[str] = Counter()
        self.complaints: list[str] = []
        self._errors = errors

    def tries(self, what: object, read: Callable[[], Any]) -> None:
        """Read an input. ``read`` raises `WrongSuccessError` when it accepts what it must not."""
        try:
            with _time_limit():
                read()
            self.counts["accepted"] += 1
        except WrongSuccessError as error:
            self._complain("wrong success", what, error)
        except self._errors as error:
            says = str(error)
            if not says.isprintable() or not says.strip():
                self._complain("not one line", what, error)
            elif len(says) > LONGEST_MESSAGE:
                self._complain("long message", what, error)
            else:
                self.counts["refused"] += 1
        except _TimeIsUp as error:
            self._complain("hang", what, error)
        except Exception as error:
            self._complain("traceback", what, error)

    def _complain(self, kind: str, what: object, error: BaseException) -> None:
        self.counts[kind] += 1
        if len(self.complaints) < 10:
            self.complaints.append(f"{kind}: {type(error).__name__}: {str(error)[:150]!r} for {what!s:.200}")

    def tries_files(self, path: Path, contents: Iterable[bytes], read: Callable[[], Any]) -> None:
        """Read a file with each of these contents; then `check`."""
        files = list(contents)
        for content in files:
            path.write_bytes(content)
            self.tries(content[:200], read)
        self.check(len(files))

    def check(self, least: int) -> None:
        """Fail unless all of at least so many inputs were refused or rightly accepted, and there were some of both."""
        assert not self.complaints, "\n".join([str(dict(self.counts)), *self.complaints])
        assert self.counts["refused"] + self.counts["accepted"] >= least, self.counts
        assert self.counts["refused"] and self.counts["accepted"], self.counts


class _TimeIsUp(BaseException):
    """No Exception: a reader that turns every error into its own must not catch it."""


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    """Stop what takes longer than `SECONDS`, where the system has the signal for it."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise _TimeIsUp(f"{SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
