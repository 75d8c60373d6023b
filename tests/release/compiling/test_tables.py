"""Tables that compiled code finds by a key (`romans_env.compiling.tables`)."""

import numpy as np
import pytest

from romans_env.compiling import tables
from romans_env.compiling.decorators import jitted
from romans_env.compiling.tables import entry, publish, table_of, word


@jitted
def read(key, place):
    table = table_of(key)
    return entry(table, place), word(table, place)


def publish_all(keys):
    for key in keys:
        publish(key, np.zeros(4, dtype=np.int16))


def test_entries_and_words_of_several_tables():
    first = np.array([1, -2, 32767, -32768, 5, 0, 0, 0], dtype=np.int16)
    second = np.arange(12, dtype=np.int16)
    publish(701, first), publish(702, second)
    for key, table in ((701, first), (702, second)):
        for place in range(len(table) // 4):
            assert read(key, place) == (table[place], table.view(np.int64)[place])


def test_what_is_published_does_not_change():
    table = np.array([3, 0, 0, 0], dtype=np.int16)
    publish(703, table)
    table[0] = 9
    publish(703, table)
    assert read(703, 0)[0] == 3


def test_an_unknown_key_is_an_error():
    with pytest.raises(ValueError, match="not published in this process"):
        read(12345, 0)


def test_there_is_an_end_to_tables(monkeypatch):
    monkeypatch.setattr(tables, "MAX_TABLES", 80)
    keys = iter(range(10_000, 10_083))
    with pytest.raises(ValueError, match="a process can use 80 tables"):
        publish_all(keys)
    assert read(next(keys) - 2, 0) == (0, 0)
