"""Damaged results of a tournament: refused in one line and left as they are, or read as they were."""

import random

import pytest

from romans_agents.batches.time_limit import run_with_timeout
from romans_env import Table
from romans_training.compare.tournament import TournamentError, tournament
from romans_training.compare.tournament.rows import DamagedRow, row_digest
from tests.fuzz.mutations import mutate_bytes
from tests.fuzz.store_mutations import (
    HARMLESS,
    IMPOSSIBLE_VALUES,
    MISSING_ROWS,
    POSSIBLE_VALUES,
    SCHEMA_CHANGES,
    change_rows,
)

MOST_SECONDS = 20.0
AGENTS = ("random", "hoarder")


def figures_of(folder):
    """All that a tournament says but times."""
    result = tournament(AGENTS, Table(2, 0), 100, folder).as_json()
    for standing in result["standings"]:
        del standing["milliseconds"]
    return result


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The bytes of a whole store, and the figures that it gives."""
    folder = tmp_path_factory.mktemp("played")
    return (folder / "results.sqlite", figures_of(folder))


def is_refused(path, figures):
    """Play a tournament with what lies at ``path``: False where its figures are those of the whole store."""
    before = path.read_bytes()
    try:
        said = run_with_timeout(MOST_SECONDS, lambda: figures_of(path.parent))
    except TournamentError as error:
        message = str(error)
    else:
        assert said == figures
        return False
    assert str(path.parent) in message
    assert "name another folder" in message
    assert len(message) < 500
    assert "\n" not in message
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    return True


def with_store(folder, number, content):
    """A store of its own with these bytes."""
    path = folder / str(number) / "results.sqlite"
    path.parent.mkdir()
    path.write_bytes(content)
    return path


def test_bytes(played, tmp_path):
    whole, figures = played
    rng, data = random.Random(0), whole.read_bytes()
    refused = sum(is_refused(with_store(tmp_path, k, mutate_bytes(data, rng)), figures) for k in range(150))
    assert refused > 60


def test_truncation(played, tmp_path):
    whole, figures = played
    data = whole.read_bytes()
    sizes = (1, 15, 16, 19, 20, 99, 100, 511, 512, 4095, 4096, 4097, -4096, -1)
    assert [size for size in sizes if not is_refused(with_store(tmp_path, size, data[:size]), figures)] == []


def test_an_empty_file_holds_nothing_yet(played, tmp_path):
    """SQLite leaves one where a process is killed before its first transaction."""
    path = tmp_path / "results.sqlite"
    path.touch()
    assert not is_refused(path, played[1])


def digest_or_none(table, *values):
    """The digest of a row; an empty text where it has values that are in no row."""
    try:
        return row_digest(table, *values)
    except DamagedRow:
        return ""


def refused_of(changes, played, folder, digest=None):
    """Which changes of rows are refused."""
    whole, figures = played
    data, refused = whole.read_bytes(), []
    for number, statements in enumerate(changes):
        path = with_store(folder, number, data)
        change_rows(path, statements, digest)
        assert path.read_bytes() != data
        if is_refused(path, figures):
            refused.append(statements)
    return refused


def test_rows(played, tmp_path):
    changes = [*SCHEMA_CHANGES, *MISSING_ROWS, *POSSIBLE_VALUES, *IMPOSSIBLE_VALUES]
    assert refused_of(changes, played, tmp_path) == changes


@pytest.mark.parametrize("digest", [None, row_digest], ids=["as they were", "made anew"])
def test_rows_that_may_be_missing(played, tmp_path, digest):
    assert refused_of(HARMLESS, played, tmp_path, digest) == []


def test_rows_with_digests_of_their_own(played, tmp_path):
    """What cannot be is refused even where somebody has made the digests anew."""
    changes = [*MISSING_ROWS, *IMPOSSIBLE_VALUES]
    assert refused_of(changes, played, tmp_path, digest_or_none) == changes
