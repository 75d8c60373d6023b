"""An agent at fault loses its game, and the other games go on."""

import re
import signal
import sys
import threading
import time

import numpy as np
import pytest

from romans_agents import Agent, BatchAgent, RandomAgent
from romans_agents.batches.adjudicator import Adjudicator
from romans_agents.batches.arena import Arena
from romans_agents.batches.time_limit import DecisionTimeout, run_with_timeout
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import RomansGoHome, Table
from tests.tools import dealt

UNIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="no interval timers")


class First(Agent):
    """Takes the first legal action, but for what a test puts in its way."""

    name = "first"

    def __init__(self, fault=lambda view: None):
        self.fault = fault

    def act(self, view):
        answer = self.fault(view)
        return view.legal_actions()[0] if answer is None else answer


class FirstInBatch(BatchAgent):
    """The same, in batches; the fault is called with every row."""

    name = "first in batch"

    def __init__(self, fault=lambda mask: None):
        self.fault = fault

    def act_batch(self, observations, masks):
        answers = [self.fault(mask) for mask in masks]
        return np.array(
            [mask.argmax() if answer is None else answer for mask, answer in zip(masks, answers, strict=True)]
        )


class Clock:
    """A clock that goes on by itself only as far as a test says."""

    now = 0.0

    def __call__(self):
        return self.now

    def thinks(self, seconds):
        """A fault of an agent that takes so long, for a view or a row, and is none."""

        def fault(seen):
            self.now += seconds

        return fault


def judged(player, num_games=6, other=None, **settings):
    """Games of a player on seat 0; gives the records and the adjudicator."""
    rules = RomansGoHome(Table(2, 0))
    states = dealt(rules, range(num_games))
    adjudicator = Adjudicator(**settings)
    for _ in Arena(rules, states, [[player, other or GreedyAgent()]] * num_games, range(num_games), adjudicator).play():
        pass
    assert all(rules.is_over(states, i) for i in range(num_games))
    return states, adjudicator


def test_without_a_fault_a_referee_changes_nothing():
    for player in (First(), FirstInBatch()):
        states, adjudicator = judged(player)
        rules = RomansGoHome(Table(2, 0))
        plain = dealt(rules, range(6))
        list(Arena(rules, plain, [[First(), GreedyAgent()]] * 6, range(6)).play())
        assert states.tobytes() == plain.tobytes()
        assert not adjudicator.faults
        assert adjudicator.clock_of(player).decisions > 6 * 15


def boom(view):
    raise ValueError("no\nidea")


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        (boom, "error", r"^ValueError: no \(test_adjudicator.py, line \d+\)$"),
        (lambda view: sys.exit(1), "error", r"^SystemExit: 1"),
        (lambda view: 55, "illegal", r"^lose:chariott is not legal|^give_up.* is not legal"),
        (lambda view: -1, "illegal", r"^action -1 is not legal"),
        (lambda view: 2**80, "illegal", r"is not legal"),
        (lambda view: "conquer:rome", "illegal", r"^chose 'conquer:rome', which is neither"),
        (lambda view: 1.5, "illegal", r"^chose 1.5, which is neither"),
    ],
)
def test_a_fault_loses_the_game(fault, kind, message):
    player = First(fault)
    _, adjudicator = judged(player)
    assert [(found.game, found.seat, found.kind) for found in adjudicator.faults] == [(i, 0, kind) for i in range(6)]
    assert all(found.agent is player for found in adjudicator.faults)
    assert re.search(message, adjudicator.faults[0].message)
    assert "\n" not in adjudicator.faults[0].message


@pytest.mark.parametrize(
    ("failing", "unhurt"),
    [
        # Fails only when asked to discard with two Ch'ariotts on hand, or, in batches, seven different warriors.
        (
            First(
                lambda view: boom(view) if view.position()["clans"][view.agent]["hand"].count("chariott") == 2 else None
            ),
            First(),
        ),
        (FirstInBatch(lambda mask: boom(mask) if mask[:8].sum() == 7 else None), FirstInBatch()),
    ],
    ids=["views", "batches"],
)
def test_only_the_games_at_fault_are_lost(failing, unhurt):
    states, adjudicator = judged(failing, num_games=20)
    lost = {found.game for found in adjudicator.faults}
    assert 0 < len(lost) < 20
    expected, _ = judged(unhurt, num_games=20)
    others = [i for i in range(20) if i not in lost]
    assert states[others].tobytes() == expected[others].tobytes()


@pytest.mark.parametrize("answer", [55, 2**40, 0.5])
def test_wrong_answers_in_a_batch(answer):
    _, adjudicator = judged(FirstInBatch(lambda mask: answer if mask[:8].sum() == 7 else None), num_games=20)
    assert {found.kind for found in adjudicator.faults} == {"illegal"}


def test_a_decision_over_the_limit_loses_and_one_on_it_does_not():
    clock = Clock()
    _, on_time = judged(First(clock.thinks(0.25)), now=clock, move_time=0.25)
    assert not on_time.faults
    player = First(clock.thinks(0.5))
    _, late = judged(player, now=clock, move_time=0.25)
    assert [found.kind for found in late.faults] == ["time"] * 6
    assert late.faults[0].message == "a decision took 0.5 s; the limit is 0.25 s"
    assert (late.clock_of(player).seconds, late.clock_of(player).decisions) == (3.0, 6)


def test_the_time_of_a_batch_counts_by_the_row():
    clock = Clock()
    player = FirstInBatch(clock.thinks(0.25))
    assert not judged(player, now=clock, move_time=0.25)[1].faults
    assert len(judged(player, now=clock, move_time=0.125)[1].faults) == 6


@UNIX_ONLY
@pytest.mark.parametrize("stubborn", [False, True])
def test_an_agent_that_hangs_is_interrupted(stubborn):
    def hangs(view):
        try:
            time.sleep(60)
        except BaseException:
            if not stubborn:
                raise
            time.sleep(60)

    _, adjudicator = judged(First(hangs), num_games=2, move_time=0.01)
    assert [found.kind for found in adjudicator.faults] == ["time", "time"]
    assert "before it was interrupted" in adjudicator.faults[0].message


def test_a_limit_outside_the_main_thread_interrupts_nothing():
    done = []
    thread = threading.Thread(target=lambda: done.append(run_with_timeout(1e-9, lambda: 3)))
    thread.start()
    thread.join()
    assert done == [3]


@UNIX_ONLY
def test_a_call_within_its_time_leaves_no_alarm():
    before = signal.getsignal(signal.SIGALRM)
    assert run_with_timeout(5.0, lambda: 3) == 3
    with pytest.raises(DecisionTimeout):
        run_with_timeout(0.01, lambda: time.sleep(60))
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_the_other_agents_play_on():
    """A game that a fault ended is not asked for again; its opponent in Python plays its other games."""
    other = First()
    _, adjudicator = judged(First(boom), num_games=3, other=other)
    assert adjudicator.clock_of(other).decisions == 0  # seat 0 plans first
    _, adjudicator = judged(RandomAgent(seed=1), num_games=3, other=First(boom))
    assert {found.seat for found in adjudicator.faults} == {1}
