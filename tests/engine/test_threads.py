"""Games shared among threads: every one once, errors told, no threads left behind."""

import copy
import gc
import os
import pickle
import threading
import time

import numpy as np
import pytest

from romans_env.engine.threads import Threads


def count(visits, first, last):
    visits[first:last] += 1


def fail_late(first, last):
    if first > 0:
        raise RuntimeError(f"range {first}")


def workers():
    return [thread for thread in threading.enumerate() if thread.name == "romans_env"]


@pytest.mark.parametrize("num_games", [1, 2, 3, 10, 4096])
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_every_game_is_visited_once(num_games, threads):
    shared, visits = Threads(num_games, threads), np.zeros(num_games, dtype=int)
    shared.run(count, visits)
    shared.run(count, visits)
    assert visits.tolist() == [2] * num_games
    assert len(shared.ranges) == min(threads, num_games)
    assert all(first < last for first, last in shared.ranges)


def test_one_thread_starts_none():
    before = len(workers())
    Threads(10, 1).run(count, np.zeros(10))
    assert len(workers()) == before


def test_an_error_of_a_thread_is_raised_and_the_next_call_works():
    shared, visits = Threads(10, 2), np.zeros(10, dtype=int)
    with pytest.raises(RuntimeError, match="range 5"):
        shared.run(fail_late)
    shared.run(count, visits)
    assert visits.tolist() == [1] * 10


def test_an_error_of_the_calling_thread_waits_for_the_others():
    def fail_early(visits, first, last):
        if first == 0:
            raise RuntimeError("first")
        time.sleep(0.05)
        visits[first:last] += 1

    shared, visits = Threads(10, 2), np.zeros(10, dtype=int)
    with pytest.raises(RuntimeError, match="first"):
        shared.run(fail_early, visits)
    assert visits.sum() == 5
    shared.run(count, visits)


def test_threads_end_with_their_owner():
    before = set(workers())
    shared = Threads(10, 3)
    shared.run(count, np.zeros(10))
    own = set(workers()) - before
    assert len(own) == 2
    del shared
    gc.collect()
    for thread in own:
        thread.join(timeout=5)
        assert not thread.is_alive()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda shared: pickle.loads(pickle.dumps(shared))])
def test_a_copy_has_threads_of_its_own(copied):
    shared = Threads(10, 2)
    shared.run(count, np.zeros(10))
    visits = np.zeros(10, dtype=int)
    copied(shared).run(count, visits)
    assert visits.tolist() == [1] * 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_starts_its_own():
    shared = Threads(10, 2)
    shared.run(count, np.zeros(10))
    child = os.fork()
    if child == 0:
        visits = np.zeros(10, dtype=int)
        shared.run(count, visits)
        os._exit(0 if visits.tolist() == [1] * 10 else 1)
    deadline = time.monotonic() + 20
    while (done := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert done[0] == child, "the forked process hangs"
    assert os.waitstatus_to_exitcode(done[1]) == 0
